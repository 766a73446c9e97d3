/* Tests light and dark pictures: every text is readable, in every palette. */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { emulated } from './browsers.mjs';
import { draw, visit, visitPicture, write } from './harness.mjs';
import { changed, large, simple } from './profiles.mjs';

/*
 * Returns the contrast of every visible text, by WCAG 2, on either end of the background:
 * of labels with their frame as it looks there, of other texts with the background itself.
 */
function contrasts() {
	const root = document.querySelector('svg');
	const rgb = (text) => text.match(/[\d.]+/g).map(Number);
	const luminance = (color) => {
		const [r, g, b] = color.slice(0, 3).map((c) => c / 255)
			.map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const contrast = (a, b) => {
		const [dark, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
		return (bright + 0.05) / (dark + 0.05);
	};
	const over = (top, alpha, bottom) =>
		top.slice(0, 3).map((c, i) => alpha * c + (1 - alpha) * bottom[i]);
	/* Returns the opacity of an element, with that of all elements around it. */
	const opacity = (element) => {
		let all = Number(getComputedStyle(element).fillOpacity);
		for (let at = element; at instanceof Element; at = at.parentNode)
			all *= getComputedStyle(at).opacity;
		return all;
	};
	/*
	 * Returns true if an element can be seen. During a zoom the whole picture is kept
	 * hidden.
	 */
	const seen = (element) => element.getClientRects().length > 0 &&
		!element.closest('[aria-hidden="true"]') &&
		getComputedStyle(element).visibility === 'visible';
	const stops = root.querySelectorAll('linearGradient stop');
	const flat = getComputedStyle(root.querySelector(':scope > rect')).fill;
	const ends = stops.length > 0 ?
		Array.from(stops, (stop) => rgb(getComputedStyle(stop).stopColor)) : [rgb(flat)];
	const results = { ends: ends.map(luminance), texts: [] };
	const note = (text, under) => {
		const color = rgb(getComputedStyle(text).fill);
		const ink = over(color, opacity(text), under);
		results.texts.push([text.textContent, contrast(ink, under), color.join()]);
	};

	/* The bars and their content have an even background. */
	for (const text of root.querySelectorAll('foreignObject *')) {
		const style = getComputedStyle(text);
		const own = Array.from(text.childNodes).some((node) => node.data?.trim());
		if (!own || !seen(text) || text.closest('.fg-live'))
			continue;
		/* All layers that are seen through those over them. */
		const layers = [];
		let ground = text;
		do {
			layers.unshift(rgb(getComputedStyle(ground).backgroundColor));
			ground = ground.parentNode;
		} while ((layers[0][3] ?? 1) < 1 && ground instanceof Element);
		const under = layers.reduce((below, top) => over(top, top[3] ?? 1, below));
		results.texts.push([text.textContent, contrast(rgb(style.color), under),
			rgb(style.color).join()]);
	}
	for (const text of root.querySelectorAll('text')) {
		/* Fully transparent text is for screen readers. */
		if (!seen(text) || text.textContent.trim() === '' || opacity(text) === 0)
			continue;
		const rect = text.closest('[id="frames"] > *')?.querySelector('rect');
		for (const end of ends) {
			note(text, rect ? over(rgb(getComputedStyle(rect).fill), opacity(rect), end) :
				end);
		}
	}
	return results;
}

async function checkContrasts(page, labels, what) {
	const { texts } = await page.ask(contrasts);

	assert.ok(texts.length >= labels, `${what}: ${texts.length} texts`);
	const poor = texts.filter(([, ratio]) => !(ratio >= 4.5));
	assert.deepEqual(poor.slice(0, 5), [], what);
}

/* Names that the palettes for languages distinguish, and many more for many hues. */
const names = ['org/example/Main', 'java/lang/String:::get_[j]', 'inlined_[i]', 'std::sort',
	'vfs_read_[k]', 'woken_[w]', 'Perl_run', 'lib/app.js', 'JS: run', 'core::fmt', 'run.py',
	'-', '--', '[unknown]', 'a.pl', 'x y', 'main'];

const palette = names.map((name, i) => `${name};${'f' + i * 37};${'g' + i * 91} 10\n`)
	.join('') + Array.from({ length: 30 }, (_, i) => `h${i * i};${'k' + i} 10\n`).join('');

const palettes = draw('', ['--help']).match(/^Palettes: ([^.]*)\./m)[1].split(/\s+/);

/*
 * Checks the picture unzoomed, zoomed (with faded ancestors) and searched, in both themes.
 */
async function checkStates(page, target, dark) {
	for (const colorScheme of dark ? ['light', 'dark'] : [null]) {
		if (colorScheme)
			await page.page.emulateMedia({ colorScheme });
		const what = colorScheme ?? 'as asked for';
		await page.settle();
		await checkContrasts(page, 20, what);
		await page.search('.');
		await checkContrasts(page, 20, what + ', searched');
		await page.click('#search');
		await page.hover(target);
		await page.click(target);
		await checkContrasts(page, 4, what + ', zoomed');
		await page.search('.');
		await checkContrasts(page, 4, what + ', zoomed and searched');
		await page.click('#search');
		await page.click('#unzoom');
	}
}

for (const [what, args] of [
	...palettes.map((name) => [name, ['--colors', name]]),
	...['neutral', 'yellow', 'blue', 'green', 'grey'].map((name) =>
		[`background ${name}`, ['--bgcolors', name]]),
	['hash', ['--hash']],
	['random', ['--random']],
	['diffusion', ['--colordiffusion']],
	['another search colour', ['--search-color', '#00ff80']],
	['a dark search colour', ['--search-color', '#101060']],
]) {
	test(`every text has a contrast of 4.5: ${what}`, emulated, async () => {
		await visitPicture(palette, { args }, async (page) => {
			await checkStates(page, 'g0', true);
		});
		for (const theme of ['light', 'dark']) {
			const options = { args: [...args, '--theme', theme], dark: theme === 'light' };
			await visitPicture(palette, options, async (page) => {
				await checkStates(page, 'g0', false);
			});
		}
	});
}

test('every text has a contrast of 4.5: differential', emulated, async () => {
	let count = 0;
	const profile = palette.replace(/ 10$/gm, () => ` ${count++ % 12 * 3} 17`);

	for (const args of [[], ['--negate'], ['--theme', 'dark']]) {
		await visitPicture(profile, { args }, async (page) => {
			await checkStates(page, 'g0', args.length < 2);
		});
	}
});

test('without script every text has a contrast of 4.5', emulated, async () => {
	for (const theme of ['auto', 'light', 'dark']) {
		for (const dark of [false, true]) {
			const options = { script: false, dark, args: ['--theme', theme] };
			await visitPicture(palette, options, async (page) => {
				await checkContrasts(page, 20, `${theme}, ${dark}`);
			});
		}
	}
});

test('without style every text has a contrast of 4.5', async () => {
	for (const theme of ['auto', 'light', 'dark']) {
		const svg = draw(palette, ['--no-script', '--theme', theme])
			.replace(/<style[^]*?<\/style>/g, '');
		const file = write('bare.svg', svg);
		await visit([file], { viewer: false }, async (page) => {
			await checkContrasts(page, 20, theme);
		});
	}
});

for (const [theme, dark, expected] of [
	['auto', false, 'light'], ['auto', true, 'dark'], ['light', true, 'light'],
	['dark', false, 'dark'],
]) {
	test(`--theme ${theme} if ${dark ? 'dark' : 'light'} is preferred`, emulated,
		async () => {
			const options = { dark, args: ['--theme', theme] };
			await visitPicture(simple, options, async (page) => {
				const { ends } = await page.ask(contrasts);
				for (const luminance of ends)
					assert.equal(luminance < 0.2, expected === 'dark', `${ends}`);
			});
		});
}

test('without --theme the picture follows the reader\'s preference', emulated, async () => {
	await visitPicture(simple, {}, async (page) => {
		const dark = async () => (await page.ask(contrasts)).ends.every((end) => end < 0.2);
		assert.equal(await dark(), false);
		await page.page.emulateMedia({ colorScheme: 'dark' });
		assert.equal(await dark(), true);
		await page.page.emulateMedia({ colorScheme: 'light' });
		assert.equal(await dark(), false);
	});
});

test('the hint in the empty search box has a contrast of 4.5', emulated, async () => {
	const contrast = () => {
		const input = document.querySelector('input.fg-term');
		const { color, opacity } = getComputedStyle(input, '::placeholder');
		const rgb = (text) => text.match(/\d+/g).slice(0, 3).map(Number);
		const paper = rgb(getComputedStyle(input).backgroundColor);
		const ink = rgb(color).map((c, i) => opacity * c + (1 - opacity) * paper[i]);
		const [a, b] = [ink, paper].map((all) => all.map((c) => (c / 255) ** 2.2))
			.map(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
		return Math.max(a / b, b / a);
	};

	for (const dark of [false, true]) {
		await visitPicture(simple, { dark }, async (page) => {
			await page.press('/');
			const found = await page.ask(contrast);
			assert.ok(found >= 4.5, `${found}`);
		});
	}
});

test('a dark picture is readable on paper, too', emulated, async () => {
	for (const args of [...['hot', 'mem', 'io', 'aqua'].map((name) => ['--colors', name]),
		['--bgcolors', '#102030']]) {
		const options = { dark: true, args };
		await visitPicture(palette, options, async (page) => {
			await page.search('h');
			await page.click('g0');
			await page.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
			await page.settle();
			await checkContrasts(page, 4, args.join(' '));
		});
	}
});

test('colours of the command line are kept in dark mode', emulated, async () => {
	const args = ['--bgcolors', '#fffff0', '--uicolor', '#400000'];

	for (const theme of ['auto', 'dark']) {
		const options = { dark: true, args: [...args, '--theme', theme] };
		await visitPicture(simple, options, async (page) => {
			const { texts, ends } = await page.ask(contrasts);
			assert.ok(ends.every((end) => end > 0.9), `${ends}`);
			const title = texts.find(([text]) => text === 'Flame Graph');
			assert.equal(title[2], '64,0,0');
		});
	}
});

test('frames have the same colours in light and dark', emulated, async () => {
	await visitPicture(large(200), {}, async (page) => {
		const fills = async () => (await page.frames()).map(({ fill }) => fill);
		const expected = await fills();
		await page.page.emulateMedia({ colorScheme: 'dark' });
		assert.deepEqual(await fills(), expected);
	});
});

/* Two pictures in a page must not take each other's background. */
test('pictures of different themes on one page keep their own', async () => {
	const inline = (args) => draw(changed, args).replace(/^<\?xml[^>]*\?>/, '');
	const html = write('themes.html', '<!DOCTYPE html><meta charset="utf-8">' +
		`<div id="a">${inline(['--theme', 'light'])}</div>` +
		`<div id="b">${inline(['--theme', 'dark'])}</div>`);

	await visit([html], {}, async (page) => {
		const ends = await page.ask(() => ['#a', '#b'].map((id) => {
			const svg = document.querySelector(id + ' svg');
			const [, wanted] = /url\("?#([^")]+)"?\)/.exec(
				getComputedStyle(svg.querySelector(':scope > rect')).fill);
			const gradient = document.querySelector(`[id="${wanted}"]`);
			const stop = gradient.querySelector('stop');
			return getComputedStyle(stop).stopColor.match(/\d+/g).map(Number)
				.reduce((sum, c) => sum + c, 0) < 300;
		}));
		assert.deepEqual(ends, [false, true]);
	});
});
