/* Tests how the data of a picture are decoded. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { encode, encodeColumns, flatten, merge } from './encode.mjs';
import { viewer } from './modules.mjs';

const folded = 'a;b 3\na;b;c 4\na;d 5\ne 6\n';

function columns(text, options) {
	return viewer.readColumns(encodeColumns(flatten(merge(text)), options));
}

test('a tree is read as it was written', () => {
	const tree = viewer.makeTree(columns(folded));

	assert.deepEqual(
		Array.from(tree.name, (id) => tree.names[id]),
		['all', 'a', 'b', 'c', 'd', 'e'],
	);
	assert.deepEqual([...tree.parent], [-1, 0, 1, 2, 1, 0]);
	assert.deepEqual([...tree.depth], [0, 1, 2, 3, 2, 1]);
	assert.deepEqual([...tree.end], [6, 5, 4, 4, 5, 6]);
	assert.deepEqual([...tree.self], [0, 0, 3, 4, 5, 6]);
	assert.deepEqual([...tree.total], [18, 12, 7, 4, 5, 6]);
	assert.equal(tree.before, null);
});

test('base64 and deflate are decoded', async () => {
	const text = encode(flatten(merge(folded))).replace(/.{10}/g, '$&\n');
	const bytes = await viewer.inflate(viewer.decodeBase64(text));

	assert.equal(viewer.readColumns(bytes).names.length, 5);
});

test('counts are multiples of the unit', () => {
	const tree = columns('a 30\nb 120\n', { unit: 10 });

	assert.deepEqual([...tree.self], [0, 30, 120]);
});

test('large counts are exact', () => {
	const tree = columns('a 9007199254740991\nb 4294967296\n');

	assert.deepEqual([...tree.self], [0, 9007199254740991, 4294967296]);
});

test('counts before are read, too', () => {
	const tree = viewer.makeTree(
		columns('a 3 4\na;b 1 2\nc 0 7\n', { before: true }),
	);

	assert.deepEqual([...tree.selfBefore], [0, 3, 1, 0]);
	assert.deepEqual([...tree.before], [4, 4, 1, 0]);
	assert.deepEqual([...tree.total], [13, 6, 2, 7]);
});

test('gaps are read', () => {
	const tree = columns('a 3\nb 4\n', { gaps: [0, 5, 7] });

	assert.deepEqual([...tree.gap], [0, 5, 7]);
});

test('each name gets its colour', () => {
	const colours = (name) => (name === 'a' ? [255, 0, 16] : [1, 2, 3]);
	const tree = columns('a 3\nb 4\n', { colours });

	assert.deepEqual(tree.colours, ['#ff0010', '#010203']);
});

test('names may have any bytes', () => {
	const names = [
		'"><script>',
		']]>',
		'',
		'\ufeffbom',
		'\u{1f600}',
		'\u0001',
		'x'.repeat(1e4),
	];
	const text = names.map((name, i) => `${name} ${i + 1}\n`).join('');
	const tree = columns(text);

	assert.deepEqual(new Set(tree.names), new Set(names));
});

test('bytes that are not UTF-8 are replaced', () => {
	const bytes = encodeColumns(flatten(merge('aXb 1\n')));

	bytes[bytes.indexOf('X')] = 0xff;
	assert.deepEqual(viewer.readColumns(bytes).names, ['a\ufffdb']);
});

test('a root alone is a tree', () => {
	assert.equal(viewer.makeTree(columns('')).count, 1);
});

test('data that are cut off anywhere are an error', () => {
	const bytes = encodeColumns(flatten(merge(folded)), {
		colours: () => [1, 2, 3],
	});

	for (let length = 0; length < bytes.length; length++)
		assert.throws(
			() => viewer.readColumns(bytes.subarray(0, length)),
			RangeError,
		);
});

test('a wrong number of names, or one without an end, is an error', () => {
	const bytes = encodeColumns(flatten(merge('aXb 1\n')));
	const [names, end] = [bytes.indexOf('aXb') - 2, bytes.indexOf('aXb') + 3];

	assert.equal(bytes[names], 1);
	assert.equal(bytes[end], 10);
	for (const [at, value] of [
		[names, 2],
		[end, 65],
		[end - 2, 10],
	]) {
		const damaged = Buffer.from(bytes);
		damaged[at] = value;
		assert.throws(() => viewer.readColumns(damaged), /wrong names/);
	}
});

test('a frame without a name, or no frame at all, is an error', () => {
	const bytes = encodeColumns(flatten(merge('a;b 1\n')));
	/* Two names, "a\\nb\\n", three frames, the parents and names of two. */
	const frames = bytes.indexOf('a\nb\n') + 4;
	const withByte = (at, value) => {
		const damaged = Buffer.from(bytes);
		damaged[at] = value;
		return damaged;
	};

	assert.deepEqual([...bytes.subarray(frames, frames + 5)], [3, 0, 0, 0, 1]);
	for (const name of [2, 3, 4])
		assert.throws(() => viewer.readColumns(withByte(frames + 4, name)), /no such name/);
	assert.equal(viewer.readColumns(withByte(frames + 4, 0)).name[2], 0);
	assert.throws(() => viewer.readColumns(withByte(frames, 0).subarray(0, frames + 1)), /no root/);
});

test('data after the end are an error', () => {
	const bytes = encodeColumns(flatten(merge(folded)));

	assert.throws(() =>
		viewer.readColumns(Buffer.concat([bytes, Buffer.from([0])])),
	);
});

test('reading ends, whichever byte is changed', () => {
	const bytes = encodeColumns(flatten(merge(folded)));

	for (let at = 0; at < bytes.length; at++) {
		for (const value of [0, 1, 127, 128, 255]) {
			const changed = Buffer.from(bytes);
			changed[at] = value;
			try {
				viewer.makeTree(viewer.readColumns(changed));
			} catch (error) {
				assert.ok(error instanceof RangeError, String(error));
			}
		}
	}
});

test('a broken stream is an error', async () => {
	const bytes = deflateSync(Buffer.from('x'.repeat(1000)));

	await assert.rejects(viewer.inflate(bytes.subarray(0, bytes.length - 5)));
	await assert.rejects(viewer.inflate(Buffer.from('nothing of the kind')));
});
