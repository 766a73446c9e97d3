/* Tests the use by keyboard, and what a screen reader announces. */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { setTimeout as sleep } from 'node:timers/promises';
import { becomes, visitPicture } from './harness.mjs';
import { detailsOf, extraOf, find, merge, titleOf } from './model.mjs';
import { crowded, simple } from './profiles.mjs';

/* Returns what has the focus: the name of a frame with its ring, or an id. */
const focus = (page) => page.ask(({ scope }) => {
	const root = document.querySelector(scope);
	const element = document.activeElement ?? document.documentElement;
	const ring = root.querySelector('rect.fg-focus');
	if (element.closest('[id="frames"]') && element.id !== 'frames') {
		const rect = element.querySelector('rect').getBoundingClientRect();
		const box = ring.getBoundingClientRect();
		const around = Math.abs(rect.left - box.left) < 3 &&
			Math.abs(rect.top - box.top) < 3 && Math.abs(rect.right - box.right) < 3;
		const name = element.querySelector('title').textContent
			.replace(/( \([^()]*%\)( · .*)?| · (self|[\d.]+%) .*)?$/s, '');
		return around ? name : name + ' without ring';
	}
	return element.id ? '#' + element.id : element.localName;
});

/* Presses Tab until a frame has the focus. */
async function enter(page) {
	for (let i = 0; i < 40; i++) {
		await page.press('Tab');
		if (!/^(#.*|svg|button|input|select)$/.test(await focus(page)))
			return;
	}
	assert.fail('Tab does not reach the frames');
}

/* Returns the tab stops of the picture in order, without the page itself. */
async function stops(page) {
	const found = [];

	for (let i = 0; i < 18; i++) {
		await page.press('Tab');
		found.push(await focus(page));
	}
	return found.filter((stop) => stop !== 'svg' && stop !== 'button');
}

test('Tab reaches the search, the case toggle and the frames', async () => {
	await visitPicture(simple, {}, async (page) => {
		assert.deepEqual((await stops(page)).slice(0, 4),
			['input', '#ignorecase', '#search', 'all']);
	});
});

test('while zoomed, Tab reaches Reset Zoom as well', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		const found = await stops(page);
		for (const stop of ['#unzoom', '#search', '#ignorecase'])
			assert.ok(found.includes(stop), `${stop} in ${found}`);
	});
});

test('the arrow keys move between parent, children and siblings', async () => {
	await visitPicture(simple, {}, async (page) => {
		await enter(page);
		assert.equal(await focus(page), 'all');
		for (const [key, expected] of [
			['ArrowUp', 'idle'], ['ArrowRight', 'main'], ['ArrowLeft', 'idle'],
			['ArrowRight', 'main'], ['ArrowUp', 'parse'], ['ArrowRight', 'print'],
			['ArrowLeft', 'parse'], ['ArrowUp', 'lex'], ['ArrowRight', 'read'],
			['ArrowDown', 'parse'], ['ArrowDown', 'main'], ['ArrowDown', 'all'],
			['ArrowDown', 'all'], ['ArrowLeft', 'all']]) {
			await page.press(key);
			assert.equal(await focus(page), expected, key);
		}
	});
});

test('in an icicle graph down is away from the root', async () => {
	await visitPicture(simple, { args: ['--inverted'] }, async (page) => {
		await enter(page);
		await page.press('ArrowDown');
		assert.equal(await focus(page), 'idle');
		await page.press('ArrowRight', 'ArrowDown');
		assert.equal(await focus(page), 'parse');
		await page.press('ArrowUp');
		assert.equal(await focus(page), 'main');
	});
});

test('Home goes to the root', async () => {
	await visitPicture(simple, {}, async (page) => {
		await enter(page);
		await page.press('ArrowUp', 'ArrowRight', 'ArrowUp', 'Home');
		assert.equal(await focus(page), 'all');
	});
});

test('Space zooms to the frame with the focus, and the frame keeps it', async () => {
	await visitPicture(simple, {}, async (page) => {
		await enter(page);
		await page.press('ArrowUp', 'ArrowRight', 'ArrowUp', ' ');
		assert.deepEqual(await page.shown(), ['all', 'main', 'parse', 'lex', 'read']);
		assert.equal(await focus(page), 'parse');
		await page.press('ArrowUp');
		assert.equal(await focus(page), 'lex');
		await page.press('Escape');
		assert.equal((await page.shown()).length, 7);
	});
});

test('Space is left to the page until a frame has the focus', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.hover('lex');
		await page.press(' ');
		assert.equal((await page.shown()).length, 7);
	});
});

test('if the frame with the focus is left out, its parent gets the focus', async () => {
	await visitPicture(simple, {}, async (page) => {
		await enter(page);
		await page.press('ArrowUp', 'ArrowRight', 'ArrowUp', 'ArrowRight', 'h');
		assert.deepEqual(await page.shown(), ['all', 'idle', 'main', 'parse', 'lex', 'read']);
		assert.equal(await focus(page), 'main');
		await page.press('ArrowLeft', 'h');
		assert.deepEqual(await page.shown(), ['all', 'main', 'parse', 'lex', 'read']);
		assert.equal(await focus(page), 'all');
	});
});

