/* The frames as a tree to walk by keyboard or screen reader; one of them is current. */

import { max } from './format.js';
import { MIN_WIDTH, SIDE_PADDING } from './layout.js';
import {
	change,
	drop,
	html,
	make,
	put,
	putAll,
	root,
	soon,
} from './page.js';
import { zoom } from './picture.js';
import { ancestorsOf, nextMatch } from './tree.js';

/* Beside what has been scrolled to. */
const MARGIN = 20;

/* The outline around the current frame. */
function makeRing(overlay, { frameHeight }) {
	const height = frameHeight - 1;
	const look = { class: 'fg-focus', fill: 'none', display: 'none', height };
	const ring = make('rect', look, overlay);

	return {
		showRing({ left, width, y }) {
			putAll(ring, { x: left / 10, y, width: max(1, width / 10) });
			drop(ring, 'display');
		},
		hideRing: () => change(ring, 'display', 'none'),
		isRingShown: () => !ring.hasAttribute('display'),
	};
}

/* Says things to screen readers. */
function makeVoice(overlay) {
	const holder = make('foreignObject', { width: 1, height: 1 }, overlay);
	const live = html('div', { class: 'fg-live', 'aria-live': 'polite' });
	let waiting = null;

	holder.append(live);

	function announce(text) {
		waiting = null;
		if (live.textContent !== text) live.textContent = text;
	}

	return {
		announce,
		/* Unless something newer has been announced by then. */
		announceSoon(text) {
			waiting = text;
			soon(() => {
				if (waiting !== null) announce(waiting);
			});
		},
	};
}

/*
 * The drawn frame next to this one: left or right of it on the same row, `on` away from
 * the root, or `back` to the root and from there to its callers. The frame itself if
 * there is none.
 */
export function neighbour({ picture, drawing }, frame, direction) {
	const { depth, parent, children } = picture.view;
	const step = direction === 'on' ? 1 : direction === 'back' ? -1 : 0;
	const row = depth[frame] + step;
	const isThere = (other) => depth[other] === row && drawing.get(other) !== undefined;

	if (depth[frame] * step < 0) return parent[frame];
	if (step !== 0) return children(frame).find(isThere) ?? frame;
	if (frame === 0) return frame;
	const siblings = children(parent[frame]).filter(isThere);
	const at = siblings.indexOf(frame) + (direction === 'left' ? -1 : 1);
	return siblings[at] ?? frame;
}

/* Not all browsers scroll to elements of an SVG document, none mind the bars. */
export function bringToWindow(bars, y) {
	const at = y + bars.above() - bars.scroll.now();
	const top = bars.headHeight() + MARGIN;
	const bottom = window.innerHeight - bars.footHeight() - 2 * MARGIN;

	if (at < top || at > bottom) bars.scroll.by(at - (at < top ? top : bottom));
}

/* Tab stops at one frame only; the arrows lead to the others. */
function moveStop(from, to) {
	if (from === to) return to;
	if (from) {
		put(from.element, 'tabindex', '-1');
		drop(from.element, 'aria-label');
	}
	put(to.element, 'tabindex', '0');
	return to;
}

export function makeAccess({ container, drawing, picture, details, bars }) {
	const ring = makeRing(container.parentNode, picture.settings);
	const voice = makeVoice(container.parentNode);
	const { showRing, hideRing, isRingShown } = ring;
	let [current, stop] = [0, null];
	let last = picture.view;

	/* Otherwise Tab would stop at the root, as it listens to the focus. */
	putAll(root, { tabindex: '-1', role: 'group' });

	/*
	 * Moves the focus as the keyboard does. After a click that zoomed, Firefox sends no
	 * focus event.
	 */
	function focus(frame) {
		const record = drawing.reach(frame);

		if (!record) return;
		record.element.focus({ preventScroll: true });
		bringToWindow(bars, record.y);
		if (current !== record.frame || !isRingShown()) onFocus(record, true);
	}

	/* The frame that got the focus becomes current, and its details are shown. */
	function onFocus(record, byKeyboard) {
		current = record.frame;
		stop = moveStop(stop, record);
		const text = details.line(record);
		put(record.element, 'aria-label', text);
		details.show(record);
		voice.announce(text);
		if (byKeyboard) showRing(record);
		else hideRing();
	}

	/* After drawing, as the current frame may not be drawn any more. */
	function refresh(hadFocus, ringShown) {
		const { view } = picture;

		/* Another tree has its frames in other places. */
		if (view.parent !== last.parent) current = 0;
		last = view;
		while (current > 0 && !drawing.get(current)) current = view.parent[current];
		stop = moveStop(stop, drawing.reach(current));
		if (hadFocus && document.activeElement !== stop.element)
			stop.element.focus({ preventScroll: true });
		if (ringShown && hadFocus) showRing(stop);
		else hideRing();
	}

	return {
		...ring,
		...voice,
		focus,
		onFocus,
		refresh,
		hasFocus: () => drawing.contains(document.activeElement),
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
		const view = picture.view;
		const found = picture.found;

		if (!found || found.frames === 0) return;
		const frame = nextMatch(view, found, access.current(), step);
		if (frame < 0) return;
		const record = drawing.get(frame);
		if (!record || record.width < 10 * MIN_WIDTH)
			zoom(picture, placeToSee(view, frame, bars.size.width));
		access.focus(frame);
	};
}
