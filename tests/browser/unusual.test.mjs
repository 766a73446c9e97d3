/* Tests unusual profiles, and options that change numbers and sizes. */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { becomes, visitPicture } from './harness.mjs';
import { checkPicture, detailsOf, find, locate, merge, rows } from './model.mjs';
import { large, simple } from './profiles.mjs';

test('a single frame is shown', async () => {
	await visitPicture('main 1000\n', {}, async (page) => {
		assert.deepEqual(await page.shown(), ['all', 'main']);
		await page.click('main');
		assert.equal(await page.text('unzoom'), 'Reset Zoom');
		await page.search('main');
		await becomes(() => page.text('search'), 'Reset Search');
		await page.press('i', 'r', 's', 'u', 'u', 'u', 'Escape');
		assert.deepEqual(await page.shown(), ['all', 'main']);
		await page.click('main', 'Alt');
		await page.press('n', 'u');
		assert.deepEqual(await page.shown(), ['all', 'main']);
		await page.click('main', 'Control');
		await page.press('u');
		assert.deepEqual(await page.shown(), ['all', 'main']);
	});
});

test('counts of zero are allowed', async () => {
	await visitPicture('main;a 0\nmain;b 100\nnone 0\n', {}, async (page) => {
		checkPicture(await page.frames(), rows(merge('main;b 100\n')));
		await page.search('^a$|none');
		await becomes(() => page.text('matched'), 'No match');
		await page.press('n', 'N', 'r', 's', 'Escape');
	});
});

test('a profile with counts of zero alone is shown', async () => {
	await visitPicture('main;a 0\nb 0\n', { viewer: false }, async (page) => {
		await page.press('i', 'r', 's', 'n', 'u', 'Escape', '/');
	});
});

test('20,000 frames on top of each other are shown', async () => {
	const stack = Array.from({ length: 20000 }, (_, i) => 'f' + i).join(';');

	await visitPicture(`${stack} 10\nf0 90\n`, {}, async (page) => {
		await page.click('f10');
		const zoomed = await page.frame('f10');
		assert.equal(zoomed.width, (await page.frame('all')).width);
		await page.press('Escape');
		await page.search('^f19999$');
		await becomes(async () => /^Matched: 10.0% of all · 1 frame/.test(await page.text('matched')),
			true);
		await page.press('n', ' ');
		await page.press('r', 'u', 's', 'i', 'u', 'u', 'Escape');
		assert.equal((await page.frame('all')).width, zoomed.width);
	});
});

test('a flame chart keeps the order and merges only neighbours', async () => {
	const chart = 'z;a 10\nz;b 20\na;x 30\nz;b 5\nz;b;deep 5\nz;a 30\n';
	const root = merge(chart, { order: 'input' });

	await visitPicture(chart, { args: ['--flamechart'] }, async (page) => {
		const check = (zoom) => async () => checkPicture(await page.frames(), rows(zoom));
		await check(root)();
		assert.deepEqual((await page.shown()).slice(1, 4), ['z', 'a', 'z']);
		const [, , , last] = await page.frames();
		await page.click(last.title);
		await check(root.children[2])();
		await page.press('Escape');
		await check(root)();
		await page.search('^b$');
		await becomes(async () => /^Matched: 30.0% of all · 2 frames$/.test(
			await page.text('matched')), true);
	});
});

test('a flame chart is not sorted, neither by key nor by a link', async () => {
	const chart = Array.from({ length: 3000 }, (_, i) => `f${i % 7};g 1\n`).join('');
	const size = { width: 2810, height: 400 };

	await visitPicture(chart, { args: ['--flamechart'], size, query: '#v=s' }, async (page) => {
		/* Narrow frames follow when the page is idle. */
		await becomes(async () => (await page.shown()).length > 2 * 2700, true);
		const before = await page.shown();
		assert.deepEqual(before.slice(1, 6), ['f0', 'f1', 'f2', 'f3', 'f4']);
		await page.press('s');
		assert.deepEqual(await page.shown(), before);
		assert.ok(await page.ask(() => document.querySelector('[name=sort]') === null));
		await page.press('?');
		assert.ok(!await page.ask(() => /sort by/.test(
			document.querySelector('.fg-help').textContent)));
	});
});

test('a link into a flame chart finds the frame again', async () => {
	const chart = 'z;a 10\ny;x 30\nz;b 50\n';

	await visitPicture(chart, { args: ['--flamechart'] }, async (page) => {
		await page.click('b');
		const before = await page.shown();
		const { href } = await page.address();
		await page.page.goto('about:blank');
		await page.page.goto(href);
		await page.ready();
		await becomes(() => page.shown(), before);
	});
});

test('a flame chart keeps its gaps', async () => {
	const chart = 'a;b 10\na 5\na;b 10\na 5\nc;b 70\n';
	const shares = [['all', 0, 1], ['a', 0, 0.3], ['c', 0.3, 0.7], ['b', 0, 0.1],
		['b', 0.15, 0.1], ['b', 0.3, 0.7]];

	await visitPicture(chart, { args: ['--flamechart'] }, async (page) => {
		const expected = shares.map(([name, left, width]) => ({ name, left, width }));
		checkPicture(await page.frames(), expected);
		await page.click('a');
		checkPicture(await page.frames(), [['all', 0, 1], ['a', 0, 1], ['b', 0, 1 / 3],
			['b', 0.5, 1 / 3]].map(([name, left, width]) => ({ name, left, width })));
	});
});

