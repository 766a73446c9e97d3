/* Tests the search. */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { canEmulate } from './browsers.mjs';
import { becomes, visitPicture } from './harness.mjs';
import { crowded, nested, simple } from './profiles.mjs';

const color = 'rgb(230, 0, 230)';
const screenshots = { skip: !canEmulate && 'its screenshots have other colours' };

/*
 * Returns the boxes of the marks for matches that are not drawn. All are parts of one path.
 */
const marks = (page) => page.ask(({ scope }) => {
	const path = document.querySelector(scope).querySelector('.fg-marks path.fg-mark');
	const all = path.getAttribute('d');

	return all.split(/(?=M)/).filter((part) => part !== '').map((part) => {
		path.setAttribute('d', part);
		const { left, width, top } = path.getBoundingClientRect();
		path.setAttribute('d', all);
		return { left, width, top, fill: getComputedStyle(path).fill };
	});
});

test('the search controls are visible with script', async () => {
	await visitPicture(simple, {}, async (page) => {
		assert.equal(await page.text('search'), 'Search');
		assert.equal(await page.text('ignorecase'), 'Aa');
		assert.equal(await page.box(), null);
		const field = await page.ask(() => {
			const { width, height } = document.querySelector('input.fg-term')
				.getBoundingClientRect();
			return width > 100 && height >= 24;
		});
		assert.ok(field, 'there is a field to type into');
		assert.equal(await page.ask(() => document.getElementById('ignorecase').title),
			'Ignore case when searching: Ctrl-I');
	});
});

/* Returns the text beside the field, and its visible buttons. */
const strip = (page) => page.ask(() => {
	const seen = (name) => document.querySelector(`.fg-find [name="${name}"]`)
		.getClientRects().length > 0;
	return [document.querySelector('.fg-count').textContent, seen('prev'), seen('next')];
});
const press = (page, name) => page.click(`[name="${name}"]`);

/* Returns the sign of the button that opens the field or, if it has text, empties it. */
const sign = (page) => page.ask(() => Array.from(
	document.querySelectorAll('#search .fg-icon'))
	.filter((icon) => getComputedStyle(icon).opacity > 0)
	.map((icon) => icon.dataset.sign).join());

test('the field can be clicked and typed into', async () => {
	await visitPicture(simple, {}, async (page) => {
		assert.deepEqual(await strip(page), ['', false, false]);
		await page.click('input.fg-term');
		await page.type('lex|print|idle');
		await becomes(() => strip(page), ['0 of 3', true, true]);
		assert.equal(await sign(page), '\u00d7');
		await page.press('Enter');
		assert.equal(await sign(page), '\u00d7');
		const value = () => document.querySelector('input.fg-term').value;
		assert.equal(await page.ask(value), 'lex|print|idle');
		await page.click('#search');
		assert.equal(await page.ask(value), '');
		assert.equal(await sign(page), '\u26b2');
		await becomes(() => strip(page), ['', false, false]);
	});
});

test('the number of the current match is shown, by buttons or keys', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.search('lex|print|idle');
		const shown = [];
		for (const go of [() => press(page, 'next'), () => press(page, 'next'),
			() => page.press('n'), () => press(page, 'next'), () => press(page, 'prev'),
			() => page.press('N')]) {
			await go();
			shown.push((await strip(page))[0]);
		}
		assert.deepEqual(shown, ['1 of 3', '2 of 3', '3 of 3', '1 of 3', '3 of 3', '2 of 3']);
		await page.press('/');
		await page.type('lex');
		/* Shift alone has no effect. */
		await page.press('Shift+L', 'Backspace');
		assert.equal((await page.box())?.value, 'lex');
		await page.press('Shift+Enter');
		await becomes(async () => (await strip(page))[0], '1 of 1');
	});
});

