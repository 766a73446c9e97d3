/* Tests what is shown of counts: their colours, their words, and how they have changed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeColumns, flatten, merge } from './encode.mjs';
import { viewer } from './modules.mjs';

function plainView(folded, options = {}) {
	const frames = flatten(merge(folded, options), options);
	const tree = viewer.makeTree(viewer.readColumns(encodeColumns(frames, options)));

	return viewer.plainView(viewer.withTotal(tree, options.total ?? tree.total[0]));
}

const frameOf = (view, ...names) =>
	names.reduce(
		(frame, name) =>
			view.children(frame).find((child) => view.names[view.name[child]] === name),
		0,
	);

test('a delta is red or blue, and paler if it is smaller', () => {
	const cases = [
		[0, 10, false, '#ffffff'],
		[0, 10, true, '#fafafa'],
		[10, 10, false, '#ff0000'],
		[-10, 10, false, '#0000ff'],
		[5, 10, false, '#ff6969'],
		[-5, 10, false, '#6969ff'],
		[1, 1000, false, '#ffd1d1'],
		[10, 10, true, '#ff6464'],
		[-10, 10, true, '#6464ff'],
		[5, 10, true, '#ffafaf'],
		[20, 10, false, '#ff0000'],
		[-20, 10, true, '#6464ff'],
	];

	for (const [delta, most, pale, colour] of cases)
		assert.equal(viewer.deltaColour(delta, most, pale), colour);
});

test('a change has its own colours, by the square root of its share', () => {
	const cases = [
		[0, false, '#f0f0f0'],
		[0, true, '#f0f0f0'],
		[1, false, '#d55e00'],
		[-1, false, '#007bbd'],
		[0.25, false, '#e3a778'],
		[-0.25, false, '#78b6d7'],
		[9, false, '#d55e00'],
		[-9, false, '#007bbd'],
		[0.5, true, '#cc79a7'],
		[null, false, '#c9ced2'], /* gone, without a pattern in the picture */
	];

	for (const [part, isNew, colour] of cases)
		assert.equal(viewer.changeColour(part, isNew), colour);
});

test('a share has the colour of a diffusion', () => {
	const cases = [0, 0.0001, 0.01, 0.25, 0.5, 1].map((share) =>
		viewer.diffusionColour(share),
	);

	assert.deepEqual(cases, [
		'#fafafa',
		'#fff8f8',
		'#ffebeb',
		'#ffafaf',
		'#ff8f8f',
		'#ff6464',
	]);
});

test('luminance follows WCAG 2', () => {
	const round = (number) => Math.round(number * 1e5) / 1e5;
	const cases = [
		[[0, 0, 0], 0],
		[[255, 255, 255], 1],
		[[255, 0, 0], 0.2126],
		[[0, 255, 0], 0.7152],
		[[0, 0, 255], 0.0722],
		[[10, 10, 10], 0.00304],
		[[11, 11, 11], 0.00335],
		[[128, 128, 128], 0.21586],
	];

	for (const [colour, value] of cases)
		assert.equal(round(viewer.luminance(colour)), value);
	assert.deepEqual(viewer.mix([200, 100, 0], [0, 100, 200], 0.25), [50, 100, 150]);
});

