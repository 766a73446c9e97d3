/*
 * Tests differentials: frames that are gone and new, noise and the legend, as the program
 * draws them.
 */

import assert from 'node:assert/strict';
import { emulated } from './browsers.mjs';
import { test } from './sample.mjs';
import { becomes, visitPicture } from './harness.mjs';
import { changed } from './profiles.mjs';

const looks = async (page) => (await page.frames())
	.map(({ name, fill, left, width, title }) =>
		[name, fill, Math.round(left), Math.round(width), title.replace(/ · .*/, '')])
	.sort();

for (const args of [[], ['--diff-view', 'before'], ['--diff-view', 'after'],
	['--diff-by', 'self'], ['--diff-colors', 'classic'], ['--negate'], ['--total', '4000']]) {
	test(`a redrawn differential equals what the program drew: ${args.join(' ')}`, async () => {
		await visitPicture(changed, { args }, async (page) => {
			const strokes = () => page.ask(() => Array.from(document.querySelectorAll('#frames > *'),
				(frame) => [frame.querySelector('title').textContent.replace(/ .*/, ''),
					frame.querySelector('rect').getAttribute('stroke')].join()).sort());
			const [drawn, outlined] = [await looks(page), await strokes()];
			await page.click('grown');
			await becomes(async () => (await page.frames()).some(({ name }) =>
				name === 'gone' || name === 'fresh'), false);
			await page.click('#unzoom');
			await becomes(() => looks(page), drawn);
			assert.deepEqual(await strokes(), outlined);
			/* Elements that showed other frames before. */
			await page.press('i', 's');
			await becomes(strokes, outlined);
		});
	});
}

test('frames that are gone are on the right, with a colour and a word of their own', async () => {
	await visitPicture(changed, {}, async (page) => {
		const frames = await page.frames();
		const find = (wanted) => frames.find(({ name }) => name === wanted);
		const rest = frames.filter(({ top }) => top === find('gone').top);

		assert.equal(Math.max(...rest.map(({ left }) => left)), find('gone').left);
		assert.match(find('gone').title, /\(100 → 0 samples \(-100, gone\), 10.00% → 0.00%\)/);
		assert.match(find('fresh').title, /\(0 → 200 samples \(\+200, new\), 0.00% → 16.67%\)/);
		assert.notEqual(find('gone').fill, find('fresh').fill);
		assert.equal(find('same').fill, 'rgb(240, 240, 240)');
		await page.search('gone');
		await becomes(() => page.text('matched'),
			'Matched: 10.0% → 0.0% of all · 1 frame');
	});
});

test('the bars do not cover the legend', async () => {
	await visitPicture(changed, {}, async (page) => {
		const legend = await page.ask(() => Array.from(
			document.querySelectorAll('.fg-legend'),
			(item) => [item.textContent, item.getClientRects().length]));

		assert.deepEqual(legend.slice(-2), [['new', 1], ['gone', 1]]);
		assert.equal(legend.length, 8);
		/* The legend has its colours; the static one that it replaces is hidden. */
		const [marks, still] = await page.ask(() => [
			Array.from(document.querySelectorAll('.fg-legend i'), (mark) => {
				const { backgroundColor, backgroundImage } = getComputedStyle(mark);
				return backgroundImage === 'none' ? backgroundColor : 'hatched';
			}),
			Array.from(document.querySelectorAll('.fg-swatch, .fg-swatch + text, .fg-whole'))
				.filter((one) => one.getClientRects().length > 0).length,
		]);
		assert.equal(still, 0);
		for (const fill of ['rgb(0, 123, 189)', 'rgb(240, 240, 240)', 'rgb(213, 94, 0)',
			'rgb(204, 121, 167)', 'hatched'])
			assert.ok(marks.includes(fill), `${fill} in ${marks}`);
	});
});

