/*
 * Tests the parts that stay in the window: buttons, the state in words and details; and
 * Back.
 */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { setTimeout as sleep } from 'node:timers/promises';
import { canEmulate, emulated } from './browsers.mjs';
import { becomes, drawInline, readWhenAllowed, visit, visitPicture, write } from './harness.mjs';
import { checkPicture, merge, rows } from './model.mjs';
import { changed, large, shared, simple } from './profiles.mjs';

const deep = Array.from({ length: 120 }, (_, i) => `f${i}`).join(';') + ' 100\n' +
	'f0;other 50\n';
const low = { size: { width: 1220, height: 500 } };

/* Returns the rectangle of the first element for a selector, in the window. */
const boxOf = (page, selector) => page.ask(({ selector: wanted }) => {
	const { top, bottom, left, right, width, height } =
		document.querySelector(wanted).getBoundingClientRect();
	return { top, bottom, left, right, width, height };
}, { selector });

/* Returns where each frame is. The frame that is pointed at has more in its title. */
const looks = async (page) => (await page.frames())
	.map(({ title, left, top }) => [title.split(' · ')[0], left, top].join()).sort();

/*
 * Returns where a frame is in the window. In Firefox its matrix does not include scrolling.
 */
const topOf = (page, name) => page.ask(({ name: wanted }) =>
	Array.from(document.querySelectorAll('#frames > *')).find((frame) =>
		frame.firstElementChild.textContent.startsWith(`${wanted} (`))
		.querySelector('rect').getBoundingClientRect().top, { name });

const scrollY = (page) => page.ask(() => window.scrollY);
const press = (page, name) => page.click(`button[name="${name}"]`);

/* Returns the text above the frames, without the buttons that undo. */
const state = (page) => page.ask(({ scope }) =>
	Array.from(document.querySelector(scope).querySelector('.fg-state').children)
		.filter((element) => element.getClientRects().length > 0 &&
			element.localName !== 'button')
		.map((element) => {
			const copy = element.cloneNode(true);
			copy.querySelectorAll('button').forEach((button) => button.remove());
			return copy.textContent.replace(/\s+/g, ' ').trim();
		})
		.filter((text) => text !== ''));

/* Returns which end of the picture stays if the window changes before it is drawn. */
const aspect = (page) => page.ask(({ scope }) =>
	document.querySelector(scope).getAttribute('preserveAspectRatio'));

const command = '/home/user/mill/target/release/mill --threads 4 --input data/big/2026/all.csv';

for (const width of [1440, 1000, 400])
	test(`a long heading is one line in a window of ${width} pixels`, async () => {
		const profile = `# command: ${command}\n# unit: samples\n${simple}`;
		const size = { width, height: 500 };

		await visitPicture(profile, { size }, async (page) => {
			const line = await page.ask(() => {
				const heading = document.querySelector('.fg-title');
				const { height } = heading.getBoundingClientRect();
				const { title, textContent, scrollWidth, clientWidth } = heading;
				const { textOverflow, lineHeight } = getComputedStyle(heading);
				return { title: heading.getAttribute('title') ?? title, textContent,
					isCut: scrollWidth > clientWidth, textOverflow,
					lines: Math.round(height / parseFloat(lineHeight)) };
			});
			const isCut = width !== 1000 || line.isCut;
			assert.deepEqual(line, { title: command, textContent: command, isCut,
				textOverflow: 'ellipsis', lines: 1 });
		});
	});

test('a heading that the program cut is complete in the bar', async () => {
	const args = ['--width', '300', '--subtitle', command];

	await visitPicture(`# command: ${command}\n${simple}`, { args }, async (page) => {
		for (const name of ['title', 'subtitle']) {
			assert.equal(await page.text(name), command);
			assert.equal(await page.ask(({ selector }) =>
				document.querySelector(selector).getAttribute('title'),
			{ selector: '.fg-' + name }), command);
		}
	});
});

test('if the picture grows upwards, the visible part stays in place', async () => {
	const tall = Array.from({ length: 40 }, (_, i) => `f${i};`).join('') + 'again;'.repeat(60) +
		'leaf 100\n';

	await visitPicture(tall, low, async (page) => {
		await page.press('Shift');
		await page.page.evaluate(() => scrollBy(0, -150));
		const before = await topOf(page, 'f20');
		assert.ok(before > 100 && before < 450, `at ${before}`);
		for (let i = 0; i < 2; i++) {
			await page.press('f');
			await becomes(async () => Math.abs(await topOf(page, 'f20') - before) < 2, true);
		}
	});
});

/* ---- the first screen */

test('a picture higher than the window opens at its base', async () => {
	await visitPicture(deep, low, async (page) => {
		const { top, bottom } = await boxOf(page, '#frames rect');
		assert.ok(top > 400 && bottom < 500, `the root is at ${top}`);
		assert.match(await aspect(page), /^xMidYMax/);
	});
	await visitPicture(deep, { ...low, args: ['--inverted'] }, async (page) => {
		const { top } = await boxOf(page, '#frames rect');
		assert.ok(top > 40 && top < 100, `the root is at ${top}`);
		assert.match(await aspect(page), /^xMidYMin/);
		await page.press('i');
		await becomes(async () => await topOf(page, 'all') > 400, true);
		await page.press('i');
		await becomes(async () => await topOf(page, 'all') < 100, true);
	});
});

/* Presses a key. A page scrolls from the first key on. */
const touch = (page) => page.press('Shift');