test('matches are counted in each view', async () => {
	await visitPicture('a1 20\na2;b1 50\nc;a3 30\nc 10\n', {}, async (page) => {
		await page.search('\\d');
		for (const key of ['s', 'r', 'r']) {
			await page.press(key);
			assert.deepEqual(await strip(page), ['0 of 4', true, true], 'one has gone to none of them');
			const shown = [];
			for (let i = 0; i < 5; i++) {
				await page.press('n');
				shown.push((await strip(page))[0]);
			}
			assert.deepEqual(shown, ['1 of 4', '2 of 4', '3 of 4', '4 of 4', '1 of 4'], key);
		}
	});
});

test('a view that merges frames does not count too many matches', async () => {
	const many = (count) => Array.from({ length: count }, (_, i) => `main;x${i} 1\n`).join('');

	/* It looks at two thousand frames, including the root. */
	for (const [count, shown] of [[1999, '0 of 1,999'], [2000, '0 of 2,000+']])
		await visitPicture(many(count), {}, async (page) => {
			await page.search('^x');
			await page.press('r');
			await becomes(async () => (await strip(page))[0], shown);
		});
});

/* Returns how much of a frame's colour can be seen, from a screenshot of its left end. */
async function colours(page, names) {
	const shot = (await page.page.screenshot({ encoding: 'base64' })).toString('base64');
	const places = [];
	for (const name of names) {
		const { left, top } = await page.frame(name);
		places.push([left + 1.5, top + 2]);
	}

	return page.page.evaluate(async ({ shot: data, places: at }) => {
		const image = new Image();
		image.src = 'data:image/png;base64,' + data;
		await image.decode();
		const canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas');
		[canvas.width, canvas.height] = [image.width, image.height];
		const context = canvas.getContext('2d', { willReadFrequently: true });
		context.drawImage(image, 0, 0);
		return at.map(([x, y]) => Array.from(context.getImageData(x, y, 1, 1).data).join());
	}, { shot, places });
}

test('frames that do not match are dimmed during a search', screenshots, async () => {
	await visitPicture(simple, {}, async (page) => {
		const names = ['main', 'idle', 'print', 'lex'];
		const before = await colours(page, names);
		await page.search('^lex$');
		const during = await colours(page, names);
		for (const i of [0, 1, 2])
			assert.notEqual(during[i], before[i], `${names[i]} is dimmed`);
		assert.equal(during[3], '230,0,230,255');
		const [veil, ground] = await page.ask(() => [
			document.querySelector('.fg-veil').getAttribute('fill'),
			document.querySelector('.fg-foot').style.backgroundColor]);
		assert.equal(veil, ground, 'with what is behind the frames');
		await page.click('#search');
		assert.deepEqual(await colours(page, names), before);
	});
});

test('a match of one pixel has a mark above and below', async () => {
	await visitPicture('main;wide 999\nmain;thin 1\n', {}, async (page) => {
		const mark = () => page.ask(() => {
			const element = document.querySelector('.fg-here');
			const box = element.getBoundingClientRect();
			return element.getClientRects().length > 0 && box.width > 0 ?
				{ left: box.left, right: box.right, top: box.top, bottom: box.bottom } : null;
		});
		await page.search('thin|wide');
		assert.equal(await mark(), null);
		await page.press('N');
		const { left, width, top } = await page.frame('thin');
		const at = await mark();
		assert.ok(width < 3 && at.left < left - 3 && at.right > left + width + 3,
			`${at.left} to ${at.right} around ${left}`);
		assert.equal(await page.ask(() => document.querySelector('.fg-here').getBBox().height),
			8 + 15 + 8, 'each touches the frame');
		assert.ok(at.top < top - 5 && at.bottom > top + 20, `${at.top} to ${at.bottom}`);
		await page.press('n');
		assert.ok((await mark()).right > left + 50);
		await page.click('#search');
		assert.equal(await mark(), null);
	});
});

test('the share of the own counts of matching functions is shown, too', async () => {
	const own = (page) => page.ask(() => document.querySelector('.fg-own').textContent);

	await visitPicture(simple, {}, async (page) => {
		await page.search('parse|read');
		await becomes(() => own(page), ' \u00b7 self 20.00%');
		await page.search('main');
		await becomes(() => own(page), ' \u00b7 self 0.00%');
	});
});

