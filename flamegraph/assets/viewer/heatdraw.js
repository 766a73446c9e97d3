/*
 * Draws a heat map on canvases, and makes its legend. Lengths are in pixels, times in
 * nanoseconds.
 */

import { changeColour, fillMark } from './colour.js';
import { ceil, floor, max, min, round } from './format.js';
import { SHADES, cellAt, shadeOf, stepsOf } from './grid.js';
import { html } from './page.js';

const RED_GREEN_BLUE = '217 72 15';
export const HUE = 'rgb(' + RED_GREEN_BLUE + ')';
const MARK = '#1c7ed6';
/* The height of the axis. */
export const AXIS = 16;
/* The width of the axis beside the cells. */
export const ROW_AXIS = 48;
/* The least width of a column, and the least distance between two texts of the axis. */
const LEAST_COLUMN = 3;
const TICK_SPACE = 50;
/* A column has at most this many ticks on the axis beside the cells. */
const ROW_TICKS = 5;
const FONT = '11px system-ui, sans-serif';
/* Seconds between two texts of the axis. */
const TICKS = [
	...[1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4],
	...[1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
	...[60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200],
];

/* Returns "1 s", "1.5 min" or "20 ms". */
export function widthText(time) {
	const units = [
		['h', 3.6e12],
		['min', 6e10],
		['s', 1e9],
		['ms', 1e6],
		['us', 1e3],
		['ns', 1],
	];
	const isShort = ([, one]) => time >= one && (10 * time) % one === 0;
	const [unit, size] = units.find(isShort) ?? units[5];

	return time / size + ' ' + unit;
}

/* Clears a canvas and gives it a size, with as many pixels as the screen has. */
export function clearCanvas(canvas, width, height) {
	const scale = window.devicePixelRatio || 1;
	const context = canvas.getContext('2d');

	canvas.width = round(width * scale);
	canvas.height = round(height * scale);
	canvas.style.width = width + 'px';
	canvas.style.height = height + 'px';
	context.scale(scale, scale);
	return context;
}

/*
 * Returns the size of the map on its canvas, and functions from cells to pixels and
 * back. room: the width that is free for the map. If there are too many columns, the
 * map is wider.
 */
export function makeFrame(grid, room, height) {
	const columnWidth = max(LEAST_COLUMN, room / grid.columns);
	const rowHeight = height / grid.rows;

	return {
		width: columnWidth * grid.columns,
		height,
		left: (x) => round(x * columnWidth),
		top: (y) => round(height - y * rowHeight),
		cellOf: (px, py) => ({
			x: max(0, min(grid.columns - 1, floor(px / columnWidth))),
			y: max(0, min(grid.rows - 1, floor((height - py) / rowHeight))),
		}),
	};
}

/*
 * Draws cells in shades of a hue. faint: a factor from 0 to 1 for the opacity of all
 * shades.
 */
export function drawCells(context, frame, grid, { hue, faint }) {
	const { cells, columns, rows } = grid;

	context.fillStyle = hue;
	for (let x = 0; x < columns; x++)
		for (let y = 0; y < rows; y++) {
			const count = cells[x * rows + y];
			if (!(count > 0)) continue;
			const [left, top] = [frame.left(x), frame.top(y + 1)];
			context.globalAlpha = (faint * (shadeOf(grid, count) + 1)) / SHADES;
			context.fillRect(
				left,
				top,
				frame.left(x + 1) - left,
				max(1, frame.top(y) - top),
			);
		}
	context.globalAlpha = 1;
}

/* Draws the axis below the cells, with round times. */
export function drawAxis(context, frame, grid, { ink, clockOf }) {
	const { first, columns, column } = grid;
	const room = (TICK_SPACE * columns) / frame.width;
	const steps = TICKS.map((seconds) => (seconds * 1e9) / column);
	const isRound = (one) => one >= max(1, room) && one % 1 < 1e-6;
	const step = round(steps.find(isRound) ?? max(1, ceil(room)));

	context.fillStyle = ink;
	context.font = FONT;
	for (let x = 0; x < columns; x++)
		if ((first + x) % step === 0) {
			const left = frame.left(x);
			const text = clockOf((first + x) * column);
			context.fillRect(left, frame.height, 1, 4);
			if (left + context.measureText(text).width + 3 <= frame.width)
				context.fillText(text, left + 3, frame.height + AXIS - 4);
		}
}

/* Draws the axis beside the cells, which shows the time within a column. */
export function drawRowAxis(context, { height }, { column, row, rows }, ink) {
	const steps = TICKS.map((seconds) => round(seconds * 1e9));
	const isRound = (one) => column % one === 0 && column / one <= ROW_TICKS;
	const step = steps.find(isRound) ?? column / 2;

	Object.assign(context, { fillStyle: ink, font: FONT, textAlign: 'right' });
	for (let time = step; time <= column; time += step) {
		const y = height - (height * time) / (row * rows);
		context.fillRect(ROW_AXIS - 4, floor(y), 4, 1);
		context.fillText(widthText(time), ROW_AXIS - 7, max(8, y + 4));
	}
}

/*
 * Returns the outline of a range of consecutive cells, which may be in several columns.
 */
function outlineOf(frame, grid, { from, to }) {
	const clamp = ({ x, y }) => ({ x: max(0, min(grid.columns - 1, x)), y });
	const [first, last] = [from, to - 1].map((time) => clamp(cellAt(grid, time)));
	const end = last.y + 1;
	const one = [
		[first.x, first.y],
		[first.x, end],
		[first.x + 1, end],
		[first.x + 1, first.y],
	];
	const several = [
		[first.x, first.y],
		[first.x, grid.rows],
		[last.x, grid.rows],
		[last.x, end],
		[last.x + 1, end],
		[last.x + 1, 0],
		[first.x + 1, 0],
		[first.x + 1, first.y],
	];
	const path = new Path2D();

	for (const [x, y] of first.x === last.x ? one : several)
		path.lineTo(frame.left(x), frame.top(y));
	path.closePath();
	return path;
}

/*
 * Marks a range of time. dashes: the pattern of its outline, which is empty for a solid
 * line.
 */
export function drawRange(context, frame, grid, range, dashes) {
	const path = outlineOf(frame, grid, range);

	context.fillStyle = context.strokeStyle = MARK;
	context.globalAlpha = dashes.length > 0 ? 0.15 : 0.3;
	context.fill(path);
	context.globalAlpha = 1;
	context.lineWidth = 2;
	context.setLineDash(dashes);
	context.stroke(path);
	context.setLineDash([]);
}

export function drawCursor(context, frame, { x, y }, ink) {
	const [left, top] = [frame.left(x), frame.top(y + 1)];

	context.strokeStyle = ink;
	context.lineWidth = 2;
	context.strokeRect(
		left - 1,
		top - 1,
		frame.left(x + 1) - left + 2,
		frame.top(y) - top + 2,
	);
}

/*
 * Returns the parts of the legend: the heading, a mark and a text for each shade, and
 * the end of the last text. end: the word to put after the last number.
 */
export function legendOf(grid, numberOf, end) {
	const marks = stepsOf(grid).map(({ shade, upTo }) => {
		const mark = html('i');
		const part = ((100 * (shade + 1)) / SHADES).toFixed(1) + '%';
		mark.style.background = 'rgb(' + RED_GREEN_BLUE + ' / ' + part + ')';
		return [mark, numberOf(upTo)];
	});

	return ['A cell is ' + widthText(grid.row) + ' with up to:', marks, end];
}

export function legendOfChanges() {
	const shades = [
		[-1, false, 'less'],
		[0, false, 'alike, or noise'],
		[1, false, 'more'],
		[1, true, 'new'],
		[null, false, 'gone'],
	];
	const marks = shades.map(([change, isNew, text]) => {
		const mark = html('i');
		fillMark(mark, changeColour(change, isNew));
		return [mark, text];
	});

	return ['Change of total:', marks, ''];
}

/* Shows a legend made by legendOf() or legendOfChanges(). */
export function showLegend(element, [heading, marks, end]) {
	const entries = marks.map(([mark, text], i) => {
		const isLast = i === marks.length - 1;
		return html('span', { class: 'fg-legend' }, mark, text + (isLast ? end : ''));
	});

	element.replaceChildren(heading + ' ', ...entries);
}
