/* The picture without its script, and without frames. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draw, visit, visitPicture, write } from './harness.mjs';
import { narrow, simple } from './profiles.mjs';

const options = { script: false };

test('without script the picture has its title', async () => {
	await visitPicture(simple, options, async (page) => {
		assert.equal(await page.text('title'), 'Flame Graph');
	});
});

test('without script the frames have labels where they fit', async () => {
	await visitPicture(narrow, options, async (page) => {
		assert.equal((await page.frame('main')).label, 'main');
		assert.equal((await page.frame('tiny')).label, '');
	});
});

test('without script the frames have native tooltips', async () => {
	await visitPicture(simple, options, async (page) => {
		assert.equal((await page.frame('lex')).title, 'lex (400 samples, 40.00%)');
	});
});

test('without script no control is visible', async () => {
	await visitPicture(simple, options, async (page) => {
		for (const id of ['unzoom', 'search', 'ignorecase'])
			assert.equal(await page.text(id), null);
	});
});

test('the picture works as an <img>', async () => {
	const svg = write('image.svg', draw(simple));
	const html = write('image.html', '<!DOCTYPE html><img src="image.svg">');

	await visit([html, svg], {}, async ({ page }) => {
		const width = await page.evaluate(() => document.images[0].naturalWidth);
		assert.equal(width, 1200);
	});
});

test('a picture without frames is shown without an error', async () => {
	await visitPicture('', {}, async ({ page }) => {
		const name = await page.evaluate(() => document.documentElement.localName);
		assert.equal(name, 'svg');
	});
});
