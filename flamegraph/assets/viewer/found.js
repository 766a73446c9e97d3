/*
 * Shows the matches of a search, which frame.js has coloured: dims all other frames,
 * marks the match that the user has gone to with a triangle above and below, and writes
 * its number ("3 of 228").
 */

import { setText } from './bars.js';
import { MANY } from './features.js';
import { max, min, thousands } from './format.js';
import { MIN_WIDTH, SIDE_PADDING, pathInRows } from './layout.js';
import { change, find, make } from './page.js';
import { zoom } from './picture.js';
import { ancestorsOf, isFound } from './tree.js';

/*
 * In a merged view, whose frames are made on demand, we look at this many frames, the
 * heaviest ones. If the tree has MANY_FRAMES or more, we do so only when the user wants
 * to go to a match.
 */
const MOST_LOOKED_AT = 2000;
const MANY_FRAMES = 300000;
const MARK_WIDTH = 12;
const MARK_HEIGHT = 8;
/* The veil also covers gaps narrower than this, in tenths of a pixel. */
const VEILED_GAP = 50;

/*
 * Returns the matches of a merged view, the widest first. isAll: false if it has more
 * matches than we have looked for.
 */
function widestOf(view, found) {
	const byWidth = (a, b) => view.total[b] - view.total[a];
	const hasMatch = (frame) => view.hasMatch(frame, found);
	const list = [];
	let [waiting, left, isAll] = [[0], MOST_LOOKED_AT, true];

	while (waiting.length > 0) {
		const frame = waiting.shift();
		if (isFound(found, view.name[frame]) && view.total[frame] > 0) list.push(frame);
		waiting = waiting.concat(view.children(frame).filter(hasMatch)).sort(byWidth);
		isAll &&= waiting.length < left;
		/* Frames after these would not get their turn. */
		waiting.length = min(waiting.length, --left);
	}
	return { list, isAll };
}

/* Returns the matches of the view, the widest first, like widestOf(). */
function matchesOf({ view, found }) {
	if (!view.plain) return widestOf(view, found);
	const list = found.list.slice(0, found.frames).filter((at) => view.total[at] > 0);

	return { list: list.sort((a, b) => view.total[b] - view.total[a]), isAll: true };
}

/* Moves the matches in the zoom to the start of a list. */
function zoomFirst({ view: { parent }, within }, list) {
	function isIn(frame) {
		let at = frame;
		while (at > within) at = parent[at];
		return at === within;
	}

	if (within === 0) return list;
	return [...list.filter(isIn), ...list.filter((frame) => !isIn(frame))];
}

/*
 * Returns a path that covers the frames that do not match. It also covers the gaps
 * between them, where it cannot be seen, because it has the colour of the background.
 */
function veilPath({ view, layout, rowTop }, found, height) {
	const has = ({ frame }) => !isFound(found, view.name[frame]);

	return pathInRows(layout.drawn, { rowTop, height, gap: VEILED_GAP, has });
}

/* Returns two triangles whose points touch the frame. */
function markPath({ left, width, y }, height) {
	const middle = (left + max(10, width) / 2) / 10;
	const triangle = (at, down) =>
		`M${middle - MARK_WIDTH / 2} ${at - down}h${MARK_WIDTH}` +
		`l${-MARK_WIDTH / 2} ${down}z`;

	return triangle(y, MARK_HEIGHT) + triangle(y + height, -MARK_HEIGHT);
}

/* Returns the ancestor to zoom to, so that a frame is wide enough to see. */
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

/*
 * Makes the marks of the matches. draw() must be called after each drawing of the
 * picture. goTo(step) goes to the next match or, with -1, to the previous one, from the
 * widest to the narrowest. If the match is too narrow to see, it zooms to a frame in
 * which it is wide enough.
 */
export function makeFound({ picture, settings, bars, drawing, access }) {
	const frames = find('frames');
	const group = make('g', { class: 'fg-made fg-shade', 'pointer-events': 'none' });
	const veil = make('path', { class: 'fg-veil', 'fill-opacity': 0.55 }, group);
	const mark = make('path', { class: 'fg-here', display: 'none' }, group);
	const height = settings.frameHeight - 1;
	/* The matches that matchesOf() has returned for `found`. */
	let all = { found: null };
	/*
	 * The match that the user has gone to: the list that it is in, its index, and the
	 * search and zoom of the list. It is forgotten when a new view or search replaces
	 * the matches.
	 */
	let here = null;

	function allNow() {
		const { found } = picture;

		if (all.found !== found) all = { found, ...matchesOf(picture) };
		return all;
	}

	function hereNow() {
		if (here && here.found !== picture.found) here = null;
		return here;
	}

	/* Returns "3 of 228", or "0 of 228" if the user has gone to no match yet. */
	function countText() {
		const { view, found, tree } = picture;
		const rank = (hereNow() ? thousands(here.at + 1) : '0') + ' of ';
		const isSlow = MANY && tree.count >= MANY_FRAMES && !here;

		if (view.plain) return rank + thousands(found.frames);
		if (isSlow || !allNow().isAll) return rank + thousands(MOST_LOOKED_AT) + '+';
		return rank + thousands(all.list.length);
	}

	function showCount() {
		setText(bars.count, picture.found?.frames > 0 ? countText() : '');
	}

	function showMark() {
		const record = hereNow() && drawing.get(here.list[here.at]);

		if (record) change(mark, 'd', markPath(record, height));
		change(mark, 'display', record ? 'inline' : 'none');
	}

	/* Returns the list that goTo() walks, and the index of the match to go to. */
	function nextOf(step) {
		const { found, within } = picture;
		const goesOn = hereNow()?.within === within;
		const list = goesOn ? here.list : zoomFirst(picture, allNow().list);
		const at = goesOn ? here.at + step : min(step, 0);

		return { found, list, at: (at + list.length) % list.length };
	}

	function goTo(step) {
		const { view, found } = picture;
		const next = found?.frames > 0 && nextOf(step);
		if (!next || !next.list.length) return;
		const frame = next.list[next.at];
		const record = drawing.get(frame);

		if (!record || record.width < 10 * MIN_WIDTH)
			zoom(picture, placeToSee(view, frame, bars.size.width));
		here = { ...next, within: picture.within };
		access.focus(frame);
		showCount();
		showMark();
	}

	frames.parentNode.append(group);
	return {
		showCount,
		goTo,
		draw(last) {
			const { found } = picture;

			change(veil, 'fill', bars.foot.style.backgroundColor);
			change(veil, 'd', found?.frames > 0 ? veilPath(last, found, height) : '');
			showMark();
		},
	};
}