test('with the first action the page scrolls, and nothing moves', async () => {
	for (const args of [[], ['--inverted']])
		await visitPicture(deep, { ...low, args }, async (page) => {
			const height = () => page.ask(() => document.documentElement.scrollHeight);
			const widths = () => page.ask(() => document.documentElement.clientWidth);
			const before = [await boxOf(page, '#frames rect'), await widths()];
			assert.equal(await scrollY(page), 0);
			assert.equal(await height(), 500);
			await touch(page);
			assert.deepEqual([await boxOf(page, '#frames rect'), await widths()], before);
			assert.ok(await height() > 1900);
			assert.equal(await scrollY(page) > 0, args.length === 0);
			/* A user who comes back to a page finds it as it was: it scrolls. */
			await page.page.reload();
			await page.ready();
			assert.ok(await height() > 1900);
		});
});

test('the base stays visible in a window that becomes higher or lower', async () => {
	await visitPicture(deep, low, async (page) => {
		for (const height of [700, 400]) {
			await page.page.setViewportSize({ width: 1220, height });
			await becomes(async () => {
				const { top, bottom } = await boxOf(page, '#frames rect');
				return top > height - 100 && bottom < height;
			}, true);
		}
	});
});

test('if the controls need more rows, the visible part stays in place', async () => {
	for (const args of [[], ['--inverted']])
		await visitPicture(deep, { ...low, args }, async (page) => {
			await touch(page);
			await page.page.evaluate(() => scrollTo(0, 700));
			const [before, { height }] = [await topOf(page, 'f60'),
				await boxOf(page, '.fg-head')];
			await page.page.setViewportSize({ width: 800, height: 500 });
			await becomes(async () => (await boxOf(page, '.fg-head')).height > height, true);
			await becomes(async () => Math.abs(await topOf(page, 'f60') - before) < 2, true);
		});
});

test('no frame is behind the bars at either end of the picture', async () => {
	for (const args of [[], ['--subtitle', 'two'], ['--fontsize', '20'], ['--inverted']])
		await visitPicture(deep, { ...low, args }, async (page) => {
			const ends = [];
			await touch(page);
			for (const end of [0, 1e6]) {
				await page.ask(({ end: to }) => window.scrollTo(0, to), { end });
				const [head, foot] = [await boxOf(page, '.fg-head'),
					await boxOf(page, '.fg-foot')];
				const tops = [await topOf(page, 'all'), await topOf(page, 'f119')];
				ends.push(end ? foot.top - Math.max(...tops) : Math.min(...tops) - head.bottom);
			}
			assert.ok(ends[0] >= 0 && ends[1] >= 14.9, `${args}: ${ends}`);
		});
});

test('at rest the base is visible, however many lines are below it', async () => {
	const families = Array.from({ length: 14 }, (_, i) =>
		`Module${i}::run;Module${i}::step;${'deep;'.repeat(60)}end 10\n`).join('');

	for (const [width, height] of [[360, 640], [360, 740], [600, 700], [640, 400]])
		await visitPicture(families, { size: { width, height } }, async (page) => {
			const gap = async () => (await boxOf(page, '.fg-foot')).top -
				await topOf(page, 'all') - 15;
			await becomes(async () => await gap() > -0.1, true);
			/* Repeats it in a page that was used and scrolls. */
			await touch(page);
			await becomes(async () => await gap() > -0.1, true);
			assert.ok(await gap() < 20, `${width}: ${await gap()}`);
		});
});

test('the controls take one row, or two with the actions beside the title', async () => {
	for (const [width, rows] of [[1280, 1], [1024, 1], [1017, 1], [1016, 2], [800, 2],
		[640, 2]])
		await visitPicture(shared, { size: { width, height: 700 } }, async (page) => {
			const middle = async (selector) => {
				const { top, bottom } = await boxOf(page, selector);
				return (top + bottom) / 2;
			};
			const [title, views, find, acts] = await Promise.all(
				['#title', '.fg-views', '.fg-find', '.fg-acts'].map(middle));
			const isSame = (a, b) => Math.abs(a - b) < 4;
			assert.ok(isSame(title, acts) && isSame(views, find), `${width}`);
			assert.equal(isSame(title, views), rows === 1, `${width}`);
			assert.ok(views >= title, `${width}`);
		});
});

test('bars stay in the window while the page scrolls', async () => {
	await visitPicture(deep, low, async (page) => {
		await touch(page);
		for (const y of [0, 700, 1e6]) {
			await page.ask(({ y: to }) => window.scrollTo(0, to), { y });
			const [head, foot] = [await boxOf(page, '.fg-head'), await boxOf(page, '.fg-foot')];
			assert.equal(head.top, 0);
			assert.equal(foot.bottom, 500);
			for (const id of ['#title', '#search', '#details'])
				assert.ok((await boxOf(page, id)).bottom <= 500, id);
		}
		await page.press('/');
		const { top } = await boxOf(page, 'input.fg-term');
		assert.ok(top >= 0 && top < 60);
	});
});

test('in a low picture the details are right below the frames', async () => {
	await visitPicture(simple, {}, async (page) => {
		const [root, foot] = [await boxOf(page, '#frames rect'), await boxOf(page, '.fg-foot')];
		assert.ok(foot.top >= root.bottom - 0.1 && foot.top < root.bottom + 10,
			`${foot.top} below ${root.bottom}`);
	});
});

test('a match outside the window is scrolled to', async () => {
	await visitPicture(deep, low, async (page) => {
		await page.press('/');
		await page.type('^f110$');
		await becomes(() => page.filledWith('rgb(230, 0, 230)'), ['f110']);
		const top = await topOf(page, 'f110');
		assert.ok(top > 50 && top < 470, `at ${top}`);
		await page.press('Enter', 'n', 'Home');
		const root = await topOf(page, 'all');
		assert.ok(root > 50 && root < 470, `at ${root}`);
	});
});