for (const [how, open] of [
	['a click on Search', (page) => page.click('#search')],
	['Ctrl-F', (page) => page.press('Control+f')],
	['F3', (page) => page.press('F3')],
	['/', (page) => page.press('/')],
]) {
	test(`${how} opens the search box and focuses it`, async () => {
		await visitPicture(simple, {}, async (page) => {
			await open(page);
			assert.deepEqual(await page.box(), { value: '', focused: true, invalid: false });
		});
	});
}

test('typed text is searched at once', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.press('/');
		await page.type('p');
		await becomes(() => page.filledWith(color), ['parse', 'print']);
		await becomes(() => page.text('matched'), 'Matched: 90.0% of all · 2 frames');
		await page.type('a');
		await becomes(() => page.filledWith(color), ['parse']);
		await page.press('Backspace');
		await becomes(() => page.filledWith(color), ['parse', 'print']);
	});
});

test('a button pressed before the pause in typing uses the typed text', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.search('print');
		await page.ask(() => {
			const field = document.querySelector('input.fg-term');

			field.value = 'lex|print|idle';
			field.dispatchEvent(new Event('input', { bubbles: true }));
			document.querySelector('button[name="next"]').click();
		});
		await becomes(async () => (await strip(page))[0], '1 of 3');
	});
});

test('Enter keeps the search and gives the keys back to the picture', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.search('lex');
		assert.deepEqual(await page.filledWith(color), ['lex']);
		assert.notEqual((await page.box())?.focused, true);
		await page.press('/');
		assert.equal((await page.box()).focused, true);
		assert.equal((await page.box()).value, 'lex');
	});
});

test('Escape in the box clears the search and closes the box', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.press('/');
		await page.type('lex');
		await becomes(() => page.filledWith(color), ['lex']);
		await page.press('Escape');
		assert.deepEqual(await page.filledWith(color), []);
		assert.equal(await page.box(), null);
		assert.equal(await page.text('search'), 'Search');
	});
});

test('Escape in the box does not reset the zoom', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		await page.press('/', 'Escape');
		assert.equal(await page.text('unzoom'), 'Reset Zoom');
	});
});

test('keys typed into the box have no other effect', async () => {
	await visitPicture(simple, {}, async (page) => {
		const before = await page.frames();
		await page.press('/');
		await page.type('irscCun?N/');
		assert.equal((await page.box()).value, 'irscCun?N/');
		const places = (frames) => frames.map(({ name, left, top }) => [name, left, top]);
		assert.deepEqual(places(await page.frames()), places(before));
		assert.equal(await page.text('unzoom'), null);
	});
});

test('the browser ignores the keys that the box handles', async () => {
	await visitPicture(simple, {}, async (page) => {
		const taken = (...keys) => page.ask(({ keys: all }) => all.map((key) =>
			!document.querySelector('input.fg-term').dispatchEvent(
				new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))),
		{ keys });
		assert.deepEqual(await taken('Enter', 'F3', 'Escape', 'x'), [true, true, true, false]);
	});
});

test('Ctrl-I in the box ignores case, and typing goes on', async () => {
	await visitPicture('Abc 20\nabc 30\nother 50\n', {}, async (page) => {
		await page.press('/');
		await page.type('A');
		await becomes(() => page.filledWith(color), ['Abc']);
		await page.press('Control+i');
		await becomes(() => page.filledWith(color), ['all', 'Abc', 'abc']);
		await page.type('b');
		await becomes(() => page.filledWith(color), ['Abc', 'abc']);
		assert.deepEqual(await page.box(), { value: 'Ab', focused: true, invalid: false });
	});
});

for (const key of ['F3', 'Control+f']) {
	test(`${key} in the box selects its text`, async () => {
		await visitPicture(simple, {}, async (page) => {
			await page.press('/');
			await page.type('parse');
			await page.press(key);
			await page.type('lex');
			assert.equal((await page.box()).value, 'lex');
		});
	});
}

