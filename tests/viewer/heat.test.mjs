/* Tests slices of time: how they are read, and which cells a heat map has of them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { varint } from './encode.mjs';
import { viewer } from './modules.mjs';

const MS = 1e6;
const SECOND = 1e9;

/*
 * Returns the first value of each slice, then the second of each slice that has two, and so
 * on.
 */
function inLayers(slices, valueOf) {
	const most = Math.max(0, ...slices.map(({ items }) => items.length));

	return Array.from({ length: most }, (_, i) => slices
		.filter(({ items }) => items.length > i).map(({ items }) => valueOf(items, i))).flat();
}

/* Encodes slices, each { at, items: [[stack, count]] }, like the program. */
function encode({ width = MS, start = null, unit = 1, stacks, slices }) {
	const distances = slices.map(({ items }) => ({
		items: items.map(([stack], i) => stack - (i > 0 ? items[i - 1][0] : -1)),
	}));
	const lengthOf = (items, i) => items[i].toString(2).length;
	const bits = distances.flatMap(({ items }) => items
		.flatMap((distance) => [...distance.toString(2).slice(1)].reverse()));
	const header = start === null ? [0, width, unit] : [1, width, start, unit];
	const numbers = [slices.length,
		...slices.map(({ at }, i) => (i > 0 ? at - slices[i - 1].at - 1 : at))];
	const out = { all: [...Buffer.from('fgs1')], early: [] };
	const add = (name, values) => values.forEach((value) => varint(value, out[name]));

	add('all', [...header, stacks.length, ...stacks, ...numbers]);
	add('all', slices.map(({ items }) => items.length - 1));
	add('all', inLayers(distances, lengthOf));
	for (let i = 0; i < bits.length; i += 8)
		out.all.push(parseInt(bits.slice(i, i + 8).reverse().join(''), 2));
	add('all', inLayers(slices, (items, i) => items[i][1]));
	add('early', [...header, ...numbers, ...slices.map(({ items }) =>
		items.reduce((sum, [, count]) => sum + count, 0))]);
	return out;
}

/* Reads bytes like a page that has them in its metadata. */
async function read({ all, totals }, frames) {
	const text = (bytes) => deflateSync(Buffer.from(bytes)).toString('base64');
	const { documentElement } = globalThis.document;
	const { querySelectorAll } = documentElement;

	documentElement.querySelectorAll = () => [{
		nodeName: 'fg:slices',
		textContent: text(all),
		getAttribute: (name) => (name === 'totals' && totals ? text(totals) : null),
	}];
	const data = await viewer.readPicture(frames);
	documentElement.querySelectorAll = querySelectorAll;
	return data;
}

const list = (column) => Array.from(column);

/* 400 stacks. Few of them are in a slice, and their distances have up to nine bits. */
const sample = {
	width: 20 * MS,
	start: 1732370700e9,
	unit: 10,
	stacks: Array.from({ length: 400 }, (_, i) => 3 * i + 1),
	slices: [
		{ at: 2, items: [[0, 1], [1, 200], [399, 3]] },
		{ at: 3, items: [[5, 70000]] },
		{ at: 500, items: [[0, 4], [130, 5]] },
		{ at: 501, items: [[255, 1], [256, 2], [258, 3], [399, 4]] },
	],
};

test('slices are read as they were written', async () => {
	const data = await read(encode(sample), 1200);

	assert.deepEqual([data.width, data.start, data.unit], [20 * MS, 1732370700e9, 10]);
	assert.deepEqual(list(data.stacks), sample.stacks);
	assert.deepEqual(list(data.slices), [2, 3, 500, 501]);
	assert.deepEqual(list(data.ends), [3, 4, 6, 10]);
	assert.deepEqual(list(data.items), [0, 1, 399, 5, 0, 130, 255, 256, 258, 399]);
	assert.deepEqual(list(data.counts), [1, 200, 3, 70000, 4, 5, 1, 2, 3, 4]);
	assert.deepEqual(list(data.weights), [2040, 700000, 90, 100]);
	assert.equal(data.load, null);
	assert.equal((await read(encode({ ...sample, start: null }), 1200)).start, null);
});

