/*
 * The axis of a flame chart: a canvas at the end of the upper bar, which stays in the
 * window, and the ticks in the picture itself, for print and for copies. If only a part
 * of the time is shown, a bar above the ticks shows which. Lengths are in pixels, times
 * in the units of chart.js.
 */

import { abs, ceil, floor, max, min } from './format.js';
import { clearCanvas } from './heatdraw.js';
import { SIDE_PADDING } from './layout.js';
import { html, make, part, put } from './page.js';

const HEIGHT = 30;
/* The height of the bar, and the place of the ticks. */
const BAR = 7;
const TICKS_AT = 12;
const SPACE = 90;
const MARK = '#1c7ed6';
const LONG = [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400];

/* Returns the time between two ticks: a round number that is at least `least`. */
export function stepOf(least, isTime) {
	const seconds = least / 1e9;
	const long = isTime && seconds > 10 && LONG.find((one) => one >= seconds);
	const power = 10 ** floor(Math.log10(least) + 1e-9);
	const digit = [1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9));

	/* Counts other than times are whole numbers. */
	return long ? long * 1e9 : isTime ? digit * power : max(1e9, digit * power);
}

/* Returns the ticks: the distance of each from the left, and its text. */
export function ticksOf({ width, shown: { from, to }, units }) {
	const inner = width - 2 * SIDE_PADDING;
	const step = stepOf(((to - from) * SPACE) / inner, units.isTime);
	const ticks = [];

	for (let i = ceil(from / step - 1e-9); i * step <= to; i++)
		ticks.push({
			x: SIDE_PADDING + ((i * step - from) / (to - from)) * inner,
			text: units.tickText(i * step, step),
		});
	return ticks;
}

/* Draws the bar, in which a part of the time is marked. */
function drawBar(context, width, { from, to, all, range }) {
	const inner = width - 2 * SIDE_PADDING;
	const isWhole = from <= all.from && to >= all.to;
	const part = isWhole ? range : { from, to };
	const x = (at) => SIDE_PADDING + (inner * at) / all.to;

	if (part.from <= all.from && part.to >= all.to) return;
	context.fillStyle = MARK;
	context.globalAlpha = 0.2;
	context.fillRect(SIDE_PADDING, 0, inner, BAR);
	context.globalAlpha = 1;
	context.fillRect(x(part.from), 0, max(3, x(part.to) - x(part.from)), BAR);
}

export function drawTimeAxis(axis, { width, shown, units, ink }) {
	const context = clearCanvas(axis.canvas, width, HEIGHT);

	Object.assign(axis, { shown, width });
	drawBar(context, width, shown);
	Object.assign(context, { fillStyle: ink, font: '11px system-ui, sans-serif' });
	context.fillRect(SIDE_PADDING, TICKS_AT, width - 2 * SIDE_PADDING, 1);
	for (const { x, text } of ticksOf({ width, shown, units })) {
		context.fillRect(floor(x), TICKS_AT, 1, 5);
		if (x + 4 + context.measureText(text).width <= width)
			context.fillText(text, x + 4, TICKS_AT + 12);
	}
	if (axis.drag) markDrag(axis, context);
}

function markDrag({ drag }, context) {
	context.fillStyle = MARK;
	context.globalAlpha = 0.3;
	context.fillRect(min(drag.x, drag.to), TICKS_AT, abs(drag.to - drag.x), HEIGHT);
	context.globalAlpha = 1;
}

/* Draws the ticks of the picture, which flamegraph/timeaxis.c has drawn, once more. */
export function drawStill(still, { width, shown, units, settings }) {
	const { top, fontSize, fontWidth } = settings;
	const y = top - fontSize / 2;
	const path = [];
	const texts = [];

	for (const { x, text } of ticksOf({ width, shown, units })) {
		const label = make('text', { x: x + 3, y: y - 4 });
		path.push('M' + (floor(x) + 0.5) + ' ' + (y - fontSize) + 'V' + y);
		label.textContent = text;
		if (x + 3 + text.length * fontSize * fontWidth <= width) texts.push(label);
	}
	const line = 'M' + SIDE_PADDING + ' ' + y + 'H' + (width - SIDE_PADDING);
	const look = { fill: 'none', stroke: '#808080' };
	still.replaceChildren(make('path', { ...look, d: line + path.join('') }), ...texts);
}

/* ---- the mouse on the axis */

/* Returns the time at a place on the axis or, on its bar, among all of the time. */
function timeAt({ shown: { from, to, all }, width }, x, isBar) {
	const span = isBar ? all : { from, to };
	const share = (x - SIDE_PADDING) / (width - 2 * SIDE_PADDING);

	return span.from + max(0, min(1, share)) * (span.to - span.from);
}

function placeOf({ canvas }, { clientX, clientY }) {
	const corner = canvas.getBoundingClientRect();

	return { x: clientX - corner.x, y: clientY - corner.y };
}

function onDown(axis, event) {
	const { x, y } = placeOf(axis, event);
	const { from, to, all } = axis.shown;

	if (event.button !== 0) return;
	const isBar = y < TICKS_AT && to - from < all.to - all.from;
	axis.drag = { x, to: x, isBar, length: to - from };
	axis.canvas.setPointerCapture(event.pointerId);
	if (isBar) onMove(axis, event);
	event.preventDefault();
}

function onMove(axis, event) {
	const { drag } = axis;
	const { x } = placeOf(axis, event);

	if (!drag) return;
	drag.to = x;
	if (drag.isBar) {
		const from = timeAt(axis, x, true) - drag.length / 2;
		axis.onSelect({ from, to: from + drag.length }, event.type === 'pointerdown');
	} else axis.redraw();
}

function onUp(axis) {
	const { drag } = axis;

	axis.drag = null;
	if (!drag || drag.isBar) return;
	const [a, b] = [timeAt(axis, drag.x, false), timeAt(axis, drag.to, false)];
	axis.redraw();
	if (abs(drag.to - drag.x) > 3)
		axis.onSelect({ from: min(a, b), to: max(a, b) }, true);
}

/*
 * Makes the axis. onSelect(range, isNew) is called if the user selects a part of the
 * time. isNew: this is a new step, and not a part of the last drag.
 */
export function makeAxis(bars, units) {
	const canvas = html('canvas');
	const element = part('time', canvas);
	const axis = { element, canvas, drag: null, shown: null, onSelect() {} };
	const name = units.isTime ? 'Time axis' : 'Axis of counts';
	const listeners = {
		pointerdown: onDown,
		pointermove: onMove,
		pointerup: onUp,
		pointercancel: onUp,
	};

	put(element, 'role', 'application');
	put(element, 'tabindex', '0');
	put(
		element,
		'aria-label',
		name + ': plus and minus zoom, arrows move, Escape shows everything',
	);
	put(element, 'title', 'Drag to zoom to a part; the wheel zooms, too');
	Object.assign(element.style, { margin: '0 -8px', outlineOffset: '-2px' });
	element.style.overflow = 'hidden';
	Object.assign(canvas.style, { display: 'block', touchAction: 'none' });
	canvas.style.cursor = 'ew-resize';
	axis.redraw = () =>
		drawTimeAxis(axis, {
			width: axis.width,
			shown: axis.shown,
			units,
			ink: getComputedStyle(element).color,
		});
	for (const [type, react] of Object.entries(listeners))
		canvas.addEventListener(type, (event) => react(axis, event));
	bars.head.append(element);
	return axis;
}
