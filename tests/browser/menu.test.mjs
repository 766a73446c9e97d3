/* Tests the menu of a frame. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from './sample.mjs';
import { setTimeout as sleep } from 'node:timers/promises';
import { becomes, visitPicture, write } from './harness.mjs';
import { checkPicture, find, merge, rows, titleOf } from './model.mjs';
import { nested, shared, simple } from './profiles.mjs';

const isOpen = (page) => page.ask(() =>
	(document.querySelector('.fg-menu')?.getClientRects().length ?? 0) > 0);

/* Returns the names of the items. */
const offers = (page) => page.ask(() => Array.from(
	document.querySelectorAll('.fg-menu button'), ({ name }) => name.replace('menu-', '')));

const focused = (page) => page.ask(() =>
	(document.activeElement?.name ?? '').replace('menu-', ''));

async function open(page, name) {
	const { x, y } = await page.point(name);

	await page.page.mouse.move(x, y);
	await page.page.mouse.click(x, y, { button: 'right' });
	await page.settle();
	assert.ok(await isOpen(page), 'the menu is open');
}

const choose = (page, item) => page.click(`.fg-menu [name="menu-${item}"]`);

async function act(page, name, item) {
	await open(page, name);
	await choose(page, item);
	assert.equal(await isOpen(page), false);
}

const state = (page) => page.text('title').then(() => page.ask(() =>
	document.querySelector('.fg-state').innerText.replace(/\s+/g, ' ').trim()));

/* Returns a frame's total and self, as written in the details line. */
async function counts(page, name) {
	await page.hover(name);
	const [, total, self] = /\(([\d,]+) samples, .*self ([\d,]+) /
		.exec(await page.text('details'));

	return [total, self].map((text) => Number(text.replace(/,/g, '')));
}

test('a right click offers the actions for a frame', async () => {
	await visitPicture(shared, {}, async (page) => {
		await open(page, 'memmove');
		assert.deepEqual(await offers(page), ['zoom', 'callers', 'fold', 'leave', 'only',
			'focus', 'copy-name', 'copy-stack', 'save-folded', 'save-svg', 'save-png']);
		assert.equal(await focused(page), 'zoom');
		await page.press('Escape');
		assert.equal(await isOpen(page), false);
		await open(page, 'all');
		assert.deepEqual(await offers(page), ['zoom', 'copy-name', 'copy-stack',
			'save-folded', 'save-svg', 'save-png']);
	});
});

test('the menu has the roles of a menu, and is in the window', async () => {
	for (const size of [{ width: 1220, height: 900 }, { width: 360, height: 640 },
		{ width: 700, height: 260 }])
		await visitPicture(shared, { size }, async (page) => {
			for (const frame of ['copy', 'idle', 'work']) {
				await open(page, frame);
				const { role, label, box, roles, low } = await page.ask(() => {
					const menu = document.querySelector('.fg-menu');
					const buttons = Array.from(menu.querySelectorAll('button'));
					return {
						role: menu.getAttribute('role'),
						label: menu.getAttribute('aria-label'),
						box: menu.getBoundingClientRect().toJSON(),
						roles: new Set(buttons.map((one) => one.getAttribute('role'))).size,
						low: Math.min(...buttons.map((one) =>
							one.getBoundingClientRect().height)),
					};
				});
				assert.deepEqual([role, label, roles], ['menu', frame, 1]);
				assert.ok(box.left >= 0 && box.top >= 0 && box.right <= size.width &&
					box.bottom <= size.height, JSON.stringify(box));
				assert.ok(low >= (size.width < 600 ? 32 : 24), `${low}`);
				await page.press('Escape');
			}
		});
});

test('Hide: its callers keep its counts', async () => {
	const profile = shared + 'main;beta;copy 5\n';
	const hidden = merge(profile.replace(/;copy\b/g, ''));

	await visitPicture(profile, {}, async (page) => {
		const before = await counts(page, 'beta');
		await act(page, 'copy', 'fold');
		checkPicture(await page.frames(), rows(hidden));
		assert.deepEqual(await counts(page, 'beta'), [before[0], before[1] + 5]);
		assert.match((await page.frame('all')).title, /^all \(105 samples/);
		assert.match(await state(page), /copy hidden in its callers/);
		assert.deepEqual(await page.state(), { n: ['copy'] });
		await page.press('u');
		checkPicture(await page.frames(), rows(merge(profile)));
		await becomes(() => page.state(), {});
		await page.forward();
		await becomes(() => page.state(), { n: ['copy'] });
		checkPicture(await page.frames(), rows(hidden));
	});
	await visitPicture(profile, { query: '#n=copy' }, async (page) => {
		checkPicture(await page.frames(), rows(hidden));
		await page.click('[name="back"]:not([hidden])');
	});
});

test('Hide in a zoom to the frame leads to its caller, and its callees stay', async () => {
	const hidden = merge(simple.replace(/;parse/g, ''));

	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		await act(page, 'parse', 'fold');
		checkPicture(await page.frames(), rows(find(hidden, 'main')));
		assert.deepEqual(await counts(page, 'main'), [900, 50]);
	});
});

