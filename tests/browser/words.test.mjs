/* Tests the words after counts: only counts of samples are called samples. */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { visitPicture } from './harness.mjs';

const whole = (page) => page.ask(() =>
	document.querySelector('.fg-state span').textContent);

const cases = [
	['samples', 'main;a 1\nmain;b 99\n', [], 'a',
		/^100% = 100 samples/, /^Function: a \(1 sample, 1\.00%\) · self 1 /],
	['a header of the weight', '# unit: ns\n# event: cpu-clock\n# sample-weight: 1000000\n' +
		'main;a 1000000\nmain;b 2815000000\n', [], 'a',
	/^100% = 2,816 samples, 2\.816 s of cpu-clock/,
	/^Function: a \(1,000,000 ns, 0\.04%\) · 1 ms · 1 sample · self 1 ms /],
	['a common divisor', '# unit: ns\nmain;a 10101010\nmain;b 505050500\n', [], 'b',
		/^100% = 51 samples, 515\.2 ms/, / · 50 samples · /],
	['a common divisor, no unit', 'main;a 10101010\nmain;b 505050500\n', [], 'b',
		/^100% = 51 samples, 515\.2 M$/,
		/^Function: b \(50 samples, 98\.04%\) · 505\.1 M · self 50 \(98\.04%\) /],
	['a common divisor, no unit, of a differential', 'main;a 20202020 40404040\n' +
		'main;b 40404040 10101010\nmain;c 10101010 30303030\n', [], 'b',
	/^Before → after: 7 → 8 samples \(\+1, /, /^Function: b \(4 → 1 samples \(-3, /],
	['a common divisor, no unit, the older look', 'main;a 10101010\nmain;b 505050500\n',
		['--theme', 'classic'], 'b',
		/^100% = 51 samples, 515\.2 M/, /^Function: b \(505,050,500, 98\.04%\) /],
	['nothing', 'main;a 123456789\nmain;b 987654321\n', [], 'a',
		/^100% = 1\.111 G$/, /^Function: a \(123,456,789, 11\.11%\) · 123\.5 M · self /],
	['a differential of nothing', 'a 12345678 23456789\nb 987654321 987654322\n', [], 'a',
		/^Before → after: 1 G → 1\.011 G \(/, /^Function: a \(12,345,678 → 23,456,789 \(\+11,111,111, ×1\.9\), /],
	['--countname', 'main;a 123456789\nmain;b 987654321\n', ['--countname', 'samples'], 'a',
		/^100% = 1\.111 G samples$/, /^Function: a \(123,456,789 samples, /],
	['--factor', 'main;a 10\nmain;b 90\n', ['--factor', '4'], 'a',
		/^100% = 400$/, /^Function: a \(40, 10\.00%\)/],
	['--compat', 'main;a 1\nmain;b 987654321\n', ['--compat=inferno'], 'b',
		/^100% = 987\.7 M samples$/, /^Function: b \(987,654,321 samples, /],
];

for (const [what, profile, args, frame, head, details] of cases)
	test(`words for counts: ${what}`, async () => {
		await visitPicture(profile, { args }, async (page) => {
			assert.match((await whole(page)).trim(), head);
			await page.hover(frame);
			const text = await page.text('details');
			assert.match(text, details);

			/* The card and the table have the word if the other texts have it. */
			const hasWord = (other) => other.includes('sample');
			const of = (selector) => page.ask(({ selector: wanted }) =>
				document.querySelector(wanted)?.textContent ?? null, { selector });
			const card = await of('.fg-card');
			if (card !== null)
				assert.equal(hasWord(card), hasWord(text), card);
			await page.press('t');
			const caption = await of('caption');
			assert.equal(hasWord(caption), hasWord(await whole(page)), caption);
			const titles = await page.ask(() => Array.from(
				document.querySelectorAll('.fg-table td'), ({ title }) => title).join());
			assert.equal(hasWord(titles), /samples?, [\d.]+%|samples? \(/.test(text), titles);
		});
	});

test('a number without a word explains how to get one', async () => {
	const title = (page) => page.ask(() =>
		document.querySelector('.fg-state span').getAttribute('title'));

	await visitPicture('a 123456789\nb 987654321\n', {}, async (page) => {
		assert.match(await title(page), /--unit/);
	});
	await visitPicture('a 1\nb 2\n', {}, async (page) => {
		assert.equal(await title(page), '');
	});
});
