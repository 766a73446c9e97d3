/* Tests the views of the tree: what is merged, hidden and found, and where it is drawn. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeColumns, flatten, merge } from './encode.mjs';
import { viewer } from './modules.mjs';

function treeOf(folded, options = {}) {
	const frames = flatten(merge(folded, options), options);
	const tree = viewer.makeTree(
		viewer.readColumns(encodeColumns(frames, options)),
	);

	return viewer.withTotal(tree, options.total ?? tree.total[0]);
}

/* Returns all frames of a view as { "a;b": [total, self] }. */
function listing(view, frame = 0, prefix = '', list = {}) {
	for (const child of view.children(frame)) {
		const path = prefix + view.names[view.name[child]];
		assert.ok(!(path in list), path + ' is there once');
		list[path] = [view.total[child], view.self[child]];
		listing(view, child, path + ';', list);
	}
	return list;
}

const recursive = `start;walk 10
start;walk;walk;walk 20
start;visit 30
other;walk;visit 10
other 30
`;

function functionView(tree, name, options = {}) {
	return viewer.functionView(tree, tree.names.indexOf(name), options);
}

/* Returns the callees of a function, above it, and its callers, below. */
function sidesOf(view) {
	const sides = { callees: {}, callers: {} };

	for (const child of view.children(0)) {
		const side = view.isCaller(child) ? 'callers' : 'callees';
		const path = view.names[view.name[child]];
		sides[side][path] = [view.total[child], view.self[child]];
		listing(view, child, path + ';', sides[side]);
	}
	return sides;
}

test('a function is between its callees and callers, and nested calls count once', () => {
	const view = functionView(treeOf(recursive), 'walk');

	assert.equal(view.total[0], 40);
	assert.equal(view.self[0], 10);
	assert.deepEqual(sidesOf(view), {
		callees: { visit: [10, 10], walk: [20, 0], 'walk;walk': [20, 20] },
		callers: { other: [10, 10], start: [30, 30] },
	});
});

test('callees are on the side of the graph, or callers if it is reversed', () => {
	const tree = treeOf('a;f;x 1\nf 2\nf;y 4\n');
	const places = (reversed) => {
		const view = functionView(tree, 'f', { reversed });
		const { drawn, rows, rowsBefore } = layOut(view, { width: 90 });
		return [rows, rowsBefore].concat(
			drawn.map(({ frame, depth, left, width }) =>
				[view.names[view.name[frame]], depth, left, width].join(' '),
			),
		);
	};

	assert.deepEqual(places(false), [
		2,
		1,
		'f 0 100 700',
		'x 1 300 100',
		'y 1 400 400',
		'a -1 700 100',
	]);
	assert.deepEqual(places(true), [
		2,
		1,
		'f 0 100 700',
		'a 1 700 100',
		'x -1 300 100',
		'y -1 400 400',
	]);
});

test('a caller and a callee of the same name have different paths', () => {
	const view = functionView(treeOf('g;f;g;x 1\nh;f;h 1\n'), 'f');

	for (const child of view.children(0)) {
		assert.equal(viewer.followPath(view, viewer.pathTo(view, child)), child);
		for (const next of view.children(child))
			assert.equal(viewer.followPath(view, viewer.pathTo(view, next)), next);
	}
});

test('a reversed tree starts with the leaves', () => {
	const view = viewer.reverseView(treeOf(recursive), false);

	assert.equal(view.total[0], 100);
	assert.deepEqual(listing(view), {
		other: [30, 30],
		visit: [40, 0],
		'visit;start': [30, 30],
		'visit;walk': [10, 0],
		'visit;walk;other': [10, 10],
		walk: [30, 0],
		'walk;start': [10, 10],
		'walk;walk': [20, 0],
		'walk;walk;walk': [20, 0],
		'walk;walk;walk;start': [20, 20],
	});
});

/* Returns stacks of functions that call each other at random, all with counts. */
function entangled(depth, functions, chance) {
	let state = 12345;
	const next = () => {
		state = (state * 1103515245 + 12345) % 2147483648;
		return state / 2147483648;
	};
	const stacks = [];
	let stack = [];

	for (let i = 0; i < depth; i++) {
		if (next() < chance)
			stack = stack.slice(0, Math.floor(next() * stack.length));
		stack = stack.concat('f' + Math.floor(next() * functions));
		stacks.push(stack.join(';') + ' ' + (1 + (i % 7)));
	}
	return stacks.join('\n');
}

