/* Where the tree comes from: the data or, if they cannot be read, the picture. */

import { decodeBase64, inflate, readColumns } from './data.js';
import { abs, max, round } from './format.js';
import { SIDE_PADDING } from './layout.js';
import {
	NAME,
	WAS,
	attr,
	change,
	drop,
	find,
	findBackdrop,
	findData,
	put,
	readSettings,
	root,
} from './page.js';
import { makeTree, plainView, withTotal } from './tree.js';

/* What stands for 100 % in the counts of the tree. */
function scaleTotal(tree, settings) {
	const scaled = withTotal(tree, round(settings.total * 10 ** tree.decimals));

	return { ...scaled, widths: settings.widths !== 'after' && settings.widths };
}

/* The tree of the data, if there is one; between its steps others take turns. */
export async function readData(pause) {
	const element = findData();

	if (!element) return null;
	try {
		const bytes = await inflate(decodeBase64(element.textContent));
		await pause();
		const columns = readColumns(bytes);
		await pause();
		return makeTree(columns);
	} catch (error) {
		/* Old browsers, or a broken file: there is the picture itself. */
		return null;
	}
}

/* The frames that the program has drawn: no frame has a larger one on top. */
function findDrawn(tree, atLeast) {
	const { total } = plainView(tree, false);
	const frames = [0];

	for (let i = 1; i < total.length; i++) if (total[i] >= atLeast) frames.push(i);
	return frames;
}

/* The data, unless it is not of this picture; and which frame each element is of. */
function chooseTree(data, records, settings) {
	const fromData = data && scaleTotal(data, settings);
	const drawn = fromData && findDrawn(fromData, settings.drawn);

	if (drawn && drawn.length === records.length) return { tree: fromData, drawn };
	const tree = scaleTotal(readStaticTree(records, settings), settings);
	return { tree, drawn: findDrawn(tree, -1) };
}

function withColours(tree, records, drawn) {
	const known = readStaticColours(tree, records, drawn);
	const colours = tree.colours ? tree.colours.slice() : known;

	colours[tree.name[0]] = known[tree.name[0]];
	return { ...tree, colours };
}

/* The tree of the data or of the records, with colours, and what is drawn of it. */
export function readTree(data, records, settings) {
	const { tree, drawn } = chooseTree(data, records, settings);

	return { tree: withColours(tree, records, drawn), drawn };
}

/* Reads frames, counts and colours from the picture as the program has drawn it. */

/* Start and width in counts: from the attributes or, without them, from the pixels. */
function readPlaces(records, settings) {
	const value = (from, name) => parseFloat(attr(from, name)) || 0;
	const counted = records[0].element.hasAttribute('fg:w');
	const page = value(records[0].rect, 'width') || 1;
	const perPixel = settings.total / page;

	return records.map(({ element, rect }) => ({
		start: counted
			? value(element, 'fg:x')
			: perPixel * (value(rect, 'x') - SIDE_PADDING),
		total: counted ? value(element, 'fg:w') : perPixel * value(rect, 'width'),
		before: value(element, 'fg:b'),
		y: value(rect, 'y'),
	}));
}

/* How many decimals the picture's counts have; in the tree they are whole numbers. */
function decimalsOf(places) {
	const whole = (x) => abs(x - round(x)) <= 1e-9 * abs(x);
	let decimals = 0;

	for (const { start, total } of places)
		while (
			decimals < 6 &&
			!(whole(start * 10 ** decimals) && whole(total * 10 ** decimals))
		)
			decimals++;
	return decimals;
}

function parentsOf(places) {
	const path = [];
	const height = (i) => abs(places[i].y - places[0].y);

	return Int32Array.from(places, (place, i) => {
		while (path.length > 0 && height(path[path.length - 1]) >= height(i))
			path.pop();
		const parent = path.length > 0 ? path[path.length - 1] : i === 0 ? -1 : 0;
		path.push(i);
		return parent;
	});
}

/* A frame's own counts are what those above it leave; gaps keep frames in place. */
function columnsOf(places, parent, scale) {
	const own = (column) => {
		const self = Float64Array.from(column);
		for (let i = 1; i < self.length; i++)
			self[parent[i]] = max(0, self[parent[i]] - column[i]);
		return self;
	};
	const totals = places.map(({ total }) => round(total * scale));
	const starts = places.map(({ start }) => round(start * scale));
	const ends = starts.slice();
	const gap = new Float64Array(places.length);

	for (let i = 1; i < places.length; i++) {
		gap[i] = max(0, starts[i] - ends[parent[i]]);
		ends[parent[i]] = starts[i] + totals[i];
	}
	return { self: own(totals), gap };
}

