/*
 * Who calls some frames, the origins, step by step towards the root. Those with the
 * same callers so far are a range of one list, which the next callers' names divide.
 *
 * To divide is to look at each origin. That takes for ever where functions have called
 * themselves thousands of times: after some looks the list is sorted by all callers at
 * once, and the parts of a range are found by halving. Until then it is divided into
 * the same order.
 */

const MAX_LOOKS = 24;

/* Frames by a key below a limit; those with the same key stay as they are. */
function sortBy(frames, limit, keyOf) {
	const start = new Int32Array(limit + 1);
	const sorted = new Int32Array(frames.length);

	for (const frame of frames)
		start[keyOf(frame) + 1]++;
	for (let key = 0; key < limit; key++)
		start[key + 1] += start[key];
	for (const frame of frames)
		sorted[start[keyOf(frame)]++] = frame;
	return sorted;
}

/* The root is before all names. */
function callerKey({ name }, frame) {
	return frame > 0 ? name[frame] + 1 : 0;
}

/*
 * All frames by their names, then by those of their callers, and so on. Who knows the
 * order by so many names, knows that by twice as many: of equals, the callers so many
 * steps further decide.
 */
function sortByCallers(tree) {
	const limit = Math.max(tree.count, tree.names.length) + 1;
	let order = Int32Array.from(tree.parent.keys());
	let rank = order.map((frame) => callerKey(tree, frame));
	let further = tree.parent.map((frame) => Math.max(0, frame));

	while (further.some((frame) => frame > 0)) {
		const [first, next] = [rank, further];
		const differ = (a, b) =>
			first[a] !== first[b] || first[next[a]] !== first[next[b]];
		const byNext = sortBy(order, limit, (frame) => first[next[frame]]);

		order = sortBy(byNext, limit, (frame) => first[frame]);
		rank = new Int32Array(tree.count);
		for (let i = 1; i < order.length; i++)
			rank[order[i]] =
				rank[order[i - 1]] +
				(differ(order[i - 1], order[i]) ? 1 : 0);
		further = next.map((frame) => next[frame]);
	}
	return order;
}

/* Finds the caller of a frame at a depth, in as many leaps as a logarithm says. */
function makeClimber({ parent, depth }) {
	const leap = new Int32Array(parent.length);

	for (let frame = 1; frame < leap.length; frame++) {
		const one = parent[frame];
		const two = leap[one];
		const isAsFar =
			depth[one] - depth[two] === depth[two] - depth[leap[two]];
		leap[frame] = isAsFar ? leap[two] : one;
	}
	return (frame, wanted) => {
		let at = frame;
		while (depth[at] > wanted)
			at = depth[leap[at]] >= wanted ? leap[at] : parent[at];
		return at;
	};
}

