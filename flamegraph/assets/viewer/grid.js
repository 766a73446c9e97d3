/*
 * Slices of time as cells of a heat map: columns, rows, and shades. The program's
 * heatgrid.c has the same.
 */

import { ceil, floor, max, min } from './format.js';

export const SHADES = 8;
const MS = 1e6;
const SECOND = 1e9;
const SHORT_RUN = 2 * SECOND;
/* Of so many cells one may be deeper than the deepest shade. */
const RARE = 200;
/* The time of a column, and of a row at least. */
const SCALES = [
	[MS, MS / 100],
	[10 * MS, MS / 10],
	[100 * MS, MS],
	[SECOND, 10 * MS],
	[60 * SECOND, SECOND],
	[300 * SECOND, 5 * SECOND],
	[3600 * SECOND, 60 * SECOND],
	[86400 * SECOND, 1800 * SECOND],
];
const FIRST_WHOLE = 3;
/* More are too many to look at, even where they are scrolled. */
const MOST_COLUMNS = 4000;

function makeScale({ slices, width }, [column, least]) {
	const row = width * ceil(least / width);
	const first = floor((slices[0] * width) / column);
	const last = floor((slices[slices.length - 1] * width) / column);

	return {
		column,
		row,
		first,
		columns: last - first + 1,
		rows: ceil(column / row),
	};
}

/* The scales that make sense for the slices; one at least. */
export function scalesOf(data) {
	const { slices, width } = data;
	const run = (slices[slices.length - 1] - slices[0] + 1) * width;
	const from = run < SHORT_RUN ? 0 : FIRST_WHOLE;
	const scales = SCALES.slice(from).map((one) => makeScale(data, one));
	const isFine = ({ column, row, columns }) =>
		row <= column / 5 && columns <= MOST_COLUMNS;
	const fine = scales.filter(isFine);
	let [column, row] = SCALES[SCALES.length - 1];

	while (fine.length === 0 && column < 2 ** 62) {
		[column, row] = [2 * column, 2 * row];
		const scale = makeScale(data, [column, row]);
		if (isFine(scale)) fine.push(scale);
	}
	/* One that has a column more than another, and no more to see, is too much. */
	const enough = fine.findIndex(({ columns }) => columns === 1);
	return enough < 0 ? fine : fine.slice(0, enough + 1);
}

/* Where time is in a grid: its column and its row. */
export function cellAt({ column, row, first }, time) {
	const at = floor(time / column);

	return { x: at - first, y: floor((time - at * column) / row) };
}

/* The time of a cell. */
export function timeOf({ column, row, first }, { x, y }) {
	const from = (first + x) * column + y * row;

	return { from, to: min(from + row, (first + x + 1) * column) };
}

function topOf(cells) {
	const sorted = cells.filter((count) => count > 0).sort();
	const most = sorted[sorted.length - 1] ?? 0;
	const top = sorted[sorted.length - 1 - floor(sorted.length / RARE)] ?? 0;

	return { most, top: most <= 2 * top ? most : top };
}

/* The counts of all cells, column by column, of the weights of slices. */
export function makeGrid(scale, { slices, width }, weights) {
	const cells = new Float64Array(scale.columns * scale.rows);

	for (let i = 0; i < slices.length; i++) {
		const { x, y } = cellAt(scale, slices[i] * width);
		cells[x * scale.rows + y] += weights[i];
	}
	return { ...scale, cells, ...topOf(cells) };
}

/* From 0 to SHADES - 1. */
export function shadeOf({ top }, count) {
	return max(0, min(SHADES, ceil((count * SHADES) / top)) - 1);
}

/* What the shades stand for: of each that a whole count has, the most. */
export function stepsOf({ top }) {
	const most = Array.from({ length: SHADES }, (_, shade) =>
		floor(((shade + 1) * top) / SHADES),
	);

	return most.flatMap((upTo, shade) =>
		upTo > (most[shade - 1] ?? 0) ? [{ shade, upTo }] : [],
	);
}
