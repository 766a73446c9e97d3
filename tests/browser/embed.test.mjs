/*
 * Tests the picture as a part of a page, in a frame, and under a content security policy.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from './sample.mjs';
import { canEmulate } from './browsers.mjs';
import { becomes, draw, drawInline, visit, write } from './harness.mjs';
import { checkPicture, find, merge, rows } from './model.mjs';
import { crowded, nested, simple } from './profiles.mjs';

const color = 'rgb(230, 0, 230)';
const unzoomed = ['all', 'idle', 'main', 'parse', 'print', 'lex', 'read'];
const zoomed = ['all', 'main', 'parse', 'lex', 'read'];

/* Opens a page with several pictures, each in an element of its own. */
async function visitInline(body) {
	const html = write('inline.html', `<!DOCTYPE html><meta charset="utf-8"><title>two</title>
		<p id="frames">text <a id="link">link</a> <input id="field"></p>
		<div id="first">${drawInline(simple)}</div>
		<div id="second">${drawInline(nested)}</div>
		<div id="third">${drawInline(crowded)}</div>`);

	await visit([html], { viewer: false }, async (page) => {
		const pictures = ['#first', '#second', '#third']
			.map((id) => page.within(id + ' svg'));
		for (const picture of pictures)
			await picture.ready();
		await body(...pictures, page.within('body'));
	});
}

test('pictures in one page zoom independently', async () => {
	await visitInline(async (first, second, third) => {
		const before = await second.frames();
		await first.click('parse');
		assert.deepEqual(await first.shown(), zoomed);
		checkPicture(await first.frames(), rows(find(merge(simple), 'main;parse')));
		assert.deepEqual(await second.frames(), before);
		assert.equal(await second.text('unzoom'), null);
		await third.click('group');
		checkPicture(await third.frames(), rows(find(merge(crowded), 'main;group')));
		assert.deepEqual(await first.shown(), zoomed);
	});
});

test('pictures in one page search independently', async () => {
	await visitInline(async (first, second) => {
		await second.click('#search');
		await second.type('visit');
		await becomes(() => second.filledWith(color), ['visit']);
		assert.match(await second.text('matched'), /^Matched: 30.0%/);
		assert.deepEqual(await first.filledWith(color), []);
		assert.equal((await first.text('matched') ?? '').trim(), '');
		assert.equal(await first.box(), null);
		await second.press('Escape');
		assert.deepEqual(await second.filledWith(color), []);
	});
});

test('a picture in a page shows details in its own line', async () => {
	await visitInline(async (first, second) => {
		await second.hover('visit');
		assert.equal((await first.text('details') ?? '').trim(), '');
		assert.match(await second.text('details'), /^Function: visit \(30 samples, 30.00%\)/);
		await first.hover('lex');
		assert.match(await first.text('details'), /^Function: lex /);
		assert.equal((await second.text('details')).trim(), '');
	});
});

test('a picture in a page leaves the address and the history alone', async () => {
	await visitInline(async (first, second, third, page) => {
		const length = () => window.history.length;
		const before = await page.ask(length);
		const { href } = await page.address();
		await first.click('parse');
		await first.click('#unzoom');
		await second.click('#search');
		await second.type('visit');
		await becomes(() => second.filledWith(color), ['visit']);
		assert.equal((await page.address()).href, href);
		assert.equal(await page.ask(length), before);
	});
});

test('a picture in a page leaves the keys of the page alone', async () => {
	await visitInline(async (first, second, third, page) => {
		await first.click('parse');
		await page.click('#field');
		await page.type('ir/?ns');
		await page.press('Escape', 'F3', 'Control+f');
		assert.equal(await page.ask(() => document.getElementById('field').value), 'ir/?ns');
		for (const picture of [first, second, third])
			assert.equal(await picture.box(), null);
		assert.equal(await first.text('unzoom'), 'Reset Zoom');
	});
});

test('a picture in a page gets the keys while it has the focus', async () => {
	await visitInline(async (first, second) => {
		await second.click('start');
		await second.press('Escape');
		assert.equal(await second.text('unzoom'), null);
		await second.press('/');
		assert.equal((await second.box()).focused, true);
		assert.equal(await first.box(), null);
	});
});

