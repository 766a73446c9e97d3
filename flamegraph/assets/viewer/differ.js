/*
 * Makes the difference of two profiles (reader.js), like
 *
 *	diff-folded -n BEFORE AFTER | flamegraph
 *
 * Shares are compared: the counts before are scaled to the total after.
 * tests/browser/compare.test.mjs compares the result with that of the programs.
 */

import { largestChange } from './changes.js';
import { abs, max } from './format.js';
import { joinSiblings } from './regrow.js';
import { findWeights } from './samples.js';
import { makeTree, withTotals } from './tree.js';

/* Two weights that differ by less than this share are equal. */
const NEARLY = 0.001;

/*
 * Returns a tree with the frames of both profiles below one root. Its names start with
 * `first`.
 */
function putTogether(profiles, first, decimals) {
	const frames = profiles.reduce((sum, { parent }) => sum + parent.length - 1, 1);
	const ids = new Map();
	const [parent, name] = [new Int32Array(frames), new Int32Array(frames)];
	const columns = profiles.map(() => new Float64Array(frames));
	let base = 0;

	function idOf(text) {
		if (!ids.has(text)) ids.set(text, ids.size);
		return ids.get(text);
	}

	first.forEach(idOf);
	profiles.forEach((one, side) => {
		const known = one.names.map(idOf);
		const scale = 10 ** (decimals - one.decimals);
		for (let i = 0; i < one.parent.length; i++) {
			const at = i && base + i;
			columns[side][at] = one.self[i] * scale;
			parent[at] = one.parent[i] > 0 ? base + one.parent[i] : 0;
			name[at] = known[one.name[i]];
		}
		base += one.parent.length - 1;
	});
	parent[0] = -1;
	name[0] = ids.size;
	const names = Array.from(ids.keys());
	const [selfBefore, self] = columns;
	return makeTree({ names, parent, name, self, selfBefore, decimals, gap: null });
}

/*
 * Returns the counts, scaled from the total `from` to the total `to` and rounded down
 * to whole numbers, but at least to 1.
 */
function scaledTo(counts, from, to, decimals) {
	const [divisor, factor] = [BigInt(from) * 10n ** BigInt(decimals), BigInt(to)];

	return counts.map((count) =>
		count > 0
			? max(1, Number((BigInt(count) * factor) / divisor)) * 10 ** decimals
			: 0,
	);
}

/* Returns the weights of a sample, in the tree's counts, or zeros. */
function weightsOf(profiles, { self, selfBefore, decimals }, scale) {
	const one = 10 ** decimals;
	const [before, after] = profiles.map(({ weight }) => {
		const [number, other = number] = weight.split(/[\s,]+/).map(Number);
		return number > 0 && other === number ? number * one : 0;
	});

	return before > 0 && after > 0
		? [before * scale, after]
		: findWeights([selfBefore, self], one);
}

/*
 * Returns true if sampling alone explains that the totals differ. weights: those of a
 * sample before the counts were scaled.
 */
function isNoisy([before, after], weights) {
	const variance = before * weights[0] + after * weights[1];

	return weights[0] > 0 && abs(after - before) < 2 * Math.sqrt(variance);
}

/* Returns true if a stack has counts on both sides. */
function haveCommon({ self, selfBefore }) {
	return self.some((count, i) => count > 0 && selfBefore[i] > 0);
}

/*
 * Compares two profiles. The names of the tree start with `first`. Returns the tree;
 * `sample`, the mean weight of a sample, and maxDelta, the largest change, as in the
 * settings of a picture; totals: what was recorded; isScaled: true if the counts
 * before were scaled; noisy: noise explains that the totals differ; weight: that of a
 * sample, in real counts, if it is the same on both sides, else 0; strangers: no stack
 * is on both sides.
 */
export function compareProfiles(profiles, first = []) {
	const decimals = max(...profiles.map((one) => one.decimals));
	const joined = joinSiblings(putTogether(profiles, first, decimals));
	const totals = [joined.before[0], joined.total[0]];
	const [from, to] = totals;
	const isScaled = from !== to;
	const tree = isScaled
		? withTotals({
				...joined,
				selfBefore: scaledTo(joined.selfBefore, from, to, decimals),
			})
		: joined;
	const weights = weightsOf(profiles, tree, to / from);
	const unscaled = [(weights[0] * from) / to, weights[1]];
	const sample = (weights[0] + weights[1]) / 2;
	const isAlike = abs(unscaled[0] - unscaled[1]) <= NEARLY * unscaled[1];

	return {
		/* The module of a name is not known, so no stack is found by it. */
		tree: { ...tree, widths: 'union', colours: [], namesOf: () => [] },
		sample,
		maxDelta: largestChange({ sample }, tree),
		totals: totals.map((total) => total / 10 ** decimals),
		isScaled,
		noisy: isNoisy(totals, unscaled),
		weight: isAlike ? weights[1] / 10 ** decimals : 0,
		strangers: !haveCommon(tree),
	};
}
