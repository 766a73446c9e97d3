/*
 * Tests the rows of the table of functions: which ones, in what order, and how changes are
 * written.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeColumns, flatten, merge } from './encode.mjs';
import { viewer } from './modules.mjs';

function treeOf(folded, options) {
	return viewer.makeTree(viewer.readColumns(encodeColumns(flatten(merge(folded)), options)));
}

function rowsOf(folded, key, ascending = false, options = {}) {
	const settings = { sample: options.sample ?? 0 };
	const picture = { settings, tree: treeOf(folded, options), found: null };

	return viewer.makeRows(picture)({ key, ascending }, '')
		.map(({ name }) => picture.tree.names[name]);
}

test('the largest rows come first, then those with a larger total, then by name', () => {
	const folded = 'a;x 3\nb;y 3\nb 1\nc;d;z 5\nc;d 2\n';

	assert.deepEqual(rowsOf(folded, 'own'), ['z', 'x', 'y', 'd', 'b', 'c', 'a']);
	assert.deepEqual(rowsOf(folded, 'own', true), ['c', 'a', 'b', 'd', 'x', 'y', 'z']);
	assert.deepEqual(rowsOf(folded, 'all'), ['d', 'c', 'z', 'b', 'x', 'y', 'a']);
	assert.deepEqual(rowsOf(folded, 'all', true), ['x', 'y', 'a', 'b', 'z', 'd', 'c']);
	assert.deepEqual(rowsOf(folded, 'name'), ['z', 'y', 'x', 'd', 'c', 'b', 'a']);
	assert.deepEqual(rowsOf(folded, 'name', true), ['a', 'b', 'c', 'd', 'x', 'y', 'z']);
});

test('changes are sorted by size, whichever way they go', () => {
	const folded = 'more 1 6\nless 9 2\nsame 5 5\ngone 1 0\nnone;wide 3 3\nnone2;old 4 3\n';

	assert.deepEqual(rowsOf(folded, 'delta', false, { before: true }),
		['less', 'more', 'old', 'gone', 'same', 'wide', 'none2', 'none']);
	assert.deepEqual(rowsOf(folded, 'old', false, { before: true }),
		['less', 'same', 'old', 'wide', 'more', 'gone', 'none2', 'none']);
	/* If all are equal now, the larger count before comes first. */
	assert.deepEqual(rowsOf('a;x 0 1\nb;y 2 1\nc;z 2 1\n', 'all', false, { before: true }),
		['y', 'z', 'x', 'b', 'c', 'a']);
});

test('noise comes after all other changes', () => {
	const folded = 'main;much 10 90\nmain;noisy 1000 1100\nmain;less 60 20\nmain;same 7 7\n';
	const options = { before: true, sample: 10 };

	assert.deepEqual(rowsOf(folded, 'delta', false, options),
		['much', 'noisy', 'less', 'same', 'main']);
	assert.deepEqual(rowsOf(folded, 'delta', false, { before: true, sample: 1 }),
		['noisy', 'much', 'less', 'same', 'main']);
});

test('a mark tells a name from others that are shortened alike', () => {
	const marksOf = (...names) =>
		names.map((name) => viewer.markOf(name, names.filter((one) => one !== name)));

	assert.deepEqual(marksOf('ptr<Node, D>::f', 'ptr<Name::Code, D>::f'), ['Node', 'Name::Code']);
	assert.deepEqual(marksOf('a::swap', 'a::swap@plt'), ['', '@plt']);
	assert.deepEqual(marksOf('f<Foo>', 'f<FooBar>'), ['Foo', 'FooBar']);
	assert.deepEqual(marksOf('f(int)', 'f(int) const'), ['', 'const']);
	assert.equal(marksOf('f<A>', `f<${'B'.repeat(99)}>`)[1].length, 24);
});

test('rows match the search and the filter, and are kept until either changes', () => {
	const tree = treeOf('a;parse 3\na;print 2\nb;std::sort 1\n');
	const picture = { settings: {}, tree, found: null };
	const rows = viewer.makeRows(picture);
	const sorted = { key: 'own', ascending: false };
	const names = (term) => rows(sorted, term).map(({ name }) => tree.names[name]);

	assert.deepEqual(names('PR'), ['print']);
	assert.deepEqual(names('^p'), ['parse', 'print']);
	assert.deepEqual(names('('), []);
	picture.found = { isName: tree.names.map((name) => (name === 'a' || name === 'print' ? 1 : 0)) };
	assert.deepEqual(names(''), ['print', 'a']);
	assert.deepEqual(names('a'), ['a']);
	assert.equal(rows(sorted, 'a'), rows(sorted, 'a'));
	picture.tree = treeOf('z 1\n');
	picture.found = null;
	assert.deepEqual(rows(sorted, '').map(({ name }) => picture.tree.names[name]), ['z']);
});

test('a bar is a share of the width, and no more', () => {
	const size = (share) => viewer.setBar({ style: {} }, share).style.backgroundSize;

	assert.deepEqual([0.5, 0, 1, 2, -1, NaN, 1 / 3].map(size), ['50.0% 3px', '0.0% 3px',
		'100.0% 3px', '100.0% 3px', '0.0% 3px', '0.0% 3px', '33.3% 3px']);
	assert.equal(viewer.wholeOfBars({ total: [5], before: null }), 5);
	assert.equal(viewer.wholeOfBars({ total: [5], before: [8] }), 8);
	assert.equal(viewer.wholeOfBars({ total: [5], before: [3] }), 5);
});

test('a change has a sign, a word and both counts', () => {
	const texts = { human: (tree, count) => `${count} ms`, exact: (tree, count) => `${count}` };
	const say = (before, after, there = { wasThere: true, isThere: true }, sample = 0) =>
		Object.values(viewer.changeTexts({ settings: { sample }, tree: {} }, texts, [before, after], there));
	const arrow = ' \u2192 ';

	assert.deepEqual(say(2, 5), ['\u00d72.5', '+3 ms', `2${arrow}5, \u00d72.5`, 'fg-up']);
	assert.deepEqual(say(5, 2), ['\u00d70.40', '-3 ms', `5${arrow}2, \u00d70.40`, 'fg-down']);
	assert.deepEqual(say(1, 2).slice(0, 2), ['\u00d72.0', '+1 ms']);
	assert.deepEqual(say(5, 5), ['same', '', `5${arrow}5, same`, 'fg-alike']);
	assert.deepEqual(say(0, 0), ['', '', `0${arrow}0`, 'fg-alike']);
	assert.deepEqual(say(100, 110, undefined, 1), ['noise', '+10 ms', `100${arrow}110, noise`, 'fg-alike']);
	assert.deepEqual(say(4, 0, { wasThere: true, isThere: false }),
		['gone', '-4 ms', `4${arrow}0, gone`, 'fg-down']);
});