test('the legend says what changed, and what the colours mean', async () => {
	const texts = () => Array.from(document.querySelectorAll('.fg-legend'),
		(item) => item.textContent).join('|');
	const noisy = '# sample-weight: 10 10\nmain;much 100 900\nmain;little 1000 1100\n';

	await visitPicture(changed, {}, async (page) => {
		assert.equal(await page.ask(texts), 'Change of total, % of 1,200 samples:|' +
			'-17% less|-4.2%|alike, or noise|+4.2%|+17% more|new|gone');
	});
	await visitPicture(noisy, { args: ['--diff-by', 'self', '--negate', '--unit', 'ns'] },
		async (page) => {
			assert.equal(await page.ask(texts), 'Change of self, % of 2 µs:|' +
				'+40% more|+10%|alike, or noise|-10%|-40% less|new|gone');
		});
});

test('the head says before, after and the change of the whole', async () => {
	const head = () => document.querySelector('.fg-state').firstElementChild.textContent;
	const still = () => document.querySelector('.fg-whole').textContent;
	const expected = 'Before → after: 1,000 → 1,200 samples (+200, +20.0%)';

	await visitPicture(changed, {}, async (page) => {
		assert.equal(await page.ask(head), expected);
		assert.equal(await page.ask(still), expected);
		await page.click('fresh', 'Alt');
		assert.equal(await page.ask(head), 'Before → after: 1,000 → 1,000 samples, ' +
			'without what is left out (no change)');
	});
	await visitPicture(changed, { script: false, viewer: false }, async (page) => {
		assert.equal(await page.ask(still), expected);
	});
	await visitPicture(changed, { args: ['--subtitle', 'mine'] }, async (page) => {
		assert.equal(await page.ask(still), expected);
	});
});

const luminance = (colour) => {
	const [red, green, blue] = colour.match(/\d+/g).map((part) => {
		const share = part / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});

	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one, other) => {
	const [low, high] = [one, other].map(luminance).sort((a, b) => a - b);

	return (high + 0.05) / (low + 0.05);
};

