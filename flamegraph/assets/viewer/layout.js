/*
 * Decides which frames are drawn, and where.
 *
 * Only frames that are wide enough are drawn, so the cost depends on the size of the
 * picture and not of the profile. Lengths are in tenths of a pixel.
 */

import { MANY } from './features.js';
import { abs, floor, max, tenths } from './format.js';
import { ancestorsOf, isFound } from './tree.js';

export const SIDE_PADDING = 10;
export const MIN_WIDTH = 0.5;
const MANY_FRAMES = 5000;

/*
 * Calls visit(child, start) for each child of a frame. `start` is where the frame
 * starts, in counts. If siblings are in the order of the tree (`inOrder`), it needs no
 * list of children, which saves time.
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
 * Returns an SVG path with a rectangle for each run of items in a row. Items for which
 * has(item) is false are left out and end a run, and so does a distance of `gap` or
 * more. Items must be in order from left to right.
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
 * Makes a layout in steps, one for each frame, so that the caller can pause a long one.
 *
 * within: the frame that is as wide as the picture. width: the width of the picture, in
 * pixels. atLeast: the counts that a frame needs to be drawn.
 *
 * Returns the drawn frames depth first (`drawn`), the number of rows from the root on
 * (`rows`) and on its other side (`rowsBefore`), the least count with which a frame is
 * always drawn (`sure`), and edge(count), which converts a count to a distance from the
 * left.
 */
export function* layOutInSteps(view, { within, width, atLeast }) {
	const { total } = view;
	const one = 10 ** view.decimals;
	const inner = width - 2 * SIDE_PADDING;
	const perCount = inner / (total[within] / one);
	const edge = (count) => tenths(SIDE_PADDING + (count / one) * perCount);
	const drawn = [];
	const waiting = [{ frame: within, start: 0 }];
	let rows = 0;
	let rowsBefore = 0;

	function draw(frame, start, left, right, above) {
		const depth = view.depth[frame];

		drawn.push({ frame, start, depth, left, width: right - left, above });
		rows = max(rows, depth + 1);
		rowsBefore = max(rowsBefore, -depth);
	}

	function waitFor(parent, start) {
		const from = waiting.length;

		forChildren(view, parent, start, (frame, at) => {
			if (total[frame] >= atLeast) waiting.push({ frame, start: at });
		});
		/* The loop below takes the last item first, so the first child must be last. */
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
	return { drawn, rows, rowsBefore, sure: atLeast, edge };
}

/* Like layOutInSteps(), but in one go. */
export function layOut(view, where) {
	const steps = layOutInSteps(view, where);
	let step;

	do step = steps.next();
	while (!step.done);
	return step.value;
}

/*
 * Like findNarrow(), but goes from match to match. Works only if each frame starts
 * where the own counts of all frames before it end.
 */
function narrowInOrder({ self, parent, end }, { drawn, edge }, { list, upTo }) {
	/* The index of each frame in `drawn`, plus 1; 0 if it is not drawn. */
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
 * Finds matches that are too narrow to see. Returns for each its distance from the
 * left, and the row of the drawn frame that contains it. In the plain view, first
 * checks if a frame has a match among its descendants, which is cheap there.
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

/* Returns the counts that a frame needs to be half a pixel wide. */
function leastVisible(view, { within, width }) {
	return (MIN_WIDTH * view.total[within]) / (width - 2 * SIDE_PADDING);
}

/*
 * Returns the steps of a layout of the visible frames. They make frames of a merged
 * view, which keeps them, so layOutVisible() is quick after the last step.
 */
export function prepareVisible(view, where) {
	return layOutInSteps(view, { ...where, atLeast: leastVisible(view, where) });
}

/*
 * Leaves out frames of a layout so that each pixel of a row has at most one that is
 * narrower. Leaves out what they call, too.
 */
function thinOut(layout, pixel) {
	/* By row, the pixel of the last narrow frame. Frames come from left to right. */
	const taken = new Map();
	/* The distance from the root of the last frame that was left out. */
	let above = Infinity;

	function isKept({ depth, left, width }) {
		if (abs(depth) > above) return false;
		above = Infinity;
		if (width >= 10) return true;
		const place = floor(left / 10);
		const isFree = taken.get(depth) !== place;
		taken.set(depth, place);
		if (!isFree) above = abs(depth);
		return isFree;
	}

	const drawn = layout.drawn.filter(isKept);
	const rows = drawn.reduce((most, { depth }) => max(most, depth + 1), 0);
	const rowsBefore = drawn.reduce((most, { depth }) => max(most, -depth), 0);
	return { ...layout, drawn, rows, rowsBefore, sure: pixel };
}

/*
 * Lays out the frames that are at least half a pixel wide. If those are very many, as
 * in a zoom into a profile of a million frames, lays out at most one narrow frame for
 * each pixel of a row.
 */
export function layOutVisible(view, where) {
	const atLeast = leastVisible(view, where);
	const layout = layOut(view, { ...where, atLeast });

	return MANY && layout.drawn.length > MANY_FRAMES
		? thinOut(layout, atLeast / MIN_WIDTH)
		: layout;
}
