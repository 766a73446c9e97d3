/*
 * Views that merge frames from all over the tree: what a function calls, what calls it,
 * and what calls the leaves. A merged frame knows the frames of the tree it stands for;
 * those above it are found when they are asked for, which is when it is wide enough to
 * be drawn.
 */

/* Frames of a function that are in no other frame of it: counts are taken once. */
function outermost(tree, name) {
	const frames = [];

	for (let i = 0; i < tree.count;) {
		if (tree.name[i] === name)
			frames.push(i);
		i = tree.name[i] === name ? tree.end[i] : i + 1;
	}
	return frames;
}

/* A list of frames for each name, and what each frame was reached from. */
function groupByName(tree, visitAll) {
	const groups = new Map();

	visitAll((frame, origin) => {
		const name = tree.name[frame];
		let group = groups.get(name);
		if (!group)
			groups.set(name, (group = { name, frames: [], origins: [] }));
		group.frames.push(frame);
		group.origins.push(origin);
	});
	return groups.values();
}

function sumOf(column, frames) {
	let sum = 0;

	for (const frame of frames)
		sum += column[frame];
	return sum;
}

/* Frames of the tree that a merged frame stands for, and where its counts are from. */
function mergedView(tree, rules, byWeight) {
	const view = {
		tree,
		plain: false,
		names: tree.names,
		colours: tree.colours,
		decimals: tree.decimals,
		extra: 0,
		name: [],
		parent: [],
		depth: [],
		total: [],
		self: [],
		before: tree.before ? [] : null,
		selfBefore: tree.before ? [] : null,
	};
	const groups = [];
	const above = [];
	const byName = (a, b) => {
		const [left, right] = [
			tree.names[view.name[a]],
			tree.names[view.name[b]],
		];
		return left < right ? -1 : left > right ? 1 : 0;
	};
	const heavier = (a, b) => view.total[b] - view.total[a] || byName(a, b);

	function add(group, parent) {
		const frame = groups.length;

		groups.push(group);
		view.name.push(group.name);
		view.parent.push(parent);
		view.depth.push(parent < 0 ? 0 : view.depth[parent] + 1);
		rules.count(view, group);
		return frame;
	}

	view.children = (frame) => {
		if (!above[frame])
			above[frame] = Array.from(
				groupByName(tree, (visit) =>
					rules.visit(groups[frame], visit),
				),
				(group) => add(group, frame),
			);
		return above[frame].slice().sort(byWeight ? heavier : byName);
	};
	view.framesOf = (frame) => rules.framesOf(groups[frame]);
	view.hasMatch = (frame, found) => rules.hasMatch(groups[frame], found);
	view.matchIn = (frame, found) => rules.matchIn(groups[frame], found);
	add(rules.root, -1);
	return view;
}

function addCounts(view, total, self, before, selfBefore) {
	view.total.push(total);
	view.self.push(self);
	if (view.before) {
		view.before.push(before);
		view.selfBefore.push(selfBefore);
	}
}

function calleesView(tree, name, byWeight) {
	const { end, total, self, before, selfBefore } = tree;
	const frames = outermost(tree, name);

	return mergedView(
		tree,
		{
			root: { name, frames, origins: frames },
			visit(group, visit) {
				for (const frame of group.frames)
					for (
						let at = frame + 1;
						at < end[frame];
						at = end[at]
					)
						visit(at, at);
			},
			count(view, group) {
				addCounts(
					view,
					sumOf(total, group.frames),
					sumOf(self, group.frames),
					before && sumOf(before, group.frames),
					before && sumOf(selfBefore, group.frames),
				);
			},
			framesOf: (group) => ({ frames: group.frames, alone: false }),
			hasMatch: (group, found) =>
				group.frames.some(
					(frame) =>
						found.upTo[end[frame]] >
						found.upTo[frame],
				),
			matchIn: (group, found) =>
				group.frames.reduce(
					(sum, frame) =>
						sum +
						sumOfMatches(
							tree,
							found,
							frame,
							end[frame],
						),
					0,
				),
		},
		byWeight,
	);
}

/* counts and before are those of the frames that the callers are of. */
function callersView(tree, rules, byWeight) {
	const { parent } = tree;
	const { root, counts, before, alone } = rules;
	const isLast = (frame) => parent[frame] <= 0;

	const view = mergedView(
		tree,
		{
			root,
			visit(group, visit) {
				group.frames.forEach((frame, i) => {
					if (root === group && rules.startsAtFrame)
						visit(frame, group.origins[i]);
					else if (!isLast(frame))
						visit(parent[frame], group.origins[i]);
				});
			},
			count(view, group) {
				const ends =
					group === root && rules.startsAtFrame
						? []
						: group.origins.filter((origin, i) =>
								isLast(group.frames[i]),
							);
				addCounts(
					view,
					sumOf(counts, group.origins),
					sumOf(counts, ends),
					before && sumOf(before, group.origins),
					before && sumOf(before, ends),
				);
			},
			framesOf: (group) => ({ frames: group.origins, alone }),
			hasMatch: (group, found) =>
				group.frames.some((frame) => found.below[frame]),
			matchIn: (group, found) =>
				group.origins.reduce(
					(sum, origin, i) =>
						sum +
						(found.below[group.frames[i]]
							? counts[origin]
							: 0),
					0,
				),
		},
		byWeight,
	);

	return Object.assign(view, { callers: true });
}

/* What calls a function. */
function functionCallersView(tree, name, byWeight) {
	const frames = outermost(tree, name);

	return callersView(
		tree,
		{
			root: { name, frames, origins: frames },
			counts: tree.total,
			before: tree.before,
			alone: false,
			startsAtFrame: false,
		},
		byWeight,
	);
}

/* The graph upside down: the functions that counts belong to, and their callers. */
function reverseView(tree, byWeight) {
	const frames = [];

	for (let i = 1; i < tree.count; i++)
		if (tree.self[i] > 0 || (tree.selfBefore && tree.selfBefore[i] > 0))
			frames.push(i);
	const view = callersView(
		tree,
		{
			root: { name: tree.name[0], frames, origins: frames },
			counts: tree.self,
			before: tree.selfBefore,
			alone: true,
			startsAtFrame: true,
		},
		byWeight,
	);

	view.self[0] = tree.self[0];
	view.total[0] += tree.self[0] + tree.extra;
	if (view.before) {
		view.selfBefore[0] = tree.selfBefore[0];
		view.before[0] += tree.selfBefore[0];
	}
	return view;
}
