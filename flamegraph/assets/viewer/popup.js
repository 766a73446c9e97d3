/*
 * Elements that float over the picture beside a frame: the card and the menu. Makes
 * them and finds their place in the window. Sizes are in pixels.
 */

import { max, min } from './format.js';
import { find, fluidWidth, html, isDocument, make } from './page.js';

/* The distance from the frame and from the window's edges. */
const GAP = 6;
/*
 * The distance to the right of the pointer, so that the arrow does not hide the popup.
 */
const POINTER_GAP = 12;
/* A popup that is lower than this could not be read. */
const LEAST = 48;

/* Returns false for older browsers, which have no layer above the bars. */
export const canPopUp = () => HTMLElement.prototype.showPopover !== undefined;

/*
 * Makes an element that is shown over everything else and takes no space in the
 * picture.
 */
export function makePopup(attributes) {
	const overlay = find('frames').parentNode;
	const holder = make(
		'foreignObject',
		{ class: 'fg-made', width: 1, height: 1 },
		overlay,
	);
	const element = html('div', { popover: 'manual', ...attributes });
	const isShown = () => element.matches(':popover-open');

	holder.append(element);
	return {
		element,
		isShown,
		show: () => isShown() || element.showPopover(),
		hide: () => isShown() && element.hidePopover(),
	};
}

function windowSize() {
	const { clientWidth } = document.documentElement;
	const width = (isDocument ? fluidWidth() : clientWidth) || window.innerWidth;

	return { width: min(width, window.innerWidth), height: window.innerHeight };
}

const within = (at, size, room) => max(GAP, min(at, room - size - GAP));

function put({ style }, left, top, room) {
	/*
	 * We do not write style.left, because the bundler could rename it: the viewer has a
	 * property `left` of its own.
	 */
	style.setProperty('left', left + 'px');
	style.top = top + 'px';
	style.maxHeight = room + 'px';
}

/*
 * Places the popup below or above a box, near x, or else to the right or left of the
 * box. It never covers the box and never leaves the window. Returns false if there is
 * no such place.
 */
export function placeBeside({ element }, box, x) {
	const { width, height } = windowSize();
	const below = height - box.bottom - 2 * GAP;
	const above = box.top - 2 * GAP;

	element.style.maxHeight = '';
	const { offsetWidth: wide, offsetHeight: high } = element;
	if (max(below, above) >= min(high, LEAST)) {
		const isBelow = below >= min(high, above);
		const room = isBelow ? below : above;
		const top = isBelow ? box.bottom + GAP : box.top - GAP - min(high, room);
		put(element, within(x + POINTER_GAP, wide, width), top, room);
		return true;
	}
	const isRight = width - box.right >= wide + 2 * GAP;
	if (!isRight && box.x < wide + 2 * GAP) return false;
	const left = isRight ? box.right + GAP : box.x - GAP - wide;
	put(element, left, within(box.top, min(high, height), height), height - 2 * GAP);
	return true;
}

/* Places the popup with its corner at a point, but always completely in the window. */
export function placeAt({ element }, x, y) {
	const { width, height } = windowSize();

	element.style.maxHeight = '';
	const room = height - 2 * GAP;
	const high = min(element.offsetHeight, room);
	put(element, within(x, element.offsetWidth, width), within(y, high, height), room);
}

/* Makes a bar that shows the share of a whole. */
export function shareBar(part, whole) {
	const bar = html('i');

	/* At least a pixel, so that a small share does not look like zero. */
	if (part > 0) bar.style.width = `max(1px, ${min(100, (100 * part) / whole)}%)`;
	return html('span', { class: 'fg-share' }, bar);
}
