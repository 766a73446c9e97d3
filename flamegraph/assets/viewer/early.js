/*
 * What is done until the viewer is there: it starts in turns, between which others can
 * react, and what comes before it is heard again.
 */

import { OPENS_BOX, keyOf } from './keys.js';
import { BLANK, childWith, find, hearsKeys, isDocument, root, soon } from './page.js';

/* Until the viewer is there, all that is said about a frame is what its title says. */
function showTitle(container, node, { nameType }) {
	const frame = childWith(container, node);
	const details = find('details');

	if (details)
		details.textContent = frame
			? nameType + ' ' + frame.firstElementChild.textContent
			: BLANK;
}

/*
 * The viewer gets a copy of what came before it. What the browser does by itself, such
 * as following a link, it has done already, and the page around has heard of it.
 */
function hearAgain(event) {
	const input = event.type === 'keydown' && root.querySelector('input:focus');
	const target = input || event.target;

	function keepInside(copy) {
		copy.preventDefault();
		if (!isDocument) copy.stopPropagation();
	}

	if (!target.isConnected) return;
	root.addEventListener(event.type, keepInside);
	target.dispatchEvent(new event.constructor(event.type, event));
	root.removeEventListener(event.type, keepInside);
	if (input) typeKey(input, event);
}

/* Of a key that is typed into the field the field makes an event of its own. */
function isText({ type, target, key, ctrlKey, altKey, metaKey }) {
	const isKey = type === 'keydown' && target.localName === 'input';

	return isKey && key.length === 1 && !(ctrlKey || altKey || metaKey);
}

/* Keys that came after the one that opens the search box are text in it. */
function typeKey(input, { key, ctrlKey, altKey, metaKey }) {
	if (key.length !== 1 || ctrlKey || altKey || metaKey) return;
	input.setRangeText(key, input.selectionStart, input.selectionEnd, 'end');
	input.dispatchEvent(new Event('input', { bubbles: true }));
}

/*
 * How the viewer is to start: in turns, and in one go when somebody waits for it. A
 * mouse that goes from frame to frame is followed first, for a while: a click would
 * otherwise find nothing begun.
 */
function makePace() {
	const pace = { hasMoved: false, isUrgent: false };
	let patience = 5;
	let stopWaiting;
	const urgent = new Promise((resolve) => {
		stopWaiting = resolve;
	});
	const waitFor = (what) => Promise.race([urgent, new Promise(what)]);

	pace.hurry = () => {
		pace.isUrgent = true;
		stopWaiting();
	};
	/* Others take turns. */
	pace.pause = async (wait = setTimeout) => {
		await waitFor((goOn) => wait(goOn));
		while (pace.hasMoved && patience-- > 0) {
			pace.hasMoved = false;
			await waitFor(soon);
		}
	};
	return pace;
}

/*
 * Listens until the viewer is there. A button that goes down says that a click comes,
 * so that only what the click leads to is left to be drawn then.
 */
export function hearEarly(container, settings, begin) {
	const pace = makePace();
	const heard = [];
	let clicked = () => {};

	const react = {
		mouseover({ target }) {
			pace.hasMoved = true;
			showTitle(container, target, settings);
		},
		mouseleave: () => showTitle(container, null, settings),
		mousedown() {
			/* The click that a button is down for. */
			pace.click = new Promise((resolve) => {
				clicked = resolve;
				soon(resolve);
			});
			pace.hurry();
		},
		click() {
			clicked();
			pace.hurry();
		},
		/* The picture gets it with each click. */
		focusin() {},
		/* Typed into the field, which needs no viewer for that. */
		input() {},
		/* The browser has a box of its own to search with. */
		keydown(event) {
			if (OPENS_BOX.includes(keyOf(event))) event.preventDefault();
			pace.hurry();
		},
	};
	const target = (type) => (type === 'keydown' ? hearsKeys : root);

	function onEarly(event) {
		if (!isText(event)) heard.push(event);
		react[event.type](event);
		begin();
	}

	function stop() {
		for (const type in react) target(type).removeEventListener(type, onEarly);
	}

	/* As the viewer does: an event that it starts in must not reach it twice. */
	for (const type in react) target(type).addEventListener(type, onEarly);
	pace.stop = stop;
	pace.replay = () => {
		stop();
		heard.forEach(hearAgain);
	};
	return pace;
}

/* Where there is so little to do that nothing can come before it. */
export const AT_ONCE = {
	isUrgent: true,
	click: null,
	pause() {},
	hurry() {},
	stop() {},
	replay() {},
};
