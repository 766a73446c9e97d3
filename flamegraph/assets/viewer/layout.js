/*
 * Which frames are drawn, and where: only those that are wide enough, so that the cost
 * follows the pixels. Lengths are in tenths of a pixel.
 */

const SIDE_PADDING = 10;
const MIN_WIDTH = 0.5;
const MANY_FRAMES = 5000;

/*
 * within: the frame that is as wide as the picture. width: of the picture, in pixels.
 * atLeast: counts that a frame needs to be drawn. found: the matches, or null.
 *
 * Returns the drawn frames depth first, how many rows they take from the root on and on
 * its other side, and in `narrow` where matches are that are too narrow to be seen: on
 * which row, how far from the left.
 */
function layOut(view, { within, width, atLeast, found }) {
	const { total, self, gap } = view;
	const one = 10 ** view.decimals;
	const inner = width - 2 * SIDE_PADDING;
	const perCount = inner / (total[within] / one);
	const edge = (count) => tenths(SIDE_PADDING + (count / one) * perCount);
	const drawn = [];
	const narrow = [];
	const waiting = [{ frame: within, start: 0 }];
	let rows = 0;
	let rowsBefore = 0;

	function draw(frame, left, right, above) {
		const depth = view.depth[frame];

		drawn.push({ frame, depth, left, width: right - left, above });
		rows = Math.max(rows, depth + 1);
		rowsBefore = Math.max(rowsBefore, -depth);
	}

	function markIn(frame, start, depth) {
		if (found && view.hasMatch(frame, found))
			narrow.push({ depth, left: edge(start) });
	}

	function waitFor(parent, start) {
		const from = waiting.length;
		let at = start + (gap ? 0 : self[parent]);

		for (const frame of view.children(parent)) {
			at += gap ? gap[frame] : 0;
			if (total[frame] >= atLeast)
				waiting.push({ frame, start: at });
			else
				markIn(frame, at, view.depth[parent]);
			at += total[frame];
		}
		/* The first child is the next to be taken. */
		for (let i = from, j = waiting.length - 1; i < j; i++, j--)
			[waiting[i], waiting[j]] = [waiting[j], waiting[i]];
	}

	for (const frame of ancestorsOf(view, within))
		draw(frame, edge(0), edge(total[within]), true);
	while (waiting.length > 0) {
		const { frame, start } = waiting.pop();
		const left = edge(start);
		const right = edge(start + total[frame]);
		draw(frame, left, right, false);
		if (right - left < 10 && found && found.isName[view.name[frame]])
			narrow.push({ depth: view.depth[frame], left });
		waitFor(frame, start);
	}
	return { drawn, narrow, rows, rowsBefore };
}

/*
 * The frames that are half a pixel wide; where those are very many, as a profile of a
 * million frames can have them in a zoom, those of a pixel.
 */
function layOutVisible(view, { within, width, found }) {
	const inner = width - 2 * SIDE_PADDING;
	const atLeast = (MIN_WIDTH * view.total[within]) / inner;
	const result = layOut(view, { within, width, atLeast, found });

	return result.drawn.length > MANY_FRAMES
		? layOut(view, { within, width, atLeast: 2 * atLeast, found })
		: result;
}