test('counts of any size are read', async () => {
	for (const most of [127, 128, 255, 256, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1]) {
		const items = [[0, most], [1, 1]];
		const data = await read(encode({ stacks: [1, 2], slices: [{ at: 0, items }] }), 3);
		assert.deepEqual(list(data.counts), [most, 1]);
	}
});

test('the totals of slices come before the rest', async () => {
	const { all, early: totals } = encode(sample);
	const data = await read({ all, totals }, 1200);

	assert.deepEqual(list(data.slices), [2, 3, 500, 501]);
	assert.deepEqual(list(data.weights), [2040, 700000, 90, 100]);
	assert.deepEqual([data.width, data.start], [20 * MS, 1732370700e9]);
	assert.equal(data.items, undefined);
	await data.load();
	assert.deepEqual(list(data.ends), [3, 4, 6, 10]);
	assert.equal(await read({ all, totals: totals.slice(0, -1) }, 1200), null);
});

test('damaged slices are ignored', async () => {
	const { all } = encode(sample);

	for (let length = 0; length < all.length; length++)
		assert.equal(await read({ all: all.slice(0, length) }, 1200), null, `${length}`);
	assert.equal(await read({ all: [...all, 0] }, 1200), null);
	assert.equal(await read({ all: [...Buffer.from('fgs2'), ...all.slice(4)] }, 1200), null);
	/* The last stack is frame 1198. */
	assert.notEqual(await read({ all }, 1199), null);
	assert.equal(await read({ all }, 1198), null);
	/* The last item is a stack that does not exist. */
	const slices = (stack) => [{ at: 0, items: [[0, 1], [stack, 1]] }];
	assert.notEqual(await read(encode({ stacks: [1, 2], slices: slices(1) }), 3), null);
	assert.equal(await read(encode({ stacks: [1, 2], slices: slices(2) }), 3), null);
	globalThis.document.documentElement.querySelectorAll = () => [];
	assert.equal(await viewer.readPicture(3), null);
});

test('memory is not reserved for more items than there are bytes', async () => {
	const { Uint32Array: Real } = globalThis;
	const all = [...Buffer.from('fgs1')];
	let most = 0;

	/* A slice that claims a thousand million items and has none. */
	[0, MS, 1, 1, 1, 1, 0, 1e9 - 1].forEach((value) => varint(value, all));
	globalThis.Uint32Array = class extends Real {
		constructor(size, ...more) {
			const isSize = typeof size === 'number';
			most = isSize ? Math.max(most, size) : most;
			super(isSize ? Math.min(size, 100) : size, ...more);
		}
	};
	assert.equal(await read({ all }, 3), null);
	globalThis.Uint32Array = Real;
	assert.ok(most < 100, `${most}`);
});

test('reading ends, whichever byte is changed', async () => {
	const { all } = encode({ ...sample, stacks: [1, 2, 4], slices: [
		{ at: 2, items: [[0, 1], [2, 200]] }, { at: 9, items: [[1, 5]] }] });

	for (let at = 0; at < all.length; at++)
		for (const value of [0, 1, 26, 27, 127, 128, 255]) {
			const changed = all.slice();
			changed[at] = value;
			await read({ all: changed }, 5);
		}
});

/* A tree of a, a;b, a;c, d and d;b, which are the stacks 0 to 4. */
const tree = {
	parent: [-1, 0, 1, 1, 0, 4],
	name: [4, 0, 1, 2, 3, 1],
	end: [6, 4, 3, 4, 6, 6],
};
const sums = { width: SECOND, unit: 2, stacks: [1, 2, 3, 4, 5], slices: [
	{ at: 1, items: [[0, 1], [1, 10]] },
	{ at: 2, items: [[2, 100]] },
	{ at: 5, items: [[1, 1000], [3, 10000], [4, 100000]] },
] };

