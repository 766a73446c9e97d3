/* Tests the table of functions. */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { emulated } from './browsers.mjs';
import { becomes, visitPicture } from './harness.mjs';
import { changed, nested, shared, simple } from './profiles.mjs';

const open = (page) => page.click('button[name="table"]');

/* Returns the rows as texts: counts, then the name. */
const table = (page) => page.ask(() =>
	Array.from(document.querySelectorAll('.fg-table tbody tr'), (row) =>
		Array.from(row.querySelectorAll('td, th'), (cell) => cell.textContent).join(' ')));

const names = async (page) => (await table(page)).map((row) => row.split(' ').pop());

test('the table has the functions by their own counts, with totals', async () => {
	await visitPicture(simple, {}, async (page) => {
		await open(page);
		assert.deepEqual(await table(page), ['40040.00% 40040.00% lex', '30030.00% 30030.00% print',
			'15015.00% 15015.00% read', '10010.00% 10010.00% idle', '505.00% 60060.00% parse',
			'00.00% 90090.00% main']);
	});
});

test('a function that calls itself is counted once', async () => {
	await visitPicture(nested, {}, async (page) => {
		await page.press('t');
		assert.ok((await table(page)).includes('4040.00% 7070.00% walk'), `${await table(page)}`);
	});
});

test('the table can be sorted, and shows how it is', async () => {
	await visitPicture(simple, {}, async (page) => {
		const sorted = () => page.ask(() => Array.from(
			document.querySelectorAll('.fg-table thead th'),
			(cell) => cell.getAttribute('aria-sort')).join());
		await open(page);
		assert.equal(await sorted(), 'descending,none,none');
		await page.click('button[name="sort-all"]');
		assert.deepEqual((await names(page)).slice(0, 3), ['main', 'parse', 'lex']);
		assert.equal(await sorted(), 'none,descending,none');
		await page.click('button[name="sort-name"]');
		assert.deepEqual(await names(page), ['idle', 'lex', 'main', 'parse', 'print', 'read']);
		assert.equal(await sorted(), 'none,none,ascending');
	});
});

test('the search filters the table', async () => {
	await visitPicture(simple, {}, async (page) => {
		await open(page);
		await page.press('/');
		await page.type('^p');
		await becomes(() => names(page), ['print', 'parse']);
		const caption = () => document.querySelector('.fg-table caption').textContent;
		assert.equal(await page.ask(caption),
			'2 functions that match the search; shares are of 1,000 samples');
		await page.press('Escape');
		await becomes(async () => (await names(page)).length, 6);
		assert.equal(await page.ask(() => document.querySelector('.fg-filter').value), '');
	});
});

test('a hidden function is not in the table', async () => {
	await visitPicture(simple, {}, async (page) => {
		await open(page);
		await page.click('parse', 'Alt');
		await becomes(() => names(page), ['print', 'idle', 'main']);
	});
});

test('a row leads to the callers and callees of its function', async () => {
	await visitPicture(shared, {}, async (page) => {
		await open(page);
		await page.click('button[name="function"]');
		await becomes(() => page.state(), { m: ['memmove'] });
		assert.deepEqual((await page.shown()).sort(),
			['alpha', 'beta', 'copy', 'copy', 'main', 'main', 'memmove'].sort()
				.filter((name, i, all) => name !== 'copy' || all.indexOf(name) === i));
		await page.back();
		await becomes(() => page.state(), {});
	});
});

