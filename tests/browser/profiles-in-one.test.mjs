/* Tests several profiles in one picture: the list, links, and the picture in a page. */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import {
	becomes, draw, drawInline, readWhenAllowed, visit, visitPicture, write,
} from './harness.mjs';
import { checkPicture, merge, rows } from './model.mjs';

const cpu = 'main;parse 600\nmain;print 300\nidle 100\n';
const heap = 'main;parse;copy 4096\nmain;parse;copy;alloc 8192\nmain;table 2048\n';
const both = `# event: cpu\n# unit: ms\n${cpu}# event: heap\n# unit: bytes\n${heap}`;

const whole = (page) => page.ask(({ scope }) =>
	document.querySelector(scope).querySelector('.fg-state span')?.textContent);
const options = (page) => page.ask(({ scope }) =>
	Array.from(document.querySelector(scope).querySelectorAll('.fg-profiles option'),
		({ textContent, selected }) => (selected ? '*' : '') + textContent));

/* Chooses a profile like a user who knows the browser's list. */
async function choose(page, name) {
	await page.ask(({ scope, name: value }) => {
		const list = document.querySelector(scope).querySelector('.fg-profiles select');
		list.value = value;
		list.dispatchEvent(new Event('change'));
	}, { name });
}

const shows = (page, text) => becomes(() => whole(page), text);

test('one profile has no list', async () => {
	assert.doesNotMatch(draw(`# event: cpu\n# unit: ms\n${cpu}`), /fg:profile\b/);
	await visitPicture(`# event: cpu\n# unit: ms\n${cpu}`, {}, async (page) => {
		assert.deepEqual(await options(page), []);
	});
});

test('the list changes the profile, and the address names it', async () => {
	await visitPicture(both, {}, async (page) => {
		assert.deepEqual(await options(page), ['*cpu: 1 s', 'heap: 14 KiB']);
		checkPicture(await page.frames(), rows(merge(cpu)));
		await choose(page, 'heap');
		await shows(page, '100% = 14 KiB of heap');
		await page.ready();
		assert.deepEqual(await options(page), ['cpu: 1 s', '*heap: 14 KiB']);
		assert.deepEqual((await page.shown()).sort(),
			['all', 'alloc', 'copy', 'main', 'parse', 'table']);
		assert.equal((await page.frame('all')).title, 'all (14,336 bytes, 100%)');
		await page.hover('alloc');
		assert.match(await page.text('details'), /^Function: alloc \(8,192 bytes, 57\.14%\) · 8 KiB/);
		await page.click('copy');
		await becomes(() => page.state(), { p: ['heap'], z: ['main;parse;copy'] });
		await choose(page, 'cpu');
		await shows(page, '100% = 1 s of cpu');
		await page.ready();
		/* The part of the zoom that exists in both stays. */
		assert.deepEqual((await page.shown()).sort(), ['all', 'main', 'parse']);
	});
});

test('only profiles that are not differentials have colours by module', async () => {
	const difference = '# event: heap\n# unit: bytes\nmain;a::parse 10 90\nmain;b::sum 30 10\n';
	const plain = '# event: cpu\n# unit: ms\nmain;a::parse 60\nmain;b::sum 30\n';
	const schemes = (page) => page.ask(({ scope }) => document.querySelector(scope)
		.querySelectorAll('.fg-foot select, .fg-key').length);

	for (const text of [plain + difference, difference + plain])
		for (const [name, count] of [['cpu', 2], ['heap', 0]])
			await visitPicture(text, { query: '#p=' + name }, async (page) => {
				assert.equal(await schemes(page), count);
			});
});

test('before the data are read the root is already that of the profile', async () => {
	const options = { viewer: false, query: '#p=heap', init: readWhenAllowed };

	for (const args of [[], ['--inverted']])
		await visitPicture(both, { ...options, args }, async (page) => {
			await shows(page, '100% = 14 KiB of heap');
			const [root, ...others] = await page.frames();
			assert.equal(root.title, 'all (14,336 bytes, 100%)');
			assert.deepEqual(others, []);
			await page.ask(() => window.goOn());
			await page.ready();
			const { title, top } = await page.frame('all');
			assert.deepEqual([title, Math.round(top)], [root.title, Math.round(root.top)]);
		});
});

