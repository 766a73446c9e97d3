/* Tests the details line, tooltips, and files that are saved. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from './sample.mjs';
import { becomes, visitPicture } from './harness.mjs';
import { ancestorsOf, all, detailsOf, extraOf, find, merge, percent, titleOf }
	from './model.mjs';
import { changed, crowded, nested, shared, simple } from './profiles.mjs';

async function tooltip(page, name) {
	await page.hover(name);
	return (await page.frame(name))?.title;
}

for (const [what, profile] of [['simple', simple], ['shared', shared]]) {
	test(`details of every frame: ${what}`, async () => {
		const frames = all(merge(profile));
		const unique = frames.filter(({ name }) =>
			frames.filter((other) => other.name === name).length === 1);

		await visitPicture(profile, {}, async (page) => {
			for (const frame of unique) {
				await page.hover(frame.name);
				assert.equal(await page.text('details'), detailsOf(frame));
			}
		});
	});
}

test('details while zoomed have the share of the zoom', async () => {
	const root = merge(simple);
	const zoom = find(root, 'main;parse');

	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		for (const frame of [...all(zoom)]) {
			await page.hover(frame.name);
			assert.equal(await page.text('details'), detailsOf(frame, zoom));
		}
	});
});

test('details of a frame that was not drawn', async () => {
	const zoom = find(merge(crowded), 'main;group');
	const frame = find(zoom, 'part29;deep');

	await visitPicture(crowded, {}, async (page) => {
		await page.click('group');
		await page.hover('deep');
		/* A frame has too few counts for a sample, so they are not called samples. */
		assert.equal(await page.text('details'), detailsOf(frame, zoom).replace(' samples', ''));
	});
});

test('an ancestor of the zoom has no share of the zoom above 100 %', async () => {
	const root = merge(simple);

	await visitPicture(simple, {}, async (page) => {
		await page.click('lex');
		for (const frame of ancestorsOf(find(root, 'main;parse;lex'))) {
			await page.hover(frame.name);
			const details = await page.text('details');
			assert.ok(details.startsWith('Function: ' + titleOf(frame)), details);
			const [, share] = / ([\d.]+)% of zoom/.exec(details) ?? [null, '0'];
			assert.ok(parseFloat(share) <= 100, details);
		}
	});
});

test('the tooltip has all that the details line has', async () => {
	const root = merge(simple);
	const parse = find(root, 'main;parse');
	const lex = find(parse, 'lex');

	await visitPicture(simple, {}, async (page) => {
		assert.ok((await tooltip(page, 'lex')).endsWith(titleOf(lex) + extraOf(lex)));
		await page.click('parse');
		assert.ok((await tooltip(page, 'lex')).endsWith(titleOf(lex) + extraOf(lex, parse)));
		await page.hover('read');
		await page.click('#unzoom');
		assert.ok((await tooltip(page, 'lex')).endsWith(titleOf(lex) + extraOf(lex)));
	});
});

test('the details of a recursive frame are those of one frame', async () => {
	const root = merge(nested);

	await visitPicture(nested, {}, async (page) => {
		await page.hover(titleOf(find(root, 'start;walk;walk')));
		assert.ok([find(root, 'start;walk;walk'), find(root, 'start;walk;walk;walk')]
			.map((frame) => detailsOf(frame)).includes(await page.text('details')));
	});
});

/* Returns the numbers of a frame of a differential, written like in the details line. */
function difference({ total, totalBefore }, whole, wholeBefore) {
	const delta = total - totalBefore;
	const ratio = total / totalBefore;
	const times = totalBefore === 0 ? 'new' : '×' + ratio.toFixed(ratio < 1 ? 2 : 1);

	return ` · ${totalBefore} → ${total} samples (${delta < 0 ? '-' : '+'}${Math.abs(delta)}` +
		` ${times}) ${percent(totalBefore, wholeBefore)} → ${percent(total, whole)}`;
}

test('details in a differential have both sides of the change', async () => {
	const root = merge(changed);
	const plain = (text) => text.replaceAll(',', '');

	await visitPicture(changed, { args: ['--compat=perl'] }, async (page) => {
		for (const path of ['main', 'main;grown', 'main;shrunk', 'main;fresh', 'main;same',
			'main;same;inner']) {
			const frame = find(root, path);
			await page.hover(frame.name);
			const details = plain(await page.text('details'));
			assert.ok(details.endsWith(difference(frame, root.total, root.totalBefore)),
				`${details} lacks ${difference(frame, root.total, root.totalBefore)}`);
			assert.ok(details.includes(plain(extraOf(frame))), details);
		}
	});
});

test('without a differential there is only one side', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.hover('lex');
		assert.doesNotMatch(await page.text('details'), /before|after|delta|ratio/);
	});
});

