/*
 * Colours: reading, writing and contrast, and the colours of frames, labels and the
 * background. flamegraph/changes.c and palette.c colour the frames that the program
 * draws; the viewer needs the same rules for frames that it draws itself.
 */

import { CHANGES } from './features.js';
import { abs, floor, min, round } from './format.js';
import { attr, change, drop, isDocument, make, root } from './page.js';

const READABLE = 4.5;

/* Returns #rrggbb for red, green and blue from 0 to 255. */
export function toHex(...parts) {
	const digits = (part) => (256 + round(part)).toString(16).slice(1);

	return '#' + parts.map(digits).join('');
}

/*
 * Reads #rgb, #rrggbb or rgb(r,g,b) as red, green and blue. Returns a medium grey for
 * anything else.
 */
export function parseColour(text) {
	const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text);

	if (hex) {
		const isShort = hex[1].length === 3;
		const digits = isShort ? hex[1].replace(/./g, '$&$&') : hex[1];
		const number = parseInt(digits, 16);
		return [number >> 16, (number >> 8) & 255, number & 255];
	}
	const decimal = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/.exec(text);
	return decimal ? decimal.slice(1).map(Number) : [170, 170, 170];
}

/* Returns the relative luminance as WCAG 2 defines it. */
export function luminance(colour) {
	const [red, green, blue] = colour.map((part) => {
		const share = part / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});

	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/* Returns true if black text on this colour would be hard to read. */
export function isDarkFill(colour) {
	return (luminance(colour) + 0.05) / 0.05 < READABLE;
}

/* Returns true if white text on this colour would be hard to read. */
export function isBrightFill(colour) {
	return 1.05 / (luminance(colour) + 0.05) < READABLE;
}

/* Mixes two colours: `share` of the first, the rest of the other. */
export function mix(one, other, share) {
	return one.map((part, i) => part * share + other[i] * (1 - share));
}

/*
 * Returns the colour of a change: red for more, blue for less. most: the largest
 * change. pale: use the colours of inferno.
 */
export function deltaColour(delta, most, pale) {
	const [none, least, span] = pale ? [250, 100, 150] : [255, 0, 210];
	const size = min(most, abs(delta));
	const rest = least + floor((span * (most - size)) / most);

	if (delta > 0) return toHex(255, rest, rest);
	return delta < 0 ? toHex(rest, rest, 255) : toHex(none, none, none);
}

/*
 * The colours of changes: vermilion, blue, purple and grey, the same as in
 * flamegraph/changes.c.
 */
const NEITHERS = [
	[240, 240, 240],
	[46, 50, 56],
];
const MORE = [213, 94, 0];
const LESS = [0, 123, 189];
const NEW = [204, 121, 167];
const GONES = [
	[201, 206, 210],
	[74, 81, 88],
];

const ALIKE = NEITHERS.map((neither) => toHex(...neither));
/* The changes of the legend, from its first entry after the heading. */
const SCALE = [-1, -0.25, 0, 0.25, 1];
/*
 * The index of the colours on the background: 1 if it is dark, so that frames which did
 * not change recede on both.
 */
let dark = 0;

/*
 * The outline of frames that did not change. It is visible on light and on dark
 * backgrounds.
 */
const OUTLINE = '#808080';

/*
 * Makes the pattern that hatches frames that are gone, unless the program has already
 * put one into the picture.
 */
export function makeHatching() {
	if (root.querySelector('pattern')) return;
	const defs = make('defs', { class: 'fg-made' }, root);
	const pattern = make(
		'pattern',
		{
			id: 'fg-gone',
			width: 5,
			height: 5,
			patternUnits: 'userSpaceOnUse',
			patternTransform: 'rotate(45)',
		},
		defs,
	);
	make('rect', { width: 5, height: 5, fill: '#e2e6e9' }, pattern);
	make('rect', { width: 1.5, height: 5, fill: '#adb5bb' }, pattern);
}

/*
 * Returns the fill of frames that are gone: the hatching that the program has put into
 * the picture, or else a grey.
 */
function goneColour() {
	const pattern = root.querySelector('pattern');

	return pattern ? 'url(#' + pattern.id + ')' : toHex(...GONES[dark]);
}

/*
 * Returns the colour of a change. `part` is the change divided by the largest one, from
 * -1 to 1, or null if the frame is gone.
 */
export function changeColour(part, isNew) {
	if (part === null) return goneColour();
	if (part === 0) return ALIKE[dark];
	if (isNew) return toHex(...NEW);
	const share = Math.sqrt(Math.min(1, Math.abs(part)));
	return toHex(...mix(part > 0 ? MORE : LESS, NEITHERS[dark], share));
}

/* Returns true if a frame of this colour gets an outline. */
function isMarked(fill) {
	return ALIKE.includes(fill) || fill?.startsWith('url');
}

/*
 * Adds or removes the outline of a frame whose colour has changed. Adds none if the
 * user gave all frames an outline (`stroke`). `fills`: the old and the new colour.
 */
function outline({ diff, classic, stroke }, rect, fills) {
	if (!CHANGES || !fills.some(isMarked)) return;
	if (isMarked(fills[1]) && diff !== '' && !classic && stroke === '')
		change(rect, 'stroke', OUTLINE);
	else if (attr(rect, 'stroke') === OUTLINE) drop(rect, 'stroke');
}

/* Fills a mark, which is an HTML element, like a frame of that colour. */
export function fillMark(mark, fill) {
	const isHatched = fill.startsWith('url');

	mark.classList.toggle('fg-hatched', isHatched);
	mark.classList.toggle('fg-outlined', ALIKE.includes(fill));
	mark.style.background = isHatched ? '' : fill;
}

/* Reads the colour of a frame, which may be hatched. */
function colourSeen(fill) {
	return CHANGES && fill.startsWith('url') ? GONES[dark] : parseColour(fill);
}

/* Returns the colour of a share of the total, from pale to red. */
export function diffusionColour(share) {
	const value = floor(Math.sqrt(floor(share * 4e6)));
	const rest = floor(100 + floor((150 * (2000 - value)) / 2000));

	return value === 0 ? toHex(250, 250, 250) : toHex(255, rest, rest);
}

const UNKNOWN = '#c8c8c8';
const FADES = [0.5, 0.4, 0.6, 0.3];

function colourOf(settings, texts, view, frame) {
	const name = view.name[frame];

	if (!CHANGES || (!settings.diffusion && !view.before))
		return view.colours[name] || UNKNOWN;
	if (view.names[name] === '-' || view.names[name] === '--')
		return view.names[name] === '-' ? '#c8c8c8' : '#a0a0a0';
	if (settings.diffusion)
		return diffusionColour(view.total[frame] / view.tree.total[0]);
	if (settings.diff)
		return colourOfChange(
			settings,
			texts.changeOf(view, frame),
			!(view.before[frame] > 0),
		);
	return deltaColour(texts.deltaOf(view, frame), settings.maxDelta, settings.pale);
}

/*
 * Returns the colour of a change in a differential. change: null if the frame is gone.
 */
function colourOfChange({ classic, maxDelta }, change, isNew) {
	return classic && change !== null
		? deltaColour(change, maxDelta, false)
		: changeColour(change && change / maxDelta, isNew);
}

/*
 * Returns the colour of a function in the table. In a differential it depends on the
 * own counts.
 */
function colourOfFunction(settings, texts, { plain, tree }, row) {
	const { frame, own, ownBefore, all, allBefore } = row;

	if (!CHANGES) return colourOf(settings, texts, plain, frame);
	const name = tree.names[row.name];

	if (settings.diffusion) return diffusionColour(all / tree.total[0]);
	if (!tree.before || name === '-' || name === '--')
		return colourOf(settings, texts, plain, frame);
	const change = all > 0 ? texts.changeBetween(ownBefore, own) : null;
	if (settings.diff) return colourOfChange(settings, change, !(allBefore > 0));
	const delta = settings.negate ? ownBefore - own : own - ownBefore;
	return deltaColour(delta, settings.maxDelta, settings.pale);
}

/*
 * Returns the opacity for a faded frame, and `white`: true if its label has to be
 * white. At that opacity the label is readable on both ends of the background's
 * gradient.
 */
function findFade(ends, fill) {
	const colour = colourSeen(fill);

	for (const opacity of FADES) {
		const seen = ends.map((end) => mix(colour, end, opacity));
		if (!seen.some(isDarkFill)) return { opacity, white: false };
		if (!seen.some(isBrightFill)) return { opacity, white: true };
	}
	return { opacity: 1, white: isDarkFill(colour) };
}

/* Makes the functions that colour frames, labels and bars for the current theme. */
export function makePaint(settings, texts, bars) {
	const darkTheme = window.matchMedia
		? window.matchMedia('(prefers-color-scheme: dark)')
		: { matches: false };
	const whiteOn = new Map();
	const fades = new Map();
	let ends;

	function readBackground() {
		const ground = readGround();

		({ ends } = ground);
		fades.clear();
		whiteOn.clear();
		paintBars(bars, ground);
	}

	function fadeOf(fill) {
		if (!fades.has(fill)) fades.set(fill, findFade(ends, fill));
		return fades.get(fill);
	}

	/* Returns true if the label of a frame of this colour has to be white. */
	function hasWhiteLabel(fill, faded) {
		if (faded) return fadeOf(fill).white;
		if (!whiteOn.has(fill)) whiteOn.set(fill, isDarkFill(colourSeen(fill)));
		return whiteOn.get(fill);
	}

	/*
	 * Calls react() when the theme changes, because contrast depends on the background.
	 */
	function onThemeChange(react) {
		if (settings.theme === 'auto' && darkTheme.addEventListener)
			darkTheme.addEventListener('change', react);
	}

	readBackground();
	onThemeChange(readBackground);
	const paint = {
		/* Turns a frame's own colour into the one to draw; schemes.js replaces this. */
		adjust: (view, frame, own) => own,
		colourOf: (view, frame) =>
			paint.adjust(view, frame, colourOf(settings, texts, view, frame)),
		colourOfFunction: (picture, row) =>
			colourOfFunction(settings, texts, picture, row),
		outline: (rect, fills) => outline(settings, rect, fills),
		fadeOf,
		hasWhiteLabel,
		onThemeChange,
	};
	return paint;
}

/*
 * Reads the colours around the frames: `ends`, the colours of the background's
 * gradient, and `ink`, the colour of texts. Also adds or removes a class of the root
 * that tells the style sheet if the background is dark.
 */
export function readGround() {
	const stops = Array.from(root.querySelectorAll('linearGradient > stop'), (stop) =>
		parseColour(getComputedStyle(stop).stopColor),
	);
	const ends = stops.length > 0 ? stops : [[240, 240, 240]];
	const text = root.querySelector(':scope > g > text');

	dark = Number(isDarkFill(ends[0]));
	root.classList.toggle('fg-dark', dark > 0);
	return { ends, ink: text ? getComputedStyle(text).fill : 'currentColor' };
}

/* Gives the bars the colours of the picture's theme. */
export function paintBars({ head, foot }, { ends, ink }) {
	const [top, bottom] = [ends[0], ends[ends.length - 1]].map((end) => toHex(...end));

	head.style.color = foot.style.color = ink;
	head.style.backgroundColor = top;
	foot.style.backgroundColor = bottom;
	if (isDocument) root.style.backgroundColor = bottom;
}

/* Gives the legend of changes the colours of the theme. Call readGround() before. */
export function paintScale() {
	if (!CHANGES || attr(root, 'fg:classic')) return;
	const marks = Array.from(root.querySelectorAll('.fg-change > i')).slice(1);
	SCALE.forEach((part, i) => marks[i] && fillMark(marks[i], changeColour(part)));
}