test('one sample is singular, and counts of an unknown kind have no word', () => {
	const samples = { countName: 'samples', counted: 'samples', unit: '' };
	const unknown = { countName: 'samples', counted: 'unknown', unit: '', one: 0 };
	const bytes = { countName: 'bytes', counted: 'bytes', unit: 'bytes' };

	assert.equal(viewer.titleWord(samples, '1'), ' sample');
	assert.equal(viewer.titleWord(samples, '2'), ' samples');
	assert.equal(viewer.titleWord({ countName: 'samples' }, '1'), ' samples');
	assert.equal(viewer.titleWord(bytes, '1'), ' bytes');
	assert.equal(viewer.titleWord({ countName: '' }, '1'), '');
	assert.equal(viewer.spokenWord(samples, '1'), ' sample');
	assert.equal(viewer.spokenWord(unknown, '5'), '');
	assert.equal(viewer.shortWord(bytes, '5 KiB'), '');
	assert.equal(viewer.shortWord(samples, '5'), ' samples');
	assert.equal(viewer.wordsHint(samples), '');
	assert.match(viewer.wordsHint(unknown), /^It is unknown what the numbers count/);
	assert.equal(viewer.wordsHint({ ...unknown, one: 5 }), '');
	assert.equal(viewer.wordsHint({ ...unknown, one: 1 }), '');
	assert.equal(viewer.samplesOf({ one: 10 }, 10), '1 sample');
	assert.equal(viewer.samplesOf({ one: 10 }, 28160), '2,816 samples');
	assert.equal(viewer.samplesOf({ one: 0 }, 10), '');
	assert.equal(viewer.samplesOf({ one: 1 }, 0), '0 samples');
});

test('a title loses a word that may not be true, and gets it back', () => {
	const titleEnd = / \([^()]*\)$/;
	const unknown = { countName: 'samples', counted: 'unknown', titleEnd };
	const known = { countName: 'samples', counted: 'samples', titleEnd };
	const titles = [
		['f (1,234 samples, 5.00%)', 'f (1,234, 5.00%)'],
		['f (1 sample, 5.00%; +1.00%)', 'f (1, 5.00%; +1.00%)'],
		['f samples, (7 samples, 5%)', 'f samples, (7, 5%)'],
	];

	for (const [written, spoken] of titles) {
		assert.equal(viewer.spokenTitle(unknown, written), spoken);
		assert.equal(viewer.writtenTitle(unknown, spoken), written);
		assert.equal(viewer.spokenTitle(known, written), written);
		assert.equal(viewer.writtenTitle(known, spoken), spoken);
	}
	assert.equal(
		viewer.writtenTitle(unknown, 'f (25 \u2192 50 (+25, \u00d72.0), 5.00% \u2192 9.10%)'),
		'f (25 \u2192 50 samples (+25, \u00d72.0), 5.00% \u2192 9.10%)',
	);
});

test('a change below twice its deviation is noise', () => {
	const cases = [
		[{ sample: 0 }, 5, 5, true],
		[{ sample: 0 }, 5, 6, false],
		[{ sample: 1 }, 50, 70, true], /* 20 < 21.9 */
		[{ sample: 1 }, 48, 72, false], /* 24 > 21.9 */
		[{ sample: 1 }, 72, 48, false],
		[{ sample: 1 }, 0, 4, false], /* as much as twice the deviation */
		[{ sample: 1 }, 0, 3, true],
		[{ sample: 100 }, 0, 300, true],
	];

	for (const [settings, before, after, isNoise] of cases)
		assert.equal(viewer.isNoise(settings, before, after), isNoise);
});

test('a change is described by a word or a ratio', () => {
	const both = { wasThere: true, isThere: true };
	const fresh = { wasThere: false, isThere: true };
	const exact = { sample: 0 };
	const rough = { sample: 1 };
	const cases = [
		[exact, [5, 0], { wasThere: true, isThere: false }, 'gone'],
		[exact, [5, 5], both, 'same'],
		[exact, [0, 0], both, ''],
		[rough, [50, 51], both, 'noise'],
		[exact, [0, 5], fresh, 'new'],
		[exact, [0, 5], both, 'from 0'],
		[exact, [5, 0], both, 'to 0'],
		[exact, [5, 10], both, '\u00d72.0'],
		[exact, [4, 5], both, '\u00d71.2'],
		[exact, [10, 5], both, '\u00d70.50'],
		[exact, [1000, 1], both, '<\u00d70.01'],
		[exact, [100, 1], both, '\u00d70.01'],
	];

	for (const [settings, counts, there, word] of cases)
		assert.equal(viewer.wordOf(settings, counts, there), word);
});

