/* Searching names, and what share of the counts the frames found are. */

/* A pattern that is none is looked for as it is written. */
function compilePattern(pattern, ignoreCase) {
	const flags = ignoreCase ? 'i' : '';

	try {
		return { expression: new RegExp(pattern, flags), valid: true };
	} catch (error) {
		const literal = pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
		return { expression: new RegExp(literal, flags), valid: false };
	}
}

/*
 * isName: by name; upTo[i]: how many frames before i match; below[i]: whether i or a
 * frame that it stands on matches.
 */
function findMatches(tree, expression) {
	const isName = new Uint8Array(tree.names.length);
	const upTo = new Int32Array(tree.count + 1);
	const below = new Uint8Array(tree.count);

	tree.names.forEach((name, id) => {
		const shown = withoutAnnotation(name);
		isName[id] =
			expression.test(name) ||
			(shown.length !== name.length && expression.test(shown))
				? 1
				: 0;
	});
	for (let i = 0; i < tree.count; i++) {
		const found = tree.total[i] > 0 ? isName[tree.name[i]] : 0;
		upTo[i + 1] = upTo[i] + found;
		below[i] = found || (i > 0 && below[tree.parent[i]]) ? 1 : 0;
	}
	return { isName, upTo, below, frames: upTo[tree.count] };
}

/* Of the frames from one to another; a match in a match adds nothing. */
function sumOfMatches(tree, found, from, to) {
	let sum = 0;

	if (found.upTo[to] === found.upTo[from])
		return 0;
	for (let i = from; i < to;) {
		const matches = found.upTo[i + 1] > found.upTo[i];
		if (matches)
			sum += tree.total[i];
		i = matches ? tree.end[i] : i + 1;
	}
	return sum;
}

/* The next matching frame of the tree in a direction, around its ends, or -1. */
function nextMatch(tree, found, from, step) {
	for (let i = 1; i <= tree.count; i++) {
		const at = (((from + i * step) % tree.count) + tree.count) % tree.count;
		if (found.upTo[at + 1] > found.upTo[at])
			return at;
	}
	return -1;
}