test('Leave out: the total shrinks', async () => {
	const rest = merge(simple.replace(/^main;parse.*\n/gm, ''));

	await visitPicture(simple, {}, async (page) => {
		await act(page, 'parse', 'leave');
		checkPicture(await page.frames(), rows(rest));
		assert.match((await page.frame('all')).title, /^all \(400 samples/);
		assert.deepEqual(await counts(page, 'main'), [300, 0]);
		await page.press('u');
		assert.match((await page.frame('all')).title, /^all \(1,000 samples/);
	});
});

test('Only this: the total is its own', async () => {
	const kept = merge(simple.replace(/^(?!main;parse).*\n/gm, ''));

	await visitPicture(simple, {}, async (page) => {
		await act(page, 'parse', 'only');
		checkPicture(await page.frames(), rows(kept));
		assert.match((await page.frame('all')).title, /^all \(600 samples/);
		assert.match(await state(page), /40.0% left out: only parse/);
		assert.deepEqual(await page.state(), { j: ['main;parse'] });
		await page.press('u');
		checkPicture(await page.frames(), rows(merge(simple)));
	});
});

test('Focus on its name: all calls as one, without callers', async () => {
	const calls = merge('copy;memmove 50\ncopy 10\ncopy;page_fault 15\n');

	await visitPicture(shared, {}, async (page) => {
		await act(page, 'copy', 'focus');
		checkPicture(await page.frames(), rows(calls));
		assert.match((await page.frame('all')).title, /^all \(75 samples/);
		assert.match(await state(page), /25.0% left out: only calls of copy/);
		assert.deepEqual(await page.state(), { f: ['copy'] });
		await act(page, 'page_fault', 'leave');
		assert.match((await page.frame('all')).title, /^all \(60 samples/);
		assert.deepEqual(await page.state(), { f: ['copy'], h: ['copy;page_fault'] });
		await page.press('u', 'u');
		checkPicture(await page.frames(), rows(merge(shared)));
	});
});

test('Collapse recursion is offered if a function calls itself', async () => {
	await visitPicture(nested, {}, async (page) => {
		await open(page, 'visit');
		assert.ok(!(await offers(page)).includes('collapse'));
		await page.press('Escape');
		await page.press('Home', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowRight');
		await page.press('Enter');
		await choose(page, 'collapse');
		assert.deepEqual(await page.state(), { v: ['c'] });
	});
});

/* Returns the entries of a list of callers or callees: name, count, share, and bar. */
const entries = (page) => page.ask(() =>
	Array.from(document.querySelectorAll('.fg-menu [name="menu-go"]'), (one) => [
		one.querySelector('bdi').textContent,
		one.querySelector('.fg-count').textContent,
		Math.round(100 * one.querySelector('.fg-share i').getBoundingClientRect().width /
			one.querySelector('.fg-share').getBoundingClientRect().width),
	]));

test('callers and callees are lists with counts and bars', async () => {
	await visitPicture(shared, {}, async (page) => {
		await open(page, 'copy');
		await choose(page, 'callers');
		/* copy 75: alpha 40, beta 20, idle 15. */
		assert.deepEqual(await entries(page),
			[['alpha', '40 53.3%', 53], ['beta', '20 26.7%', 27], ['idle', '15 20.0%', 20]]);
		await choose(page, 'back');
		await choose(page, 'callees');
		assert.deepEqual(await entries(page),
			[['memmove', '50 66.7%', 67], ['page_fault', '15 20.0%', 20]]);
		await page.press('Escape');
		assert.ok(await isOpen(page));
		await page.press('Escape');
		assert.equal(await isOpen(page), false);
	});
});

test('a caller with a single count is listed, too', async () => {
	await visitPicture('a;b 1\nc 9\n', {}, async (page) => {
		await open(page, 'b');
		await choose(page, 'callers');
		assert.deepEqual(await entries(page), [['a', '1 100.0%', 100]]);
		await page.press('Escape', 'Escape', 't');
		await page.click('.fg-table tbody button[aria-label="b"]');
		await becomes(() => page.ask(() => Array.from(
			document.querySelectorAll('.fg-calls'), ({ textContent }) => textContent)),
		['Callers of b1100.0%a', 'Callees of b: none']);
	});
});

test('an entry leads to the largest call, and its frame gets the focus', async () => {
	const root = merge(shared);

	await visitPicture(shared, {}, async (page) => {
		await open(page, 'copy');
		await page.press('ArrowDown', 'ArrowRight');
		assert.equal(await focused(page), 'go');
		await page.press('ArrowDown', 'Enter');
		assert.equal(await isOpen(page), false);
		checkPicture(await page.frames(), rows(find(root, 'main;beta')));
		assert.equal(await page.ask(() =>
			document.activeElement.querySelector('title').textContent.split(' ')[0]), 'beta');
		assert.deepEqual(await page.state(), { z: ['main;beta'] });
		await page.press('u');
		checkPicture(await page.frames(), rows(root));
		await open(page, 'copy');
		await choose(page, 'callees');
		await choose(page, 'graph');
		assert.deepEqual(await page.state(), { m: ['copy'] });
	});
});

test('the first of many callers are listed, and an entry leads to the largest call', async () => {
	/* The last call of f in x7 is the largest; that of g in f is in the first. */
	const profile = Array.from({ length: 99 }, (_, i) => `x${i};f ${200 - i}\n`).join('') +
		'x0;f;g 30\nx7;a;f 900\nx7;b;f;g 20\na;gone;f 0\n';

	await visitPicture(profile, {}, async (page) => {
		const root = merge(profile);
		await open(page, titleOf(find(root, 'x7;a;f')).replace(' samples', ''));
		await choose(page, 'callers');
		const all = await entries(page);
		assert.deepEqual([all.length, all[0][0], all[1][0]], [40, 'a', 'x0']);
		assert.equal(await page.ask(() =>
			document.querySelector('.fg-menu [name="menu-graph"]').textContent),
		'All as a graph 61 more');
		await page.press('ArrowLeft');
		await choose(page, 'callees');
		assert.deepEqual((await entries(page)).map(([name]) => name), ['g']);
		await choose(page, 'go');
		await becomes(() => page.state(), { z: ['x0;f;g'] });
		await page.press('Escape', 't');
		await page.click('.fg-table tbody button[aria-label="f"]');
		const list = () => page.ask(() => {
			const callers = document.querySelector('.fg-calls');
			return [callers.querySelectorAll('li').length, callers.lastChild.textContent];
		});
		await becomes(list, [100, '1 more']);
	});
});

test('in a reversed graph entries lead back to the graph', async () => {
	await visitPicture(shared, { query: '#v=r' }, async (page) => {
		await open(page, 'page_fault');
		await choose(page, 'callers');
		assert.deepEqual(await entries(page), [['copy', '15 100.0%', 100]]);
		await choose(page, 'go');
		assert.deepEqual(await page.state(), { z: ['idle;copy'] });
	});
});

/* ---- keyboard */

test('Enter opens the menu of the frame with the focus, Enter again zooms', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.hover('lex');
		await page.press('Home', 'ArrowUp', 'ArrowRight', 'ArrowUp', 'Enter');
		assert.equal(await focused(page), 'zoom');
		await page.press('Enter');
		assert.equal(await isOpen(page), false);
		checkPicture(await page.frames(), rows(find(merge(simple), 'main;parse')));
		assert.equal(await page.ask(() =>
			document.activeElement.querySelector('title').textContent.split(' ')[0]), 'parse');
	});
});

/* The driver of Firefox knows no menu key. */
const KEYS = process.env.BROWSER === 'firefox' ? ['Shift+F10'] : ['Shift+F10', 'ContextMenu'];

for (const key of KEYS) {
	test(`${key} opens it, arrows walk, Escape gives the focus back`, async () => {
		await visitPicture(simple, {}, async (page) => {
			await page.hover('lex');
			await page.press('Home', 'ArrowUp', 'ArrowRight', key);
			assert.equal(await focused(page), 'zoom');
			await page.press('ArrowUp');
			assert.equal(await focused(page), 'save-png');
			await page.press('ArrowDown', 'ArrowDown');
			assert.equal(await focused(page), 'callees');
			await page.press('ArrowUp');
			assert.equal(await focused(page), 'zoom');
			/* With other modifiers they belong to the browser. */
			for (const modifier of ['ctrlKey', 'altKey', 'metaKey'])
				assert.equal(await page.ask(({ modifier: one }) => document.activeElement
					.dispatchEvent(new KeyboardEvent('keydown',
						{ key: 'End', [one]: true, bubbles: true, cancelable: true })),
				{ modifier }), true, modifier);
			assert.equal(await focused(page), 'zoom');
			await page.press('End');
			assert.equal(await focused(page), 'save-png');
			await page.press('ArrowUp');
			assert.equal(await focused(page), 'save-svg');
			await page.press('Home', 'h');
			assert.equal(await focused(page), 'fold');
			/* The next of several items that match; after the last comes the first. */
			for (const name of ['save-folded', 'save-svg', 'save-png', 'save-folded']) {
				await page.press('s');
				assert.equal(await focused(page), name);
			}
			/* Meanwhile the keys of the picture have no effect. */
			assert.deepEqual(await page.state(), {});
			await page.press('Escape');
			assert.equal(await isOpen(page), false);
			assert.equal(await page.ask(() =>
				document.activeElement.querySelector('title').textContent.split(' ')[0]),
			'main');
		});
	});
}

test('the menu keys work if the browser does not turn them into a context menu', async () => {
	const send = (page, key, shiftKey) => page.ask(({ key: name, shiftKey: shift }) =>
		document.activeElement.dispatchEvent(new KeyboardEvent('keydown',
			{ key: name, shiftKey: shift, bubbles: true, cancelable: true })), { key, shiftKey });

	await visitPicture(simple, {}, async (page) => {
		await page.press('Home');
		for (const [key, shiftKey, opens] of [['F10', false, false], ['F10', true, true],
			['ContextMenu', false, true]]) {
			/* A key that is handled does nothing else. */
			assert.equal(await send(page, key, shiftKey), !opens, key);
			assert.equal(await isOpen(page), opens);
			if (opens)
				await page.press('Escape');
		}
		/* Tab leaves the menu for its frame. */
		await send(page, 'ContextMenu', false);
		await page.press('Tab');
		assert.equal(await isOpen(page), false);
		assert.equal(await page.ask(() =>
			document.activeElement.querySelector('title').textContent.split(' ')[0]), 'all');
		/* If the window is resized or left, its frames may be elsewhere. */
		for (const type of ['resize', 'blur']) {
			await page.press('Home');
			await send(page, 'ContextMenu', false);
			assert.equal(await isOpen(page), true);
			await page.ask(({ type: name }) => {
				window.dispatchEvent(new Event(name));
			}, { type });
			assert.equal(await isOpen(page), false, type);
		}
	});
});

test('a right click with Shift, or on a link, is left to the browser', async () => {
	const attributes = write('links.attr', 'parse\thref=#there\n');
	/* Returns true if the picture handles the click. */
	const ask = (page, name, shiftKey = false) => page.ask(({ name: wanted, shiftKey: shift }) => {
		const title = Array.from(document.querySelectorAll('#frames title'))
			.find(({ textContent }) => textContent.startsWith(`${wanted} (`));
		return !title.nextSibling.dispatchEvent(new MouseEvent('contextmenu',
			{ bubbles: true, cancelable: true, shiftKey: shift, clientX: 300, clientY: 500 }));
	}, { name, shiftKey });

	await visitPicture(simple, { args: ['--nameattr', attributes] }, async (page) => {
		for (const [name, shift, isTaken] of [['lex', true, false], ['parse', false, false],
			['lex', false, true]]) {
			assert.equal(await ask(page, name, shift), isTaken, name);
			assert.equal(await isOpen(page), isTaken);
		}
		/* There is no second menu over the menu. */
		assert.equal(await ask(page, 'lex'), true);
		assert.equal(await page.ask(() => document.querySelector('.fg-menu').dispatchEvent(
			new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))), false);
		assert.equal(await isOpen(page), true);
	});
});

test('a click elsewhere closes it and does nothing else', async () => {
	await visitPicture(simple, {}, async (page) => {
		await open(page, 'idle');
		const { x, y } = await page.point('print');
		await page.page.mouse.click(x, y);
		await page.settle();
		assert.equal(await isOpen(page), false);
		assert.deepEqual(await page.state(), {});
		await page.page.mouse.click(x, y);
		await becomes(() => page.state(), { z: ['main;print'] });
		await page.press('Escape');
		/* It is the same with the menu More. A control gets its click in both cases. */
		const isMore = () => document.querySelector('.fg-more') !== null;
		await page.click('[name="menu"]');
		assert.equal(await page.ask(isMore), true);
		await page.page.mouse.click(x, y);
		await page.settle();
		assert.equal(await page.ask(isMore), false);
		assert.deepEqual(await page.state(), {});
		await open(page, 'idle');
		await page.click('[name="table"]');
		assert.equal(await isOpen(page), false);
		assert.equal(await page.ask(() => document.querySelectorAll('.fg-table').length), 1);
		await page.click('[name="menu"]');
		await page.click('[name="table"]');
		assert.equal(await page.ask(() => document.querySelectorAll('.fg-table').length), 0);
	});
});

/* Simulates a finger on a frame, which may move to the right. */
const touchOf = async (page, name) => {
	const { x, y } = await page.point(name);

	return (type, right = 0) => page.ask(({ type: kind, x: clientX, y: clientY }) =>
		document.elementFromPoint(clientX, clientY).dispatchEvent(new PointerEvent(kind,
			{ pointerType: 'touch', bubbles: true, cancelable: true, clientX, clientY })),
	{ type, x: x + right, y });
};

test('a long press opens it, and the click after it does nothing', async () => {
	await visitPicture(simple, {}, async (page) => {
		const send = await touchOf(page, 'lex');

		await send('pointerdown');
		await send('pointermove', 3); /* like real fingers */
		await becomes(() => isOpen(page), true);
		assert.equal(await page.ask(() =>
			document.querySelector('.fg-menu').getAttribute('aria-label')), 'lex');
		await send('pointerup');
		await page.ask(() => document.querySelector('#frames rect')
			.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true })));
		assert.ok(await isOpen(page));
		assert.deepEqual(await page.state(), {});
	});
});

