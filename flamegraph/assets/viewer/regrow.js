/*
 * Makes new trees from a tree: one without a function, whose callers get its counts,
 * or one of only the calls of a function. Siblings that then have the same name become
 * one frame. In a chart they do so only if one starts when the other ends.
 */

import { CHARTS } from './features.js';
import { compare } from './format.js';
import { findDepths, findEnds, withTotals } from './tree.js';

/* Returns, by frame of a chart, when it starts, in counts. */
function startsOf({ gap, total, parent, count }) {
	const start = new Float64Array(count);
	const next = new Float64Array(count);

	for (let i = 1; i < count; i++) {
		next[i] = start[i] = next[parent[i]] + gap[i];
		next[parent[i]] = start[i] + total[i];
	}
	return start;
}

/*
 * Puts siblings of the same name into groups. take(frame) adds a frame. groups(from)
 * ends a list of groups: it returns the first frame of each group in order (`heads`)
 * and, for a chart, the distance of each group from the one before it, or from `from`
 * for the first (`gaps`). `next` leads from a frame of a group to the next one.
 */
function makeGroups({ name, names, total, count }, start) {
	const next = new Int32Array(count).fill(-1);
	/*
	 * By name: the number of the list that has its group, and the index of the group in
	 * that list.
	 */
	const list = new Int32Array(names.length);
	const place = new Int32Array(names.length);
	let [heads, tails] = [[], []];
	let lists = 1;
	const endOf = (frame) => start[frame] + total[frame];
	const byName = (a, b) => compare(names[name[a]], names[name[b]]);

	/* Returns the group that a frame belongs to, or -1. */
	function groupOf(frame) {
		const last = tails.length - 1;

		if (!CHARTS || !start)
			return list[name[frame]] === lists ? place[name[frame]] : -1;
		return last >= 0 &&
			name[tails[last]] === name[frame] &&
			endOf(tails[last]) === start[frame]
			? last
			: -1;
	}

	function take(frame) {
		const at = groupOf(frame);

		if (at >= 0) {
			next[tails[at]] = frame;
			tails[at] = frame;
			return;
		}
		list[name[frame]] = lists;
		place[name[frame]] = heads.length;
		heads.push(frame);
		tails.push(frame);
	}

	function groups(from) {
		const [found, ended] = [heads, tails];

		[heads, tails] = [[], []];
		lists++;
		if (!CHARTS || !start) return { heads: found.sort(byName) };
		const ends = [from].concat(ended.map(endOf));
		return { heads: found, gaps: found.map((head, i) => start[head] - ends[i]) };
	}

	return { next, take, groups };
}

/*
 * Makes the new tree depth first. Each of its frames stands for a group of frames of
 * `tree`. isGone(i) returns true for a frame to remove, whose own counts and callees
 * go to its caller. calls: if given, the frames to put below the new root, which then
 * has no own counts.
 */
function regrow(tree, { isGone, calls, isChart }) {
	const { count, name, end, self, selfBefore } = tree;
	const start = CHARTS && isChart ? startsOf(tree) : null;
	const { next, take, groups } = makeGroups(tree, start);
	const column = (Kind) => new Kind(count);
	const [own, before, gap] = [Float64Array, Float64Array, Float64Array].map(column);
	const [parent, names] = [Int32Array, Int32Array].map(column);
	const waiting = [{ head: 0, above: -1, space: 0 }];
	let made = 0;

	function keep(frame) {
		own[made] += self[frame];
		if (selfBefore) before[made] += selfBefore[frame];
	}

	function walk(frame) {
		keep(frame);
		for (let at = frame + 1; at < end[frame];)
			if (isGone(at)) keep(at++);
			else {
				take(at);
				at = end[at];
			}
	}

	for (; waiting.length > 0; made++) {
		const { head, above, space } = waiting.pop();

		parent[made] = above;
		names[made] = name[head];
		gap[made] = space;
		if (above < 0 && calls) calls.forEach(take);
		else for (let frame = head; frame >= 0; frame = next[frame]) walk(frame);
		const { heads, gaps } = groups(start && start[head]);
		for (let i = heads.length - 1; i >= 0; i--) {
			const far = gaps && !(above < 0 && calls) ? gaps[i] : 0;
			waiting.push({ head: heads[i], above: made, space: far });
		}
	}
	const cut = (all) => all.slice(0, made);
	const parents = cut(parent);
	return withTotals({
		...tree,
		count: made,
		parent: parents,
		name: cut(names),
		depth: findDepths(parents),
		end: findEnds(parents),
		self: cut(own),
		selfBefore: selfBefore && cut(before),
		gap: isChart ? cut(gap) : null,
		extra: calls ? 0 : tree.extra,
	});
}

/*
 * Returns the tree without the frames of a function. The callers of these frames get
 * the frames' own counts.
 */
export function foldAway(tree, name, isChart) {
	return regrow(tree, { isGone: (i) => tree.name[i] === name, isChart });
}

/*
 * Returns the tree of all calls of a function and what they call, including calls of
 * itself.
 */
export function callsOf(tree, name, isChart) {
	const calls = [];

	for (let i = 1; i < tree.count;) {
		const isCall = tree.name[i] === name;
		if (isCall) calls.push(i);
		i = isCall ? tree.end[i] : i + 1;
	}
	return regrow(tree, { isGone: () => false, calls, isChart });
}

/*
 * Returns the tree with siblings of the same name as one, in the order of their names.
 */
export function joinSiblings(tree) {
	return regrow(tree, { isGone: () => false });
}
