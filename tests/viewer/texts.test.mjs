/* Tests numbers, names, colours and addresses as text. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { viewer } from './modules.mjs';

test('numbers are rounded like printf rounds them', () => {
	const cases = [
		[0.25, 1, '0.2'],
		[0.75, 1, '0.8'],
		[0.35, 1, '0.3'],
		[2.5, 0, '2'],
		[3.5, 0, '4'],
		[0.125, 2, '0.12'],
		[0.375, 2, '0.38'],
		[66.666, 2, '66.67'],
		[0, 1, '0.0'],
		[1e15, 0, '1000000000000000'],
	];

	for (const [x, decimals, text] of cases)
		assert.equal(viewer.fixed(x, decimals), text);
	assert.deepEqual([-5, 0, 5].map((x) => viewer.signed(x, '7')), ['-7', '7', '+7']);
	assert.deepEqual([['a', 'b'], ['b', 'a'], ['a', 'a']].map((two) => viewer.compare(...two)),
		[-1, 1, 0]);
	assert.equal(viewer.tenths(10.25), 102);
	assert.equal(viewer.tenths(10.35), 103);
	assert.equal(viewer.thousands(1234567), '1,234,567');
	assert.equal(viewer.thousands(123), '123');
	assert.equal(viewer.thousands(2 ** 53 - 1), '9,007,199,254,740,991');
	assert.equal(viewer.thousands(2 ** 53 + 2), '~9,007,199,254,740,990');
	assert.equal(viewer.thousands(1e22), '~10,000,000,000,000,000,000,000');
});

/* tests/unit/test_number.c has the same cases for the program. */
test('rounding goes to the next unit', () => {
	const cases = [
		[999, 'ns', '999 ns'],
		[999949, 'ns', '999.9 \u00b5s'],
		[999950, 'ns', '1 ms'],
		[999999, 'ns', '1 ms'],
		[999999999, 'ns', '1 s'],
		[-999999999, 'ns', '-1 s'],
		[0.99999, 's', '1 s'],
		[999.97, 's', '1,000 s'],
		[1234567, 'ms', '1,235 s'],
		[1023, 'bytes', '1,023 bytes'],
		[1047961, 'bytes', '1,023 KiB'],
		[1048065, 'bytes', '1 MiB'],
		[1048576, 'bytes', '1 MiB'],
		[1088, 'bytes', '1.062 KiB'],
		[2 ** 50, 'bytes', '1,024 TiB'],
		[0, 'bytes', '0 bytes'],
		[999999.7, '', '1,000,000'],
		[1000000, '', '1,000,000'],
		[1000001, '', '1 M'],
		[999949999, '', '999.9 M'],
		[999999999, '', '1 G'],
		[999999999999, '', '1 T'],
		[999999999999999, '', '1,000 T'],
	];

	for (const [x, unit, text] of cases) assert.equal(viewer.human(x, unit), text);
});

test('only the whole is a hundred percent', () => {
	const cases = [
		[99949, 1, '99.9%'],
		[99950, 1, '99.9%'],
		[99999, 1, '99.9%'],
		[99994, 2, '99.99%'],
		[99999, 2, '99.99%'],
		[99999, 0, '99%'],
		[100000, 1, '100.0%'],
		[200000, 1, '200.0%'],
		[12345, 1, '12.3%'],
	];

	for (const [part, decimals, text] of cases)
		assert.equal(viewer.percent(part, 100000, decimals), text);
	assert.equal(viewer.printedPercent(99999, 100000, 2), '100.00%');
	assert.equal(viewer.percent(1, 0, 1), '0.0%');
});

const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uff01-\uff60]|\p{Emoji_Presentation}/u;
const columns = (character) => (WIDE.test(character) ? 2 : 1);

