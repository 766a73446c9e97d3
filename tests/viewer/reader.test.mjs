/*
 * Tests reading profiles that the user brings, and their difference. That the difference is
 * the one that the programs make, tests/browser/compare.test.mjs tests.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewer } from './modules.mjs';

const NONE = { event: '', unit: '' };
const read = (text, wanted = NONE) => viewer.readFolded(text, wanted);

/* Returns the stacks of columns with their counts, like folded lines. */
function stacksOf({ names, parent, name, self, decimals }) {
	const paths = [];

	return Array.from(self, (count, i) => {
		const above = paths[parent[i]];
		paths[i] = i === 0 ? '' : (parent[i] === 0 ? '' : above + ';') + names[name[i]];
		return count > 0 ? `${paths[i]} ${count / 10 ** decimals}` : null;
	}).filter((line) => line !== null);
}

for (const [what, text, expected] of [
	['sorted lines', 'a 1\na;b 2\na;b;c 3\nd 4\n', ['a 1', 'a;b 2', 'a;b;c 3', 'd 4']],
	['lines in any order', 'd 4\na;b;c 3\nd 1\na 1\na;b 2', ['a 1', 'a;b 2', 'a;b;c 3', 'd 5']],
	['names that begin alike', 'a;bc 1\na;b 2\na;b;c 3\nab 4\n',
		['a;b 2', 'a;b;c 3', 'a;bc 1', 'ab 4']],
	['spaces in names', 'a b;c 1  2\ta 7\n', ['a b;c 1  2\ta 7']],
	['line ends of Windows and a byte-order mark', '\ufeffa;b 1\r\nc 2\r\n', ['a;b 1', 'c 2']],
	['fractions', 'a 1.5\nb 2.250\nc 3.\n', ['a 1.5', 'b 2.25', 'c 3']],
	['comments and empty lines', '# a comment 5\n#\n\n#a 6\na 1\n', ['#a 6', 'a 1']],
	['an empty leaf', 'a;b; 1\na;; 2\n', ['a 2', 'a;b 1']],
	['an empty stack', 'a 1\n 5\n', [' 5', 'a 1']],
	['control characters', 'a\x01;\ufffe 1\n', ['a\\x01;\\xfffe 1']],
	['slices of time', '# slice: 20ms\n@0.020;a 1\n@0.040;a 2\n@x;b 3\n@12.000040;c;d 4\n@0.060 5\n',
		[' 5', '@x;b 3', 'a 3', 'c;d 4']],
	['an at sign without slices', '@0.020;a 1\n', ['@0.020;a 1']],
])
	test(`folded stacks are read: ${what}`, () => {
		assert.deepEqual(stacksOf(read(text)), expected);
	});

test('header lines describe the stacks after them', () => {
	const text = '# event: a\n# unit: ns\n# sample-weight: 7\nx 7\n# event: b\ny 2\n' +
		'# event: a\n# unit: ns\nz 14\n';
	const first = read(text, { event: 'a', unit: 'ns' });
	const second = read(text, { event: 'b', unit: 'ns' });

	assert.deepEqual([first.event, first.unit, first.weight, stacksOf(first)],
		['a', 'ns', '7', ['x 7', 'z 14']]);
	assert.deepEqual([second.unit, stacksOf(second)], ['', ['y 2']]);
	assert.throws(() => read(text, { event: 'c', unit: 'ns' }),
		/^Error: it has a, b, and this picture has c$/);
	assert.equal(read('# event: a\nx 1\n', { event: 'c', unit: '' }).event, 'a');
});

test('lines without one count are counted', () => {
	assert.equal(read('a 1\nb\nc 1 2\nd 2\n').skipped, 2);
	assert.throws(() => read('a 1 2\nb 3 4\n'), /two profiles/);
	assert.throws(() => read('a 1\nb\nc\nd\ne\nf\n'), /no folded stacks/);
});

/* Makes frames of rows from the root upwards: [name, count, x, width]. */
const frames = (...rows) => rows.flatMap((row, i) =>
	row.map(([name, count, x, width]) => ({ name, count, x, width, y: -16 * i })));

