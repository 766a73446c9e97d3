/*
 * Tests the heat map: ranges selected by mouse and keys, comparisons, searches, links,
 * print.
 */

import assert from 'node:assert/strict';
import { emulated } from './browsers.mjs';
import { becomes, draw, visit, visitPicture, write } from './harness.mjs';
import { checkPicture, merge, rows } from './model.mjs';
import { test } from './sample.mjs';

/* Ten seconds in slices of 100 ms: parse in the first half, write in the second. */
const slices = Array.from({ length: 100 }, (_, i) => i);
const timeOf = (i) => `@${String(Math.floor(i / 10)).padStart(5, '0')}.${i % 10}00`;
const stackOf = (i) => (i < 50 ? 'app;main;parse' : 'app;main;write');
const lines = slices.map((i) => [i, `${stackOf(i)} ${i === 70 ? 40 : 10}`]);
const head = '# unit: samples\n# slice: 100ms\n# start: 2026-11-23T14:05:00.000000000Z\n';
const folded = head +
	lines.map(([i, line]) => `${timeOf(i)};${line}\n${timeOf(i)};app;idle 2\n`).join('');

/* Returns the lines of a range, without slices. */
const part = (from, to) => slices
	.filter((i) => i >= from && i < to)
	.map((i) => `${lines[i][1]}\napp;idle 2\n`)
	.join('');

const whole = (page) => page.ask(({ scope }) =>
	document.querySelector(scope).querySelector('.fg-state span')?.textContent);
const chips = (page) => page.ask(({ scope }) =>
	Array.from(document.querySelector(scope).querySelectorAll('.fg-chip:not([hidden]) > span'),
		({ textContent }) => textContent.trim()).filter((text) => /^time/.test(text)));
const board = (page) => page.ask(({ scope }) =>
	document.querySelector(scope).querySelector('.fg-times')?.textContent ?? '');
const card = (page) => page.ask(({ scope }) => {
	const shown = document.querySelector(scope).querySelector('.fg-card:popover-open');
	return shown && Array.from(shown.children, ({ textContent }) => textContent);
});
const hasMap = (page) => page.ask(({ scope }) =>
	document.querySelector(scope).querySelector('[role=application]') !== null);

const opened = (query, work) => visitPicture(folded, query ? { query } : {}, async (page) => {
	await becomes(() => hasMap(page), true);
	await page.settle();
	await work(page);
});

/* Returns where a slice is in the map: ten columns of ten rows. */
const cellOf = (page, slice) => page.ask(({ scope, slice: i }) => {
	const map = document.querySelector(scope).querySelector('[role=application]');
	const [cells, marks] = map.querySelectorAll('canvas');
	const { x, y, width } = cells.getBoundingClientRect();
	const { height } = marks.getBoundingClientRect();
	return {
		x: x + (width / 10) * (Math.floor(i / 10) + 0.5),
		y: y + height - (height / 10) * ((i % 10) + 0.5),
	};
}, { slice });

/*
 * Returns the colours of slices in the cells of the map or, with 1, in the marks over it.
 */
const pixels = async (page, which, ...all) => {
	const places = [];
	for (const slice of all)
		places.push(await cellOf(page, slice));

	return page.ask(({ scope, places: at, which: i }) => {
		const canvas = document.querySelector(scope).querySelectorAll('[role=application] canvas')[i];
		const { x: left, y: top, width } = canvas.getBoundingClientRect();
		const [scale, copy] = [canvas.width / width, canvas.cloneNode(false)];
		const context = copy.getContext('2d', { willReadFrequently: true });
		context.drawImage(canvas, 0, 0);
		return at.map(({ x, y }) => Array.from(
			context.getImageData((x - left) * scale, (y - top) * scale, 1, 1).data));
	}, { places, which });
};

async function drag(page, from, to) {
	const [start, end] = [await cellOf(page, from), await cellOf(page, to)];

	await page.page.mouse.move(start.x, start.y);
	await page.page.mouse.down();
	await page.page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
	const last = await cellOf(page, to);
	await page.page.mouse.move(last.x, last.y);
	await page.settle();
	await page.page.mouse.up();
	await page.settle();
}

const chipsAre = (page, ...texts) => becomes(() => chips(page), texts);

const focusMap = (page) => page.ask(({ scope }) =>
	document.querySelector(scope).querySelector('[role=application]').focus());

const press = (page, name) => page.ask(({ scope, name: wanted }) =>
	document.querySelector(scope).querySelector(`button[name=${wanted}]`).click(), { name });

