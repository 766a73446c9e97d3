/* The frames as a tree to walk by keyboard or screen reader; one of them is current. */

import { max } from './format.js';
import { MIN_WIDTH, SIDE_PADDING } from './layout.js';
import { XHTML, change, drop, isDocument, make, put, root, soon } from './page.js';
import { ancestorsOf, nextMatch } from './tree.js';

/* Beside what has been scrolled to. */
const MARGIN = 20;

export function makeAccess({ container, drawing, picture, details, bars }) {
	const overlay = container.parentNode;
	const ring = make(
		'rect',
		{ class: 'fg-focus', fill: 'none', display: 'none' },
		overlay,
	);
	const holder = make('foreignObject', { width: 1, height: 1 }, overlay);
	const live = document.createElementNS(XHTML, 'div');
	let current = 0;
	let stop = null;
	let last = picture.view();
	let waiting = null;

	put(live, 'class', 'fg-live');
	put(live, 'aria-live', 'polite');
	holder.appendChild(live);
	/* Otherwise Tab would stop at the root, as it listens to the focus. */
	put(root, 'tabindex', '-1');
	put(root, 'role', 'group');

	function announce(text) {
		waiting = null;
		if (live.textContent !== text) live.textContent = text;
	}

	/* Unless something newer has been announced by then. */
	function announceSoon(text) {
		waiting = text;
		soon(() => {
			if (waiting !== null) announce(waiting);
		});
	}

	/* Tab stops at one frame only; the arrows lead to the others. */
	function setStop(record) {
		if (stop === record) return;
		if (stop) {
			put(stop.element, 'tabindex', '-1');
			drop(stop.element, 'aria-label');
		}
		stop = record;
		put(stop.element, 'tabindex', '0');
	}

	function showRing(record) {
		put(ring, 'x', record.left / 10);
		put(ring, 'y', record.y);
		put(ring, 'width', max(1, record.width / 10));
		put(ring, 'height', picture.settings.frameHeight - 1);
		drop(ring, 'display');
	}

	function hideRing() {
		change(ring, 'display', 'none');
	}

	/* Not all browsers scroll to elements of an SVG document, none mind the bars. */
	function bringToWindow(y) {
		const at = y + bars.above() - window.scrollY;
		const top = bars.headHeight() + MARGIN;
		const bottom = window.innerHeight - bars.footHeight() - 2 * MARGIN;

		if (isDocument && (at < top || at > bottom))
			window.scrollBy(0, at - (at < top ? top : bottom));
	}

	function hasFocus() {
		return drawing.contains(document.activeElement);
	}

	/*
	 * Moves the focus as the keyboard does. After a click that zoomed, Firefox
	 * sends no focus event.
	 */
	function focus(frame) {
		const record = drawing.reach(frame);

		if (!record) return;
		record.element.focus({ preventScroll: true });
		bringToWindow(record.y);
		if (current !== record.frame || !isRingShown()) onFocus(record, true);
	}

	/* The frame that got the focus becomes current, and its details are shown. */
	function onFocus(record, byKeyboard) {
		current = record.frame;
		setStop(record);
		const text = details.line(record);
		put(record.element, 'aria-label', text);
		details.show(record);
		announce(text);
		if (byKeyboard) showRing(record);
		else hideRing();
	}

	/* After drawing, as the current frame may not be drawn any more. */
	function refresh(hadFocus, ringShown) {
		const view = picture.view();
		const hasSameFrames = view === last || (view.plain && last.plain);
		let frame = hasSameFrames ? current : 0;

		last = view;
		while (frame > 0 && !drawing.get(frame)) frame = view.parent[frame];
		current = frame;
		setStop(drawing.reach(frame));
		if (hadFocus && document.activeElement !== stop.element)
			stop.element.focus({ preventScroll: true });
		if (ringShown && hadFocus) showRing(stop);
		else hideRing();
	}

	function isRingShown() {
		return !ring.hasAttribute('display');
	}

	/*
	 * The drawn frame next to this one: left or right of it on the same row, `on`
	 * away from the root, or `back` to the root and from there to its callers. The
	 * frame itself if there is none.
	 */
	function neighbour(frame, direction) {
		const { depth, parent, children } = picture.view();
		const step = direction === 'on' ? 1 : direction === 'back' ? -1 : 0;
		const row = depth[frame] + step;
		const isThere = (other) =>
			depth[other] === row && drawing.get(other) !== undefined;

		if (depth[frame] * step < 0) return parent[frame];
		if (step !== 0) return children(frame).find(isThere) ?? frame;
		if (frame === 0) return frame;
		const siblings = children(parent[frame]).filter(isThere);
		const at = siblings.indexOf(frame) + (direction === 'left' ? -1 : 1);
		return siblings[at] ?? frame;
	}

	return {
		bringToWindow,
		announce,
		announceSoon,
		focus,
		onFocus,
		refresh,
		hasFocus,
		hideRing,
		isRingShown,
		neighbour,
		current: () => current,
	};
}

/* From match to match. */

/* The ancestor to zoom into so that a frame can be seen well. */
function placeToSee(view, frame, width) {
	const visible = 3;
	const inner = width - 2 * SIDE_PADDING;
	const ancestors = ancestorsOf(view, frame);

	return (
		ancestors.find(
			(at) => (view.total[frame] / view.total[at]) * inner >= visible,
		) ?? frame
	);
}

/* Leads to a match; zooms out until it can be seen, or into what it stands on. */
export function makeTour({ picture, drawing, access, bars }) {
	return (step) => {
		const view = picture.view();
		const found = picture.found();

		if (!found || found.frames === 0) return;
		const frame = nextMatch(view, found, access.current(), step);
		if (frame < 0) return;
		const record = drawing.get(frame);
		if (!record || record.width < 10 * MIN_WIDTH)
			picture.zoom(placeToSee(view, frame, bars.width()));
		access.focus(frame);
	};
}