function turned(folded) {
	return folded.replace(/^(.*) (\d+)$/gm, (line, stack, count) =>
		[stack.split(';').reverse().join(';'), count].join(' '),
	);
}

for (const [depth, functions, chance] of [
	[400, 1, 0],
	[400, 1, 0.01],
	[600, 2, 0.01],
	[600, 3, 0.1],
	[600, 20, 0.2],
])
	test(`callers are merged at any depth: ${functions} functions, ${chance}`, () => {
		const folded = entangled(depth, functions, chance);
		const reversed = listing(viewer.reverseView(treeOf(folded), false));
		const plain = listing(viewer.plainView(treeOf(turned(folded)), false));

		/* Equal to a plain tree of the reversed stacks. */
		assert.deepEqual(reversed, plain);
	});

test('a function that calls itself 100,000 times is reversed', () => {
	const depth = 100000;
	const frames = Array.from({ length: depth + 1 }, (_, i) => ({
		name: 'f',
		depth: i,
		self: i > 0 ? 1 : 0,
	}));
	const columns = viewer.readColumns(encodeColumns(frames));
	const view = viewer.reverseView(viewer.makeTree(columns), false);
	const { drawn, rows } = layOut(view, { atLeast: 0.5 * (depth / 1180) });

	assert.equal(rows, depth - 42 + 1);
	assert.equal(drawn.length, rows);
	assert.equal(view.total[drawn[500].frame], depth - 499);
});

test('calls without counts are on neither side of a function', () => {
	const sides = (folded, options) => {
		const { callees, callers } = sidesOf(functionView(treeOf(folded, options), 'f'));
		return [Object.keys(callees).join(), Object.keys(callers).join()];
	};

	assert.deepEqual(sides('a;f 0\nb;f;x 1\n'), ['x', 'b']);
	assert.deepEqual(sides('a;f 1 0\nb;f;x 0 1\n', { before: true }), ['x', 'a,b']);
});

test('counts before are merged, too', () => {
	const tree = treeOf('a;x 1 2\nb;x 3 5\n', { before: true });
	const view = viewer.reverseView(tree, false);
	const [x] = view.children(0);

	assert.deepEqual([view.before[x], view.total[x]], [4, 7]);
	assert.deepEqual([view.before[0], view.total[0]], [4, 7]);
});

test('children come by name, or the heaviest first', () => {
	const tree = treeOf('a 1\nb 3\nc 2\n');
	const names = (view) =>
		view.children(0).map((child) => view.names[view.name[child]]);

	for (const make of [viewer.plainView, viewer.reverseView]) {
		assert.deepEqual(names(make(tree, false)), ['a', 'b', 'c']);
		assert.deepEqual(names(make(tree, true)), ['b', 'c', 'a']);
	}
	/* Children of equal weight come by name, in whatever order they were met. */
	const alike = functionView(treeOf('p;f;z 2\nq;f;b 2\n'), 'f', { byWeight: true });
	assert.deepEqual(names(alike), ['b', 'z', 'p', 'q']);
});

test('a reversed tree includes counts that belong to no function', () => {
	const whole = viewer.reverseView(treeOf('a 1\n', { total: 4 }), false);
	const both = treeOf('a 1 2\nb 3 5\n', { before: true });
	const view = viewer.reverseView(viewer.foldAway(both, both.names.indexOf('a')), false);

	assert.deepEqual([whole.self[0], whole.total[0]], [0, 4]);
	assert.deepEqual([view.self[0], view.total[0], view.selfBefore[0], view.before[0]],
		[2, 7, 1, 4]);
});

const settings = { inverted: false };

function pictureOf(folded, options) {
	return viewer.makePicture(settings, treeOf(folded, options), () => {});
}

function frameOf(picture, ...names) {
	return viewer.followPath(
		picture.view,
		names.map((name) => ({ name, nth: 0 })),
	);
}

test('a hidden frame is missing from its ancestors and from the total', () => {
	const picture = pictureOf('a;b;c 10\na;b 5\na 1\nd 4\n');

	viewer.hide(picture, frameOf(picture, 'a', 'b'));
	const view = picture.view;
	assert.equal(view.total[0], 5);
	assert.equal(view.total[frameOf(picture, 'a')], 1);
	viewer.undo(picture);
	assert.equal(picture.view.total[0], 20);
});

