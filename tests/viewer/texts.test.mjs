/* Numbers, names, colours and addresses as text. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { viewer } from './parts.mjs';

test('numbers are rounded as printf rounds them', () => {
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
	assert.equal(viewer.tenths(10.25), 102);
	assert.equal(viewer.tenths(10.35), 103);
	assert.equal(viewer.thousands(1234567), '1,234,567');
	assert.equal(viewer.thousands(123), '123');
	assert.equal(viewer.thousands(2 ** 53 - 1), '9,007,199,254,740,991');
	assert.equal(viewer.thousands(2 ** 53 + 2), '~9,007,199,254,740,990');
	assert.equal(viewer.thousands(1e22), '~10,000,000,000,000,000,000,000');
});

test('names are shortened as the program shortens them', () => {
	const file = new URL('../data/shorten.tsv', import.meta.url);
	const lines = readFileSync(file, 'utf8')
		.split('\n')
		.filter((line) => line && !line.startsWith('#'));

	assert.ok(lines.length > 20);
	for (const line of lines) {
		const [how, room, name, label] = line.split('\t');
		assert.equal(
			viewer.fitLabel(name, Number(room), how, () => 1),
			label,
			line,
		);
	}
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

test('what XML cannot hold is shown as the replacement character', () => {
	assert.equal(
		viewer.displayName('a\u0000\u001f\ufffeb_[k]'),
		'a\ufffd\ufffd\ufffdb',
	);
	assert.equal(viewer.displayName('tab\tand\nline'), 'tab\tand\nline');
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
		merged: 'm!:n',
		filters: [
			{ keep: true, term: 'a~i', ignoreCase: false },
			{ keep: false, term: 'b&o=c', ignoreCase: true },
		],
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
	assert.equal(viewer.toHex(1, 255, 16), '#01ff10');
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

test('a black or a white label can be read on every colour', () => {
	for (let colour = 0; colour < 4096; colour++) {
		const fill = [colour >> 8, (colour >> 4) & 15, colour & 15].map(
			(part) => part * 17,
		);
		const light = viewer.luminance(fill) + 0.05;
		const contrast = viewer.isDarkFill(fill) ? 1.05 / light : light / 0.05;
		assert.ok(contrast >= 4.5, String(fill));
	}
});
