/* Tests zooming to a frame and out again. */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { becomes, visitPicture, write } from './harness.mjs';
import { all, ancestorsOf, checkPicture, find, locate, merge, rows } from './model.mjs';
import { crowded, large, narrow, numbers, shared, simple } from './profiles.mjs';

/* Returns deep stacks with counts, the same ones every time. */
function randomProfile() {
	const random = numbers();
	const lines = [];

	for (let count = 0; count < 300; count++) {
		const stack = [];
		for (let depth = random(12) + 1; depth > 0; depth--)
			stack.push('f' + random(3));
		lines.push(stack.join(';') + ' ' + (random(500) + 1));
	}
	return lines.join('\n') + '\n';
}

/* Clicks on the ancestors of a frame, one after another, and on the frame itself. */
async function zoomTo(page, target) {
	for (const frame of [...ancestorsOf(target).slice(1), target])
		await page.click(locate(await page.frames(), frame, frame.parent));
}

for (const [what, profile, path] of [
	['a small profile', simple, 'main;parse'],
	['deep stacks', randomProfile(), 'f0;f1'],
	['a leaf', simple, 'main;parse;lex'],
	['frames too narrow to be drawn', crowded, 'main;group'],
]) {
	test(`every frame is in its place after a zoom: ${what}`, async () => {
		const root = merge(profile);
		const zoom = find(root, path);

		await visitPicture(profile, {}, async (page) => {
			checkPicture(await page.frames(), rows(root));
			await zoomTo(page, zoom);
			checkPicture(await page.frames(), rows(zoom));
			await page.click('#unzoom');
			checkPicture(await page.frames(), rows(root));
		});
	});
}

test('every frame is in its place after a zoom in a large profile', async () => {
	const profile = large(3000);
	const root = merge(profile);
	const widest = all(root).filter(({ depth }) => depth === 4)
		.reduce((a, b) => a.total >= b.total ? a : b);

	await visitPicture(profile, {}, async (page) => {
		/* Of so many frames, only those that are a pixel wide are sure to be drawn. */
		checkPicture(await page.frames(), rows(root), { narrowest: 1 });
		await zoomTo(page, widest);
		checkPicture(await page.frames(), rows(widest));
	});
});

test('the ancestors of a zoomed frame fill the width and are faded', async () => {
	await visitPicture(simple, {}, async (page) => {
		const { left, width } = await page.frame('all');
		await page.click('lex');
		for (const name of ['all', 'main', 'parse']) {
			const frame = await page.frame(name);
			assert.ok(Math.abs(frame.left - left) < 0.1, name);
			assert.ok(Math.abs(frame.width - width) < 0.1, name);
			assert.ok(frame.faded && frame.opacity < 1, `${name} is faded`);
		}
	});
});

test('the zoomed frame and those above it are not faded', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		for (const name of ['parse', 'lex', 'read']) {
			const { faded, opacity } = await page.frame(name);
			assert.deepEqual([faded, opacity], [false, 1], name);
		}
	});
});

test('nothing is faded after Reset Zoom', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('lex');
		await page.click('#unzoom');
		for (const { faded, opacity } of await page.frames())
			assert.deepEqual([faded, opacity], [false, 1]);
	});
});

test('frames beside a zoomed frame are not shown', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		assert.deepEqual(await page.shown(), ['all', 'main', 'parse', 'lex', 'read']);
	});
});

test('frames too narrow to be drawn appear when they are zoomed to', async () => {
	await visitPicture(crowded, {}, async (page) => {
		assert.deepEqual(await page.shown(), ['all', 'main', 'group']);
		await page.click('group');
		assert.equal((await page.shown()).length, 3 + 20 + 1);
		assert.equal((await page.frame('part11')).label, 'part11');
		await page.click('part29');
		assert.deepEqual(await page.shown(),
			['all', 'main', 'group', 'part29', 'deep']);
		await page.click('#unzoom');
		assert.deepEqual(await page.shown(), ['all', 'main', 'group']);
	});
});

test('a frame that appears has its title, label and colour', async () => {
	let fill;

	await visitPicture('part11 1\n', {}, async (page) => {
		({ fill } = await page.frame('part11'));
	});
	await visitPicture(crowded, {}, async (page) => {
		await page.click('group');
		const frame = await page.frame('part11');
		assert.equal(frame.title, 'part11 (50, 0.01%)');
		assert.equal(frame.label, 'part11');
		assert.equal(frame.fill, fill);
	});
});

