/* Tests the width of the picture. */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { becomes, drawInline, visit, visitPicture, write } from './harness.mjs';
import { checkPicture, find, merge, rows } from './model.mjs';
import { large, shared, simple } from './profiles.mjs';

/* Returns the width of the picture and that of the window. */
const widths = (page) => page.ask(({ scope }) => ({
	picture: document.querySelector(scope).getBoundingClientRect().width,
	background: document.querySelector(scope).querySelector(':scope > rect')
		.getBoundingClientRect().width,
	window: document.documentElement.clientWidth || innerWidth,
}));

const resize = (page, width) => page.page.setViewportSize({ width, height: 900 });

test('the picture is as wide as the window', async () => {
	for (const width of [500, 1000, 1700]) {
		await visitPicture(simple, { size: { width, height: 900 } }, async (page) => {
			const { picture, background } = await widths(page);
			assert.ok(Math.abs(picture - width) <= 20, `${picture} in ${width}`);
			assert.ok(Math.abs(background - width) <= 20, `${background} in ${width}`);
			checkPicture(await page.frames(), rows(merge(simple)));
		});
	}
});

test('the picture follows the window', async () => {
	await visitPicture(shared, {}, async (page) => {
		const settled = (expected) => becomes(async () => {
			const { picture } = await widths(page);
			const { width } = await page.frame('all');
			return Math.abs(picture - expected) <= 20 && Math.abs(picture - width) <= 40;
		}, true);
		for (const width of [1700, 640, 1220]) {
			await resize(page, width);
			await settled(width);
			checkPicture(await page.frames(), rows(merge(shared)));
		}
	});
});

test('zoom and search survive a change of the width', async () => {
	await visitPicture(shared, {}, async (page) => {
		await page.click('main');
		await page.search('memmove');
		const before = (await page.frame('all')).width;
		await resize(page, 800);
		await becomes(async () => (await page.frame('all')).width < before - 100, true);
		checkPicture(await page.frames(), rows(find(merge(shared), 'main')));
		assert.deepEqual(await page.filledWith('rgb(230, 0, 230)'), ['memmove', 'memmove']);
	});
});

test('wider windows show more frames and labels', async () => {
	await visitPicture(large(1500), { size: { width: 600, height: 900 } }, async (page) => {
		const count = async () => {
			const frames = await page.frames();
			return [frames.length, frames.filter(({ label }) => label).length];
		};
		const [frames, labels] = await count();
		await resize(page, 2400);
		await becomes(async () => (await count())[0] > frames, true);
		assert.ok((await count())[1] > labels);
		checkPicture(await page.frames(), rows(merge(large(1500))));
	});
});

/* A frame that can be seen at a width is drawn at it, whatever the counts are. */
test('no frame of half a pixel is missing, however narrow the window', async () => {
	const hundred = Array.from({ length: 100 }, (_, i) =>
		`app;main;w${i % 40};h${i} 1\n`).join('');
	const profiles = ['app;main;only_one 1\n', hundred, simple, large(500)];

	for (const folded of profiles)
		for (const args of [[], ['--minwidth', '0.2%']])
			await visitPicture(folded, { args }, async (page) => {
				const expected = rows(merge(folded));
				for (const width of [360, 600, 1000, 1200, 1920]) {
					const narrowest = args.length ? 0.002 * (width - 20) : 0.5;
					const isWide = async () =>
						Math.abs((await page.frame('all')).width + 20 - width) < 20;
					await resize(page, width);
					await becomes(isWide, true);
					checkPicture(await page.frames(), expected, { narrowest });
					await page.press('t');
					checkPicture(await page.frames(), expected, { narrowest });
					await page.press('t');
				}
			});
});

test('the picture is never narrower than 300 pixels', async () => {
	await visitPicture(simple, { size: { width: 200, height: 600 } }, async (page) => {
		const { picture } = await widths(page);
		assert.equal(picture, 300);
	});
});

test('controls do not overlap in a narrow window', async () => {
	await visitPicture(simple, { size: { width: 320, height: 600 } }, async (page) => {
		await page.click('main');
		await page.search('lex');
		await page.hover('lex');
		const boxes = await page.ask(() =>
			['title', 'unzoom', 'search', 'ignorecase', 'matched', 'details']
				.map((id) => document.getElementById(id))
				.filter((element) => getComputedStyle(element).visibility === 'visible' &&
					element.textContent.trim() !== '')
				.map((element) => {
					const { left, right, top, bottom } = element.getBoundingClientRect();
					return { id: element.id, left, right, top, bottom };
				}));
		const overlaps = (a, b) => a !== b && a.left < b.right && b.left < a.right &&
			a.top < b.bottom - 3 && b.top < a.bottom - 3;
		const clashes = boxes.flatMap((a) => boxes.filter((b) => overlaps(a, b))
			.map((b) => `${a.id} ${b.id}`));
		assert.deepEqual(clashes, []);
	});
});

test('--width is kept however wide the window is', async () => {
	const args = ['--width', '1000'];

	await visitPicture(simple, { args, size: { width: 1600, height: 900 } }, async (page) => {
		assert.equal((await widths(page)).picture, 1000);
		await resize(page, 700);
		await page.settle();
		assert.equal((await widths(page)).picture, 1000);
		assert.equal((await page.frame('all')).width, 980);
	});
});

test('a picture in a page is as wide as its place', async () => {
	const html = write('wide.html', '<!DOCTYPE html><meta charset="utf-8">' +
		`<div style="width: 700px; padding: 0 30px">${drawInline(simple)}</div>` +
		`<p style="width: 60%"><span>${drawInline(simple)}</span></p>` +
		`<div>${drawInline(simple, ['--width', '900'])}</div>`);

	await visit([html], { size: { width: 1700, height: 900 }, viewer: false },
		async (page) => {
			const pictures = ['div', 'p', 'div:last-child']
				.map((place) => page.within(`${place} svg`));
			const all = async () => Promise.all(pictures
				.map(async (one) => Math.round((await widths(one)).picture)));
			for (const one of pictures)
				await one.ready();
			const place = await page.page.evaluate(() => document.querySelector('p').clientWidth);
			assert.deepEqual(await all(), [700, place, 900]);
			checkPicture(await pictures[0].frames(), rows(merge(simple)));
			await resize(page, 1000);
			await becomes(async () => (await all())[1] < place - 300, true);
			checkPicture(await pictures[1].frames(), rows(merge(simple)));
		});
});

test('changing the width adds nothing to the history', async () => {
	await visitPicture(simple, {}, async (page) => {
		const length = () => window.history.length;
		const before = await page.ask(length);
		for (const width of [900, 1000, 1100])
			await resize(page, width);
		await page.settle();
		assert.equal(await page.ask(length), before);
	});
});