test('nothing scrolls if a match is visible', async () => {
	await visitPicture(deep, low, async (page) => {
		await touch(page);
		await page.page.evaluate(() => scrollTo(0, 0));
		const before = await topOf(page, 'f119');
		await page.press('/');
		await page.type('^f(1|119)$');
		await becomes(() => page.filledWith('rgb(230, 0, 230)'), ['f1', 'f119']);
		await page.settle();
		assert.equal(await topOf(page, 'f119'), before);
	});
});

/* ---- the buttons */

test('every button can be seen, reached and pressed, and names its key', async () => {
	for (const width of [1220, 390])
		await visitPicture(shared, { size: { width, height: 800 } }, async (page) => {
			const buttons = await page.ask(() =>
				Array.from(document.querySelectorAll('.fg-tools button'), (button) => {
					const { left, right, top, height } = button.getBoundingClientRect();
					const signs = Array.from(button.querySelectorAll('.fg-icon'))
						.filter((icon) => getComputedStyle(icon).opacity > 0)
						.map((icon) => icon.dataset.sign);
					return { name: button.name, left, right, top, height,
						title: button.title, tabIndex: button.tabIndex, signs: signs.join() };
				}));
			const isPhone = width < 600;
			const seen = buttons.filter(({ height }) => height > 0);
			assert.deepEqual(seen.map(({ name }) => name), [
				'flame', 'reverse', 'sort', 'callers', 'table',
				...isPhone ? ['search', 'undo', 'menu'] :
					['ignorecase', 'search', 'undo', 'link', 'menu', 'help']]);
			/* Buttons without a word have a sign. */
			assert.deepEqual(seen.filter(({ signs }) => signs !== '')
				.map(({ name, signs }) => name + signs), [
				...isPhone ? ['search\u26b2', 'undo\u21b6', 'menu\u22ef'] :
					['search\u26b2', 'undo\u21b6', 'link\u2197', 'menu\u22ef', 'help?']]);
			for (const one of seen) {
				assert.ok(one.height >= (isPhone ? 32 : 24) && one.left >= 0 &&
					one.right <= width, one.name);
				assert.equal(one.tabIndex, 0);
				if (one.name !== 'flame')
					assert.match(one.title, /: (\S|Ctrl-I|\/, Ctrl-F or F3)$/);
			}
		});
});

for (const [name, words] of [['reverse', 'bottom-up'], ['sort', 'sorted by weight']]) {
	test(`the button ${name} and its way back do what its key does`, async () => {
		await visitPicture(shared, {}, async (page) => {
			const places = () => looks(page);
			const before = await places();
			await page.press({ reverse: 'r', sort: 's' }[name]);
			const after = await places();
			await page.press('u');
			await press(page, name);
			assert.deepEqual(await places(), after);
			assert.deepEqual((await state(page)).slice(1), [words]);
			const pressed = () => document.querySelector(
				'[aria-pressed="true"]:not([name="flame"])')?.name;
			assert.equal(await page.ask(pressed), name);
			await page.click('.fg-chip:not([hidden]) button[name="back"]');
			assert.deepEqual(await places(), before);
			assert.deepEqual((await state(page)).length, 1);
		});
	});
}

/* Returns the message over the details. */
const message = (page) => page.ask(() => {
	const { hidden, textContent } = document.querySelector('.fg-message');
	return hidden ? '' : textContent;
});

/* Returns the names of the pressed view buttons. */
const chosen = (page) => page.ask(() => Array.from(document.querySelectorAll(
	'.fg-views [aria-pressed="true"]'), (one) => one.textContent));

test('a view is chosen by its name, and only one is pressed', async () => {
	await visitPicture(shared, {}, async (page) => {
		const first = await looks(page);
		assert.deepEqual(await page.ask(() => Array.from(
			document.querySelectorAll('.fg-views button'), (one) => one.textContent)),
		['Flame', 'Bottom-up', 'Left heavy', 'Sandwich', 'Table']);
		assert.deepEqual(await chosen(page), ['Flame']);
		for (const [name, text, state] of [['reverse', 'Bottom-up', { v: ['r'] }],
			['sort', 'Left heavy', { v: ['s'] }], ['flame', 'Flame', {}]]) {
			for (let i = 0; i < 2; i++)
				await press(page, name);
			assert.deepEqual(await chosen(page), [text]);
			await becomes(() => page.state(), state);
		}
		assert.deepEqual(await looks(page), first);
		await page.click('copy', 'Control');
		assert.deepEqual(await chosen(page), ['Sandwich']);
		await becomes(() => page.state(), { m: ['copy'] });
		await press(page, 'table');
		assert.deepEqual(await chosen(page), ['Sandwich', 'Table']);
		/* If a function is shown already, it stays. */
		await press(page, 'callers');
		assert.deepEqual(await chosen(page), ['Sandwich']);
		assert.equal(await message(page), '');
		await press(page, 'table');
		await press(page, 'reverse');
		assert.deepEqual(await chosen(page), ['Bottom-up']);
		await becomes(() => page.state(), { v: ['r'] });
		await page.press('r', 's');
		assert.deepEqual(await chosen(page), ['Left heavy']);
		await page.press('t');
		assert.deepEqual(await chosen(page), ['Table']);
		await page.press('t', 'u');
		assert.deepEqual(await chosen(page), ['Flame']);
	});
});