test('the stacks of a picture follow from the places of its frames', () => {
	const rows = [[['all', '10', 10, 100]], [['b', '4', 70, 40], ['a', '6', 10, 60]],
		[['c', '2.5', 10, 25], ['d', '3', 80, 30]]];
	const expected = [[';a', '3.5'], [';a;c', '2.5'], [';b', '1.0'], [';b;d', '3.0']]
		.map(([stack, count]) => [stack.slice(1), count]).sort();
	const upsideDown = frames(...rows).map((frame) => ({ ...frame, y: -frame.y }));

	assert.deepEqual(viewer.stacksOf(frames(...rows)).sort(), expected);
	assert.deepEqual(viewer.stacksOf(upsideDown).sort(), expected);
	/* Without a frame for the root. */
	assert.deepEqual(viewer.stacksOf(frames(...rows.slice(1))).sort(), expected);
});

test('of parents that are so narrow that they start together, one has room', () => {
	assert.deepEqual(viewer.stacksOf(frames([['all', '1000', 0, 100]],
		[['a', '1', 50, 0], ['b', '2', 50, 0.1], ['c', '997', 50, 50]],
		[['x', '1', 50, 0], ['y', '2', 50, 0]])).sort(),
	[['a;x', '1'], ['b;y', '2'], ['c', '997']]);
});

test('frames without a count have that of their width; without a parent they are none', () => {
	assert.deepEqual(viewer.stacksOf(frames([['all', '100', 0, 50]], [['a', null, 0, 20]])),
		[['', '60'], ['a', '40']]);
	assert.equal(viewer.stacksOf(frames([['all', '100', 5, 50]], [['a', '1', 0, 20]])), null);
	assert.equal(viewer.stacksOf(frames([['all', null, 0, 50]])), null);
	assert.equal(viewer.stacksOf([]), null);
});

/* ---- differences */

/* Returns the stacks with counts on either side: "a;b BEFORE AFTER". */
function linesOf({ tree }) {
	const side = (self) => new Map(stacksOf({ ...tree, self }).map((line) => {
		const at = line.lastIndexOf(' ');
		return [line.slice(0, at), line.slice(at + 1)];
	}));
	const [before, after] = [side(tree.selfBefore), side(tree.self)];
	const stacks = new Set([...before.keys(), ...after.keys()]);

	return [...stacks].sort()
		.map((stack) => `${stack} ${before.get(stack) ?? 0} ${after.get(stack) ?? 0}`);
}

test('counts before are scaled to the total after, and rounded down, but not to 0', () => {
	const made = viewer.compareProfiles([read('a;b 10\na;c 20\na;d 1\nx 269\n'),
		read('a;c 7\na;e 8\nx 15\n')]);

	assert.deepEqual(linesOf(made), ['a;b 1 0', 'a;c 2 7', 'a;d 1 0', 'a;e 0 8', 'x 26 15']);
	assert.deepEqual([made.isScaled, made.totals, made.strangers], [true, [300, 30], false]);
	const decimals = viewer.compareProfiles([read('a 0.5\nb 1\n'), read('a 4.25\nb 5\n')]);
	assert.deepEqual(linesOf(decimals), ['a 3 4.25', 'b 6 5']);
});

test('equal totals are compared as they are, however large', () => {
	const made = viewer.compareProfiles([read('a 9007199254740991\nb 1\n'),
		read('a 1\nb 9007199254740991\n')]);

	assert.deepEqual(linesOf(made), ['a 9007199254740991 1', 'b 1 9007199254740991']);
	assert.equal(made.isScaled, false);
});

test('the weight of a sample comes from both headers, scaled like the counts', () => {
	const header = '# sample-weight: 10\n';
	const one = read(header + 'a;b 1000\na;c 1000\n');
	const other = read(header + 'a;b 2000\na;c 2000\n');
	const made = viewer.compareProfiles([one, other]);

	assert.deepEqual([made.sample, made.weight, made.noisy], [15, 10, false]);
	/* 200 samples against 205: less than twice the deviation. */
	assert.equal(viewer.compareProfiles([one, read(header + 'a;b 2050\n')]).noisy, true);
	assert.equal(viewer.compareProfiles([one, read('a;b 1\n')]).weight, 0);
});

test('a divisor that numbers of samples share by chance is not their weight', () => {
	assert.deepEqual(viewer.findWeights([[10, 20, 30], [20, 50]], 1), [1, 1]);
	assert.deepEqual(viewer.findWeights([[1000, 2000, 3000], [2000, 5000]], 1), [1000, 1000]);
	assert.deepEqual(viewer.findWeights([[0, 15, 30], [35]], 10), [10, 10]);
});

test('the largest change is that of a frame that is still there', () => {
	const { maxDelta } = viewer.compareProfiles([read('a 900\nb 50\nc 50\n'), read('b 600\nc 400\n')]);

	assert.equal(maxDelta, 550);
});