test('a zoom adds labels that did not fit before', async () => {
	await visitPicture(narrow, {}, async (page) => {
		assert.equal((await page.frame('tiny')).label, '');
		await page.click('tiny');
		assert.equal((await page.frame('tiny')).label, 'tiny');
	});
});

test('an annotation is not part of a label', async () => {
	await visitPicture('main;x;vfs_read_[k] 10\nmain 990\n', {}, async (page) => {
		await page.click('x');
		assert.equal((await page.frame('vfs_read')).label, 'vfs_read');
	});
});

for (const [how, reset] of [
	['Reset Zoom', (page) => page.click('#unzoom')],
	['a click on the root', (page) => page.click('all')],
	['Escape', (page) => page.press('Escape')],
]) {
	test(`${how} brings the whole picture back`, async () => {
		await visitPicture(narrow, {}, async (page) => {
			const before = await page.frames();
			await page.click('tiny');
			assert.equal(await page.text('unzoom'), 'Reset Zoom');
			await reset(page);
			const looks = ({ name, left, width, top, fill, label }) =>
				[name, left.toFixed(1), width.toFixed(1), top, fill, label];
			assert.deepEqual((await page.frames()).map(looks), before.map(looks));
			assert.equal(await page.text('unzoom'), null);
		});
	});
}

test('Reset Zoom is shown only while zoomed', async () => {
	await visitPicture(simple, {}, async (page) => {
		assert.equal(await page.text('unzoom'), null);
		await page.click('parse');
		assert.equal(await page.text('unzoom'), 'Reset Zoom');
	});
});

test('a faded ancestor can be zoomed to', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('lex');
		await page.click('main');
		assert.deepEqual(await page.shown(),
			['all', 'main', 'parse', 'print', 'lex', 'read']);
	});
});

test('an inverted picture can be zoomed', async () => {
	await visitPicture(simple, { args: ['--inverted'] }, async (page) => {
		await page.click('parse');
		assert.deepEqual(await page.shown(), ['all', 'main', 'parse', 'lex', 'read']);
		checkPicture(await page.frames(), rows(find(merge(simple), 'main;parse')));
	});
});

test('a reversed picture can be zoomed', async () => {
	const root = merge(shared, { reversed: true });

	await visitPicture(shared, { args: ['--reverse'] }, async (page) => {
		checkPicture(await page.frames(), rows(root));
		await page.click('memmove');
		checkPicture(await page.frames(), rows(find(root, 'memmove')));
	});
});

test('a click with Shift does not zoom', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse', 'Shift');
		assert.equal(await page.text('unzoom'), null);
	});
});

test('Back and Forward step through the zooms', async () => {
	await visitPicture(simple, {}, async (page) => {
		const unzoomed = await page.shown();
		const main = ['all', 'main', 'parse', 'print', 'lex', 'read'];
		const lex = ['all', 'main', 'parse', 'lex'];
		await page.click('main');
		await page.click('lex');
		assert.deepEqual(await page.shown(), lex);
		await page.back();
		await becomes(() => page.shown(), main);
		await page.back();
		await becomes(() => page.shown(), unzoomed);
		assert.equal(await page.text('unzoom'), null);
		await page.forward();
		await becomes(() => page.shown(), main);
		await page.forward();
		await becomes(() => page.shown(), lex);
		await page.click('#unzoom');
		await becomes(() => page.state(), {});
		await page.forward();
		await becomes(() => page.shown(), main);
	});
});

test('searching adds no step for Back', async () => {
	await visitPicture(simple, {}, async (page) => {
		const unzoomed = await page.shown();
		await page.click('main');
		await page.search('lex');
		await page.search('read');
		await page.back();
		await becomes(() => page.shown(), unzoomed);
	});
});

test('a click on a link follows it', async () => {
	const attributes = write('links.attr', 'parse\thref=#there\n');

	await visitPicture(simple, { args: ['--nameattr', attributes] }, async (page) => {
		await page.click('parse');
		await becomes(async () => (await page.address()).hash, '#there');
		assert.equal(await page.text('unzoom'), null);
	});
	/* Other keys work on a link like on any frame. */
	await visitPicture(simple, { args: ['--nameattr', attributes] }, async (page) => {
		await page.press('Home', 'ArrowUp', 'ArrowRight', 'ArrowUp', ' ');
		assert.equal(await page.text('unzoom'), 'Reset Zoom');
		await page.press('Enter');
		await becomes(async () => (await page.address()).hash, '#there');
	});
});

