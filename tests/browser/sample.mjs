/*
 * node's `test`, or of each file the first test and one in EVERY of the others, which
 * TURN, a number, chooses. For tests/break/viewer.py: of each file the tests that TESTS
 * has, names in JSON, and with FIRST=1 the process ends with the first that fails or hangs.
 */

import { test as always } from 'node:test';
import { keepCover } from './cover.mjs';

const every = Number(process.env.EVERY || 1);
const turn = Number(process.env.TURN || 0);
const only = process.env.TESTS && JSON.parse(process.env.TESTS);
const patience = 60000;
let count = 0;

/* Whoever waits for what does not come is ended too. */
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
