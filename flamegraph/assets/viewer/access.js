/*
 * Makes the frames a tree that can be walked by keyboard and by screen reader. One
 * frame is current: it is the tab stop, the arrow keys start from it (keys.js), and it
 * has an outline (the ring) if the user reached it by keyboard.
 */

import { max } from './format.js';
import { change, drop, html, make, put, putAll, root, soon } from './page.js';

/* Pixels that stay free around a frame that we scroll to. */
const MARGIN = 20;

/* Makes the outline around the current frame. */
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

/* Makes the live region that speaks to screen readers. */
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
		/* Announces a text a little later, unless a newer one comes first. */
		announceSoon(text) {
			waiting = text;
			soon(() => {
				if (waiting !== null) announce(waiting);
			});
		},
	};
}

/*
 * Returns the drawn frame next to `frame`, or `frame` itself if there is none.
 * direction: `left` or `right` in the same row, `on` for the next row away from the
 * root, `back` for the row towards it. In a view with callers, the callers have
 * negative depths.
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

/*
 * Scrolls the row at `y` into the window. We compute the place ourselves, because not
 * all browsers scroll to elements of an SVG document, and no browser knows that the
 * bars cover a part of the window.
 */
export function scrollToRow(bars, y) {
	const at = y + bars.above() - bars.scroll.now();
	const top = bars.headHeight() + MARGIN;
	const bottom = window.innerHeight - bars.footHeight() - 2 * MARGIN;

	if (at < top || at > bottom) bars.scroll.by(at - (at < top ? top : bottom));
}

/*
 * Moves the tab stop to another frame. Returns `to`. Only one frame is a tab stop; the
 * user reaches all others with the arrow keys.
 */
function moveStop(from, to) {
	if (from === to) return to;
	if (from) {
		put(from.element, 'tabindex', '-1');
		drop(from.element, 'aria-label');
	}
	put(to.element, 'tabindex', '0');
	return to;
}

/*
 * Makes the access by keyboard. current() returns the current frame; focus(frame) moves
 * the focus; announce(text) and announceSoon(text) speak to screen readers. Call
 * hasFocus() and isRingShown() before drawing, and refresh() with both results after
 * it.
 */
export function makeAccess({ container, drawing, picture, details, bars }) {
	const ring = makeRing(container.parentNode, picture.settings);
	const voice = makeVoice(container.parentNode);
	const { showRing, hideRing, isRingShown } = ring;
	let [current, stop] = [0, null];
	let last = picture.view;

	/*
	 * Without this, Tab would stop at the root, because the root listens to focus
	 * events.
	 */
	putAll(root, { tabindex: '-1', role: 'group' });

	/*
	 * Moves the focus like the keyboard does. After a click that zoomed, Firefox sends
	 * no focus event, so we call onFocus() ourselves.
	 */
	function focus(frame) {
		const record = drawing.reach(frame);

		if (!record) return;
		record.element.focus({ preventScroll: true });
		scrollToRow(bars, record.y);
		if (current !== record.frame || !isRingShown()) onFocus(record, true);
	}

	/* Makes the frame that got the focus current, and shows its details. */
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

	/*
	 * Finds the current frame again after drawing, or its closest ancestor that is
	 * drawn.
	 */
	function refresh(hadFocus, ringShown) {
		const { view } = picture;

		/* The frames of another tree have other numbers. */
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