test('the change of the whole is described', () => {
	const say = (before, after, sample = 0) =>
		viewer.wholeChange({ sample }, String, { before: [before], total: [after] });

	assert.deepEqual(say(100, 150), ['100 \u2192 150', '+50, +50.0%']);
	assert.deepEqual(say(150, 100), ['150 \u2192 100', '-50, -33.3%']);
	assert.deepEqual(say(100, 100), ['100 \u2192 100', 'no change']);
	assert.deepEqual(say(0, 100), ['0 \u2192 100', '+100']);
	assert.deepEqual(say(100, 101, 1), ['100 \u2192 101', '+1, +1.0%, noise']);
});

const plain = { factor: 1, unit: '', countName: 'samples', counted: 'samples', one: 0 };

test('a frame has a title and details', () => {
	const view = plainView('main;a;b 30\nmain;a 10\nmain;c 60\n');
	const texts = viewer.makeTexts(plain);
	const title = (...names) => texts.titleOf(view, frameOf(view, ...names));
	const details = (within, ...names) => {
		const frame = frameOf(view, ...names);
		return texts.detailsOf({ view, within }, { frame }, title(...names));
	};

	assert.equal(title(), 'all (100 samples, 100%)');
	assert.equal(title('main', 'a'), 'a (40 samples, 40.00%)');
	assert.equal(
		details(0, 'main', 'a'),
		'a (40 samples, 40.00%) \u00b7 self 10 (10.00%) \u00b7 40.00% of parent',
	);
	assert.equal(
		details(frameOf(view, 'main', 'a'), 'main', 'a', 'b'),
		'b (30 samples, 30.00%) \u00b7 self 30 (30.00%) \u00b7 75.00% of zoom ' +
			'\u00b7 75.00% of parent',
	);
	assert.equal(details(0), 'all (100 samples, 100%) \u00b7 self 0 (0.00%)');
	assert.equal(texts.headOf({ view, tree: view.tree, base: view.tree }), '100% = 100 samples');
	assert.equal(texts.percentOf(0.125), '12.5%');
	assert.equal(texts.shareOf(view.tree, 25), '25.00%');
	assert.equal(texts.exact(view, 1234), '1,234 samples');
	assert.equal(texts.worded(view, 1234), '1,234 samples');
});

test('counts in a unit are shown with the samples that they are', () => {
	const view = plainView('main;a 3000000\nmain;b 1000000\n');
	const texts = viewer.makeTexts({
		...plain,
		unit: 'ns',
		event: 'cpu-clock',
		countName: 'ns',
		counted: 'ns',
		one: 1000000,
	});
	const frame = frameOf(view, 'main', 'a');

	assert.equal(
		texts.detailsOf({ view, within: 0 }, { frame }, texts.titleOf(view, frame)),
		'a (3,000,000 ns, 75.00%) \u00b7 3 ms \u00b7 3 samples \u00b7 self 3 ms (75.00%) ' +
			'\u00b7 75.00% of parent',
	);
	assert.equal(
		texts.headOf({ view, tree: view.tree, base: view.tree }),
		'100% = 4 samples, 4 ms of cpu-clock',
	);
});

