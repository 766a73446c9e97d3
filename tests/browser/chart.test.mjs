/*
 * Tests time in a flame chart: the axis, zooming and moving by wheel, drag and keys, and
 * charts of more samples than pixels.
 */

import assert from 'node:assert/strict';
import { emulated } from './browsers.mjs';
import { becomes, draw, visitPicture } from './harness.mjs';
import { chart, checkPicture, rows } from './model.mjs';
import { test } from './sample.mjs';

const MS = 1e6;
const args = ['--flamechart'];

/*
 * Four seconds in samples of a millisecond: requests of 10 ms, and once, at 2.1 s, other work
 * for 20 ms.
 */
const samples = Array.from({ length: 4000 }, (_, i) => {
	const what = i >= 2100 && i < 2120 ? 'rebuild' : `serve;part${Math.floor(i / 10) % 3}`;
	return `app;main;${what}`;
});
const linesOf = (from, to) => samples.slice(from, to).map((stack) => `${stack} ${MS}\n`).join('');
const folded = '# event: cpu-clock\n# unit: ns\n# sample-weight: 1000000\n' + linesOf(0, 4000);

const opened = (query, work) => visitPicture(folded, { args, query }, work);

const chips = (page) => page.ask(({ scope }) =>
	Array.from(document.querySelector(scope).querySelectorAll('.fg-chip:not([hidden]) > span'),
		({ textContent }) => textContent.trim()).filter((text) => /^time/.test(text)));
const chipsAre = (page, ...texts) => becomes(() => chips(page), texts);
const ticks = (page) => page.ask(({ scope }) => Array.from(
	document.querySelector(scope).querySelectorAll('.fg-ticks text'),
	({ textContent }) => textContent));

/* Returns the place of a time in the frames, if the shown part is from..to, in ms. */
async function placeOf(page, time, from = 0, to = 4000) {
	const [all] = await page.frames();

	return {
		x: all.left + all.width * (time - from) / (to - from),
		y: (await page.point('main')).y,
	};
}

/* Returns the place of a time on the axis. */
async function axisAt(page, time, y = 20) {
	const { x } = await placeOf(page, time);
	const top = await page.ask(({ scope }) =>
		document.querySelector(scope).querySelector('.fg-time').getBoundingClientRect().y);

	return { x, y: top + y };
}

async function drag(page, from, to) {
	await page.page.mouse.move(from.x, from.y);
	await page.page.mouse.down();
	await page.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
	await page.page.mouse.move(to.x, to.y);
	await page.settle();
	await page.page.mouse.up();
	await page.settle();
}

const range = async (page) => ((await page.state()).t?.[0] ?? '').split(',').map(Number);

test('the wheel zooms around the pointer', async () => {
	await opened('', async (page) => {
		assert.deepEqual(await ticks(page), ['0 s', '0.5 s', '1 s', '1.5 s', '2 s', '2.5 s',
			'3 s', '3.5 s']);
		const { x, y } = await placeOf(page, 2110);
		await page.page.mouse.move(x, y);
		/* Turns with pauses between them would be several steps. */
		await Promise.all(Array.from({ length: 20 }, () => page.page.mouse.wheel(0, -100)));
		/* 4 s become 4 s / 2 ** (20 / 3). The address follows later. */
		await becomes(async () => {
			const [start, end] = await range(page);
			return Math.round((end - start) * 1000);
		}, 39);
		const [from, to] = await range(page);
		assert.ok(Math.abs((from + (to - from) * 0.5275) - 2.11) < 0.001, 'the pointer\'s time stays');
		const rebuild = await page.frame('rebuild');
		assert.ok(rebuild.width > 300, `${rebuild.width}`);
		/* The whole is that of the part. */
		const whole = await page.ask(({ scope }) =>
			document.querySelector(scope).querySelector('.fg-state span').textContent);
		assert.match(whole, /^100% = \d\d samples, \d\d\.\d+ ms of cpu-clock$/);
		checkPicture((await page.frames()).filter(({ name }) => name === 'main'),
			[{ name: 'main', left: 0, width: 1 }]);
		/* All turns of the wheel are one step. */
		await page.press('u');
		await chipsAre(page);
		await becomes(() => page.state(), {});
	});
});

