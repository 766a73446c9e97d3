/* The picture as part of something else. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draw, visit, write } from './harness.mjs';
import { nested, simple } from './profiles.mjs';

const color = 'rgb(230,0,230)';

/* Two pictures in one page, each in an element of its own. */
function inlinePage() {
	const inline = (folded) => draw(folded).replace(/^<\?xml[^>]*\?>/, '');

	return write('inline.html', `<!DOCTYPE html><meta charset="utf-8"><title>two</title>
		<p id="frames">text <a id="link">link</a></p>
		<div id="first">${inline(simple)}</div>
		<div id="second">${inline(nested)}</div>`);
}

async function visitInline(body) {
	await visit([inlinePage()], {}, async (page) => {
		await body(page.within('#first svg'), page.within('#second svg'),
			page.within('body'));
	});
}

test('two pictures in one page zoom by themselves', async () => {
	await visitInline(async (first, second) => {
		const before = await second.frames();
		await first.click('parse');
		assert.deepEqual(await first.shown(), ['all', 'main', 'parse', 'lex', 'read']);
		assert.deepEqual(await second.frames(), before);
		assert.equal(await second.text('unzoom'), null);
	});
});

test('two pictures in one page search by themselves', async () => {
	await visitInline(async (first, second) => {
		await second.search('visit');
		assert.deepEqual(await first.filledWith(color), []);
		assert.equal(await first.text('matched'), ' ');
		assert.equal(await second.text('matched'), 'Matched: 30.0%');
	});
});

test('a picture in a page shows details in its own line', async () => {
	await visitInline(async (first, second) => {
		await second.hover('visit');
		assert.equal(await first.text('details'), ' ');
		assert.equal(await second.text('details'),
			'Function: visit (30 samples, 30.00%)');
	});
});

test('a picture in a page clears its details when the mouse leaves', async () => {
	await visitInline(async (first, second, page) => {
		await first.hover('lex');
		assert.notEqual(await first.text('details'), ' ');
		await page.hover('#link');
		assert.equal(await first.text('details'), ' ');
	});
});

test('a picture in a page leaves the address alone', async () => {
	await visitInline(async (first, second, page) => {
		await first.click('parse');
		await second.search('visit');
		assert.deepEqual(await page.query(), {});
	});
});

test('a picture in a page leaves the keys alone', async () => {
	await visitInline(async (first, second, page) => {
		await first.click('parse');
		await page.press('Escape');
		await page.press('F3');
		assert.deepEqual(page.defaults, []);
		assert.equal(await first.text('unzoom'), 'Reset Zoom');
	});
});

test('a picture in a page leaves the style of the page alone', async () => {
	await visitInline(async (first, second, page) => {
		const cursor = await page.page.evaluate(() =>
			getComputedStyle(document.getElementById('link')).cursor);
		assert.equal(cursor, 'auto');
	});
});

test('a picture adds nothing to the global names', async () => {
	const empty = write('empty.html', '<!DOCTYPE html><svg id="none"></svg>');
	const names = () => Object.getOwnPropertyNames(window);
	let expected;

	await visit([empty], {}, async ({ page }) => {
		expected = await page.evaluate(names);
	});
	await visit([write('names.svg', draw(simple))], {}, async ({ page }) => {
		const actual = await page.evaluate(names);
		assert.deepEqual(actual.filter((name) => !expected.includes(name)), []);
	});
});

/* Opens a page that has the picture in a frame of some kind; calls body with both. */
async function visitFramed(html, options, body) {
	const svg = write('framed.svg', draw(simple));
	const page = write('framed.html', '<!DOCTYPE html>' + html);

	await visit([page, svg], options, async (visitor) => {
		const frame = visitor.page.frames()[1];
		await frame.waitForLoadState();
		await body(frame, visitor);
	});
}

async function zoomFramed(frame) {
	const parse = frame.locator('#frames > g', { hasText: 'parse' });

	await parse.locator('rect').click();
	const visibility = await frame.locator('#unzoom').getAttribute('visibility');
	assert.equal(visibility, 'visible');
}

const size = 'width="1250" height="300"';

for (const [how, html] of [
	['<object>', '<object type="image/svg+xml" data="framed.svg"></object>'],
	['<iframe>', `<iframe src="framed.svg" ${size}></iframe>`],
]) {
	test(`a picture in ${how} zooms`, async () => {
		await visitFramed(html, {}, async (frame, visitor) => {
			await zoomFramed(frame);
			assert.deepEqual(await visitor.query(), {});
		});
	});
}

const sandboxed = `<iframe sandbox="allow-scripts" src="framed.svg" ${size}></iframe>`;

test('a picture in a sandboxed frame zooms', async () => {
	await visitFramed(sandboxed, {}, zoomFramed);
});

test('a search in a sandboxed frame does nothing', async () => {
	const expected = ['console: Ignored call to \'prompt()\'. The document is ' +
		'sandboxed, and the \'allow-modals\' keyword is not set.'];

	await visitFramed(sandboxed, { expected }, async (frame) => {
		await frame.locator('#search').click();
		assert.equal(await frame.locator('#matched').textContent(), ' ');
	});
});

test('a picture in a data: address zooms', async () => {
	const data = Buffer.from(draw(simple)).toString('base64');
	const html = `<iframe src="data:image/svg+xml;base64,${data}" ${size}></iframe>`;

	await visitFramed(html, {}, zoomFramed);
});