test('a range has the counts of its slices', async () => {
	const data = await read(encode(sums), 6);
	const own = (from, to) => list(viewer.ownIn(data, { from, to }, 6));

	assert.deepEqual(own(0, 6 * SECOND), [0, 2, 2020, 200, 20000, 200000]);
	assert.deepEqual(own(SECOND, 2 * SECOND), [0, 2, 20, 0, 0, 0]);
	assert.deepEqual(own(2 * SECOND, 5 * SECOND), [0, 0, 0, 200, 0, 0]);
	assert.deepEqual(own(5 * SECOND, 9 * SECOND), [0, 0, 2000, 0, 20000, 200000]);
	assert.deepEqual(own(0, SECOND), [0, 0, 0, 0, 0, 0]);
	assert.deepEqual(own(3 * SECOND, 4 * SECOND), [0, 0, 0, 0, 0, 0]);
});

test('a match counts once in each slice, in the whole tree or below a frame',
	async () => {
		const data = await read(encode(sums), 6);
		const matches = (below, ...names) =>
			list(viewer.matchesIn(data, tree, below, (name) => names.includes(name)));

		assert.deepEqual(matches(0, 1), [20, 0, 202000]);
		assert.deepEqual(matches(0, 0), [22, 200, 2000]);
		assert.deepEqual(matches(0, 0, 1), [22, 200, 202000]);
		assert.deepEqual(matches(1, 1), [20, 0, 2000]);
		assert.deepEqual(matches(4, 1), [0, 0, 200000]);
		assert.deepEqual(matches(4, 0, 1, 2, 3), [0, 0, 220000]);
		assert.deepEqual(matches(0, 4), [0, 0, 0]);
	});

test('a range has whole slices, even if its times were rounded', () => {
	const whole = (width, from, to) => {
		const range = viewer.wholeSlices({ width }, { from, to });
		return [range.from, range.to];
	};

	assert.deepEqual(whole(100, 200, 400), [200, 400]);
	assert.deepEqual(whole(100, 201, 399), [200, 400]);
	assert.deepEqual(whole(100, 299, 301), [200, 400]);
	assert.deepEqual(whole(100, 200, 200), [200, 300]);
	assert.deepEqual(whole(1e9 / 60, 16666667, 33333333), [16666667, 33333333]);
	assert.deepEqual(whole(1e9 / 60, 16666666, 33333334), [16666667, 33333333]);
});

/* ---- cells */

const from = (first, count, step = 1) => Array.from({ length: count }, (_, i) => first + i * step);
const scales = (width, slices) => viewer.scalesOf({ width, slices })
	.map(({ column, row, first, columns, rows }) => [column / MS, row / MS, first, columns, rows]);

test('scales have five rows and two columns or more', () => {
	/* Expected: columns and rows in milliseconds, the first column, columns, rows. */
	assert.deepEqual(scales(100 * MS, from(0, 100)), [
		[500, 100, 0, 20, 5], [1000, 100, 0, 10, 10], [2000, 100, 0, 5, 20],
		[5000, 100, 0, 2, 50]]);
	assert.deepEqual(scales(100 * MS, from(615, 20)), [
		[500, 100, 123, 4, 5], [1000, 100, 61, 3, 10], [2000, 100, 30, 2, 20]]);
	assert.deepEqual(scales(MS / 10, from(30000, 1000)), [
		[1, 0.1, 3000, 100, 10], [2, 0.1, 1500, 50, 20], [5, 0.1, 600, 20, 50],
		[10, 0.1, 300, 10, 100], [20, 0.2, 150, 5, 100], [50, 0.5, 60, 2, 100]]);
	/* A row is not shorter than a slice. */
	assert.deepEqual(scales(3 * MS, from(0, 100)), [
		[20, 3, 0, 15, 7], [50, 3, 0, 6, 17], [100, 3, 0, 3, 34], [200, 3, 0, 2, 67]]);
	/* There is a single column only if there is nothing else. */
	assert.deepEqual(scales(200 * MS, from(0, 5)), [[1000, 200, 0, 1, 5]]);
	assert.deepEqual(scales(201 * MS, from(0, 5)), [[2000, 201, 0, 1, 10]]);
	/* More columns than this are too many to look at. */
	assert.deepEqual(scales(100 * MS, [0, 19999])[0], [500, 100, 0, 4000, 5]);
	assert.deepEqual(scales(100 * MS, [0, 20000])[0], [1000, 100, 0, 2001, 10]);
	/* If slices span weeks, columns are doubled until there are five rows. */
	const day = 86400 * SECOND;
	assert.deepEqual(scales(7 * day, from(0, 6)), [[64 * 864e5, 7 * 864e5, 0, 1, 10]]);
});