for (const [what, profile, term, expected] of [
	['the share of the matching frames', simple, '^p', '90.0% · 2 frames'],
	['a match within a match is counted once', nested, 'walk', '70.0% · 4 frames'],
	['different matches within each other are counted once', nested, 'start|visit',
		'60.0% · 2 frames'],
	['everything', simple, '.*', '100% · 7 frames'],
	['nothing', simple, 'absent', null],
	['names, not counts', simple, 'samples|400|%', null],
	['names, not count differences', 'a 10 20\nb 20 20\n', '^a$', '33.3% → 50.0% · 1 frames'],
	['an anchored pattern', simple, '^lex$', '40.0% · 1 frames'],
	['an annotation', 'main;vfs_read_[k] 10\nmain 90\n', '_\\[k\\]$', '10.0% · 1 frames'],
	['a share that is small, but not none', 'rare 5\nother 19995\n', 'rare',
		'0.03% · 1 frames'],
	['not part of an annotation', 'main;vfs_read_[k] 10\nmain 90\n', '[kj_]$',
		null],
	['an invalid pattern is plain text', 'operator( 25\nother 75\n', 'r(',
		'25.0% · 1 frames'],
	['case matters', 'Abc 20\nabc 30\nother 50\n', 'ABC|Abc', '20.0% · 1 frames'],
	['frames that are not drawn', crowded, 'part1', '0.05% · 10 frames'],
	['parentheses at the end of a name', 'f(int (*)(char)) 30\nother 70\n',
		'\\(char\\)\\)$', '30.0% · 1 frames'],
	['a name that looks like a title', 'f (5 samples, 1.00%) 20\nother 80\n',
		'samples, 1\\.00%\\)$', '20.0% · 1 frames'],
]) {
	test(`matched: ${what}`, async () => {
		const plain = (text) => text?.replace(' of all', '').replace(/\b(1 frame)s?$/, '$1s') ?? null;

		await visitPicture(profile, {}, async (page) => {
			await page.search(term);
			await becomes(async () => plain(await page.text('matched')),
				expected === null ? 'No match' : 'Matched: ' + expected);
		});
	});
}

test('while zoomed, the share of the zoom is shown, too', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('main');
		await page.search('^p');
		await becomes(() => page.text('matched'),
			'Matched: 90.0% of all · 2 frames · 100% of zoom');
		await page.click('parse');
		await page.search('lex');
		await becomes(async () => /66\.7% of zoom$/.test(await page.text('matched')), true);
		await page.click('#unzoom');
		await becomes(async () => /^Matched: 40.0% of all · 1 frames?$/.test(
			await page.text('matched')), true);
		assert.deepEqual(await page.filledWith(color), ['lex']);
	});
});

test('a match outside the zoom has a share of zero in it', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		await page.search('print');
		await becomes(async () => /^Matched: 30.0% of all · .* · 0.0% of zoom$/.test(
			await page.text('matched')), true);
	});
});

test('if an ancestor of the zoom matches, the whole zoom does', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('lex');
		await page.search('^main$');
		await becomes(async () => /^Matched: 90.0% of all · .* · 100% of zoom$/.test(
			await page.text('matched')), true);
	});
});

test('an invalid pattern is marked, a valid one is not', async () => {
	await visitPicture('operator( 25\nother 75\n', {}, async (page) => {
		await page.press('/');
		await page.type('(');
		await becomes(async () => (await page.box()).invalid, true);
		await becomes(() => page.filledWith(color), ['operator(']);
		await page.type('other)');
		await becomes(async () => (await page.box()).invalid, false);
		await becomes(() => page.filledWith(color), ['other']);
	});
});

