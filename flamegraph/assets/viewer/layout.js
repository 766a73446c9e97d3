/*
 * Which frames are drawn, and where. Only those wide enough are, so that the cost
 * depends on the size of the picture and not of the profile. Lengths are in tenths of a
 * pixel.
 */

import { floor, max, tenths } from './format.js';
import { MANY } from './parts.js';
import { ancestorsOf, isFound } from './tree.js';

export const SIDE_PADDING = 10;
export const MIN_WIDTH = 0.5;
const MANY_FRAMES = 5000;

/*
 * Visits the children of a frame that starts at `start`, each with where it starts. A
 * view that is in the order of its tree needs no list of them.
 */
export function forChildren(view, frame, start, visit) {
	const { total, self, gap, end } = view;
	let at = start + (gap ? 0 : self[frame]);

	function take(child) {
		at += gap ? gap[child] : 0;
		visit(child, at);
		at += total[child];
	}

	if (MANY && view.inOrder)
		for (let child = frame + 1; child < end[frame]; child = end[child]) take(child);
	else view.children(frame).forEach(take);
}

/*
 * A path of rectangles: one for all items of a row, from left to right, between which
 * is less than `gap`, and none that `has` excepts.
 */
export function pathInRows(items, { rowTop, height, gap, has }) {
	const ends = new Map();
	const parts = [];
	const close = (depth, { left, right }) => {
		const [x, width] = [left / 10, (right - left) / 10];
		parts.push(`M${x} ${rowTop(depth)}h${width}v${height}H${x}z`);
	};

	for (const item of items) {
		const { depth, left, width = 10 } = item;
		const run = ends.get(depth);
		const isIn = has(item);
		if (isIn && left - run?.right < gap) {
			run.right = left + width;
			continue;
		}
		if (run) close(depth, run);
		if (isIn) ends.set(depth, { left, right: left + width });
		else ends.delete(depth);
	}
	for (const [depth, run] of ends) close(depth, run);
	return parts.join('');
}

/*
 * A layout in steps, one for each frame, so that a long one can make place for others.
 *
 * within: the frame that is as wide as the picture. width: of the picture, in pixels.
 * atLeast: the counts that a frame needs to be drawn. onePerPixel: of frames that are
 * narrower than a pixel, only one is drawn in each pixel of a row.
 *
 * Returns the drawn frames depth first, the number of rows from the root on and on its
 * other side, the counts from which a frame is drawn for sure, and edge(count), which
 * says how far from the left a count is.
 */
export function* layOutInSteps(view, { within, width, atLeast, onePerPixel }) {
	const { total } = view;
	const one = 10 ** view.decimals;
	const inner = width - 2 * SIDE_PADDING;
	const perCount = inner / (total[within] / one);
	const edge = (count) => tenths(SIDE_PADDING + (count / one) * perCount);
	const drawn = [];
	const waiting = [{ frame: within, start: 0 }];
	/* The pixel of the last narrow frame of each row: they come from left to right. */
	const taken = new Map();
	const pixel = MANY && onePerPixel ? total[within] / inner : 0;
	let rows = 0;
	let rowsBefore = 0;

	function draw(frame, start, left, right, above) {
		const depth = view.depth[frame];

		drawn.push({ frame, start, depth, left, width: right - left, above });
		rows = max(rows, depth + 1);
		rowsBefore = max(rowsBefore, -depth);
	}

	function hasRoom(frame, start) {
		if (total[frame] < atLeast) return false;
		if (total[frame] >= pixel) return true;
		const [depth, place] = [view.depth[frame], floor(edge(start) / 10)];
		const isFree = taken.get(depth) !== place;
		taken.set(depth, place);
		return isFree;
	}

	function waitFor(parent, start) {
		const from = waiting.length;

		forChildren(view, parent, start, (frame, at) => {
			if (hasRoom(frame, at)) waiting.push({ frame, start: at });
		});
		/* The last one is taken first, so it must be the first child. */
		for (let i = from, j = waiting.length - 1; i < j; i++, j--)
			[waiting[i], waiting[j]] = [waiting[j], waiting[i]];
	}

	for (const frame of ancestorsOf(view, within))
		draw(frame, 0, edge(0), edge(total[within]), true);
	while (waiting.length > 0) {
		const { frame, start } = waiting.pop();
		draw(frame, start, edge(start), edge(start + total[frame]), false);
		waitFor(frame, start);
		yield;
	}
	return { drawn, rows, rowsBefore, sure: max(atLeast, pixel), edge };
}

export function layOut(view, where) {
	const steps = layOutInSteps(view, where);
	let step;

	do step = steps.next();
	while (!step.done);
	return step.value;
}

/*
 * findNarrow() from match to match, where a frame starts after the counts that all
 * frames before it have of their own.
 */
function narrowInOrder({ self, parent, end }, { drawn, edge }, { list, upTo }) {
	/* Which of what is drawn a frame is, from 1 on. */
	const places = new Int32Array(self.length);
	const itemOf = (frame) => drawn[places[frame] - 1];
	const { frame: within } = drawn.find(({ above }) => !above);
	const narrow = [];
	let [at, start] = [within, 0];

	for (let i = 0; i < drawn.length; i++) places[drawn[i].frame] = i + 1;
	for (let i = upTo[within]; i < upTo[end[within]]; ) {
		let frame = list[i];
		if (places[frame] > 0) {
			const { depth, left, width } = itemOf(frame);
			if (width < 10) narrow.push({ depth, left });
			i++;
			continue;
		}
		while (places[parent[frame]] === 0) frame = parent[frame];
		while (at < frame) start += self[at++];
		narrow.push({ depth: itemOf(parent[frame]).depth, left: edge(start) });
		i = upTo[end[frame]];
	}
	return narrow;
}

/*
 * Where there are matches that are too narrow to be seen: how far from the left, and on
 * which row, that of the frame drawn there. Only in the plain view is it cheap to ask
 * whether there is a match above a frame.
 */
export function findNarrow(view, layout, found) {
	const { total } = view;
	const { drawn, sure, edge } = layout;
	const narrow = [];

	if (MANY && view.inOrder) return narrowInOrder(view, layout, found);
	for (const { frame, start, depth, left, width, above } of drawn) {
		if (above || (view.plain && !view.hasMatch(frame, found))) continue;
		if (width < 10 && isFound(found, view.name[frame]))
			narrow.push({ depth, left });
		forChildren(view, frame, start, (child, at) => {
			if (total[child] < sure && view.hasMatch(child, found))
				narrow.push({ depth, left: edge(at) });
		});
	}
	return narrow;
}

/* The counts that a frame needs to be drawn half a pixel wide. */
function leastVisible(view, { within, width }) {
	return (MIN_WIDTH * view.total[within]) / (width - 2 * SIDE_PADDING);
}

/* What such a layout finds out about a view is kept by the view. */
export function prepareVisible(view, where) {
	return layOutInSteps(view, { ...where, atLeast: leastVisible(view, where) });
}

/*
 * Draws the frames that are at least half a pixel wide; if those are very many, as in a
 * zoom into a profile of a million frames, no more than there are pixels.
 */
export function layOutVisible(view, { within, width }) {
	const atLeast = leastVisible(view, { within, width });
	const result = layOut(view, { within, width, atLeast });

	return MANY && result.drawn.length > MANY_FRAMES
		? layOut(view, { within, width, atLeast, onePerPixel: true })
		: result;
}
