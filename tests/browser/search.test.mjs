/* Searching. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visitPicture } from './harness.mjs';
import { nested, simple } from './profiles.mjs';

const color = 'rgb(230,0,230)';

test('the search controls are visible with script', async () => {
	await visitPicture(simple, {}, async (page) => {
		assert.equal(await page.text('search'), 'Search');
		assert.equal(await page.text('ignorecase'), 'ic');
	});
});

test('matching frames get the search colour', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.search('^p');
		assert.deepEqual(await page.filledWith(color), ['parse', 'print']);
	});
});

test('the share of the matching frames is shown', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.search('^p');
		assert.equal(await page.text('matched'), 'Matched: 90.0%');
	});
});

test('a match within a match is counted once', async () => {
	await visitPicture(nested, {}, async (page) => {
		await page.search('walk');
		assert.equal(await page.text('matched'), 'Matched: 70.0%');
	});
});

test('different matches within each other are counted once', async () => {
	await visitPicture(nested, {}, async (page) => {
		await page.search('start|visit');
		assert.equal(await page.text('matched'), 'Matched: 60.0%');
	});
});

test('the share is that of the whole picture while zoomed, too', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		await page.search('^p');
		assert.equal(await page.text('matched'), 'Matched: 90.0%');
		await page.click('#unzoom');
		assert.equal(await page.text('matched'), 'Matched: 90.0%');
		assert.deepEqual(await page.filledWith(color), ['parse', 'print']);
	});
});

test('everything matches 100%', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.search('.*');
		assert.equal(await page.text('matched'), 'Matched: 100%');
	});
});

test('nothing matches 0.0%', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.search('absent');
		assert.equal(await page.text('matched'), 'Matched: 0.0%');
		assert.deepEqual(await page.filledWith(color), []);
	});
});

test('a search looks at the name and not at the counts', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.search('samples|400|%');
		assert.equal(await page.text('matched'), 'Matched: 0.0%');
	});
});

test('a pattern can be anchored at the end of the name', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.search('^lex$');
		assert.deepEqual(await page.filledWith(color), ['lex']);
	});
});

test('a name may end in parentheses itself', async () => {
	const profile = 'f(int (*)(char)) 30\nf (5 samples, 1.00%) 20\nother 50\n';

	await visitPicture(profile, {}, async (page) => {
		await page.search('\\(char\\)\\)$');
		assert.equal(await page.text('matched'), 'Matched: 30.0%');
		await page.click('#search');
		await page.search('samples, 1\\.00%\\)$');
		assert.equal(await page.text('matched'), 'Matched: 20.0%');
	});
});

test('a count name of many kinds of characters is not searched', async () => {
	const args = ['--countname', 'bytes (.*) [a, $1'];

	await visitPicture(simple, { args }, async (page) => {
		await page.search('bytes|^lex$');
		assert.equal(await page.text('matched'), 'Matched: 40.0%');
	});
});

test('an annotation can be searched for', async () => {
	await visitPicture('main;vfs_read_[k] 10\nmain 90\n', {}, async (page) => {
		await page.search('_\\[k\\]$');
		assert.equal(await page.text('matched'), 'Matched: 10.0%');
	});
});

test('an invalid pattern is searched for as plain text', async () => {
	await visitPicture('operator( 25\nother 75\n', {}, async (page) => {
		await page.search('r(');
		assert.equal(await page.text('matched'), 'Matched: 25.0%');
	});
});

test('Reset Search brings the colours back', async () => {
	await visitPicture(simple, {}, async (page) => {
		const before = await page.frames();
		await page.search('lex');
		assert.equal(await page.text('search'), 'Reset Search');
		await page.click('#search');
		assert.deepEqual(await page.frames(), before);
		assert.equal(await page.text('search'), 'Search');
		assert.equal(await page.text('matched'), ' ');
	});
});

test('a cancelled search changes nothing', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.search(null);
		assert.equal(await page.text('search'), 'Search');
		assert.equal(await page.text('matched'), ' ');
	});
});

for (const key of ['Control+f', 'F3']) {
	test(`${key} searches and starts with the last term`, async () => {
		await visitPicture(simple, {}, async (page) => {
			await page.search('lex');
			page.willAnswer('read');
			await page.press(key);
			assert.deepEqual(page.defaults, ['', 'lex']);
			assert.equal(await page.text('matched'), 'Matched: 15.0%');
		});
	});
}

test('a search respects case', async () => {
	await visitPicture('Abc 20\nabc 30\nother 50\n', {}, async (page) => {
		await page.search('ABC|Abc');
		assert.equal(await page.text('matched'), 'Matched: 20.0%');
	});
});

for (const [how, toggle] of [
	['ic', (page) => page.click('#ignorecase')],
	['Ctrl-I', (page) => page.press('Control+i')],
]) {
	test(`${how} ignores case and respects it again`, async () => {
		await visitPicture('Abc 20\nabc 30\nother 50\n', {}, async (page) => {
			await page.search('Abc');
			await toggle(page);
			assert.equal(await page.text('matched'), 'Matched: 50.0%');
			await toggle(page);
			assert.equal(await page.text('matched'), 'Matched: 20.0%');
		});
	});
}

test('an invalid pattern ignores case, too', async () => {
	await visitPicture('Operator( 25\nother 75\n', {}, async (page) => {
		await page.click('#ignorecase');
		await page.search('oPERATOR(');
		assert.equal(await page.text('matched'), 'Matched: 25.0%');
	});
});

test('Ctrl-Shift-I is left to the browser', async () => {
	await visitPicture('Abc 20\nabc 30\nother 50\n', {}, async (page) => {
		await page.search('Abc');
		await page.press('Control+Shift+i');
		assert.equal(await page.text('matched'), 'Matched: 20.0%');
	});
});

test('a search does not look at the difference in counts', async () => {
	await visitPicture('a 10 20\nb 20 20\n', {}, async (page) => {
		assert.match((await page.frame('a')).title, /; \+\d+\.\d\d%\)$/);
		await page.search('^a$');
		assert.equal(await page.text('matched'), 'Matched: 50.0%');
	});
});

test('a printed search is shown until the next one', async () => {
	await visitPicture(simple, { args: ['--search', '^p'] }, async (page) => {
		assert.deepEqual(await page.filledWith(color), ['parse', 'print']);
		assert.equal(await page.text('matched'), 'Matched: 90.0%');
		await page.search('lex');
		assert.deepEqual(page.defaults, ['^p']);
		assert.deepEqual(await page.filledWith(color), ['lex']);
		assert.equal(await page.text('matched'), 'Matched: 40.0%');
	});
});

test('a printed search stays while zooming', async () => {
	await visitPicture(simple, { args: ['--search', '^p'] }, async (page) => {
		await page.click('parse');
		await page.click('#unzoom');
		assert.deepEqual(await page.filledWith(color), ['parse', 'print']);
		assert.equal(await page.text('matched'), 'Matched: 90.0%');
	});
});

test('a printed search is cleared by an empty one', async () => {
	await visitPicture(simple, { args: ['--search', '^p'] }, async (page) => {
		await page.search('');
		assert.deepEqual(await page.filledWith(color), []);
		assert.equal(await page.text('matched'), ' ');
	});
});

test('the search colour is that of the command line', async () => {
	const args = ['--search-color', '#00ff80'];

	await visitPicture(simple, { args }, async (page) => {
		await page.search('lex');
		assert.deepEqual(await page.filledWith('rgb(0,255,128)'), ['lex']);
	});
});
