/* Searches names, adds up the counts of matching frames, and finds the next match. */

/* What is not a valid pattern is searched for as plain text. */
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
 * Names match as they are shown, and with their annotation if the pattern has a literal
 * bracket.
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
 * isName: which names match; upTo[i]: how many frames before i match; list: which
 * frames match, then zeros; frames: how many match.
 */
function findMatches(tree, expression) {
	const { names, name, total, count } = tree;
	const isName = findNames(names, expression);
	const list = new Int32Array(count);
	const upTo = new Int32Array(count + 1);
	let frames = 0;

	for (let i = 0; i < count; i++) {
		if (isName[name[i]] > 0 && total[i] > 0)
			list[frames++] = i;
		upTo[i + 1] = frames;
	}
	return { isName, list, upTo, frames };
}

function isFound(found, name) {
	return found !== null && found.isName[name] > 0;
}

/* The counts of matches from one frame to another; a match in a match adds nothing. */
function sumOfMatches({ total, end }, { list, upTo }, from, to) {
	let sum = 0;

	for (let i = upTo[from]; i < upTo[to]; i = upTo[end[list[i]]])
		sum += total[list[i]];
	return sum;
}

/*
 * The next match in a direction, in the order in which frames are drawn, each before
 * its children; after the last one comes the first. -1: there is none.
 */
function nextMatch(view, found, from, step) {
	const isMatch = (frame) =>
		found.isName[view.name[frame]] && view.total[frame] > 0;
	const hasMatch = (frame) => view.hasMatch(frame, found);
	const children = (frame) =>
		step > 0 ? view.children(frame) : view.children(frame).slice().reverse();

	/* Of a frame and all its descendants, the first match in that direction. */
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
