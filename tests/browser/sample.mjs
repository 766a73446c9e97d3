/*
 * node's `test`, but runs only a sample: the first test of each file and one in EVERY of
 * the others; TURN, a number, chooses which. For tests/break/viewer.py it runs the tests of
 * a file that are in TESTS (names in JSON), and with FIRST=1 the process ends with the
 * first test that fails or hangs.
 */

import { test as always } from 'node:test';
import { keepCover } from './cover.mjs';

const every = Number(process.env.EVERY || 1);
const turn = Number(process.env.TURN || 0);
const only = process.env.TESTS && JSON.parse(process.env.TESTS);
const patience = 60000;
let count = 0;

/* Ends a test, too, that waits for something that never comes. */
async function endAtFirst(body) {
	const fail = () => process.exit(1);
	const hangs = setTimeout(fail, patience);

	await body().catch(fail);
	clearTimeout(hangs);
}

export function test(name, ...words) {
	const wanted = only ? only.includes(name) : count === 0 || (count + turn) % every === 0;
	const body = words.pop();

	count++;
	if (!wanted)
		return;
	always(name, ...words, async (context) => {
		if (process.env.FIRST)
			await endAtFirst(async () => body(context));
		else
			await body(context);
		keepCover(process.argv[1], name);
	});
}