test('a picture without slices does not have the script', async () => {
	assert.doesNotMatch(draw('a;b 100\n'), /fg:slices|class="fg-heat"|heat-scale/);
	assert.match(draw(folded), /<fg:slices/);
	assert.doesNotMatch(draw(folded, ['--heatmap', 'none']), /fg:slices|class="fg-heat"/);
	assert.doesNotMatch(draw(folded, ['--heatmap', 'only']), /<script|id="frames"/);
});

test('the flame graph shows the range that is dragged', async () => {
	await opened('', async (page) => {
		checkPicture(await page.frames(), rows(merge(part(0, 100))));
		await drag(page, 60, 79);
		await chipsAre(page, 'time: 6 s to 8 s (2 s)');
		checkPicture(await page.frames(), rows(merge(part(60, 80))));
		await becomes(() => page.state(), { t: ['6,8'] });
		assert.equal(await whole(page), '100% = 270 samples');
		assert.deepEqual((await pixels(page, 1, 65, 75, 55, 85)).map(([, , , alpha]) => alpha > 0),
			[true, true, false, false], 'it is marked');
		/* One step, whichever way the drag went. */
		await page.press('u');
		await chipsAre(page);
		checkPicture(await page.frames(), rows(merge(part(0, 100))));
	});
});

test('the chip, Escape and Back lead to all of the time', async () => {
	await opened('#t=2,4', async (page) => {
		await chipsAre(page, 'time: 2 s to 4 s (2 s)');
		checkPicture(await page.frames(), rows(merge(part(20, 40))));
		await page.ask(({ scope }) => Array.from(
			document.querySelector(scope).querySelectorAll('.fg-chip:not([hidden]) button'))
			.find(({ name }) => name === 'back').click());
		await chipsAre(page);
		await becomes(() => page.state(), {});
		await page.back();
		await chipsAre(page, 'time: 2 s to 4 s (2 s)');
		await focusMap(page);
		await page.press('Escape');
		await chipsAre(page);
	});
});

test('Shift and arrows select, and cells are described', async () => {
	await opened('', async (page) => {
		await focusMap(page);
		assert.equal(await page.ask(() => document.activeElement.getAttribute('aria-label')),
			'Heat map of time: arrows move, with Shift they select, Enter selects one cell, ' +
			'B compares, Escape ends');
		await page.press('ArrowRight', 'ArrowUp');
		assert.match(await board(page), /1\.1 s: 12 samples$/);
		/* These keys are left to the browser. */
		await page.press('Control+ArrowUp', 'Alt+ArrowUp', 'Meta+ArrowUp');
		assert.match(await board(page), /1\.1 s: 12 samples$/);
		await page.press('Shift+ArrowRight', 'Shift+ArrowRight');
		await chipsAre(page, 'time: 1.1 s to 3.2 s (2.1 s)');
		checkPicture(await page.frames(), rows(merge(part(11, 32))));
		await page.press('ArrowLeft', 'Enter');
		await chipsAre(page, 'time: 2.1 s to 2.2 s (100 ms)'.replace('100 ms', '0.1 s'));
		/* The cursor goes to the ends and no further, and by ten columns. */
		for (const [key, text] of [['End', '9.9 s: 12'], ['ArrowRight', '9.9 s: 12'],
			['ArrowUp', '9.9 s: 12'], ['ArrowLeft', '8.9 s: 12'], ['PageUp', '0 s: 12'],
			['ArrowDown', '0 s: 12'], ['ArrowUp', '0.1 s: 12'], ['PageDown', '9.9 s: 12'],
			['ArrowDown', '9.8 s: 12'], ['Home', '0 s: 12']]) {
			await page.press(key);
			assert.ok((await board(page)).endsWith(`${text} samples`), `${key}: ${await board(page)}`);
		}
		await page.press(' ');
		await chipsAre(page, 'time: 0 s to 0.1 s (0.1 s)');
		/* The cell under the mouse has a card until the mouse leaves. */
		const { x, y } = await cellOf(page, 70);
		await page.page.mouse.move(x, y);
		await page.settle();
		assert.deepEqual(await card(page), ['7 s to 7.1 s', '42 samples, 3.41% of all',
			'Click to show only this time, drag for more']);
		await page.page.mouse.click(x, y, { button: 'right' });
		await page.page.mouse.move(x, y + 300);
		await page.settle();
		assert.doesNotMatch((await card(page) ?? []).join(), /Click to show/);
		await chipsAre(page, 'time: 0 s to 0.1 s (0.1 s)');
	});
});