test('a frame of a differential shows both counts', () => {
	const view = plainView('main;a 25 50\nmain;b 60 40\nmain;c 15 0\nmain;d 0 10\n', {
		before: true,
	});
	const texts = viewer.makeTexts({ ...plain, diff: 'total', sample: 0 });
	const classic = viewer.makeTexts({ ...plain, diff: '', sample: 0 });
	const negated = viewer.makeTexts({ ...plain, diff: '', sample: 0, negate: true });
	const title = (name) => texts.titleOf(view, frameOf(view, 'main', name));
	const frame = frameOf(view, 'main', 'a');

	assert.equal(
		title('a'),
		'a (25 \u2192 50 samples (+25, \u00d72.0), 25.00% \u2192 50.00%)',
	);
	assert.equal(
		title('b'),
		'b (60 \u2192 40 samples (-20, \u00d70.67), 60.00% \u2192 40.00%)',
	);
	assert.equal(title('c'), 'c (15 \u2192 0 samples (-15, gone), 15.00% \u2192 0.00%)');
	assert.equal(title('d'), 'd (0 \u2192 10 samples (+10, new), 0.00% \u2192 10.00%)');
	assert.equal(texts.titleOf(view, 0), 'all (100 \u2192 100 samples (+0, \u00d71.0), 100%)');
	assert.equal(classic.titleOf(view, frame), 'a (50 samples, 50.00%; +25.00%)');
	assert.equal(negated.titleOf(view, frame), 'a (50 samples, 50.00%; -25.00%)');
	/* Without a change there is no sign. */
	assert.equal(
		classic.titleOf(view, frameOf(view, 'main')),
		'main (100 samples, 100.00%; 0.00%)',
	);
	assert.deepEqual(
		['a', 'b', 'c', 'd'].map((name) =>
			texts.changeOf(view, frameOf(view, 'main', name)),
		),
		[25, -20, null, 10],
	);
	assert.equal(texts.changeBetween(5, 8), 3);
	assert.equal(negated.changeBetween(5, 8), -3);
	assert.match(
		classic.detailsOf({ view, within: 0 }, { frame }, 'a'),
		/ \u00b7 25 \u2192 50 samples \(\+25, \u00d72.0\), 25.00% \u2192 50.00%$/,
	);
	assert.equal(
		texts.headOf({ view, tree: view.tree, base: view.tree }),
		'Before \u2192 after: 100 \u2192 100 samples (no change)',
	);
});

/* Makes a paint with stand-ins for the parts of a picture. */
function paintWith(settings) {
	const bars = { head: { style: {} }, foot: { style: {} } };
	const all = { ...plain, maxDelta: 40, sample: 0, diff: '', ...settings };
	const texts = viewer.makeTexts(all);

	globalThis.window = {};
	return viewer.makePaint(all, texts, bars);
}

test('frames of a differential have the colours of their change', () => {
	const view = plainView(
		'main;a 25 50\nmain;b 60 40\nmain;c 15 0\nmain;d 0 10\n- 1 1\n-- 1 1\n',
		{ before: true, colours: () => [1, 2, 3] },
	);
	const colours = (settings) => {
		const paint = paintWith(settings);
		return ['a', 'b', 'c', 'd']
			.map((name) => paint.colourOf(view, frameOf(view, 'main', name)))
			.concat(['-', '--'].map((name) => paint.colourOf(view, frameOf(view, name))));
	};

	assert.deepEqual(colours({ diff: 'total' }), [
		'#db7d32',
		'#469dcc',
		'#c9ced2',
		'#cc79a7',
		'#c8c8c8',
		'#a0a0a0',
	]);
	assert.deepEqual(colours({ diff: 'total', classic: true }), [
		'#ff4e4e',
		'#6969ff',
		'#c9ced2',
		'#ff9d9d',
		'#c8c8c8',
		'#a0a0a0',
	]);
	assert.deepEqual(colours({ diff: '' }), [
		'#ff4e4e',
		'#6969ff',
		'#8383ff',
		'#ff9d9d',
		'#c8c8c8',
		'#a0a0a0',
	]);
	assert.deepEqual(colours({ diff: '', negate: true, pale: true }), [
		'#9c9cff',
		'#ffafaf',
		'#ffc1c1',
		'#d4d4ff',
		'#c8c8c8',
		'#a0a0a0',
	]);
	assert.deepEqual(colours({ diffusion: true }), [
		'#ff9191',
		'#ff9c9c',
		'#fafafa',
		'#ffcbcb',
		'#c8c8c8',
		'#a0a0a0',
	]);
});