test('an invalid pattern looks invalid', async () => {
	const looks = (page) => page.ask(() => {
		const { color, backgroundColor, borderColor, outline, textDecoration } =
			getComputedStyle(document.querySelector('input.fg-term'));
		return [color, backgroundColor, borderColor, outline, textDecoration];
	});

	await visitPicture(simple, {}, async (page) => {
		await page.press('/');
		await page.type('a');
		const valid = await looks(page);
		await page.type('(');
		await becomes(async () => (await page.box()).invalid, true);
		assert.notDeepEqual(await looks(page), valid);
	});
});

for (const [how, toggle] of [
	['Aa', (page) => page.click('#ignorecase')],
	['Ctrl-I', (page) => page.press('Control+i')],
]) {
	test(`${how} ignores case and respects it again`, async () => {
		await visitPicture('Abc 20\nabc 30\nother 50\n', {}, async (page) => {
			await page.search('Abc');
			await becomes(() => page.filledWith(color), ['Abc']);
			await toggle(page);
			await becomes(() => page.filledWith(color), ['Abc', 'abc']);
			await toggle(page);
			await becomes(() => page.filledWith(color), ['Abc']);
		});
	});
}

test('case can be ignored in an invalid pattern, too', async () => {
	await visitPicture('Operator( 25\nother 75\n', {}, async (page) => {
		await page.click('#ignorecase');
		await page.search('oPERATOR(');
		await becomes(() => page.filledWith(color), ['Operator(']);
	});
});

test('Ctrl-Shift-I is left to the browser', async () => {
	await visitPicture('Abc 20\nabc 30\nother 50\n', {}, async (page) => {
		await page.search('Abc');
		await page.press('Control+Shift+i');
		assert.deepEqual(await page.filledWith(color), ['Abc']);
	});
});

test('Reset Search brings the colours back', async () => {
	await visitPicture(simple, {}, async (page) => {
		const fills = async () => (await page.frames()).map(({ fill }) => fill);
		const before = await fills();
		await page.search('lex');
		await becomes(() => page.text('search'), 'Reset Search');
		await page.click('#search');
		assert.deepEqual(await fills(), before);
		assert.equal(await page.text('search'), 'Search');
		assert.equal((await page.text('matched') ?? '').trim(), '');
	});
});

test('an emptied box ends the search', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.search('lex');
		await page.press('/', 'Control+a', 'Delete');
		await becomes(() => page.filledWith(color), []);
		await becomes(() => page.text('search'), 'Search');
	});
});

test('a search stays during a zoom and after it', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.search('lex|print');
		await page.click('parse');
		assert.deepEqual(await page.filledWith(color), ['lex']);
		await page.click('#unzoom');
		assert.deepEqual(await page.filledWith(color), ['print', 'lex']);
	});
});

test('a search that is reset while zoomed is reset everywhere', async () => {
	await visitPicture(simple, {}, async (page) => {
		const fills = async () => (await page.frames()).map(({ fill }) => fill);
		const before = await fills();
		await page.search('lex|main');
		await page.click('parse');
		assert.deepEqual(await page.filledWith(color), ['main', 'lex']);
		await page.click('#search');
		assert.deepEqual(await page.filledWith(color), []);
		await page.click('#unzoom');
		assert.deepEqual(await fills(), before);
	});
});

test('labels of matching frames are readable', async () => {
	const labels = (page) => page.ask(() =>
		Array.from(document.querySelectorAll('#frames text'), (text) =>
			text.parentNode.querySelector('text').textContent + ' ' + text.textContent + ' ' +
				getComputedStyle(text).fill));

	await visitPicture(simple, { args: ['--search-color', '#000080'] }, async (page) => {
		const before = await labels(page);
		assert.ok(before.includes('parse parse rgb(0, 0, 0)'));
		await page.search('^parse$');
		assert.deepEqual(await labels(page), before.map((label) =>
			label.startsWith('parse ') ? label.replace('(0, 0, 0)', '(255, 255, 255)') : label));
		await page.click('#search');
		assert.deepEqual(await labels(page), before);
	});
});

