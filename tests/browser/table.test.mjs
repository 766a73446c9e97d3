/* The table of functions. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { becomes, visitPicture } from './harness.mjs';
import { changed, nested, shared, simple } from './profiles.mjs';

const open = (page) => page.click('button[name="table"]');

/* The rows as texts: each has its counts and then the name. */
const table = (page) => page.ask(() =>
	Array.from(document.querySelectorAll('.fg-table tbody tr'), (row) =>
		Array.from(row.querySelectorAll('td, th'), (cell) => cell.textContent).join(' ')));

const names = async (page) => (await table(page)).map((row) => row.split(' ').pop());

test('the table has the functions by their own counts, with totals', async () => {
	await visitPicture(simple, {}, async (page) => {
		await open(page);
		assert.deepEqual(await table(page), ['40040.00% 40040.00% lex', '30030.00% 30030.00% print',
			'15015.00% 15015.00% read', '10010.00% 10010.00% idle', '505.00% 60060.00% parse',
			'00.00% 90090.00% main']);
	});
});

test('a function that calls itself is counted once', async () => {
	await visitPicture(nested, {}, async (page) => {
		await page.press('t');
		assert.ok((await table(page)).includes('4040.00% 7070.00% walk'), `${await table(page)}`);
	});
});

test('the table can be sorted, and says how', async () => {
	await visitPicture(simple, {}, async (page) => {
		const sorted = () => page.ask(() => Array.from(
			document.querySelectorAll('.fg-table thead th'),
			(cell) => cell.getAttribute('aria-sort')).join());
		await open(page);
		assert.equal(await sorted(), 'descending,none,none');
		await page.click('button[name="sort-all"]');
		assert.deepEqual((await names(page)).slice(0, 3), ['main', 'parse', 'lex']);
		assert.equal(await sorted(), 'none,descending,none');
		await page.click('button[name="sort-name"]');
		assert.deepEqual(await names(page), ['idle', 'lex', 'main', 'parse', 'print', 'read']);
		assert.equal(await sorted(), 'none,none,ascending');
	});
});

test('the search filters the table', async () => {
	await visitPicture(simple, {}, async (page) => {
		await open(page);
		await page.press('/');
		await page.type('^p');
		await becomes(() => names(page), ['print', 'parse']);
		const caption = () => document.querySelector('.fg-table caption').textContent;
		assert.equal(await page.ask(caption),
			'2 functions that match the search; shares are of 1,000 samples');
		await page.press('Escape');
		await becomes(async () => (await names(page)).length, 6);
	});
});

test('what is hidden is not in the table', async () => {
	await visitPicture(simple, {}, async (page) => {
		await open(page);
		await page.click('parse', 'Alt');
		await becomes(() => names(page), ['print', 'idle', 'main']);
	});
});

test('a row leads to the callers and callees of its function', async () => {
	await visitPicture(shared, {}, async (page) => {
		await open(page);
		await page.click('button[name="function"]');
		await becomes(() => page.state(), { m: ['memmove'] });
		assert.deepEqual((await page.shown()).sort(),
			['alpha', 'beta', 'copy', 'copy', 'main', 'main', 'memmove'].sort()
				.filter((name, i, all) => name !== 'copy' || all.indexOf(name) === i));
		await page.back();
		await becomes(() => page.state(), {});
	});
});

test('the table works by keyboard, and the focus stays on its button', async () => {
	const focus = (page) => page.ask(() =>
		`${document.activeElement.name} ${document.activeElement.textContent}`);

	await visitPicture(simple, {}, async (page) => {
		await page.press('t');
		await page.ask(() => document.querySelector('button[name="sort-all"]').focus());
		await page.press('Enter');
		assert.equal(await focus(page), 'sort-all Total');
		await page.press('Tab', 'Tab');
		assert.equal(await focus(page), 'function main');
		await page.press('Tab', 'Tab', 'Enter');
		assert.equal(await focus(page), 'function lex');
		await becomes(() => page.state(), { m: ['lex'] });
		await page.press('Escape');
		assert.deepEqual(await table(page), []);
	});
});

test('for a screen reader it is a table', async () => {
	await visitPicture(simple, {}, async (page) => {
		await open(page);
		const parts = await page.ask(() => ['table caption', 'thead th[scope=col]',
			'tbody th[scope=row]'].map((selector) =>
			document.querySelectorAll(`.fg-table ${selector}`).length));
		assert.deepEqual(parts, [1, 3, 6]);
	});
});

test('the picture makes room for the table', async () => {
	await visitPicture(simple, {}, async (page) => {
		const before = (await page.frame('all')).width;
		await open(page);
		const { left } = await page.ask(() =>
			document.querySelector('.fg-table').getBoundingClientRect().toJSON());
		const { left: start, width } = await page.frame('all');
		assert.ok(start + width <= left, `${start + width} and ${left}`);
		await open(page);
		assert.ok(Math.abs((await page.frame('all')).width - before) < 1);
	});
});

test('in a differential the table has deltas, also of what is gone', async () => {
	await visitPicture(changed, {}, async (page) => {
		await open(page);
		await page.click('button[name="sort-delta"]');
		const rows = await table(page);
		assert.deepEqual(rows.slice(0, 2), ['20016.67% 20016.67% +20016.67% fresh',
			'40033.33% 40033.33% +20016.67% grown']);
		assert.ok(rows.some((row) => row.endsWith('-100-8.33% gone')), `${rows}`);
	});
});

test('a long table is shown in parts', async () => {
	const profile = Array.from({ length: 250 }, (_, i) => `f${i} ${i + 1}\n`).join('');

	await visitPicture(profile, {}, async (page) => {
		await open(page);
		assert.equal((await names(page)).length, 200);
		await page.click('button[name="more"]');
		assert.equal((await names(page)).length, 250);
	});
});
