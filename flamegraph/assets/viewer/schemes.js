/*
 * The colour schemes that the user can choose instead of the program's colours: by
 * name, by own counts, or warm like those of older flame graphs. Also fades the frames
 * that are not highlighted by the legend. legend.js calls makeSchemes().
 */

import { mix, parseColour, readGround, toHex } from './colour.js';
import { CHANGES } from './features.js';
import { floor, max } from './format.js';
import { withoutLine } from './lines.js';

/* A faded frame keeps this share of its colour. */
const FADED = 0.25;

const NO_SELF = [229, 231, 235];
const ALL_SELF = [240, 130, 60];

/*
 * Returns three numbers from 0 up to 1, excluding 1, which depend on all characters of
 * a name (32-bit FNV-1a, mixed further).
 */
function hashOf(name) {
	let hash = 0x811c9dc5;

	for (let i = 0; i < name.length; i++)
		hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
	hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
	hash ^= hash >>> 13;
	return [0, 8, 16].map((bits) => ((hash >>> bits) & 255) / 256);
}

/* Returns a calm colour of any hue, on which black can be read. */
function calm([hue, light]) {
	const channel = (third) => {
		const wave = Math.cos(2 * Math.PI * (hue - third / 3));
		return floor(186 + 18 * light + 42 * wave);
	};

	return toHex(channel(0), channel(1), channel(2));
}

function warm([red, green, blue]) {
	return toHex(205 + floor(50 * red), floor(230 * green), floor(55 * blue));
}

const largest = new WeakMap();

/* Returns the largest own counts of a frame of the view, which are at least 1. */
export function largestSelf(view) {
	if (!largest.has(view))
		largest.set(view, view.self.reduce((a, b) => max(a, b), 0) || 1);
	return largest.get(view);
}

/* Returns the colour of own counts that are this share of the largest. */
export function selfColour(share) {
	return toHex(...mix(ALL_SELF, NO_SELF, Math.sqrt(max(0, share))));
}

/* Colours a frame by its own counts, compared with the largest in the view. */
function bySelf(view, frame) {
	return selfColour(view.self[frame] / largestSelf(view));
}

function makeByName(colourOf) {
	const known = new Map();

	return ({ name, names }, frame) => {
		const id = name[frame];
		if (!known.has(id)) known.set(id, colourOf(hashOf(withoutLine(names[id]))));
		return known.get(id);
	};
}

/*
 * Lets `paint` colour frames in the scheme that the user has chosen. namesOf: see
 * makeModules() in legend.js.
 */
export function makeSchemes({ picture, paint, namesOf }) {
	const schemes = {
		name: makeByName(calm),
		hot: makeByName(warm),
		own: bySelf,
	};
	const faded = new Map();
	let ground;

	function readTheme() {
		[ground] = readGround().ends;
		faded.clear();
	}

	function fade(fill) {
		if (!faded.has(fill))
			faded.set(fill, toHex(...mix(parseColour(fill), ground, FADED)));
		return faded.get(fill);
	}

	paint.adjust = (view, frame, own) => {
		const { scheme, marked } = picture.chosen;

		if (CHANGES && view.before) return own;
		const fill = schemes[scheme]?.(view, frame) ?? own;
		const isMarked = marked === null || namesOf(marked)[view.name[frame]];

		return isMarked ? fill : fade(fill);
	};
	readTheme();
	paint.onThemeChange(readTheme);
}
