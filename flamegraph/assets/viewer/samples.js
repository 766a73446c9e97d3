/*
 * Finds the weight of one sample on both sides of a difference, which decides what is
 * noise. This is lib/profile/sample_weight.c with the constants of
 * flamegraph/changes.c; tests/browser/compare.test.mjs keeps them equal.
 *
 * `counts` are two columns, before and after, of whole numbers; `one` is how many of
 * them make 1.
 */

import { floor, max, min } from './format.js';

/*
 * A common divisor of less than this is chance, because numbers of samples have them.
 */
const LEAST_WEIGHT = 1000;

const HARDLY_CHANCE = 0.0001;
const MAY_BE_CHANCE = 0.01;
const CHANCE = 0.001;

/* In a profile, nearly all stacks have few samples, and some of many have very few. */
const SMALL = 10000;
const MANY = 20;
const RARE = 2;

/* We try weights that make the smallest count up to this many samples. */
const LEAST_SAMPLES = 4;
/* A scaled count is at most this far from a multiple of the weight. */
const NEAR = 2;

const divisorOf = (a, b) => (b === 0 ? a : divisorOf(b, a % b));

/* Returns the common divisor of all counts, or `one` if it is too small. */
function commonDivisor(counts, one) {
	let divisor = 0;

	for (const column of counts)
		for (const count of column) if (count > 0) divisor = divisorOf(count, divisor);
	return divisor > 0 && divisor < LEAST_WEIGHT * one ? one : divisor;
}

/* Returns true if the counts can be sums of samples of that weight. */
function explains(column, weight) {
	const few = (most) =>
		column.filter((count) => floor(count / weight) <= most).length;
	const stacks = column.length;

	return (
		weight > 0 &&
		few(SMALL) >= stacks - floor(stacks / 10) &&
		(stacks < MANY || few(RARE) >= floor(stacks / 10))
	);
}

/* Returns the probability that as many random numbers share a factor by chance. */
const chanceOf = (factor, numbers) => (factor > 1 ? factor ** (1 - numbers) : 1);

/* Returns 'equal', 'rounded' (by diff-folded -n) or 'different'. */
function compareTotals([before, after], one) {
	const sumOf = (column) => column.reduce((sum, count) => sum + count, 0);
	const less = sumOf(after) - sumOf(before);
	const raised = before.filter((count) => count === one).length * one;
	const isWhole = before.every((count) => count % one === 0);

	if (less === 0) return 'equal';
	return isWhole && less < before.length * one && -less < raised
		? 'rounded'
		: 'different';
}

/*
 * Narrows the limits of the weight by one more count, which is a whole number of
 * samples times the weight, rounded down. Returns 0, -1 if no number of samples fits,
 * or 1 if several do.
 */
function narrow(limits, count) {
	const samples = floor(((count + 0.5) * 2) / (limits.low + limits.high) + 0.5);
	const [low, high] = [count / samples, (count + 1) / samples];
	const fits = (n) => count / n < limits.high && (count + 1) / n > limits.low;

	if (samples < 1 || low >= limits.high || high <= limits.low) return -1;
	if (fits(samples + 1) || (samples > 1 && fits(samples - 1))) return 1;
	limits.low = max(low, limits.low);
	limits.high = min(high, limits.high);
	return 0;
}

/*
 * Returns the largest weight for which the smallest count is `samples` samples and
 * nine in ten counts fit, or 0 if that may be chance.
 */
function weightOfFit(counts, samples) {
	const limits = { low: counts[0] / samples, high: (counts[0] + 1) / samples };
	let [wrong, clear] = [0, 0];

	for (const count of counts) {
		const status = narrow(limits, count);
		if (status < 0) wrong++;
		if (status === 0) clear++;
	}
	const each = (NEAR * 2) / (limits.low + limits.high);
	const chance = clear > 0 && each < 1 ? LEAST_SAMPLES * each ** (clear - 1) : 1;
	return wrong <= floor(counts.length / 10) &&
		clear >= floor(counts.length / 2) &&
		chance < CHANCE
		? limits.high
		: 0;
}

/* Returns the weight of a sample in a column that diff-folded -n has scaled, or 0. */
function weightOfScaled(column, one) {
	const counts = column.map((count) => count / one).sort((a, b) => a - b);

	if (!(counts[0] >= 2)) return 0;
	for (let samples = 1; samples <= LEAST_SAMPLES; samples++) {
		const weight = weightOfFit(counts, samples);
		if (weight > 0) return weight >= LEAST_WEIGHT ? weight * one : 0;
	}
	return 0;
}

/* Returns true if the counts include 1, 2 and 3, so that they were hardly scaled. */
const hasFirstNumbers = (column, one) =>
	[1, 2, 3].every((n) => column.includes(n * one));

/* Returns the weights of a sample before and after; 0 if they are unknown. */
export function findWeights(all, one) {
	const counts = all.map((column) => Array.from(column).filter((count) => count > 0));
	const [before, after] = counts;
	const own = counts.map((column) => commonDivisor([column], one));
	const both = commonDivisor(counts, one);
	const totals = compareTotals(counts, one);
	const chances = own.map((divisor, i) => chanceOf(divisor / both, counts[i].length));
	const numbers = before.length + after.length;
	const weight = chanceOf(both / one, numbers) > MAY_BE_CHANCE ? one : both;
	const isAlike =
		(totals === 'equal'
			? own[0] === own[1]
			: chances.every((chance) => chance > HARDLY_CHANCE)) &&
		counts.every((column) => explains(column, weight));
	const isApart = counts.every(
		(column, i) =>
			explains(column, own[i]) && (own[i] === both || chances[i] < CHANCE),
	);

	if (totals !== 'rounded') {
		if (isAlike) return [weight, weight];
		return isApart ? own : [0, 0];
	}
	const scaled = explains(after, own[1]) ? weightOfScaled(before, one) : 0;
	if (scaled > 0) return [scaled, own[1]];
	return isAlike && both === one && hasFirstNumbers(before, one)
		? [weight, weight]
		: [0, 0];
}
