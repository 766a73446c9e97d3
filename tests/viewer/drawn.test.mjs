/* Tests the trees that are read from the drawn frames of a picture without data. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewer } from './modules.mjs';

const element = (attributes) => ({
	getAttribute: (name) => attributes[name] ?? null,
	hasAttribute: (name) => name in attributes,
});

/* Reads frames given as [title, x, y, width, attributes of the group, of the rectangle]. */
function readDrawn(frames, settings) {
	const records = frames.map(([title, x, y, width, group = {}, rect = {}]) => ({
		element: element(group),
		rect: element({ x, y, width, fill: '#' + title[0].repeat(3), ...rect }),
		title: { textContent: title },
	}));

	return viewer.readTree(null, records, { titleEnd: / \(.*\)$/, ...settings });
}

const column = (numbers) => Array.from(numbers);

test('counts come from the pixels, measured from the left of the root', () => {
	const { tree, drawn } = readDrawn(
		[
			['all (9 samples, 100%)', 10, 48, 90],
			['a (4 samples, 44%)', 10, 32, 40],
			['c (2 samples, 22%)', 20, 16, 20],
			['b (3 samples, 33%)', 60, 32, 30],
			['c (1 samples, 11%)', 60, 16, 10],
		],
		{ total: 9 },
	);

	assert.deepEqual(drawn, [0, 1, 2, 3, 4]);
	assert.deepEqual(tree.names, ['a', 'c', 'b', 'all']);
	assert.deepEqual(column(tree.parent), [-1, 0, 1, 0, 3]);
	assert.deepEqual(column(tree.total), [9, 4, 2, 3, 1]);
	assert.deepEqual(column(tree.self), [2, 2, 2, 2, 1]);
	assert.deepEqual(column(tree.gap), [0, 0, 1, 1, 0]);
	assert.equal(tree.decimals, 0);
	assert.equal(tree.before, null);
	assert.equal(tree.colours[tree.name[1]], '#aaa');
	assert.equal(tree.colours[tree.name[3]], '#bbb');
});

test('counts come from attributes, with their decimals and the counts before', () => {
	const { tree } = readDrawn(
		[
			['all (x)', 0, 0, 1, { 'fg:w': '9', 'fg:x': '0', 'fg:b': '10' }],
			['d (x)', 0, 16, 1, { 'fg:w': '4.25', 'fg:x': '0.5', 'fg:b': '4' }, { 'fg:fill': '#123' }],
			['e', 0, 16, 1, { 'fg:w': '2', 'fg:x': '6', 'fg:n': 'exact (name)' }],
		],
		{ total: 9 },
	);

	assert.equal(tree.decimals, 2);
	assert.deepEqual(column(tree.total), [900, 425, 200]);
	assert.deepEqual(column(tree.self), [275, 425, 200]);
	assert.deepEqual(column(tree.before), [1000, 400, 0]);
	assert.deepEqual(column(tree.selfBefore), [600, 400, 0]);
	assert.deepEqual(column(tree.gap), [0, 50, 125]);
	assert.deepEqual(tree.names, ['d', 'exact (name)', 'all']);
	assert.equal(tree.colours[tree.name[1]], '#123');
});

test('children wider than their parent leave no own counts to it', () => {
	const { tree } = readDrawn(
		[
			['all', 10, 0, 10],
			['a', 10, 16, 8],
			['b', 18, 16, 4],
		],
		{ total: 10 },
	);

	assert.deepEqual(column(tree.self), [0, 8, 4]);
});
