/*
 * Reads the slices of time from the picture's data: which stacks have counts in which
 * slice. lib/svg/slicedata.c writes them. Times are in nanoseconds.
 */

import { decodeBase64, inflate } from './data.js';
import { ceil, floor, max, round } from './format.js';
import { attr, root } from './page.js';

const MAGIC = 'fgs1';
const HAS_START = 1;
/* The most bits that the distance to the next stack can have. */
const MOST_BITS = 25;

/* Throws. No user sees the reason; it is for whoever changes this code. */
function refuse(why) {
	throw new RangeError(why);
}

/*
 * Reads a number. Reading past the end of the bytes gives undefined, so one check after
 * reading everything is enough.
 */
function readNumber(reader) {
	const { bytes } = reader;
	let byte = bytes[reader.at++];
	let value = byte & 127;

	for (let scale = 128; byte > 127; scale *= 128) {
		byte = bytes[reader.at++];
		value += (byte & 127) * scale;
	}
	if (byte === undefined) refuse('the slices end too early');
	return value;
}

/* Reads the number of items that follow. Each of them takes at least a byte. */
function readCount(reader) {
	const value = readNumber(reader);

	if (value > reader.bytes.length - reader.at) refuse('the slices end too early');
	return value;
}

/*
 * Reads ascending numbers. Each is stored as its distance from the number before, minus
 * 1.
 */
function readAscending(reader, column) {
	let last = -1;

	for (let i = 0; i < column.length; i++) column[i] = last += readNumber(reader) + 1;
	return column;
}

/*
 * Fills `items`, which is ordered by slice. The column has the first item of every
 * slice, then the second item of every slice with at least two, and so on. Returns the
 * largest item. Most of the time of reading slices is spent here, so we do not call
 * readNumber().
 */
function readLayers(reader, ends, items) {
	const { bytes } = reader;
	const active = Uint32Array.from(ends, (_, slice) => slice);
	const next = Uint32Array.from(ends, (_, slice) => ends[slice - 1] ?? 0);
	let { at } = reader;
	let most = 0;

	for (let count = active.length; count > 0; ) {
		let kept = 0;
		for (let i = 0; i < count; i++) {
			const slice = active[i];
			let byte = bytes[at++];
			let value = byte;
			if (byte > 127) {
				value &= 127;
				for (let scale = 128; byte > 127; scale *= 128) {
					byte = bytes[at++];
					value += (byte & 127) * scale;
				}
			}
			if (value > most) most = value;
			const to = next[slice]++;
			items[to] = value;
			if (to + 1 < ends[slice]) active[kept++] = slice;
		}
		count = kept;
	}
	if (at > bytes.length) refuse('the slices end too early');
	reader.at = at;
	return most;
}

/*
 * Reads which stacks each slice has, in ascending order. They are stored as distances:
 * one column has the number of bits of each distance, another the bits themselves,
 * except the highest bit, which is always 1.
 */
function readItems(reader, ends, stacks) {
	const items = new Uint32Array(ends[ends.length - 1] ?? 0);
	const lengths = new Uint8Array(items.length);
	const { bytes } = reader;

	if (readLayers(reader, ends, lengths) > MOST_BITS) refuse('a stack out of reach');
	let { at } = reader;
	let [bits, known] = [0, 0];
	for (let slice = 0, i = 0; slice < ends.length; slice++) {
		let next = -1;
		for (const end = ends[slice]; i < end; i++) {
			const length = lengths[i] - 1;
			for (; known < length; known += 8) bits |= bytes[at++] << known;
			next += (bits & ((1 << length) - 1)) | (1 << length);
			bits >>>= length;
			known -= length;
			if (!(next < stacks && length >= 0)) refuse('a stack that is not there');
			items[i] = next;
		}
	}
	reader.at = at;
	return items;
}

/*
 * Reads counts into an array of the smallest type that holds them, because most counts
 * are a few samples.
 */
function readCounts(reader, ends, all) {
	const { at, bytes } = reader;
	const isBytes = bytes.length - at === all;
	const counts = isBytes ? new Uint8Array(all) : new Uint32Array(all);

	if (readLayers(reader, ends, counts) < 2 ** 32) return counts;
	reader.at = at;
	const larger = new Float64Array(all);
	readLayers(reader, ends, larger);
	return larger;
}

/*
 * Reads the header. `times` has the width of a slice, the start of the recording if
 * known, and the factor of counts (`unit`). Also returns the reader of the rest.
 */
function readHeader(bytes, at) {
	const reader = { bytes, at };
	const number = () => readNumber(reader);
	const flags = number();
	const width = number();
	const start = flags & HAS_START ? number() : null;

	return { reader, number, times: { width, start, unit: number() } };
}

/* Reads the number of each slice that has counts. */
function readNumbers(reader) {
	return readAscending(reader, new Float64Array(readCount(reader)));
}