test('the table works by keyboard, and the focus stays on its button', async () => {
	const focus = (page) => page.ask(() =>
		`${document.activeElement.name} ${document.activeElement.textContent}`);

	await visitPicture(simple, {}, async (page) => {
		await page.press('t');
		assert.equal(await focus(page), 'function lex', 'the first row');
		await page.press('ArrowDown', 'ArrowDown', 'ArrowUp');
		assert.equal(await focus(page), 'function print');
		await page.press('End');
		assert.equal(await focus(page), 'function main');
		await page.press('Home', 'ArrowUp');
		assert.equal(await focus(page), 'function lex');
		await page.ask(() => document.querySelector('button[name="sort-all"]').focus());
		await page.press('Enter');
		assert.equal(await focus(page), 'sort-all Total');
		await page.press('Tab', 'Tab');
		assert.equal(await focus(page), 'function main');
		await page.press('Tab', 'Tab', 'Enter');
		assert.equal(await focus(page), 'function lex');
		await becomes(() => page.state(), { m: ['lex'] });
		await page.ask(() => document.querySelector('.fg-filter').focus());
		await page.press('ArrowDown');
		assert.equal(await focus(page), 'function main');
		/* The focus goes back to the frame, also by the key and by the button. */
		for (const leave of ['Escape', 't', 'Enter']) {
			if (leave === 'Enter')
				await page.ask(() => document.querySelector('button[name="close"]').focus());
			await page.press(leave);
			assert.deepEqual(await table(page), []);
			assert.equal(await page.ask(() => document.activeElement.getAttribute('role')),
				'treeitem', leave);
			await page.press('t');
		}
	});
});

test('by mouse the table takes no focus', async () => {
	await visitPicture(simple, {}, async (page) => {
		await open(page);
		assert.equal(await page.ask(() => document.activeElement.name), 'table');
	});
});

const twins = 'main;std::unique_ptr<Node, std::default_delete<Node> >::~unique_ptr 30\n' +
	'main;std::unique_ptr<Pack::Code, std::default_delete<Pack::Code> >::~unique_ptr 20\n' +
	'main;std::basic_string<char, std::char_traits<char> >::swap 10\n' +
	'main;std::basic_string<char, std::char_traits<char> >::swap@plt 5\n';

test('names that would look alike have a mark that tells them apart', async () => {
	await visitPicture(twins, { size: { width: 900, height: 700 } }, async (page) => {
		await open(page);
		assert.deepEqual(await page.ask(() => Array.from(document.querySelectorAll(
			'.fg-table tbody button'), (one) => one.textContent).slice(0, 4)),
		['unique_ptr<>::~unique_ptr Node', '~unique_ptr Pack::Code',
			'std::basic_string<>::swap', 'std::basic_string<>::swap @plt']);
	});
});


test('for a screen reader it is a table', async () => {
	await visitPicture(simple, {}, async (page) => {
		await open(page);
		const parts = await page.ask(() => ['table caption', 'thead th[scope=col]',
			'tbody th[scope=row]'].map((selector) =>
			document.querySelectorAll(`.fg-table ${selector}`).length));
		assert.deepEqual(parts, [1, 3, 6]);
	});
});

test('the picture makes room for the table', async () => {
	await visitPicture(simple, {}, async (page) => {
		const before = (await page.frame('all')).width;
		await open(page);
		const { left } = await page.ask(() =>
			document.querySelector('.fg-table').getBoundingClientRect().toJSON());
		const { left: start, width } = await page.frame('all');
		assert.ok(start + width <= left, `${start + width} and ${left}`);
		await open(page);
		assert.ok(Math.abs((await page.frame('all')).width - before) < 1);
		/* The details have the whole window again, too. */
		assert.equal(await page.ask(() =>
			document.querySelector('.fg-foot').getBoundingClientRect().width), before + 20);
	});
});

test('the table is beside the picture, or over it in a small window', async () => {
	const places = (page) => page.ask(() => {
		const { left, right } = document.querySelector('.fg-table').getBoundingClientRect();
		return { left: Math.round(left), right: Math.round(right) };
	});

	await visitPicture(simple, {}, async (page) => {
		await open(page);
		for (const width of [900, 390, 1220]) {
			await page.page.setViewportSize({ width, height: 900 });
			await becomes(async () => (await places(page)).right, width);
			await page.settle();
			const { left } = await places(page);
			assert.equal(left === 0, width === 390, `${left} of ${width}`);
			const all = await page.frame('all');
			if (width > 390)
				assert.ok(all.left + all.width <= left, `${all.left + all.width} of ${left}`);
			/* Shares are always shown, counts if there is room. */
			assert.equal((await table(page))[0], width > 900 ? '40040.00% 40040.00% lex' :
				'40040.00% 40.00% lex', `${width}`);
			assert.ok(await page.ask(() => Array.from(
				document.querySelectorAll('.fg-table td'),
				(cell) => cell.scrollWidth <= cell.clientWidth).every(Boolean)), `${width}`);
		}
	});
});