test('--no-sort keeps the order', async () => {
	const profile = 'z;c 10\nz;a 20\na 30\n';
	const root = merge(profile, { order: 'input' });

	await visitPicture(profile, { args: ['--no-sort'] }, async (page) => {
		checkPicture(await page.frames(), rows(root));
		await page.press('s', 's');
		await page.click('z');
		checkPicture(await page.frames(), rows(find(root, 'z')));
	});
});

test('counts may have decimals', async () => {
	const profile = 'main;a 0.25\nmain;b 100.5\nc 0.001\nmain;d 7.\n';
	const root = merge(profile);

	await visitPicture(profile, {}, async (page) => {
		checkPicture(await page.frames(), rows(root));
		await page.click('main');
		checkPicture(await page.frames(), rows(find(root, 'main')));
		await page.hover('b');
		/* As in the peers' pictures, the share is that of the count shown, 100. */
		assert.match(await page.text('details'),
			/^Function: b \(100, 92\.81%\) · self 100 \(93\.27%\)/);
		await page.search('^d$');
		await becomes(async () => (await page.text('matched')).startsWith('Matched: 6.5%'),
			true);
	});
});

for (const [what, profile] of [
	['beyond 2^53', 'main;a 9007199254740993\nmain;b 9007199254740995\n'],
	['near 2^64', 'main;a 9223372036854775807\nmain;b 9223372036854775806\n'],
	['near 2^64 and tiny', 'main;a 18446744073709551614\nmain;b;c 1\n'],
]) {
	test(`counts ${what}`, async () => {
		await visitPicture(profile, {}, async (page) => {
			checkPicture(await page.frames(), rows(merge(profile)));
			await page.hover('a');
			assert.match(await page.text('details'), /^Function: a \([\d,]+, /);
			await page.click('main');
			await page.search('^a$');
			await becomes(() => page.filledWith('rgb(230, 0, 230)'), ['a']);
			await page.press('r', 's', 'i', 'u', 'u', 'u', 'Escape');
			checkPicture(await page.frames(), rows(merge(profile)));
		});
	});
}

test('--total leaves room beside the frames', async () => {
	await visitPicture(simple, { args: ['--total', '2000'] }, async (page) => {
		const all = await page.frame('all');
		const main = await page.frame('main');
		assert.ok(Math.abs(main.width / all.width - 0.45) < 0.01);
		assert.match(main.title, /^main \(900 samples, 45.00%\)/);
		await page.click('main');
		assert.ok(Math.abs((await page.frame('main')).width - all.width) < 0.2);
		await page.hover('lex');
		assert.match(await page.text('details'),
			/^Function: lex \(400 samples, 20.00%\) · self 400 \(20.00%\) · 44.44% of zoom/);
		await page.search('lex');
		await becomes(async () => (await page.text('matched')).startsWith('Matched: 20.0%'),
			true);
		await page.press('Escape');
		assert.ok(Math.abs((await page.frame('main')).width / all.width - 0.45) < 0.01);
	});
});

test('--factor changes texts only', async () => {
	await visitPicture(simple, { args: ['--factor', '0.5'] }, async (page) => {
		checkPicture(await page.frames(), rows(merge(simple)));
		await page.click('main');
		await page.hover('lex');
		assert.match(await page.text('details'),
			/^Function: lex \(200, 40.00%\) · self 200 \(40.00%\) · 44.44% of zoom/);
	});
});

test('--base cuts the frames below it', async () => {
	await visitPicture(simple, { args: ['--base', 'parse'] }, async (page) => {
		await page.click('lex');
		assert.ok((await page.shown()).includes('lex'));
	});
});

test('other heights, fonts and paddings work', async () => {
	const args = ['--height', '40', '--fontsize', '20', '--subtitle', 'two'];

	await visitPicture(simple, { args }, async (page) => {
		const heights = () => page.ask(() =>
			[...new Set(Array.from(document.querySelectorAll('#frames rect'),
				(rect) => Number(rect.getAttribute('height'))))]);
		assert.deepEqual(await heights(), [39]);
		await page.click('main');
		assert.deepEqual(await heights(), [39]);
		await page.press('i');
		checkPicture((await page.frames()).sort((a, b) => a.top - b.top),
			rows(find(merge(simple), 'main')));
	});
});

test('details are right in a large profile', async () => {
	const profile = large(2000);
	const root = merge(profile);
	const widest = root.children.reduce((a, b) => a.total >= b.total ? a : b);

	await visitPicture(profile, {}, async (page) => {
		await page.hover(locate(await page.frames(), widest));
		assert.equal((await page.text('details')).replace(/ · [\d.]+ M(?= )/, ''),
			detailsOf(widest).replace(' samples', ''));
	});
});
