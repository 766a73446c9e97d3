/*
 * Tests source lines in names: complete in the details and the tooltip, the first to go in
 * labels.
 */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { becomes, visitPicture } from './harness.mjs';

/* 1,000 samples, with source lines as collapse-perf --srcline writes them. */
const main = 'main:/usr/include/c++/12/bits/basic_string.h:1064';
const start = '__libc_start_call_main:./csu/../sysdeps/x86/libc-start.c:74';
const profile = `app;${start};${main} 200
app;${start};spin@libspin.so:/home/me/src/spin.c:7 50
app;idle 750
`;

for (const width of [1200, 390])
	test(`the details have the source line of a frame: ${width}`, async () => {
		await visitPicture(profile, { size: { width, height: 600 } }, async (page) => {
			const frames = await page.frames();
			const frame = frames.find(({ title }) => title.startsWith(main));

			await page.hover(frame);
			await becomes(async () => (await page.text('details')).split(' (')[0],
				'Function: ' + main);
			const cut = await page.ask(() => {
				const line = document.getElementById('details');
				return [line.scrollWidth - line.clientWidth,
					line.scrollHeight - line.clientHeight];
			});
			assert.ok(cut.every((length) => length <= 0), cut.join());
		});
	});

test('labels keep the function, and drop its place', async () => {
	for (const script of [true, false]) {
		const options = { size: { width: 1200, height: 600 }, script, viewer: script };

		await visitPicture(profile, options, async (page) => {
			const labels = await page.ask(() => Array.from(
				document.querySelectorAll('g > g > * > text'),
				(text) => text.textContent));

			for (const label of ['main', '__libc_start_call_main', 'spin'])
				assert.ok(labels.includes(label), `${label} in ${labels.join()}`);
		});
	}
});
