/* Other views of the same profile: flipped, reversed, sorted, hidden, merged; copying. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canEmulate } from './browsers.mjs';
import { becomes, visitPicture } from './harness.mjs';
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

for (const [what, profile] of [['simple', simple], ['shared', shared],
	['crowded', crowded]]) {
	test(`r merges the stacks from the leaves, and back: ${what}`, async () => {
		const reversed = merge(profile, { reversed: true });

		await visitPicture(profile, {}, async (page) => {
			await page.press('r');
			checkPicture(await page.frames(), rows(reversed));
			await page.press('r');
			checkPicture(await page.frames(), rows(merge(profile)));
		});
	});
}

test('the reverse graph can be zoomed and searched', async () => {
	const reversed = merge(shared, { reversed: true });

	await visitPicture(shared, {}, async (page) => {
		await page.press('r');
		await page.click('memmove');
		checkPicture(await page.frames(), rows(find(reversed, 'memmove')));
		await page.search('^beta$');
		/* A frame of the profile, however many the reverse graph makes of it. */
		await becomes(() => page.text('matched'),
			'Matched: 45.0% · 1 frame · 40.0% of zoom');
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

test('hiding all but one keeps the picture whole', async () => {
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
			/^Matched: 85.7% · 1 frames?$/.test(await page.text('matched')), true);
	});
});

test('ctrl-click merges all instances of a function: what it calls', async () => {
	/* copy 75 = memmove 50, page_fault 15, itself 10 */
	const callees = find(merge('copy;memmove 50\ncopy;page_fault 15\ncopy 10\n'), 'copy');

	callees.parent = null;
	await visitPicture(shared, {}, async (page) => {
		await page.click('copy', 'Control');
		const frames = await page.frames();
		const copy = frames.find(({ name }) => name === 'copy');
		assert.equal(copy.width, frames[0].width, 'copy is as wide as the picture');
		assert.match(copy.title, /^copy \(75 samples/);
		const from = frames.filter(({ name }) => name !== 'all');
		checkPicture(from, rows(callees).map((row) => row));
		await page.press('u');
		checkPicture(await page.frames(), rows(merge(shared)));
	});
});

test('then r shows what calls it', async () => {
	const callers = merge('copy;alpha;main 40\ncopy;beta;main 20\ncopy;idle 15\n');

	await visitPicture(shared, {}, async (page) => {
		await page.click('copy', 'Control');
		await page.press('r');
		const from = (await page.frames()).filter(({ name }) => name !== 'all');
		checkPicture(from, rows(callers).filter(({ name }) => name !== 'all'));
	});
});

test('a recursive function is merged without counting twice', async () => {
	await visitPicture(nested, {}, async (page) => {
		await page.click('other');
		await page.click('walk', 'Control');
		assert.match((await page.frame('walk')).title, /^walk \(70 samples/);
	});
});

test('u undoes one step after the other', async () => {
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

test('? shows the keys and hides them again', async () => {
	const help = () => {
		const element = document.querySelector('.fg-help');
		return element && element.getClientRects().length > 0 &&
			getComputedStyle(element).visibility === 'visible' ? element.textContent : null;
	};

	await visitPicture(simple, {}, async (page) => {
		assert.equal(await page.ask(help), null);
		await page.press('?');
		const text = await page.ask(help);
		for (const key of ['Ctrl', 'Esc', 'Enter', 'n', 'i', 'r', 's', 'c', 'C', 'u', '?'])
			assert.ok(text.includes(key), `${key} is in the help`);
		await page.press('?');
		assert.equal(await page.ask(help), null);
		await page.press('?', 'Escape');
		assert.equal(await page.ask(help), null);
	});
});

test('views, zoom and search go together', async () => {
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
