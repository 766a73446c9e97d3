/* The state in the address. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visitPicture } from './harness.mjs';
import { simple } from './profiles.mjs';

test('zoom and search are put into the address', async () => {
	await visitPicture(simple, {}, async (page) => {
		const { x, y } = await page.frame('print');
		await page.click('print');
		await page.search('a+b&c');
		const expected = { x: String(x), y: String(y), s: 'a+b&c' };
		assert.deepEqual(await page.query(), expected);
	});
});

test('resetting takes zoom and search out of the address', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('print');
		await page.search('lex');
		await page.click('#search');
		await page.click('#unzoom');
		assert.deepEqual(await page.query(), {});
	});
});

test('other parts of the address are kept', async () => {
	await visitPicture(simple, { query: '?theme=1#part' }, async (page) => {
		await page.click('print');
		assert.equal((await page.query()).theme, '1');
		assert.equal((await page.address()).hash, '#part');
	});
});

test('loading the address again shows the same', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		await page.search('l.x');
		const before = await page.frames();
		await page.page.reload();
		assert.deepEqual(await page.frames(), before);
		assert.equal(await page.text('unzoom'), 'Reset Zoom');
		assert.equal(await page.text('matched'), 'Matched: 40.0%');
	});
});

test('coordinates with the decimals of other tools are understood', async () => {
	let query;

	await visitPicture(simple, {}, async (page) => {
		const { x, y } = await page.frame('print');
		query = `?x=${x.toFixed(2)}&y=${y.toFixed(1)}`;
	});
	await visitPicture(simple, { query }, async (page) => {
		assert.deepEqual(await page.shown(), ['all', 'main', 'print']);
	});
});

for (const query of ['?x=&y=', '?x=1&y=1', '?x=NaN&y=null', '?x=10', '?x=%', '?s=',
	'?x=1e999&y=-0', '?x=10&y=10&x=20', '?constructor=1&__proto__=2']) {
	test(`the address ${query} is harmless`, async () => {
		await visitPicture(simple, { query }, async (page) => {
			assert.equal((await page.shown()).length, 7);
			assert.equal(await page.text('unzoom'), null);
		});
	});
}

test('an invalid pattern in the address is searched for as plain text', async () => {
	await visitPicture(simple, { query: '?s=(' }, async (page) => {
		assert.equal(await page.text('matched'), 'Matched: 0.0%');
		assert.equal(await page.text('search'), 'Reset Search');
	});
});
