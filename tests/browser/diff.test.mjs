/* Differentials: what is gone and new, noise, the legend; as the program draws them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { becomes, visitPicture } from './harness.mjs';
import { changed } from './profiles.mjs';

const looks = async (page) => (await page.frames())
	.map(({ name, fill, left, width, title }) =>
		[name, fill, Math.round(left), Math.round(width), title.replace(/ · .*/, '')])
	.sort();

for (const args of [[], ['--diff-view', 'before'], ['--diff-view', 'after'],
	['--diff-by', 'self'], ['--diff-colors', 'classic'], ['--negate'], ['--total', '4000']]) {
	test(`a redrawn differential is what the program drew: ${args.join(' ')}`, async () => {
		await visitPicture(changed, { args }, async (page) => {
			const drawn = await looks(page);
			await page.click('grown');
			await becomes(async () => (await page.frames()).some(({ name }) =>
				name === 'gone' || name === 'fresh'), false);
			await page.click('#unzoom');
			await becomes(() => looks(page), drawn);
		});
	});
}

test('what is gone is on the right, and has a colour and a word of its own', async () => {
	await visitPicture(changed, {}, async (page) => {
		const frames = await page.frames();
		const find = (wanted) => frames.find(({ name }) => name === wanted);
		const rest = frames.filter(({ top }) => top === find('gone').top);

		assert.equal(Math.max(...rest.map(({ left }) => left)), find('gone').left);
		assert.match(find('gone').title, /\(100 → 0 samples \(-100, gone\), 10.00% → 0.00%\)/);
		assert.match(find('fresh').title, /\(0 → 200 samples \(\+200, new\), 0.00% → 16.67%\)/);
		assert.notEqual(find('gone').fill, find('fresh').fill);
		assert.equal(find('same').fill, 'rgb(240, 240, 240)');
		await page.search('gone');
		await becomes(() => page.text('matched'),
			'Matched: 10.0% → 0.0% of all · 1 frame');
	});
});

test('the bars do not cover the legend', async () => {
	await visitPicture(changed, {}, async (page) => {
		const legend = await page.ask(() => Array.from(
			document.querySelectorAll('.fg-legend'),
			(item) => [item.textContent, item.getClientRects().length]));

		assert.deepEqual(legend.slice(-2), [['new', 1], ['gone', 1]]);
		assert.equal(legend.length, 7);
	});
});