/* tests/unit/test_heatgrid.c has the same cases. */
test('columns are as short as fills the map with cells that are wider than high', () => {
	const column = (width, last, pixels) => {
		const data = { width: width * MS, slices: [0, last] };
		return viewer.scaleFor(viewer.scalesOf(data), pixels).column / MS;
	};

	assert.equal(column(20, 199, 1200), 200);
	assert.equal(column(20, 2999, 1200), 500);
	assert.equal(column(20, 2999, 300), 1000);
	assert.equal(column(1000, 86399, 1200), 300000);
	assert.equal(column(100, 9, 1200), 500);
	assert.equal(column(100, 4, 1200), 500);
	assert.equal(column(7, 284, 1200), 100);
});

test('a time has a cell, and a cell has a time', () => {
	const grid = { column: 1000, row: 300, first: 7 };

	assert.deepEqual(viewer.cellAt(grid, 7000), { x: 0, y: 0 });
	assert.deepEqual(viewer.cellAt(grid, 7299), { x: 0, y: 0 });
	assert.deepEqual(viewer.cellAt(grid, 7300), { x: 0, y: 1 });
	assert.deepEqual(viewer.cellAt(grid, 8999), { x: 1, y: 3 });
	assert.deepEqual(viewer.timeOf(grid, { x: 1, y: 2 }), { from: 8600, to: 8900 });
	assert.deepEqual(viewer.timeOf(grid, { x: 1, y: 3 }), { from: 8900, to: 9000 });
});

const gridOf = (weights) => viewer.makeGrid(
	{ column: 4, row: 1, first: 0, columns: weights.length / 4, rows: 4 },
	{ slices: from(0, weights.length), width: 1 }, weights);

test('cells have the counts of their slices', () => {
	const scale = { column: 4, row: 2, first: 1, columns: 2, rows: 2 };
	const grid = viewer.makeGrid(scale, { slices: [4, 5, 7, 8, 11], width: 1 }, [1, 2, 4, 8, 16]);

	assert.deepEqual(list(grid.cells), [3, 4, 8, 16]);
	assert.deepEqual([grid.most, grid.top, grid.rows], [16, 16, 2]);
});

test('one cell in 200 may have more than the others', () => {
	const most = (count, ...more) => {
		const weights = from(0, 400).map((i) => (i < count ? 10 : more[i - count] ?? 0));
		const grid = gridOf(weights);
		return [grid.top, grid.most];
	};

	assert.deepEqual(most(199, 21), [10, 21]);
	assert.deepEqual(most(198, 21), [21, 21]);
	assert.deepEqual(most(199, 20), [20, 20]);
	assert.deepEqual(most(397, 10, 21, 22), [10, 22]);
	assert.deepEqual(most(397, 11, 21, 22), [22, 22]);
	assert.deepEqual(most(0), [0, 0]);
});

