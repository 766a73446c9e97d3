/*
 * Makes views that merge frames from all over the tree: a function with its callees and
 * callers, and the reverse graph, from the leaves to their callers.
 *
 * A frame of such a view is a group of frames of the tree. The groups next to it are
 * made on demand, when the frame is wide enough to be drawn. A group has a kind, an
 * object of functions: sides() finds the next groups, countsOf() adds up counts.
 */

import { callersOf, stepsToMatch } from './callers.js';
import { compare } from './format.js';
import { sizeIn, sumOf, sumOfMatches } from './tree.js';

/*
 * Returns the frames of a function that are not inside another frame of the function,
 * so that no count is added twice.
 */
function outermost({ name, total, before, count, end }, id) {
	const frames = [];

	for (let i = 0; i < count;) {
		const isOne = name[i] === id;
		if (isOne && (total[i] > 0 || (before && before[i] > 0))) frames.push(i);
		i = isOne ? end[i] : i + 1;
	}
	return frames;
}

/*
 * Calls onOwn() for the frames of a group and onCall() for their callees. If
 * `collapses` is set, frames that the function calls directly from itself belong to the
 * group, too. Frames are numbered depth first, so the callees of a frame come right
 * after it.
 */
function walk({ name, end }, { frames, name: own, collapses }, onOwn, onCall) {
	for (const frame of frames) {
		onOwn(frame);
		for (let at = frame + 1; at < end[frame];) {
			const isOwn = collapses && name[at] === own;
			(isOwn ? onOwn : onCall)(at);
			at = isOwn ? at + 1 : end[at];
		}
	}
}

/* Returns the kind of groups for callees. Such a group has a list of frames. */
function calleesOf(tree, collapses) {
	const { name, end, total, self, before, selfBefore } = tree;
	const ignore = () => {};

	function divide(group) {
		const groups = new Map();

		walk(tree, { ...group, collapses }, ignore, (at) => {
			const same = groups.get(name[at]);
			if (same) same.frames.push(at);
			else groups.set(name[at], { kind, name: name[at], frames: [at] });
		});
		return Array.from(groups.values());
	}

	function sumOfOwn(column, group) {
		let sum = 0;

		walk(
			tree,
			{ ...group, collapses },
			(frame) => {
				sum += column[frame];
			},
			ignore,
		);
		return sum;
	}

	const kind = {
		isCaller: false,
		sides: (group) => [{ groups: divide(group) }],
		countsOf: (group) => ({
			total: sumOf(total, group.frames),
			self: sumOfOwn(self, group),
			before: before && sumOf(before, group.frames),
			selfBefore: before && sumOfOwn(selfBefore, group),
		}),
		framesOf: ({ frames }) => ({ frames, alone: false }),
		hasMatch: ({ frames }, found) =>
			frames.some((frame) => found.upTo[end[frame]] > found.upTo[frame]),
		matchIn: ({ frames }, found) =>
			frames.reduce(
				(sum, frame) => sum + sumOfMatches(tree, found, frame, end[frame]),
				0,
			),
	};

	return kind;
}

/* Returns a view without frames. */
function emptyView(tree) {
	const [total, self] = [[], []];

	return {
		tree,
		plain: false,
		names: tree.names,
		colours: tree.colours,
		decimals: tree.decimals,
		extra: 0,
		name: [],
		parent: [],
		depth: [],
		gap: [],
		total,
		self,
		after: total,
		own: self,
		before: tree.before && [],
		selfBefore: tree.before && [],
	};
}

/* Returns the function that compares siblings. */
function orderOf({ names, name, ...view }, byWeight) {
	const sizeOf = sizeIn(byWeight, view);
	const byName = (a, b) => compare(names[name[a]], names[name[b]]);

	return byWeight ? (a, b) => sizeOf(b) - sizeOf(a) || byName(a, b) : byName;
}

/*
 * Makes a view from its root group. Depths are negative on the second side of the root.
 */