test('in a differential the largest change of self comes first, with words', async () => {
	await visitPicture(changed, {}, async (page) => {
		await open(page);
		assert.deepEqual(await page.ask(() => Array.from(
			document.querySelectorAll('.fg-table thead th'), (cell) => cell.textContent)),
		['Change of self', 'Before', 'After', 'Total', 'Function']);
		assert.deepEqual(await table(page), [
			'+200×2.0 20020.00% 40033.33% 33.33% grown',
			'+200new 00.00% 20016.67% 16.67% fresh',
			'-200×0.33 30030.00% 1008.33% 8.33% shrunk',
			'+100from 0 00.00% 1008.33% 100.00% main',
			'-100gone 10010.00% 00.00% 0.00% gone',
			'same 40040.00% 40033.33% 33.33% inner', ' 00.00% 00.00% 33.33% same']);
		assert.equal(await page.ask(() =>
			document.querySelector('.fg-table caption').textContent),
		'7 functions; shares are of 1,000 → 1,200 samples');
		/* The largest change has the longest bar. */
		assert.deepEqual(await page.ask(() => Array.from(
			document.querySelectorAll('.fg-table tbody tr'), (row) =>
				parseFloat(row.querySelector('td').style.backgroundSize))),
		[100, 100, 100, 50, 50, 0, 0]);
		await page.page.setViewportSize({ width: 900, height: 900 });
		await becomes(() => page.ask(() => Array.from(
			document.querySelectorAll('.fg-table thead th'), (cell) => cell.textContent)),
		['Change', 'Before', 'After', 'Function']);
		assert.equal((await table(page))[0], '+200×2.0 20.00% 33.33% grown');
	});
});

test('a ratio is not rounded to zero', async () => {
	await visitPicture('a 2943 2\nb 9 0\nb;c 400 400\n', {}, async (page) => {
		await open(page);
		assert.deepEqual((await table(page)).map((row) => row.split(' ')[0]),
			['-2,941<×0.01', '-9to', 'same']);
	});
});

test('in a differential the table and the colours agree about noise', async () => {
	const noisy = '# sample-weight: 10 10\nmain;much 100 900\nmain;little 1000 1100\n';

	await visitPicture(noisy, {}, async (page) => {
		await open(page);
		assert.deepEqual((await table(page)).slice(0, 2),
			['+80×9.0 109.09% 9045.00% 45.00% much',
				'+10noise 10090.91% 11055.00% 55.00% little']);
		assert.equal((await page.frame('little')).fill, 'rgb(240, 240, 240)');
		assert.notEqual((await page.frame('much')).fill, 'rgb(240, 240, 240)');
	});
});

const listed = (page) => page.ask(() => Array.from(
	document.querySelectorAll('.fg-calls'), (list) => [
		list.querySelector('h3').textContent,
		...Array.from(list.querySelectorAll('li'), (item) =>
			Array.from(item.children, (part) => part.textContent).join(' '))]));

test('callers and callees of the chosen row are listed below as links', async () => {
	await visitPicture(shared, {}, async (page) => {
		await open(page);
		assert.deepEqual(await listed(page), []);
		await page.click('.fg-table tbody button[aria-label="copy"]');
		await becomes(() => listed(page), [
			['Callers of copy', '40 53.3% alpha', '20 26.7% beta', '15 20.0% idle'],
			['Callees of copy', '50 66.7% memmove', '15 20.0% page_fault']]);
		await page.click('.fg-calls button[aria-label="alpha"]');
		await becomes(() => page.state(), { m: ['alpha'] });
		await becomes(() => listed(page), [['Callers of alpha', '40 100.0% main'],
			['Callees of alpha', '40 100.0% copy']]);
	});
});

