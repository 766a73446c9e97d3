/* The details line. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visitPicture } from './harness.mjs';
import { simple } from './profiles.mjs';

test('the details line shows the frame under the mouse', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.hover('lex');
		assert.equal(await page.text('details'), 'Function: lex (400 samples, 40.00%)');
	});
});

test('the details line follows the mouse from frame to frame', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.hover('lex');
		await page.hover('print');
		assert.equal(await page.text('details'),
			'Function: print (300 samples, 30.00%)');
	});
});

test('the details line is cleared beside the frames', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.hover('lex');
		await page.page.mouse.move(5, 5);
		assert.equal(await page.text('details'), ' ');
	});
});

test('a frame gets a stroke under the mouse', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.hover('lex');
		const strokes = await page.page.evaluate(() =>
			Array.from(document.querySelectorAll('#frames rect'))
				.filter((rect) => getComputedStyle(rect).stroke !== 'none').length);
		assert.equal(strokes, 1);
	});
});

test('the details line starts with the name type', async () => {
	await visitPicture(simple, { args: ['--nametype', 'Table:'] }, async (page) => {
		await page.hover('lex');
		assert.equal(await page.text('details'), 'Table: lex (400 samples, 40.00%)');
	});
});
