/*
 * Tests other views of the same profile: flipped, reversed, sorted, hidden, merged; and
 * copying.
 */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { canEmulate } from './browsers.mjs';
import { becomes, drawInline, visit, visitPicture, write } from './harness.mjs';
import { checkPicture, find, merge, rows } from './model.mjs';
import { crowded, nested, shared, simple } from './profiles.mjs';

const places = (frames) =>
	frames.map(({ name, left, width, top }) =>
		[name, left.toFixed(1), width.toFixed(1), top.toFixed(1)]);

const sorted = (items) => items.map(String).sort();

test('i flips the picture: the root on top, then at the bottom again', async () => {
	await visitPicture(simple, {}, async (page) => {
		const before = places(await page.frames());
		await page.press('i');
		const top = async (name) => (await page.frame(name)).top;
		assert.ok(await top('all') < await top('main'));
		assert.ok(await top('main') < await top('parse'));
		assert.ok(await top('parse') < await top('lex'));
		await page.press('i');
		assert.deepEqual(sorted(places(await page.frames())), sorted(before));
	});
});

test('a flipped picture stays within its background', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.press('i');
		const outside = await page.ask(() => {
			const box = document.querySelector('svg').getBoundingClientRect();
			return Array.from(document.querySelectorAll('#frames rect'))
				.map((rect) => rect.getBoundingClientRect())
				.filter((rect) => rect.top < box.top || rect.bottom > box.bottom).length;
		});
		assert.equal(outside, 0);
	});
});

test('i keeps the zoom', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		await page.press('i');
		assert.deepEqual(sorted(await page.shown()),
			['all', 'lex', 'main', 'parse', 'read']);
		const { top } = await page.frame('all');
		assert.ok(top < (await page.frame('lex')).top);
	});
});

test('thousands of narrow frames are drawn and found, even if the page stays busy', async () => {
	const ids = Array.from({ length: 2400 }, (_, i) => String(i).padStart(4, '0'));
	const profile = ids.map((id) => `main;f${id} 1\n`).join('');
	const drawn = (page) => page.ask(() =>
		Array.from(document.querySelectorAll('#frames > g'), (frame) => [
			frame.querySelector('title').textContent.replace(/ .*/, ''),
			frame.querySelector('rect').getAttribute('fill')].join(' ')));
	const color = '#e600e6';
	const expected = ['all', ...ids.flatMap((id) => [`f${id}`, 'main'])];

	await visitPicture(profile, { size: { width: 1820, height: 900 } }, async (page) => {
		const frames = async () => (await drawn(page)).filter((text) => text !== 'main');
		const namesOf = (list) => list.map((text) => text.replace(/ .*/, ''));
		/* From now on, the page is never idle. */
		await page.ask(() => {
			window.requestIdleCallback = (work, { timeout }) =>
				timeout && setTimeout(work, timeout);
		});
		await page.press('r');
		/* The search comes while frames are still missing. */
		await page.ask(() => window.search('f1[0-9]*7$'));
		await becomes(async () => namesOf(await frames()).join(), expected.join());
		const found = (await frames()).filter((text) => text.endsWith(color));
		assert.deepEqual(namesOf(found), ids.filter((id) => /^1[0-9]*7$/.test(id))
			.map((id) => `f${id}`));
	});
});

for (const [what, profile] of [['simple', simple], ['shared', shared],
	['crowded', crowded]]) {
	test(`r merges the stacks from the leaves, and back: ${what}`, async () => {
		const reversed = merge(profile, { order: 'weight', reversed: true });

		await visitPicture(profile, {}, async (page) => {
			await page.press('r');
			checkPicture(await page.frames(), rows(reversed));
			await page.press('r');
			checkPicture(await page.frames(), rows(merge(profile)));
		});
	});
}

test('a small picture changes to another view at once', async () => {
	await visitPicture(simple, {}, async (page) => {
		const [before, after] = await page.ask(() => {
			const titles = () => Array.from(document.querySelectorAll('#frames title'),
				(title) => title.textContent).join();
			const first = titles();
			document.documentElement.dispatchEvent(
				new KeyboardEvent('keydown', { key: 'r', bubbles: true }));
			return [first, titles()];
		});
		assert.notEqual(after, before);
	});
});

