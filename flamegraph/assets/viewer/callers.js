/*
 * Follows the callers of some frames, the origins, step by step towards the root. The
 * origins are in one list. Origins whose callers so far have the same names are
 * neighbours in it, that is, a range. To go a step further, we divide a range by the
 * names of the next callers. merge.js makes views of the ranges.
 *
 * To divide a range we visit every origin in it. That takes too long if functions call
 * themselves thousands of times. So after MAX_LOOKS visits for each frame of the tree
 * we sort the list by all callers at once, and from then on find the parts of a range
 * by binary search. Both ways lead to the same order.
 */

import { MANY } from './features.js';
import { max } from './format.js';
import { sumOf } from './tree.js';

const MAX_LOOKS = 24;

/*
 * Sorts frames by a key from 0 to limit - 1. Frames with the same key keep their order.
 */
function sortBy(frames, limit, keyOf) {
	const start = new Int32Array(limit + 1);
	const sorted = new Int32Array(frames.length);

	for (const frame of frames) start[keyOf(frame) + 1]++;
	for (let key = 0; key < limit; key++) start[key + 1] += start[key];
	for (const frame of frames) sorted[start[keyOf(frame)]++] = frame;
	return sorted;
}

/* Returns the sort key of a caller. The root comes before all names. */
function callerKey({ name }, frame) {
	return frame > 0 ? name[frame] + 1 : 0;
}

/*
 * Returns all frames sorted by their names, then by the names of their callers, and so
 * on. Each round doubles the number of names that have been compared: if it is n so
 * far, frames that are still equal are sorted by the ranks of their callers n steps
 * away.
 */
function sortByCallers(tree) {
	const limit = max(tree.count, tree.names.length) + 1;
	let order = Int32Array.from(tree.parent.keys());
	let rank = order.map((frame) => callerKey(tree, frame));
	let further = tree.parent.map((frame) => max(0, frame));

	while (further.some((frame) => frame > 0)) {
		const [first, next] = [rank, further];
		const differ = (a, b) =>
			first[a] !== first[b] || first[next[a]] !== first[next[b]];
		const byNext = sortBy(order, limit, (frame) => first[next[frame]]);

		order = sortBy(byNext, limit, (frame) => first[frame]);
		rank = new Int32Array(tree.count);
		for (let i = 1; i < order.length; i++)
			rank[order[i]] =
				rank[order[i - 1]] + (differ(order[i - 1], order[i]) ? 1 : 0);
		further = next.map((frame) => next[frame]);
	}
	return order;
}

/*
 * Returns a function that finds the ancestor of a frame at a given depth, in a
 * logarithmic number of leaps.
 */
function makeClimber({ parent, depth }) {
	const leap = new Int32Array(parent.length);

	for (let frame = 1; frame < leap.length; frame++) {
		const one = parent[frame];
		const two = leap[one];
		const isAsFar = depth[one] - depth[two] === depth[two] - depth[leap[two]];
		leap[frame] = isAsFar ? leap[two] : one;
	}
	return (frame, wanted) => {
		let at = frame;
		while (depth[at] > wanted)
			at = depth[leap[at]] >= wanted ? leap[at] : parent[at];
		return at;
	};
}

/*
 * Returns the first index for which isTrue() holds, or `to` if there is none. isTrue()
 * must hold for all indexes after the first one, because the search is binary.
 */