/*
 * Reads the total of each slice. Pictures store the totals separately if the rest of
 * the data takes a while to read.
 */
function readTotals(bytes) {
	const { reader, number, times } = readHeader(bytes, 0);
	const slices = readNumbers(reader);
	const weights = Float64Array.from(slices, () => number() * times.unit);

	return { ...times, slices, weights };
}

/* Lets the page answer to keys and clicks before reading goes on. */
const rest = () => new Promise((resolve) => setTimeout(resolve));

/*
 * Reads all columns. `slices` has the number of each slice, and `ends` where its items
 * end. Each item is a stack (`items`) and its counts in `unit`.
 */
async function readSlices(bytes, frames) {
	const { reader, number, times } = readHeader(bytes, MAGIC.length);

	if (String.fromCharCode(...bytes.subarray(0, MAGIC.length)) !== MAGIC)
		refuse('not this kind of data');
	const stacks = new Uint32Array(readCount(reader)).map(number);
	if (stacks.some((frame) => frame >= frames)) refuse('a frame that is not there');
	const slices = readNumbers(reader);
	const lasts = readAscending(reader, new Float64Array(slices.length));
	if (lasts[lasts.length - 1] >= bytes.length) refuse('the slices end too early');
	const ends = Uint32Array.from(lasts, (last) => last + 1);
	const all = ends[ends.length - 1] ?? 0;
	await rest();
	const items = readItems(reader, ends, stacks.length);
	await rest();
	const counts = readCounts(reader, ends, all);
	if (reader.at !== bytes.length) refuse('more slices than announced');
	return { ...times, stacks, slices, ends, items, counts };
}

/*
 * Returns, by slice, the counts of the wanted stacks. wanted: 1 for each such stack,
 * else 0.
 */
function sumOfItems({ ends, items, counts, unit }, wanted) {
	const weights = new Float64Array(ends.length);

	for (let i = 0, at = 0; i < ends.length; i++) {
		const end = ends[i];
		let sum = 0;
		for (; at < end; at++) if (wanted[items[at]] > 0) sum += counts[at];
		weights[i] = sum * unit;
	}
	return weights;
}

/* Returns the index of the first slice that does not start before a time. */
function firstFrom({ slices, width }, time) {
	let [low, high] = [0, slices.length];

	while (low < high) {
		const middle = (low + high) >> 1;
		if (slices[middle] * width < time) low = middle + 1;
		else high = middle;
	}
	return low;
}

/* Returns, by frame, its own counts in a range of time. */
export function ownIn(data, { from, to }, frames) {
	const { ends, items, counts, stacks, unit } = data;
	const [first, last] = [firstFrom(data, from), firstFrom(data, to)];
	const sums = new Float64Array(stacks.length);
	const own = new Float64Array(frames);

	for (let i = first > 0 ? ends[first - 1] : 0; last > 0 && i < ends[last - 1]; i++)
		sums[items[i]] += counts[i];
	for (let i = 0; i < sums.length; i++) own[stacks[i]] += sums[i] * unit;
	return own;
}

/*
 * Returns, by slice, the counts of the stacks that have a frame with a wanted name in
 * the subtree of `below` (0 is the whole tree).
 */
export function matchesIn(data, { parent, name, end }, below, isWanted) {
	const matches = new Uint8Array(parent.length);

	for (let i = max(below, 1); i < end[below]; i++)
		matches[i] = matches[parent[i]] || (isWanted(name[i]) ? 1 : 0);
	return sumOfItems(
		data,
		Uint8Array.from(data.stacks, (frame) => matches[frame]),
	);
}

/* Extends a range to whole slices. Its times may have been rounded in an address. */
export function wholeSlices({ width }, { from, to }) {
	const first = floor(from / width + 1e-6);
	const last = max(first + 1, ceil(to / width - 1e-6));

	return { from: round(first * width), to: round(last * width) };
}

async function readAll(text, frames) {
	const data = await readSlices(await inflate(decodeBase64(text)), frames);

	data.weights = sumOfItems(data, new Uint8Array(data.stacks.length).fill(1));
	return data;
}

/*
 * Reads the picture's slices. Returns null if there are none or they are broken.
 * `frames` is the number of frames in the tree. At first the result may have only the
 * total of each slice; then load() reads the rest into the same object.
 */
export async function readPicture(frames) {
	const element = Array.from(root.querySelectorAll('metadata > *')).find(
		({ nodeName }) => nodeName.toLowerCase() === 'fg:slices',
	);

	if (!element) return null;
	try {
		const totals = attr(element, 'totals');
		const all = () => readAll(element.textContent, frames);
		if (totals === null) return { ...(await all()), load: null };
		const data = readTotals(await inflate(decodeBase64(totals)));
		const load = async () => Object.assign(data, await all());
		return Object.assign(data, { load });
	} catch (error) {
		/* An old browser or a broken file: we still have the picture itself. */
		return null;
	}
}