test('a finger that moves on opens nothing', async () => {
	await visitPicture(simple, {}, async (page) => {
		const send = await touchOf(page, 'lex');

		await send('pointerdown');
		await send('pointermove', 30);
		await sleep(700);
		assert.equal(await isOpen(page), false);
	});
});

test('there is no card while the menu is open', async () => {
	await visitPicture(simple, {}, async (page) => {
		await open(page, 'idle');
		await page.hover('print');
		assert.equal(await page.ask(() =>
			document.querySelector('.fg-card')?.getClientRects().length ?? 0), 0);
	});
});

/* ---- copying and saving */

test('name and stack are copied', async () => {
	await visitPicture(simple, {
		init: () => {
			Object.defineProperty(navigator, 'clipboard', { value: {
				writeText: async (text) => {
					window.copied = text;
				},
			} });
		},
	}, async (page) => {
		await act(page, 'lex', 'copy-name');
		assert.equal(await page.ask(() => window.copied), 'lex');
		await act(page, 'lex', 'copy-stack');
		assert.equal(await page.ask(() => window.copied), 'main;parse;lex');
		/* From the root on, in any view. */
		await page.press('r');
		await page.click('lex');
		await act(page, 'parse', 'copy-stack');
		assert.equal(await page.ask(() => window.copied), 'parse;lex');
		await page.press('Escape', 'r');
		await page.click('parse', 'Control');
		await act(page, 'read', 'copy-stack');
		assert.equal(await page.ask(() => window.copied), 'parse;read');
		await act(page, 'main', 'copy-stack');
		assert.equal(await page.ask(() => window.copied), 'main;parse');
	});
});