test('a link names a profile and its state', async () => {
	await visitPicture(both, { query: '#p=heap&z=main;parse' }, async (page) => {
		assert.equal(await whole(page), '100% = 14 KiB of heap');
		assert.deepEqual((await page.shown()).sort(), ['all', 'alloc', 'copy', 'main', 'parse']);
		await page.press('Escape');
		await becomes(() => page.state(), { p: ['heap'] });
		await page.search('table');
		await becomes(async () => (await page.text('matched')).startsWith('Matched: 14.3%'), true);
	});
});

test('an unknown name leads to the first profile', async () => {
	await visitPicture(both, { query: '#p=nobody' }, async (page) => {
		assert.equal(await whole(page), '100% = 1 s of cpu');
	});
	await visitPicture(both, { query: '#p=%E0%A4%A' }, async (page) => {
		assert.equal(await whole(page), '100% = 1 s of cpu');
	});
});

test('Back leads to the profile before', async () => {
	await visitPicture(both, {}, async (page) => {
		await choose(page, 'heap');
		await shows(page, '100% = 14 KiB of heap');
		await page.ready();
		await page.back();
		await shows(page, '100% = 1 s of cpu');
	});
});

const isOnList = (page) => page.ask(() => document.activeElement?.name === 'profile');

test('the focus stays on the list for users of the keyboard', async () => {
	const three = `${both}# event: faults\nmain 7\n`;

	await visitPicture(three, {}, async (page) => {
		await page.ask(() => document.querySelector('.fg-profiles select').focus());
		await page.page.keyboard.press('ArrowDown');
		await shows(page, '100% = 14 KiB of heap');
		await page.ready();
		await becomes(() => isOnList(page), true);
		await page.page.keyboard.press('ArrowDown');
		await shows(page, '100% = 7 samples of faults');
		await page.ready();
		await becomes(() => isOnList(page), true);
		await page.back();
		await shows(page, '100% = 14 KiB of heap');
		await page.back();
		await shows(page, '100% = 1 s of cpu');
	});
});

test('a search and a view stay with another profile, and Forward works', async () => {
	await visitPicture(both, {}, async (page) => {
		await page.search('parse');
		await page.press('i');
		await choose(page, 'heap');
		await shows(page, '100% = 14 KiB of heap');
		await page.ready();
		await becomes(async () => (await page.text('matched')).startsWith('Matched: 85.7%'), true);
		assert.deepEqual((await page.state()).q, ['parse']);
		const state = await page.state();
		await page.back();
		await shows(page, '100% = 1 s of cpu');
		await page.ready();
		await becomes(async () => (await page.text('matched')).startsWith('Matched: 60.0%'), true);
		await page.ask(() => window.history.forward());
		await shows(page, '100% = 14 KiB of heap');
		await page.ready();
		assert.deepEqual(await page.state(), state);
	});
});

for (const [width, height, most] of [[1280, 800, 64], [360, 740, 111], [390, 844, 126]])
	test(`the list takes no row of its own: ${width}`, async () => {
		const named = both.replace('event: cpu', 'event: cpu-clock');

		await visitPicture(named, { size: { width, height } }, async (page) => {
			const [head, list] = await page.ask(() => ['.fg-head', '.fg-profiles select']
				.map((one) => document.querySelector(one).getBoundingClientRect())
				.map((box) => ({ width: box.width, height: box.height, right: box.right })));
			assert.ok(head.height <= most, `${head.height} of ${height}`);
			assert.ok(list.right <= width && list.width > 90, JSON.stringify(list));
		});
	});

test('names with special characters work', async () => {
	const special = `# event: a&p=b#~1\n# unit: ms\n${cpu}# event: <script>alert(1)</script>\n${heap}`;

	await visitPicture(special, {}, async (page) => {
		await choose(page, '<script>alert(1)</script>');
		await becomes(async () => (await page.shown()).includes('alloc'), true);
		await page.ready();
		await choose(page, 'a&p=b#~1');
		await shows(page, '100% = 1 s of a&p=b#~1');
	});
});

