/*
 * Tests the picture for people who see or use it in another way: forced colours, no motion,
 * a screen reader, keys alone; and for programs that take a headless screenshot.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from './sample.mjs';
import { emulated } from './browsers.mjs';
import { becomes, draw, visit, visitPicture, write } from './harness.mjs';

/* Enough modules for a legend, and more frames than a small picture has. */
const profile = `app;main;Index::add;Index::sort 300
app;main;Index::add;std::swap 100
app;main;Store::save;std::copy 80
app;main;Store::save 20
app;main;work 400
` + Array.from({ length: 80 }, (_, i) => `app;main;idle;x${i} 1\n`).join('');

const changed = profile.replace(/ (\d+)$/gm, (all, count) =>
	` ${count} ${count > 90 ? count * 2 : count}`);

/* Returns the colours, lines and size of the first element for a selector. */
const lookOf = (page, selector) => page.ask(({ selector: wanted }) => {
	const element = document.querySelector(wanted);
	const { backgroundColor, borderTopColor, borderTopWidth, outlineStyle } =
		getComputedStyle(element);
	const { width, height } = element.getBoundingClientRect();

	return { ground: backgroundColor, border: borderTopColor, line: borderTopWidth,
		outline: outlineStyle, width, height };
}, { selector });

const focused = (page) => page.ask(() => {
	const element = document.activeElement;
	return element && (element.getAttribute('aria-label') || element.textContent);
});

/* Presses a key until the name of the focused element starts with `start`. */
async function goTo(page, start, key = 'Tab') {
	for (let i = 0; i < 60; i++) {
		if ((await focused(page))?.startsWith(start))
			return;
		await page.press(key);
	}
	assert.fail(`${key} does not lead to ${start}`);
}

/* ---- forced colours, and no motion */

test('with forced colours buttons, shares and the overview can be seen', emulated,
	async () => {
		await visitPicture(profile, {}, async (page) => {
			await page.page.emulateMedia({ forcedColors: 'active' });
			const [on, off] = [await lookOf(page, '[name=flame]'),
				await lookOf(page, '[name=table]')];
			assert.notEqual(on.ground, off.ground);
			assert.equal(off.line, '1px');

			await page.hover('work');
			const [all, bar] = [await lookOf(page, '.fg-card .fg-share'),
				await lookOf(page, '.fg-card .fg-share i')];
			assert.ok(bar.width < all.width && bar.ground !== all.ground);
			assert.equal(all.outline, 'solid');
			assert.ok(parseFloat((await lookOf(page, '.fg-card')).line) > 0);

			await page.click('work');
			await becomes(async () => (await lookOf(page, '.fg-map i')).width > 0, true);
			const box = await lookOf(page, '.fg-map i');
			assert.equal(box.line, '2px');

			await page.press('Escape');
			await page.click('.fg-key button[value="Index"]');
			const [marked, other] = [await lookOf(page, '.fg-key button[value="Index"]'),
				await lookOf(page, '.fg-key button[value="Store"]')];
			assert.notEqual(marked.ground, other.ground);
		});
	});

test('nothing moves by itself', emulated, async () => {
	await visitPicture(profile, {}, async (page) => {
		for (const reducedMotion of ['reduce', 'no-preference']) {
			await page.page.emulateMedia({ reducedMotion });
			for (const key of ['t', '/', 'Escape', '.', 'Escape', 't', 'i', '?', '?']) {
				await page.press(key);
				assert.equal(await page.ask(() => document.getAnimations().length), 0, key);
			}
		}
	});
});

/* ---- a screen reader */

test('all controls have a name and a role', emulated, async () => {
	await visitPicture(profile, {}, async (page) => {
		const tree = () => page.page.locator('svg').first().ariaSnapshot();
		const has = (text, ...wanted) => {
			for (const one of wanted)
				assert.ok(text.includes(one), `${one} in ${text.slice(0, 3000)}`);
		};

		has(await tree(), 'group "Controls"', 'group "View"', 'button "Flame" [pressed]',
			'search:', 'textbox "Search for a regular expression"', 'group "Actions"',
			'button "Copy link"', 'tree:', 'combobox "Colours"', 'group "Modules"');
		await page.search('sort');
		has(await tree(), 'button "Previous match"', 'button "Next match"', 'of 1',
			'button "Only these"', 'button "Undo: search: sort"');
		await page.press('t');
		has(await tree(), 'textbox "Filter functions', 'button "Close the table"',
			'columnheader "Self', 'rowheader "Index::sort"');
		await page.press('t', 'Home', 'Enter');
		has(await tree(), 'menu "all"', 'menuitem "Zoom', 'menuitem "Copy name');
		await page.press('Escape', '.');
		has(await tree(), 'group "More"', 'button "Save the stacks"');
	});
	await visitPicture(changed, {}, async (page) => {
		const text = await page.page.locator('svg').first().ariaSnapshot();
		assert.match(text, /button "Before"[^]*button "After"[^]*button "Both" \[pressed\]/);
	});
});

