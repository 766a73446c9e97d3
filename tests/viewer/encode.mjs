/*
 * Writes the data of a picture in the program's format, independently of the program's
 * code.
 */

import { deflateSync } from 'node:zlib';

export function varint(value, out) {
	let rest = value;

	while (rest > 127) {
		out.push((rest % 128) + 128);
		rest = Math.floor(rest / 128);
	}
	out.push(rest);
}

/*
 * Merges folded lines "a;b 12", or "a;b 10 12" with the counts before, into a tree. Its
 * nodes are { name, self, before, children }. inOrder: merge only neighbours.
 */
export function merge(folded, { inOrder = false } = {}) {
	const make = (name) => ({ name, self: 0, before: 0, children: [] });
	const tree = make('all');

	for (const line of folded.split('\n').filter(Boolean)) {
		const [, stack, before, after] = /^(.*?)(?: (\d+))? (\d+)$/.exec(line);
		let node = tree;
		for (const name of stack.split(';')) {
			const last = node.children[node.children.length - 1];
			let next = inOrder
				? last?.name === name
					? last
					: null
				: node.children.find((child) => child.name === name);
			if (!next)
				node.children.push((next = make(name)));
			node = next;
		}
		node.self += Number(after);
		node.before += Number(before || 0);
	}
	return tree;
}

function bytewise(a, b) {
	return Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
}

/* Returns the frames depth first, each with its depth. */
export function flatten(tree, { inOrder = false } = {}) {
	const frames = [];
	const waiting = [[tree, 0]];

	while (waiting.length > 0) {
		const [node, depth] = waiting.pop();
		frames.push({ ...node, depth });
		const children = inOrder
			? node.children
			: node.children.slice().sort(bytewise);
		for (const child of children.slice().reverse())
			waiting.push([child, depth + 1]);
	}
	return frames;
}

/* Returns the bytes of the data, not yet compressed. */
export function encodeColumns(frames, options = {}) {
	const {
		decimals = 0,
		unit = 1,
		before = false,
		colours = null,
		gaps = null,
	} = options;
	const names = [...new Set(frames.slice(1).map(({ name }) => name))];
	const text = Buffer.from(names.map((name) => name + '\n').join(''));
	const out = [...Buffer.from('fgd1')];
	const column = (from, value) => {
		for (let i = from; i < frames.length; i++)
			varint(value(frames[i], i), out);
	};

	varint((before ? 1 : 0) + (gaps ? 2 : 0) + (colours ? 4 : 0), out);
	varint(decimals, out);
	varint(unit, out);
	varint(names.length, out);
	varint(text.length, out);
	for (const byte of text)
		out.push(byte);
	if (colours) {
		const table = names.map((name) => colours(name));
		varint(table.length, out);
		for (const colour of table)
			out.push(...colour);
		table.forEach((colour, i) => varint(i, out));
	}
	varint(frames.length, out);
	const ids = new Map(names.map((name, i) => [name, i]));
	column(1, ({ depth }, i) => frames[i - 1].depth + 1 - depth);
	column(1, ({ name }) => ids.get(name));
	column(0, ({ self }) => self / unit);
	if (gaps)
		column(1, (frame, i) => gaps[i] / unit);
	if (before)
		column(0, (frame) => frame.before / unit);
	return Buffer.from(out);
}

export function encode(frames, options) {
	return deflateSync(encodeColumns(frames, options)).toString('base64');
}