for (const dark of [false, true])
	test(`frames that did not change are outlined: ${dark ? 'dark' : 'light'}`, async () => {
		await visitPicture(changed, { dark }, async (page) => {
			const looks = () => page.ask(() => ({
				grounds: Array.from(document.querySelectorAll('linearGradient > stop'),
					(stop) => getComputedStyle(stop).stopColor),
				strokes: Object.fromEntries(Array.from(
					document.querySelectorAll('#frames > g'), (frame) => [
						frame.firstChild.textContent.replace(/ \(.*/, ''),
						getComputedStyle(frame.querySelector('rect')).stroke])),
			}));
			const check = ({ grounds, strokes }) => {
				for (const name of ['same', 'inner', 'gone'])
					for (const ground of grounds)
						assert.ok(contrast(strokes[name], ground) >= 3,
							`${name}: ${strokes[name]} on ${ground}`);
				assert.equal(strokes.grown, 'none');
			};
			check(await looks());
			await page.press('i');
			check(await looks());
			await page.search('same');
			await becomes(async () => (await looks()).strokes.same, 'none');
		});
	});

test('in the dark, what has not changed recedes, and its label can be read', emulated, async () => {
	const fills = (page) => page.ask(() => Object.fromEntries(
		Array.from(document.querySelectorAll('#frames > g'), (frame) => [
			frame.firstChild.textContent.replace(/ \(.*/, ''),
			Array.from(frame.querySelectorAll('rect, text'),
				(part) => getComputedStyle(part).fill)])));
	const check = ({ same, inner, grown, shrunk }, ground) => {
		for (const [fill, label] of [same, inner]) {
			assert.ok(contrast(fill, label) >= 4.5, `${fill} ${label}`);
			for (const [other] of [grown, shrunk])
				assert.ok(contrast(other, ground) > 1.5 * contrast(fill, ground), `${other} ${fill}`);
		}
	};
	const dark = 'rgb(23, 25, 29)';

	await visitPicture(changed, { dark: true }, async (page) => {
		check(await fills(page), dark);
		assert.equal(await page.ask(() => getComputedStyle(
			document.querySelectorAll('.fg-legend i')[3]).backgroundColor), 'rgb(46, 50, 56)');
		/* A new theme gives the frames and the legend new colours. */
		await page.page.emulateMedia({ colorScheme: 'light' });
		await becomes(async () => (await fills(page)).same[0], 'rgb(240, 240, 240)');
		assert.equal(await page.ask(() => getComputedStyle(
			document.querySelectorAll('.fg-legend i')[3]).backgroundColor), 'rgb(240, 240, 240)');
	});
	await visitPicture(changed, { dark: true, script: false }, async (page) => {
		const { same, gone } = await fills(page);
		assert.deepEqual(same, ['rgb(46, 50, 56)', 'rgb(255, 255, 255)']);
		assert.equal(gone[1], 'rgb(255, 255, 255)');
	});
	await visitPicture(changed, { args: ['--theme', 'dark'], script: false }, async (page) => {
		check(await fills(page), dark);
	});
});

test('frames that are gone are hatched, in differentials only', async () => {
	await visitPicture(changed, {}, async (page) => {
		assert.match((await page.frame('gone')).fill, /^url\("?#fg-gone"?\)$/);
		await page.press('i');
		assert.match((await page.frame('gone')).fill, /^url\("?#fg-gone"?\)$/);
	});
	await visitPicture('main;a 5\n', {}, async (page) => {
		assert.equal(await page.ask(() => document.querySelector('pattern')), null);
	});
});

/* Returns the widths of frames, as counts of a root that has `whole`. */
const counts = async (page, whole) => {
	const frames = await page.frames();
	const all = frames.find(({ name }) => name === 'all').width;

	return Object.fromEntries(frames.map(({ name, width }) =>
		[name, Math.round((width / all) * whole)]));
};

const sides = {
	before: [1000, { grown: 200, shrunk: 300, same: 400, inner: 400, gone: 100 }],
	after: [1200, { grown: 400, shrunk: 100, same: 400, inner: 400, fresh: 200 }],
	union: [1300, { grown: 400, shrunk: 100, same: 400, inner: 400, fresh: 200, gone: 100 }],
};

for (const drawn of ['union', 'after'])
	test(`a switch shows before, after or both: drawn ${drawn}`, async () => {
		await visitPicture(changed, { args: ['--diff-view', drawn] }, async (page) => {
			const pressed = () => page.ask(() => Array.from(
				document.querySelectorAll('.fg-sides [aria-pressed="true"]'),
				(one) => one.textContent));
			for (const side of ['before', 'union', 'after', 'union', 'before']) {
				const [whole, expected] = sides[side];
				await page.click(`[name="widths-${side}"]`);
				await becomes(() => counts(page, whole),
					{ all: whole, main: whole, ...expected });
				assert.deepEqual(await pressed(),
					[{ before: 'Before', after: 'After', union: 'Both' }[side]]);
			}
			await becomes(() => page.state(), { w: ['before'] });
			await page.back();
			await becomes(async () => (await counts(page, sides.union[0])).gone, 100);
		});
	});

test('a link keeps the side, and a side without counts is not offered', async () => {
	const names = (page) => page.ask(() => Array.from(
		document.querySelectorAll('.fg-sides button'), (one) => one.name));

	await visitPicture(changed, { query: '#w=before' }, async (page) => {
		await becomes(() => counts(page, 1000), { all: 1000, main: 1000, ...sides.before[1] });
	});
	await visitPicture('main;a 0 5\n', { query: '#w=before' }, async (page) => {
		assert.deepEqual(await names(page), ['widths-after', 'widths-union']);
		assert.deepEqual((await page.shown()).sort(), ['a', 'all', 'main']);
	});
	await visitPicture(changed, { args: ['--data', 'none'] }, async (page) => {
		assert.deepEqual(await names(page), []);
	});
	await visitPicture('main;a 5\n', {}, async (page) => {
		assert.deepEqual(await names(page), []);
		assert.equal(await page.ask(() => document.querySelector('[name="by-change"]')), null);
	});
});

test('siblings can be sorted by change', async () => {
	await visitPicture(changed, {}, async (page) => {
		const row = async () => {
			const frames = await page.frames();
			const { top } = frames.find(({ name }) => name === 'grown');
			return frames.filter((frame) => frame.top === top).map(({ name }) => name);
		};
		assert.deepEqual(await row(), ['fresh', 'grown', 'same', 'shrunk', 'gone']);
		await page.click('[name="by-change"]');
		await becomes(row, ['fresh', 'grown', 'shrunk', 'gone', 'same']);
		await becomes(() => page.state(), { v: ['d'] });
		await page.press('u');
		await becomes(row, ['fresh', 'grown', 'same', 'shrunk', 'gone']);
	});
});

test('on a phone the switch is visible, and the legend says what it is about', async () => {
	for (const [width, height] of [[360, 640], [390, 844], [600, 900]])
		await visitPicture(changed, { size: { width, height } }, async (page) => {
			const boxes = await page.ask(() => Object.fromEntries(
				['[name=widths-before]', '[name=widths-after]', '[name=widths-union]',
					'[name=by-change]', '.fg-head', '.fg-title', '.fg-views'].map((one) =>
					[one, document.querySelector(one).getBoundingClientRect().toJSON()])));
			for (const [selector, box] of Object.entries(boxes)) {
				assert.ok(box.left >= 0 && box.right <= width, `${width}: ${selector}`);
				if (selector.startsWith('['))
					assert.ok(box.height >= 32 && box.width >= 32 && box.top >= 0 &&
						box.left > boxes['.fg-title'].left + 60 &&
						box.bottom <= boxes['.fg-views'].top + 1, `${width}: ${selector}`);
			}
			assert.ok(boxes['.fg-head'].height <= 0.15 * height);
			assert.match(await page.ask(() => document.querySelector('.fg-foot').innerText),
				/Change of total, % of 1,200 samples:/);
			await page.click('[name=widths-before]');
			await becomes(async () => (await page.shown()).includes('fresh'), false);
		});
});

/* Scaled counts add up to the same before and after, so they would show no change. */
test('the head has the recorded totals if counts are scaled', async () => {
	const head = 'Before → after: 0.334 s → 1.077 s of cpu-clock (×3.2); shares are compared';
	const profile = '# event: cpu-clock\n# unit: ns\n' +
		'# totals: before=334000000 after=1077000000\n' +
		'm;a 322455089 600000000\nm;b 754544910 477000000\n';
	const headText = (page) => page.ask(() => document.querySelector('.fg-state span').textContent);

	await visitPicture(profile, {}, async (page) => {
		assert.equal(await headText(page), head);
		await page.click('a');
		await becomes(() => page.text('unzoom'), 'Reset Zoom');
		assert.equal(await headText(page), head);
	});
	const part = profile.replace(/^m;b.*\n/m, '');
	/* The card and the legend say it, too. */
	await visitPicture(profile, {}, async (page) => {
		await page.hover('a');
		await becomes(() => page.ask(() => Array.from(
			document.querySelectorAll('.fg-card .fg-wide, .fg-card small'),
			(one) => one.textContent)),
		['100 ms \u2192 600 ms', '29.94% \u2192 55.71%', '+25.77 points, \u00d71.9',
			'+25.77 points, \u00d71.9', '55.71% of parent',
			'All: ' + head.replace(/^.*?: /, '')]);
		assert.equal(await page.ask(() => document.querySelector('.fg-legend').textContent),
			'Change of total as a share of 0.334 s \u2192 1.077 s:');
	});
	/* On a phone all of it can be read. */
	await visitPicture(profile, { size: { width: 360, height: 640 } }, async (page) => {
		const [text, inside] = await page.ask(() => {
			const one = document.querySelector('.fg-state > span');
			const [box, bar] = [one, one.parentNode].map((each) => each.getBoundingClientRect());
			return [one.innerText, box.top >= bar.top && box.bottom <= bar.bottom];
		});
		assert.deepEqual([text.replace(/\s+/g, ' '), inside], [head.replace(/^.*?: /, ''), true]);
	});
	await visitPicture(part, {}, async (page) => {
		assert.equal(await headText(page), head.replace(';', ', of which 29.9% → 55.7% are here;'));
	});
});

test('a page that was just loaded says before, after and the change of the whole', async () => {
	const init = () => {
		window.requestAnimationFrame = () => 0;
	};

	await visitPicture(changed, { viewer: false, init }, async (page) => {
		await becomes(() => page.ask(() =>
			document.querySelector('.fg-state')?.firstElementChild.textContent),
		'Before → after: 1,000 → 1,200 samples (+200, +20.0%)');
	});
});