test('a drag moves, and is no click', async () => {
	await opened('#t=1,2', async (page) => {
		await chipsAre(page, 'time: 1 s to 2 s (1 s)');
		checkPicture(await page.frames(), rows(chart(linesOf(1000, 2000))));
		await drag(page, await placeOf(page, 1500, 1000, 2000), await placeOf(page, 1250, 1000, 2000));
		await becomes(async () => (await range(page)).map((time) => Math.round(time * 100)), [125, 225]);
		assert.equal((await page.state()).z, undefined);
		await page.press('u');
		await chipsAre(page, 'time: 1 s to 2 s (1 s)');
		/* The range cannot leave the time of the profile. */
		await drag(page, await placeOf(page, 1010, 1000, 2000), await placeOf(page, 1900, 1000, 2000));
		await drag(page, await placeOf(page, 1010, 1000, 2000), await placeOf(page, 1900, 1000, 2000));
		await chipsAre(page, 'time: 0 s to 1 s (1 s)');
		/* The wheel moves with Shift. */
		await page.page.keyboard.down('Shift');
		await page.page.mouse.wheel(0, 600);
		await page.page.keyboard.up('Shift');
		await becomes(async () => (await range(page))[0] > 0.4, true);
	});
});

test('a finger moves, two zoom, and a tap zooms to a frame', emulated, async () => {
	await opened('#t=1,2', async (page) => {
		const client = await page.page.context().newCDPSession(page.page);
		const { y } = await page.point('main');
		const touch = (type, ...xs) => client.send('Input.dispatchTouchEvent',
			{ type, touchPoints: xs.map((x, id) => ({ x, y, id })) });
		const move = async (from, to) => {
			await touch('touchStart', ...from);
			for (let i = 1; i <= 5; i++)
				await touch('touchMove', ...from.map((x, j) => x + (to[j] - x) * i / 5));
			await page.settle();
			await touch('touchEnd');
		};
		const rounded = async () => (await range(page)).map((time) => Math.round(time * 10) / 10);

		await chipsAre(page, 'time: 1 s to 2 s (1 s)');
		await move([900], [300]);
		await becomes(rounded, [1.5, 2.5]);
		await move([460, 760], [310, 910]);
		await becomes(rounded, [1.8, 2.3]);
		await move([160, 1060], [510, 710]);
		await becomes(rounded, [0.9, 3.1]);
		await page.press('u', 'u', 'u');
		await chipsAre(page, 'time: 1 s to 2 s (1 s)');
		await touch('touchStart', 600);
		await touch('touchEnd');
		await becomes(async () => (await page.state()).z, ['app;main']);
	});
});

test('a drag on the axis zooms to a part, and Back leads back', async () => {
	await opened('', async (page) => {
		await drag(page, await axisAt(page, 2100), await axisAt(page, 2120));
		await becomes(async () => (await range(page)).map((time) => Math.round(time * 100)), [210, 212]);
		await page.frame('rebuild');
		assert.ok((await page.frame('rebuild')).width > 900);
		/* The bar above the ticks shows the part, and a press on it moves there. */
		const { x, y } = await axisAt(page, 1000, 3);
		await page.page.mouse.click(x, y);
		await becomes(async () => (await range(page)).map((time) => Math.round(time * 100)), [99, 101]);
		await page.back();
		await becomes(async () => (await range(page)).map((time) => Math.round(time * 100)), [210, 212]);
		await page.back();
		await chipsAre(page);
		/* A click on the axis does nothing. */
		const place = await axisAt(page, 2000);
		await page.page.mouse.click(place.x, place.y);
		await page.settle();
		await chipsAre(page);
	});
});

test('keys zoom and move', async () => {
	await opened('', async (page) => {
		await page.press('+', '+');
		await chipsAre(page, 'time: 1.5 s to 2.5 s (1 s)');
		await page.press('Shift+ArrowRight');
		await chipsAre(page, 'time: 1.75 s to 2.75 s (1 s)');
		await page.press('Shift+ArrowLeft', 'Shift+ArrowLeft', '-');
		await chipsAre(page, 'time: 0.75 s to 2.75 s (2 s)');
		await page.press('Escape');
		await chipsAre(page);
		/* Arrows alone go from frame to frame, as ever. */
		await page.press('+', 'Home', 'ArrowUp', 'ArrowUp');
		assert.match(await page.text('details'), /^Function: main/);
		await page.ask(({ scope }) => document.querySelector(scope).querySelector('.fg-time').focus());
		await page.press('End');
		await chipsAre(page, 'time: 2 s to 4 s (2 s)');
		await page.press('ArrowLeft');
		await chipsAre(page, 'time: 1.5 s to 3.5 s (2 s)');
		await page.press('Home');
		await chipsAre(page, 'time: 0 s to 2 s (2 s)');
		/* The keys are listed. */
		await page.press('?');
		assert.match(await page.ask(({ scope }) =>
			document.querySelector(scope).querySelector('.fg-help').textContent), /zoom in time/);
		await page.press('Escape');
		await chipsAre(page, 'time: 0 s to 2 s (2 s)');
	});
});

