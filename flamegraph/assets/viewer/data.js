/*
 * Reads the profile: from the data stored in the picture or, if there are none or they
 * are broken, from the frames that the program has drawn. Both give a tree (tree.js).
 */

import { parseColour, toHex } from './colour.js';
import { abs, floor, max, round } from './format.js';
import { SIDE_PADDING } from './layout.js';
import { attr, findData, make, putAll, root } from './page.js';
import { makeTree, plainView, withTotal } from './tree.js';

/*
 * The stored data are base64 of a zlib stream of columns of numbers (lib/svg/treedata.c
 * writes them). Reading throws if anything is wrong with them.
 */

const NAMESPACE = 'urn:flamepipe:svg';
const MAGIC = 'fgd1';
const FLAG_BEFORE = 1;
const FLAG_GAPS = 2;
const FLAG_COLOURS = 4;

/* Throws. No user sees the reason; it is for whoever changes this code. */
function refuse(why) {
	throw new RangeError(why);
}

export function decodeBase64(text) {
	if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);

	for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
	return bytes;
}

/* Decompresses a zlib stream with the browser's own decoder. */
export async function inflate(bytes) {
	const stream = new DecompressionStream('deflate');
	const writer = stream.writable.getWriter();
	const ignore = () => {};

	/* The reader below gets the same error, so we do not report it twice. */
	writer.write(bytes).catch(ignore);
	writer.close().catch(ignore);
	return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

/* Compresses a text or bytes into the text that decodeBase64() and inflate() read. */
async function deflate(data) {
	const zip = new CompressionStream('deflate');
	const stream = new Blob([data]).stream().pipeThrough(zip);
	const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
	let binary = '';

	for (const byte of bytes) binary += String.fromCharCode(byte);
	return btoa(binary);
}

/* Stores a text or bytes in the picture's metadata, so that a saved page has them. */
export async function store(nodeName, attributes, data) {
	const element = document.createElementNS(NAMESPACE, nodeName);
	const metadata = root.querySelector('metadata') ?? make('metadata', {});

	/* A saved page must have the data before its script. */
	if (!metadata.isConnected) root.prepend(metadata);
	metadata.append(putAll(element, attributes));
	element.textContent = await deflate(data);
}

function makeReader(bytes) {
	let at = 0;

	function number() {
		let value = 0;
		let scale = 1;
		let byte;

		do {
			if (at >= bytes.length) refuse('too little data');
			if (scale > 2 ** 63) refuse('too large');
			byte = bytes[at++];
			value += (byte & 127) * scale;
			scale *= 128;
		} while (byte > 127);
		return value;
	}

	function take(length) {
		if (length > bytes.length - at) refuse('too little data');
		at += length;
		return bytes.subarray(at - length, at);
	}

	/*
	 * Reads the number of items that follow. Each item takes at least a byte, so a
	 * number larger than the rest of the data is wrong.
	 */
	function count() {
		const value = number();

		if (value > bytes.length - at) refuse('too little data');
		return value;
	}

	return { number, take, count, atEnd: () => at === bytes.length };
}

function readNames(reader) {
	const count = reader.number();
	const text = reader.take(reader.number());
	const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
	const names = decoder.decode(text).split('\n');

	if (names.pop() !== '' || names.length !== count)
		refuse('wrong names');
	return names;
}

/* Returns the colour of each name. */
function readColours(reader, names) {
	const count = reader.count();
	const colours = [];

	for (let i = 0; i < count; i++) {
		const [red, green, blue] = reader.take(3);
		colours.push(toHex(red, green, blue));
	}
	return Array.from(names, () => colours[reader.number()]);
}

/*
 * Reads a number for each frame from `from` on into a column. `from` is 1 if the data
 * have no number for the root (frame 0), else 0.
 */
function readColumn(reader, column, from) {
	for (let i = from; i < column.length; i++) column[i] = reader.number();
	return column;
}

function readCounts(reader, frames, unit, from) {
	const column = readColumn(reader, new Float64Array(frames), from);

	if (unit !== 1) for (let i = from; i < frames; i++) column[i] *= unit;
	return column;
}

/*
 * Reads the parent of each frame. The data store it as a number of steps towards the
 * root, starting at the previous frame: 0 means that the previous frame is the parent.
 */
function readParents(reader, frames) {
	const parent = new Int32Array(frames);

	parent[0] = -1;
	for (let i = 1; i < frames; i++) {
		let at = i - 1;
		for (let down = reader.number(); down > 0 && at >= 0; down--) at = parent[at];
		if (at < 0) refuse('no such frame');
		parent[i] = at;
	}
	return parent;
}

function checkNames(name, count) {
	for (let i = 1; i < name.length; i++)
		if (name[i] >>> 0 >= count) refuse('no such name');
	name[0] = count;
	return name;
}

/* Reads all columns. Returns the argument of makeTree(). */
export function readColumns(bytes) {
	const reader = makeReader(bytes);

	if (String.fromCharCode(...reader.take(MAGIC.length)) !== MAGIC)
		refuse('wrong kind');
	const flags = reader.number();
	const decimals = reader.number();
	const unit = reader.number();
	const names = readNames(reader);
	const colours = flags & FLAG_COLOURS ? readColours(reader, names) : null;
	const frames = reader.count();
	if (frames < 1) refuse('no root');
	const parent = readParents(reader, frames);
	const name = checkNames(
		readColumn(reader, new Int32Array(frames), 1),
		names.length,
	);
	const self = readCounts(reader, frames, unit, 0);
	const gap = flags & FLAG_GAPS ? readCounts(reader, frames, unit, 1) : null;
	const selfBefore = flags & FLAG_BEFORE ? readCounts(reader, frames, unit, 0) : null;
	if (!reader.atEnd()) refuse('too much data');
	return { decimals, names, colours, parent, name, self, gap, selfBefore };
}

/* Writes a tree whose siblings are in the usual order, for readColumns(). */
function writeColumns({ decimals, names, colours, parent, depth, name, self }) {
	const own = names.slice(0, -1);
	const text = new TextEncoder().encode(own.map((one) => one + '\n').join(''));
	const bytes = Array.from(MAGIC, (character) => character.charCodeAt(0));

	function add(value) {
		let rest = value;

		for (; rest > 127; rest = floor(rest / 128)) bytes.push((rest % 128) | 128);
		bytes.push(rest);
	}

	[FLAG_COLOURS, decimals, 1, own.length, text.length].forEach(add);
	for (const byte of text) bytes.push(byte);
	add(own.length);
	for (const i of own.keys()) bytes.push(...parseColour(colours[i]));
	for (const i of own.keys()) add(i);
	add(parent.length);
	for (let i = 1; i < depth.length; i++) add(depth[i - 1] + 1 - depth[i]);
	name.subarray(1).forEach(add);
	self.forEach(add);
	return new Uint8Array(bytes);
}

/*
 * Stores the tree that was read from the drawn frames of a complete picture. A page may
 * be saved after the viewer has changed the frames.
 */
export function storeTree(tree) {
	const attributes = { version: 1, frames: tree.count };

	store('fg:data', attributes, writeColumns(tree)).catch(() => {});
}

/* Returns the tree with the total of the picture, which stands for 100 %. */
function scaleTotal(tree, settings) {
	const scaled = withTotal(tree, round(settings.total * 10 ** tree.decimals));

	return { ...scaled, widths: settings.widths !== 'after' && settings.widths };
}

/*
 * Reads the tree from the stored data, or returns null if there are none or they are
 * broken. Pauses between its steps.
 */
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
		/* An old browser or a broken file: we still have the picture itself. */
		return null;
	}
}