test('a link too narrow to be drawn is there once it is zoomed to', async () => {
	const attributes = write('hidden.attr', 'part11\thref=#there\tclass=marked\n');

	await visitPicture(crowded, { args: ['--nameattr', attributes] }, async (page) => {
		await page.click('group');
		assert.equal((await page.frame('part11')).link, '#there');
		assert.equal((await page.frame('part12')).link, null);
		const marked = () => page.ask(() => document.querySelectorAll('a.marked').length);
		assert.equal(await marked(), 1);
		await page.click('part11');
		await becomes(async () => (await page.address()).hash, '#there');
	});
});

test('a frame with its own title is labelled with its name', async () => {
	const attributes = write('titles.attr', 'tiny\ttitle=what it does\n');

	await visitPicture(narrow, { args: ['--nameattr', attributes] }, async (page) => {
		await page.click('what it does');
		const frame = (await page.frames())
			.find(({ title }) => title.startsWith('what it does'));
		assert.equal(frame.label, 'tiny');
	});
});

test('a frame\'s own title stays when other frames are hidden and shown again', async () => {
	const attributes = write('titles.attr', 'main\ttitle=where it starts\n');
	const titles = async (page) => (await page.frames()).slice(1, 3)
		.map(({ title }) => title);

	await visitPicture(simple, { args: ['--nameattr', attributes] }, async (page) => {
		const before = await titles(page);
		assert.deepEqual(before, ['idle (100 samples, 10.00%)', 'where it starts']);
		await page.click('idle', 'Alt');
		await page.page.mouse.move(1, 1);
		assert.equal((await titles(page))[0], 'where it starts');
		await page.press('u');
		assert.deepEqual(await titles(page), before);
	});
});

test('an id is given to the first visible frame that has it', async () => {
	const attributes = write('ids.attr', 'parse\tid=own\tclass=marked\n');
	const profile = 'main;parse;lex 40\nmain;parse 20\nother;parse 30\nidle 10\n';
	const owners = (page) => page.ask(() =>
		Array.from(document.querySelectorAll('[id=own]'), (element) =>
			element.parentNode.id + ': ' + element.firstElementChild.textContent));
	const first = ['frames: parse (60 samples, 60.00%)'];

	await visitPicture(profile, { args: ['--nameattr', attributes] }, async (page) => {
		await page.click('#ignorecase');
		assert.deepEqual(await owners(page), first);
		await page.click('other');
		await page.page.mouse.move(1, 1);
		assert.deepEqual(await owners(page), ['frames: parse (30 samples, 30.00%)']);
		await page.press('s', 'Escape');
		assert.deepEqual(await owners(page), first);
		await page.press('s');
		assert.deepEqual(await owners(page), first);
	});
});

for (const how of ['full', 'drawn', 'none']) {
	test(`with --data ${how} a zoom keeps titles, links and attributes`, async () => {
		const attributes = write('all.attr', 'main\thref=#main\ttitle=where it starts\n' +
			'parse\ttitle=only a title\nlex\tclass=marked\tid=lexer\n' +
			'read\thref=#read\ttarget=_self\n');
		const shown = (page) => page.ask(() =>
			Object.fromEntries(Array.from(document.getElementById('frames').children, (element) => {
				const ours = /^(fg:.*|role|tabindex|aria-.*)$/;
				const theirs = element.getAttributeNames()
					.filter((name) => !ours.test(name) && element.getAttribute(name) !== 'fg-faded')
					.map((name) => `${name}=${element.getAttribute(name)}`);
				const label = element.querySelector('text').textContent;
				return [label, [element.localName, ...theirs,
					element.querySelector('title').textContent]];
			})));

		await visitPicture(simple, { args: ['--data', how, '--nameattr', attributes] },
			async (page) => {
				const before = await shown(page);
				assert.deepEqual(before.parse, ['g', 'only a title']);
				assert.deepEqual(before.lex,
					['g', 'class=marked', 'id=lexer', 'lex (400 samples, 40.00%)']);
				await page.click('only a title');
				await page.page.mouse.move(1, 1);
				const after = await shown(page);
				assert.deepEqual(Object.keys(after).sort(),
					['all', 'lex', 'main', 'parse', 'read']);
				for (const name of ['lex', 'main', 'parse', 'read'])
					assert.deepEqual(after[name], before[name], name);
				const stale = () => document.querySelectorAll('#frames [fg\\:w]').length;
				assert.equal(await page.ask(stale), 0);
			});
	});
}
