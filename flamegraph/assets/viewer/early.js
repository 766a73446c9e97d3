/*
 * Listens to the user before the viewer is ready.
 *
 * The viewer starts in several short turns, so that the page stays responsive.
 * listenEarly() covers that time: it shows the title of the frame under the pointer in
 * the details line, keeps all events, and dispatches copies of them once the viewer
 * listens itself. main.js calls it first of all.
 */

import { OPENS_BOX, keyOf } from './keys.js';
import { BLANK, childWith, find, isDocument, keyTarget, root, soon } from './page.js';

/*
 * Shows the title of the frame that contains `node` in the details line. The viewer,
 * which would show more, is not ready yet.
 */
function showTitle(container, node, { nameType }) {
	const frame = childWith(container, node);
	const details = find('details');

	if (details)
		details.textContent = frame
			? nameType + ' ' + frame.firstElementChild.textContent
			: BLANK;
}

/*
 * Dispatches a copy of an event that came before the viewer was ready. Keeps the copy
 * from the browser, which has already reacted to the original, for example by following
 * a link, and from the page around the picture, which has seen the original.
 */
function dispatchCopy(event) {
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

/*
 * Returns true for a key typed into the search field. We drop it, because the field has
 * its own input event.
 */
function isText({ type, target, key, ctrlKey, altKey, metaKey }) {
	const isKey = type === 'keydown' && target.localName === 'input';

	return isKey && key.length === 1 && !(ctrlKey || altKey || metaKey);
}

/*
 * Types a key into the search field. The user pressed it after the key that opens the
 * field, but before the field was there.
 */
function typeKey(input, { key, ctrlKey, altKey, metaKey }) {
	if (key.length !== 1 || ctrlKey || altKey || metaKey) return;
	input.setRangeText(key, input.selectionStart, input.selectionEnd, 'end');
	input.dispatchEvent(new Event('input', { bubbles: true }));
}

/*
 * Decides how fast the viewer starts: in turns, or in one go as soon as the user waits
 * for it. While the mouse moves from frame to frame we wait a little before the next
 * turn (at most `patience` times), because a click may follow, which should not have to
 * wait until the turn ends.
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
	/* Waits, so that the page can handle events before the start goes on. */
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
 * Listens until the viewer is ready, and calls begin() on the first event. When a mouse
 * button goes down, a click will follow: we hurry the start, so that the viewer is
 * ready when the click comes.
 */
export function listenEarly(container, settings, begin) {
	const pace = makePace();
	const kept = [];
	let clicked = () => {};

	const react = {
		mouseover({ target }) {
			pace.hasMoved = true;
			showTitle(container, target, settings);
		},
		mouseleave: () => showTitle(container, null, settings),
		mousedown() {
			/* Resolves when the click comes, or after a short while without one. */
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
		/* Ignored: the picture gets the focus with each click. */
		focusin() {},
		/* Ignored: the field shows what is typed without the viewer. */
		input() {},
		/* Keeps the browser from opening its own search box. */
		keydown(event) {
			if (OPENS_BOX.includes(keyOf(event))) event.preventDefault();
			pace.hurry();
		},
	};
	const target = (type) => (type === 'keydown' ? keyTarget : root);

	function onEarly(event) {
		if (!isText(event)) kept.push(event);
		react[event.type](event);
		begin();
	}

	function stop() {
		for (const type in react) target(type).removeEventListener(type, onEarly);
	}

	/*
	 * Listens on the same elements as the viewer, so that an event that starts the
	 * viewer does not reach it twice.
	 */
	for (const type in react) target(type).addEventListener(type, onEarly);
	pace.stop = stop;
	pace.replay = () => {
		stop();
		kept.forEach(dispatchCopy);
	};
	return pace;
}

/* The pace for a small picture: its viewer starts before any event can come. */
export const AT_ONCE = {
	isUrgent: true,
	click: null,
	pause() {},
	hurry() {},
	stop() {},
	replay() {},
};