test('the view of the whole picture is made only once', () => {
	const picture = pictureOf('a;b;c 10\na;b 5\na 1\nd 4\n');
	const whole = picture.view;

	for (const leave of [viewer.reverse, viewer.sort, (it) => viewer.merge(it, 'c')]) {
		leave(picture);
		assert.notEqual(picture.view, whole);
		viewer.undo(picture);
		assert.equal(picture.view, whole);
	}
	viewer.restore(picture, viewer.stateOf(picture));
	assert.equal(picture.view, whole);
});

test('a view that was prepared is the one that is shown', () => {
	const picture = pictureOf('a;b;c 10\na;b 5\na 1\nd 4\n');
	const ahead = viewer.lookAhead(picture, { reversed: true });

	viewer.sort(picture);
	viewer.reverse(picture);
	assert.notEqual(picture.view, ahead, 'it was not sorted by weight');
	viewer.undo(picture);
	const next = viewer.lookAhead(picture, { reversed: true });
	viewer.hide(picture, frameOf(picture, 'd'));
	viewer.reverse(picture);
	assert.notEqual(picture.view, next, 'nothing was hidden');
	assert.equal(picture.view.total[0], 16);
	viewer.reverse(picture);
	const last = viewer.lookAhead(picture, { merged: 'b' });
	viewer.merge(picture, 'b');
	assert.equal(picture.view, last);
	assert.deepEqual(Object.keys(listing(last)), ['c', 'a']);
});

test('a layout in steps equals one made in one go', () => {
	const { view } = pictureOf('a;b;c 10\na;b 5\na 1\nd 4\n');
	const where = { within: 0, width: 1200 };
	const steps = viewer.prepareVisible(view, where);
	let [count, step] = [0, steps.next()];

	for (; !step.done; count++)
		step = steps.next();
	assert.equal(count, 5);
	assert.deepEqual(step.value.drawn, viewer.layOutVisible(view, where).drawn);
});

test('a zoom ends if nothing is left to fill the picture', () => {
	const hidden = pictureOf('a;b;c 10\nd 4\n');
	const gone = pictureOf('a;b 3 0\nc 1 2\n', { before: true });

	viewer.zoom(hidden, frameOf(hidden, 'a', 'b'));
	viewer.hide(hidden, frameOf(hidden, 'a', 'b', 'c'));
	assert.equal(hidden.within, 0);
	viewer.restore(gone, { ...viewer.noState(), path: [{ name: 'a', nth: 0 }] });
	assert.equal(gone.within, 0);
});

test('hiding a caller in a reversed tree hides what it called', () => {
	const picture = pictureOf(recursive);

	viewer.reverse(picture);
	viewer.hide(picture, frameOf(picture, 'walk', 'walk'));
	assert.equal(picture.view.total[0], 80);
	viewer.reverse(picture);
	assert.equal(picture.view.total[frameOf(picture, 'start', 'walk')], 10);
});

test('hiding a callee of a function hides all calls of it', () => {
	const picture = pictureOf('a;f;x 1\nb;f;x 2\nb;f 4\n');

	viewer.merge(picture, 'f');
	viewer.hide(picture, frameOf(picture, 'x'));
	assert.equal(picture.view.total[0], 4);
	viewer.undo(picture);
	viewer.undo(picture);
	assert.equal(picture.view.total[0], 7);
	assert.ok(picture.view.plain);
});

test('hiding everything is not possible', () => {
	const picture = pictureOf('a 1\n');

	viewer.hide(picture, 0);
	viewer.hide(picture, frameOf(picture, 'a'));
	assert.equal(picture.view.total[0], 1);
});

test('a zoom survives changes around it', () => {
	const picture = pictureOf('a;b;c 10\na;b 5\na 2\na;x 1\nd 4\n');

	viewer.zoom(picture, frameOf(picture, 'a', 'b'));
	viewer.sort(picture);
	viewer.hide(picture, frameOf(picture, 'a', 'x'));
	assert.deepEqual(
		viewer.stateOf(picture).path.map(({ name }) => name),
		['a', 'b'],
	);
	viewer.hide(picture, frameOf(picture, 'a', 'b'));
	assert.deepEqual(
		viewer.stateOf(picture).path.map(({ name }) => name),
		['a'],
	);
});