test('functions of a differential have the colours of their own change', () => {
	/*
	 * Own counts before and after: a 25, 50; b 60, 40; c is gone, d is new, e has callees
	 * only.
	 */
	const view = plainView(
		'main;a 25 50\nmain;b 60 40\nmain;c 15 0\nmain;d 0 10\n- 1 1\n-- 1 1\nb;e;a 5 5\n',
		{ before: true, colours: () => [1, 2, 3] },
	);
	const rows = viewer.listFunctions(view.tree);
	const colours = (settings) => {
		const paint = paintWith(settings);
		return ['a', 'b', 'c', 'd', 'e', '-', '--'].map((name) => paint.colourOfFunction(
			{ plain: view, tree: view.tree },
			rows.find((row) => view.tree.names[row.name] === name)));
	};
	const change = (...all) => all.map((part) => viewer.changeColour(part));
	const delta = (...all) => all.map((part) => viewer.deltaColour(part, 40, false));
	const fresh = viewer.changeColour(1, true);

	assert.deepEqual(colours({ diff: 'total' }),
		[...change(25 / 40, -0.5, null), fresh, '#f0f0f0', '#c8c8c8', '#a0a0a0']);
	assert.deepEqual(colours({ diff: 'total', negate: true }),
		[...change(-25 / 40, 0.5, null), fresh, '#f0f0f0', '#c8c8c8', '#a0a0a0']);
	assert.deepEqual(colours({ diff: 'total', classic: true }),
		[...delta(25, -20), ...change(null), ...delta(10, 0), '#c8c8c8', '#a0a0a0']);
	assert.deepEqual(colours({ diff: '' }),
		[...delta(25, -20, -15, 10, 0), '#c8c8c8', '#a0a0a0']);
	assert.deepEqual(colours({ diff: '', negate: true }),
		[...delta(-25, 20, 15, -10, 0), '#c8c8c8', '#a0a0a0']);
	assert.equal(colours({ diffusion: true })[0], viewer.diffusionColour(55 / 107));
	const alone = plainView('main;a 25\n- 5\n', { colours: () => [1, 2, 3] });
	const [first, ...others] = viewer.listFunctions(alone.tree).map((row) =>
		paintWith({}).colourOfFunction({ plain: alone, tree: alone.tree }, row));
	assert.equal(first, '#010203');
	assert.deepEqual(others, others.map(() => '#010203'));
});

test('a function with a single count before or after is neither new nor gone', () => {
	const view = plainView('main;a 1 5\nmain;b 5 1\nmain;c 0 1\n', {
		before: true,
		colours: () => [1, 2, 3],
	});
	const rows = viewer.listFunctions(view.tree);
	const paint = paintWith({ diff: 'total', maxDelta: 4 });
	const names = ['a', 'b', 'c'];
	const expected = [1, -1].map((part) => viewer.changeColour(part));

	expected.push(viewer.changeColour(1, true));
	assert.deepEqual(
		names.map((name) => paint.colourOf(view, frameOf(view, 'main', name))), expected);
	assert.deepEqual(names.map((name) => paint.colourOfFunction({ plain: view, tree: view.tree },
		rows.find((row) => view.tree.names[row.name] === name))), expected);
});

test('other frames have the colours of their names', () => {
	const view = plainView('main;a 25\n- 1 5\n', { colours: () => [1, 2, 3] });
	const paint = paintWith({});

	assert.equal(paint.colourOf(view, frameOf(view, 'main', 'a')), '#010203');
	assert.equal(paint.colourOf(view, frameOf(view, '-')), '#010203');
	assert.equal(
		paintWith({ diffusion: true }).colourOf(view, frameOf(view, 'main', 'a')),
		viewer.diffusionColour(25 / 30),
	);
});

/* The same cases are in tests/unit/test_number.c. */
test('a small share is not zero, and only the whole is 100 %', () => {
	for (const [part, whole, text] of [[0, 1e6, '0.0%'], [500, 1e6, '0.05%'], [1000, 1e6, '0.1%'],
		[1, 8, '12.5%'], [99999, 1e5, '99.9%'], [1e5, 1e5, '100%'], [0, 0, '0.0%']])
		assert.equal(viewer.briefPercent(part, whole), text);
});