function firstWhere(from, to, isTrue) {
	let [low, high] = [from, to];

	while (low < high) {
		const middle = (low + high) >> 1;
		if (isTrue(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}

/* Returns, for each place in a list, the sum of the counts before it. */
function sumsOf(column, list) {
	const upTo = new Float64Array(list.length + 1);

	list.forEach((frame, i) => {
		upTo[i + 1] = upTo[i] + column[frame];
	});
	return upTo;
}

/*
 * Returns, for each frame, how many calls it is away from the first match on the way
 * from the root to it, or -1 if no frame on the way matches. `found` keeps the result.
 */
export function stepsToMatch({ name, parent, total, count }, found) {
	if (found.steps) return found.steps;
	const steps = new Int32Array(count).fill(-1);

	for (let i = 1; i < count; i++) {
		const below = steps[parent[i]];
		const matches = found.isName[name[i]] && total[i] > 0;
		steps[i] = below >= 0 ? below + 1 : matches ? 0 : -1;
	}
	found.steps = steps;
	return steps;
}

/*
 * Makes the list of origins. columns: the counts by frame and, in a differential, the
 * counts before. at: for each origin, the caller reached so far. frames, places, ends:
 * scratch space of makeParts(). looks: how many origins we have visited. climb, sums:
 * set only after the list was sorted.
 */
function makeList(tree, origins, columns) {
	return {
		tree,
		columns,
		list: new Int32Array(origins),
		at: new Int32Array(origins),
		frames: new Int32Array(origins.length),
		places: new Int32Array(origins.length),
		ends: new Int32Array(tree.names.length + 1),
		looks: 0,
		climb: null,
		sums: new Map(),
	};
}

function sumOfRange({ list, sums }, column, from, to) {
	const upTo = MANY && sums.get(column);
	let sum = 0;

	if (upTo) return upTo[to] - upTo[from];
	for (let i = from; i < to; i++) sum += column[list[i]];
	return sum;
}

/*
 * Adds up the counts of those origins of a range whose next caller is the root. In a
 * sorted list they come first.
 */
function sumOfLast(all, column, { from, to, steps }) {
	const { list, climb, tree } = all;
	const isFurther = (i) => tree.depth[list[i]] !== steps + 1;
	let sum = 0;

	if (MANY && climb)
		return sumOfRange(all, column, from, firstWhere(from, to, isFurther));
	for (let i = from; i < to; i++) if (!isFurther(i)) sum += column[list[i]];
	return sum;
}

function sortList(all) {
	const { tree, columns } = all;
	const isOrigin = new Uint8Array(tree.count);

	for (const frame of all.list) isOrigin[frame] = 1;
	all.list = sortByCallers(tree).filter((frame) => isOrigin[frame]);
	all.climb = makeClimber(tree);
	for (const column of columns) all.sums.set(column, sumsOf(column, all.list));
}

/*
 * Divides a range of a sorted list by the names of the next callers. Calls each(key,
 * end) for every part: `key` is the sort key of its callers, `end` the index after its
 * last origin.
 */
function findParts({ tree, list, climb }, { from, to, steps }, each) {
	const { depth } = tree;
	const keyAt = (i) =>
		callerKey(tree, climb(list[i], max(0, depth[list[i]] - steps - 1)));

	for (let start = from; start < to;) {
		const key = keyAt(start);
		const isOther = (i) => keyAt(i) !== key;
		start = isOther(to - 1) ? firstWhere(start, to, isOther) : to;
		each(key, start);
	}
}

/*
 * Like findParts(), but for a list that is not sorted. Counts the origins by key in an
 * array, which is four times as fast as a map.
 */
function makeParts(all, { from, to, steps }, each) {
	const { tree, list, at, ends, frames, places } = all;
	const keys = [];
	let end = from;

	for (let i = from; i < to; i++) {
		if (steps >= 0) at[i] = tree.parent[at[i]];
		const key = callerKey(tree, at[i]);
		if (ends[key]++ === 0) keys.push(key);
	}
	for (const key of keys.sort((a, b) => a - b)) {
		end += ends[key];
		ends[key] = end;
		each(key, end);
	}
	if (keys.length > 1) {
		const count = to - from;
		frames.set(list.subarray(from, to));
		places.set(at.subarray(from, to));
		for (let i = 0; i < count; i++) {
			const place = --ends[callerKey(tree, places[i])];
			list[place] = frames[i];
			at[place] = places[i];
		}
	}
	for (const key of keys) ends[key] = 0;
}

/*
 * Returns the origins of a range that have a match among their callers. Ignores callers
 * that are fewer steps away than those of the range.
 */
function matching({ tree, list }, { from, to, steps }, found) {
	const known = stepsToMatch(tree, found);

	return list.subarray(from, to).filter((frame) => known[frame] >= max(0, steps));
}

/*
 * Returns the kind of groups for callers (merge.js). Each group is a range of the list.
 * counts and before are columns by frame. alone: hiding a group removes only the own
 * counts of its origins, not the counts of their callees.
 */
export function callersOf(tree, { origins, counts, before, alone }) {
	const all = makeList(tree, origins, before ? [counts, before] : [counts]);

	function divide(range) {
		const steps = range.steps + 1;
		const parts = [];
		let from = range.from;

		all.looks += range.to - range.from;
		if (MANY && !all.climb && all.looks > MAX_LOOKS * tree.count) sortList(all);
		(MANY && all.climb ? findParts : makeParts)(all, range, (key, to) => {
			if (key > 0) parts.push({ kind, name: key - 1, from, to, steps });
			from = to;
		});
		return parts;
	}

	const kind = {
		isCaller: true,
		divide,
		sides: (range) => [{ groups: divide(range) }],
		countsOf: (range) => ({
			total: sumOfRange(all, counts, range.from, range.to),
			self: sumOfLast(all, counts, range),
			before: before && sumOfRange(all, before, range.from, range.to),
			selfBefore: before && sumOfLast(all, before, range),
		}),
		framesOf: ({ from, to }) => ({ frames: all.list.slice(from, to), alone }),
		hasMatch: (range, found) =>
			matching(all, range, found).some((frame) => counts[frame] > 0),
		matchIn: (range, found) => sumOf(counts, matching(all, range, found)),
	};

	return kind;
}