test('a chart does not offer sorting', async () => {
	await visitPicture('a 1\nb 2\na 3\n', { args: ['--flamechart'] }, async (page) => {
		assert.deepEqual(await page.ask(() => Array.from(
			document.querySelectorAll('.fg-views button'), (one) => one.textContent)),
		['Flame chart', 'Bottom-up', 'Sandwich', 'Table']);
		await press(page, 'menu');
		assert.deepEqual(await offered(page), ['Flip', 'Leave out a frame',
			'Copy the name', 'Copy the stack', 'Save the stacks', 'Save the picture']);
	});
});

/* Returns the buttons in the menu. */
const offered = (page) => page.ask(() => Array.from(
	document.querySelectorAll('.fg-more button'))
	.filter((one) => one.getClientRects().length > 0 && one.textContent !== 'Overview')
	.map((one) => one.textContent));

test('the menu has rare actions, and none without a use for this picture', async () => {
	await visitPicture('main;f;f;g 1\nmain;f;g 2\nmain;f 5\n', {}, async (page) => {
		const expanded = () => page.ask(() =>
			document.querySelector('[name="menu"]').getAttribute('aria-expanded'));
		assert.equal(await expanded(), 'false');
		await press(page, 'menu');
		assert.equal(await expanded(), 'true');
		assert.equal((await boxOf(page, '.fg-more')).top, (await boxOf(page, '.fg-head')).bottom);
		assert.deepEqual(await offered(page), ['Flip', 'Collapse recursion', 'Sort by weight',
			'Leave out a frame', 'Copy the name', 'Copy the stack', 'Save the stacks',
			'Save the picture']);
		assert.equal(await page.ask(() => document.activeElement.name), 'invert');
		await press(page, 'collapse');
		await becomes(() => page.state(), { v: ['c'] });
		assert.deepEqual(await offered(page), []);
		assert.equal(await expanded(), 'false');
		await press(page, 'menu');
		assert.equal(await page.ask(() => document.querySelector('.fg-more [name="collapse"]')
			.getAttribute('aria-pressed')), 'true');
		await page.press('Escape');
		assert.deepEqual(await offered(page), []);
		assert.equal(await page.ask(() => document.activeElement.name), 'menu');
		await page.press('Enter');
		await page.click('g');
		assert.deepEqual(await offered(page), [], 'a click elsewhere leaves it');
	});
	await visitPicture(shared, {}, async (page) => {
		await page.press('.');
		assert.ok(!(await offered(page)).includes('Collapse recursion'));
	});
});

test('the tab has the title and the file', async () => {
	await visitPicture(shared, { args: ['--title', 'Mine'] }, async (page) => {
		assert.equal(await page.page.title(), 'Mine \u2013 picture.svg');
	});
});

test('Undo is dimmed if there is nothing to undo', async () => {
	/* Before the data are read, too. */
	await visitPicture(large(300), { init: readWhenAllowed, viewer: false }, async (page) => {
		assert.equal(await page.ask(() =>
			document.querySelector('[name="undo"]').getAttribute('aria-disabled')), 'true');
		await page.ask(() => window.goOn());
	});
	await visitPicture(shared, {}, async (page) => {
		const disabled = () => page.ask(() =>
			document.querySelector('[name="undo"]').getAttribute('aria-disabled'));
		assert.equal(await disabled(), 'true');
		await page.press('s');
		assert.equal(await disabled(), 'false');
		await press(page, 'undo');
		assert.equal(await disabled(), 'true');
	});
});

/* Whatever the user does: three short rows, and every control in them can be hit. */
test('on a phone the bars leave room for the picture', async () => {
	for (const [width, height] of [[360, 640], [390, 844]])
		await visitPicture(shared, { size: { width, height } }, async (page) => {
			const look = async (what) => {
				await becomes(async () => (await boxOf(page, '.fg-head')).height <=
					height * 0.15, true);
				for (const { name, box } of await targets(page))
					assert.ok(box.height >= 32 && box.width >= 32 && box.left >= 0 &&
						box.right <= width, `${what}: ${name}`);
			};
			await look('at first');
			assert.equal((await boxOf(page, 'input.fg-term')).height, 0);
			await page.click('#search');
			assert.equal((await page.box()).focused, true);
			await look('with the field');
			await page.type('copy');
			await becomes(async () => /^Matched/.test(await page.text('matched')), true);
			await look('while searching');
			await page.press('Enter');
			assert.ok((await boxOf(page, 'input.fg-term')).height > 0, 'what is searched for is seen');
			await press(page, 'next');
			await becomes(() => page.ask(() =>
				document.querySelector('.fg-count').textContent), '1 of 3');
			await look('at a match');
			const matched = await boxOf(page, '#matched');
			assert.ok(matched.left >= 0 && matched.left < width / 4, 'the share is read');
			await page.click('#search');
			assert.equal((await boxOf(page, 'input.fg-term')).height, 0);
			/* The search is opened and closed again. */
			for (const close of [() => page.click('#search'), () => page.press('Enter'),
				() => page.press('Escape')]) {
				await page.click('#search');
				assert.ok((await boxOf(page, 'input.fg-term')).height > 0);
				await close();
				assert.equal((await boxOf(page, 'input.fg-term')).height, 0, `${close}`);
			}
			await page.click('copy', 'Control');
			await page.press('s', 'i');
			await look('with chips');
		});
	await visitPicture(shared, { size: { width: 390, height: 844 }, query: '#q=copy' },
		async (page) => {
			assert.ok((await boxOf(page, 'input.fg-term')).height > 0);
			assert.equal(await page.ask(() => document.querySelector('input.fg-term').value), 'copy');
		});
});