test('pictures in a page leave its style and its names alone', async () => {
	await visitInline(async (first, second, third, page) => {
		const found = await page.ask(() => ({
			cursor: getComputedStyle(document.getElementById('link')).cursor,
			globals: ['search', 'unzoom', 'reset_search']
				.filter((name) => typeof window[name] === 'function'),
		}));
		assert.deepEqual(found, { cursor: 'auto', globals: [] });
	});
});

test('pictures in a page share no id with each other or with the page', async () => {
	const parts = ['title', 'subtitle', 'details', 'unzoom', 'search', 'ignorecase', 'matched',
		'frames'];
	const args = [['--theme', 'dark'], ['--bgcolors', 'blue', '--theme', 'light'],
		['--bgcolors', '#ffffff', '--subtitle', 'below'], ['--theme', 'dark']];
	const html = write('ids.html', '<!DOCTYPE html><meta charset="utf-8"><title>ids</title>' +
		'<h1 id="title">Page</h1>' +
		args.map((one) => `<div>${drawInline(simple, one)}</div>`).join('\n'));

	await visit([html], { viewer: false }, async (page) => {
		const pictures = args.map((_, i) => page.within(`div:nth-of-type(${i + 1}) svg`));
		const idsOf = () => page.page.evaluate(() =>
			Array.from(document.querySelectorAll('[id]'), ({ id }) => id));
		const check = async () => {
			const ids = await idsOf();
			assert.deepEqual(ids, [...new Set(ids)]);
			assert.deepEqual(ids.filter((id) => parts.includes(id)), ['title']);
		};
		for (const picture of pictures)
			await picture.ready();
		await check();
		const { globals, backgrounds } = await page.page.evaluate((names) => ({
			globals: names.filter((name) => name !== 'frames' && name !== 'title' &&
				window[name] instanceof Element),
			backgrounds: Array.from(document.querySelectorAll('svg'), (svg) => {
				const fill = svg.querySelector(':scope > rect').getAttribute('fill');
				const gradient = /^url\(#(.*)\)$/.exec(fill);
				return gradient ? document.getElementById(gradient[1]).closest('svg') === svg :
					/^#/.test(fill);
			}),
		}), parts);
		assert.deepEqual(globals, []);
		assert.deepEqual(backgrounds, [true, true, true, true]);
		for (const [i, name] of ['parse', 'main', 'print', 'parse'].entries()) {
			await pictures[i].click(name);
			assert.equal(await pictures[i].text('unzoom'), 'Reset Zoom');
			await pictures[i].press('/');
			await pictures[i].type(name);
			await becomes(() => pictures[i].filledWith(color), [name]);
			await pictures[i].press('Enter');
		}
		await check();
		await pictures[3].press('?', 'r', 'i');
		await pictures[0].click('#unzoom');
		await check();
		assert.deepEqual((await pictures[0].shown()).sort(), unzoomed.slice().sort());
		assert.deepEqual(await pictures[0].filledWith(color), ['parse']);
		assert.deepEqual(await pictures[2].filledWith(color), ['print']);
	});
});

test('a picture on its own keeps its ids', async () => {
	await visit([write('ids.svg', draw(simple))], {}, async (page) => {
		const missing = () => ['title', 'details', 'unzoom', 'search', 'ignorecase', 'matched',
			'frames'].filter((id) => !document.getElementById(id));
		assert.deepEqual(await page.ask(missing), []);
		await page.click('parse');
		assert.deepEqual(await page.ask(missing), []);
	});
});

test('a picture adds no global names except those of the peers', async () => {
	const empty = write('empty.html', '<!DOCTYPE html><svg id="none"></svg>');
	const names = () => Object.getOwnPropertyNames(window);
	let expected;

	await visit([empty], { viewer: false }, async ({ page }) => {
		expected = await page.evaluate(names);
	});
	await visit([write('names.svg', draw(simple))], {}, async ({ page }) => {
		const added = (await page.evaluate(names)).filter((name) => !expected.includes(name));
		assert.deepEqual(added.sort(), ['reset_search', 'search', 'unzoom']);
	});
});

/* ---- in a page that is saved while the viewer runs */

const textOfPage = (page) => page.page.evaluate(() => document.contentType === 'text/html' ?
	'<!DOCTYPE html>' + document.documentElement.outerHTML :
	new XMLSerializer().serializeToString(document));

/* Saves a page after some actions and opens the saved page. body gets it and the frames. */
async function visitSaved(name, content, act, body) {
	const scope = name.endsWith('.html') ? 'div svg' : 'svg';
	let saved;
	let frames;

	await visit([write(name, content)], { viewer: false }, async (outer) => {
		const page = outer.within(scope);
		await page.ready();
		await act(page);
		await page.settle();
		frames = await page.frames();
		saved = await textOfPage(page);
	});
	await visit([write('saved-' + name, saved)], { viewer: false }, async (outer) => {
		const page = outer.within(scope);
		await page.ready();
		await body(page, frames);
	});
}

const placesOf = (frames) => frames.map(({ name, left, width, fill }) =>
	({ name, left, width, fill }));

for (const [what, act, undo] of [
	['zoomed', (page) => page.click('group')],
	['searched', async (page) => {
		await page.search('main');
		await becomes(() => page.filledWith(color), ['main']);
	}],
	['with the search box', async (page) => {
		await page.click('main');
		await page.press('/');
		await page.type('x');
	}],
	['with its keys shown', (page) => page.press('?')],
	['upside down', (page) => page.press('i'), (page) => page.press('i')],
	['reversed', (page) => page.press('r'), (page) => page.press('r')],
	['sorted by weight', (page) => page.press('s'), (page) => page.press('s')],
	['without a frame', (page) => page.click('group', 'Alt'), (page) => page.press('u')],
]) {
	test(`a picture that was saved ${what} shows the same`, async () => {
		for (const [name, content] of [
			['page.html', `<!DOCTYPE html><meta charset="utf-8"><title>page</title>
				<div>${drawInline(crowded)}</div>`],
			['picture.svg', draw(crowded)],
		])
			await visitSaved(name, content, async (page) => {
				await page.click('all');
				await act(page);
				await page.ask(() => new Promise((done) => setTimeout(done, 200)));
			}, async (page, before) => {
				await becomes(async () => placesOf(await page.frames()), placesOf(before));
				assert.equal(await page.box(), null);
				assert.deepEqual(await page.ask(({ scope }) => ['frames', 'focus', 'live', 'help']
					.map((part) => document.querySelectorAll(`${scope} .fg-${part}`).length)),
				[2, 1, 1, 0]);
				await page.click('all');
				await undo?.(page);
				checkPicture(await page.frames(), rows(merge(crowded)));
				await page.click('group');
				checkPicture(await page.frames(), rows(find(merge(crowded), 'main;group')));
			});
	});
}

test('a saved page without data keeps the colours that a search hides', async () => {
	let fill;

	await visitSaved('picture.svg', draw(simple), async (page) => {
		({ fill } = await page.frame('lex'));
		await page.search('lex');
		await becomes(() => page.filledWith(color), ['lex']);
		await becomes(() => page.ask(() =>
			Boolean(document.querySelector('metadata')?.textContent)), true);
	}, async (page) => {
		await becomes(() => page.filledWith(color), ['lex']);
		await page.search('');
		await becomes(async () => (await page.frame('lex')).fill, fill);
		checkPicture(await page.frames(), rows(merge(simple)));
	});
});

test('a saved page has the normal title of the frame that was pointed at', () =>
	visitSaved('picture.svg', draw(crowded), (page) => page.hover('main'), async (page) => {
		assert.equal((await page.frame('main')).title, 'main (1,000,000, 100.00%)');
	}));

/* ---- in a frame of another page */

const size = 'width="1250" height="400"';

/* Opens a page that has the picture in some kind of frame. Calls body with it. */
async function visitFramed(html, options, body) {
	const svg = write('framed.svg', draw(simple));
	const page = write('framed.html', '<!DOCTYPE html>' + html);

	await visit([page, svg], { viewer: false, ...options }, async (outer) => {
		const inner = await outer.inside();
		if (options.viewer !== false)
			await inner.ready();
		await body(inner, outer);
	});
}

async function useFramed(inner, outer) {
	const { href } = await outer.address();

	assert.deepEqual(await inner.shown(), unzoomed);
	await inner.click('parse');
	assert.deepEqual(await inner.shown(), zoomed);
	await inner.press('/');
	await inner.type('lex');
	await becomes(() => inner.filledWith(color), ['lex']);
	await inner.press('Enter', 'Escape');
	assert.equal(await inner.text('unzoom'), null);
	await inner.click('main');
	await inner.click('#unzoom');
	assert.deepEqual(await inner.shown(), unzoomed);
	assert.equal((await outer.address()).href, href);
}

const data = () => 'data:image/svg+xml;base64,' + Buffer.from(draw(simple)).toString('base64');

for (const [how, html] of [
	['an <object>', () => '<object type="image/svg+xml" data="framed.svg"></object>'],
	['an <iframe>', () => `<iframe src="framed.svg" ${size}></iframe>`],
	['a sandboxed frame',
		() => `<iframe sandbox="allow-scripts" src="framed.svg" ${size}></iframe>`],
	['a frame with a data: address', () => `<iframe src="${data()}" ${size}></iframe>`],
]) {
	test(`a picture in ${how} zooms and searches`, async () => {
		await visitFramed(html(), { accept: /^request: data:/ }, useFramed);
	});
}

test('a file is saved at once, even if the address is the whole picture', async () => {
	const html = `<iframe src="data:image/svg+xml,${encodeURIComponent(draw(simple))}"></iframe>`;
	const accept = /^request: (data|blob):/;

	await visitFramed(html, { accept }, async (inner, outer) => {
		await inner.click('parse');
		const [download] = await Promise.all([outer.page.waitForEvent('download'),
			inner.press('d')]);
		assert.equal(download.suggestedFilename(), 'Flame-Graph.folded');
	});
});

test('in an <object> of a given height the graph has the whole width', async () => {
	const high = Array.from({ length: 60 }, (_, i) => `f${i}`).join(';');
	/* Enough modules for a legend with more lines than in a wide window. */
	const modules = Array.from({ length: 13 }, (_, i) =>
		`f0;Container${i}::insert 10\n`).join('');
	const svg = write('high.svg', draw(`${high} 100\nf0;other 50\n${modules}`));
	const html = write('high.html', '<!DOCTYPE html>' +
		'<object type="image/svg+xml" width="100%" height="300" data="high.svg"></object>');
	const size = { width: 1000, height: 700 };

	await visit([html, svg], { viewer: false, size }, async (outer) => {
		const inner = await outer.inside();
		await inner.ready();
		const root = async () => {
			const { left, width, top } = await inner.frame('all');
			return { left: Math.round(left), width: Math.round(width), isSeen: top < 300 };
		};
		const all = await inner.ask(() => window.innerWidth) - 20;
		await becomes(root, { left: 10, width: all, isSeen: true });
		const { top } = await inner.frame('f5');
		await inner.ask(() => document.documentElement.dispatchEvent(
			new WheelEvent('wheel', { deltaY: -100, bubbles: true, cancelable: true })));
		await becomes(async () => Math.round((await inner.frame('f5')).top - top), 100);
		/* With Ctrl the wheel zooms the page. */
		assert.equal(await inner.ask(() => document.documentElement.dispatchEvent(
			new WheelEvent('wheel', { deltaY: -100, ctrlKey: true, bubbles: true, cancelable: true }))),
		true);
		assert.equal(Math.round((await inner.frame('f5')).top - top), 100);
		/* A finger goes down by 60 pixels, and up again by 20. Then the page stays. */
		const touch = (type, clientY) => inner.ask(({ type: name, clientY: y }) => {
			const event = new Event(name, { bubbles: true, cancelable: true });
			document.documentElement.dispatchEvent(Object.assign(event, { touches: [{ clientY: y }] }));
			return event.defaultPrevented;
		}, { type, clientY });
		await touch('touchstart', 100);
		assert.equal(await touch('touchmove', 130), true);
		assert.equal(await touch('touchmove', 160), true);
		assert.equal(await touch('touchmove', 140), true);
		await becomes(async () => Math.round((await inner.frame('f5')).top - top), 140);
		assert.equal(await touch('touchmove', 140), false, 'nothing moves');
		await touch('touchmove', 100);
		await inner.click('f5');
		assert.equal(await inner.text('unzoom'), 'Reset Zoom');
	});
});

test('a picture in a frame without scripts is complete', async () => {
	const html = `<iframe sandbox="" src="framed.svg" ${size}></iframe>`;
	const accept = /^console: Blocked script execution/;

	await visitFramed(html, { viewer: false, accept }, async (inner) => {
		await becomes(() => inner.shown(), unzoomed);
		for (const id of ['unzoom', 'search', 'ignorecase'])
			assert.equal(await inner.text(id), null);
	});
});

test('the picture works as an <img>', async () => {
	const svg = write('image.svg', draw(simple));
	const html = write('image.html', '<!DOCTYPE html><img src="image.svg">');

	await visit([html, svg], { viewer: false }, async ({ page }) => {
		const loaded = () => page.evaluate(() => document.images[0].naturalWidth);
		await becomes(loaded, 1200);
	});
});

test('an <img> shows the frames', async () => {
	const svg = write('pixels.svg', draw(simple));
	const html = write('pixels.html', '<!DOCTYPE html><meta charset="utf-8">' +
		`<img src="data:image/svg+xml;base64,${Buffer.from(draw(simple)).toString('base64')}">`);

	await visit([html, svg], { viewer: false, accept: /^request: data:/ },
		async ({ page }) => {
			const colours = await page.evaluate(async () => {
				const [image] = document.images;
				await image.decode();
				const canvas = document.createElement('canvas');
				canvas.width = image.naturalWidth;
				canvas.height = image.naturalHeight;
				const context = canvas.getContext('2d');
				context.drawImage(image, 0, 0);
				const column = context.getImageData(600, 0, 1, canvas.height).data;
				return new Set(new Uint32Array(column.buffer)).size;
			});
			assert.ok(colours > 4 && colours < 200, `${colours} colours`);
		});
});

/* ---- under a content security policy, which a server has to send */

const served = { skip: !canEmulate && 'there is no server for its policy' };
const address = 'http://picture.test/flame.svg';

async function visitUnder(policy, folded, options, body) {
	const html = write('door.html', `<!DOCTYPE html>`);
	const answers = { [address]: {
		contentType: 'image/svg+xml',
		headers: { 'content-security-policy': policy },
		body: draw(folded),
	} };

	await visit([html], { viewer: false, answers, ...options }, async (page) => {
		await page.page.goto(address);
		await body(page);
	});
}

for (const policy of ["default-src 'none'", "default-src 'none'; style-src 'self'",
	"default-src 'none'; style-src 'unsafe-inline'; sandbox"]) {
	test(`the static picture is complete under ${policy}`, served, async () => {
		const accept = /^console: .*(Content Security Policy|Blocked script)|picture\.test/;

		await visitUnder(policy, simple, { accept }, async (page) => {
			assert.deepEqual(await page.shown(), unzoomed);
			checkPicture(await page.frames(), rows(merge(simple)), { narrowest: 0.1 });
			for (const id of ['unzoom', 'search', 'ignorecase'])
				assert.equal(await page.text(id), null);
			const font = await page.ask(() => {
				const style = getComputedStyle(document.querySelector('#frames text'));
				return [style.fontFamily.split(',')[0].replaceAll('"', ''), style.fontSize];
			});
			assert.deepEqual(font, ['system-ui', '12px']);
			assert.equal((await page.frame('lex')).label, 'lex');
		});
	});
}

test('the viewer runs with the hashes that --csp prints', served, async () => {
	const { stdout } = spawnSync(process.env.FLAMEGRAPH, ['--csp'], { encoding: 'utf8' });
	const policy = "default-src 'none'; " + stdout.trim().split(/\n/)
		.map((line) => line.replace(/;?$/, '')).join('; ');

	assert.match(policy, /script-src .*'sha256-/);
	await visitUnder(policy, simple, { accept: /^request: .*picture\.test/ },
		async (page) => {
			await page.ready();
			await page.click('parse');
			assert.deepEqual(await page.shown(), zoomed);
			await page.press('/');
			await page.type('lex');
			await becomes(() => page.filledWith(color), ['lex']);
			await page.press('Enter', '?', 'i');
		});
});
