/*
 * Lays out a flame chart. Frames narrower than a pixel are drawn as pixels: in each
 * row, the first of those that share a pixel gets it. A path draws all pixels of a
 * colour, so a chart of many samples is quick, and its pixels have full colours.
 * Lengths are in tenths of a pixel.
 */

import { ceil, floor, max, min, tenths } from './format.js';
import { MIN_WIDTH, SIDE_PADDING } from './layout.js';
import { ancestorsOf } from './tree.js';

/* Returns where each frame starts, in counts. */
export function startsOf({ parent, total, gap }) {
	const starts = new Float64Array(parent.length);
	/* By frame, the start of its next child. */
	const next = new Float64Array(parent.length);

	for (let i = 1; i < parent.length; i++) {
		const above = parent[i];
		next[i] = starts[i] = next[above] + gap[i];
		next[above] = starts[i] + total[i];
	}
	return starts;
}

/*
 * Returns the tree of a part of the time. Frames that are not in it have no counts.
 * starts: where the frames of `tree` start.
 */
export function partOf(tree, starts, { from, to }) {
	const { parent, extra, count } = tree;
	const clamp = (at) => max(from, min(to, at)) - from;
	const [total, self] = [new Float64Array(count), new Float64Array(count)];
	const gap = new Float64Array(count);
	const ends = new Float64Array(count);

	for (let i = 0; i < count; i++) {
		const [start, end] = [clamp(starts[i]), clamp(starts[i] + tree.total[i])];
		const above = parent[i];
		total[i] = self[i] = end - start;
		ends[i] = start;
		if (above < 0) continue;
		gap[i] = start - ends[above];
		ends[above] = end;
		self[above] -= end - start;
	}
	const left = clamp(tree.total[0]) - clamp(tree.total[0] - extra);
	self[0] -= left;
	return { ...tree, total, self, gap, extra: left };
}

/*
 * Lays out the plain view of a chart like layOut() in layout.js. `thin` are the pixels
 * of narrow frames, each with its row (`depth`) and its distance from the left.
 */
export function layOutChart(view, { within, width, atLeast }) {
	const { total, depth, end } = view;
	const one = 10 ** view.decimals;
	const inner = width - 2 * SIDE_PADDING;
	const perCount = inner / (total[within] / one);
	const edge = (count) => tenths(SIDE_PADDING + (count / one) * perCount);
	const starts = startsOf(view);
	const perPixel = total[within] / inner;
	/* The program has drawn the frames of the whole picture with the same limit. */
	const least = atLeast ?? MIN_WIDTH * perPixel;
	/* By row, the last pixel that is taken. Frames come from left to right. */
	const taken = [];
	const [drawn, thin] = [[], []];
	let rows = 0;

	function draw(frame, left, right, above) {
		const start = above ? 0 : starts[frame] - starts[within];
		const place = { depth: depth[frame], left, width: right - left };
		drawn.push({ frame, start, ...place, above });
	}

	function drawThin(frame, left, right) {
		const pixel = floor((left + right) / 20);
		if ((taken[depth[frame]] ?? -1) >= pixel) return;
		taken[depth[frame]] = pixel;
		thin.push({ frame, depth: depth[frame], left: 10 * pixel });
	}

	for (const frame of ancestorsOf(view, within))
		draw(frame, edge(0), edge(total[within]), true);
	for (let i = within; i < end[within]; i = total[i] > 0 ? i + 1 : end[i]) {
		if (!(total[i] > 0)) continue;
		const start = starts[i] - starts[within];
		const [left, right] = [edge(start), edge(start + total[i])];
		if (i === within || total[i] >= least) draw(i, left, right, false);
		if (right - left < 10) drawThin(i, left, right);
		else taken[depth[i]] = max(taken[depth[i]] ?? -1, ceil(right / 10) - 1);
		rows = max(rows, depth[i] + 1);
	}
	return { drawn, thin, rows, rowsBefore: 0, sure: perPixel, edge };
}