test('on a phone every control is at least 32 pixels high', async () => {
	const low = (page) => page.ask(() => Array.from(document.querySelectorAll(
		':is(.fg-bar, .fg-panel, .fg-menu) :is(button, input, select)'))
		.map((one) => [one.name || one.className || one.localName, one.getBoundingClientRect()])
		.filter(([, { width, height }]) => width > 0 && (height < 32 || width < 24))
		.map(([name, { width, height }]) => `${name} ${width} x ${height}`));
	const phone = { size: { width: 360, height: 640 } };

	for (const folded of [large(300), changed])
		await visitPicture(folded, phone, async (page) => {
			assert.deepEqual(await low(page), [], 'at first');
			await page.search('e');
			assert.deepEqual(await low(page), [], 'search');
			await page.press('.');
			assert.deepEqual(await low(page), [], 'More');
			await page.press('Escape', '?');
			assert.deepEqual(await low(page), [], 'Help');
			await page.press('Escape', 't', 'Enter');
			assert.ok(await page.ask(() => document.querySelector('.fg-calls') !== null));
			assert.deepEqual(await low(page), [], 'table');
			await page.press('Escape', 'Escape', 'ArrowUp', 'Enter');
			assert.ok(await page.ask(() => document.querySelector('.fg-menu') !== null));
			assert.deepEqual(await low(page), [], 'menu');
		});
});

test('on a phone what is cut at the edge fades, and can be scrolled to', async () => {
	await visitPicture(large(300), { size: { width: 360, height: 640 } }, async (page) => {
		const [faded, gap] = await page.ask(() => {
			const key = document.querySelector('.fg-key');
			const { maskImage, webkitMaskImage } = getComputedStyle(key);
			key.scrollLeft = 1e5;
			const last = Array.from(key.querySelectorAll('.fg-legend:not([hidden])')).pop();
			return [/gradient/.test(maskImage || webkitMaskImage),
				key.getBoundingClientRect().right - last.getBoundingClientRect().right];
		});
		assert.ok(faded && gap >= 24, `${faded} ${gap}`);
	});
});

/* Returns the buttons and the field that are visible without scrolling sideways. */
const targets = (page) => page.ask(() => Array.from(
	document.querySelectorAll('.fg-group button, .fg-group input'))
	.map((one) => [one.name || 'field', one.getBoundingClientRect()])
	.filter(([, { width }]) => width > 0)
	.map(([name, { width, height, left, right }]) =>
		({ name, box: { width, height, left, right } })));

/* Presses a button of the menu More. */
async function pressMore(page, name) {
	await press(page, 'menu');
	await page.click(`.fg-more [name="${name}"]`);
}

test('Sandwich and Leave out apply to the chosen frame', async () => {
	await visitPicture(shared, {}, async (page) => {
		await page.click('copy');
		await press(page, 'callers');
		assert.deepEqual((await state(page)).slice(1), ['callers and callees of copy']);
		await page.click('.fg-chip:not([hidden]) button[name="back"]');
		await page.click('beta');
		await pressMore(page, 'hide');
		assert.deepEqual((await state(page)).slice(1),
			['zoom: main, 72.73% of what is left', '45.0% left out']);
		await press(page, 'undo');
		await page.press('Escape');
		checkPicture(await page.frames(), rows(merge(shared)));
	});
});

test('without a chosen frame, Sandwich shows the hottest function with the table', async () => {
	await visitPicture(shared, {}, async (page) => {
		await press(page, 'callers');
		assert.deepEqual((await state(page)).slice(1), ['callers and callees of memmove']);
		assert.deepEqual(await chosen(page), ['Sandwich', 'Table']);
		assert.match(await message(page), /^This is the hottest function/);
		assert.equal(await page.ask(() =>
			document.querySelector('.fg-table .fg-chosen button').textContent), 'memmove');
		/* It is not zoomed, so there is no zoom to reset; its chip leads back. */
		assert.equal(await page.text('unzoom'), null);
		await page.click('.fg-table tbody button[aria-label="work"]');
		await becomes(() => page.state(), { m: ['work'] });
		await page.click('.fg-chip:not([hidden]) button[name="back"]');
		assert.deepEqual(await chosen(page), ['Table']);
	});
	/* On a phone the table would cover it. */
	await visitPicture(shared, { size: { width: 390, height: 844 } }, async (page) => {
		await press(page, 'callers');
		assert.deepEqual(await chosen(page), ['Sandwich']);
	});
});

test('Leave out asks for a frame in a chip if none is chosen', async () => {
	const ask = 'Click the frame to leave out';

	await visitPicture(shared, {}, async (page) => {
		const asks = async () => (await state(page)).includes(ask);
		for (const stop of [() => page.press('Escape'),
			() => page.click('.fg-chip:not([hidden]) button[name="back"]')]) {
			await pressMore(page, 'hide');
			assert.ok(await asks());
			assert.equal(await page.ask(() =>
				document.querySelector('.fg-live').textContent), ask);
			await stop();
			assert.ok(!await asks());
			await page.click('idle');
			assert.deepEqual((await state(page)).slice(1), ['zoom: idle, 15.00% of all']);
			await page.press('Escape', 'Home');
		}
		await pressMore(page, 'hide');
		await page.click('beta');
		assert.deepEqual((await state(page)).slice(1), ['45.0% left out']);
		await press(page, 'undo');
		/* With keys: the arrows lead to the frame, and Enter is the click. */
		await page.press('Home');
		await pressMore(page, 'hide');
		await page.press('ArrowUp', 'Enter');
		assert.deepEqual((await state(page)).slice(1), ['15.0% left out']);
	});
});