test('the first range is compared with a second one', async () => {
	await opened('#t=6,7', async (page) => {
		await chipsAre(page, 'time: 6 s to 7 s (1 s)');
		await press(page, 'heat-compare');
		assert.match(await board(page), /Now select a range/);
		/* The comparison can be cancelled. */
		await focusMap(page);
		await page.press('Escape');
		assert.doesNotMatch(await board(page), /Now select/);
		await chipsAre(page, 'time: 6 s to 7 s (1 s)');
		await page.press('b', 'b');
		assert.doesNotMatch(await board(page), /Now select/);
		const isOn = () => page.ask(() =>
			document.querySelector('[name=heat-compare]').getAttribute('aria-pressed'));
		assert.equal(await isOn(), 'false');
		await page.press('b');
		assert.match(await board(page), /Now select a range/);
		assert.equal(await isOn(), 'true');
		await drag(page, 70, 79);
		await chipsAre(page, 'time: 6 s to 7 s (1 s), compared with 7 s to 8 s');
		assert.equal(await whole(page),
			'Before \u2192 after: 150 \u2192 120 samples (-30, -20.0%, noise)');
		assert.match(await board(page), /lessalike, or noisemorenewgone/);
		await becomes(() => page.state(), { t: ['6,7'], b: ['7,8'] });
		const write = await page.frame('write');
		assert.equal(write.fill, 'rgb(240, 240, 240)', 'noise');
		assert.equal(await isOn(), 'true');
		const [first, than, rest] = await pixels(page, 1, 65, 75, 55);
		assert.ok(first[3] > than[3] && than[3] > rest[3], 'what is compared with is paler');
		/* The table has changes while ranges are compared. */
		const headings = () => page.ask(() => Array.from(
			document.querySelectorAll('.fg-table thead th'), (one) => one.textContent).join());
		await page.ask(() => document.querySelector('[name=table]').click());
		assert.equal(await headings(), 'Change of self,Before,After,Total,Function');
		await press(page, 'heat-compare');
		await chipsAre(page, 'time: 6 s to 7 s (1 s)');
		assert.equal(await headings(), 'Self,Total,Function');
		assert.equal(await isOn(), 'false');
		assert.equal(await whole(page), '100% = 120 samples');
		await page.press('u', 'u');
		await page.ask(() => document.querySelector('[name=table]').click());
	});
	/* Counts are scaled as if both ranges were equally long. */
	await opened('#t=6,7&b=0,2', async (page) => {
		await chipsAre(page, 'time: 6 s to 7 s (1 s), compared with 0 s to 2 s, scaled by 0.5');
		const [parse, write] = [await page.frame('parse'), await page.frame('write')];
		assert.match(parse.title, /100 \u2192 0 samples \(-100, gone\)/);
		assert.match(write.title, /0 \u2192 100 samples \(\+100, new\)/);
		assert.equal(write.fill, 'rgb(204, 121, 167)');
		/* Frames that are gone are hatched, like by the program. */
		assert.match(parse.fill, /^url\("?#fg-gone"?\)$/);
		const [pattern] = draw('a 100 0\nb 100 200\n').match(/<pattern.*?<\/pattern>/s);
		assert.deepEqual(await page.ask(() => {
			const made = document.querySelector('#fg-gone');
			return [made, ...made.children].map((one) =>
				Array.from(one.attributes, ({ name, value }) => `${name}="${value}"`).sort());
		}), pattern.match(/<[a-z][^>]*>/g).map((one) => one.match(/\w+="[^"]*"/g).sort()));
	});
});

test('a larger change has a stronger colour', async () => {
	/* From the first second to the second: app 60 and 200, a 10 and 90, b 50 and 110. */
	const growing = head + slices.slice(0, 20).map((i) =>
		`${timeOf(i)};app;a ${i < 10 ? 1 : 9}\n${timeOf(i)};app;b ${i < 10 ? 5 : 11}\n`).join('');

	await visitPicture(growing, { query: '#t=1,2&b=0,1' }, async (page) => {
		await chipsAre(page, 'time: 1 s to 2 s (1 s), compared with 0 s to 1 s');
		const fills = Object.fromEntries((await page.frames())
			.map(({ name, fill }) => [name, fill]));
		assert.deepEqual([fills.app, fills.a, fills.b],
			['rgb(213, 94, 0)', 'rgb(220, 130, 59)', 'rgb(222, 144, 83)']);
	});
});

test('while two ranges are compared, colours mean changes and cannot be chosen', async () => {
	const modules = head + slices.slice(0, 20).map((i) =>
		`${timeOf(i)};app;A::run ${i < 10 ? 1 : 9}\n${timeOf(i)};app;B::run 5\n`).join('');
	const legend = (page) => page.ask(() => Array.from(
		document.querySelectorAll('.fg-key > span, .fg-foot select'), (one) =>
			(one.getClientRects().length ? one.textContent : '')).filter(Boolean));
	const red = 'rgb(213, 94, 0)';

	await visitPicture(modules, { query: '#t=1,2&b=0,1&c=hot&k=B' }, async (page) => {
		assert.deepEqual(await legend(page), []);
		assert.equal((await page.frame('A::run')).fill, red);
	});
	for (const [range, a, b] of [['0,1', '16.7%', '83.3%'], ['1,2', '64.3%', '35.7%']])
		await visitPicture(modules, { query: '#t=' + range }, async (page) => {
			const [select, heading, ...entries] = await legend(page);
			assert.match(select, /^Colours by module/);
			assert.equal(heading, 'Self by module:');
			assert.deepEqual(entries.sort(), [`A ${a}`, `B ${b}`]);
		});
});

test('keys with Shift held down are one step', async () => {
	await opened('', async (page) => {
		await focusMap(page);
		await page.press('Home');
		await page.page.keyboard.down('Shift');
		for (const [key, text] of [['ArrowRight', 'time: 0 s to 1.1 s (1.1 s)'],
			['ArrowRight', 'time: 0 s to 2.1 s (2.1 s)']]) {
			await page.page.keyboard.press(key);
			await chipsAre(page, text);
		}
		await page.page.keyboard.up('Shift');
		/* Later keys are another step. */
		await page.press('ArrowRight', 'Shift+ArrowRight');
		await chipsAre(page, 'time: 3 s to 4.1 s (1.1 s)');
		await page.press('u');
		await chipsAre(page, 'time: 0 s to 2.1 s (2.1 s)');
		await page.press('u');
		await chipsAre(page);
		/* The cell of the keys is marked while they are used. */
		const isMarked = () => page.ask(() => {
			const marks = document.querySelectorAll('[role=application] canvas')[1];
			const copy = marks.cloneNode(false);
			const context = copy.getContext('2d', { willReadFrequently: true });
			context.drawImage(marks, 0, 0);
			const { data } = context.getImageData(0, 0, copy.width, copy.height);
			return data.some((part) => part > 0);
		});
		assert.equal(await isMarked(), true);
		await page.ask(() => document.activeElement.blur());
		assert.equal(await isMarked(), false);
	});
});

test('a drag goes on beside the map', async () => {
	await opened('', async (page) => {
		const { x, y } = await cellOf(page, 20);
		await page.page.mouse.move(x, y);
		await page.page.mouse.down();
		await chipsAre(page, 'time: 2 s to 2.1 s (0.1 s)');
		const end = await cellOf(page, 40);
		await page.page.mouse.move(end.x, end.y + 300);
		await chipsAre(page, 'time: 2 s to 4.1 s (2.1 s)');
		await page.page.mouse.up();
		/* The drag has ended there. */
		const next = await cellOf(page, 60);
		await page.page.mouse.move(next.x, next.y);
		await page.settle();
		await chipsAre(page, 'time: 2 s to 4.1 s (2.1 s)');
	});
});

test('the range is marked in the heat map for print', async () => {
	await opened('#t=6.5,7.2', async (page) => {
		const mark = () => page.ask(() =>
			document.querySelector('.fg-heat .fg-range').getAttribute('d'));
		await becomes(mark, 'M6 5h1v5h-1zM7 0h1v2h-1z');
		await focusMap(page);
		await page.press('Escape');
		await becomes(mark, '');
	});
});

test('if the slices cannot be read, the program\'s map stays', async () => {
	const damaged = write('damaged.svg',
		draw(folded).replace(/(<fg:slices[^>]*>)[^<]{8}/, '$1AAAAAAAA'));

	/* Firefox itself prints what is wrong with them. */
	await visit([damaged], { accept: /^error: Failed to read data/ }, async (page) => {
		await page.click('idle');
		await becomes(() => page.state(), { z: ['app;idle'] });
		assert.equal(await hasMap(page), false);
		assert.equal(await stillIs(page), 'inline');
	});
});

test('a single slice has a heat map', async () => {
	await visitPicture(`${head}@00003.000;app;work 500\n`, {}, async (page) => {
		await becomes(() => hasMap(page), true);
		await focusMap(page);
		await page.press('Enter');
		await chipsAre(page, 'time: 3 s to 3.1 s (0.1 s)');
	});
});

test('the axis is readable in either theme', emulated, async () => {
	await opened('', async (page) => {
		/* Returns how light the ink below the cells is, at a place with much of it. */
		const ink = () => page.ask(() => {
			const [cells, { height }] = document.querySelectorAll('[role=application] canvas');
			const copy = cells.cloneNode(false);
			const context = copy.getContext('2d', { willReadFrequently: true });
			context.drawImage(cells, 0, 0);
			const { data } = context.getImageData(0, height, cells.width, cells.height - height);
			const light = data.filter((part, i) => i % 4 === 0 && data[i + 3] > 200);
			return light.length > 0 &&
				light.reduce((sum, part) => sum + part, 0) / light.length > 128;
		});
		assert.equal(await ink(), false);
		await page.page.emulateMedia({ colorScheme: 'dark' });
		await becomes(ink, true);
	});
});

test('a search shades cells, and works on the range', async () => {
	await opened('#t=0,2', async (page) => {
		await page.search('parse');
		await becomes(async () => /100% of all|83\.3% of all/.test(await page.text('matched')), true);
		const { x, y } = await cellOf(page, 10);
		await page.page.mouse.move(x, y);
		await page.settle();
		assert.deepEqual((await card(page)).slice(0, 3),
			['1 s to 1.1 s', '12 samples, 0.98% of all', '10 samples match']);
		const [found, other] = await pixels(page, 0, 30, 80);
		assert.ok(found[2] > found[1] + 50, `the colour of the search: ${found}`);
		await page.click('#search');
		const [again, before] = await pixels(page, 0, 30, 80);
		assert.ok(other[3] < before[3], 'what is not found is fainter');
		assert.deepEqual(again, before);
	});
});

test('the legend has the shade of each step', async () => {
	await opened('', async (page) => {
		const shades = await page.ask(({ scope }) => Array.from(
			document.querySelector(scope).querySelectorAll('.fg-times .fg-state i'),
			(mark) => getComputedStyle(mark).backgroundColor));
		assert.ok(shades.length > 1);
		assert.equal(new Set(shades).size, shades.length, shades.join());
		assert.ok(shades.every((shade) => /^rgba?\((?!0, 0, 0)/.test(shade)), shades.join());
	});
});

test('the time of a column is chosen from a list', async () => {
	await opened('', async (page) => {
		const texts = () => page.ask(({ scope }) => Array.from(
			document.querySelector(scope).querySelector('[name=heat-scale]').options,
			({ text, selected }) => (selected ? '*' : '') + text));
		const says = /^Time goes up each column of .*A cell is 100 ms with up to:/;
		assert.match(await board(page), says);
		assert.deepEqual(await texts(), ['500 ms', '*1 s', '2 s', '5 s']);
		await page.ask(({ scope }) => {
			const list = document.querySelector(scope).querySelector('[name=heat-scale]');
			list.value = 3;
			list.dispatchEvent(new Event('change'));
		});
		assert.deepEqual(await texts(), ['500 ms', '1 s', '2 s', '*5 s']);
		/* Now there are two columns of fifty rows. */
		await focusMap(page);
		await page.press('Home', 'ArrowRight');
		assert.match(await board(page), /5 s: 12 samples$/);
	});
});

/* Four seconds in slices of 20 ms. Five samples are in each, but twenty in that of 2.1 s. */
const stall = '# unit: samples\n# slice: 20ms\n' + Array.from({ length: 200 }, (_, i) => {
	const at = `@0000${Math.floor(i / 50)}.${String((i % 50) * 20).padStart(3, '0')}`;
	return i === 105 ? `${at};app;rebuild 20\n` : `${at};app;serve 5\n`;
}).join('');

test('one click finds a stall of 20 ms in 4 s', async () => {
	await visitPicture(stall, {}, async (page) => {
		await becomes(() => hasMap(page), true);
		await page.settle();
		/* The user sees where the map is darkest. Returns the middle of that place. */
		const dark = await page.ask(({ scope }) => {
			const canvas = document.querySelector(scope).querySelector('[role=application] canvas');
			const { x, y, width } = canvas.getBoundingClientRect();
			const [scale, copy] = [canvas.width / width, canvas.cloneNode(false)];
			const context = copy.getContext('2d', { willReadFrequently: true });
			context.drawImage(canvas, 0, 0);
			const { data } = context.getImageData(0, 0, copy.width, copy.height);
			const places = [];
			data.forEach((part, i) => {
				const isDark = i % 4 === 3 && part === 255 && data[i - 3] > 200 && data[i - 1] < 30;
				const at = (i - 3) / 4;
				if (isDark)
					places.push([at % copy.width, Math.floor(at / copy.width)]);
			});
			const [first, last] = [places[0], places[places.length - 1]];
			return {
				x: x + (first[0] + last[0]) / 2 / scale,
				y: y + (first[1] + last[1]) / 2 / scale,
				width: (last[0] - first[0]) / scale,
				height: (last[1] - first[1]) / scale,
				map: width,
			};
		});
		assert.ok(dark.map > 1100, `the map fills the width: ${dark.map}`);
		assert.ok(dark.width > 50 && dark.height > 10, `easy to hit: ${JSON.stringify(dark)}`);
		await page.page.mouse.move(dark.x, dark.y);
		await page.settle();
		assert.deepEqual((await card(page)).slice(0, 2),
			['2.1 s to 2.12 s', '20 samples, 1.97% of all']);
		/* The card is beside the pointer. */
		const near = await page.ask(({ scope }) => {
			const { x, y } = document.querySelector(scope)
				.querySelector('.fg-card:popover-open').getBoundingClientRect();
			return { x, y };
		});
		assert.ok(Math.hypot(near.x - dark.x, near.y - dark.y) < 60, JSON.stringify(near));
		await page.page.mouse.click(dark.x, dark.y);
		await chipsAre(page, 'time: 2.1 s to 2.12 s (0.02 s)');
		assert.deepEqual(await page.shown(), ['all', 'app', 'rebuild']);
		/* The mouse gives the map no ring, not even when the window gets the focus again. */
		const ring = () => page.ask(({ scope }) => {
			const map = document.querySelector(scope).querySelector('[role=application]');
			map.dispatchEvent(new FocusEvent('focus'));
			return getComputedStyle(map).outlineStyle;
		});
		assert.equal(await ring(), 'none');
		await page.press('ArrowUp');
		assert.notEqual(await ring(), 'none');
	});
});

test('an address with a time without counts shows everything', async () => {
	await opened('#t=500,600&q=parse', async (page) => {
		await chipsAre(page);
		checkPicture(await page.frames(), rows(merge(part(0, 100))));
	});
});

test('the heat map is there without scripts and on paper', emulated,
	async () => {
		await opened('#t=6,8', async (page) => {
			const seen = () => page.ask(({ scope }) => getComputedStyle(
				document.querySelector(scope).querySelector('.fg-heat')).display);
			assert.equal(await seen(), 'none');
			await page.page.emulateMedia({ media: 'print' });
			assert.equal(await seen(), 'inline');
			assert.match(await page.ask(({ scope }) =>
				document.querySelector(scope).querySelector('.fg-heat text').textContent),
			/selected: 6 s to 8 s \(2 s\)$/);
		});
	});

/* Simulates a finger by the events that the browser makes of it. */
const swipe = (page, from, to) => page.ask(({ scope, from: a, to: b }) => {
	const map = document.querySelector(scope).querySelector('[role=application]');
	const send = (type, { x, y }) => map.dispatchEvent(new PointerEvent(type, {
		...{ bubbles: true, cancelable: true, pointerType: 'touch', isPrimary: true },
		...{ pointerId: 7, button: type === 'pointermove' ? -1 : 0, clientX: x, clientY: y },
	}));
	/* The finger does not exist, so it cannot be captured. */
	map.setPointerCapture = () => {};
	send('pointerdown', a);
	send('pointermove', { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
	send('pointermove', b);
	send('pointerup', b);
}, { from, to });

test('a finger selects, and does not scroll', async () => {
	await opened('', async (page) => {
		assert.equal(await page.ask(({ scope }) => getComputedStyle(
			document.querySelector(scope).querySelector('[role=application]')).touchAction), 'none');
		await swipe(page, await cellOf(page, 20), await cellOf(page, 39));
		await chipsAre(page, 'time: 2 s to 4 s (2 s)');
		checkPicture(await page.frames(), rows(merge(part(20, 40))));
	});
});

test('a real touch selects', emulated, async () => {
	await opened('', async (page) => {
		const session = await page.page.context().newCDPSession(page.page);
		const touch = (type, point) => session.send('Input.dispatchTouchEvent',
			{ type, touchPoints: point ? [point] : [] });
		await touch('touchStart', await cellOf(page, 20));
		await touch('touchMove', await cellOf(page, 30));
		await touch('touchMove', await cellOf(page, 39));
		await touch('touchEnd');
		await chipsAre(page, 'time: 2 s to 4 s (2 s)');
	});
});

test('a link keeps the sides and the order of a comparison', async () => {
	await opened('#v=d&w=before&t=6,7&b=7,8', async (page) => {
		await becomes(() => page.state(),
			{ v: ['d'], w: ['before'], t: ['6,7'], b: ['7,8'] });
		const pressed = (name) => page.ask(({ scope, name: wanted }) =>
			document.querySelector(scope).querySelector(`button[name=${wanted}]`)
				.getAttribute('aria-pressed'), { name });
		assert.equal(await pressed('widths-before'), 'true');
		assert.equal(await pressed('by-change'), 'true');
	});
});

/* Two profiles with their own slices. The second has a second of each function. */
const second = '# event: heap\n# unit: bytes\n# slice: 100ms\n' + slices.slice(0, 20)
	.map((i) => `${timeOf(i)};app;${i < 10 ? 'read' : 'send'} ${100 + i}\n`).join('');
const secondPart = (from, to) => slices.slice(from, to)
	.map((i) => `app;${i < 10 ? 'read' : 'send'} ${100 + i}\n`).join('');
const several = '# event: cpu\n' + folded + second + '# event: none\n# unit: samples\napp;flat 3\n';

async function chooseProfile(page, name, text) {
	await page.ask(({ scope, name: value }) => {
		const list = document.querySelector(scope).querySelector('.fg-profiles select');
		list.value = value;
		list.dispatchEvent(new Event('change'));
	}, { name });
	/* The page is loaded again. */
	await becomes(() => whole(page), text);
	await page.ready();
}

const stillIs = (page) => page.ask(({ scope }) => getComputedStyle(
	document.querySelector(scope).querySelector('.fg-heat')).display);

test('each of several profiles in a picture has its own heat map', async () => {
	await visitPicture(several, {}, async (page) => {
		await becomes(() => hasMap(page), true);
		await drag(page, 60, 79);
		await chipsAre(page, 'time: 6 s to 8 s (2 s)');
		checkPicture(await page.frames(), rows(merge(part(60, 80))));
		await chooseProfile(page, 'heap', '100% = 2.139 KiB of heap');
		/* This profile has no such time. */
		await becomes(() => hasMap(page), true);
		await chipsAre(page);
		assert.deepEqual((await page.shown()).sort(), ['all', 'app', 'read', 'send']);
		await focusMap(page);
		await page.press('Home', 'Shift+ArrowUp');
		await chipsAre(page, 'time: 0 s to 0.2 s (0.2 s)');
		checkPicture(await page.frames(), rows(merge(secondPart(0, 2))));
		assert.equal(await stillIs(page), 'none');
		await chooseProfile(page, 'none', '100% = 3 samples of none');
		await becomes(() => hasMap(page), false);
		assert.equal(await stillIs(page), 'none', 'the heat map is that of another profile');
	});
});

test('a link keeps the profile and the range', async () => {
	await visitPicture(several, { query: '#p=heap&t=1,1.5' }, async (page) => {
		await chipsAre(page, 'time: 1 s to 1.5 s (0.5 s)');
		checkPicture(await page.frames(), rows(merge(secondPart(10, 15))));
	});
});

test('on paper no profile has the heat map of another', emulated,
	async () => {
		await visitPicture(several, { query: '#p=heap' }, async (page) => {
			await becomes(() => hasMap(page), true);
			await page.page.emulateMedia({ media: 'print' });
			assert.equal(await stillIs(page), 'none');
		});
	});

/* Two threads: one works in the first five seconds, one in the last five. */
const threads = head + slices
	.map((i) => `${timeOf(i)};${i < 50 ? 'early' : 'late'};run;work ${i < 50 ? 10 : 4}\n`).join('');

const chooseFirst = (page, text) => page.ask(({ scope, text: wanted }) => {
	const list = document.querySelector(scope).querySelector('select[name=heat-of]');
	list.value = Array.from(list.options).find((option) => option.text === wanted).value;
	list.dispatchEvent(new Event('change'));
}, { text });
const firstFrames = (page) => page.ask(({ scope }) => {
	const list = document.querySelector(scope).querySelector('select[name=heat-of]');
	return list.hidden ? null : Array.from(list.options,
		({ text, selected }) => (selected ? '*' : '') + text);
});

async function cellSays(page, slice, ...texts) {
	const { x, y } = await cellOf(page, slice);

	await page.page.mouse.move(x, y);
	await page.page.mouse.move(x, y + 1);
	await page.settle();
	const shown = await card(page);
	assert.deepEqual(shown.slice(0, texts.length).map((text) => text.replace(/, .*/, '')), texts);
}

test('the heat map is of the thread that is zoomed to', async () => {
	await visitPicture(threads, {}, async (page) => {
		await becomes(() => hasMap(page), true);
		assert.deepEqual(await firstFrames(page), ['*all', 'early', 'late']);
		await cellSays(page, 10, '1 s to 1.1 s', '10 samples');
		await chooseFirst(page, 'late');
		await becomes(() => page.state(), { z: ['late'] });
		await becomes(() => firstFrames(page), ['all', 'early', '*late']);
		await cellSays(page, 11, '1.1 s to 1.2 s', '0 samples');
		await cellSays(page, 70, '7 s to 7.1 s', '4 samples');
		await drag(page, 60, 69);
		await chipsAre(page, 'time: 6 s to 7 s (1 s)');
		/* This thread has no counts then. */
		await drag(page, 10, 19);
		assert.match(await board(page), /Nothing was counted from 1 s to 2 s/);
		await chipsAre(page, 'time: 6 s to 7 s (1 s)');
		await page.search('work');
		await page.settle();
		await cellSays(page, 70, '7 s to 7.1 s', '4 samples', '4 samples match');
		await chooseFirst(page, 'all');
		await becomes(() => page.state(), { q: ['work'], t: ['6,7'] });
		await becomes(() => firstFrames(page), ['*all', 'early', 'late']);
		await cellSays(page, 11, '1.1 s to 1.2 s', '10 samples', '10 samples match');
	});
	/* A frame of a thread belongs to it. In a view of callers there are no threads. */
	await visitPicture(threads, { query: '#z=early;run' }, async (page) => {
		await becomes(() => firstFrames(page), ['all', '*early', 'late']);
		await page.press('r');
		await becomes(() => firstFrames(page), null);
	});
	await opened('', async (page) => assert.equal(await firstFrames(page), null));
	/* The largest come first, and equal ones by name. */
	const four = head + slices.map((i) => ['a 1', 'b 5', 'c 5', 'd 3']
		.map((one) => `${timeOf(i)};${one}\n`).join('')).join('');
	await visitPicture(four, {}, (page) =>
		becomes(() => firstFrames(page), ['*all', 'b', 'c', 'd', 'a']));
	/* With more than 48 there is no list. */
	for (const [count, options] of [[48, 49], [49, undefined]]) {
		const many = Array.from({ length: count }, (_, i) => `${timeOf(i)};t${i} 5\n`).join('');
		await visitPicture(head + many, {}, async (page) => {
			await becomes(() => hasMap(page), true);
			assert.equal((await firstFrames(page))?.length, options, `${count}`);
		});
	}
});

/* So many counts that the map comes before them. */
test('a range selected before the counts are read is shown with them', async () => {
	const names = Array.from({ length: 110 }, (_, i) => `work${i}`);
	const many = Array.from({ length: 2000 }, (_, slice) => names
		.map((name) => `@${String(slice).padStart(5, '0')}.000;app;${name} 1\n`).join('')).join('');
	const profile = '# unit: samples\n# slice: 1000ms\n' + many;

	assert.match(draw(profile), /<fg:slices version="1" totals="/);
	await visitPicture(profile, {}, async (page) => {
		await becomes(() => hasMap(page), true);
		await focusMap(page);
		await page.press('Home', 'Enter');
		await becomes(async () => (await chips(page)).length, 1);
		const [, from, to] = /^time: (\d+) s to (\d+) s/.exec((await chips(page))[0]);
		assert.equal(from, '0');
		assert.equal(await whole(page), `100% = ${(to * 110).toLocaleString('en')} samples`);
		await page.search('work7$');
		await becomes(async () => /Matched: 0\.9/.test(await page.text('matched')), true);
	});
	/* A search that was there before the counts shades cells when they come. */
	await visitPicture(profile, { query: '#q=work7$' }, async (page) => {
		await becomes(() => hasMap(page), true);
		const { x, y } = await page.point('[role=application]');
		await becomes(async () => {
			await page.page.mouse.move(x, y);
			await page.page.mouse.move(x, y + 1);
			return /110 samples, .*,1 sample match/.test((await card(page)).join());
		}, true);
	});
	await visitPicture(profile, { query: '#t=100,110' }, async (page) => {
		await chipsAre(page, 'time: 100 s to 110 s (10 s)');
		assert.equal(await whole(page), '100% = 1,100 samples');
	});
});
