/*
 * The profile as a tree in typed arrays, and the search in it.
 *
 * Frames are numbered depth first, and the root is 0. The descendants of frame i are i
 * + 1 to end[i] - 1. name[i] is the index of its name in `names`, self[i] its own
 * counts, total[i] those of it and its descendants; selfBefore and before are those of
 * the older profile of a differential. Counts are whole numbers: the real ones times 10
 * ** decimals.
 *
 * We draw views. A view has the arrays name, parent, depth, total, self, before and
 * selfBefore, and children(frame). The plain view shows the tree as it is. In a
 * differential the user chooses what its `total` and `self` are, because these decide
 * the widths: the counts after, the counts before, or the counts after but, for frames
 * that are gone, the counts before. `after` and `own` are always the counts after.
 * Other views are in merge.js.
 */

import { CHANGES } from './features.js';
import { abs, max, min } from './format.js';
import { withoutAnnotation } from './names.js';
import { compilePattern } from './pattern.js';

function sumUp(self, parent) {
	const total = self.slice();

	for (let i = total.length - 1; i > 0; i--) total[parent[i]] += total[i];
	return total;
}

/* Returns the end of each frame: one more than its last descendant. */
export function findEnds(parent) {
	const end = new Int32Array(parent.length);

	for (let i = end.length - 1; i >= 0; i--) {
		if (end[i] === 0) end[i] = i + 1;
		if (i > 0 && end[parent[i]] === 0) end[parent[i]] = end[i];
	}
	return end;
}

export function findDepths(parent) {
	const depth = new Int32Array(parent.length);

	for (let i = 1; i < depth.length; i++) depth[i] = depth[parent[i]] + 1;
	return depth;
}

