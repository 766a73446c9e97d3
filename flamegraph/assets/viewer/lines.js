/*
 * The source line in a name, "main:src/app.c:12". folded(5) has the rule, and
 * lib/profile/line.c follows it, too; tests/data/lines.tsv has cases for both.
 */

import { withoutAnnotation } from './names.js';
import { attr, root } from './page.js';
import { listFunctions } from './tree.js';

const LINE = /^(.*[^:]):([^:]+):([1-9]\d{0,9})$/s;
const LAST_NUMBER = 2 ** 32 - 1;

/* Matches a path, which is no function: "/srv/app.py", "C:\app". */
const PATH = /^([\\/]|[a-z]:[\\/])/i;

/* Returns [function, file, number] of a name, or null if it has no source line. */
export function splitLine(name) {
	const found = LINE.exec(withoutAnnotation(name));
	if (!found || found[3] > LAST_NUMBER) return null;
	let [, called, file] = found;

	/* Moves the drive of "main:C" and "\src\app.c" to the file. */
	if (/^[\\/]/.test(file) && /[^:]:[a-z]$/i.test(called)) {
		file = called.slice(-1) + ':' + file;
		called = called.slice(0, -2);
	}
	if (!/[./\\]/.test(file) || file.includes(' /') || PATH.test(called)) return null;
	if (/^[a-z]$/i.test(called) && file[0] === '\\') return null;
	return [called, file, Number(found[3])];
}

/* Returns a name without its source line, but with its annotation. */
export function withoutLine(name) {
	const line = splitLine(name);

	return line ? line[0] + name.slice(withoutAnnotation(name).length) : name;
}

/* Returns the lines of all functions of a tree by function, the hottest first. */
function listLines(tree) {
	const lines = new Map();

	for (const { name, all } of listFunctions(tree)) {
		const [called, file, number] = splitLine(tree.names[name]) ?? [];
		if (called === undefined || all === 0) continue;
		if (!lines.has(called)) lines.set(called, []);
		lines.get(called).push({ file, number, all });
	}
	/* flamegraph/sourcelines.c has the same order. */
	for (const list of lines.values())
		list.sort((a, b) => b.all - a.all || a.number - b.number);
	return lines;
}

/*
 * Returns a function that finds the hottest lines of a frame's function: hottest(view,
 * frame) returns at most three, as { file, number, all }, or none if the function has
 * no lines.
 */
export function makeHottest() {
	const known = new WeakMap();

	return ({ tree, names, name }, frame) => {
		const line = splitLine(names[name[frame]]);

		if (!line) return [];
		if (!known.has(tree)) known.set(tree, listLines(tree));
		return known.get(tree).get(line[0])?.slice(0, 3) ?? [];
	};
}

/*
 * Returns a function that finds the source text of a line: sourceOf(file, number)
 * returns '' if the picture does not have it. Pictures have it for the hottest lines,
 * with flamegraph --source.
 */
export function makeSource() {
	const texts = new Map();

	for (const element of root.querySelectorAll('metadata > *'))
		if (element.nodeName.toLowerCase() === 'fg:line')
			texts.set(attr(element, 'at'), element.textContent);
	return (file, number) => texts.get(file + ':' + number) ?? '';
}