test('a frame that was not drawn can have the focus', async () => {
	await visitPicture(crowded, {}, async (page) => {
		await page.click('group');
		await enter(page);
		await page.press('Home', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowRight');
		assert.equal(await focus(page), 'part11');
	});
});

test('the details line is about the frame with the focus', async () => {
	await visitPicture(simple, {}, async (page) => {
		await enter(page);
		await page.press('ArrowUp', 'ArrowRight');
		await becomes(() => page.text('details'), detailsOf(find(merge(simple), 'main')));
	});
});

test('a mouse at rest does not interfere with the keyboard', async () => {
	const profile = 'main;a;b;c 10\nmain;x;y 80\nmain 10\n';
	const tree = merge(profile);

	await visitPicture(profile, {}, async (page) => {
		await page.hover('y');
		await enter(page);
		await page.press('ArrowUp', 'ArrowUp');
		await becomes(() => page.text('details'), detailsOf(find(tree, 'main;a')));
		await page.press(' ');
		await sleep(300);
		assert.equal(await page.text('details'),
			detailsOf(find(tree, 'main;a'), find(tree, 'main;a')));
		await page.press('ArrowDown', ' ');
		await becomes(() => page.shown(), ['all', 'main', 'a', 'x', 'b', 'y', 'c']);
	});
});

test('a mouse that moves counts again after the keyboard was used', async () => {
	await visitPicture(simple, {}, async (page) => {
		const { x, y } = await page.point('parse');

		await page.page.mouse.move(x, y);
		await enter(page);
		await page.press('ArrowUp');
		await becomes(() => page.text('details'), detailsOf(find(merge(simple), 'idle')));
		await page.page.mouse.move(x + 5, y);
		await becomes(() => page.text('details'),
			detailsOf(find(merge(simple), 'main;parse')));
	});
});

test('the focus ring is shown only while a frame has the focus', async () => {
	const rings = () => Array.from(document.querySelectorAll('rect.fg-focus'))
		.filter((ring) => ring.getClientRects().length > 0).length;

	await visitPicture(simple, {}, async (page) => {
		assert.equal(await page.ask(rings), 0);
		await enter(page);
		assert.equal(await page.ask(rings), 1);
		await page.ask(() => document.activeElement.blur());
		assert.equal(await page.ask(rings), 0);
	});
});

for (const key of ['Enter', ' ']) {
	test(`${key === ' ' ? 'Space' : key} presses the controls`, async () => {
		const put = (page, id) =>
			page.ask(({ id: wanted }) => document.getElementById(wanted).focus(), { id });

		await visitPicture('Abc 20\nabc 30\nother 50\n', {}, async (page) => {
			await page.click('Abc');
			await put(page, 'unzoom');
			await page.press(key);
			assert.equal(await page.text('unzoom'), null);
			assert.equal(await focus(page), 'Abc', 'the button is gone');
			await page.search('Abc');
			await put(page, 'ignorecase');
			await page.press(key);
			await becomes(async () => (await page.text('matched')).startsWith(
				'Matched: 50.0%'), true);
			await put(page, 'search');
			await page.press(key);
			await becomes(() => page.text('search'), 'Search');
			await put(page, 'search');
			await page.press(key);
			assert.equal((await page.box())?.focused, true);
		});
	});
}

test('keys with other modifiers are left to the browser', async () => {
	await visitPicture(simple, {}, async (page) => {
		const places = async () =>
			(await page.frames()).map(({ name, left, top }) => [name, left, top]);
		const before = await places();
		await page.press('Alt+i', 'Alt+s', 'Control+Alt+s', 'Control+c', 'Alt+u', 'Meta+s');
		assert.deepEqual(await places(), before);
		assert.deepEqual(await page.state(), {});
	});
});

/* ---- screen readers */

test('the picture is a group with a tree, its controls are buttons', async () => {
	await visitPicture(simple, { args: ['--title', 'My graph'] }, async (page) => {
		const roles = await page.ask(() => {
			const role = (selector) => {
				const element = document.querySelector(selector);
				return [element.getAttribute('role') ?? element.localName,
					element.getAttribute('aria-label'), element.tabIndex];
			};
			return Object.fromEntries(['svg', '#frames', '#search', '#ignorecase', '#unzoom']
				.map((selector) => [selector, role(selector)]));
		});
		assert.deepEqual(roles.svg.slice(0, 2), ['group', 'My graph']);
		assert.equal(roles['#frames'][0], 'tree');
		for (const id of ['#search', '#ignorecase', '#unzoom'])
			assert.deepEqual([roles[id][0], roles[id][2]], ['button', 0], id);
		/* There is one tree, whichever is drawn; the other is hidden. */
		for (const key of ['ArrowUp', ' ', 'Escape']) {
			await page.press(key);
			assert.deepEqual(await page.ask(() => Array.from(
				document.querySelectorAll('.fg-frames'), (one) =>
					[one.id, one.getAttribute('aria-hidden')].join())
				.sort()), [',true', 'frames,'], key);
			assert.equal(await page.ask(() =>
				document.getElementById('frames').getAttribute('role')), 'tree');
		}
	});
});

test('without script the picture is an image with a name', async () => {
	await visitPicture(simple, { viewer: false, args: ['--no-script'] }, async (page) => {
		const root = await page.ask(() => {
			const { documentElement: svg } = document;
			return [svg.getAttribute('role'), svg.getAttribute('aria-label')];
		});
		assert.deepEqual(root, ['img', 'Flame Graph']);
	});
});

test('frames are items of the tree with their levels', async () => {
	await visitPicture(simple, {}, async (page) => {
		const levels = Object.fromEntries((await page.frames())
			.map(({ name, role, level }) => [name, [role, level]]));
		assert.deepEqual(levels, {
			all: ['treeitem', '1'], main: ['treeitem', '2'], idle: ['treeitem', '2'],
			parse: ['treeitem', '3'], print: ['treeitem', '3'],
			lex: ['treeitem', '4'], read: ['treeitem', '4'],
		});
		/* The same elements are used for other frames. */
		for (const [key, expected] of [
			['r', { all: '1', idle: '2', lex: '2', print: '2', read: '2', parse: '2,3,3',
				main: '3,3,4,4' }],
			['u', { all: '1', main: '2', idle: '2', parse: '3', print: '3', lex: '4', read: '4' }],
			['parse', { all: '1', main: '2', parse: '3', lex: '4', read: '4' }],
		]) {
			await (key.length === 1 ? page.press(key) : page.click(key));
			await becomes(async () => {
				const levels = {};
				for (const { name, level } of await page.frames())
					levels[name] = [...levels[name] ?? [], level].sort();
				return Object.fromEntries(Object.entries(levels)
					.map(([name, all]) => [name, all.join()]));
			}, expected);
		}
	});
});

test('the frame with the focus is labelled with its details', async () => {
	await visitPicture(simple, {}, async (page) => {
		await enter(page);
		await page.press('ArrowUp', 'ArrowRight');
		const label = await page.ask(() => document.activeElement.getAttribute('aria-label'));
		const main = find(merge(simple), 'main');
		assert.equal(label, 'Function: ' + titleOf(main) + extraOf(main));
		/* Only this frame has a label and is a tab stop. */
		assert.deepEqual(await page.ask(() => ['[aria-label]', '[tabindex="0"]'].map((what) =>
			document.querySelectorAll(`#frames > ${what}`).length)), [1, 1]);
	});
});

test('a button that disappears by a key press gives the focus to the frame', async () => {
	await visitPicture('main;f;f;g 1\n', {}, async (page) => {
		await page.press('f');
		await page.ask(() =>
			document.querySelector('.fg-chip:not([hidden]) button').focus());
		assert.equal(await focus(page), 'button');
		await page.press('Enter');
		await becomes(() => focus(page), 'all');
		assert.deepEqual(await page.shown(), ['all', 'main', 'f', 'f', 'g']);
	});
});

/* Returns the text of the live regions. */
const live = (page) => page.ask(() =>
	Array.from(document.querySelectorAll('.fg-live[aria-live="polite"]'),
		(region) => region.textContent).join('|'));

test('a live region announces the frame with the focus', async () => {
	await visitPicture(simple, {}, async (page) => {
		await enter(page);
		await page.press('ArrowUp', 'ArrowRight');
		await becomes(async () =>
			(await live(page)).includes('Function: main (900 samples, 90.00%)'), true);
	});
});

test('a live region announces what a search matched', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.press('/');
		await page.type('^p');
		await becomes(async () => (await live(page)).includes('Matched: 90.0%'), true);
		/* Not the frame that gets the focus. */
		await page.press('Enter');
		await becomes(async () => (await live(page)).includes('Matched: 90.0%'), true);
	});
});

test('a live region has the latest event', async () => {
	await visitPicture(simple, {}, async (page) => {
		await enter(page);
		await page.ask(() => {
			const press = (key) => document.activeElement.dispatchEvent(
				new KeyboardEvent('keydown', { key, bubbles: true }));
			window.search('^p');
			press('ArrowUp');
		});
		await page.ask(() => new Promise((done) => { setTimeout(done, 200); }));
		assert.doesNotMatch(await live(page), /Matched/);
	});
});

test('every tab stop is visible, and only one frame is a tab stop', async () => {
	await visitPicture(simple, {}, async (page) => {
		const stops = await page.ask(() =>
			Array.from(document.querySelectorAll('[tabindex="0"]'))
				.filter((element) => getComputedStyle(element).visibility === 'visible')
				.map((element) => element.id || element.parentNode.id));
		assert.equal(stops.filter((id) => id === 'frames').length, 1);
	});
});
