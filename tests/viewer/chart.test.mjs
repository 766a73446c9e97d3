/* Tests the time of flame charts: parts of it, narrow frames, and round ticks. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewer } from './modules.mjs';

const SECOND = 1e9;

/* all: a (b from 2 to 5, c from 5 to 6) from 0 to 8, then a pause of 2 in a; d from 8 to 10. */
const tree = viewer.makeTree({
	decimals: 0,
	names: ['a', 'b', 'c', 'd'],
	parent: Int32Array.from([-1, 0, 1, 1, 0]),
	name: Int32Array.from([4, 0, 1, 2, 3]),
	self: Float64Array.from([0, 4, 3, 1, 2]),
	gap: Float64Array.from([0, 0, 2, 0, 0]),
	selfBefore: null,
});
const starts = viewer.startsOf(tree);

test('frames start after those before them, and after gaps', () => {
	assert.deepEqual([...tree.total], [10, 8, 3, 1, 2]);
	assert.deepEqual([...starts], [0, 0, 2, 5, 8]);
});

test('a part of the time has the counts in it, in their places', () => {
	const part = viewer.partOf(tree, starts, { from: 3, to: 9 });

	assert.deepEqual([...part.total], [6, 5, 2, 1, 1]);
	assert.deepEqual([...part.self], [0, 2, 2, 1, 1]);
	assert.deepEqual([...viewer.startsOf(part)], [0, 0, 0, 2, 5]);
	const early = viewer.partOf(tree, starts, { from: 1, to: 3 });
	assert.deepEqual([...early.total], [2, 2, 1, 0, 0]);
	assert.deepEqual([...early.self], [0, 1, 1, 0, 0]);
	assert.equal(viewer.startsOf(early)[2], 1);
	/* A total that was given (--total) lasts longer than the counts. */
	const longer = viewer.partOf(viewer.withTotal(tree, 14), starts, { from: 9, to: 12 });
	assert.deepEqual([longer.total[0], longer.extra, longer.self[0]], [3, 2, 0]);
});

test('frames narrower than a pixel share pixels, in each row', () => {
	const layOut = (width) => {
		const view = viewer.plainView(tree, false);
		const { drawn, thin, rows } = viewer.layOutChart(view, { within: 0, width });
		assert.equal(rows, 3);
		return [drawn.map(({ frame }) => frame), thin.map(({ frame, left }) => [frame, left])];
	};

	assert.deepEqual(layOut(120), [[0, 1, 2, 3, 4], []]);
	/* Five pixels for ten counts. c has half a pixel, but b ends in the same pixel. */
	assert.deepEqual(layOut(25), [[0, 1, 2, 3, 4], []]);
	/* Two pixels. b has the first, and c the second. d is in the last pixel of a. */
	assert.deepEqual(layOut(22), [[0, 1, 2], [[2, 100], [3, 110]]]);
	/* One pixel. b comes first. */
	assert.deepEqual(layOut(21), [[0, 1], [[1, 100], [2, 100]]]);
});

test('ticks are round, and whole if they count samples', () => {
	const step = (least, isTime = true) => viewer.stepOf(least * SECOND, isTime) / SECOND;

	assert.deepEqual([0.3, 0.5, 0.6, 1.1, 4].map((least) => step(least)), [0.5, 0.5, 1, 2, 5]);
	assert.deepEqual([11, 31, 700].map((least) => step(least)), [15, 60, 900]);
	assert.deepEqual([0.3, 3, 11, 700].map((least) => step(least, false)), [1, 5, 20, 1000]);
});