test('a cell has the shade of its share, and each shade its largest count', () => {
	const shades = (top, ...counts) => counts.map((count) => viewer.shadeOf({ top }, count));

	assert.deepEqual(shades(80, 1, 10, 11, 70, 71, 80, 99), [0, 0, 1, 6, 7, 7, 7]);
	assert.deepEqual(viewer.stepsOf({ top: 80 }).map(({ shade, upTo }) => [shade, upTo]),
		from(0, 8).map((i) => [i, 10 * i + 10]));
	/* A few cells with far more than the others have shades of their own. */
	const few = { top: 40, most: 200 };
	assert.deepEqual([1, 10, 11, 40, 41, 80, 81, 200].map((count) => viewer.shadeOf(few, count)),
		[0, 0, 1, 3, 4, 4, 5, 7]);
	assert.deepEqual(viewer.stepsOf(few).map(({ upTo }) => upTo),
		[10, 20, 30, 40, 80, 120, 160, 200]);
	/* If counts are small, some shades stand for no count. */
	assert.deepEqual(viewer.stepsOf({ top: 3 }).map(({ shade, upTo }) => [shade, upTo]),
		[[2, 1], [5, 2], [7, 3]]);
	assert.deepEqual(viewer.stepsOf({ top: 8 }).map(({ shade, upTo }) => [shade, upTo]),
		from(0, 8).map((i) => [i, i + 1]));
});

/* ---- drawing */

/*
 * Makes a canvas context that remembers what is drawn, with the properties set at the time.
 */
function makeContext() {
	const calls = [];
	const note = (name) => (...words) => calls.push([name, ...words]);
	const set = (name) => ({ set: (value) => calls.push([name, value]) });

	return Object.defineProperties({ calls }, {
		measureText: { value: (text) => ({ width: 4 * String(text).length }) },
		...Object.fromEntries(['fillRect', 'strokeRect', 'fillText', 'fill', 'stroke',
			'setLineDash'].map((name) => [name, { value: note(name) }])),
		...Object.fromEntries(['fillStyle', 'strokeStyle', 'globalAlpha', 'lineWidth', 'font', 'textAlign']
			.map((name) => [name, set(name)])),
	});
}

test('columns fill the width, and are at least 3 pixels wide', () => {
	const width = (columns, room) => viewer.makeFrame({ columns, rows: 10 }, room, 100).width;

	assert.deepEqual([width(10, 100), width(10, 1000), width(1000, 100)], [100, 1000, 3000]);
});

test('a pixel has a cell, the lowest row at the bottom', () => {
	const frame = viewer.makeFrame({ columns: 10, rows: 4 }, 100, 90);
	const cellOf = (x, y) => Object.values(frame.cellOf(x, y));

	assert.deepEqual([0, 1, 10].map(frame.left), [0, 10, 100]);
	assert.deepEqual([0, 1, 4].map(frame.top), [90, 68, 0]);
	assert.deepEqual(cellOf(0, 89), [0, 0]);
	assert.deepEqual(cellOf(9.9, 67.5), [0, 1]);
	assert.deepEqual(cellOf(10, 68), [1, 0]);
	assert.deepEqual(cellOf(99, 0), [9, 3]);
	assert.deepEqual(cellOf(-5, 200), [0, 0]);
	assert.deepEqual(cellOf(500, -5), [9, 3]);
});

test('each cell with counts is drawn in its shade', () => {
	const grid = { columns: 2, rows: 2, cells: [8, 0, 1, 4], top: 8 };
	const context = makeContext();

	viewer.drawCells(context, viewer.makeFrame(grid, 20, 20), grid, { hue: 'red', faint: 0.5 });
	assert.deepEqual(context.calls, [
		['fillStyle', 'red'],
		['globalAlpha', 0.5], ['fillRect', 0, 10, 10, 10],
		['globalAlpha', 0.0625], ['fillRect', 10, 10, 10, 10],
		['globalAlpha', 0.25], ['fillRect', 10, 0, 10, 10],
		['globalAlpha', 1],
	]);
	/* A row lower than a pixel is still visible. */
	const high = { columns: 1, rows: 1000, cells: from(0, 1000).map((i) => (i === 0 ? 1 : 0)), top: 1 };
	const low = makeContext();
	viewer.drawCells(low, viewer.makeFrame(high, 10, 90), high, { hue: 'red', faint: 1 });
	assert.deepEqual(low.calls[2], ['fillRect', 0, 90, 10, 1]);
});

