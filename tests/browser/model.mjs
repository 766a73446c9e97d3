/*
 * Computes what a picture of folded lines must show from the lines alone: the merged tree,
 * the numbers in its texts, and the place of each frame. No code of the viewer is used.
 */

import assert from 'node:assert/strict';

const bytes = (text) => Buffer.from(text);

function node(name, parent) {
	return { name, parent, children: [], self: 0, before: 0, total: 0, totalBefore: 0,
		depth: parent ? parent.depth + 1 : 0 };
}

function* parse(folded) {
	for (const line of folded.split('\n').filter(Boolean)) {
		const [, stack, before, after] = /^(.*?)(?: ([\d.]+))? ([\d.]+)$/.exec(line);
		yield { names: stack.split(';'), before: Number(before ?? 0), after: Number(after) };
	}
}

/* Returns all frames of a tree, each before its descendants. */
export function all(root) {
	const frames = [root];

	for (const frame of frames)
		frames.push(...frame.children);
	return frames;
}

/*
 * Returns the tree of folded lines. order: 'name', 'weight' (heaviest first), or 'input',
 * which merges only neighbours. reversed: from the leaves.
 */
export function merge(folded, { order = 'name', reversed = false } = {}) {
	const root = node('all', null);

	for (const { names, before, after } of parse(folded)) {
		let at = root;
		for (const name of reversed ? names.reverse() : names) {
			const candidates = order === 'input' ? at.children.slice(-1) : at.children;
			let next = candidates.find((child) => child.name === name);
			if (!next) {
				next = node(name, at);
				at.children.push(next);
			}
			at = next;
		}
		at.self += after;
		at.before += before;
	}
	return arrange(root, order);
}

function arrange(root, order) {
	const byName = (a, b) => Buffer.compare(bytes(a.name), bytes(b.name));
	const frames = all(root);

	for (const frame of frames.slice().reverse()) {
		const sum = (what) => frame.children.reduce((n, child) => n + child[what], 0);
		frame.total = frame.self + sum('total');
		frame.totalBefore = frame.before + sum('totalBefore');
		if (order !== 'input')
			frame.children.sort(byName);
		if (order === 'weight')
			frame.children.sort((a, b) => b.total - a.total);
	}
	root.start = 0;
	for (const frame of frames) {
		let start = frame.start + frame.self;
		for (const child of frame.children) {
			child.start = start;
			start += child.total;
		}
	}
	return root;
}

/* Returns the tree of folded lines that follow each other in time. */
export function chart(folded) {
	const root = node('all', null);
	let open = [root];

	root.start = 0;
	for (const { names, after } of parse(folded)) {
		let same = 0;
		while (same < names.length && open[same + 1]?.name === names[same])
			same++;
		open = open.slice(0, same + 1);
		for (const name of names.slice(same)) {
			const next = node(name, open.at(-1));
			next.start = root.total;
			next.parent.children.push(next);
			open.push(next);
		}
		for (const frame of open)
			frame.total += after;
		open.at(-1).self += after;
	}
	return root;
}

/* Returns the frame at a path such as 'main;parse'. */
export function find(root, path) {
	let at = root;

	for (const name of path.split(';'))
		at = at.children.find((child) => child.name === name);
	return at;
}

export function rootOf(frame) {
	return frame.parent ? rootOf(frame.parent) : frame;
}

export const shownName = (name) => name.replace(/_\[[kwijo01]\]$/, '');

export const percent = (part, whole) => (100 * part / whole).toFixed(2) + '%';

export const grouped = (count) =>
	String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');

export function titleOf(frame) {
	const share = frame.parent ? percent(frame.total, rootOf(frame).total) : '100%';

	const count = grouped(frame.total);

	return `${shownName(frame.name)} (${count} ${count === '1' ? 'sample' : 'samples'}, ${share})`;
}

/*
 * Returns the part of the details line after the title. zoom: the frame that is zoomed to.
 */
export function extraOf(frame, zoom) {
	const own = percent(frame.self, rootOf(frame).total);
	let extra = ` · self ${grouped(frame.self)} (${own})`;

	if (zoom)
		extra += ` · ${percent(frame.total, zoom.total)} of zoom`;
	if (frame.parent)
		extra += ` · ${percent(frame.total, frame.parent.total)} of parent`;
	return extra;
}

export function detailsOf(frame, zoom) {
	return 'Function: ' + titleOf(frame) + extraOf(frame, zoom);
}

export function ancestorsOf(frame) {
	return frame.parent ? [...ancestorsOf(frame.parent), frame.parent] : [];
}

/*
 * Returns the rows of the picture zoomed to a frame: name, and left and width as shares of
 * the picture's width. Ancestors are as wide as the picture.
 */
export function rows(zoom) {
	const above = ancestorsOf(zoom).map(({ name }) =>
		({ name: shownName(name), left: 0, width: 1 }));
	const below = all(zoom).map((frame) => ({
		name: shownName(frame.name),
		left: (frame.start - zoom.start) / zoom.total,
		width: frame.total / zoom.total,
	}));
	return [...above, ...below];
}

const near = (a, b, tolerance) => Math.abs(a - b) <= tolerance;

/* Returns the index of the shown frame for a row, or -1. */
function matching(shown, row, { left, width }, tolerance) {
	return shown.findIndex((frame) => frame.name === row.name &&
		near(frame.left - left, row.left * width, tolerance) &&
		near(frame.width, row.width * width, tolerance));
}

/* Returns the shown frame for a frame of the tree, in the picture zoomed to `zoom`. */
export function locate(shown, frame, zoom = rootOf(frame)) {
	const index = [...ancestorsOf(zoom), ...all(zoom)].indexOf(frame);

	return shown[matching(shown, rows(zoom)[index], shown[0], 0.2)];
}

/* Compares shown frames with rows. Frames about as narrow as `narrowest` may be missing. */
export function checkPicture(shown, expected, { narrowest = 0.5, tolerance = 0.2 } = {}) {
	const full = shown[0];
	const rest = shown.slice();

	for (const row of expected) {
		const width = row.width * full.width;
		const index = matching(rest, row, full, tolerance);
		if (index >= 0)
			rest.splice(index, 1);
		else
			assert.ok(width <= narrowest + tolerance,
				`${row.name} is missing at ${row.left}, ${width} pixels wide`);
	}
	assert.deepEqual(rest.map(({ title, left, width }) => ({ title, left, width })), [],
		'nothing else is shown');
}