test('a function that is shown by other means becomes the chosen row', async () => {
	await visitPicture(shared, {}, async (page) => {
		const chosen = () => page.ask(() => Array.from(
			document.querySelectorAll('.fg-table .fg-chosen button'),
			(button) => button.getAttribute('aria-label')));

		await open(page);
		await page.click('.fg-table tbody button[aria-label="copy"]');
		await becomes(chosen, ['copy']);
		await page.ask(() => { window.location.hash = 'm=main'; });
		await becomes(() => page.state(), { m: ['main'] });
		await becomes(chosen, ['main']);
	});
});

test('a function that is gone has callers, too', async () => {
	await visitPicture(changed, {}, async (page) => {
		await open(page);
		await page.click('.fg-table tbody button[aria-label="gone"]');
		await becomes(() => listed(page), [['Callers of gone', '100 gone main'],
			['Callees of gone: none']]);
	});
});

test('a box filters the rows, and its keys have no other effect', async () => {
	await visitPicture(simple, {}, async (page) => {
		await open(page);
		await page.click('.fg-filter');
		await page.type('pr');
		await becomes(() => names(page), ['print']);
		const caption = () => page.ask(() =>
			document.querySelector('.fg-table caption').textContent);
		assert.equal(await caption(), '1 function that matches; shares are of 1,000 samples');
		assert.deepEqual(await page.state(), {});
		await page.press('Backspace');
		await becomes(() => names(page), ['print', 'parse']);
		await page.type('(');
		await becomes(() => names(page), []);
		await page.press('Escape');
		await becomes(async () => (await names(page)).length, 6);
		assert.equal(await caption(), '6 functions; shares are of 1,000 samples');
		/* Escape first leaves the box, then the table. */
		await page.press('Escape');
		assert.equal(await page.ask(() => document.activeElement.className), 'fg-table fg-panel');
		await page.press('Escape');
		assert.deepEqual(await table(page), []);
	});
});

test('the columns are sorted either way', async () => {
	await visitPicture(simple, {}, async (page) => {
		const sorted = () => page.ask(() => Array.from(
			document.querySelectorAll('.fg-table thead th'),
			(cell) => cell.getAttribute('aria-sort')).join());
		await open(page);
		await page.click('button[name="sort-own"]');
		assert.equal(await sorted(), 'ascending,none,none');
		assert.deepEqual((await names(page)).slice(0, 2), ['main', 'parse']);
		await page.click('button[name="sort-name"]');
		await page.click('button[name="sort-name"]');
		assert.equal(await sorted(), 'none,none,descending');
		assert.deepEqual((await names(page)).slice(0, 2), ['read', 'print']);
	});
});

/* Returns the edges of the headings and of the cells below them. */
const edges = (page) => page.ask(() => ['thead', 'tbody'].map((part) => Array.from(
	document.querySelector(`.fg-table ${part} tr`).children,
	(cell) => Math.round(cell.getBoundingClientRect().right))));