test('the reverse graph can be zoomed and searched', async () => {
	const reversed = merge(shared, { order: 'weight', reversed: true });

	await visitPicture(shared, {}, async (page) => {
		await page.press('r');
		await page.click('memmove');
		checkPicture(await page.frames(), rows(find(reversed, 'memmove')));
		await page.search('^beta$');
		/* One frame of the profile is several frames of the reverse graph. */
		await becomes(() => page.text('matched'),
			'Matched: 45.0% of all · 1 frame · 40.0% of zoom');
	});
});

test('the reverse graph is sorted by weight', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.press('r', 's', '.');
		assert.deepEqual((await page.frames()).filter(({ level }) => level === '2')
			.map(({ name }) => name), ['lex', 'print', 'read', 'idle', 'parse']);
		assert.deepEqual(await page.ask(() => Array.from(document.querySelectorAll(
			'.fg-more button'), ({ name }) => name).filter((name) => name === 'byweight')), []);
	});
});

test('s sorts by weight, and by name again', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.press('s');
		checkPicture(await page.frames(), rows(merge(simple, { order: 'weight' })));
		const left = async (name) => (await page.frame(name)).left;
		assert.ok(await left('main') < await left('idle'));
		await page.press('s');
		checkPicture(await page.frames(), rows(merge(simple)));
	});
});

test('alt-click hides a frame and its subtree; u brings it back', async () => {
	const rest = merge(shared.replace(/^main;beta;.*\n/gm, ''));

	await visitPicture(shared, {}, async (page) => {
		await page.click('beta', 'Alt');
		checkPicture(await page.frames(), rows(rest));
		assert.match((await page.frame('main')).title, /^main \(40 samples/);
		assert.match((await page.frame('all')).title, /^all \(55 samples/);
		await page.press('u');
		checkPicture(await page.frames(), rows(merge(shared)));
		assert.match((await page.frame('all')).title, /^all \(100 samples/);
	});
});

test('h hides the frame of the details line', async () => {
	await visitPicture(shared, {}, async (page) => {
		await page.hover('beta');
		await page.press('h');
		checkPicture(await page.frames(), rows(merge(shared.replace(/^main;beta;.*\n/gm, ''))));
	});
});

test('a function in a tall picture is scrolled into view', async () => {
	const ways = Array.from({ length: 60 }, (_, i) => `f${i}`).join(';');
	const profile = `${ways};middle;${ways.replaceAll('f', 'g')} 100\n`;

	await visitPicture(profile, { query: '#m=middle', size: { width: 1220, height: 500 } },
		async (page) => {
			/*
			 * In Firefox the matrix of an element does not include scrolling, so the
			 * rectangle is used. The frames of the whole picture are far above.
			 */
			const top = await page.page.evaluate(() => {
				const titles = Array.from(document.querySelectorAll('.fg-frames title'))
					.filter((title) => title.textContent.startsWith('middle '));
				return Math.max(...titles.map((title) =>
					title.nextSibling.getBoundingClientRect().top));
			});
			assert.ok(Math.abs(top - (500 - 15) / 2) < 4, `in the middle, at ${top}`);
			/*
			 * The function stays where the user has scrolled it, as long as it is visible.
			 */
			const place = () => page.page.evaluate(() => scrollY);
			await page.press('Shift');
			await page.page.evaluate(() => scrollBy(0, 90));
			const before = await place();
			await page.press('s');
			assert.equal(await place(), before);
			await page.press('Escape', 'm', 'u');
		});
});

test('hiding all frames but one keeps the picture whole', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('idle', 'Alt');
		await page.click('print', 'Alt');
		await page.click('read', 'Alt');
		assert.deepEqual(await page.shown(), ['all', 'main', 'parse', 'lex']);
		await page.press('u', 'u', 'u', 'u');
		checkPicture(await page.frames(), rows(merge(simple)));
	});
});

test('a hidden frame is not searched', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('print', 'Alt');
		await page.search('^p');
		await becomes(async () =>
			/^Matched: 85.7% of what is left · 1 frames?$/.test(await page.text('matched')), true);
	});
});

