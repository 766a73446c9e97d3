/*
 * Other colours than the program's: by name, by own counts, warm as those of older
 * flame graphs; and the fading of what is not marked in the legend.
 */

import { mix, parseColour, readGround, toHex } from './colour.js';
import { floor, max } from './format.js';

/* How much of a colour is left of a frame that is not marked. */
const FADED = 0.25;

const NO_SELF = [229, 231, 235];
const ALL_SELF = [240, 130, 60];

/* Three numbers from 0 up to 1, from all characters (FNV-1a, of 32 bits). */
function hashOf(name) {
	let hash = 0x811c9dc5;

	for (let i = 0; i < name.length; i++)
		hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
	hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
	hash ^= hash >>> 13;
	return [0, 8, 16].map((bits) => ((hash >>> bits) & 255) / 256);
}

/* A calm colour of any hue, on which black can be read. */
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

/* The more of the counts are a frame's own, compared with those that have most. */
function makeBySelf() {
	const most = new WeakMap();

	return (view, frame) => {
		const { self } = view;

		if (!most.has(view)) most.set(view, self.reduce((a, b) => max(a, b), 0) || 1);
		const share = Math.sqrt(max(0, self[frame]) / most.get(view));
		return toHex(...mix(ALL_SELF, NO_SELF, share));
	};
}

function makeByName(colourOf) {
	const known = new Map();

	return ({ name, names }, frame) => {
		const id = name[frame];
		if (!known.has(id)) known.set(id, colourOf(hashOf(names[id])));
		return known.get(id);
	};
}

/* Has frames painted in the scheme that is chosen. */
export function makeSchemes({ picture, paint, namesOf }) {
	const schemes = {
		name: makeByName(calm),
		hot: makeByName(warm),
		own: makeBySelf(),
	};
	const faded = new Map();
	let ground;

	function readTheme() {
		[ground] = readGround().ends;
		faded.clear();
		if (picture.version > 0) picture.version++;
	}

	function fade(fill) {
		if (!faded.has(fill))
			faded.set(fill, toHex(...mix(parseColour(fill), ground, FADED)));
		return faded.get(fill);
	}

	paint.through = (view, frame, own) => {
		const { scheme, marked } = picture.chosen;
		const fill = schemes[scheme]?.(view, frame) ?? own;
		const isMarked = marked === null || namesOf(marked)[view.name[frame]];

		return isMarked ? fill : fade(fill);
	};
	readTheme();
	paint.onThemeChange(readTheme);
}
