/*
 * Reads the profile that is stored in the picture: base64 of a zlib stream of columns
 * of numbers. Throws if anything is wrong with it.
 */

import { toHex } from './colour.js';

const MAGIC = 'fgd1';
const FLAG_BEFORE = 1;
const FLAG_GAPS = 2;
const FLAG_COLOURS = 4;

/* Nobody reads why; it is for whoever changes this. */
function refuse(why) {
	throw new RangeError(why);
}

export function decodeBase64(text) {
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);

	for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
	return bytes;
}

export async function inflate(bytes) {
	const stream = new DecompressionStream('deflate');
	const writer = stream.writable.getWriter();
	const ignore = () => {};

	/* The reader below gets the same error, which should not be reported twice. */
	writer.write(bytes).catch(ignore);
	writer.close().catch(ignore);
	return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

function makeReader(bytes) {
	let at = 0;

	function number() {
		let value = 0;
		let scale = 1;
		let byte;

		do {
			if (at >= bytes.length) refuse('the data ends too early');
			byte = bytes[at++];
			value += (byte & 127) * scale;
			scale *= 128;
		} while (byte > 127);
		return value;
	}

	function take(length) {
		if (length > bytes.length - at) refuse('the data ends too early');
		at += length;
		return bytes.subarray(at - length, at);
	}

	/* How many items follow, each of which takes at least a byte. */
	function count() {
		const value = number();

		if (value > bytes.length - at) refuse('the data ends too early');
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
		refuse('not as many names as announced');
	return names;
}

/* The colour of each name. */
function readColours(reader, names) {
	const count = reader.count();
	const colours = [];

	for (let i = 0; i < count; i++) {
		const [red, green, blue] = reader.take(3);
		colours.push(toHex(red, green, blue));
	}
	return Array.from(names, () => colours[reader.number()]);
}

/* A column without a value for the root starts with the second frame. */
function readColumn(reader, column, from) {
	for (let i = from; i < column.length; i++) column[i] = reader.number();
	return column;
}

function readCounts(reader, frames, unit, from) {
	const column = readColumn(reader, new Float64Array(frames), from);

	if (unit !== 1) for (let i = from; i < frames; i++) column[i] *= unit;
	return column;
}

/* The parent of each frame: the column has how far down it is from the frame before. */
function readParents(reader, frames) {
	const parent = new Int32Array(frames);

	parent[0] = -1;
	for (let i = 1; i < frames; i++) {
		let at = i - 1;
		for (let down = reader.number(); down > 0 && at >= 0; down--) at = parent[at];
		if (at < 0) refuse('a frame below the root');
		parent[i] = at;
	}
	return parent;
}

function checkNames(name, count) {
	for (let i = 1; i < name.length; i++)
		if (name[i] >= count) refuse('a name that is not there');
	name[0] = count;
	return name;
}

/* Returns what makeTree() takes. */
export function readColumns(bytes) {
	const reader = makeReader(bytes);

	if (String.fromCharCode(...reader.take(MAGIC.length)) !== MAGIC)
		refuse('not this kind of data');
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
	if (!reader.atEnd()) refuse('more data than announced');
	return { decimals, names, colours, parent, name, self, gap, selfBefore };
}
