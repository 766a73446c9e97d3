/* Tests the overview, which is shown if the window has only a part of the picture. */

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from './sample.mjs';
import { becomes, drawInline, visit, visitPicture, write } from './harness.mjs';
import { shared, simple } from './profiles.mjs';

const deep = Array.from({ length: 120 }, (_, i) => `f${i}`).join(';') + ' 100\n' +
	'f0;other 50\n';
const low = { size: { width: 1220, height: 500 } };

/* Returns the same shares with more frames. */
const many = (folded) => folded.replace(/\d+$/gm, (count) => count * 1e5) +
	Array.from({ length: 80 }, (_, i) => `idle;x${i} 1\n`).join('');

/* Returns the map and its box in the window, or null. */
const map = (page) => page.ask(() => {
	const element = document.querySelector('.fg-map');
	const place = (one) => {
		const { left, top, width, height } = one.getBoundingClientRect();
		return { left, top, width, height };
	};
	return element && element.getClientRects().length > 0 ?
		{ map: place(element.querySelector('canvas')), box: place(element.querySelector('i')),
			hidden: element.getAttribute('aria-hidden') } : null;
});
const isThere = (page, expected) => becomes(async () => await map(page) !== null, expected);
const scrollY = (page) => page.ask(() => window.scrollY);

test('a picture that is completely in the window has no overview', async () => {
	await visitPicture(many(simple), {}, async (page) => {
		await page.settle();
		assert.equal(await map(page), null);
		await page.click('parse');
		await isThere(page, true);
		assert.equal((await map(page)).hidden, 'true');
		await page.press('Escape');
		await isThere(page, false);
	});
});

test('a picture of few frames has one, too', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		await isThere(page, true);
	});
	await visitPicture(deep.replace('f0;other 50\n', ''), low, comesWithUse);
});

test('the overview marks the part that a zoom shows, and leads to other parts', async () => {
	await visitPicture(many(shared), {}, async (page) => {
		await page.click('beta');
		await isThere(page, true);
		const { map: whole, box } = await map(page);
		/* idle (15) and alpha (40) of 100 come first. */
		assert.ok(Math.abs(box.left - whole.left - 0.55 * whole.width) < 3, `${box.left}`);
		assert.ok(Math.abs(box.width - 0.45 * whole.width) < 3, `${box.width}`);
		await page.page.mouse.click(whole.left + 0.3 * whole.width, whole.top + 10);
		await becomes(async () => (await page.state()).z, ['main;alpha']);
		await becomes(async () => Math.abs((await map(page)).box.left - whole.left -
			0.15 * whole.width) < 3, true);
	});
});

/* Returns the colours of the map in the middle of its first and its last row. */
const ends = (page) => page.ask(() => {
	const canvas = document.querySelector('.fg-map canvas');
	const copy = canvas.cloneNode(false);
	const context = copy.getContext('2d', { willReadFrequently: true });
	context.drawImage(canvas, 0, 0);
	return [1, canvas.height - 2].map((y) =>
		`rgb(${[...context.getImageData(canvas.width / 2, y, 1, 1).data].slice(0, 3).join(', ')})`);
});

test('it has the colours, the side of the root and the matches of the picture', async () => {
	await visitPicture(many('main;run;work 60\nmain;run;rest 40\n'), {}, async (page) => {
		const { fill: root } = await page.frame('all');
		await page.click('work');
		await isThere(page, true);
		const [first, last] = await ends(page);
		assert.equal(last, root);
		assert.notEqual(first, root);
		await page.press('i');
		await becomes(async () => (await ends(page))[0], root);
		await page.search('^all$');
		await becomes(async () => (await ends(page))[0], 'rgb(230, 0, 230)');
		await page.click('#search');
		await becomes(async () => (await ends(page))[0], root);
	});
});

test('it has a row for each row of callers and callees', async () => {
	const callers = 'a;b;c;d;e;f;g;middle';

	await visitPicture(`${callers};x;y 60\n${callers};z 40\n`, {}, async (page) => {
		await page.click('middle', 'Control');
		await page.click('x');
		await isThere(page, true);
		/* Rows of 4 pixels: seven callers, the function, two of callees. */
		assert.equal((await map(page)).map.height, 40);
	});
});

/* Checks that the map comes with the first action: at first nothing covers the picture. */
async function comesWithUse(page) {
	await isThere(page, false);
	await page.page.mouse.move(3, 300);
	await isThere(page, true);
}

