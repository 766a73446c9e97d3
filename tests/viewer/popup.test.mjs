/* Tests where a popup is placed: beside its frame, never over it, and inside the window. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewer } from './modules.mjs';

/*
 * Calls work() with a popup of a size in a window of another size. The popup remembers its
 * place.
 */
function inWindow([innerWidth, innerHeight], [offsetWidth, offsetHeight], work) {
	const { documentElement } = globalThis.document;
	const place = {};
	const style = { setProperty: (name, value) => (place[name] = value) };

	for (const name of ['top', 'maxHeight'])
		Object.defineProperty(style, name, { set: (value) => (place[name] = value) });
	globalThis.window = { innerWidth, innerHeight };
	documentElement.getBoundingClientRect = () => ({ width: innerWidth });
	documentElement.clientWidth = innerWidth;
	const done = work({ element: { offsetWidth, offsetHeight, style } });
	delete globalThis.window;
	return done === false ? false : ['left', 'top', 'maxHeight'].map((name) => parseFloat(place[name]));
}

const box = (x, top, right, bottom) => ({ x, top, right, bottom });
const beside = (size, popup, where, x) =>
	inWindow(size, popup, (one) => viewer.placeBeside(one, where, x));

test('a popup is below its frame, near the pointer', () => {
	/* Expected: left, top, and the greatest height. */
	assert.deepEqual(beside([1000, 600], [200, 100], box(0, 300, 900, 316), 400), [412, 322, 272]);
	assert.deepEqual(beside([1000, 600], [200, 100], box(0, 300, 900, 316), 900), [794, 322, 272]);
	assert.deepEqual(beside([150, 600], [200, 100], box(0, 300, 100, 316), 50), [6, 322, 272]);
	/* Just enough room. */
	assert.deepEqual(beside([1000, 428], [200, 100], box(0, 300, 900, 316), 400), [412, 322, 100]);
});

test('without room below it is above, and without both where there is more', () => {
	assert.deepEqual(beside([1000, 427], [200, 100], box(0, 300, 900, 316), 400), [412, 194, 288]);
	assert.deepEqual(beside([1000, 300], [200, 100], box(0, 80, 900, 230), 400), [412, 6, 68]);
	assert.deepEqual(beside([1000, 300], [200, 100], box(0, 80, 900, 220), 400), [412, 226, 68]);
	assert.deepEqual(beside([1000, 300], [200, 100], box(0, 82, 900, 221), 400), [412, 6, 70]);
});

test('beside a high frame it is on the right or the left, or nowhere', () => {
	/* With less than 48 pixels nothing could be read. */
	assert.deepEqual(beside([1000, 300], [200, 100], box(0, 20, 700, 241), 400), [706, 20, 288]);
	assert.deepEqual(beside([1000, 300], [200, 100], box(0, 20, 788, 241), 400), [794, 20, 288]);
	assert.equal(beside([1000, 300], [200, 100], box(211, 20, 789, 241), 400), false);
	assert.deepEqual(beside([1000, 300], [200, 100], box(212, 20, 789, 241), 400), [6, 20, 288]);
	assert.deepEqual(beside([1000, 300], [200, 100], box(0, 20, 700, 240), 400), [412, 246, 48]);
	/* A low popup fits anywhere. */
	assert.deepEqual(beside([1000, 300], [200, 30], box(0, 20, 900, 258), 400), [412, 264, 30]);
	/* The popup stays inside the window, above and below. */
	assert.deepEqual(beside([1000, 300], [200, 100], box(0, 220, 700, 290), 400), [412, 114, 208]);
	assert.deepEqual(beside([1000, 80], [200, 100], box(0, 40, 700, 60), 400), [706, 6, 68]);
});

test('a menu has its corner at a point, and is completely in the window', () => {
	const at = (x, y, popup = [200, 100]) =>
		inWindow([1000, 600], popup, (one) => viewer.placeAt(one, x, y));

	assert.deepEqual(at(300, 200), [300, 200, 588]);
	assert.deepEqual(at(900, 550), [794, 494, 588]);
	assert.deepEqual(at(-3, 2), [6, 6, 588]);
	assert.deepEqual(at(300, 200, [200, 700]), [300, 6, 588]);
});
