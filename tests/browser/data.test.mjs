/* Tests the viewer without the profile's data, with part of them, and with broken ones. */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { becomes, draw, visit, visitPicture, write } from './harness.mjs';
import { checkPicture, find, merge, rows } from './model.mjs';
import { changed, crowded, large, nested, shared, simple } from './profiles.mjs';

const color = 'rgb(230, 0, 230)';

/* Zooms, searches and reads details in a picture whose frames are all drawn. */
async function use(page, { exactly = true } = {}) {
	const root = merge(shared);
	const tolerance = exactly ? 0.2 : 1.5;

	checkPicture(await page.frames(), rows(root), { tolerance });
	await page.click('main');
	checkPicture(await page.frames(), rows(find(root, 'main')), { tolerance });
	await page.search('^copy$');
	await becomes(() => page.filledWith(color), ['copy', 'copy']);
	await becomes(async () => /^Matched: 75\.\d% of all · 3 frames/.test(await page.text('matched')),
		true);
	await page.hover('alpha');
	assert.match(await page.text('details'), /^Function: alpha \(40 samples, 40\.00%\)/);
	await page.press('Escape', 'r');
	checkPicture(await page.frames(), rows(merge(shared, { order: 'weight', reversed: true })), { tolerance });
	await page.press('u', 's', 'i', 'u', 'u');
	checkPicture(await page.frames(), rows(root), { tolerance });
	await page.click('beta', 'Alt');
	assert.ok(!(await page.shown()).includes('beta'));
	await page.press('u');
	await page.click('copy', 'Control');
	assert.match((await page.frame('copy')).title, /^copy \(75 samples/);
}

/* Makes flamegraph store data, because titles do not have the attributes of a user. */
const stored = ['--nameattr', write('attributes', 'nowhere\tclass=any\n')];

test('a plain picture of all frames has no data', () => {
	assert.doesNotMatch(draw(shared), /<fg:data/);
	assert.match(draw(shared, stored), /<fg:data/);
	assert.match(draw(crowded), /<fg:data/);
	assert.equal(draw(shared, ['--data', 'none']), draw(shared));
});

const withoutStreams = () => { delete window.DecompressionStream; };

for (const [how, options] of [
	['with all data', { args: stored }],
	['with all frames drawn', {}],
	['where the browser cannot decompress', { args: stored, init: withoutStreams }],
	['with --data none', { args: ['--data', 'none', ...stored] }],
	['with --data drawn', { args: ['--data', 'drawn', ...stored] }],
]) {
	test(`the viewer works ${how}`, async () => {
		await visitPicture(shared, options, async (page) => {
			await use(page, { exactly: !options.init });
		});
	});
}

/* Draws a picture and changes its data by a function. */
function broken(change) {
	const svg = draw(shared, stored);
	const changed = svg.replace(/(<fg:data[^>]*>)([^<]*)/, (_, tag, data) =>
		tag + change(data));

	assert.notEqual(changed, svg, 'there is data to break');
	return changed;
}

for (const [what, change] of [
	['is empty', () => ''],
	['is not base64', () => '*** not base64 ***'],
	['is cut short', (data) => data.trim().slice(0, Math.floor(data.trim().length / 8) * 4)],
	['is not compressed', () => Buffer.from('fgd1 and then nothing').toString('base64')],
	['has a byte changed', (data) => {
		const bytes = Buffer.from(data, 'base64');
		bytes[bytes.length >> 1] ^= 0x55;
		return bytes.toString('base64');
	}],
]) {
	test(`the viewer works if its data ${what}`, async () => {
		/* Firefox itself prints to its console if it cannot decompress data. */
		const accept = /^error: Failed to read data from the ReadableStream/;
		await visit([write('broken.svg', broken(change))], { accept }, async (page) => {
			await use(page, { exactly: false });
		});
	});
}

test('a picture without its metadata works', async () => {
	const svg = draw(shared, stored).replace(/<metadata>[^]*?<\/metadata>/, '');

	await visit([write('stripped.svg', svg)], {}, async (page) => {
		await use(page, { exactly: false });
	});
});

for (const how of ['none', 'drawn']) {
	test(`with --data ${how} frames that were not drawn do not appear`, async () => {
		await visitPicture(crowded, { args: ['--data', how] }, async (page) => {
			await page.click('group');
			assert.deepEqual(await page.shown(), ['all', 'main', 'group']);
			await page.hover('group');
			assert.match(await page.text('details'), /^Function: group \(1,000, /);
			await page.search('part');
			assert.match(await page.text('matched'), /^No match$/);
		});
	});
}

test('with a small --data-limit the smallest frames are left out, and the data say so',
	async () => {
		const profile = large(4000);

		await visitPicture(profile, { args: ['--data-limit', '20000'] }, async (page) => {
			const limited = await page.ask(() => {
				const [data] = Array.from(document.querySelectorAll('*'))
					.filter(({ nodeName }) => nodeName === 'fg:data');
				return Number(data.getAttribute('min'));
			});
			assert.ok(limited > 1);
			const frames = (await page.frames()).length;
			assert.ok(frames > 100);
			const [, , , { title }] = await page.frames();
			await page.click(title);
			await page.click('#unzoom');
			assert.equal((await page.frames()).length, frames);
		});
	});

test('a differential without data still has its numbers', async () => {
	await visitPicture(changed, { args: ['--data', 'none'] }, async (page) => {
		await page.hover('grown');
		assert.match(await page.text('details'),
			/^Function: grown \(200 → 400 samples \(\+200, ×2.0\), 20.00% → 33.33%\)/);
	});
});

test('names keep their annotations without data', async () => {
	await visitPicture('main;vfs_read_[k] 10\nmain 20\n', { args: ['--data', 'none'] },
		async (page) => {
			await page.search('_\\[k\\]$');
			assert.match(await page.text('matched'), /^Matched: 33.3% of all · 1 frame/);
			assert.equal((await page.frame('vfs_read')).label, 'vfs_read');
		});
});

test('samples with a weight need no data', async () => {
	const weighted = shared.replace(/\d+$/gm, (count) => 3344481 * count);
	const looks = async (args) => {
		let titles;
		await visitPicture(weighted, { args }, async (page) => {
			await page.click('main');
			titles = (await page.frames()).map(({ title, fill }) => [title, fill]);
			await page.hover('alpha');
			titles.push(await page.text('details'));
		});
		return titles;
	};

	assert.doesNotMatch(draw(weighted), /<fg:data/);
	assert.deepEqual(await looks([]), await looks(stored));
});

test('recursion is counted once without data', async () => {
	await visitPicture(nested, { args: ['--data', 'none'] }, async (page) => {
		await page.search('walk');
		assert.match(await page.text('matched'), /^Matched: 70.0%/);
	});
});

test('--minwidth 0 draws all frames', async () => {
	await visitPicture(crowded, { args: ['--minwidth', '0', '--no-script'], viewer: false },
		async (page) => {
			const count = () => document.getElementById('frames').children.length;
			assert.equal(await page.ask(count), 24);
		});
});

test('a picture without data looks the same', async () => {
	const looks = async (args) => {
		let frames;
		await visitPicture(simple, { args }, async (page) => {
			frames = (await page.frames()).map(({ name, left, width, fill, label }) =>
				[name, left.toFixed(1), width.toFixed(1), fill, label]);
		});
		return frames;
	};

	assert.deepEqual(await looks(['--data', 'none', ...stored]), await looks(stored));
	assert.deepEqual(await looks([]), await looks(stored));
});