test('in a reversed differential the delta of a caller is that of its total', () => {
	const tree = treeOf('a;b;f 1 5\nc;f 4 2\n', { before: true });
	const texts = viewer.makeTexts({ factor: 1, negate: false });
	const deltas = (view) => {
		const [f] = view.children(0);
		return [f, ...view.children(f)].map((frame) =>
			texts.deltaOf(view, frame),
		);
	};

	assert.deepEqual(deltas(viewer.reverseView(tree, false)), [2, 4, -2]);
});

test('a frame with one count has changed, and a frame that is gone has no change', () => {
	const view = viewer.plainView(treeOf('a 3 1\nb 3 0\n', { before: true }), false);
	const texts = viewer.makeTexts({ factor: 1, negate: false });

	assert.deepEqual([1, 2].map((frame) => texts.changeOf(view, frame)), [-2, null]);
});

test('a match in a match adds no counts', () => {
	const tree = treeOf(recursive);
	const found = viewer.findMatches(tree, /walk/);
	const sums = (view) => view.matchIn(0, found);

	assert.equal(found.frames, 4);
	assert.equal(sums(viewer.plainView(tree, false)), 40);
	assert.equal(sums(viewer.reverseView(tree, false)), 40);
	assert.equal(sums(functionView(tree, 'visit')), 10);
	assert.equal(sums(functionView(tree, 'start')), 30);
	const both = treeOf('w;f;w 1\nf;w 2\nf 4\nw;f 8\n');
	const ofBoth = viewer.findMatches(both, /w/);
	assert.equal(functionView(both, 'f').matchIn(0, ofBoth), 11);
});

test('an annotation matches if the pattern has a literal bracket', () => {
	const tree = treeOf('read_[k] 1\nkick_[i] 2\nplain 4\nodd] 8\n');
	const matched = (pattern) => {
		const { expression } = viewer.compilePattern(pattern, false);
		const { isName } = viewer.findMatches(tree, expression);
		return tree.names.filter((name, id) => isName[id] > 0).join();
	};

	assert.equal(matched('_\\[k\\]'), 'read_[k]');
	assert.equal(matched('_\\[[ki]\\]$'), 'kick_[i],read_[k]');
	assert.equal(matched('k'), 'kick_[i]');
	assert.equal(matched('k]'), '');
	assert.equal(matched(']$'), 'odd]');
	assert.equal(matched('\\[|plain'), 'kick_[i],plain,read_[k]');
});

test('an invalid pattern is searched as plain text', () => {
	assert.match(viewer.compilePattern('f(', false).problem, /unterminated group/);
	assert.equal(viewer.compilePattern('f', false).problem, '');
	assert.ok(viewer.compilePattern('f(', false).expression.test('f(x)'));
	assert.ok(viewer.compilePattern('F.', true).expression.test('fx'));
});

function layOut(view, options) {
	return viewer.layOut(view, {
		within: 0,
		width: 1200,
		atLeast: 0,
		...options,
	});
}

test('widths are differences of rounded edges', () => {
	const view = viewer.plainView(treeOf('a 1\nb 1\nc 1\n'), false);
	const { drawn } = layOut(view);

	assert.deepEqual(
		drawn.map(({ left, width }) => [left, width]),
		[
			[100, 11800],
			[100, 3933],
			[4033, 3934],
			[7967, 3933],
		],
	);
});

test('with a total larger than the counts, frames are as wide as their share', () => {
	const view = viewer.plainView(treeOf('a 1\n', { total: 4 }), false);
	const { drawn } = layOut(view);

	assert.deepEqual(
		drawn.map(({ width }) => width),
		[11800, 2950],
	);
});

test('ancestors of the zoomed frame are as wide as the picture', () => {
	const tree = treeOf('a;b;c 1\na;d 3\n');
	const view = viewer.plainView(tree, false);
	const { drawn } = layOut(view, { within: 2 });

	assert.deepEqual(
		drawn.map(({ frame, width, above }) => [frame, width, above]),
		[
			[0, 11800, true],
			[1, 11800, true],
			[2, 11800, false],
			[3, 11800, false],
		],
	);
});

