/*
 * Gives random data, addresses, profiles and frames to the viewer's readers. They may throw only the errors
 * they are meant to, must not take long, and what they read must be usable.
 *
 *	node tests/viewer/fuzz.mjs [SECONDS [SEED]]
 *
 * prints the seed of a case that fails. That case is the first one of a run with that seed.
 */

import assert from 'node:assert/strict';
import { encodeColumns, flatten, merge } from './encode.mjs';
import { viewer } from './modules.mjs';

/* Returns a random generator (xorshift). Its seed names a case. */
function random(seed) {
	let x = (seed * 2654435761 + 88172645) >>> 0 || 1;

	return (below) => {
		x ^= x << 13;
		x ^= x >>> 17;
		x ^= x << 5;
		return (x >>> 0) % below;
	};
}

const FOLDED = [
	'a;b 3\na;b;c 4\na;d 5\ne 6\n',
	'a;b 3 4\na;b;c 0 2\ng 5 0\n',
	'a 1\n',
	'main;é;\u{1f600} 9007199254740991\nmain;x 1\n',
];
const BYTES = [0, 1, 2, 127, 128, 129, 254, 255];

/* Changes, removes, inserts or repeats bytes, up to eight times. */
function spoil(bytes, pick) {
	const spoiled = [...bytes];

	for (let n = pick(8); n >= 0; n--) {
		const at = pick(spoiled.length + 1);
		const byte = pick(2) ? BYTES[pick(BYTES.length)] : pick(256);
		const kind = pick(4);
		if (kind === 0) spoiled.splice(at, 1, byte);
		else if (kind === 1) spoiled.splice(at, 1 + pick(4));
		else if (kind === 2) spoiled.splice(at, 0, ...Array(1 + pick(12)).fill(byte));
		else spoiled.splice(at, 0, ...spoiled.slice(at, at + pick(16)));
	}
	return Uint8Array.from(spoiled);
}

/* Checks the promises that the rest of the viewer relies on. */
function checkColumns({ names, parent, name, self, gap, selfBefore }) {
	const counted = (column) =>
		column === null || column.every((count) => count >= 0 && Number.isFinite(count));

	assert(parent.length > 0 && name.length === parent.length);
	assert.equal(parent[0], -1);
	for (let i = 1; i < parent.length; i++) {
		assert(parent[i] >= 0 && parent[i] < i, 'a parent comes first');
		assert(name[i] >= 0 && name[i] < names.length, 'a name is there');
	}
	assert(counted(self) && counted(gap) && counted(selfBefore), 'counts are numbers');
}

function tryData(pick) {
	const tree = flatten(merge(FOLDED[pick(FOLDED.length)]));
	const bytes = spoil(encodeColumns(tree, { before: pick(2) === 1 }), pick);
	let columns;

	try {
		columns = viewer.readColumns(bytes);
	} catch (error) {
		assert(error instanceof RangeError, error.stack);
		return;
	}
	checkColumns(columns);
	viewer.makeTree(columns);
}

const PIECES = [
	'z=', '&', 'q=', 'i=1', 'v=frcsd', 'w=before', 'm=', 'k=', 'c=', 'h=', 'j=', 'n=', 'f=', 'o=',
	'x=', 'g=', 't=', 'b=', 'a=', '-3', 'a', ';', '~2', '~i', '~99999999999', '%', '%zz', '%F0%9F', '%00', '+',
	'!', ':', 'm!r!c:', '1e308,1e309', '0,1', '-1,NaN', '(a%2B)%2B%24', '(?=', '\\', '[^', '*',
	'{1,99999}', '\u0000', '\ud800', '__proto__=1', 'constructor=', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa',
];

function tryAddress(pick) {
	let fragment = pick(4) ? '' : '#';

	for (let n = pick(24); n > 0; n--) fragment += PIECES[pick(PIECES.length)];
	const state = viewer.decodeState(fragment);
	/* A state that is written is read as the same state. */
	const again = viewer.encodeState(state);
	assert.equal(viewer.encodeState(viewer.decodeState(again)), again);
	for (const term of [state.term, ...state.filters.map((filter) => filter.term)])
		tryPattern(term);
}

const NAMES = ['', 'a', 'a'.repeat(40), 'a'.repeat(40) + '!', 'ns::f<int>(char) const'];

function tryPattern(term) {
	let test;

	try {
		test = viewer.makeTest(term, 'i');
	} catch (error) {
		assert(error instanceof SyntaxError || /for ever/.test(error.message), error.stack);
		return;
	}
	if (test) for (const name of NAMES) (test.test ? test.test(name) : test(name));
}

const LINES = [
	'a;b 3', 'a;b;c 4', 'a;d', ' ', '\n', '\n', '5', '\t7.25', '0.000000001', '.', '1 2', ';', ';;',
	'# event: x', '# unit: ns', '# sample-weight: 10', '# slice: 20ms', '@0.020;', '#', '\r\n',
	'\u0000', '\ufeff', '\ud800', '9'.repeat(25), '18446744073709551616', '__proto__', '<', '<a', '1e9',
];

/* Reads random lines as a profile. What is read can be compared. */
function tryLines(pick) {
	let text = '';

	for (let n = pick(60); n > 0; n--) text += LINES[pick(LINES.length)];
	let profile;
	try {
		profile = viewer.readFolded(text, { event: 'x', unit: '' });
	} catch (error) {
		assert(error instanceof Error && /^its? .*[a-z0-9]$/.test(error.message), error.stack);
		return;
	}
	checkColumns({ ...profile, gap: null, selfBefore: null });
	const other = viewer.readFolded('a;b 3\na;x 4\n', { event: '', unit: '' });
	for (const both of [[profile, other], [other, profile]]) {
		const { tree, sample, maxDelta } = viewer.compareProfiles(both);
		checkColumns(tree);
		assert(sample >= 0 && maxDelta > 0);
	}
}

/* Makes stacks of random frames of a picture. */
function tryPlaces(pick) {
	const frames = Array.from({ length: pick(12) }, () => ({
		name: 'abc'[pick(3)],
		count: pick(4) ? String(pick(40) / 4) : null,
		x: pick(10) - pick(3),
		y: 16 * pick(4),
		width: pick(10),
	}));

	for (const [stack, count] of viewer.stacksOf(frames) ?? [])
		assert(typeof stack === 'string' && Number(count) > 0);
}

/* Runs one case. A second is far more than any of them needs. */
export function tryOne(seed) {
	const pick = random(seed);
	const before = performance.now();

	[tryData, tryAddress, tryLines, tryPlaces][pick(4)](pick);
	assert(performance.now() - before < 1000, 'takes too long');
}

function run(seconds, first) {
	const end = performance.now() + seconds * 1000;
	let seed = first;

	for (; performance.now() < end; seed++)
		try {
			tryOne(seed);
		} catch (error) {
			console.log(`seed ${seed}`);
			throw error;
		}
	console.log(`${seed - first} cases`);
}

if (process.argv[1] === new URL(import.meta.url).pathname)
	run(Number(process.argv[2] || 60), Number(process.argv[3] || 1));