test('the axis has round times, 50 pixels apart', () => {
	const ticks = (column, columns, width, first = 0) => {
		const context = makeContext();
		viewer.drawAxis(context, { width, height: 90, left: (x) => (x * width) / columns },
			{ first, columns, column }, { ink: 'black', clockOf: (time) => time / SECOND });
		return context.calls.filter(([name]) => name === 'fillText').map(([, text, x, y]) => {
			assert.equal(y, 102);
			return [text, x - 3];
		});
	};

	assert.deepEqual(ticks(SECOND, 60, 150), [[0, 0], [30, 75]]);
	assert.deepEqual(ticks(SECOND, 60, 200), [[0, 0], [15, 50], [30, 100], [45, 150]]);
	assert.deepEqual(ticks(SECOND, 60, 199), [[0, 0], [30, 99.5]]);
	assert.deepEqual(ticks(SECOND, 20, 200, 7), [[10, 30], [15, 80], [20, 130], [25, 180]]);
	/* A text that would be cut off at the end is left out. */
	assert.deepEqual(ticks(SECOND, 20, 200, 6), [[10, 40], [15, 90], [20, 140]]);
	assert.deepEqual(ticks(MS, 200, 500).map(([text]) => text),
		[0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18]);
	/*
	 * Each of these round numbers of seconds is used if the one before would be too close.
	 */
	for (const step of [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30,
		60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200]) {
		const [[first], [second]] = ticks((step * SECOND) / 20, 100, 250);
		assert.ok(Math.abs(second - first - step) < 1e-9, `${step}: ${second - first}`);
	}
	assert.equal(ticks(86400 * SECOND, 100, 250)[1][0], 20 * 86400);
	const marks = makeContext();
	viewer.drawAxis(marks, { width: 32, height: 90, left: () => 5 },
		{ first: 0, columns: 1, column: SECOND }, { ink: 'black', clockOf: () => '0 s' });
	assert.deepEqual(marks.calls, [['fillStyle', 'black'],
		['font', '11px system-ui, sans-serif'], ['fillRect', 5, 90, 1, 4], ['fillText', '0 s', 8, 102]]);
});

test('the axis beside the cells has at most five round times', () => {
	const ticks = (column, row, rows) => {
		const context = makeContext();
		viewer.drawRowAxis(context, { height: 100 }, { column, row, rows }, 'black');
		return context.calls.filter(([name]) => name === 'fillText').map(([, text, , y]) => [text, y]);
	};
	const texts = (column) => ticks(column, column / 10, 10).map(([text]) => text);

	assert.deepEqual(ticks(200 * MS, 20 * MS, 10),
		[['50 ms', 79], ['100 ms', 54], ['150 ms', 29], ['200 ms', 8]]);
	/* The last row can be longer than the rest of the column. */
	assert.deepEqual(ticks(100 * MS, 40 * MS, 3).map(([, y]) => Math.round(y)), [87, 71, 54, 37, 21]);
	assert.deepEqual(texts(500 * MS), ['100 ms', '200 ms', '300 ms', '400 ms', '500 ms']);
	assert.deepEqual(texts(2 * SECOND), ['500 ms', '1 s', '1.5 s', '2 s']);
	assert.deepEqual(texts(60 * SECOND), ['15 s', '30 s', '45 s', '1 min']);
	assert.deepEqual(texts(86400 * SECOND), ['6 h', '12 h', '18 h', '24 h']);
	assert.deepEqual(texts(7 * 86400 * SECOND), ['84 h', '168 h']);
});