test('names are shortened like the program shortens them', () => {
	const file = new URL('../data/shorten.tsv', import.meta.url);
	const lines = readFileSync(file, 'utf8')
		.split('\n')
		.filter((line) => line && !line.startsWith('#'));

	assert.ok(lines.length > 20);
	for (const line of lines) {
		const [how, room, name, label] = line.split('\t');
		assert.equal(
			viewer.fitLabel(name, Number(room), how, columns),
			label,
			line,
		);
	}
});

test('source lines are split from names like the program splits them', () => {
	const file = new URL('../data/lines.tsv', import.meta.url);
	const rows = readFileSync(file, 'utf8')
		.split('\n')
		.filter((line) => line && !line.startsWith('#'));

	assert.ok(rows.length > 50);
	for (const row of rows) {
		const [frame, called, path, number] = row.split('\t');
		assert.deepEqual(
			viewer.splitLine(frame),
			called ? [called, path, Number(number)] : null,
			row,
		);
	}
	assert.equal(viewer.withoutLine('read:fs/x.c:12_[k]'), 'read_[k]');
	assert.equal(viewer.withoutLine('main:12'), 'main:12');
});

test('the hottest lines of a function are those with the highest totals', () => {
	const columns = {
		names: ['main:a.c:1', 'main:a.c:2', 'main:a.c:3', 'main:a.c:4', 'f:b.c:1', 'idle'],
		name: [6, 0, 1, 4, 2, 3, 5],
		parent: [-1, 0, 0, 2, 0, 0, 0],
		self: [0, 5, 1, 10, 7, 2, 3],
		selfBefore: null,
	};
	const tree = viewer.makeTree(columns);
	const view = { ...tree, tree };
	const hottest = viewer.makeHottest();

	assert.deepEqual(hottest(view, 1), [
		{ file: 'a.c', number: 2, all: 11 },
		{ file: 'a.c', number: 3, all: 7 },
		{ file: 'a.c', number: 1, all: 5 },
	]);
	assert.deepEqual(hottest(view, 3), [{ file: 'b.c', number: 1, all: 10 }]);
	assert.deepEqual(hottest(view, 6), []);
});

test('if lines have the same total, the first is the hottest', () => {
	const tree = viewer.makeTree({
		names: ['f:a.c:30', 'f:a.c:4', 'f:a.c:200', 'f:a.c:1'],
		name: [4, 0, 1, 2, 3],
		parent: [-1, 0, 0, 0, 0],
		self: [0, 5, 5, 5, 5],
		selfBefore: null,
	});

	assert.deepEqual(
		viewer.makeHottest()({ ...tree, tree }, 1).map(({ number }) => number),
		[1, 4, 30],
	);
});

test('the source of a line is what the picture has at its place', (t) => {
	const { documentElement } = globalThis.document;
	const element = (nodeName, at, textContent) => ({
		nodeName,
		getAttribute: (name) => (name === 'at' ? at : null),
		textContent,
	});

	t.mock.method(documentElement, 'querySelectorAll', () => [
		element('fg:line', 'src/a.c:3', 'x < 3'),
		element('FG:LINE', 'src/a.c:4', 'y'),
		element('fg:data', 'src/a.c:5', 'no source'),
	]);
	const sourceOf = viewer.makeSource();

	assert.equal(sourceOf('src/a.c', 3), 'x < 3');
	assert.equal(sourceOf('src/a.c', 4), 'y');
	assert.equal(sourceOf('src/a.c', 5), '');
	assert.equal(sourceOf('a.c', 3), '');
});

test('a label is cut between characters', () => {
	assert.equal(
		viewer.fitLabel('😀'.repeat(9), 5, 'none', () => 1),
		'😀😀😀..',
	);
	assert.equal(
		viewer.fitLabel('abc', 2, 'none', () => 1),
		'',
	);
});

test('characters that XML cannot hold become the replacement character', () => {
	assert.equal(
		viewer.displayName('a\u0000\u001f\ufffeb_[k]'),
		'a\ufffd\ufffd\ufffdb',
	);
	assert.equal(viewer.displayName('tab\tand\nline'), 'tab\tand\nline');
});

