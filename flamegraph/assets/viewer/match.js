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

/* isName: by name; upTo[i]: how many frames before i match. */
function findMatches(tree, expression) {
	const isName = new Uint8Array(tree.names.length);
	const upTo = new Int32Array(tree.count + 1);

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
	}
	return { isName, upTo, frames: upTo[tree.count] };
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

/*
 * The next match in a direction, in the order in which frames are drawn: each before
 * those next to it; around the ends. -1: there is none.
 */
function nextMatch(view, found, from, step) {
	const isMatch = (frame) =>
		found.isName[view.name[frame]] && view.total[frame] > 0;
	const hasMatch = (frame) => view.hasMatch(frame, found);
	const children = (frame) =>
		step > 0 ? view.children(frame) : view.children(frame).slice().reverse();

	/* The one that is closest, of a frame and all that it has. */
	function closest(frame) {
		let at = frame;
		let next = at;

		while (next !== undefined && !(step > 0 && isMatch(at))) {
			at = next;
			next = children(at).find(hasMatch);
		}
		return isMatch(at) ? at : -1;
	}

	const above = step > 0 ? children(from).find(hasMatch) : undefined;
	let at = from;

	if (above !== undefined)
		return closest(above);
	while (at > 0) {
		const siblings = children(view.parent[at]);
		const other = siblings.slice(siblings.indexOf(at) + 1).find(hasMatch);
		if (other !== undefined)
			return closest(other);
		at = view.parent[at];
		if (step < 0 && isMatch(at))
			return at;
	}
	return closest(0);
}
