/* Tests the picture without its script, on paper, and without frames. */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { emulated } from './browsers.mjs';
import { draw, visitPicture } from './harness.mjs';
import { checkPicture, merge, rows } from './model.mjs';
import { large, narrow, shared, simple } from './profiles.mjs';

const controls = ['unzoom', 'search', 'ignorecase', 'matched', 'details'];

for (const [how, options] of [
	['without script', { script: false }],
	['with --no-script', { viewer: false, args: ['--no-script'] }],
]) {
	const skip = how === 'without script' ? emulated : {};

	for (const [what, profile] of [['simple', simple], ['shared', shared],
		['large', large(500)]]) {
		test(`${how} every frame is in its place: ${what}`, skip, async () => {
			await visitPicture(profile, options, async (page) => {
				const frames = await page.frames();
				/* A height of half a pixel is rounded. */
				assert.ok(Math.abs(frames[0].width - 1180) < 0.1);
				checkPicture(frames, rows(merge(profile)), { narrowest: 0.1 });
			});
		});
	}

	test(`${how} the picture has its title, labels and tooltips`, skip, async () => {
		await visitPicture(narrow, options, async (page) => {
			assert.equal(await page.text('title'), 'Flame Graph');
			assert.equal((await page.frame('main')).label, 'main');
			assert.equal((await page.frame('tiny')).label, '');
			assert.equal((await page.frame('tiny')).title, 'tiny (6 samples, 0.60%)');
		});
	});

	test(`${how} no control is visible`, skip, async () => {
		await visitPicture(simple, options, async (page) => {
			for (const id of ['unzoom', 'search', 'ignorecase'])
				assert.equal(await page.ask(({ id: wanted }) => {
					const element = document.getElementById(wanted);
					return element && getComputedStyle(element).visibility === 'visible' ?
						element.textContent : null;
				}, { id }), null);
		});
	});
}

test('--no-script leaves out the script', () => {
	const svg = draw(simple, ['--no-script']);

	assert.doesNotMatch(svg, /<script/);
	assert.doesNotMatch(svg, / on[a-z]+="/);
});

test('a picture has no handlers in attributes', () => {
	assert.doesNotMatch(draw(simple), /<[^>]* on[a-z]+="/);
});

test('on paper there is the picture without controls', emulated, async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		await page.search('lex');
		await page.press('/', '?');
		await page.page.emulateMedia({ media: 'print' });
		for (const id of controls.slice(0, 3))
			assert.equal(await page.text(id), null, id);
		assert.equal(await page.box(), null);
		const seen = await page.ask(() => ['.fg-help', '.fg-search', '.fg-focus']
			.filter((name) => {
				const element = document.querySelector(name);
				return element && element.getClientRects().length > 0 &&
					getComputedStyle(element).visibility === 'visible';
			}));
		assert.deepEqual(seen, []);
		assert.deepEqual(await page.ask(() =>
			Array.from(document.querySelectorAll('svg > g > text'))
				.filter((text) => getComputedStyle(text).visibility === 'visible' &&
					text.getClientRects().length > 0 && text.textContent.trim() !== '')
				.map((text) => text.textContent)), ['Flame Graph',
			'100% = 1,000 samples \u00b7 zoom: parse, 60.00% of all']);
		const middle = await page.ask(() => Array.from(document.querySelectorAll('svg > g > text'))
			.filter((text) => text.textContent === 'Flame Graph')
			.map((text) => text.getBoundingClientRect()).map(({ x, width }) => x + width / 2)[0]);
		assert.ok(Math.abs(middle - await page.ask(() => window.innerWidth / 2)) < 2, `${middle}`);
		assert.deepEqual(await page.shown(), ['all', 'main', 'parse', 'lex', 'read']);
	});
});

test('a picture without frames is shown without an error', async () => {
	await visitPicture('', { viewer: false }, async ({ page }) => {
		const name = await page.evaluate(() => document.documentElement.localName);
		assert.equal(name, 'svg');
	});
});