/* The tree of the frames that are drawn, for pictures without better data. */
function readStaticTree(records, settings) {
	const end = settings.titleEnd;
	const places = readPlaces(records, settings);
	const parent = parentsOf(places);
	const ids = new Map();
	const name = Int32Array.from(records, ({ element, title }, i) => {
		const raw = attr(element, 'fg:n') ?? title.textContent.replace(end, '');
		if (i > 0 && !ids.has(raw)) ids.set(raw, ids.size);
		return i > 0 ? ids.get(raw) : -1;
	});
	const decimals = decimalsOf(places);
	const before = records[0].element.hasAttribute('fg:b');

	name[0] = ids.size;
	return makeTree({
		decimals,
		parent,
		name,
		names: Array.from(ids.keys()),
		colours: null,
		selfBefore: before
			? columnsOf(
					places.map((place) => ({ start: 0, total: place.before })),
					parent,
					10 ** decimals,
				).self
			: null,
		...columnsOf(places, parent, 10 ** decimals),
	});
}

/* The colours of the names that are drawn. */
function readStaticColours(tree, records, drawn) {
	const colours = new Array(tree.names.length);

	records.forEach(({ rect }, i) => {
		colours[tree.name[drawn[i]]] = attr(rect, 'fg:fill') ?? attr(rect, 'fill');
	});
	return colours;
}

/*
 * A page can be saved while the viewer runs, with all that the viewer has made of the
 * picture. This undoes that, so that the viewer finds what it started with: the whole
 * picture is always there, out of sight while something else is shown.
 */

function removeMade(whole) {
	const made = '.fg-frames, .fg-marks, .fg-focus, .fg-made, foreignObject';

	for (const element of root.querySelectorAll(made))
		if (element !== whole) element.remove();
}

function unmakeFrames(whole) {
	for (const name of ['role', 'transform', 'aria-hidden', 'class']) drop(whole, name);
	put(whole, NAME, 'frames');
	for (const frame of whole.children) {
		for (const name of ['role', 'tabindex', 'aria-level', 'aria-label'])
			drop(frame, name);
		if (attr(frame, 'class') === '') drop(frame, 'class');
	}
}

/* The rows may have been those of a picture that is upside down, or higher. */
function placeRows(whole) {
	const { inverted, top, bottom, height, frameHeight } = readSettings();
	const yOf = (frame) => parseFloat(frame.querySelector('rect').getAttribute('y'));
	const first = yOf(whole.firstElementChild);
	const rootTop = inverted ? top : height - bottom - frameHeight + 1;

	for (const frame of whole.children) {
		const y = yOf(frame);
		const up = abs(y - first);
		const moved = rootTop + (inverted ? up : -up) - y;
		for (const part of frame.querySelectorAll('rect, text'))
			put(part, 'y', moved + parseFloat(attr(part, 'y')));
	}
}

/* Of the frame that was pointed at, the title has all the details. */
function cutTitles(whole) {
	for (const title of whole.querySelectorAll('title'))
		title.textContent = title.textContent.replace(
			/(, [\d.]+%(; [+-]?[\d.]+%)?\)) \u00b7 .*$/s,
			'$1',
		);
}

/* The texts that the bars stood for, and the size of the picture without the bars. */
function restoreStatic() {
	const { height } = readSettings();
	const box = attr(root, 'viewBox').split(' ');

	for (const text of find('frames').parentNode.children) {
		if (!text.hasAttribute(WAS)) continue;
		put(text, NAME, attr(text, WAS));
		drop(text, WAS);
		drop(text, 'display');
	}
	put(root, 'viewBox', [0, 0, box[2], height].join(' '));
	put(root, 'width', box[2]);
	put(root, 'height', height);
	change(findBackdrop(), 'y', 0);
}

export function forgetSaved() {
	const hasRun = attr(root, 'role') === 'group';
	const whole = hasRun && root.querySelector('.fg-frames');

	if (!whole) {
		put(root, 'fg:height', parseFloat(attr(root, 'height')));
		return;
	}
	removeMade(whole);
	unmakeFrames(whole);
	restoreStatic();
	placeRows(whole);
	cutTitles(whole);
}