/* The first of some indices, in whose order it changes, for which something is true. */
function firstWhere(from, to, isTrue) {
	let [low, high] = [from, to];

	while (low < high) {
		const middle = (low + high) >> 1;
		if (isTrue(middle))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The sums of the counts of a list up to each place in it. */
function sumsOf(column, list) {
	const upTo = new Float64Array(list.length + 1);

	list.forEach((frame, i) => {
		upTo[i + 1] = upTo[i] + column[frame];
	});
	return upTo;
}

/* How many steps each frame is from the match that is next to the root, or -1. */
function stepsToMatch({ name, parent, total, count }, found) {
	const steps = new Int32Array(count).fill(-1);

	for (let i = 1; i < count; i++) {
		const below = steps[parent[i]];
		const matches = found.isName[name[i]] && total[i] > 0;
		steps[i] = below >= 0 ? below + 1 : matches ? 0 : -1;
	}
	return steps;
}

/*
 * Ranges have how many steps they are from the origins. counts and before are of the
 * origins, and alone says whether these are hidden without what they call.
 */
function callersOf(tree, { origins, counts, before, alone }) {
	const { parent, depth, count } = tree;
	const at = Int32Array.from(origins);
	const sums = new Map();
	const reach = new WeakMap();
	let list = at.slice();
	let looks = 0;
	let climb = null;

	function sum(column, from, to) {
		const upTo = sums.get(column);
		let all = 0;

		if (upTo)
			return upTo[to] - upTo[from];
		for (let i = from; i < to; i++)
			all += column[list[i]];
		return all;
	}

	/* Of those that nothing else has called, which are the first of a sorted list. */
	function sumOfLast(column, { from, to, steps }) {
		const isLast = (i) => depth[list[i]] === steps + 1;
		let all = 0;

		if (climb)
			return sum(column, from, firstWhere(from, to, (i) => !isLast(i)));
		for (let i = from; i < to; i++)
			if (isLast(i))
				all += column[list[i]];
		return all;
	}

	function sortList() {
		const isOrigin = new Uint8Array(count);

		for (const frame of list)
			isOrigin[frame] = 1;
		list = sortByCallers(tree).filter((frame) => isOrigin[frame]);
		climb = makeClimber(tree);
		for (const column of before ? [counts, before] : [counts])
			sums.set(column, sumsOf(column, list));
	}

	/* Calls each with a key and where its part ends. */
	function findParts({ from, to, steps }, each) {
		const keyAt = (i) =>
			callerKey(
				tree,
				climb(list[i], Math.max(0, depth[list[i]] - steps - 1)),
			);

		for (let start = from; start < to;) {
			const key = keyAt(start);
			start =
				keyAt(to - 1) === key
					? to
					: firstWhere(start, to, (i) => keyAt(i) !== key);
			each(key, start);
		}
	}

	function makeParts({ from, to, steps }, each) {
		const ends = new Map();
		let end = from;

		for (let i = from; i < to; i++) {
			if (steps >= 0)
				at[i] = parent[at[i]];
			const key = callerKey(tree, at[i]);
			ends.set(key, (ends.get(key) ?? 0) + 1);
		}
		for (const key of Array.from(ends.keys()).sort((a, b) => a - b)) {
			end += ends.get(key);
			ends.set(key, end);
			each(key, end);
		}
		if (ends.size === 1)
			return;
		const [frames, places] = [list.slice(from, to), at.slice(from, to)];
		places.forEach((place, i) => {
			const key = callerKey(tree, place);
			const to = ends.get(key) - 1;
			ends.set(key, to);
			list[to] = frames[i];
			at[to] = place;
		});
	}

	function divide(range) {
		const steps = range.steps + 1;
		const parts = [];
		let from = range.from;

		looks += range.to - range.from;
		if (!climb && looks > MAX_LOOKS * count)
			sortList();
		(climb ? findParts : makeParts)(range, (key, to) => {
			if (key > 0)
				parts.push({ kind, name: key - 1, from, to, steps });
			from = to;
		});
		return parts;
	}

	/* Those that a match is among the callers of, as far from them as the range. */
	function matching({ from, to, steps }, found) {
		if (!reach.has(found))
			reach.set(found, stepsToMatch(tree, found));
		const known = reach.get(found);
		return list
			.subarray(from, to)
			.filter((frame) => known[frame] >= Math.max(0, steps));
	}

	const kind = {
		isCaller: true,
		divide,
		sides: (range) => [{ groups: divide(range) }],
		countsOf: (range) => ({
			total: sum(counts, range.from, range.to),
			self: sumOfLast(counts, range),
			before: before && sum(before, range.from, range.to),
			selfBefore: before && sumOfLast(before, range),
		}),
		framesOf: ({ from, to }) => ({
			frames: list.slice(from, to),
			alone,
		}),
		hasMatch: (range, found) =>
			matching(range, found).some((frame) => counts[frame] > 0),
		matchIn: (range, found) => sumOf(counts, matching(range, found)),
	};

	return kind;
}