/* Returns the corners of the outline that is drawn for a range, in columns and rows. */
function outline(range, dashes = [], first = 2) {
	const grid = { column: 10, row: 1, first, columns: 4, rows: 10 };
	const context = makeContext();
	let corners;

	globalThis.Path2D = class {
		constructor() {
			corners = this.corners = [];
		}

		lineTo(x, y) {
			this.corners.push([x, y]);
		}

		closePath() {
			this.isClosed = true;
		}
	};
	viewer.drawRange(context, { left: (x) => x, top: (y) => y }, grid, range, dashes);
	delete globalThis.Path2D;
	assert.ok(context.calls.filter(([name]) => name === 'fill' || name === 'stroke')
		.every(([, { isClosed }]) => isClosed));
	return { corners, calls: context.calls };
}

test('a range is outlined, whichever columns it begins and ends in', () => {
	assert.deepEqual(outline({ from: 22, to: 25 }).corners, [[0, 2], [0, 5], [1, 5], [1, 2]]);
	assert.deepEqual(outline({ from: 22, to: 45 }).corners,
		[[0, 2], [0, 10], [2, 10], [2, 5], [3, 5], [3, 0], [1, 0], [1, 2]]);
	assert.deepEqual(outline({ from: 20, to: 40 }).corners,
		[[0, 0], [0, 10], [1, 10], [1, 10], [2, 10], [2, 0], [1, 0], [1, 0]]);
	/* A range that reaches beyond the map ends at its edge. */
	assert.deepEqual(outline({ from: 12, to: 95 }).corners,
		[[0, 2], [0, 10], [3, 10], [3, 5], [4, 5], [4, 0], [1, 0], [1, 2]]);
});

test('the range to compare with is dashed and paler', () => {
	const styles = (dashes) => outline({ from: 22, to: 25 }, dashes).calls
		.map(([name, value]) => (name === 'fill' || name === 'stroke' ? name : [name, value]));

	for (const [dashes, alpha] of [[[], 0.3], [[4, 3], 0.15]])
		assert.deepEqual(styles(dashes), [
			['strokeStyle', '#1c7ed6'], ['fillStyle', '#1c7ed6'],
			['globalAlpha', alpha], 'fill', ['globalAlpha', 1],
			['lineWidth', 2], ['setLineDash', dashes], 'stroke', ['setLineDash', []],
		]);
	const cursor = makeContext();
	const frame = viewer.makeFrame({ columns: 10, rows: 10 }, 100, 100);
	viewer.drawCursor(cursor, frame, { x: 2, y: 3 }, 'black');
	assert.deepEqual(cursor.calls,
		[['strokeStyle', 'black'], ['lineWidth', 2], ['strokeRect', 19, 59, 12, 12]]);
});

test('times are written as people say them', () => {
	const cases = [
		[0, '0 s'],
		[12.5 * SECOND, '12.5 s'],
		[119.999999 * SECOND, '119.999999 s'],
		[1.5 * MS, '0.0015 s'],
		[1234567891, '1.234567891 s'],
		[120 * SECOND, '0:02:00'],
		[125.2500004 * SECOND, '0:02:05.25'],
		[3599 * SECOND, '0:59:59'],
		[3600 * SECOND, '1:00:00'],
		[3723.4 * SECOND, '1:02:03.4'],
		[36610 * SECOND, '10:10:10'],
		[100 * 3600 * SECOND, '100:00:00'],
	];

	for (const [time, text] of cases)
		assert.equal(viewer.clockOf(time), text);
	assert.deepEqual([1, 7, 1500, 20 * MS, 1.5 * SECOND, SECOND, 60 * SECOND, 300 * SECOND, 90 * SECOND]
		.map(viewer.widthText),
	['1 ns', '7 ns', '1.5 us', '20 ms', '1.5 s', '1 s', '1 min', '5 min', '1.5 min']);
});