test('gaps are kept unless frames are sorted by weight', () => {
	const tree = treeOf('a 1\nb 2\nroot 1\n', { gaps: [0, 0, 3, 1], total: 8 });
	const lefts = (view) =>
		layOut(view).drawn.map(({ frame, left }) => [frame, left]);

	assert.deepEqual(lefts(viewer.plainView(tree, false)), [
		[0, 100],
		[1, 100],
		[2, 6000],
		[3, 10425],
	]);
	assert.deepEqual(lefts(viewer.plainView(tree, true)), [
		[0, 100],
		[2, 100],
		[1, 3050],
		[3, 4525],
	]);
});

test('a match that is too narrow is marked on the drawn frame below it', () => {
	const tree = treeOf('a;x 1\na;y;z 1\na 998\n');
	const view = viewer.plainView(tree, false);
	const layout = layOut(view, { atLeast: 2 });
	const marksOf = (expression) =>
		viewer.findNarrow(view, layout, viewer.findMatches(tree, expression));

	assert.equal(layout.drawn.length, 2);
	/* y starts after the 998 own counts of a, and after x. */
	assert.deepEqual(marksOf(/z/), [{ depth: 1, left: 11888 }]);
	assert.deepEqual(marksOf(/x/), [{ depth: 1, left: 11876 }]);
	assert.deepEqual(marksOf(/a/), []);
	assert.deepEqual(marksOf(/absent/), []);
});

test('a match that is drawn, but narrower than a pixel, is marked, too', () => {
	const tree = treeOf('a;x 1\na 1999\n');

	for (const [name, view] of [
		['as it is', viewer.plainView(tree, false)],
		['a function', functionView(tree, 'a')],
	]) {
		const layout = layOut(view);
		const found = viewer.findMatches(tree, /x/);
		const [mark, ...others] = viewer.findNarrow(view, layout, found);
		assert.deepEqual(others, [], name);
		assert.equal(mark.depth, name === 'a function' ? 1 : 2);
		assert.equal(mark.left, 11894);
	}
});

test('a match that is a pixel wide needs no mark', () => {
	const tree = treeOf('a;x 1\na 1179\n');
	const found = viewer.findMatches(tree, /x/);

	for (const view of [viewer.plainView(tree, false), functionView(tree, 'a')])
		assert.deepEqual(viewer.findNarrow(view, layOut(view), found), []);
});

test('while zoomed, only matches within the zoom are marked', () => {
	const tree = treeOf('a;x 1\na 99\nb;x 1\nb 1999\n');
	const view = viewer.plainView(tree, false);
	const found = viewer.findMatches(tree, /x/);
	const b = view.children(0)[1];
	const layout = layOut(view, { within: b, atLeast: 2 });

	assert.deepEqual(viewer.findNarrow(view, layout, found), [
		{ depth: 1, left: 11894 },
	]);
});

test('siblings of the same name have different paths', () => {
	const tree = treeOf('a 1\nb 1\na 2\n', { inOrder: true, gaps: [0, 0, 0, 0] });
	const view = viewer.plainView(tree, false);

	assert.deepEqual(viewer.pathTo(view, 3), [{ name: 'a', nth: 1 }]);
	assert.equal(viewer.followPath(view, [{ name: 'a', nth: 1 }]), 3);
	assert.equal(viewer.followPath(view, [{ name: 'a', nth: 9 }]), 3, 'fewer than there were');
});

test('a path leads as far as its frames exist', () => {
	const view = viewer.plainView(treeOf('a;b 1\n'), false);
	const path = ['a', 'b', 'c'].map((name) => ({ name, nth: 0 }));

	assert.equal(viewer.followPath(view, path), 2);
});

/*
 * Returns lines for that many frames with a count of one, and as many with a count of two.
 */
function crowd(many) {
	const lines = Array.from({ length: many }, (_, i) => `a${i} 1\nb${i} 2\n`);

	return viewer.plainView(treeOf(lines.join('')), false);
}

