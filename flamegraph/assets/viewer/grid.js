/*
 * Slices of time as cells of a heat map: how wide columns and rows are, and which shade
 * a count has. The program draws its map by the same rules: flamegraph/heatgrid.c.
 * Times are in nanoseconds.
 */

import { ceil, floor, max, min } from './format.js';

export const SHADES = 8;
const MS = 1e6;
const SECOND = 1e9;
/* One of this many cells may have a count above `top`. */
const RARE = 200;
/* Each scale: the time of a column, and the least time of a row. */
const SCALES = [
	[MS, MS / 100],
	[2 * MS, MS / 50],
	[5 * MS, MS / 20],
	[10 * MS, MS / 10],
	[20 * MS, MS / 5],
	[50 * MS, MS / 2],
	[100 * MS, MS],
	[200 * MS, 2 * MS],
	[500 * MS, 5 * MS],
	[SECOND, 10 * MS],
	[2 * SECOND, 20 * MS],
	[5 * SECOND, 50 * MS],
	[10 * SECOND, 100 * MS],
	[30 * SECOND, 500 * MS],
	[60 * SECOND, SECOND],
	[120 * SECOND, 2 * SECOND],
	[300 * SECOND, 5 * SECOND],
	[600 * SECOND, 10 * SECOND],
	[1800 * SECOND, 30 * SECOND],
	[3600 * SECOND, 60 * SECOND],
	[21600 * SECOND, 300 * SECOND],
	[86400 * SECOND, 1800 * SECOND],
];
/* A map at first has at least this many rows, and columns of this many pixels. */
const FIRST_ROWS = 10;
const LEAST_COLUMN = 4;
/* The height that the program gives a map, in pixels. */
const MAP_HEIGHT = 150;
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

/*
 * Returns the scales that fit the slices, at least one. A scale with a single column is
 * only in the list if there is no other.
 */
export function scalesOf(data) {
	const scales = SCALES.map((one) => makeScale(data, one));
	const isFine = ({ column, row, columns }) =>
		row <= column / 5 && columns <= MOST_COLUMNS;
	const fine = scales.filter(isFine);
	const several = fine.filter(({ columns }) => columns > 1);
	let [column, row] = SCALES[SCALES.length - 1];

	while (fine.length === 0 && column < 2 ** 62) {
		[column, row] = [2 * column, 2 * row];
		const scale = makeScale(data, [column, row]);
		if (isFine(scale)) fine.push(scale);
	}
	return several.length > 0 ? several : fine.slice(0, 1);
}

/*
 * Chooses, for a map of some width, the shortest columns whose cells are at least as
 * wide as high, so that the cells fill the map and are easy to point at.
 */
export function scaleFor(scales, width) {
	const isGood = ({ columns, rows }) =>
		rows >= FIRST_ROWS && width / columns >= max(LEAST_COLUMN, MAP_HEIGHT / rows);

	return scales.find(isGood) ?? scales[scales.length - 1];
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

/*
 * Returns the highest count that a shade stands for. If a few cells have far more than
 * the others, the deeper half of the shades is for them.
 */
function mostOf({ top, most }, shade) {
	const [nth, half] = [shade + 1, SHADES / 2];

	if (!(most > top)) return (nth * top) / SHADES;
	return shade < half
		? (nth * top) / half
		: top + ((nth - half) * (most - top)) / half;
}

/* Returns a shade from 0 to SHADES - 1. */
export function shadeOf(grid, count) {
	let shade = 0;

	while (shade < SHADES - 1 && count > mostOf(grid, shade)) shade++;
	return shade;
}

/*
 * Returns, for the legend, the shades and the largest whole count of each (`upTo`).
 * Leaves out shades that no whole count has.
 */
export function stepsOf(grid) {
	const most = Array.from({ length: SHADES }, (_, shade) =>
		floor(mostOf(grid, shade)),
	);

	return most.flatMap((upTo, shade) =>
		upTo > (most[shade - 1] ?? 0) ? [{ shade, upTo }] : [],
	);
}