test('in a high picture it marks the rows in the window, and dragging scrolls', async () => {
	for (const args of [[], ['--inverted']])
		await visitPicture(deep, { ...low, args }, async (page) => {
			await comesWithUse(page);
			const { map: whole, box } = await map(page);
			const head = await page.ask(() =>
				document.querySelector('.fg-state').getBoundingClientRect().bottom);
			assert.ok(whole.top > head && whole.top + whole.height < 500, `${whole.top}`);
			const atBase = args.length > 0 ? box.top - whole.top :
				whole.top + whole.height - box.top - box.height;
			assert.ok(Math.abs(atBase) < 4 && box.height < whole.height / 2, `${atBase}`);
			const x = whole.left + 20;
			await page.page.mouse.move(x, box.top + 3);
			await page.page.mouse.down();
			/* A drag may leave the map at the side. */
			await page.page.mouse.move(x - 400, whole.top + whole.height / 2);
			await page.page.mouse.up();
			await becomes(async () => {
				const y = await scrollY(page);
				return y > 500 && y < 1000;
			}, true);
			await becomes(async () => {
				const now = await map(page);
				return Math.abs(now.box.top + now.box.height / 2 - whole.top -
					whole.height / 2) < 6;
			}, true);
			assert.deepEqual(await page.state(), {});
		});
});

test('beside the table it stays over the graph, and a table alone has no map', async () => {
	await visitPicture(deep, low, async (page) => {
		await page.press('t');
		await becomes(async () => (await map(page)).map.left < 600, true);
	});
	await visitPicture(deep, { size: { width: 390, height: 844 } }, async (page) => {
		await comesWithUse(page);
		await page.press('t');
		await isThere(page, false);
		await page.press('t');
		await isThere(page, true);
	});
});

test('it is on the side where it covers no frame', async () => {
	const tower = (name) => `${name};${'deep;'.repeat(80)}end 10\n`;

	for (const [folded, isLeft] of [[tower('z') + 'a 90\n', true],
		[tower('a') + 'z 90\n', false]])
		await visitPicture(folded, low, async (page) => {
			await comesWithUse(page);
			const { left, width } = (await map(page)).map;
			assert.equal(left < 600, isLeft);
			/* There may be a scroll bar on the right. */
			const margin = isLeft ? left : 1220 - left - width;
			assert.ok(margin >= 8 && margin < (isLeft ? 11 : 30), `${margin}`);
		});
});

test('where it would hide a frame it comes only if the user asks for it', async () => {
	const spikes = Array.from({ length: 60 }, (_, i) =>
		`s${i};${'deep;'.repeat(80)}end 10\n`).join('');

	await visitPicture(spikes, low, async (page) => {
		await page.page.mouse.move(3, 300);
		await sleep(300);
		assert.equal(await map(page), null);
		await page.click('[name="menu"]');
		await page.click('[name="overview"]');
		await isThere(page, true);
	});
});

test('it is small on a phone, and not there for few rows', async () => {
	await visitPicture(deep, { size: { width: 390, height: 844 } }, async (page) => {
		await comesWithUse(page);
		assert.equal((await map(page)).map.width, 104);
	});
	const rows = Array.from({ length: 28 }, (_, i) => `f${i}`).join(';') + ' 100\n';
	await visitPicture(rows, low, async (page) => {
		await page.page.mouse.move(3, 300);
		await sleep(300);
		assert.ok(await page.ask(() =>
			document.documentElement.scrollHeight - window.innerHeight > 48));
		assert.equal(await map(page), null);
	});
});

test('a fresh page says how many rows are out of sight', async () => {
	const hint = (page) => page.ask(() =>
		Array.from(document.querySelectorAll('.fg-foot > div'))
			.map(({ textContent }) => textContent).find((text) => text.startsWith('Click')));

	await visitPicture(deep, low, async (page) => {
		await becomes(async () =>
			Number(/ Scroll for (\d+) more rows\.$/.exec(await hint(page))[1]) > 90, true);
		await comesWithUse(page);
		assert.doesNotMatch(await hint(page), /Scroll/);
	});
	await visitPicture(simple, {}, async (page) => {
		await page.settle();
		assert.doesNotMatch(await hint(page), /Scroll/);
	});
});

test('it takes little of a low window', async () => {
	await visitPicture(deep, low, async (page) => {
		await comesWithUse(page);
		for (const height of [500, 300, 700]) {
			await page.page.setViewportSize({ width: 1220, height });
			await becomes(async () => (await map(page)).map.height <=
				Math.min(80, height / 8) + 1, true);
		}
		await becomes(async () => (await map(page)).map.height > 60, true);
	});
});

test('it can be hidden', async () => {
	await visitPicture(deep, low, async (page) => {
		await comesWithUse(page);
		await page.click('[name="menu"]');
		await page.click('[name="overview"]');
		await isThere(page, false);
		await page.click('f1');
		await page.settle();
		assert.equal(await map(page), null);
	});
});

test('it is not in a page around the picture, which has a scroll bar of its own', async () => {
	const html = write('map.html', '<!DOCTYPE html><meta charset="utf-8"><title>map</title>' +
		`<div>${drawInline(many(simple))}</div>`);

	await visit([html], {}, async (page) => {
		await page.click('parse');
		await page.settle();
		assert.equal(await map(page), null);
	});
});