/* copy 75: by itself 10, memmove 50, page_fault 15; main 60 (alpha 40, beta 20), idle 15 */
const callees = merge('copy;memmove 50\ncopy;page_fault 15\ncopy 10\n');
const callers = merge('copy;alpha;main 40\ncopy;beta;main 20\ncopy;idle 15\n');

/*
 * Returns the frames on each side of a function, above it and below it, each with the
 * function.
 */
async function sidesOf(page, name) {
	const frames = await page.frames();
	const middle = frames.find((frame) => frame.name === name);
	const above = frames.filter(({ top }) => top < middle.top);
	const below = frames.filter(({ top }) => top > middle.top);

	assert.equal(above.length + below.length, frames.length - 1);
	return [[middle, ...above], [middle, ...below]];
}

const without = (root) => rows(find(root, 'copy')).filter(({ name }) => name !== 'all');

for (const [how, act] of [
	['ctrl-click', (page) => page.click('copy', 'Control')],
	['m', async (page) => {
		await page.hover('copy');
		await page.press('m');
	}],
]) {
	test(`${how} shows a function between its callees and its callers`, async () => {
		await visitPicture(shared, {}, async (page) => {
			await act(page);
			const [above, below] = await sidesOf(page, 'copy');
			checkPicture(above, without(callees));
			checkPicture(below, without(callers));
			/* Half a row of 16 pixels apart on each side. */
			const [{ top }] = above;
			const nearest = (frames, most) => most(...frames.slice(1).map((frame) => frame.top));
			assert.equal(nearest(above, Math.max) - top, -24);
			assert.equal(nearest(below, Math.min) - top, 24);
			assert.match(above[0].title, /^copy \(75 samples, 75.00%\)/);
			const titles = (await page.frames()).map(({ title }) => title);
			for (const title of ['main (40 samples, 40.00%)', 'main (20 samples, 20.00%)',
				'memmove (50 samples, 50.00%)', 'idle (15 samples, 15.00%)'])
				assert.ok(titles.includes(title), title);
			await page.press('u');
			checkPicture(await page.frames(), rows(merge(shared)));
		});
	});
}

test('r swaps callers and callees, i turns the picture upside down', async () => {
	await visitPicture(shared, {}, async (page) => {
		const check = async (above, below) => {
			const sides = await sidesOf(page, 'copy');
			checkPicture(sides[0], without(above));
			checkPicture(sides[1], without(below));
		};
		await page.click('copy', 'Control');
		await page.press('r');
		await check(callers, callees);
		await page.press('i');
		await check(callees, callers);
		await page.press('r');
		await check(callers, callees);
		await page.press('i', 's');
		const { left } = await page.frame('memmove');
		assert.ok(left < (await page.frame('page_fault')).left);
	});
});

test('callers and callees can be zoomed to, and the address has the zoom', async () => {
	await visitPicture('a;f;a;x 30\nb;f 70\na 50\n', {}, async (page) => {
		await page.click('f', 'Control');
		const [above, below] = await sidesOf(page, 'f');
		const caller = below.find(({ name }) => name === 'a');
		await page.click(caller);
		assert.deepEqual(await page.shown(), ['a', 'f']);
		assert.equal((await page.frame('a')).width, (await page.frame('f')).width);
		assert.ok((await page.frame('a')).top > (await page.frame('f')).top);
		const { href } = await page.address();
		await page.press('Escape');
		await page.click(above.find(({ name }) => name === 'a'));
		assert.deepEqual(await page.shown(), ['f', 'a', 'x']);
		await page.back();
		await becomes(async () => (await page.shown()).length, 5);
		await page.page.goto('about:blank');
		await page.page.goto(href);
		await page.ready();
		assert.deepEqual(await page.shown(), ['a', 'f']);
		await page.press('Escape');
		assert.equal((await page.shown()).length, 5);
		await page.press('Escape');
		checkPicture(await page.frames(), rows(merge('a;f;a;x 30\nb;f 70\na 50\n')));
	});
});

test('a search marks callers and callees and adds up their counts', async () => {
	await visitPicture(shared, {}, async (page) => {
		await page.click('copy', 'Control');
		await page.search('^(idle|page_fault|beta)$');
		await becomes(async () => sorted(await page.filledWith('rgb(230, 0, 230)')),
			['beta', 'idle', 'page_fault']);
		assert.match(await page.text('matched'), /^Matched: 35.0% /);
		await page.search('^copy$');
		assert.match(await page.text('matched'), /^Matched: 75.0% /);
	});
});

