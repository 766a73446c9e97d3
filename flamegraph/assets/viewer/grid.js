/*
 * Slices of time as cells of a heat map: how wide columns and rows are, and which shade
 * a count has. The program draws its map by the same rules: flamegraph/heatgrid.c.
 * Times are in nanoseconds.
 */

import { ceil, floor, max, min } from './format.js';

export const SHADES = 8;
const MS = 1e6;
const SECOND = 1e9;
const SHORT_RUN = 2 * SECOND;
/*
 * One of this many cells may have a count above `top`, the count that gets the deepest
 * shade.
 */
const RARE = 200;
/* Each scale: the time of a column, and the least time of a row. */
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
/* Nobody would scroll through more columns than this. */
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

/* Returns the scales that fit the slices, at least one. */
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
	/*
	 * A scale with a single column is the last in the list, because a longer column
	 * would look the same.
	 */
	const enough = fine.findIndex(({ columns }) => columns === 1);
	return enough < 0 ? fine : fine.slice(0, enough + 1);
}

/* Returns the column and row of a time. */
export function cellAt({ column, row, first }, time) {
	const at = floor(time / column);

	return { x: at - first, y: floor((time - at * column) / row) };
}

/* Returns the time of a cell. */
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

/* Adds up the weights of slices in cells. The cells are stored column by column. */
export function makeGrid(scale, { slices, width }, weights) {
	const cells = new Float64Array(scale.columns * scale.rows);

	for (let i = 0; i < slices.length; i++) {
		const { x, y } = cellAt(scale, slices[i] * width);
		cells[x * scale.rows + y] += weights[i];
	}
	return { ...scale, cells, ...topOf(cells) };
}

/* Returns a shade from 0 to SHADES - 1. */
export function shadeOf({ top }, count) {
	return max(0, min(SHADES, ceil((count * SHADES) / top)) - 1);
}

/*
 * Returns, for the legend, the shades and the largest whole count of each (`upTo`).
 * Leaves out shades that no whole count has.
 */
export function stepsOf({ top }) {
	const most = Array.from({ length: SHADES }, (_, shade) =>
		floor(((shade + 1) * top) / SHADES),
	);

	return most.flatMap((upTo, shade) =>
		upTo > (most[shade - 1] ?? 0) ? [{ shade, upTo }] : [],
	);
}
