/* Runs some cases of fuzz.mjs, always the same ones, and the cases that it has found. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeColumns, flatten, merge } from './encode.mjs';
import { tryOne } from './fuzz.mjs';
import { viewer } from './modules.mjs';

test('random data and addresses do no harm', () => {
	for (let seed = 1; seed <= 4000; seed++)
		tryOne(seed);
});

/* Numbers as the data write them: seven bits a byte, the lowest first. */
const NUMBERS = {
	'no such name': [255, 255, 255, 255, 15],
	'too large': [...Array(200).fill(128), 0],
};

for (const [what, number] of Object.entries(NUMBERS))
	test(what, () => {
		const bytes = [...encodeColumns(flatten(merge('a 1\n')))];
		/* The name of the second frame comes before the counts of the two frames. */
		bytes.splice(-3, 1, ...number);
		assert.throws(() => viewer.readColumns(Uint8Array.from(bytes)), RangeError(what));
	});

test('half of a surrogate pair in a name can be written to an address', () => {
	const state = { ...viewer.noState(), term: '\ud800\ud800a\u{1f600}\udc00' };

	assert.equal(
		viewer.decodeState(viewer.encodeState(state)).term,
		'\ufffd\ufffda\u{1f600}\ufffd',
	);
});
