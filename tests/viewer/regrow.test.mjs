/*
 * Tests trees without a function, or of its calls alone: they must equal the trees of lines
 * that were changed in the same way.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeColumns, flatten, merge } from './encode.mjs';
import { viewer } from './modules.mjs';

/* Returns a generator of numbers below a limit, the same ones every time (xorshift). */
function numbers(seed) {
	let state = seed;

	return (limit) => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return (state >>> 0) % limit;
	};
}

function profile(seed, before) {
	const next = numbers(seed);

	return Array.from({ length: 60 }, () => {
		const names = Array.from({ length: 1 + next(6) }, () => 'abcdef'[next(6)]);
		return { names, counts: [...before ? [next(9)] : [], 1 + next(9)] };
	});
}

const textOf = (lines) =>
	lines.map(({ names, counts }) => names.join(';') + ' ' + counts.join(' ') + '\n').join('');

const rootOf = (lines) => lines.filter(({ names }) => names.length === 0);

/* Returns the path, start and end of each frame of a chart. */
function spans(lines) {
	const list = [];
	let [open, at] = [[], 0];

	for (const { names, counts: [count] } of lines) {
		const same = open.findIndex((one, i) => one.name !== names[i]);
		open.length = same < 0 ? open.length : same;
		for (const name of names.slice(open.length)) {
			const span = { name, path: [...open, { name }].map((one) => one.name).join(';'),
				from: at };
			open.push(span);
			list.push(span);
		}
		at += count;
		for (const span of open)
			span.to = at;
	}
	return list.map(({ path, from, to }) => [path, from, to].join(' ')).sort();
}

function gapsOf(lines) {
	const open = [];
	const ends = [0];
	const gaps = [0];
	let at = 0;

	for (const { names, counts: [count] } of lines) {
		let depth = 0;
		while (depth < open.length && open[depth] === names[depth])
			depth++;
		open.length = depth;
		ends.length = depth + 1;
		for (const name of names.slice(depth)) {
			gaps.push(at - ends[open.length]);
			open.push(name);
			ends.push(at);
		}
		at += count;
		/* Frames that end with these counts, and all frames in them. */
		for (let i = 0; i < names.length; i++)
			ends[i] = at;
		ends[names.length] = ends[names.length] ?? at;
	}
	return gaps;
}

function treeOf(lines, options = {}) {
	const frames = flatten(merge(textOf(lines), options), options);
	const gaps = options.inOrder ? gapsOf(lines) : null;

	return viewer.makeTree(viewer.readColumns(encodeColumns(frames, { ...options, gaps })));
}

function listing(tree) {
	const view = viewer.plainView(tree, false);

	return Array.from(tree.parent, (_, i) => [
		viewer.pathTo(view, i).map(({ name }) => name).join(';'),
		tree.self[i], tree.total[i], tree.before ? tree.before[i] : 0, tree.depth[i],
		tree.end[i],
	].join(' '));
}

/* Returns the frames of a chart where they would be drawn. */
function drawnSpans(tree) {
	const view = viewer.plainView(tree, false);
	const list = [];
	const visit = (frame, start, path) =>
		viewer.forChildren(view, frame, start, (child, at) => {
			const own = [...path, view.names[view.name[child]]];
			list.push([own.join(';'), at, at + view.total[child]].join(' '));
			visit(child, at, own);
		});

	visit(0, 0, []);
	return list.sort();
}

const idOf = (tree, name) => tree.names.indexOf(name);
const withoutName = (lines, name) => lines.map(({ names, counts }) =>
	({ names: names.filter((one) => one !== name), counts }));
const onlyCalls = (lines, name) => lines.filter(({ names }) => names.includes(name))
	.map(({ names, counts }) => ({ names: names.slice(names.indexOf(name)), counts }));

for (const before of [false, true])
	test(`a function is folded away, in ${before ? 'a differential' : 'a profile'}`, () => {
		for (let seed = 1; seed < 40; seed++) {
			const lines = profile(seed, before);
			const rest = withoutName(lines, 'c');
			const tree = treeOf(lines, { before });
			const folded = viewer.foldAway(tree, idOf(tree, 'c'), false);
			const expected = treeOf(rest.filter(({ names }) => names.length > 0), { before });
			const own = rootOf(rest).reduce((sum, { counts }) => sum + counts.at(-1), 0);
			assert.equal(folded.total[0], tree.total[0]);
			assert.equal(folded.self[0], own);
			assert.deepEqual(listing(folded).slice(1), listing(expected).slice(1));
		}
	});

test('all calls of a function are kept, and a call within a call stays in place', () => {
	for (let seed = 1; seed < 40; seed++) {
		const lines = profile(seed, true);
		const tree = treeOf(lines, { before: true });
		const calls = viewer.callsOf(tree, idOf(tree, 'b'), false);
		assert.deepEqual(listing(calls),
			listing(treeOf(onlyCalls(lines, 'b'), { before: true })));
	}
});