function mergedView(tree, root, byWeight) {
	const view = emptyView(tree);
	const groups = [];
	const next = [];
	const order = orderOf(view, byWeight);

	function add(group, parent, depth) {
		const counts = group.kind.countsOf(group);
		const frame = groups.length;

		groups.push(group);
		view.name.push(group.name);
		view.parent.push(parent);
		view.depth.push(depth);
		view.gap.push(0);
		for (const column of Object.keys(counts))
			if (view[column]) view[column].push(counts[column]);
		return frame;
	}

	/*
	 * Makes the frames next to a frame, one for each group on its sides, and returns
	 * them. On each side, the first one starts after the counts that belong to none of
	 * the groups.
	 */
	function open(frame) {
		const depth = view.depth[frame];
		const all = [];
		let end = 0;
		let step = depth < 0 ? -1 : 1;

		for (const side of groups[frame].kind.sides(groups[frame])) {
			const frames = side.groups.map((group) => add(group, frame, depth + step));
			if (frames.length > 0) {
				frames.sort(order);
				view.gap[frames[0]] = (side.start ?? view.self[frame]) - end;
				end = view.total[frame];
				all.push(...frames);
			}
			step = -1;
		}
		return all;
	}

	view.children = (frame) => (next[frame] ??= open(frame));
	view.isCaller = (frame) => groups[frame].kind.isCaller;
	view.framesOf = (frame) => groups[frame].kind.framesOf(groups[frame]);
	view.hasMatch = (frame, found) => groups[frame].kind.hasMatch(groups[frame], found);
	view.matchIn = (frame, found) => groups[frame].kind.matchIn(groups[frame], found);
	add(root, -1, 0);
	return view;
}

/* Returns the view of a function between its callees and its callers. */
export function functionView(tree, name, { byWeight, reversed }) {
	const frames = outermost(tree, name);
	const callees = calleesOf(tree);
	const callers = callersOf(tree, {
		origins: frames,
		counts: tree.total,
		before: tree.before,
		alone: false,
	});
	const range = { from: 0, to: frames.length, steps: 0 };
	const kind = {
		...callees,
		sides(group) {
			const sides = [
				...callees.sides(group),
				{ start: callers.countsOf(range).self, groups: callers.divide(range) },
			];
			return reversed ? sides.reverse() : sides;
		},
		/*
		 * Returns the counts that the search has found in a group: all counts of a
		 * frame that has a match among its callers.
		 */
		matchIn(group, found) {
			const steps = stepsToMatch(tree, found);
			const [under, rest] = [
				frames.filter((frame) => steps[frame] >= 0),
				frames.filter((frame) => steps[frame] < 0),
			];
			return sumOf(tree.total, under) + callees.matchIn({ frames: rest }, found);
		},
	};

	return mergedView(tree, { kind, name, frames }, byWeight);
}

/* Returns the graph in which a function that calls itself appears once. */
export function collapsedView(tree, byWeight) {
	const root = { kind: calleesOf(tree, true), name: tree.name[0], frames: [0] };

	return mergedView(tree, root, byWeight);
}

/* Returns the reverse graph: the functions that have own counts, and their callers. */
export function reverseView(tree, byWeight) {
	const { name, self, selfBefore, extra } = tree;
	const origins = [];

	for (let i = 1; i < tree.count; i++)
		if (self[i] > 0 || (selfBefore && selfBefore[i] > 0)) origins.push(i);
	const callers = callersOf(tree, {
		origins,
		counts: self,
		before: selfBefore,
		alone: true,
	});
	const view = mergedView(
		tree,
		{ kind: callers, name: name[0], from: 0, to: origins.length, steps: -1 },
		byWeight,
	);

	view.self[0] = self[0];
	view.total[0] += self[0] + extra;
	if (view.before) {
		view.selfBefore[0] = selfBefore[0];
		view.before[0] += selfBefore[0];
	}
	return view;
}