test('the arrows go through a function from its callees to its callers', async () => {
	await visitPicture(shared, {}, async (page) => {
		const goes = async (key, name) => {
			await page.press(key);
			await becomes(async () => (await page.text('details')).split(/[:(] ?/)[1],
				`${name} `);
		};
		await page.click('copy', 'Control');
		await page.click('memmove');
		await page.press('Escape');
		await goes('ArrowDown', 'copy');
		await goes('ArrowDown', 'alpha');
		await goes('ArrowRight', 'beta');
		await goes('ArrowDown', 'main');
		await goes('ArrowUp', 'beta');
		await goes('ArrowLeft', 'alpha');
		await goes('ArrowLeft', 'alpha');
		await goes('ArrowUp', 'copy');
		await goes('ArrowUp', 'memmove');
	});
});

test('details of a caller have its share of the function, and no own counts',
	async () => {
		await visitPicture(shared, {}, async (page) => {
			await page.click('copy', 'Control');
			await page.hover('idle');
			assert.equal(await page.text('details'),
				'Function: idle (15 samples, 15.00%) · 20.00% of parent');
			await page.hover('memmove');
			assert.equal(await page.text('details'), 'Function: memmove (50 samples, 50.00%)' +
				' · self 50 (50.00%) · 66.67% of parent');
		});
	});

test('hiding a caller hides what the function did for it', async () => {
	await visitPicture(shared, {}, async (page) => {
		await page.click('copy', 'Control');
		await page.click('beta', 'Alt');
		const [above, below] = await sidesOf(page, 'copy');
		checkPicture(above, without(merge('copy;memmove 30\ncopy;page_fault 15\ncopy 10\n')));
		checkPicture(below, without(merge('copy;alpha;main 40\ncopy;idle 15\n')));
		await page.press('Escape');
		checkPicture(await page.frames(), rows(merge(shared.replace(/^main;beta;copy.*\n/m, ''))));
	});
});

test('a differential function has before and after on both sides', async () => {
	const profile = 'a;f;x 10 30\nb;f;y 20 10\nb;f 10 10\nrest 60 50\n';

	await visitPicture(profile, {}, async (page) => {
		await page.click('f', 'Control');
		const fills = Object.fromEntries((await page.frames())
			.map(({ name, fill }) => [name, fill]));
		/* x and a have more and are vermilion; y and b only have noise. */
		assert.equal(fills.a, fills.x);
		assert.equal(fills.a, 'rgb(213, 94, 0)');
		assert.equal(fills.b, 'rgb(240, 240, 240)');
		await page.hover('a');
		assert.match(await page.text('details'), /^Function: a \(10 → 30 samples \(\+20, ×3.0\), /);
	});
});

test('a recursive function is merged without counting twice', async () => {
	await visitPicture(nested, {}, async (page) => {
		await page.click('walk', 'Control');
		const frames = await page.frames();
		const middle = frames.find(({ name, width }) =>
			name === 'walk' && width === Math.max(...frames.map((frame) => frame.width)));
		assert.match(middle.title, /^walk \(70 samples, 70.00%\)/);
		const of = (side) => rows(find(merge(side), 'walk')).filter(({ name }) => name !== 'all');
		checkPicture([middle, ...frames.filter(({ top }) => top < middle.top)],
			of('walk;walk;walk 20\nwalk;visit 30\nwalk 20\n'));
		checkPicture([middle, ...frames.filter(({ top }) => top > middle.top)],
			of('walk;start 60\nwalk;other 10\n'));
	});
});

test('a function that calls itself thousands of times is reversed', async () => {
	const depth = 3000;
	/* Each call has counts of its own. */
	const stack = Array.from({ length: depth }, () => 'f');
	const profile = stack.map((_, i) => `${stack.slice(0, i + 1).join(';')} 1\n`).join('');

	await visitPicture(profile, {}, async (page) => {
		const row = (i) => page.ask(({ i: at }) => {
			const frames = document.getElementById('frames').children;
			return [frames.length, frames[at].querySelector('title').textContent];
		}, { i });
		const share = (depth - 499) / depth * 100;
		const title = `f (2,501 samples, ${share.toFixed(2)}%)`;
		await page.press('r');
		/* Frames narrower than half a pixel are not drawn. */
		await becomes(() => row(500), [depth, title]);
		await page.press('m');
		assert.equal((await row(0))[1].split(' (')[1].split(' ')[0], '3,000');
	});
});

test('u undoes one step after another', async () => {
	await visitPicture(shared, {}, async (page) => {
		const states = [sorted(places(await page.frames()))];
		for (const step of [
			() => page.press('s'), () => page.press('i'), () => page.press('r'),
			() => page.click('page_fault', 'Alt')]) {
			await step();
			states.push(sorted(places(await page.frames())));
		}
		for (let i = states.length - 2; i >= 0; i--) {
			await page.press('u');
			assert.deepEqual(sorted(places(await page.frames())), states[i], `step ${i}`);
		}
		await page.press('u');
		assert.deepEqual(sorted(places(await page.frames())), states[0]);
	});
});

const clipboard = { skip: !canEmulate && 'no permission to read what was copied' };

test('c copies the name, C the stack from the root on', clipboard, async () => {
	const profile = 'main;a b_[k];c<d>&"é😀 10\nmain 990\nmain;wide 5000\n';
	const copied = (page) => page.ask(() => navigator.clipboard.readText());

	await visitPicture(profile, {}, async (page) => {
		await page.click('main');
		await page.press('ArrowUp', 'ArrowUp');
		await page.press('c');
		await becomes(() => copied(page), 'c<d>&"é😀');
		await page.press('C');
		await becomes(() => copied(page), 'main;a b_[k];c<d>&"é😀');
	});
});

test('without a focus c copies the frame under the mouse', clipboard, async () => {
	const copied = (page) => page.ask(() => navigator.clipboard.readText());

	await visitPicture(simple, {}, async (page) => {
		await page.hover('lex');
		await page.press('C');
		await becomes(() => copied(page), 'main;parse;lex');
	});
});

test('if a page may not use the clipboard, the browser\'s copy command is used',
	clipboard, async () => {
		const html = write('copy.html', '<!DOCTYPE html><meta charset="utf-8"><title>copy</title>' +
			`<div>${drawInline(simple)}</div>`);
		const init = () => {
			window.real = navigator.clipboard;
			Object.defineProperty(navigator, 'clipboard', { value: undefined });
		};

		await visit([html], { init }, async (page) => {
			await page.hover('lex');
			await page.press('Tab', 'C');
			await becomes(() => page.ask(() => document.querySelector('.fg-message')?.textContent),
				'Copied the stack');
			await becomes(() => page.ask(() => window.real.readText()), 'main;parse;lex');
			/* Other copies on the page are left alone. */
			assert.equal(await page.ask(() => {
				const event = new Event('copy', { bubbles: true, cancelable: true });
				document.querySelector('svg').dispatchEvent(event);
				return event.defaultPrevented;
			}), false);
			await page.ask(() => {
				document.execCommand = () => false;
			});
			await page.press('C');
			await becomes(() => page.ask(() => document.querySelector('.fg-message')?.textContent),
				'Cannot copy here');
		});
	});

test('? shows the keys and hides them again', async () => {
	const help = () => {
		const element = document.querySelector('.fg-help');
		return element && element.getClientRects().length > 0 &&
			getComputedStyle(element).visibility === 'visible' ? element.textContent : null;
	};

	await visitPicture(simple, {}, async (page) => {
		const pressed = () => page.ask(() =>
			document.querySelector('[name="help"]').getAttribute('aria-pressed'));
		assert.deepEqual([await page.ask(help), await pressed()], [null, 'false']);
		await page.press('?');
		const text = await page.ask(help);
		assert.equal(await pressed(), 'true');
		for (const key of ['Ctrl', 'Esc', 'Enter', 'n', 'i', 'r', 's', 'c', 'C', 'u', '?'])
			assert.ok(text.includes(key), `${key} is in the help`);
		await page.press('?');
		assert.deepEqual([await page.ask(help), await pressed()], [null, 'false']);
		/* The card of a frame is not over the keys. */
		const card = () => document.querySelector('.fg-card')?.getClientRects().length ?? 0;
		await page.hover('lex');
		await becomes(() => page.ask(card), 1);
		await page.press('?');
		await becomes(() => page.ask(card), 0);
		await page.press('?', '?', 'Escape');
		assert.equal(await page.ask(help), null);
	});
});

test('? shows the keys in the visible part', async () => {
	const deep = Array.from({ length: 80 }, (_, i) => `f${i}`).join(';') + ' 100\n';
	const places = () => [document.documentElement, document.querySelector('.fg-help')]
		.map((element) => element.getBoundingClientRect())
		.map(({ top, bottom }) => ({ top, bottom }));

	await visitPicture(deep, { size: { width: 1220, height: 500 } }, async (page) => {
		for (const y of [0, 400, 2000]) {
			await page.ask(({ y: to }) => window.scrollTo(0, to), { y });
			await page.press('?');
			const [picture, help] = await page.ask(places);
			assert.ok(help.top >= 0 && help.bottom <= 500, `${y}: ${help.top}, ${help.bottom}`);
			assert.ok(help.bottom <= picture.bottom);
			await page.press('?');
		}
	});
});

test('after a change of view, keys do not start from an unrelated frame', async () => {
	await visitPicture(shared, {}, async (page) => {
		await page.click('work');
		await page.press('Escape');
		await page.click('copy', 'Control');
		await page.press('ArrowDown');
		await becomes(async () => (await page.text('details')).split(' (')[0], 'Function: alpha');
	});
});

test('views, zoom and search can be combined', async () => {
	await visitPicture(shared, {}, async (page) => {
		await page.press('r', 's', 'i');
		await page.click('memmove');
		await page.search('alpha');
		await becomes(() => page.filledWith('rgb(230, 0, 230)'), ['alpha']);
		await page.press('Escape');
		await page.press('i', 's', 'r');
		checkPicture(await page.frames(), rows(merge(shared)));
	});
});

test('recursion collapses, and comes back', async () => {
	await visitPicture('main;f;f;g 1\nmain;f;g 2\nmain;f 5\n', {}, async (page) => {
		const before = await page.frames();
		await page.press('f');
		checkPicture(await page.frames(), rows(merge('main;f;g 3\nmain;f 5\n')));
		assert.deepEqual(await page.state(), { v: ['c'] });
		await page.click('.fg-chip:not([hidden]) button');
		assert.deepEqual(await page.frames(), before);
		await page.press('?');
		await page.click('[name="collapse"]');
		assert.deepEqual(await page.shown(), ['all', 'main', 'f', 'g']);
	});
});

test('with recursion collapsed the picture is only as high as needed', async () => {
	/* Measures from the highest row to the base. A low picture has more above. */
	const height = (page) => page.ask(() => {
		const tops = Array.from(document.querySelectorAll('#frames rect'))
			.filter((rect) => rect.getClientRects().length > 0)
			.map((rect) => rect.getBoundingClientRect().top);
		return Math.round(Math.max(...tops) - Math.min(...tops));
	});

	await visitPicture(`main;${'f;'.repeat(40)}g 1\n`, {}, async (page) => {
		const before = await height(page);
		await page.press('f');
		assert.equal(await height(page), before - 39 * 16);
		checkPicture(await page.frames(), rows(merge('main;f;g 1\n')));
		await page.click('f');
		assert.equal(await height(page), before - 39 * 16);
		await page.press('f', 'Escape');
		assert.equal(await height(page), before);
	});
});

test('long work shows a message and can be stopped', async () => {
	const many = Array.from({ length: 310000 }, (_, i) => `a${i % 999};b${i % 400} 1\n`).join('');
	const type = (page, ...keys) => page.ask((argument) => {
		for (const key of argument.keys)
			document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
		return document.querySelector('.fg-message').textContent;
	}, { keys });

	await visitPicture(many, { args: ['--data-limit', '0', '-q'] }, async (page) => {
		assert.match(await type(page, 'r'), /^Working/);
		await becomes(async () => (await page.address()).hash, '#v=r');
		assert.equal(await type(page, 'r', 'Escape'), 'Cancelled');
		await page.settle();
		await page.settle();
		assert.equal((await page.address()).hash, '#v=r');
		await type(page, 'r', 'f');
		await becomes(async () => (await page.address()).hash, '#v=rc');
	});
});