test('in a chart, frames that follow at once are merged, and times stay', () => {
	for (let seed = 1; seed < 40; seed++) {
		const lines = profile(seed, false);
		const tree = treeOf(lines, { inOrder: true });
		assert.deepEqual(drawnSpans(tree), spans(lines));
		const folded = viewer.foldAway(tree, idOf(tree, 'c'), true);
		assert.deepEqual(drawnSpans(folded), spans(withoutName(lines, 'c')));
		const calls = viewer.callsOf(tree, idOf(tree, 'b'), true);
		assert.equal(calls.total[0],
			onlyCalls(lines, 'b').reduce((sum, { counts: [count] }) => sum + count, 0));
	}
});

test('a missing function changes nothing, and all functions can be folded away', () => {
	const lines = profile(7, false);
	let tree = treeOf(lines);
	const whole = tree.total[0];

	for (const name of 'abcdef')
		tree = viewer.foldAway(tree, idOf(tree, name), false);
	assert.deepEqual([tree.count, tree.self[0], tree.total[0]], [1, whole, whole]);
});

const settings = { inverted: false };
const pictureOf = (lines) =>
	viewer.makePicture(settings, viewer.withTotal(treeOf(lines), 0), () => {});
const frameOf = (picture, path) =>
	viewer.followPath(picture.view, path.split(';').map((name) => ({ name, nth: 0 })));
const totals = (picture, ...paths) =>
	paths.map((path) => picture.view.total[frameOf(picture, path)]);
const parse = (text) => text.trim().split('\n').map((line) => {
	const [stack, count] = line.split(' ');
	return { names: stack.split(';'), counts: [Number(count)] };
});

const small = parse('a;b;c 10\na;b 5\na;d;c 3\na 1\ne 4');

test('hiding, leaving out, keeping and focusing are undone one by one', () => {
	const picture = pictureOf(small);

	viewer.fold(picture, 'b');
	assert.deepEqual([picture.view.total[0], ...totals(picture, 'a', 'a;c', 'a;d')],
		[23, 19, 10, 3]);
	assert.equal(picture.view.self[frameOf(picture, 'a')], 6);
	viewer.hide(picture, frameOf(picture, 'a;d'));
	viewer.keepOnly(picture, frameOf(picture, 'a;c'));
	assert.deepEqual([picture.view.total[0], ...totals(picture, 'a', 'a;c')], [10, 10, 10]);
	viewer.focusOn(picture, 'c');
	assert.deepEqual(totals(picture, 'c'), [10]);
	assert.equal(picture.view.name.length, 2);
	const state = viewer.stateOf(picture);
	assert.equal(viewer.encodeState(state), 'n=b&h=a;d&j=a;c&f=c');
	const other = pictureOf(small);
	viewer.restore(other, viewer.decodeState('#n=b&h=a;d&j=a;c&f=c'));
	assert.deepEqual(listing(other.tree), listing(picture.tree));
	for (const whole of [10, 20, 23, 23]) {
		viewer.undo(picture);
		assert.equal(picture.view.total[0], whole);
	}
	assert.equal(picture.view, picture.plain);
});

test('the first function can be left out like any other, but not the root', () => {
	const picture = pictureOf(small);

	viewer.fold(picture, 'a');
	assert.deepEqual([picture.view.total[0], ...totals(picture, 'b', 'd', 'e')],
		[23, 15, 3, 4]);
	const { view } = picture;
	viewer.fold(picture, 'all');
	assert.deepEqual(listing(picture.view), listing(view));
});

test('a filter keeps its place among the steps, also in the address', () => {
	const picture = pictureOf(small);

	viewer.setSearch(picture, 'd');
	viewer.filter(picture, true);
	viewer.fold(picture, 'd');
	assert.deepEqual([picture.view.total[0], ...totals(picture, 'a;c')], [3, 3]);
	viewer.setSearch(picture, '^a$');
	viewer.filter(picture, true);
	const text = viewer.encodeState(viewer.stateOf(picture));
	assert.equal(text, 'q=%5Ea%24&o=d&n=d&o=%5Ea%24');
	const other = pictureOf(small);
	viewer.restore(other, viewer.decodeState(text));
	assert.deepEqual(listing(other.tree), listing(picture.tree));
});

test('hiding the function that is shown alone leads back to the graph', () => {
	const picture = pictureOf(small);

	viewer.merge(picture, 'b');
	viewer.fold(picture, 'b');
	assert.deepEqual([picture.view.total[0], picture.view.plain], [23, true]);
});

test('frame numbers of one tree are not used in another', () => {
	const picture = pictureOf(small);
	const { parent } = picture.view;

	viewer.hide(picture, frameOf(picture, 'e'));
	assert.equal(picture.view.parent, parent);
	viewer.fold(picture, 'b');
	assert.notEqual(picture.view.parent, parent);
});