/*
 * Returns the frames that the program has drawn: all frames with at least `atLeast`
 * counts. Their callers are among them, because no frame has more counts than its
 * caller.
 */
function findDrawn(tree, atLeast) {
	const { total } = plainView(tree, false);
	const frames = [0];

	for (let i = 1; i < total.length; i++) if (total[i] >= atLeast) frames.push(i);
	return frames;
}

/*
 * Returns the tree of the data or, if that does not match the drawn frames, a tree read
 * from the drawn frames. Also returns the frame of each drawn element (`drawn`).
 */
function chooseTree(data, records, settings) {
	const fromData = data && scaleTotal(data, settings);
	if (fromData && settings.isAlone) return { tree: fromData, drawn: [0] };
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

/* Returns the tree with its colours, and the frame of each drawn element. */
export function readTree(data, records, settings) {
	const { tree, drawn } = chooseTree(data, records, settings);

	return { tree: withColours(tree, records, drawn), drawn };
}

/* Returns the count in a title like "name (1,234 samples, 5.67%)". */
function countOf(title, { titleEnd }) {
	const [, end] = titleEnd.exec(title.textContent) ?? ['', '0'];

	return parseFloat(end.replace(/,/g, ''));
}

/*
 * Returns the start and width of each drawn frame in counts: from its attributes, from
 * its title if that is exact, or else from its pixels. The start is 0 with a title.
 */
function readPlaces(records, settings) {
	const value = (from, name) => parseFloat(attr(from, name)) || 0;
	const counted = records[0].element.hasAttribute('fg:w');
	const page = value(records[0].rect, 'width') || 1;
	const perPixel = settings.total / page;

	function extent({ element, title, rect }) {
		if (counted)
			return { start: value(element, 'fg:x'), total: value(element, 'fg:w') };
		if (settings.isComplete) return { start: 0, total: countOf(title, settings) };
		return {
			start: perPixel * (value(rect, 'x') - SIDE_PADDING),
			total: perPixel * value(rect, 'width'),
		};
	}

	return records.map((record) => ({
		...extent(record),
		before: value(record.element, 'fg:b'),
		y: value(record.rect, 'y'),
	}));
}

/*
 * Returns how many decimals the picture's counts have. In the tree they are whole
 * numbers.
 */
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

/*
 * Returns two columns: the own counts of frames, which are their totals minus those of
 * their callees; and the gap of each frame, its distance from the end of the sibling
 * before it or, for the first child, from the start of the parent.
 */
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

/*
 * Reads the tree from the drawn frames, for complete pictures and those without usable
 * data.
 */
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
		...(settings.isComplete && { gap: null }),
	});
}

/* Returns the colour of each name that is drawn. */
function readStaticColours(tree, records, drawn) {
	const colours = new Array(tree.names.length);

	records.forEach(({ rect }, i) => {
		colours[tree.name[drawn[i]]] = attr(rect, 'fg:fill') ?? attr(rect, 'fill');
	});
	return colours;
}