test('headings are over their columns, which can be dragged wider', async () => {
	await visitPicture(simple, {}, async (page) => {
		await open(page);
		const [heads, cells] = await edges(page);
		assert.deepEqual(heads, cells);
		const { x, y } = await page.point('.fg-table thead .fg-grip');
		await page.page.mouse.move(x, y);
		await page.page.mouse.down();
		await page.page.mouse.move(x + 20, y);
		await page.page.mouse.move(x + 40, y);
		await page.page.mouse.up();
		await page.settle();
		const [wider, below] = await edges(page);
		assert.equal(wider[0], heads[0] + 40);
		assert.deepEqual(wider, below);
		await page.page.mouse.move(x - 30, y);
		await page.ask(() => document.querySelector('button[name="sort-own"]').focus());
		await page.press('ArrowLeft');
		assert.deepEqual((await edges(page))[0], wider, 'only while it is dragged');
		await page.ask(() => document.querySelector('button[name="sort-own"]').focus());
		await page.press('Shift+ArrowLeft');
		assert.equal((await edges(page))[0][0], heads[0] + 24);
		assert.deepEqual(await page.state(), {});
		const taken = await page.ask(() => !document.querySelector('button[name="sort-own"]')
			.dispatchEvent(new KeyboardEvent('keydown',
				{ key: 'ArrowLeft', shiftKey: true, bubbles: true, cancelable: true })));
		assert.equal(taken, true, 'the table does not scroll as well');
		const sides = await page.ask(() => Array.from(
			document.querySelectorAll('.fg-table thead th'),
			(heading) => getComputedStyle(heading).textAlign));
		assert.deepEqual(sides, ['right', 'right', 'left'], 'numbers, then names');
		/* No column becomes too narrow to read, however far it is dragged. */
		const widths = async () => {
			const { left, rights } = await page.ask(() => ({
				left: document.querySelector('.fg-table thead tr').getBoundingClientRect().left,
				rights: Array.from(document.querySelectorAll('.fg-table thead th'),
					(cell) => cell.getBoundingClientRect().right) }));
			return rights.map((right, i) => Math.round(right - (rights[i - 1] ?? left)));
		};
		const [, other] = await widths();
		for (const [distance, expected] of [[-400, 44], [450, 494]]) {
			const grip = await page.point('.fg-table thead .fg-grip');
			await page.page.mouse.move(grip.x, grip.y);
			await page.page.mouse.down();
			await page.page.mouse.move(grip.x + distance, grip.y);
			await page.page.mouse.up();
			await page.settle();
			const [own, total, names] = await widths();
			assert.deepEqual([own, total], [expected, other]);
			assert.ok(distance < 0 ? names > 200 : names === 120, `${names}`);
		}
	});
});

test('the rows have bars, and the colours of the picture', async () => {
	await visitPicture(simple, {}, async (page) => {
		await open(page);
		const rows = await page.ask(() => Array.from(
			document.querySelectorAll('.fg-table tbody tr'), (row) => [
				row.querySelector('button').textContent,
				parseFloat(row.querySelector('td').style.backgroundSize),
				getComputedStyle(row.querySelector('i')).backgroundColor]));
		assert.deepEqual(rows.map(([name, bar]) => [name, bar]), [['lex', 40], ['print', 30],
			['read', 15], ['idle', 10], ['parse', 5], ['main', 0]]);
		for (const [name, , fill] of rows)
			assert.equal(fill, (await page.frame(name)).fill, name);
	});
});

const long = 'main;std::map<std::basic_string<char, std::char_traits<char>>, ' +
	'std::vector<std::shared_ptr<Column>>>::operator[](std::string const&) 300 200\n' +
	`main;${'x'.repeat(400)} 100 100\nmain;short 10 20\n`;

for (const [width, height] of [[1280, 800], [1280, 200], [390, 844]])
	test(`names have one line, and nothing is covered: ${width} x ${height}`, async () => {
		await visitPicture(long, { size: { width, height } }, async (page) => {
			await open(page);
			await page.settle();
			const seen = await page.ask(() => {
				const box = (one) => one.getBoundingClientRect().toJSON();
				return {
					panel: box(document.querySelector('.fg-table')),
					details: box(document.querySelector('.fg-foot')),
					names: Array.from(document.querySelectorAll(
						'.fg-table tbody button bdi'), box),
					rows: Array.from(document.querySelectorAll('.fg-table tbody tr'), box),
					texts: Array.from(document.querySelectorAll('.fg-table tbody button'),
						(one) => one.textContent),
				};
			});
			const { panel, details } = seen;
			assert.ok(panel.right <= width && panel.left >= 0, JSON.stringify(panel));
			assert.ok(details.right <= panel.left + 1 || details.top >= panel.bottom - 1,
				JSON.stringify([panel, details]));
			assert.ok(width > 800 || panel.width === width, `${panel.width}`);
			assert.ok(seen.rows.every((row) => row.height < 40), JSON.stringify(seen.rows));
			assert.ok(seen.names.every((one) => one.right <= width && one.height < 24),
				JSON.stringify(seen.names));
			assert.ok(seen.texts.some((text) => /^x+\.\.$/.test(text)), `${seen.texts}`);
			assert.ok(seen.texts.some((text) => text.includes('operator[]')), `${seen.texts}`);
		});
	});

