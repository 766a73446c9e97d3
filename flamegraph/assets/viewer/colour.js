/*
 * Colours: reading, writing and contrast; those of frames, labels and the background.
 */

import { abs, floor, min, round } from './format.js';
import { isDocument, root } from './page.js';

const READABLE = 4.5;

export function toHex(...parts) {
	return '#' + parts.map((part) => (256 + part).toString(16).slice(1)).join('');
}

/* Reads #rgb, #rrggbb or rgb(r,g,b); anything else is taken as a medium grey. */
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

/* Relative luminance as WCAG 2 defines it. */
export function luminance(colour) {
	const [red, green, blue] = colour.map((part) => {
		const share = part / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});

	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/* Whether black text cannot be read on it. */
export function isDarkFill(colour) {
	return (luminance(colour) + 0.05) / 0.05 < READABLE;
}

/* Whether white text cannot be read on it. */
export function isBrightFill(colour) {
	return 1.05 / (luminance(colour) + 0.05) < READABLE;
}

export function mix(one, other, share) {
	return one.map((part, i) => round(part * share + other[i] * (1 - share)));
}

/* In a differential red is more, blue is less; pale is inferno's scale. */
export function deltaColour(delta, most, pale) {
	const [none, least, span] = pale ? [250, 100, 150] : [255, 0, 210];
	const size = min(most, abs(delta));
	const rest = least + floor((span * (most - size)) / most);

	if (delta > 0) return toHex(255, rest, rest);
	return delta < 0 ? toHex(rest, rest, 255) : toHex(none, none, none);
}

/* Vermilion, blue, purple and grey; the program's changes.c has the same. */
const NEITHER = [240, 240, 240];
const MORE = [213, 94, 0];
const LESS = [0, 114, 178];
const NEW = [204, 121, 167];
const GONE = [201, 206, 210];

/* A change by a part of the largest, from -1 to 1; null where the frame is gone. */
export function changeColour(part, isNew) {
	if (part === null) return toHex(...GONE);
	if (part === 0) return toHex(...NEITHER);
	if (isNew) return toHex(...NEW);
	const share = Math.sqrt(Math.min(1, Math.abs(part)));
	return toHex(...mix(part > 0 ? MORE : LESS, NEITHER, share));
}

export function diffusionColour(share) {
	const value = floor(Math.sqrt(floor(share * 4e6)));
	const rest = floor(100 + floor((150 * (2000 - value)) / 2000));

	return value === 0 ? toHex(250, 250, 250) : toHex(255, rest, rest);
}

/* The colours of frames and of labels, and how far frames fade on the background. */

const UNKNOWN = '#c8c8c8';
const FADES = [0.5, 0.4, 0.6, 0.3];

function colourOf(settings, texts, view, frame) {
	const name = view.name[frame];

	if (!settings.diffusion && !view.before) return view.colours[name] || UNKNOWN;
	if (view.names[name] === '-' || view.names[name] === '--')
		return view.names[name] === '-' ? '#c8c8c8' : '#a0a0a0';
	if (settings.diffusion)
		return diffusionColour(view.total[frame] / view.tree.total[0]);
	const { maxDelta, pale, classic } = settings;

	if (settings.diff) {
		const change = texts.changeOf(view, frame);
		const isNew = !(view.before[frame] > 0);
		return classic && change !== null
			? deltaColour(change, maxDelta, false)
			: changeColour(change && change / maxDelta, isNew);
	}
	return deltaColour(texts.deltaOf(view, frame), maxDelta, pale);
}

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
		paintBars(bars, ground);
	}

	/* An opacity at which one label colour is readable wherever the frame is. */
	function findFade(fill) {
		const colour = parseColour(fill);

		for (const opacity of FADES) {
			const seen = ends.map((end) => mix(colour, end, opacity));
			if (!seen.some(isDarkFill)) return { opacity, white: false };
			if (!seen.some(isBrightFill)) return { opacity, white: true };
		}
		return { opacity: 1, white: isDarkFill(colour) };
	}

	function fadeOf(fill) {
		if (!fades.has(fill)) fades.set(fill, findFade(fill));
		return fades.get(fill);
	}

	/* A label is white where black could not be read. */
	function hasWhiteLabel(fill, faded) {
		if (faded) return fadeOf(fill).white;
		if (!whiteOn.has(fill)) whiteOn.set(fill, isDarkFill(parseColour(fill)));
		return whiteOn.get(fill);
	}

	/* Contrast depends on the background. */
	function onThemeChange(react) {
		if (settings.theme === 'auto' && darkTheme.addEventListener)
			darkTheme.addEventListener('change', react);
	}

	readBackground();
	onThemeChange(readBackground);
	return {
		colourOf: (view, frame) => colourOf(settings, texts, view, frame),
		fadeOf,
		hasWhiteLabel,
		onThemeChange,
	};
}

/* The colours around the frames: both ends of the background, and that of texts. */
export function readGround() {
	const stops = Array.from(root.querySelectorAll('linearGradient > stop'), (stop) =>
		parseColour(getComputedStyle(stop).stopColor),
	);
	const ends = stops.length > 0 ? stops : [[240, 240, 240]];
	const text = root.querySelector(':scope > g > text');

	root.classList.toggle('fg-dark', isDarkFill(ends[0]));
	return { ends, ink: text ? getComputedStyle(text).fill : 'currentColor' };
}

/* In the colours of the picture, which are those of its theme. */
export function paintBars({ head, foot }, { ends, ink }) {
	const [top, bottom] = [ends[0], ends[ends.length - 1]].map((end) => toHex(...end));

	head.style.color = foot.style.color = ink;
	head.style.backgroundColor = top;
	foot.style.backgroundColor = bottom;
	if (isDocument) root.style.backgroundColor = bottom;
}