test('frames of half a pixel are drawn, or one in each pixel if there are many', () => {
	/* The narrow ones come first, because siblings are sorted by name. */
	for (const [many, expected] of [
		[2000, 4000],
		[4000, 2000 + 4000],
	]) {
		const view = crowd(many);
		const width = 1.5 * many + 20 + 1e-6;
		const { drawn } = viewer.layOutVisible(view, { within: 0, width });
		assert.equal(drawn.length, 1 + expected, `${many} of each`);
	}
});

test('samples a little narrower than a pixel are drawn, however many there are', () => {
	const many = 9000;
	const lines = Array.from({ length: many }, (_, i) => `s${i};f 1\n`).join('');
	const view = viewer.plainView(treeOf(lines), false);
	const { drawn } = viewer.layOutVisible(view, { within: 0, width: 20 + many * 0.93 });
	const pixels = new Set(drawn.slice(1).map(({ left }) => Math.floor(left / 10)));

	assert.ok(pixels.size > 0.9 * many * 0.93, `${pixels.size} pixels`);
});

test('any pattern is matched or refused in time', () => {
	const matches = (pattern, name) =>
		viewer.compilePattern(pattern, false).expression.test(name);
	const long = 'a'.repeat(5000);

	for (const pattern of ['(a+)+$', '(a|a)+$', '(a|aa)+$', '.*.*.*.*.*$', '(.*a){12}$',
		`${'a?'.repeat(30)}${'a'.repeat(30)}$`, '((a{1,9}){1,9}){1,9}$']) {
		assert.equal(matches(pattern, `${long}!`), pattern.includes('.*.*'), pattern);
		assert.ok(matches(pattern, pattern.startsWith('((') ? 'a' : long), pattern);
	}
	/* Alternatives alone can take for ever, even empty ones. */
	for (const pattern of [`${'(a|\\w)'.repeat(40)}$`, `${'(|a)'.repeat(40)}$`,
		`${'a?'.repeat(7)}a*$`, `${'(?:a|.){2}'.repeat(20)}$`]) {
		assert.ok(matches(pattern, long), pattern);
		assert.ok(!matches(pattern.replace('$', '-'), long), pattern);
	}
	for (const pattern of ['^(?!(a+)+$)', '(a+)+\\1b', `(?=a)${'(a|\\w)'.repeat(40)}b`,
		`(?!b)${'(a|aa)'.repeat(4)}a*b`, '((a|b){60}){60}c']) {
		const { problem, expression } = viewer.compilePattern(pattern, false);
		assert.match(problem, /for ever.*searched for as plain text/);
		assert.ok(expression.test(`x${pattern}`));
	}
	assert.ok(matches('^(?!swapper)', 'main'));
	assert.ok(!matches('^(?!swapper)', 'swapper'));
});

/* Tries patterns and names of few letters in the browser's engine, too. */
test('patterns mean the same as in the browser', () => {
	const pieces = ['a', 'b', '.', '[ab]', '[^a]', '\\w', '\\b', '\\B', '^', '$', '(',
		'(?:', ')', '|', '*', '+', '?', '{2}', '{1,3}', '{0,}', '\\x61', 'A', '*?', ':'];
	let state = 7;
	const below = (limit) => (state = (state * 48271) % 0x7fffffff) % limit;
	const text = (parts, length) =>
		Array.from({ length: below(length) }, () => parts[below(parts.length)]).join('');
	let compared = 0;

	for (let i = 0; i < 60000; i++) {
		const pattern = text(pieces, 9);
		const ignoreCase = below(2) === 0;
		const { expression, problem } = viewer.compilePattern(pattern, ignoreCase);
		if (problem !== '') continue;
		const other = new RegExp(pattern, ignoreCase ? 'i' : '');
		const name = text('abA :1', 9);
		compared++;
		assert.equal(expression.test(name), other.test(name), `${pattern} on ${name}`);
	}
	assert.ok(compared > 10000, `${compared}`);
});

test('functions are listed with recursion counted once, including those that are gone', () => {
	const tree = treeOf('a;b;a;c 4\na;b 3\nd;c 2\n');
	const rows = viewer.listFunctions(tree).map(({ name, own, all }) =>
		[tree.names[name], own, all]);

	assert.deepEqual(rows.sort(), [['a', 0, 7], ['b', 3, 7], ['c', 6, 6], ['d', 0, 2]]);
	const both = treeOf('a;b 2 0\na;b;a;b 3 1\nc 0 0\n', { before: true });
	assert.deepEqual(viewer.listFunctions(both).map(({ name, frame, own, all, ownBefore, allBefore }) =>
		[both.names[name], frame, own, all, ownBefore, allBefore]),
	[['a', 1, 0, 1, 0, 5], ['b', 2, 1, 1, 5, 5]]);
});

