/*
 * Finds the stacks of a picture by the places of its frames, like lib/svg/picture.c.
 * The parent of a frame is the one below it (above it in an icicle graph) on which it
 * starts.
 */

import { max, round } from './format.js';

/*
 * Returns the rows of the picture, each from left to right, the root's row first.
 * rootFirst: the first frame is the root. Otherwise the root's row is the widest.
 */
function rowsOf(frames, rootFirst) {
	const rows = new Map();
	const widthOf = (row) => row.reduce((sum, { width }) => sum + width, 0);

	for (const frame of frames) {
		if (!rows.has(frame.y)) rows.set(frame.y, []);
		rows.get(frame.y).push(frame);
	}
	const sorted = Array.from(rows.values()).sort(([a], [b]) => a.y - b.y);
	for (const row of sorted) row.sort((a, b) => a.x - b.x || a.width - b.width);
	if (sorted.length < 2) return sorted;
	if (rootFirst) return sorted[0][0].y === frames[0].y ? sorted : sorted.reverse();
	const [top, bottom] = [sorted[0], sorted[sorted.length - 1]];
	const difference = widthOf(top) - widthOf(bottom);
	const isAll = ([{ name }]) => name === 'all';
	const isOnTop = difference === 0 ? isAll(top) && !isAll(bottom) : difference > 0;
	return isOnTop ? sorted : sorted.reverse();
}

/*
 * Puts each frame of a row on a parent: the last one that does not start to the right
 * of it. If several parents are so narrow that they start at the same place, takes the
 * first with enough counts left. Returns false if a frame has no parent.
 */
function putOn(row, parents) {
	let [first, last] = [0, 0];

	for (const frame of row) {
		const { x, total } = frame;
		while (last + 1 < parents.length && parents[last + 1].x <= x) last++;
		if (parents[last].x > x) return false;
		while (
			first < last &&
			(parents[first].x < parents[last].x || parents[first].free < total)
		)
			first++;
		const parent = parents[first];
		parent.free = max(0, parent.free - total);
		frame.path = parent.path === '' ? frame.name : parent.path + ';' + frame.name;
	}
	return true;
}

/* Returns how many decimals the counts of frames have. */
function decimalsOf(frames) {
	const decimals = frames.map(({ count }) => count?.split('.')[1]?.length ?? 0);

	return decimals.reduce((most, one) => max(most, one), 0);
}

/*
 * Returns the stacks of frames, each with the text of its count. A frame has a name, a
 * place (x, y, width) and a count as text, which may be null. Returns null if the
 * frames make no flame graph.
 */
export function stacksOf(frames, rootFirst) {
	const rows = rowsOf(frames, rootFirst);
	const decimals = decimalsOf(frames);
	const whole = rows[0]?.[0];

	if (!whole) return null;
	for (const frame of frames) {
		const { count, width } = frame;
		const known = count ?? ((whole.count ?? NaN) * width) / whole.width;
		frame.total = frame.free = round(known * 10 ** decimals);
		if (!(frame.total >= 0 && frame.total < 2 ** 64)) return null;
	}
	/* Without a frame for the root, the first row has several. */
	for (const frame of rows[0]) frame.path = rows[0].length > 1 ? frame.name : '';
	for (let i = 1; i < rows.length; i++) if (!putOn(rows[i], rows[i - 1])) return null;
	return frames
		.filter(({ free }) => free > 0)
		.map(({ path, free }) => [path, (free / 10 ** decimals).toFixed(decimals)]);
}
