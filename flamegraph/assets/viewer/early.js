/* What is done with the picture before the viewer is there. */

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

/* Keys that came after the one that opens the search box are text in it. */
function typeKey(input, { key, ctrlKey, altKey, metaKey }) {
	if (key.length !== 1 || ctrlKey || altKey || metaKey) return;
	input.setRangeText(key, input.selectionStart, input.selectionEnd, 'end');
	input.dispatchEvent(new Event('input', { bubbles: true }));
}

/*
 * Listens until the viewer is there, and says how it is to start: in turns, and in one
 * go when somebody waits for it. A button that goes down says that a click comes, so
 * that only what the click leads to is left to be drawn then.
 */
export function hearEarly(container, settings, begin) {
	const types = ['mouseover', 'mouseleave', 'mousedown', 'click', 'focusin'];
	const heard = [];
	let [hasMoved, isUrgent] = [false, false];
	let patience = 5;
	let hurry;
	let clicked = () => {};
	let click = null;
	const urgent = new Promise((resolve) => {
		hurry = () => {
			isUrgent = true;
			resolve();
		};
	});

	const waitFor = (what) => Promise.race([urgent, new Promise(what)]);

	/*
	 * Others take turns. A mouse that goes from frame to frame is followed first, for a
	 * while: a click would otherwise find nothing begun.
	 */
	async function pause(wait = setTimeout) {
		await waitFor((goOn) => wait(goOn));
		while (hasMoved && patience-- > 0) {
			hasMoved = false;
			await waitFor(soon);
		}
	}

	const react = {
		mouseover({ target }) {
			hasMoved = true;
			showTitle(container, target, settings);
		},
		mouseleave: () => showTitle(container, null, settings),
		mousedown() {
			click = new Promise((resolve) => {
				clicked = resolve;
				soon(resolve);
			});
			hurry();
		},
		click() {
			clicked();
			hurry();
		},
		/* The browser has a box of its own to search with. */
		keydown(event) {
			if (OPENS_BOX.includes(keyOf(event))) event.preventDefault();
			hurry();
		},
		/* The picture gets it with each click. */
		focusin() {},
	};

	function onEarly(event) {
		heard.push(event);
		react[event.type](event);
		begin();
	}

	function stop() {
		hearsKeys.removeEventListener('keydown', onEarly);
		for (const type of types) root.removeEventListener(type, onEarly);
	}

	function replay() {
		stop();
		heard.forEach(hearAgain);
	}

	/* As the viewer does: an event that it starts in must not reach it twice. */
	hearsKeys.addEventListener('keydown', onEarly);
	for (const type of types) root.addEventListener(type, onEarly);
	return {
		pause,
		hurry,
		replay,
		stop,
		isUrgent: () => isUrgent,
		/* The click that a button is down for, if it is. */
		click: () => click,
	};
}