test('annotations are not shown', () => {
	for (const letter of 'kijwo01')
		assert.equal(viewer.displayName(`f_[${letter}]`), 'f');
	assert.equal(viewer.displayName('f_[2]'), 'f_[2]');
});

test('a state survives being written to an address and read again', () => {
	const state = {
		path: [
			{ name: 'a;b', nth: 0 },
			{ name: '~!:&=#', nth: 2 },
			{ name: '', nth: 0 },
		],
		term: 'x&y=z#',
		ignoreCase: true,
		flipped: true,
		reversed: true,
		collapsed: true,
		byWeight: true,
		byChange: true,
		widths: 'before',
		range: { from: 2e7, to: 15e8, before: { from: 0, to: 2e7, before: null } },
		versus: -2,
		merged: 'm!:n',
		filters: [
			{ keep: true, term: 'a~i', ignoreCase: false },
			{ keep: false, term: 'b&o=c', ignoreCase: true },
			{ keep: true, term: 'g&=', ignoreCase: false, module: 'g&=' },
		],
		marked: 'jv_*',
		scheme: 'own',
		hidden: [
			{
				merged: null,
				reversed: false,
				collapsed: true,
				path: [{ name: 'p', nth: 0 }],
			},
			{
				merged: 'q!',
				reversed: true,
				collapsed: false,
				path: [{ name: 'r:s', nth: 0 }],
			},
			{
				merged: null,
				reversed: true,
				collapsed: true,
				path: [{ name: 't', nth: 1 }],
			},
		],
	};

	assert.deepEqual(viewer.decodeState('#' + viewer.encodeState(state)), state);
	assert.deepEqual(viewer.decodeState('#'), viewer.noState());
});

test('an address that makes no sense is harmless', () => {
	for (const text of [
		'#%',
		'#z=%zz;%',
		'#&&=',
		'#__proto__=1',
		'#h=:',
		'#z',
		'#v=x',
		'#q',
	])
		viewer.decodeState(text);
	assert.deepEqual(viewer.decodeState('#z=%zz').path, [{ name: '%zz', nth: 0 }]);
});

test('a name may have half of a surrogate pair', () => {
	viewer.encodeState({ ...viewer.noState(), term: 'a\ud800b' });
});

test('colours are read and written', () => {
	assert.deepEqual(viewer.parseColour('#fa0'), [255, 170, 0]);
	assert.deepEqual(viewer.parseColour('rgb(1, 2,3)'), [1, 2, 3]);
	assert.deepEqual(viewer.parseColour('reddish'), [170, 170, 170]);
	assert.equal(viewer.toHex(1, 255, 16), '#01ff10');
	assert.equal(viewer.toHex(0.5, 254.5, 15.4), '#01ff0f');
	assert.equal(viewer.deltaColour(0, 5), '#ffffff');
	assert.equal(viewer.deltaColour(5, 5), '#ff0000');
	assert.equal(viewer.deltaColour(-9, 5), '#0000ff');
	assert.equal(viewer.deltaColour(1, 2), '#ff6969');
	assert.equal(viewer.deltaColour(0, 5, true), '#fafafa');
	assert.equal(viewer.deltaColour(-9, 5, true), '#6464ff');
	assert.equal(viewer.deltaColour(1, 2, true), '#ffafaf');
	assert.equal(viewer.diffusionColour(0), '#fafafa');
	assert.equal(viewer.diffusionColour(1), '#ff6464');
});

test('a black or a white label is readable on every colour', () => {
	for (let colour = 0; colour < 4096; colour++) {
		const fill = [colour >> 8, (colour >> 4) & 15, colour & 15].map(
			(part) => part * 17,
		);
		const light = viewer.luminance(fill) + 0.05;
		const contrast = viewer.isDarkFill(fill) ? 1.05 / light : light / 0.05;
		assert.ok(contrast >= 4.5, String(fill));
	}
});