/* Makes a tree of columns. The root's name comes after all others. */
export function makeTree(columns) {
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

/* Returns a copy of the tree whose totals are computed again from the own counts. */
export function withTotals(tree) {
	const { self, selfBefore, parent, extra } = tree;
	const total = sumUp(self, parent);

	total[0] += extra;
	return { ...tree, total, before: selfBefore && sumUp(selfBefore, parent) };
}

/*
 * Returns the tree with `total` as the root's total, if that is more than the sum of
 * the counts.
 */
export function withTotal(tree, total) {
	const extra = max(0, total - tree.total[0]);
	const totals = tree.total.slice();

	totals[0] += extra;
	return { ...tree, extra, total: totals };
}

/*
 * Returns the tree without the counts of some frames and, unless `alone`, of their
 * descendants.
 */
export function without(tree, frames, alone) {
	const self = tree.self.slice();
	const selfBefore = tree.selfBefore && tree.selfBefore.slice();

	for (const frame of frames) {
		const end = alone ? frame + 1 : tree.end[frame];
		self.fill(0, frame, end);
		if (selfBefore) selfBefore.fill(0, frame, end);
	}
	return withTotals({ ...tree, self, selfBefore });
}

/*
 * Returns the tree with the counts of some frames only and, unless `alone`, of their
 * descendants.
 */
export function onlyOf(tree, frames, alone) {
	const { self, selfBefore, end } = tree;
	const keep = (column) => {
		const kept = new Float64Array(column.length);
		for (const frame of frames) {
			const to = alone ? frame + 1 : end[frame];
			for (let i = frame; i < to; i++) kept[i] = column[i];
		}
		return kept;
	};

	return withTotals({
		...tree,
		self: keep(self),
		selfBefore: selfBefore && keep(selfBefore),
		extra: 0,
	});
}

/* Returns the tree of the stacks with a match or, without `keep`, of the others. */
export function filterStacks(tree, { keep, term, ignoreCase, module }) {
	const isName =
		module === undefined
			? findMatches(tree, compilePattern(term, ignoreCase).expression).isName
			: tree.namesOf(module);
	const frames = keep ? [0] : [];

	for (let i = 1; i < tree.count;) {
		const matches = isName[tree.name[i]] > 0;
		if (matches !== keep) frames.push(i);
		i = matches ? tree.end[i] : i + 1;
	}
	return without(tree, frames, keep);
}

function widthsOf({ self, selfBefore, parent, extra, widths }) {
	const shown = self.map((after, i) =>
		widths === 'before' ? selfBefore[i] : after || selfBefore[i],
	);
	const total = sumUp(shown, parent);

	total[0] += extra;
	return { self: shown, total };
}

/* The order of siblings with the largest change first. */
export const BY_CHANGE = 'change';

/*
 * Returns a function from a frame to its size, by which siblings are ordered if not by
 * name.
 */
export function sizeIn(order, { total, before, after }) {
	return CHANGES && order === BY_CHANGE && before
		? (frame) => abs(after[frame] - before[frame])
		: (frame) => total[frame];
}

/* Returns the view of the tree as it is. byWeight: false, true or BY_CHANGE. */
export function plainView(tree, byWeight) {
	const { end } = tree;
	const { self, total } = CHANGES && tree.widths ? widthsOf(tree) : tree;
	const { before, total: after } = tree;
	const sizeOf = sizeIn(byWeight, { total, before, after });
	const heavier = (a, b) => sizeOf(b) - sizeOf(a) || a - b;
	const isThere = (frame) => after[frame] > 0;

	function children(frame) {
		const list = [];

		for (let child = frame + 1; child < end[frame]; child = end[child])
			list.push(child);
		if (list.length < 2) return list;
		if (byWeight) return list.sort(heavier);
		/* Frames that are gone are on the right. */
		return CHANGES && tree.widths && !list.every(isThere)
			? list.filter(isThere).concat(list.filter((child) => !isThere(child)))
			: list;
	}

	return {
		...tree,
		tree,
		self,
		total,
		own: tree.self,
		after: tree.total,
		plain: true,
		inOrder: !(byWeight || tree.widths || tree.gap),
		gap: byWeight ? null : tree.gap,
		children,
		isCaller: () => false,
		/* Returns the arguments of without() that hide a frame of the view. */
		framesOf: (frame) => ({ frames: [frame], alone: false }),
		hasMatch: (frame, found) => found.upTo[end[frame]] > found.upTo[frame],
		matchIn: (frame, found) => sumOfMatches(tree, found, frame, end[frame]),
	};
}

/* Returns the frame at a path of names, or the last frame of the path that exists. */
export function followPath(view, path) {
	let at = 0;

	for (const { name, nth } of path) {
		const same = view
			.children(at)
			.filter((child) => view.names[view.name[child]] === name);
		if (same.length === 0) break;
		at = same[min(nth, same.length - 1)];
	}
	return at;
}

/*
 * Returns the index of a frame among its siblings of the same name. There can be
 * several in a flame chart, and in the view of a function, which may call its own
 * caller.
 */
function rankOf(view, frame) {
	const siblings = view.children(view.parent[frame]);

	/* In a plain graph, which has no `gap`, siblings have different names. */
	if (!view.gap) return 0;
	return siblings
		.filter((other) => view.name[other] === view.name[frame])
		.indexOf(frame);
}

/*
 * Returns the path of a frame: names from the root on, with ranks. followPath() finds
 * the frame again, also in another tree.
 */
export function pathTo(view, frame) {
	const path = [];

	for (let at = frame; at > 0; at = view.parent[at])
		path.push({ name: view.names[view.name[at]], nth: rankOf(view, at) });
	return path.reverse();
}

/* Returns the ancestors of a frame, the root first. */
export function ancestorsOf(view, frame) {
	const list = [];

	for (let at = view.parent[frame]; at >= 0; at = view.parent[at]) list.push(at);
	return list.reverse();
}

/*
 * Returns an array with 1 for each name that matches. Matches names as they are shown.
 * If the pattern has a literal bracket, matches names with their annotation, too.
 */
function findNames(names, expression) {
	const isName = new Uint8Array(names.length);
	const annotated = expression.source.includes('\\[');

	for (let id = 0; id < names.length; id++) {
		const name = names[id];
		const shown = name.endsWith(']') ? withoutAnnotation(name) : name;
		if (
			expression.test(shown) ||
			(annotated && shown !== name && expression.test(name))
		)
			isName[id] = 1;
	}
	return isName;
}

/*
 * Finds the frames that match. isName: which names match. list: the frames that match,
 * then zeros. frames: how many match. upTo[i]: how many frames before i match.
 */
export function findMatches(tree, expression) {
	const { names, name, total, before, widths, count } = tree;
	const isName = findNames(names, expression);
	const list = new Int32Array(count);
	const upTo = new Int32Array(count + 1);
	let frames = 0;

	for (let i = 0; i < count; i++) {
		if (isName[name[i]] > 0 && (total[i] > 0 || (widths && before[i] > 0)))
			list[frames++] = i;
		upTo[i + 1] = frames;
	}
	return { isName, list, upTo, frames };
}

/* Returns true if the search matches the name. */
export function isFound(found, name) {
	return found !== null && found.isName[name] > 0;
}

/*
 * Adds up, by name, the own counts of all that is shown if the view is zoomed to a
 * frame. isThere: 1 for each name whose frames are shown. If a view has own counts only
 * for callers (alone), all names are.
 */
export function ownByName(view, within) {
	const { names, name, self, total, end } = view.tree;
	const { frames, alone } = view.framesOf(within);
	const own = new Float64Array(names.length);
	const isThere = new Uint8Array(names.length).fill(alone ? 1 : 0);

	for (const from of frames) {
		const to = alone ? from + 1 : end[from];
		for (let i = from; i < to; i++) {
			own[name[i]] += self[i];
			if (total[i] > 0) isThere[name[i]] = 1;
		}
	}
	return { own, isThere };
}

export function sumOf(column, frames) {
	let sum = 0;

	for (const frame of frames) sum += column[frame];
	return sum;
}

/*
 * Adds up the counts of the matches among the frames from `from` to `to` - 1. A match
 * inside another match adds nothing, because the outer match includes its counts.
 * column: the counts by frame.
 */
export function sumOfMatches({ total, end }, { list, upTo }, from, to, column = total) {
	let sum = 0;

	for (let i = upTo[from]; i < upTo[to]; i = upTo[end[list[i]]])
		sum += column[list[i]];
	return sum;
}

/*
 * Returns a row for each name that has counts: its own counts and total, after and
 * before, and the first frame with the name. Calls of a function by itself are not
 * counted twice in its total.
 */
export function listFunctions(tree) {
	const { names, name, self, total, selfBefore, before, end, count } = tree;
	const column = () => new Float64Array(names.length);
	const [own, all, ownBefore, allBefore] = [column(), column(), column(), column()];
	const [until, first] = [new Int32Array(names.length), new Int32Array(names.length)];
	const rows = [];

	for (let i = 1; i < count; i++) {
		const id = name[i];
		first[id] ||= i;
		own[id] += self[i];
		if (before) ownBefore[id] += selfBefore[i];
		if (until[id] > i) continue;
		until[id] = end[i];
		all[id] += total[i];
		if (before) allBefore[id] += before[i];
	}
	for (let id = 0; id < names.length; id++)
		if (all[id] > 0 || allBefore[id] > 0)
			rows.push({
				name: id,
				frame: first[id],
				own: own[id],
				all: all[id],
				ownBefore: ownBefore[id],
				allBefore: allBefore[id],
			});
	return rows;
}

/*
 * Returns the stacks of a frame and its descendants as folded(5) describes them. If a
 * name would be read as a count or as a comment, an empty frame follows it.
 */
export function foldedOf(tree, within, { event, unit }) {
	const { names, name, depth, end, self, selfBefore, decimals } = tree;
	const path = ancestorsOf(tree, within).map((frame) => names[name[frame]]);
	const count = (column, frame) => {
		const x = column[frame] / 10 ** decimals;

		return ' ' + (x < 1e-6 ? x.toFixed(decimals) : x); /* never with an exponent */
	};
	let text = '';

	if (event) text += '# event: ' + event + '\n';
	if (unit) text += '# unit: ' + unit + '\n';
	for (let i = within; i < end[within]; i++) {
		path.length = depth[i];
		path.push(names[name[i]]);
		if (!(self[i] > 0 || (selfBefore && selfBefore[i] > 0))) continue;
		const stack = path
			.slice(1)
			.join(';')
			.replace(/[ \t][\d.]+$|^#([ \t][^;]*)?$/, '$&;');
		const before = CHANGES && selfBefore ? count(selfBefore, i) : '';
		text += stack + before + count(self, i) + '\n';
	}
	return text;
}