async function saved(page, name, kind) {
	await open(page, name);
	const [download] = await Promise.all([page.page.waitForEvent('download'),
		choose(page, 'save-' + kind)]);

	return [download.suggestedFilename(), readFileSync(await download.path())];
}

const accept = /^request: (blob|data):/;

test('a subtree is saved as stacks and as pictures, and the view stays', async () => {
	await visitPicture(simple, { accept }, async (page) => {
		const [name, bytes] = await saved(page, 'parse', 'folded');
		assert.equal(name, 'picture-parse.folded');
		const lines = simple.split('\n').filter((line) => line.startsWith('main;parse'));
		assert.equal(String(bytes), lines.sort().join('\n') + '\n');
		const [svg, text] = await saved(page, 'parse', 'svg');
		assert.equal(svg, 'picture-parse.svg');
		const titles = String(text).match(/<title>[^<]*/g).map((one) =>
			one.replace(/<title>(.*?) \(.*/, '$1'));
		assert.deepEqual(titles, ['all', 'main', 'parse', 'lex', 'read']);
		assert.doesNotMatch(String(text), /<script|<foreignObject|class="fg-(card|menu)/);
		/* The saved picture has its title, in the middle, and no controls. */
		const [, place] = /<text([^>]*?)>Flame Graph</.exec(text);
		assert.match(place, / x="610"/);
		assert.doesNotMatch(place, /display=/);
		assert.doesNotMatch(String(text), /Reset Zoom|>Search</);
		/* It says what it shows. */
		assert.match(String(text), /class="fg-whole"[^>]*>100% = 1,000 samples</);
		assert.match(String(text), /<text[^>]*>zoom: parse, 60\.00% of all</);
		assert.match(String(text), /^<svg[^>]* viewBox="0 0 1220 /);
		const [png, image] = await saved(page, 'parse', 'png');
		assert.equal(png, 'picture-parse.png');
		assert.equal(image.toString('latin1', 1, 4), 'PNG');
		checkPicture(await page.frames(), rows(merge(simple)));
		assert.deepEqual(await page.state(), {});
	});
});

test('a saved picture has the state, the legend and the search of the screen', async () => {
	const modules = 'main;Store::save 600\nmain;Store::save;kernel_[k] 200\nmain;Index::add 200\n';
	const query = '#q=Store';

	for (const width of [1000, 390])
		await visitPicture(modules, { accept, query, size: { width, height: 700 } },
			async (page) => {
				await page.hover('Index::add');
				await page.press('h');
				const [, text] = await saved(page, 'main', 'svg');
				const texts = Array.from(String(text).matchAll(/<text[^>]*>([^<]*)</g),
					([, words]) => words);
				for (const words of ['100% = 800 samples, without what is left out',
					'zoom: main, 100.00% of what is left', 'search: Store', 'Store 75.0%', 'kernel 25.0%',
					'Self by module, of the zoom:'])
					assert.ok(texts.includes(words), `${words} in ${texts}`);
				assert.ok(!texts.includes('Index 20.0%'));
				assert.match(String(text), /<path class="fg-veil"[^>]* d="M/);
				const [, drawn, height] = /^<svg[^>]* viewBox="0 0 (\d+) ([\d.]+)"/.exec(text);
				assert.equal(Number(drawn), width);
				assert.ok(height < 36 + 4 * 16 + 6 * 18, height);
				const places = Array.from(String(text).matchAll(/ x="([\d.]+)"/g), ([, x]) => Number(x));
				assert.ok(places.every((x) => x < width), 'all of it is inside');
			});
});

test('a subtree of a reversed graph is saved as the stacks that it stands for', async () => {
	await visitPicture(shared, { accept, query: '#v=r' }, async (page) => {
		const [, bytes] = await saved(page, 'copy', 'folded');
		assert.equal(String(bytes), 'main;alpha;copy;memmove 30\nmain;beta;copy;memmove 20\n');
	});
});