test('a frame that appears has the search colour if it matches', async () => {
	await visitPicture(crowded, {}, async (page) => {
		await page.search('part11|deep');
		assert.deepEqual(await page.filledWith(color), []);
		await page.click('group');
		assert.deepEqual(await page.filledWith(color), ['part11', 'deep']);
	});
});

test('a match too narrow to be drawn marks its place', async () => {
	await visitPicture(crowded, {}, async (page) => {
		await page.search('^part11$');
		await becomes(async () => (await marks(page)).length, 1);
		const [mark] = await marks(page);
		const group = await page.frame('group');
		assert.ok(mark.width >= 1);
		assert.equal(mark.fill, color);
		assert.ok(Math.abs(mark.left - group.left) < 2.5, 'at the place of group');
		await page.click('group');
		assert.deepEqual(await marks(page), []);
		await page.click('#unzoom');
		assert.equal((await marks(page)).length, 1);
		await page.click('#search');
		assert.deepEqual(await marks(page), []);
	});
});

test('a mark does not take mouse events', async () => {
	await visitPicture(crowded, {}, async (page) => {
		await page.search('part');
		await becomes(async () => (await marks(page)).length > 0, true);
		await page.click('group');
		assert.ok((await page.shown()).includes('part11'));
	});
});

/* Returns the name of the frame with the focus ring, or null. */
const focused = (page) => page.ask(({ scope }) => {
	const ring = document.querySelector(scope).querySelector('rect.fg-focus');
	if (!ring || ring.getClientRects().length === 0)
		return null;
	const box = ring.getBoundingClientRect();
	for (const title of document.querySelectorAll('#frames > * > title')) {
		const rect = title.parentNode.querySelector('rect').getBoundingClientRect();
		if (rect.width > 0 && Math.abs(rect.left - box.left) < 3 &&
			Math.abs(rect.top - box.top) < 3 && Math.abs(rect.width - box.width) < 6)
			return title.textContent.replace(/( \([^()]*%\)( · .*)?| · (self|[\d.]+%) .*)?$/s, '');
	}
	return 'nothing';
});

test('n and N go from match to match, and from the last to the first', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.search('lex|print|idle');
		const visited = [];
		for (let i = 0; i < 3; i++) {
			await page.press('n');
			visited.push(await focused(page));
		}
		assert.deepEqual(visited.slice().sort(), ['idle', 'lex', 'print']);
		await page.press('n');
		assert.equal(await focused(page), visited[0]);
		await page.press('N');
		assert.equal(await focused(page), visited[2]);
		await page.press('N');
		assert.equal(await focused(page), visited[1]);
	});
});

test('n zooms to a match that is not drawn', async () => {
	await visitPicture(crowded, {}, async (page) => {
		await page.search('^deep$');
		await page.press('n');
		await becomes(async () => (await page.shown()).includes('deep'), true);
		assert.equal(await focused(page), 'deep');
	});
});

/* Returns the frames that n visits first. N must visit them in reverse. */
async function tour(page, length) {
	const visited = [];

	for (let i = 0; i < length; i++) {
		await page.press('n');
		visited.push(await focused(page));
	}
	for (let i = length - 2; i >= 0; i--) {
		await page.press('N');
		assert.equal(await focused(page), visited[i]);
	}
	return visited;
}

test('n zooms to a match that is drawn, but too narrow to see', async () => {
	await visitPicture('main;wide 999800\nmain;thin;inner 200\n', {}, async (page) => {
		assert.ok((await page.shown()).includes('thin'));
		await page.search('thin');
		await page.press('n');
		await becomes(() => page.shown(), ['all', 'main', 'thin', 'inner']);
	});
});

test('n goes from the widest match to the narrowest', async () => {
	await visitPicture('a1 20\na2;b1 50\na2 5\nc;a3 30\nc 10\n', {}, async (page) => {
		await page.search('\\d');
		assert.deepEqual(await tour(page, 4), ['a2', 'b1', 'a3', 'a1']);
		await page.press('s');
		assert.deepEqual(await tour(page, 4), ['a2', 'b1', 'a3', 'a1']);
		await page.press('r');
		assert.deepEqual(await tour(page, 5), ['b1', 'a2', 'a3', 'a1', 'a2']);
	});
});

