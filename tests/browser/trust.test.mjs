/*
 * Tests that pictures show what is in the profile: profiles of plain counts, each opened in
 * windows of many widths, before and after each control.
 */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { becomes, visitPicture } from './harness.mjs';
import { all, ancestorsOf, chart, checkPicture, locate, merge, rows } from './model.mjs';
import { numbers } from './profiles.mjs';

const WIDTHS = [360, 620, 1280, 1920];

/*
 * Returns that many samples, each on a line of its own, of stacks that branch and recurse.
 */
function samples(count, seed) {
	const next = numbers(seed);
	const lines = [];
	let stack = ['app', 'main'];

	for (let i = 0; i < count; i++) {
		stack = stack.slice(0, 2 + next(stack.length - 1));
		for (let grow = next(5); grow > 0; grow--)
			stack.push(next(4) === 0 ? stack.at(-1) : `f${next(30)}`);
		lines.push(`${stack.join(';')} 1\n`);
	}
	return lines.join('');
}

const flat = (count) => Array.from({ length: count }, (_, i) =>
	`app;main;w${i % 40};leaf${i} 1\n`).join('');
const tower = `${Array.from({ length: 40 }, (_, i) => `t${i >> 1}`).join(';')} 3\n`;

const PROFILES = [
	['one sample', 'app;main;only_one 1\n'],
	['100 samples in 100 functions', flat(100)],
	['100 samples', samples(100, 3)],
	['500 samples', samples(500, 5)],
	['500 samples in 500 functions', flat(500)],
	['499 samples and one', 'app;main;work 499\napp;main;rare;rarer 1\n'],
	['a tower of 40 that calls itself', `${tower}t0;other 97\n`],
	['a chart of one sample', 'app;main;only_one 1\n', 'chart'],
	['a chart of 100 samples', samples(100, 7), 'chart'],
	['a chart of 500 samples', samples(500, 9), 'chart'],
];

/* Returns the lines without those whose stack begins with a path. */
const without = (folded, path) => folded.split('\n')
	.filter((line) => !`${line.replace(/ \d+$/, '')};`.startsWith(`${path};`)).join('\n');

const collapsed = (folded) => folded.replace(/^.*(?= \d+$)/gm, (stack) =>
	stack.split(';').filter((name, i, names) => name !== names[i - 1]).join(';'));

const pathOf = (frame) =>
	[...ancestorsOf(frame), frame].slice(1).map(({ name }) => name).join(';');

/* Returns the frame at or above main that leaves something out, and is easy to hit. */
const toZoom = (root) => all(root).filter(({ depth, total }) =>
	depth > 2 && total < root.total).sort((a, b) => b.total - a.total)[0];

/* Returns the shown frames, root first, whichever way up the picture is. */
const shownNow = async (page) => {
	const frames = await page.frames();
	const isRoot = ({ level, role }) => level === '1' || role === 'tree';

	return frames.sort((a, b) => isRoot(b) - isRoot(a));
};

/* Returns each control, and what must be shown after it. back: what undoes it. */
function controlsOf(folded, isChart, root) {
	const one = toZoom(root);
	const list = [
		{ keys: ['i'], expected: root, back: ['i'] },
		{ keys: ['t'], expected: root, back: ['t'] },
		{ keys: ['r'], expected: merge(folded, { order: 'weight', reversed: true }), back: ['r'] },
		{ keys: ['/', 'f', '1', 'Enter'], expected: root, back: ['/', 'Escape'] },
	];

	if (isChart)
		list.push({ keys: ['s'], expected: root, back: [] });
	else
		list.push(
			{ keys: ['s'], expected: merge(folded, { order: 'weight' }), back: ['s'] },
			{ keys: ['f'], expected: merge(collapsed(folded)), back: ['f'] },
		);
	if (one) {
		list.push({ click: one, expected: one, back: ['Escape'] });
		if (!isChart)
			list.push({ click: one, modifier: 'Alt', back: ['u'],
				expected: merge(without(folded, pathOf(one))) });
	}
	return list;
}

async function check(page, root, what) {
	await becomes(async () => {
		checkPicture(await shownNow(page), rows(root));
		return true;
	}, true).catch((error) => assert.fail(`${what}: ${error.message}`));
}

for (const [name, folded, isChart] of PROFILES)
	test(`no width and no control makes a frame vanish: ${name}`, async () => {
		const args = isChart ? ['--flamechart'] : [];
		const root = isChart ? chart(folded) : merge(folded);

		for (const width of WIDTHS)
			await visitPicture(folded, { args, size: { width, height: 900 } },
				async (page) => {
					await check(page, root, `${width} at first`);
					for (const control of controlsOf(folded, isChart, root)) {
						const { keys, click, modifier, expected, back } = control;
						const what = `${width} ${keys ?? [modifier, click.name]}`;
						if (keys)
							await page.press(...keys);
						else
							await page.click(locate(await shownNow(page), click), modifier);
						await check(page, expected, what);
						await page.press(...back);
						await check(page, root, `${what} and back`);
					}
				});
	});
