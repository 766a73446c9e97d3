/* Tests the colour schemes that the user can choose, and the colours of the background. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewer } from './modules.mjs';

/* Returns the colours of frames with these names and own counts in a scheme. */
function painted(chosen, names, self, isMarked = () => 0) {
	const picture = { version: 0, chosen: { scheme: '', marked: null, ...chosen } };
	const paint = { onThemeChange: () => {} };
	const view = { names, name: names.map((name, i) => i), self };

	viewer.makeSchemes({ picture, paint, namesOf: (module) => names.map((name) => isMarked(name, module)) });
	return names.map((name, i) => paint.adjust(view, i, '#1080f0'));
}

test('all lines of a function have one colour', () => {
	const names = ['main:src/app.c:12', 'main:src/app.c:14', 'main'];

	for (const scheme of ['name', 'hot'])
		assert.equal(new Set(painted({ scheme }, names, [])).size, 1);
});

test('a name always has the same colour, calm or warm', () => {
	const names = ['main', 'parse', 'read', '', '\u{1f600}'];

	assert.deepEqual(painted({ scheme: 'name' }, names, []),
		['#d893ca', '#9bdbd9', '#eea5c9', '#d8a2e7', '#96d2d8']);
	assert.deepEqual(painted({ scheme: 'hot' }, names, []),
		['#f82304', '#e5950c', '#fac908', '#f5e125', '#e65104']);
	assert.deepEqual(painted({}, names, []), names.map(() => '#1080f0'));
	/* Black text is readable on all of them. */
	const many = Array.from({ length: 500 }, (_, i) => 'f' + i);
	const calm = painted({ scheme: 'name' }, many, []);
	assert.ok(!calm.map(viewer.parseColour).some(viewer.isDarkFill));
	assert.ok(new Set(calm).size > 450, 'few names have the same colour');
});

test('a frame with more own counts has a stronger colour', () => {
	const of = (self) => painted({ scheme: 'own' }, self.map(String), self);

	assert.deepEqual(of([0, 100, 25]), ['#e5e7eb', '#f0823c', '#ebb594']);
	assert.deepEqual(of([0, 0]), ['#e5e7eb', '#e5e7eb']);
	assert.deepEqual(of([-3, 4]), ['#e5e7eb', '#f0823c']);
});

test('frames that are not highlighted are faded', () => {
	const isA = (name, module) => (module === 'm' && name === 'a' ? 1 : 0);

	assert.deepEqual(painted({ marked: 'm' }, ['a', 'b'], [], isA), ['#1080f0', '#b8d4f0']);
	assert.deepEqual(painted({ marked: 'm', scheme: 'own' }, ['a', 'b'], [1, 1], isA),
		['#f0823c', '#f0d5c3']);
});