test('a long table is shown in parts', async () => {
	const profile = Array.from({ length: 250 }, (_, i) => `f${i} ${i + 1}\n`).join('');

	await visitPicture(profile, {}, async (page) => {
		await open(page);
		assert.equal((await names(page)).length, 100);
		const more = () => page.ask(() => {
			const { hidden, textContent } = document.querySelector('button[name="more"]');
			return hidden ? '' : textContent;
		});
		assert.equal(await more(), '150 more');
		await page.click('button[name="more"]');
		assert.equal((await names(page)).length, 250);
		assert.equal(await more(), '');
		assert.equal(await page.ask(() =>
			document.querySelector('button[name="more"]').textContent), '');
		/* A filtered list starts from the beginning. */
		await page.click('.fg-filter');
		await page.type('f');
		await becomes(more, '150 more');
		await page.type('24');
		await becomes(async () => (await names(page)).length, 11);
		assert.equal(await more(), '');
	});
});

test('on paper the picture and its legend have the width of the file', emulated, async () => {
	const profile = Array.from({ length: 12 }, (_, i) =>
		`main;work (/usr/lib/liblibrary-with-a-long-name-${i}.so) ${100 + i}\n`).join('');
	const boxes = (page, selector) => page.ask(({ wanted }) =>
		Array.from(document.querySelectorAll(wanted), (one) => one.getBoundingClientRect())
			.filter(({ width }) => width > 0)
			.map(({ left, right }) => [Math.round(left), Math.round(right)]),
	{ wanted: selector });

	for (const width of [1500, 1200, 600]) {
		const size = { width, height: 900 };
		await visitPicture(profile, { size }, async (page) => {
			const edge = width - 10 * width / 1200;
			await open(page);
			const [before] = await boxes(page, '#frames rect');
			await page.ask(() => { window.dispatchEvent(new Event('beforeprint')); });
			await page.page.emulateMedia({ media: 'print' });
			const legend = await boxes(page, '.fg-swatch, .fg-swatch + text');
			assert.deepEqual(await boxes(page, '.fg-table'),
				[[Math.round(0.1 * width), Math.round(0.9 * width)]]);
			assert.deepEqual((await boxes(page, '#frames rect'))[0],
				[Math.round(width - edge), Math.round(edge)]);
			assert.equal(legend.length, 25);
			assert.ok(legend.every(([, right]) => right <= edge), JSON.stringify(legend));
			await page.page.emulateMedia({ media: 'screen' });
			await page.ask(() => { window.dispatchEvent(new Event('afterprint')); });
			assert.deepEqual((await boxes(page, '#frames rect'))[0], before);
		});
	}
});

test('an open table is printed below the picture, and nothing that only a screen needs',
	emulated, async () => {
		await visitPicture(simple, { dark: true }, async (page) => {
			const boxOf = (selector) => page.ask(({ wanted }) => {
				const { top, bottom } = document.querySelector(wanted).getBoundingClientRect();
				return [top, bottom].map(Math.round);
			}, { wanted: selector });
			const lookOf = (name) => page.ask(({ wanted }) =>
				getComputedStyle(document.querySelector('.fg-table'))[wanted], { wanted: name });

			await open(page);
			await page.click('.fg-table tbody button[aria-label="lex"]');
			await page.page.emulateMedia({ media: 'print' });
			const [, end] = await boxOf('svg');
			const [top, bottom] = await boxOf('.fg-table');
			assert.ok(end <= top && top < 520 && bottom <= 900, `${end}, ${top} to ${bottom}`);
			assert.deepEqual(await boxOf('.fg-filters'), [0, 0]);
			assert.deepEqual(await boxOf('.fg-lists'), [0, 0]);
			assert.equal(await lookOf('backgroundColor'), 'rgb(255, 255, 255)');
			assert.equal(await lookOf('color'), 'rgb(17, 17, 17)');
			const pdf = (await page.page.pdf()).toString('latin1');
			assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, 1);
		});
	});