test('labels of faded frames are readable', () => {
	const fills = ['#000000', '#ffffff', '#808080', '#d55e00', '#0000ff', '#303030'];
	const on = (...ends) => {
		document.documentElement.querySelectorAll = () => ends;
		globalThis.getComputedStyle = (stopColor) => ({ stopColor });
		const paint = paintWith({});
		document.documentElement.querySelectorAll = () => [];
		return fills.map((fill) => {
			const { opacity, white } = paint.fadeOf(fill);
			assert.equal(paint.hasWhiteLabel(fill, true), white);
			return opacity + (white ? ' white' : ' black');
		});
	};
	const paint = paintWith({});

	assert.deepEqual(
		fills.map((fill) => paint.hasWhiteLabel(fill, false)),
		[true, false, false, false, true, true],
	);
	assert.deepEqual(on('#f0f0f0'), [
		'0.5 black',
		'0.5 black',
		'0.5 black',
		'0.5 black',
		'0.5 black',
		'0.5 black',
	]);
	assert.deepEqual(on('#101010'), [
		'0.5 white',
		'0.5 black',
		'0.5 white',
		'0.5 white',
		'0.5 white',
		'0.5 white',
	]);
	assert.deepEqual(on('#ffffff', '#000000'), [
		'0.6 white',
		'0.5 black',
		'1 black',
		'1 black',
		'1 white',
		'1 white',
	]);
	assert.deepEqual(on('#a0a0a0', '#404040'), [
		'0.5 white',
		'0.5 black',
		'1 black',
		'1 black',
		'0.5 white',
		'0.5 white',
	]);
});

test('the bars have the colours of the picture, above and below', () => {
	const bars = { head: { style: {} }, foot: { style: {} } };

	viewer.paintBars(bars, { ends: [[255, 0, 0], [1, 2, 3], [0, 0, 255]], ink: 'red' });
	assert.equal(bars.head.style.backgroundColor, '#ff0000');
	assert.equal(bars.foot.style.backgroundColor, '#0000ff');
	assert.equal(bars.head.style.color, 'red');
	assert.equal(bars.foot.style.color, 'red');
	viewer.makePaint(plain, viewer.makeTexts(plain), bars);
	assert.equal(bars.head.style.backgroundColor, '#f0f0f0');
	assert.equal(bars.foot.style.color, 'currentColor');
});

test('matches are given as a share of everything, of what is left, and of the zoom', () => {
	const view = plainView('main;a;b 30\nmain;a 10\nmain;b 20\nmain;c 40\n');
	const texts = viewer.makeTexts(plain);
	const matched = (pattern, { within = 0, base = view.tree } = {}) =>
		texts.matchedText({
			view,
			tree: view.tree,
			base,
			within,
			found: viewer.findMatches(
				view.tree,
				viewer.compilePattern(pattern, false).expression,
			),
		});

	assert.equal(matched('^b$'), 'Matched: 50.0% of all \u00b7 2 frames');
	assert.equal(matched('^c$'), 'Matched: 40.0% of all \u00b7 1 frame');
	assert.equal(matched('main'), 'Matched: 100% of all \u00b7 1 frame');
	assert.equal(
		matched('^b$', { base: { total: [200] } }),
		'Matched: 50.0% of what is left \u00b7 2 frames',
	);
	assert.equal(
		matched('^b$', { within: frameOf(view, 'main', 'a') }),
		'Matched: 50.0% of all \u00b7 2 frames \u00b7 75.0% of zoom',
	);
	assert.equal(
		matched('main', { within: frameOf(view, 'main', 'a') }),
		'Matched: 100% of all \u00b7 1 frame \u00b7 100% of zoom',
	);
});

test('only the widths with counts can be shown in a differential', () => {
	const can = (widths, base, diff = 'total') =>
		viewer.canShow({ settings: { diff }, base }, widths);
	const both = { gap: null, total: [1], before: [1] };

	assert.deepEqual(
		['after', 'before', 'union'].map((widths) => can(widths, both)),
		[true, true, true],
	);
	assert.equal(can('other', both), false);
	assert.equal(can('after', both, ''), false);
	assert.equal(can('after', { ...both, gap: [0] }), false);
	assert.equal(can('after', { ...both, total: [0] }), false);
	assert.equal(can('before', { ...both, before: [0] }), false);
	assert.equal(can('union', { ...both, total: [0], before: [0] }), true);
});