test('in a zoom n goes to the matches in it before all others', async () => {
	await visitPicture('wide 60\nmain;f1 10\nmain;f2 25\nf3 5\n', {}, async (page) => {
		await page.search('wide|^f');
		await page.click('main');
		assert.deepEqual(await tour(page, 2), ['f2', 'f1']);
		await page.press('n', 'n');
		await becomes(() => page.text('unzoom'), null);
		assert.equal(await focused(page), 'wide');
		assert.equal((await strip(page))[0], '3 of 4');
		await page.press('n');
		assert.equal(await focused(page), 'f3');
	});
});

test('a search without a match changes nothing but its text', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		const frames = await page.frames();
		await page.search('nowhere');
		await becomes(() => page.text('matched'), 'No match');
		assert.deepEqual(await page.frames(), frames);
		assert.equal(await page.ask(() =>
			document.querySelector('.fg-veil').getBBox().width), 0);
		assert.deepEqual(await strip(page), ['', false, false]);
		assert.equal(await page.ask(() => Array.from(
			document.querySelectorAll('[name="only"], [name="without"]'),
			(one) => one.getClientRects().length).join()), '0,0');
		await page.press('n', 'N');
		assert.deepEqual(await page.frames(), frames);
	});
});

test('n finds undrawn matches in a reverse graph and among callers', async () => {
	const profile = 'main;rare;f 1\nmain;often;f 4999\nmain;g;x 1\nmain;g 4999\n';

	await visitPicture(profile, {}, async (page) => {
		await page.search('^rare$');
		await page.press('r');
		assert.ok(!(await page.shown()).includes('rare'));
		await page.press('n');
		assert.equal(await focused(page), 'rare');
		await page.press('Escape', 'r', 's');
		await page.click('f', 'Control');
		assert.ok(!(await page.shown()).includes('rare'));
		await page.press('N');
		assert.equal(await focused(page), 'rare');
	});
});

test('n without a search does nothing', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.press('n', 'N');
		assert.equal(await page.text('unzoom'), null);
	});
});

test('a search from the command line is shown until the next one', async () => {
	await visitPicture(simple, { args: ['--search', '^p'] }, async (page) => {
		assert.deepEqual(await page.filledWith(color), ['parse', 'print']);
		assert.match(await page.text('matched'), /^Matched: 90.0%/);
		await page.search('lex');
		await becomes(() => page.filledWith(color), ['lex']);
	});
});

test('a search from the command line stays while zooming', async () => {
	await visitPicture(simple, { args: ['--search', '^p'] }, async (page) => {
		await page.click('parse');
		await page.click('#unzoom');
		assert.deepEqual(await page.filledWith(color), ['parse', 'print']);
		assert.match(await page.text('matched'), /^Matched: 90.0%/);
	});
});

test('a search from the command line can be reset', async () => {
	await visitPicture(simple, { args: ['--search', '^p'] }, async (page) => {
		assert.equal(await page.text('search'), 'Reset Search');
		await page.click('#search');
		assert.deepEqual(await page.filledWith(color), []);
	});
});

test('the search colour comes from the command line', async () => {
	const args = ['--search-color', '#00ff80'];

	await visitPicture(simple, { args }, async (page) => {
		await page.search('lex');
		await becomes(() => page.filledWith('rgb(0, 255, 128)'), ['lex']);
	});
});

test('scripts can search, reset and unzoom as in the peers\' pictures', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.ask(() => window.search('lex'));
		assert.deepEqual(await page.filledWith(color), ['lex']);
		await page.ask(() => window.reset_search());
		assert.deepEqual(await page.filledWith(color), []);
		await page.click('parse');
		await page.ask(() => window.unzoom());
		assert.equal((await page.shown()).length, 7);
	});
});
