/* Tests the time before the viewer is ready, its start, and that it rests afterwards. */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { setTimeout as sleep } from 'node:timers/promises';
import { emulated } from './browsers.mjs';
import { becomes, drawInline, readWhenAllowed, visit, visitPicture, write } from './harness.mjs';
import { all, checkPicture, detailsOf, find, locate, merge, rows, titleOf } from './model.mjs';
import { large, simple as small } from './profiles.mjs';

/*
 * One frame has no counts and is not drawn, so the viewer is not the one for small
 * pictures.
 */
const simple = small + 'idle;none 0\n';

/* Runs in the page: slows down the reading of the data. */
function readSlowly() {
	const read = Response.prototype.arrayBuffer;

	Response.prototype.arrayBuffer = async function () {
		await new Promise((resolve) => {
			setTimeout(resolve, 700);
		});
		return read.call(this);
	};
}

test('a frame can be pointed at before the data are read', async () => {
	const options = { viewer: false, init: readWhenAllowed };
	const root = merge(simple);

	await visitPicture(simple, options, async (page) => {
		/* The picture is as wide as the window already. */
		const { left, width } = await page.frame('all');
		assert.deepEqual([left, width].map(Math.round), [10, 1200]);
		for (const frame of [find(root, 'main;parse;lex'), find(root, 'main;print')]) {
			await page.hover(frame.name);
			const details = await page.text('details');
			assert.ok(details.startsWith('Function: ' + titleOf(frame)), details);
			await page.page.mouse.move(5, 5);
			await page.settle();
			assert.equal((await page.text('details')).trim(), '');
		}
		await page.ask(() => window.goOn());
		await page.hover('idle');
		await becomes(() => page.text('details'), detailsOf(find(root, 'idle')));
	});
});

test('the head says what 100 % is before the data are read', async () => {
	await visitPicture(simple, { viewer: false, init: readWhenAllowed }, async (page) => {
		const text = () => page.ask(() =>
			document.querySelector('.fg-state')?.firstElementChild.textContent);
		await becomes(text, '100% = 1,000 samples');
		assert.deepEqual(await page.ask(() => Array.from(
			document.querySelectorAll('.fg-views [aria-pressed="true"]'), ({ name }) => name)),
		['flame']);
	});
});

test('actions before the data are read take effect afterwards', async () => {
	const options = { viewer: false, init: readWhenAllowed };

	await visitPicture(simple, options, async (page) => {
		assert.equal(await page.text('search'), 'Search');
		await page.click('parse');
		await page.press('i');
		assert.equal(await page.text('unzoom'), null);
		await page.ask(() => window.goOn());
		await becomes(() => page.text('unzoom'), 'Reset Zoom');
		const [root, zoomed] = [await page.frame('all'), await page.frame('parse')];
		assert.equal(zoomed.width, root.width);
		assert.ok(root.top < zoomed.top, 'upside down');
	});
});

