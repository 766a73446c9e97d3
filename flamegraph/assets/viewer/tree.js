/*
 * The profile as a tree in typed arrays. Frames are numbered depth first, the root is
 * 0: those above frame i are i + 1 to end[i] - 1. Counts are whole numbers.
 *
 * What is drawn is a view: it has the arrays name, parent, depth, total, self, before
 * and selfBefore, and children(frame). The plain view shows the tree as it is.
 */

function sumUp(self, parent) {
	const total = self.slice();

	for (let i = total.length - 1; i > 0; i--)
		total[parent[i]] += total[i];
	return total;
}

function findEnds(parent) {
	const end = new Int32Array(parent.length);

	for (let i = end.length - 1; i >= 0; i--) {
		if (end[i] === 0)
			end[i] = i + 1;
		if (i > 0 && end[parent[i]] === 0)
			end[parent[i]] = end[i];
	}
	return end;
}

function findDepths(parent) {
	const depth = new Int32Array(parent.length);

	for (let i = 1; i < depth.length; i++)
		depth[i] = depth[parent[i]] + 1;
	return depth;
}

/* The root's name comes after all others. */
function makeTree(columns) {
	const { parent, self, selfBefore } = columns;

	return {
		...columns,
		names: columns.names.concat('all'),
		count: parent.length,
		depth: findDepths(parent),
		end: findEnds(parent),
		total: sumUp(self, parent),
		before: selfBefore && sumUp(selfBefore, parent),
		extra: 0,
	};
}

/* 100 % may be more than the sum of the counts. */
function withTotal(tree, total) {
	const extra = Math.max(0, total - tree.total[0]);
	const totals = tree.total.slice();

	totals[0] += extra;
	return { ...tree, extra, total: totals };
}

/*
 * The tree without the counts of some frames; unless alone, also without those of the
 * frames above them.
 */
function without(tree, frames, alone) {
	const self = tree.self.slice();
	const selfBefore = tree.selfBefore && tree.selfBefore.slice();

	for (const frame of frames) {
		const end = alone ? frame + 1 : tree.end[frame];
		self.fill(0, frame, end);
		if (selfBefore)
			selfBefore.fill(0, frame, end);
	}
	const total = sumUp(self, tree.parent);
	total[0] += tree.extra;
	return {
		...tree,
		self,
		selfBefore,
		total,
		before: selfBefore && sumUp(selfBefore, tree.parent),
	};
}

function plainView(tree, byWeight) {
	const { end, total } = tree;
	const heavier = (a, b) => total[b] - total[a] || a - b;

	function children(frame) {
		const list = [];

		for (let child = frame + 1; child < end[frame]; child = end[child])
			list.push(child);
		return byWeight && list.length > 1 ? list.sort(heavier) : list;
	}

	return {
		...tree,
		tree,
		plain: true,
		gap: byWeight ? null : tree.gap,
		children,
		isCaller: () => false,
		/* Which frames' counts to leave out to hide a frame. */
		framesOf: (frame) => ({ frames: [frame], alone: false }),
		hasMatch: (frame, found) => found.upTo[end[frame]] > found.upTo[frame],
		matchIn: (frame, found) => sumOfMatches(tree, found, frame, end[frame]),
	};
}

/* The frame at a path of names, or the last frame on the path that exists. */
function followPath(view, path) {
	let at = 0;

	for (const { name, nth } of path) {
		const same = view
			.children(at)
			.filter((child) => view.names[view.name[child]] === name);
		if (same.length === 0)
			break;
		at = same[Math.min(nth, same.length - 1)];
	}
	return at;
}

/* Which of the siblings with its name a frame is: a flame chart can have several. */
function rankOf(view, frame) {
	const siblings = view.children(view.parent[frame]);

	if (!view.gap)
		return 0;
	return siblings
		.filter((other) => view.name[other] === view.name[frame])
		.indexOf(frame);
}

function pathTo(view, frame) {
	const path = [];

	for (let at = frame; at > 0; at = view.parent[at])
		path.push({
			name: view.names[view.name[at]],
			nth: rankOf(view, at),
		});
	return path.reverse();
}

/* The ancestors of a frame, the root first. */
function ancestorsOf(view, frame) {
	const list = [];

	for (let at = view.parent[frame]; at >= 0; at = view.parent[at])
		list.push(at);
	return list.reverse();
}
