/*
 * node's `test`, or of each file the first test and one in EVERY of the others, which
 * TURN, a number, chooses.
 */

import { test as always } from 'node:test';

const every = Number(process.env.EVERY || 1);
const turn = Number(process.env.TURN || 0);
let count = 0;

export function test(...words) {
	const wanted = count === 0 || (count + turn) % every === 0;

	count++;
	if (wanted)
		always(...words);
}