test('events before the data are read do the same as later ones', async () => {
	const options = { viewer: false, init: readSlowly };
	const root = merge(simple);

	await visitPicture(simple, options, async (page) => {
		await page.click('parse');
		await becomes(() => page.text('unzoom'), 'Reset Zoom');
		checkPicture(await page.frames(), rows(find(root, 'main;parse')));
		assert.match(await page.text('details'), /^Function: parse \(600 samples/);
		/* The viewer has not drawn the whole picture yet. */
		await page.press('Escape');
		checkPicture(await page.frames(), rows(root));
	});
	await visitPicture(simple, options, async (page) => {
		await page.press('Control+i', 'ArrowUp', 'ArrowRight', ' ');
		await becomes(() => page.text('unzoom'), 'Reset Zoom');
		checkPicture(await page.frames(), rows(find(root, 'main')));
	});
	await visitPicture(simple, options, async (page) => {
		await page.ask(() => {
			const frame = document.getElementById('frames').lastElementChild;
			frame.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
		});
		await becomes(() => page.text('details'), detailsOf(find(root, 'main;print')));
	});
	/* A button goes down, and no click follows. */
	await visitPicture(simple, options, async (page) => {
		await page.page.mouse.move(5, 5);
		await page.page.mouse.down();
		await sleep(900);
		await page.page.mouse.up();
		await page.click('parse');
		await page.press('Escape', 'Control+i');
		checkPicture(await page.frames(), rows(root));
	});
});

test('keys that follow the one for the search box are typed into it', async () => {
	const options = { viewer: false, init: readSlowly };

	for (const key of ['/', 'Control+f', 'F3'])
		await visitPicture(simple, options, async (page) => {
			await page.hover('lex');
			await page.press(key);
			await page.type('hash');
			await becomes(() => page.box(), { value: 'hash', focused: true, invalid: false });
			await page.type('es');
			await page.press('Enter');
			assert.deepEqual(await page.state(), { q: ['hashes'] });
			checkPicture(await page.frames(), rows(merge(simple)));
		});
	await visitPicture(simple, options, async (page) => {
		await page.press('/');
		await page.type('lex');
		await page.press('Enter', 'i');
		await becomes(() => page.state(), { q: ['lex'], v: ['f'] });
		assert.equal(await page.box(), null);
	});
});

test('text typed into the field before the viewer is ready is searched', async () => {
	await visitPicture(simple, { viewer: false, init: readSlowly }, async (page) => {
		await becomes(() => page.ask(() =>
			document.querySelector('input.fg-term')?.getClientRects().length > 0), true);
		await page.click('input.fg-term');
		await page.type('lex');
		await becomes(() => page.state(), { q: ['lex'] });
		assert.deepEqual(await page.box(), { value: 'lex', focused: true, invalid: false });
		await page.type('|print');
		await page.press('Enter');
		await becomes(() => page.state(), { q: ['lex|print'] });
	});
});

/* Runs in the page: gives other scripts long turns. */
function waitLong() {
	const later = window.setTimeout;

	window.setTimeout = (work, delay = 0) => later(work, delay + 200);
}

test('a key in the middle of the start has one effect', async () => {
	for (const [key, state] of [['s', { v: ['s'] }], ['i', { v: ['f'] }]])
		await visitPicture(simple, { viewer: false, init: waitLong }, async (page) => {
			await becomes(() => page.ask(() =>
				document.querySelector('.fg-frames') !== null), true);
			await page.press(key);
			await page.ready();
			await sleep(300);
			assert.deepEqual(await page.state(), state);
		});
});

/* Runs in the page: counts events that end with the browser's own action still to do. */
function countLeft() {
	window.left = [];
	for (const type of ['click', 'keydown'])
		window.addEventListener(type, (event) => {
			if (!event.defaultPrevented)
				window.left.push(event.key ?? type);
		});
}

test('the browser does its own action once', async () => {
	const args = ['--nameattr', write('links.txt', 'lex\thref=#there\ttarget=_self\n')];
	const init = `(${readSlowly})(); (${countLeft})()`;
	const left = (page) => page.ask(() => window.left);

	await visitPicture(simple, { viewer: false, init, args }, async (page) => {
		await page.click('lex');
		await page.ready();
		await page.press('F3', 'Escape');
		assert.deepEqual(await left(page), ['click']);
	});
	await visitPicture(simple, { viewer: false, init, args }, async (page) => {
		await page.press('/', 'x');
		await becomes(async () => (await page.box()).value, 'x');
		assert.deepEqual(await left(page), ['x']);
	});
});

/* Calls body with a picture in a page that starts late, and with the page. */
async function visitInPage(init, body) {
	const html = write('early.html', '<!DOCTYPE html><meta charset="utf-8">' +
		`<title>early</title><p>above</p><div>${drawInline(simple)}</div>`);

	await visit([html], { viewer: false, init }, async (page) => {
		await body(page.within('div svg'), page);
	});
}

test('the page around sees an early event only once', async () => {
	await visitInPage(readSlowly, async (picture, page) => {
		await page.ask(() => {
			window.heard = 0;
			document.querySelector('div').addEventListener('click', () => window.heard++);
		});
		await picture.click('parse');
		await becomes(() => picture.text('unzoom'), 'Reset Zoom');
		assert.equal(await page.ask(() => window.heard), 1);
	});
});

test('a picture that the mouse has left early shows no details', async () => {
	await visitInPage(readSlowly, async (picture, page) => {
		const details = async () => (await picture.text('details')).trim();

		await picture.hover('lex');
		assert.match(await details(), /^Function: lex /);
		await page.within('body').hover('p');
		assert.equal(await details(), '');
		await picture.ready();
		await sleep(100);
		assert.equal(await details(), '');
	});
});

test('the static frames fill a wide window before the data are read', async () => {
	const options = { viewer: false, init: readWhenAllowed, size: { width: 1500, height: 900 } };

	await visitPicture(simple, options, async (page) => {
		const edges = () => page.page.evaluate(() => {
			const { left, right } = document.querySelector('#frames rect')
				.getBoundingClientRect();
			return [left, right].map(Math.round);
		});
		await becomes(edges, [10, 1490]);
		await page.page.evaluate('goOn()');
		await page.ready();
		assert.deepEqual(await edges(), [10, 1490]);
	});
});

for (const [from, to] of [[1500, 1200], [1500, 900], [1000, 1500]]) {
	test(`the window may get another width early: ${from}, then ${to}`, async () => {
		const size = { width: from, height: 900 };

		await visitPicture(simple, { viewer: false, init: readSlowly, size }, async (page) => {
			await sleep(300);
			await page.page.setViewportSize({ width: to, height: 900 });
			await page.ready();
			const frames = await page.frames();
			assert.ok(Math.abs(frames[0].width - (to - 20)) < 0.1, `${frames[0].width}`);
			checkPicture(frames, rows(merge(simple)));
		});
	});
}

/* Runs in the page: the mouse never stops, and waiting for long has no effect. */
function neverRest() {
	const later = window.setTimeout;

	window.setTimeout = (work, delay, ...rest) =>
		delay >= 1000 ? 0 : later(work, delay, ...rest);
	function move() {
		document.querySelector('#frames g')
			?.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
		requestAnimationFrame(move);
	}
	requestAnimationFrame(move);
}

test('the viewer starts even if the mouse never rests', async () => {
	await visitPicture(large(3000), { init: neverRest }, async (page) => {
		await page.press('Control+i');
		assert.equal(await page.ask(() =>
			document.getElementById('ignorecase').getAttribute('aria-pressed')), 'true');
	});
});

test('a picture that gets dark while it starts has dark colours', emulated, async () => {
	await visitPicture(simple, { viewer: false, init: waitLong }, async (page) => {
		const has = (name) => () => page.ask(({ wanted }) =>
			document.querySelector(wanted) !== null, { wanted: name });

		await becomes(has('.fg-frames'), true);
		assert.equal(await has('[role=tree]')(), false, 'not started yet');
		await page.page.emulateMedia({ colorScheme: 'dark' });
		await becomes(has('svg.fg-dark'), true);
	});
});

/* Runs in the page: makes idle time rare. */
function beBusy() {
	window.requestIdleCallback = (work) => setTimeout(work, 100);
}

test('after an early zoom the whole picture can be shown at any time', async () => {
	const profile = large(1000);
	const root = merge(profile);
	const widest = all(root).filter(({ depth }) => depth === 4)
		.reduce((a, b) => a.total >= b.total ? a : b);

	for (const [wait, init, size] of [
		[0, readSlowly, {}], [400, beBusy, {}], [400, beBusy, { width: 900, height: 900 }],
		[1200, null, {}], [1200, null, { width: 900, height: 900 }],
	]) {
		await visitPicture(profile, { viewer: false, init }, async (page) => {
			await page.click(locate(await page.frames(), widest));
			await becomes(() => page.text('unzoom'), 'Reset Zoom');
			checkPicture(await page.frames(), rows(widest));
			await sleep(wait);
			if (size.width)
				await page.page.setViewportSize(size);
			await page.press('Escape');
			checkPicture(await page.frames(), rows(root));
		});
	}
});

/* Runs in the page: counts how often idle time is requested. */
function countIdle() {
	const ask = window.requestIdleCallback;

	window.asked = 0;
	window.requestIdleCallback = (work) => {
		window.asked++;
		return ask(work);
	};
}

test('a picture that is left alone does no work', async () => {
	await visitPicture(large(2000), { init: countIdle }, async (page) => {
		const asked = () => page.ask(() => window.asked);
		assert.ok(await asked() > 0);
		await becomes(async () => {
			const before = await asked();
			await sleep(300);
			return await asked() - before;
		}, 0);
	});
});