/* ---- the state in words */

test('shares say what they are a share of', async () => {
	await visitPicture(simple, {}, async (page) => {
		assert.deepEqual(await state(page), ['100% = 1,000 samples']);
		await page.click('parse');
		await page.search('lex');
		await becomes(() => state(page), ['100% = 1,000 samples', 'zoom: parse, 60.00% of all',
			'search: lex Matched: 40.0% of all · 1 frame · 66.7% of zoom · self 40.00%']);
		await page.press('Escape');
		await page.click('idle', 'Alt');
		await becomes(() => state(page), ['100% = 900 samples, without what is left out',
			'10.0% left out',
			'search: lex Matched: 44.4% of what is left · 1 frame · self 44.44%']);
		await page.click('.fg-chip:not([hidden]) button[name="back"]');
		await page.click('.fg-chip:not([hidden]) button[name="back"]');
		await becomes(() => state(page), ['100% = 1,000 samples']);
	});
});

test('a low picture says once what 100 % is, and on paper, too', async () => {
	const shown = (page) => page.ask(({ scope }) =>
		Array.from(document.querySelector(scope).querySelectorAll('text, span'))
			.filter((element) => element.getClientRects().length > 0)
			.map(({ textContent }) => textContent)
			.filter((text) => text.startsWith('100% = ')));

	await visitPicture(simple, {}, async (page) => {
		assert.deepEqual(await shown(page), ['100% = 1,000 samples']);
		if (!canEmulate)
			return;
		await page.page.emulateMedia({ media: 'print' });
		assert.deepEqual(await shown(page), ['100% = 1,000 samples']);
	});
});

test('a link says what it shows', async () => {
	const query = '#z=memmove;copy&v=frs&h=main;alpha&q=be';

	await visitPicture(shared, { query }, async (page) => {
		assert.deepEqual(await state(page), ['100% = 60 samples, without what is left out',
			'zoom: copy, 33.33% of what is left', 'bottom-up',
			'upside down', '40.0% left out', 'search: be ' +
				'Matched: 75.0% of what is left · 1 frame · 100% of zoom · self 0.00%']);
	});
	await visitPicture(shared, { query: '#m=copy' }, async (page) => {
		assert.deepEqual((await state(page)).slice(1), ['callers and callees of copy']);
	});
});

test('stacks with a match are kept or left out', async () => {
	const beta = shared.replace(/^(?!.*beta).*\n/gm, '');

	await visitPicture(shared, {}, async (page) => {
		await page.search('^BETA$');
		await page.click('#ignorecase');
		await press(page, 'only');
		checkPicture(await page.frames(), rows(merge(beta)));
		assert.deepEqual((await state(page)).slice(0, 2),
			['100% = 45 samples, without what is left out', '55.0% left out: only ^BETA$']);
		await page.search('work');
		await page.press('x');
		checkPicture(await page.frames(), rows(merge(beta.replace(/^.*work.*\n/m, ''))));
		assert.equal((await state(page))[1], '80.0% left out: only ^BETA$, without work');
		await becomes(() => page.state(),
			{ i: ['1'], q: ['work'], o: ['^BETA$~i'], x: ['work~i'] });
		const { href } = await page.address();
		await page.page.goto('about:blank');
		await page.page.goto(href);
		await page.ready();
		checkPicture(await page.frames(), rows(merge(beta.replace(/^.*work.*\n/m, ''))));
		await page.press('x', 'o');
		assert.equal((await page.frame('all')).title.split(' · ')[0], 'all (20 samples, 100%)');
		await page.click('.fg-chip:not([hidden]) button[name="back"]');
		checkPicture(await page.frames(), rows(merge(shared)));
		await page.press('u', 'u', 'u');
		await page.search('nothing_of_the_kind');
		await page.press('o', 'x');
		checkPicture(await page.frames(), rows(merge(shared)));
	});
});

test('an invalid pattern is explained', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.press('/');
		await page.type('lex(');
		await becomes(async () => /Not a regular expression \(.+\): searched for as plain text/
			.test(await page.ask(() => document.querySelector('.fg-problem').textContent)), true);
		await page.press('Backspace');
		await becomes(() => page.ask(() =>
			document.querySelector('.fg-problem').textContent), '');
	});
});