test('the details line follows the mouse from frame to frame', async () => {
	const root = merge(simple);

	await visitPicture(simple, {}, async (page) => {
		await page.hover('lex');
		await page.hover('print');
		assert.equal(await page.text('details'), detailsOf(find(root, 'main;print')));
	});
});

test('the details line is cleared beside the frames', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.hover('lex');
		await page.page.mouse.move(5, 5);
		await page.settle();
		assert.equal((await page.text('details') ?? '').trim(), '');
	});
});

test('a frame is outlined under the mouse', async () => {
	const strokes = () => Array.from(document.querySelectorAll('#frames rect'))
		.filter((rect) => getComputedStyle(rect).stroke !== 'none').length;

	await visitPicture(simple, {}, async (page) => {
		assert.equal(await page.ask(strokes), 0);
		await page.hover('lex');
		assert.equal(await page.ask(strokes), 1);
	});
});

test('name type, count name and factor are in the details', async () => {
	const args = ['--nametype', 'Table:', '--countname', 'ms', '--factor', '2.5'];

	await visitPicture(simple, { args }, async (page) => {
		await page.hover('lex');
		assert.equal(await page.text('details'), 'Table: lex (1,000 ms, 40.00%)' +
			' · self 1,000 (40.00%) · 66.67% of parent');
	});
});

test('counts too large to be exact are marked, titles stay as drawn', async () => {
	const profile = 'main;odd 9007199254740993\nmain;even 9007199254740996\n';
	const exact = 'odd (9,007,199,254,740,993, 50.00%)';

	await visitPicture(profile, {}, async (page) => {
		await page.hover('odd');
		assert.equal(await page.text('details'), 'Function: ' + exact +
			' · 9,007 T · self ~9,007,199,254,740,990 (50.00%) · 50.00% of parent');
		await page.click('odd');
		await page.hover('odd');
		assert.match(await page.text('details'), /^Function: odd \(~9,007,199,254,740,990, /);
		await page.press('Escape');
		await page.hover('main');
		assert.equal((await page.frame('odd')).title, exact);
	});
});

/* ---- files that are saved */

/* Returns the name and the bytes of the file that a key or a button saves. */
async function saved(page, act) {
	const [download] = await Promise.all([page.page.waitForEvent('download'), act()]);

	return [download.suggestedFilename(), readFileSync(await download.path())];
}

test('the zoomed frame can be saved as stacks', async () => {
	await visitPicture('# unit: ms\n' + simple, { accept: /^request: blob:/ }, async (page) => {
		await page.click('parse');
		const [name, bytes] = await saved(page, () => page.press('d'));
		assert.equal(name, 'picture-parse.folded');
		const lines = simple.split('\n').filter((line) => line.startsWith('main;parse'));
		assert.equal(String(bytes), '# unit: ms\n' + lines.sort().join('\n') + '\n');
		/* The zoomed frame of this view is not a frame of the stacks. */
		await page.press('Escape', 'r');
		await page.click('read');
		const [, all] = await saved(page, () => page.press('d'));
		assert.deepEqual(String(all).trim().split('\n').sort(),
			`# unit: ms\n${simple}`.trim().split('\n').sort());
	});
});

test('the picture can be saved as a PNG', async () => {
	await visitPicture(simple, { accept: /^request: (blob|data):/ }, async (page) => {
		await page.press('?');
		const [name, bytes] = await saved(page, () => page.click('[name="png"]'));
		assert.equal(name, 'picture.png');
		assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
		assert.equal(bytes.readUInt32BE(16), 1220);
		/* The title, four rows and a margin, but nothing of the bars or of the window. */
		assert.equal(bytes.readUInt32BE(20), 36 + 4 * 16 + 12);
		/* The picture has frames, up to its edges, and no transparent pixels. */
		const [colours, clear] = await page.ask(async ({ url }) => {
			const image = new Image();
			image.src = url;
			await image.decode();
			const canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas');
			[canvas.width, canvas.height] = [image.width, image.height];
			const context = canvas.getContext('2d');
			context.drawImage(image, 0, 0);
			const pixels = new Uint32Array(context.getImageData(0, 0, image.width,
				image.height).data.buffer);
			return [new Set(pixels).size,
				pixels.filter((pixel) => pixel >>> 24 !== 255).length];
		}, { url: 'data:image/png;base64,' + bytes.toString('base64') });
		assert.ok(colours > 20, `${colours} colours`);
		assert.equal(clear, 0);
		/* Browsers cannot make a picture of this size. */
		await page.ask(() => {
			HTMLCanvasElement.prototype.toBlob = (done) => done(null);
		});
		await page.press('?', 'p');
		await becomes(() => page.ask(() => {
			const { hidden, textContent } = document.querySelector('.fg-message');
			return hidden ? '' : textContent;
		}), 'Cannot save here');
	});
});
