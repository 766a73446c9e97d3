/*
 * Tests --colors library: colours stay with the names in every view, and the legend is
 * visible.
 */

import assert from 'node:assert/strict';
import { emulated } from './browsers.mjs';
import { test } from './sample.mjs';
import { becomes, visitPicture } from './harness.mjs';

/*
 * 10,000 samples. tiny and its callees are too narrow to be drawn before a zoom; f is in
 * two libraries, and one@so to five@so have 1 each.
 */
const profile = `app;main@app 3000
app;main@app;f@libone.so 2000
app;main@app;f@libone.so;g@libtwo.so 1500
app;main@app;f@libtwo.so;g@libone.so 1500
app;main@app;f@libtwo.so;sys_read@[kernel.kallsyms]_[k] 1000
app;main@app;nameless 990
app;main@app;tiny@libone.so;deep@libtwo.so;java/util/HashMap.put_[j] 10
`;
const args = ['--colors', 'library', '--minwidth', '2'];

/* Returns the fills that each name has in the shown frames. */
const fills = async (page) => {
	const found = {};

	for (const { name, fill } of await page.frames())
		(found[name] ??= new Set()).add(fill);
	return found;
};

const hue = (fill) => {
	const [r, g, b] = fill.match(/\d+/g).map(Number);
	const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];

	if (most === least)
		return 'grey';
	const sixth = most === r ? (g - b) / (most - least) :
		most === g ? 2 + (b - r) / (most - least) : 4 + (r - g) / (most - least);
	return Math.round((sixth + 6) % 6 * 6);
};

/* Checks that the shown frames have the same fills as before. */
const check = (before, now, least) => {
	assert.ok(Object.keys(now).length >= least, Object.keys(now).join());
	for (const [name, seen] of Object.entries(now)) {
		assert.equal(seen.size, 1, name);
		if (before[name])
			assert.deepEqual(seen, before[name], name);
	}
};

const legend = (page) => page.ask(() =>
	Array.from(document.querySelectorAll('.fg-legend'), (item) =>
		item.getClientRects().length ? item.textContent : '').filter(Boolean));

test('the functions of a library have one hue, and keep their colours in every view',
	async () => {
		await visitPicture(profile, { args }, async (page) => {
			const before = await fills(page);
			const hueOf = (name) => hue([...before[name]][0]);

			assert.equal(hueOf('f@libone.so'), hueOf('g@libone.so'));
			assert.equal(hueOf('f@libtwo.so'), hueOf('g@libtwo.so'));
			assert.notDeepEqual(before['f@libtwo.so'], before['g@libtwo.so']);
			assert.equal(hueOf('nameless'), 'grey');
			assert.equal(new Set(Object.keys(before).map(hueOf)).size, 5);
			assert.ok(!before['deep@libtwo.so']);

			await page.click('f@libtwo.so');
			check(before, await fills(page), 4);
			await page.press('Escape', 'r');
			check(before, await fills(page), 6);
			await page.press('r');
			await page.hover('g@libone.so');
			await page.press('m');
			await becomes(() => page.text('title'), 'Flame Graph');
			check(before, await fills(page), 4);
			await page.press('Escape', 's');
			check(before, await fills(page), 7);
		});
	});

test('a frame that was not drawn at first has the hue of its library', async () => {
	await visitPicture(profile, { args, query: '#z=app;main@app;tiny@libone.so' },
		async (page) => {
			const now = await fills(page);
			const hueOf = (name) => hue([...now[name]][0]);

			assert.ok(now['java/util/HashMap.put']);
			assert.equal(new Set(Object.keys(now).map(hueOf)).size, 5);
			assert.notEqual(hueOf('deep@libtwo.so'), hueOf('tiny@libone.so'));
			assert.equal(hueOf('app'), 'grey');
		});
});

const wanted = ['Self by library:', 'libone.so 35.0%', 'app 30.0%', 'libtwo.so 15.0%',
	'kernel 10.0%', 'unknown 9.9%', 'java/util 0.1%'];

test('the legend has the shares of what is shown', async () => {
	await visitPicture(profile, { args }, async (page) => {
		assert.deepEqual(await legend(page), wanted);
		await page.click('f@libtwo.so');
		assert.deepEqual(await legend(page), ['Self by library, of the zoom:',
			'libone.so 60.0%', 'kernel 40.0%', 'libtwo.so 0.0%']);
	});
});

test('without a script the legend is in the picture', emulated, async () => {
	await visitPicture(profile, { args, script: false, viewer: false }, async (page) => {
		const texts = await page.ask(() => Array.from(
			document.querySelectorAll('.fg-swatch + text'), (text) =>
				[text.textContent, text.getClientRects().length]));

		assert.deepEqual(texts, wanted.map((text) => [text, 1]));
	});
});

/* Higher than the window. */
const many = Array.from({ length: 40 }, (_, i) =>
	`main;${'a;'.repeat(40)}f@library-with-a-name-${i + 10}.so ${100 - i}\n`).join('');

for (const width of [390, 620, 1000, 1400])
	test(`the legend leaves the lowest frames visible: ${width}`, async () => {
		const size = { width, height: 400 };

		await visitPicture(many, { args, size }, async (page) => {
			const { top, left } = await page.frame('all');
			const isSeen = await page.ask(({ x, y }) =>
				Boolean(document.elementsFromPoint(x, y)[0].closest('#frames')),
			{ x: left + 20, y: top + 10 });
			const foot = await page.ask(() =>
				document.querySelector('.fg-foot').getBoundingClientRect().top);

			assert.ok(isSeen);
			assert.ok(foot >= top + 12, `${foot} in ${top}`);
			assert.ok((await legend(page)).length >= 7);
		});
	});
