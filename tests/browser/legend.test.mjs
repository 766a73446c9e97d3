/* Tests the legend of modules, which can be clicked, and the list of colour schemes. */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { becomes, visitPicture } from './harness.mjs';

const profile = `app;main;Index::add;Index::sort;std::swap 3000
app;main;Index::add;malloc 2000
app;main;Store::save;write;entry_SYSCALL_64_after_hwframe;do_syscall_64 1500
app;main;Store::save;std::copy 500
app;main;work 3000
`;

const press = (module) => `.fg-key button[value="${module}"]`;
const fills = async (page) => Object.fromEntries(
	(await page.frames()).map(({ name, fill }) => [name, fill]));
const names = async (page) => (await page.frames()).map(({ name }) => name).sort();
const pressed = (page) => page.ask(() => Array.from(
	document.querySelectorAll('.fg-key button[aria-pressed="true"]'),
	(button) => button.value));
const same = (page, expected) => becomes(() => fills(page), expected);

test('the first click highlights, the second keeps only the stacks, the third shows all',
	async () => {
		await visitPicture(profile, {}, async (page) => {
			const before = await fills(page);
			const all = await names(page);

			await page.click(press('Index'));
			await becomes(() => pressed(page), ['Index']);
			const marked = await fills(page);
			for (const name of all)
				assert.equal(marked[name] === before[name], name.startsWith('Index'), name);
			assert.deepEqual(await names(page), all);

			await page.click(press('Index'));
			await becomes(() => names(page), ['Index::add', 'Index::sort', 'all', 'app',
				'main', 'malloc', 'std::swap']);
			assert.deepEqual(await pressed(page), ['Index']);
			assert.equal((await fills(page)).main, before.main);

			await page.click(press('Index'));
			await becomes(() => names(page), all);
			await same(page, before);
			assert.deepEqual(await pressed(page), []);
		});
	});

test('an entry explains itself and the clicks on it', async () => {
	await visitPicture(profile, {}, async (page) => {
		const [title, text] = await page.ask(({ index }) => {
			const button = document.querySelector(index);
			return [button.title, button.textContent];
		}, { index: press('libc') });
		assert.equal(text, 'libc 20.0%');
		assert.match(title, /^libc: 2,000 samples of its own, 20\.0% of all\. Click: highlight/);
	});
});

const legend = (page) => page.ask(() => Array.from(
	document.querySelectorAll('.fg-legend'), (item) =>
		(item.getClientRects().length ? item.textContent : '')).filter(Boolean));
const shows = (page, ...texts) => becomes(() => legend(page), texts);
const all = ['Self by module:', 'std 35.0%', 'no module 30.0%', 'libc 20.0%', 'kernel 15.0%',
	'Index 0.0%', 'Store 0.0%'];
const save = 'Self by module, of the zoom:';

test('the shares are those of what is shown, the largest first', async () => {
	await visitPicture(profile, {}, async (page) => {
		await shows(page, ...all);
		await page.click('Store::save');
		await shows(page, save, 'kernel 75.0%', 'std 25.0%', 'no module 0.0%', 'Store 0.0%');
		await page.press('Escape');
		await shows(page, ...all);
		await page.hover('Index::add');
		await page.press('h');
		await shows(page, 'Self by module, of what is left:', 'no module 60.0%', 'kernel 30.0%',
			'std 10.0%', 'Store 0.0%');
		await page.press('u', 'r');
		await shows(page, ...all);
		await page.click('do_syscall_64');
		await shows(page, save, 'kernel 100.0%', 'std 0.0%', 'no module 0.0%', 'libc 0.0%',
			'Index 0.0%', 'Store 0.0%');
	});
	await visitPicture(profile, { query: '#m=Index::add' }, async (page) => {
		await shows(page, 'Self by module, of this function:', 'std 60.0%', 'libc 40.0%',
			'Index 0.0%');
	});
	await visitPicture(profile, { query: '#g=Store' }, async (page) => {
		await shows(page, 'Self by module, of what is left:', 'kernel 75.0%', 'std 25.0%',
			'no module 0.0%', 'Store 0.0%');
	});
});

test('entries stay in their places while the user points at them', async () => {
	await visitPicture(profile, {}, async (page) => {
		await page.click(press('kernel'));
		await page.click(press('kernel'));
		await shows(page, 'Self by module, of what is left:', 'no module 0.0%', 'kernel 100.0%',
			'Store 0.0%');
		await page.hover('main');
		await page.ask(() => document.activeElement.blur());
		await shows(page, 'Self by module, of what is left:', 'kernel 100.0%', 'no module 0.0%',
			'Store 0.0%');
	});
});

test('functions without a module have their own shades, which one entry highlights', async () => {
	await visitPicture(profile, {}, async (page) => {
		const before = await fills(page);

		assert.notEqual(before.main, before.work);
		await page.click(press('no module'));
		await becomes(() => pressed(page), ['no module']);
		const marked = await fills(page);
		const left = Object.keys(before).filter((name) => marked[name] === before[name]);
		assert.deepEqual(left.sort(), ['all', 'app', 'main', 'work', 'write']);
	});
});

