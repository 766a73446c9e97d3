/* Zooming into a frame and out again. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visitPicture, write } from './harness.mjs';
import { narrow, simple } from './profiles.mjs';

const left = 10;
const full = 1180;

/* Deep stacks and counts, always the same ones. */
function randomProfile() {
	let seed = 42;
	const random = (limit) => {
		seed = (seed * 1103515245 + 12345) % 2147483648;
		return Math.floor(seed / 65536) % limit;
	};
	const lines = [];

	for (let count = 0; count < 300; count++) {
		const stack = [];
		for (let depth = random(12) + 1; depth > 0; depth--)
			stack.push('f' + random(3));
		lines.push(stack.join(';') + ' ' + (random(500) + 1));
	}
	return lines.join('\n') + '\n';
}

function near(actual, expected) {
	assert.ok(Math.abs(actual - expected) < 0.1001, `${actual} is not ${expected}`);
}

test('a zoomed frame fills the width', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		const { x, width } = await page.frame('parse');
		assert.deepEqual([x, width], [left, full]);
	});
});

test('the frames in a zoomed frame keep their share of it', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		const lex = await page.frame('lex');
		const read = await page.frame('read');
		/* The 50 samples of parse itself come first. */
		near(lex.x, left + full * 50 / 600);
		near(lex.width, full * 400 / 600);
		near(read.x, left + full * 450 / 600);
		near(read.width, full * 150 / 600);
	});
});

test('every width in a zoomed frame is exactly its count', async () => {
	await visitPicture(randomProfile(), {}, async (page) => {
		const count = ({ title }) =>
			parseInt(/\(([\d,]+) samples/.exec(title)[1].replaceAll(',', ''), 10);
		const target = (await page.frames())[1];
		const scale = full / count(target);
		await page.click(target.title);
		const frames = (await page.frames()).slice(1).filter((frame) => frame.shown);
		assert.ok(frames.length > 50, 'a profile worth the name');
		for (const frame of frames)
			near(frame.width, count(frame) * scale);
	});
});

test('the ancestors of a zoomed frame fill the width and are faded', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('lex');
		for (const name of ['all', 'main', 'parse']) {
			const { x, width, opacity } = await page.frame(name);
			assert.deepEqual([x, width], [left, full]);
			assert.ok(opacity < 1, `${name} is faded`);
		}
	});
});

test('the zoomed frame and those in it are not faded', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		for (const name of ['parse', 'lex', 'read'])
			assert.equal((await page.frame(name)).opacity, 1);
	});
});

test('frames beside a zoomed frame are hidden', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		assert.deepEqual(await page.shown(), ['all', 'main', 'parse', 'lex', 'read']);
	});
});

test('zooming makes a label where there was no room for one', async () => {
	await visitPicture(narrow, {}, async (page) => {
		await page.click('tiny');
		const { label, x, y, labelX, labelY } = await page.frame('tiny');
		assert.equal(label, 'tiny');
		assert.deepEqual([labelX, labelY], [x + 3, y + 10.5]);
	});
});

test('a label that does not fit is cut and ends in dots', async () => {
	const name = 'abcdefghijklmnopqrstuvwxyz';

	await visitPicture(`main;a;${name} 10\nmain;b 90\nc 900\n`, {}, async (page) => {
		await page.click('main');
		/* 118 pixels at 12 * 0.59 pixels a character are 16 characters. */
		assert.equal((await page.frame(name)).label, 'abcdefghijklmn..');
	});
});

test('a label is never cut within a character', async () => {
	const name = '😀'.repeat(40);

	await visitPicture(`main;a;${name} 10\nmain;b 90\nc 900\n`, {}, async (page) => {
		await page.click('main');
		assert.equal((await page.frame(name)).label, '😀'.repeat(14) + '..');
	});
});

test('an annotation is not part of a label', async () => {
	await visitPicture('main;x;vfs_read_[k] 10\nmain 990\n', {}, async (page) => {
		await page.click('x');
		assert.equal((await page.frame('vfs_read')).label, 'vfs_read');
	});
});

for (const [how, reset] of [
	['Reset Zoom', (page) => page.click('#unzoom')],
	['a click on the root', (page) => page.click('all')],
	['Escape', (page) => page.press('Escape')],
]) {
	test(`${how} brings the whole picture back`, async () => {
		await visitPicture(narrow, {}, async (page) => {
			const before = await page.frames();
			await page.click('inner_function');
			await reset(page);
			const withoutLabels = ({ labelX, labelY, ...frame }) => frame;
			assert.deepEqual((await page.frames()).map(withoutLabels),
				before.map(withoutLabels));
		});
	});
}

test('Reset Zoom is there only while zoomed', async () => {
	await visitPicture(simple, {}, async (page) => {
		assert.equal(await page.text('unzoom'), null);
		await page.click('parse');
		assert.equal(await page.text('unzoom'), 'Reset Zoom');
		await page.click('#unzoom');
		assert.equal(await page.text('unzoom'), null);
	});
});

test('a faded ancestor can be zoomed to', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('lex');
		await page.click('main');
		assert.deepEqual(await page.shown(),
			['all', 'main', 'parse', 'lex', 'read', 'print']);
	});
});

test('an inverted picture zooms, too', async () => {
	await visitPicture(simple, { args: ['--inverted'] }, async (page) => {
		await page.click('parse');
		assert.deepEqual(await page.shown(), ['all', 'main', 'parse', 'lex', 'read']);
	});
});

for (const modifier of ['Control', 'Meta', 'Shift']) {
	test(`a click with ${modifier} does not zoom`, async () => {
		await visitPicture(simple, {}, async (page) => {
			await page.click('parse', modifier);
			assert.equal(await page.text('unzoom'), null);
		});
	});
}

test('a click on a link follows it', async () => {
	const attributes = write('links.attr', 'parse\thref=#there\n');

	await visitPicture(simple, { args: ['--nameattr', attributes] }, async (page) => {
		await page.click('parse');
		assert.equal((await page.address()).hash, '#there');
		assert.equal(await page.text('unzoom'), null);
	});
});

test('a frame with a title of its own is labelled with its name', async () => {
	const attributes = write('titles.attr', 'tiny\ttitle=what it does\n');

	await visitPicture(narrow, { args: ['--nameattr', attributes] }, async (page) => {
		await page.click('what it does');
		assert.equal((await page.frame('what it does')).label, 'tiny');
	});
});