test('the link of the view is copied', { skip: !canEmulate }, async () => {
	await visitPicture(simple, {}, async (page) => {
		const copied = () => page.ask(() => navigator.clipboard.readText());
		await page.press('i');
		await press(page, 'link');
		await becomes(() => message(page), 'Copied the link');
		assert.match(await copied(), /picture\.svg#v=f$/);
		await page.click('parse');
		await page.press('l');
		await becomes(copied, (await page.address()).href);
		assert.match(await copied(), /#z=main;parse&v=f$/);
	});
	/* A picture in a page has no address of its own. */
	const page = write('link.html', '<!DOCTYPE html><meta charset="utf-8"><title>x</title>' +
		drawInline(simple));
	await visit([page], {}, async (inner) => {
		assert.equal(await inner.ask(() => document.querySelectorAll('[name="link"]').length), 0);
	});
});

test('the actions have words where there is space', async () => {
	for (const [width, expected] of [[1280, 4], [1130, 4], [1120, 0], [900, 4], [700, 0]])
		await visitPicture(simple, { size: { width, height: 700 } }, async (page) => {
			assert.equal(await page.ask(() => Array.from(
				document.querySelectorAll('.fg-acts .fg-word'))
				.filter((one) => one.getBoundingClientRect().width > 5).length), expected,
			`${width}`);
			assert.ok(await page.ask(() => Array.from(document.querySelectorAll('.fg-tools > *'))
				.every((one) => one.scrollWidth <= one.clientWidth + 1)), `${width}`);
		});
});

test('copying is confirmed', async () => {
	await visitPicture(simple, {}, async (page) => {
		assert.equal(await page.ask(() => document.querySelector('.fg-message').hidden), true);
		await page.hover('lex');
		await page.press('C');
		await becomes(() => message(page), 'Copied the stack');
		assert.equal(await page.ask(() => document.querySelector('.fg-live').textContent),
			'Copied the stack', 'also to a screen reader');
	});
});

test('a message goes after a while, and the next one stays as long', async () => {
	/* Controls the timers of more than two seconds by hand. */
	const init = () => {
		const { setTimeout: wait, clearTimeout: leave } = window;
		let count = 0;
		window.waiting = new Map();
		window.setTimeout = (work, time, ...more) => {
			if (time !== 2500)
				return wait(work, time, ...more);
			window.waiting.set(`timer ${++count}`, work);
			return `timer ${count}`;
		};
		window.clearTimeout = (id) => window.waiting.delete(id) || leave(id);
	};

	await visitPicture(simple, { init }, async (page) => {
		await page.hover('lex');
		await page.press('C');
		await becomes(() => message(page), 'Copied the stack');
		await page.press('c');
		await becomes(() => message(page), 'Copied the name');
		assert.equal(await page.ask(() => window.waiting.size), 1);
		await page.ask(() => window.waiting.forEach((work) => work()));
		assert.equal(await message(page), '');
	});
});

test('Back undoes every change of the view, and Forward does it again', async () => {
	await visitPicture(shared, {}, async (page) => {
		const states = [await looks(page)];
		for (const step of [() => page.press('s'), () => page.press('i'),
			() => page.press('r'), () => page.click('page_fault', 'Alt'),
			() => page.click('memmove', 'Control')]) {
			await step();
			states.push(await looks(page));
			await sleep(50);
		}
		for (const expected of states.slice(0, -1).reverse()) {
			await page.back();
			await becomes(() => looks(page), expected);
		}
		for (const expected of states.slice(1, 3)) {
			await page.forward();
			await becomes(() => looks(page), expected);
		}
		await page.press('u');
		await becomes(() => looks(page), states[1]);
		await page.press('u');
		await becomes(() => looks(page), states[0]);
	});
});

/* ---- details and names */

test('the details of a long name are one line, on a phone a few lines', async () => {
	const name = 'std::map<' + 'very_long_argument, '.repeat(40) + 'int>::find';

	for (const [width, most] of [[1220, 18], [360, 56]])
		await visitPicture(`main;${name} 10\nmain 20\n`, { size: { width, height: 640 } },
			async (page) => {
				const all = await topOf(page, 'all');
				await page.hover(name);
				assert.match(await page.text('details'),
					/^Function: std::map<very.*find \(10 samples/);
				const { left, right, height } = await boxOf(page, '#details');
				assert.ok(left >= 0 && right <= width && height <= most,
					`${left} ${right} ${height}`);
				/* The numbers after the name are in it, and the root is not covered. */
				assert.ok(await page.ask(() => {
					const { lastChild } = document.getElementById('details');
					const range = document.createRange();
					range.selectNode(lastChild);
					return range.getBoundingClientRect().right <= window.innerWidth;
				}));
				assert.equal(await topOf(page, 'all'), all);
				assert.ok((await boxOf(page, '.fg-foot')).top > all + 14);
			});
});

test('details take the place of the hint, however long they are', async () => {
	const name = 'f'.repeat(3000);

	await visitPicture(deep.replaceAll('f0', name), low, async (page) => {
		const hint = () => page.ask(() => Array.from(document.querySelectorAll('.fg-foot > div'))
			.filter((line) => line.getClientRects().length > 0)
			.map((line) => line.textContent.trim()).filter((text) => text !== ''));
		await becomes(async () => (await hint())[0].split('. ')[0],
			'Click a frame to zoom in; Table lists all functions');
		await page.hover('all');
		assert.equal((await hint()).length, 1, 'the details take its place');
		const { top } = await boxOf(page, '.fg-foot');
		const place = async () => [Math.round(await topOf(page, 'all')),
			await page.ask(() => document.documentElement.scrollHeight)];
		const before = await place();
		await page.hover(name);
		await becomes(async () => /^Function: fff/.test(await page.text('details')), true);
		await page.settle();
		assert.equal((await boxOf(page, '.fg-foot')).top, top);
		assert.deepEqual(await place(), before);
	});
});

test('a right-to-left name does not turn numbers around', async () => {
	const name = 'דוגמה';

	await visitPicture(`${name} 10\nc 20\n`, {}, async (page) => {
		await page.hover(name);
		const places = await page.ask(() => {
			const details = document.getElementById('details');
			const place = (node, from, to) => {
				const range = document.createRange();
				range.setStart(node, from);
				range.setEnd(node, to);
				return range.getBoundingClientRect().left;
			};
			const rest = details.lastChild;
			return [place(rest, 2, 3), place(rest, 3, 4), place(rest, 5, 6)];
		});
		assert.ok(places[0] < places[1] && places[1] < places[2], `${places}`);
	});
});

test('a name with many combining marks stays on its row', async () => {
	const name = 'z' + '\u0301'.repeat(80) + 'algo';

	await visitPicture(`main;${name} 10\n`, {}, async (page) => {
		await page.click(name);
		const label = (await page.frame(name)).label;
		assert.equal(label, 'z' + '\u0301'.repeat(4) + 'algo');
		await page.hover(name);
		const clipped = () => getComputedStyle(document.getElementById('details')).overflow;
		assert.match(await page.ask(clipped), /clip|hidden/);
	});
});

/* ---- units */

for (const [unit, whole, detail] of [
	['ns', '513.6 ms', 'main (512,562,750 ns, 99.81%) · 512.6 ms · self 512.6 ms (99.81%)'],
	['us', '513.6 s', 'main (512,562,750 us, 99.81%) · 512.6 s · self 512.6 s (99.81%)'],
	['bytes', '489.8 MiB',
		'main (512,562,750 bytes, 99.81%) · 488.8 MiB · self 488.8 MiB (99.81%)'],
	['cycles', '513.6 M cycles',
		'main (512,562,750 cycles, 99.81%) · 512.6 M · self 512,562,750 (99.81%)'],
]) {
	test(`counts in ${unit} are easy to read, with all digits in the details`, async () => {
		const profile = 'main 512562750\nrest 1000000\n';

		for (const [text, args] of [[profile, ['--unit', unit]],
			[`# unit: ${unit}\n${profile}`, []]])
			await visitPicture(text, { args }, async (page) => {
				assert.deepEqual(await state(page), [`100% = ${whole}`]);
				await page.hover('main');
				assert.equal((await page.text('details')).split(' · 99.81% of')[0],
					'Function: ' + detail);
			});
	});
}

test('the event is named if it is known', async () => {
	await visitPicture('# event: cpu-clock\n# unit: ns\na 1500000\n', {}, async (page) => {
		assert.deepEqual(await state(page), ['100% = 1.5 ms of cpu-clock']);
	});
});

/* ---- phones, themes, paper and pages */

test('a phone learns that the picture fits its window', async () => {
	await visitPicture(simple, {}, async (page) => {
		assert.equal(await page.ask(() => document.querySelector('[name="viewport"]')
			.getAttribute('content')), 'width=device-width');
	});
});

test('the whole window is dark if the user prefers dark', emulated, async () => {
	await visitPicture(simple, { dark: true }, async (page) => {
		const colour = () => getComputedStyle(document.documentElement).backgroundColor;
		const parts = (await page.ask(colour)).match(/\d+/g).map(Number);
		assert.ok(Math.max(...parts) < 80, `${parts}`);
		await page.page.emulateMedia({ colorScheme: 'light' });
		await becomes(async () =>
			Math.min(...(await page.ask(colour)).match(/\d+/g).map(Number)) > 150, true);
	});
});

test('a picture of any height is printed on one page', emulated, async () => {
	await visitPicture(deep, low, async (page) => {
		const pdf = (await page.page.pdf()).toString('latin1');
		assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, 1);
	});
});

test('a low picture is in the middle of the window, but not on paper', async () => {
	await visitPicture(simple, {}, async (page) => {
		const top = () => topOf(page, 'all');
		const tell = (name) => page.ask(({ name: type }) => {
			window.dispatchEvent(new Event(type));
		}, { name });
		const before = await top();
		const middle = (await topOf(page, 'lex') + (await boxOf(page, '.fg-foot')).top) / 2;
		assert.ok(Math.abs(middle - 900 / 2) < 20, `${middle}`);
		await tell('beforeprint');
		assert.ok(await top() < before - 100, `${await top()} and ${before}`);
		await tell('afterprint');
		assert.equal(await top(), before);
	});
});

test('in a page a printed picture keeps the width of its place', async () => {
	const html = write('place.html', '<!DOCTYPE html><meta charset="utf-8"><title>place</title>' +
		`<div id="a" style="width: 500px">${drawInline(simple)}</div>`);

	await visit([html], { viewer: false }, async (outer) => {
		const page = outer.within('#a svg');
		await page.ready();
		const before = (await page.frame('all')).width;
		assert.ok(before < 500, `${before}`);
		await outer.ask(() => { window.dispatchEvent(new Event('beforeprint')); });
		assert.equal((await page.frame('all')).width, before);
	});
});

test('in a page the bars are inside their picture', async () => {
	const html = write('bars.html', '<!DOCTYPE html><meta charset="utf-8"><title>two</title>' +
		`<p>above</p><div id="a">${drawInline(changed)}</div><p>between</p>` +
		`<div id="b">${drawInline(deep)}</div><p>below</p>`);

	await visit([html], { viewer: false }, async (outer) => {
		for (const id of ['#a', '#b']) {
			const page = outer.within(`${id} svg`);
			await page.ready();
			const [head, foot, svg] = [await boxOf(outer, `${id} .fg-head`),
				await boxOf(outer, `${id} .fg-foot`), await boxOf(outer, `${id} svg`)];
			assert.ok(head.top >= svg.top - 1 && head.height > 40, `${id} head`);
			assert.ok(Math.abs(foot.bottom - svg.bottom) < 2, `${id} foot`);
			const first = Math.min(...(await page.frames()).map(({ top }) => top));
			assert.ok(head.bottom <= first + 1, `${id}: ${head.bottom} and ${first}`);
		}
		assert.equal(await scrollY(outer), 0);
		const page = outer.within('#a svg');
		await page.click('#a button[name="reverse"]');
		assert.deepEqual((await state(page)).slice(1), ['bottom-up']);
		await page.click('#a button[name="help"]');
		const [help, svg] = [await boxOf(outer, '#a .fg-help'), await boxOf(outer, '#a svg')];
		assert.ok(help.top >= svg.top - 1 && help.bottom <= svg.bottom + 1);
	});
});