test('a click on another module moves the highlight; undo and Back lead back',
	async () => {
		await visitPicture(profile, {}, async (page) => {
			const before = await fills(page);

			await page.click(press('Index'));
			await page.click(press('kernel'));
			await becomes(() => pressed(page), ['kernel']);
			const marked = await fills(page);
			assert.equal(marked.do_syscall_64, before.do_syscall_64);
			assert.notEqual(marked['Index::add'], before['Index::add']);
			await page.press('u');
			await becomes(() => pressed(page), ['Index']);
			await page.press('u');
			await becomes(() => pressed(page), []);
			await same(page, before);
		});
	});

test('a link keeps what is highlighted, what is left, and the colours', async () => {
	await visitPicture(profile, { query: '#k=Store' }, async (page) => {
		await becomes(() => pressed(page), ['Store']);
	});
	await visitPicture(profile, { query: '#g=Store' }, async (page) => {
		await becomes(() => pressed(page), ['Store']);
		assert.ok(!(await names(page)).includes('Index::add'));
		assert.ok((await names(page)).includes('std::copy'));
	});
	await visitPicture(profile, { query: '#k=nothing&g=nowhere&c=plaid' },
		async (page) => {
			assert.equal((await names(page)).length, 13);
			assert.deepEqual(await pressed(page), []);
		});
});

const choose = (page, scheme) => page.ask(({ value }) => {
	const select = document.querySelector('.fg-foot select');

	select.value = value;
	for (const type of ['input', 'change'])
		select.dispatchEvent(new Event(type, { bubbles: true }));
}, { value: scheme });

test('the list changes the colours, and those of modules come back', async () => {
	await visitPicture(profile, {}, async (page) => {
		const before = await fills(page);
		const seen = [JSON.stringify(before)];

		for (const scheme of ['name', 'own', 'hot']) {
			await choose(page, scheme);
			await becomes(async () =>
				seen.includes(JSON.stringify(await fills(page))), false);
			seen.push(JSON.stringify(await fills(page)));
			assert.equal(await page.ask(() =>
				document.querySelector('.fg-key').getClientRects().length), 0);
		}
		await choose(page, '');
		await same(page, before);
	});
});

test('the list shows the current colours, whatever led to them', async () => {
	const chosen = (page) => page.ask(() => document.querySelector('.fg-foot select').value);

	await visitPicture(profile, { query: '#c=own' }, async (page) => {
		assert.equal(await chosen(page), 'own');
		await choose(page, 'hot');
		await page.press('u');
		await becomes(() => chosen(page), 'own');
	});
});

test('colours by self are strongest for the largest own counts', async () => {
	await visitPicture(profile, { query: '#c=own' }, async (page) => {
		assert.deepEqual(await legend(page), ['0.00%', '7.50%', '30.00%']);
		const colours = await fills(page);

		assert.equal(colours.work, colours['std::swap']);
		assert.equal(colours.main, colours.app);
		assert.notEqual(colours.work, colours.main);
	});
});

test('swatches stay in forced colours', async () => {
	await visitPicture(profile, {}, async (page) => {
		const backgrounds = await page.ask(() => Array.from(
			document.querySelectorAll('.fg-legend i'), (mark) => {
				const style = getComputedStyle(mark);
				return style.forcedColorAdjust === 'none' && style.backgroundColor;
			}));

		assert.equal(await page.ask(() => Array.from(
			document.querySelectorAll('.fg-swatch, .fg-swatch + text'))
			.filter((one) => one.getClientRects().length > 0).length), 0, 'there is one legend');
		assert.equal(new Set(backgrounds).size, backgrounds.length);
		assert.ok(backgrounds.length >= 6 && !backgrounds.includes(false));
	});
});

for (const width of [390, 800, 1280])
	test(`the legend covers no frame in a window of ${width} pixels`, async () => {
		const many = Array.from({ length: 40 }, (_, i) =>
			`main;${'a;'.repeat(60)}Module${i + 10}::work ${100 - i}\n`).join('');

		await visitPicture(many, { width, height: 600 }, async (page) => {
			const [foot, root] = await page.ask(() => [
				document.querySelector('.fg-foot').getBoundingClientRect().top,
				document.querySelector('#frames > g > rect').getBoundingClientRect().bottom,
			]);

			assert.ok(foot >= root - 1, `${foot} ${root}`);
		});
	});

test('older looks have neither the legend nor the list', async () => {
	for (const args of [['--theme', 'classic'], ['--colors', 'hot'],
		['--compat', 'perl'], ['--compat', 'inferno']])
		await visitPicture(profile, { args }, async (page) => {
			assert.equal(await page.ask(() =>
				document.querySelectorAll('.fg-key, .fg-foot select').length), 0);
		});
});