test('a click zooms to a frame, a search works on the part, other views too', async () => {
	await opened('#t=2.05,2.15', async (page) => {
		await page.search('rebuild');
		await becomes(async () => /20\.0% of all/.test(await page.text('matched')), true);
		await page.press('Escape');
		await page.click('rebuild');
		await becomes(async () => (await page.state()).z?.[0], 'app;main;rebuild');
		const zoomed = await page.frame('rebuild');
		const [all] = await page.frames();
		assert.equal(zoomed.width, all.width);
		assert.deepEqual((await ticks(page)).slice(0, 2), ['2.1 s', '2.102 s']);
		/* The wheel goes on from there. */
		const { x, y } = await page.point('rebuild');
		await page.page.mouse.move(x, y);
		await page.page.mouse.wheel(0, -300);
		await becomes(async () => (await range(page)).map((time) => Math.round(time * 1e3)), [2105, 2115]);
		assert.equal((await page.state()).z, undefined);
		await page.press('r');
		await becomes(async () => (await page.shown()).join(), 'all,rebuild,main,app');
		await page.press('r', 't');
		assert.match(await page.ask(({ scope }) =>
			document.querySelector(scope).querySelector('.fg-table').textContent), /rebuild/);
	});
});

test('samples narrower than a pixel have full colours, and all rows', async () => {
	const deep = '# unit: samples\n' + Array.from({ length: 20000 }, (_, i) =>
		`a;b;f${i % 7};g${i % 3}${i === 12345 ? ';x;y;z' : ''} 1\n`).join('');
	const pixels = (group) => {
		const rows = new Map();
		for (const [, y, width] of group.matchAll(/M\d+ ([\d.]+)h(\d+)/g))
			rows.set(y, (rows.get(y) ?? 0) + Number(width));
		return [...rows.values()].sort((a, b) => b - a);
	};
	/* Each pixel of the rows of f and g has a colour; x, y and z have one. */
	const [f, g, ...rest] = pixels(
		/<g class="fg-narrow".*?<\/g>/s.exec(draw(deep, [...args, '--no-script']))[0]);
	assert.deepEqual([f, g, ...rest], [1180, 1180, 1, 1, 1]);
	await visitPicture(deep, { args }, async (page) => {
		const now = () => page.ask(({ scope }) =>
			document.querySelector(scope).querySelector('.fg-narrow').outerHTML);
		await becomes(async () => pixels(await now()).length, 5);
		assert.deepEqual((await page.shown()).slice(0, 3), ['all', 'a', 'b']);
		/* Counts are on the axis. A search has its colour. */
		assert.deepEqual((await ticks(page)).slice(0, 3), ['0', '2,000', '4,000']);
		await page.search('^z$');
		await becomes(async () => /stroke="#e600e6"/.test(await now()), true);
		await page.press('Escape');
		await page.press(...Array.from({ length: 8 }, () => '+'));
		await becomes(async () => (await page.shown()).length > 20, true);
	});
});

test('a differential, a section and another order have no axis of time', () => {
	for (const [text, ...more] of [['a 100 200\n', '--flamechart'], ['a 100\nb 100\n', '--no-sort'],
		['a 100\n'], ['a 100\n', '--flamechart', '--compat=perl']])
		assert.doesNotMatch(draw(text, more), /fg-ticks|ew-resize/, more.join(' '));
	assert.match(draw('a 100\n', args), /class="fg-ticks/);
});

test('the axis is in print and in copies', emulated, async () => {
	await opened('#t=1,2', async (page) => {
		const seen = () => page.ask(({ scope }) => getComputedStyle(
			document.querySelector(scope).querySelector('.fg-ticks')).display);
		assert.equal(await seen(), 'none');
		await page.page.emulateMedia({ media: 'print' });
		assert.equal(await seen(), 'inline');
		assert.deepEqual((await ticks(page)).slice(0, 3), ['1 s', '1.1 s', '1.2 s']);
	});
});