test('the shown stacks are written as lines', () => {
	const picture = pictureOf('a;b;c 10\na;b 5\na;x7 2\nd 4\n');
	const { names } = picture.tree;
	const lines = (within = 0, unit = {}) =>
		viewer.foldedOf(picture.tree, within, unit).split('\n').slice(0, -1);

	names[names.indexOf('x7')] = 'x 7';
	assert.deepEqual(lines(), ['a;b 5', 'a;b;c 10', 'a;x 7; 2', 'd 4']);
	assert.deepEqual(lines(frameOf(picture, 'a', 'b'), { event: 'cycles', unit: 'ns' }),
		['# event: cycles', '# unit: ns', 'a;b 5', 'a;b;c 10']);
	viewer.hide(picture, frameOf(picture, 'a', 'b', 'c'));
	assert.deepEqual(lines(), ['a;b 5', 'a;x 7; 2', 'd 4']);
	assert.equal(viewer.foldedOf(treeOf('a;b 15\n', { decimals: 1 }), 0, {}), 'a;b 1.5\n');
	assert.equal(viewer.foldedOf(treeOf('a;b 15\n', { decimals: 9 }), 0, {}),
		'a;b 0.000000015\n');
	/* A name that looks like a comment is not one behind another frame. */
	assert.equal(viewer.foldedOf(treeOf('# 1\n#;# 2\n#b 3\n'), 0, {}), '#; 1\n#;# 2\n#b 3\n');
	assert.deepEqual(viewer.foldedOf(treeOf('a;b 3 0\nc 1 2\nd 1 0\n', { before: true }), 0, {}),
		'a;b 3 0\nc 1 2\nd 1 0\n');
});

test('recursion collapses to one frame', () => {
	const picture = pictureOf('a;f;f;g 1\na;f;g;f 2\na;f;f;f 4\na;f 8\nf 16\n');

	viewer.collapse(picture);
	assert.deepEqual(listing(picture.view), {
		a: [15, 0], 'a;f': [15, 12], 'a;f;g': [3, 1], 'a;f;g;f': [2, 2], f: [16, 16],
	});
	viewer.hide(picture, frameOf(picture, 'a', 'f', 'g'));
	assert.equal(picture.view.total[0], 28);
	const state = viewer.decodeState(viewer.encodeState(viewer.stateOf(picture)));
	viewer.undo(picture);
	viewer.undo(picture);
	assert.equal(picture.view.total[frameOf(picture, 'a', 'f', 'f')], 5);
	viewer.restore(picture, state);
	assert.deepEqual(listing(picture.view),
		{ a: [12, 0], 'a;f': [12, 12], f: [16, 16], 'a;f;g': [0, 0], 'a;f;g;f': [0, 0] });
});

test('a path over frames has a part for each row, and for each gap', () => {
	const path = (items, gap = 5) => viewer.pathInRows(
		items.map(([depth, left, width, isOut]) => ({ depth, left, width, isOut })),
		{ rowTop: (depth) => 100 - 16 * depth, height: 15, gap, has: ({ isOut }) => !isOut });

	assert.equal(path([[0, 100, 400]]), 'M10 100h40v15H10z');
	assert.equal(path([[1, 100, 50], [1, 150, 50], [1, 204, 6]]), 'M10 84h11v15H10z');
	assert.equal(path([[1, 100, 50], [1, 155, 50]]), 'M10 84h5v15H10zM15.5 84h5v15H15.5z');
	assert.equal(path([[1, 100, 50], [1, 150, 50, true], [1, 200, 50]]),
		'M10 84h5v15H10zM20 84h5v15H20z');
	assert.equal(path([[0, 100, 400], [1, 100, 50], [2, 100, 50], [1, 150, 50]]),
		'M10 100h40v15H10zM10 84h10v15H10zM10 68h5v15H10z');
	/* Without a width, an item is a pixel wide. */
	assert.equal(path([[0, 100, undefined]]), 'M10 100h1v15H10z');
	assert.equal(path([]), '');
});
