/* Tests the lines above the frames that say what to look at first. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from './sample.mjs';
import { becomes, drawInline, programOf, visit, visitPicture, write } from './harness.mjs';

const profile = '# event: cpu-clock\n# unit: samples\n' +
	Array.from({ length: 20 }, (_, i) => `app;main;parse;Reader::step${i} ${3 + i}\n`).join('') +
	`app;main;parse;malloc;_int_malloc 90
app;main;sort;compare;__memcmp_avx2 160
app;main;sort 20
app;main;write;vfs_write 40
`;

const readLines = (page) => page.ask(() => Array.from(
	document.querySelectorAll('.fg-summary a, .fg-summary div:not(:has(a))'),
	(line) => line.textContent));
const link = (text) => `.fg-summary a[href*="${text}"]`;
const names = async (page) => (await page.frames()).map(({ name }) => name).sort();

test('the lines have the numbers of the digest', async () => {
	const file = write('summary.folded', profile);
	const digest = JSON.parse(execFileSync(programOf('report-folded'),
		['--digest', '--format', 'json', file]));
	const [hottest] = digest.functions;

	await visitPicture(profile, {}, async (page) => {
		const lines = await readLines(page);
		assert.equal(lines[0],
			`Hottest function: ${hottest.name}, ${hottest.selfPercent.toFixed(1)}%`);
		assert.equal(lines[2], 'Below main: parse 60.7%, sort 32.1%, write 7.1%');
	});
});

test('each line leads to its view, and Back returns', async () => {
	await visitPicture(profile, {}, async (page) => {
		const all = await names(page);

		await page.click(link('m=__memcmp_avx2'));
		await becomes(() => names(page), ['__memcmp_avx2', 'app', 'compare', 'main',
			'sort']);
		await page.back();
		await becomes(() => names(page), all);
		await page.click(link('z='));
		await becomes(async () => (await page.state()).z, ['app;main']);
		await page.press('Escape');
		await becomes(() => names(page), all);
		await page.forward();
		await becomes(async () => (await page.state()).z, ['app;main']);
	});
});

test('the lines cover no frame, and the cross removes them and their space', async () => {
	for (const size of [{ width: 1200, height: 900 }, { width: 360, height: 700 }])
		await visitPicture(profile, { size }, async (page) => {
			const places = () => page.ask(() => {
				const tops = Array.from(document.querySelectorAll('#frames > * > rect'),
					(rect) => rect.getBoundingClientRect().top);
				const lines = document.querySelector('.fg-summary div:last-child');
				return [Math.min(...tops), lines?.getBoundingClientRect().bottom];
			});
			const [top, bottom] = await places();

			assert.ok(bottom <= top, `${bottom} ${top}`);
			await page.click('[aria-label="Hide these lines"]');
			await becomes(async () => (await places())[1] ?? null, null);
			assert.deepEqual(await readLines(page), []);
		});
});

test('inside another page the lines lead to their views, too', async () => {
	const file = write('summary.html', '<!doctype html>' + drawInline(profile));

	await visit([file], {}, async (page) => {
		await page.click(link('m=__memcmp_avx2'));
		await becomes(async () => (await names(page)).includes('parse'), false);
	});
});