/* ---- keys alone */

test('legend, colours, search and table can be reached by keys alone', async () => {
	await visitPicture(profile, {}, async (page) => {
		await goTo(page, 'Index');
		await page.press('Enter');
		await becomes(() => page.state(), { k: ['Index'] });
		assert.match(await focused(page), /^Index/);
		await page.press('Enter');
		await becomes(() => page.state(), { g: ['Index'] });
		await page.press('Enter');
		await becomes(() => page.state(), {});

		await page.press('/');
		await page.type('std::');
		await becomes(() => page.ask(() =>
			document.querySelector('.fg-count').textContent), '0 of 2');
		await goTo(page, 'Next match');
		await page.press('Enter');
		await becomes(() => page.ask(() =>
			document.querySelector('.fg-count').textContent), '1 of 2');
		/* The same button leads to the next one. */
		await page.press('Enter');
		await becomes(() => page.ask(() =>
			document.querySelector('.fg-count').textContent), '2 of 2');
		await page.press('/', 'Escape', 't');

		await goTo(page, 'Total', 'Shift+Tab');
		await page.press('Enter');
		assert.equal(await page.ask(() => document.querySelector('th[aria-sort=descending]')
			.textContent.startsWith('Total')), true);
		await goTo(page, 'work');
		await page.press('Enter');
		assert.match(await page.ask(() => document.querySelector('.fg-lists').textContent),
			/Callers of work/);
		await goTo(page, 'Close the table', 'Shift+Tab');
		await page.press('Enter');
		assert.equal(await page.ask(() => document.querySelector('.fg-table')), null);
	});
});

/* ---- screenshots */

/* Takes a PNG without a script of ours. Returns where something is in it. */
async function shoot(svg, { width, height }) {
	const png = path.join(path.dirname(svg), 'shot.png');
	const { status, stderr } = spawnSync(process.env.CHROMIUM || '/usr/bin/chromium', [
		'--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
		`--window-size=${width},${height}`, `--screenshot=${png}`, pathToFileURL(svg).href,
	], { encoding: 'utf8', timeout: 120000 });

	assert.equal(status, 0, stderr);
	const html = write('shot.html', '<!DOCTYPE html><title>shot</title><img src="data:' +
		`image/png;base64,${readFileSync(png).toString('base64')}">`);
	let rows;
	await visit([html], { viewer: false, accept: /^request: data:/ }, async (page) => {
		rows = await page.page.evaluate(async () => {
			const image = document.querySelector('img');
			await image.decode();
			const canvas = document.createElement('canvas');
			Object.assign(canvas, { width: image.width, height: image.height });
			const context = canvas.getContext('2d', { willReadFrequently: true });
			context.drawImage(image, 0, 0);
			/* For each row of pixels, the number that are not white, and not grey. */
			return Array.from({ length: image.height }, (_, y) => {
				const { data } = context.getImageData(0, y, image.width, 1);
				let [ink, colour] = [0, 0];
				for (let i = 0; i < data.length; i += 4) {
					const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
					ink += Math.min(r, g, b) < 200;
					colour += Math.max(r, g, b) - Math.min(r, g, b) > 16;
				}
				return { ink: ink / image.width, colour: colour / image.width };
			});
		});
	});
	return rows;
}

test('a headless screenshot has the bars on top, and the whole graph or its base', emulated,
	async () => {
		const high = Array.from({ length: 150 }, (_, i) => `f${i}`).join(';') + ' 10\n';

		for (const [what, folded, args, size] of [
			['high', high, [], { width: 1220, height: 500 }],
			['inverted', high, ['--inverted'], { width: 1220, height: 500 }],
			['low', 'app;main;work 60\napp;main;rest 40\n', [], { width: 1220, height: 700 }],
			['on a phone', high, [], { width: 500, height: 844 }],
		]) {
			const svg = write('shot.svg', draw(folded, [...args, '--theme', 'light']));
			const rows = await shoot(svg, size);
			const full = rows.map(({ colour }, y) => colour > 0.9 ? y : -1)
				.filter((y) => y >= 0);
			const bars = rows.slice(0, 40).filter(({ ink }) => ink > 0.005).length;

			assert.ok(bars >= 6, `${what}: bars on top, ${bars}`);
			assert.ok(full.length >= 40, `${what}: rows of the graph, ${full.length}`);
			assert.ok(full[0] > 40, `${what}: not behind the bars, ${full[0]}`);
			if (what === 'low')
				assert.ok(Math.abs((full[0] + full.at(-1)) / 2 - size.height / 2) < 80,
					`in the middle, from ${full[0]} to ${full.at(-1)}`);
			else
				assert.ok(full.length > 0.5 * (full.at(-1) - full[0]) &&
					full.at(-1) - full[0] > 0.6 * size.height, `${what}: no blank strip`);
		}
	});