test('in a page the picture changes alone, and others stay', async () => {
	const html = write('inline.html', `<!DOCTYPE html><meta charset="utf-8"><title>two</title>
		<div id="first">${drawInline(both)}</div><div id="second">${drawInline(cpu)}</div>`);

	await visit([html], { viewer: false }, async (page) => {
		const first = page.within('#first svg');
		await first.ready();
		await page.within('#second svg').ready();
		await choose(first, 'heap');
		await shows(first, '100% = 14 KiB of heap');
		await first.ready();
		/* Here, too, the focus stays on the list. */
		await becomes(() => page.ask(() => document.activeElement ===
			document.querySelector('#first .fg-profiles select')), true);
		assert.equal((await page.address()).hash, '');
		await choose(first, 'cpu');
		await shows(first, '100% = 1 s of cpu');
		assert.equal(await whole(page.within('#second svg')), '100% = 1,000 samples');
	});
});

test('each profile has its own legend, on the screen and in the static picture', async () => {
	const modules = both.replace('main;print', 'main;Store::print')
		.replace('parse;copy;alloc', 'Index::find;malloc');
	const entries = (page) => page.ask(() => Array.from(
		document.querySelectorAll('.fg-legend'), ({ textContent }) => textContent));
	/* Returns the texts of the static picture that are printed. */
	const written = (page) => page.ask(() => Array.from(
		document.querySelectorAll('svg > g > .fg-swatch + text, svg > g > .fg-whole'),
		({ textContent }) => textContent));
	const cpu = ['Self by module:', 'no module 70.0%', 'Store 30.0%'];
	const heap = ['Self by module:', 'libc 57.1%', 'no module 42.9%', 'Index 0.0%'];

	await visitPicture(modules, {}, async (page) => {
		assert.deepEqual(await entries(page), cpu);
		assert.deepEqual(await written(page), ['100% = 1 s of cpu', ...cpu]);
		await choose(page, 'heap');
		await shows(page, '100% = 14 KiB of heap');
		await page.ready();
		assert.deepEqual(await entries(page), heap);
		assert.deepEqual(await written(page), ['100% = 14 KiB of heap', ...heap]);
		await choose(page, 'cpu');
		await shows(page, '100% = 1 s of cpu');
		await page.ready();
		assert.deepEqual(await entries(page), cpu);
	});
});

test('Back leads to the profile before, whatever was done with the other', async () => {
	await visitPicture(both, {}, async (page) => {
		await choose(page, 'heap');
		await shows(page, '100% = 14 KiB of heap');
		await page.ready();
		await page.click('copy');
		await becomes(() => page.state(), { p: ['heap'], z: ['main;parse;copy'] });
		await page.back();
		await becomes(async () => (await page.state()).z, undefined);
		await page.back();
		await shows(page, '100% = 1 s of cpu');
	});
});

test('a saved page has the profile that was shown', async () => {
	const special = both.replace('event: heap', 'event: 50%25 heap');

	await visitPicture(special, {}, async (page) => {
		await choose(page, '50%25 heap');
		await shows(page, '100% = 14 KiB of 50%25 heap');
		await page.ready();
		const saved = write('saved.svg', await page.ask(() =>
			new XMLSerializer().serializeToString(document.documentElement)));
		await visit([saved], {}, async (again) => {
			await shows(again, '100% = 14 KiB of 50%25 heap');
			await choose(again, 'cpu');
			await shows(again, '100% = 1 s of cpu');
			await again.ready();
			await again.back();
			await shows(again, '100% = 14 KiB of 50%25 heap');
		});
	});
});

test('without scripts the first profile is complete and the others are named', async () => {
	await visitPicture(both, { script: false }, async (page) => {
		checkPicture(await page.frames(), rows(merge(cpu)));
		assert.ok(await page.ask(() =>
			/cpu; also in this file: heap \(bytes\)/.test(document.documentElement.textContent)));
	});
});
