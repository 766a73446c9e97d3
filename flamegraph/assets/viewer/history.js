/* The state in the address, where the address is the picture's own. */

/*
 * The rows that the y of a link of other flame graphs may mean. With the root on top,
 * inferno has the details above it, and flamegraph.pl no room for a subtitle.
 */
function rowsAt(settings, y, inCounts) {
	const { inverted, top, bottom, height, fontSize, frameHeight } = settings;
	const tops = inCounts ? [top + fontSize + 4, top] : [top, 3 * fontSize];
	const rows = inverted
		? tops.map((first) => (y - first) / frameHeight)
		: [(height - bottom + 1 - y) / frameHeight - 1];

	return rows.map(Math.round).filter((row, i) => Math.abs(row - rows[i]) < 0.1);
}

/*
 * The frame of a row that starts closest to x, but not a pixel from it: others sort
 * some names in another order. What is too narrow to be drawn by them has no link.
 * -1: there is none.
 */
function frameOnRow(view, settings, { x, row, inCounts }) {
	const perUnit = (settings.width - 2 * SIDE_PADDING) / view.total[0];
	const left = inCounts ? x * 10 ** view.decimals * perUnit : x - SIDE_PADDING;
	const narrowest = inCounts ? 0 : 0.09;
	const start = new Float64Array(view.name.length);
	let closest = -1;
	let distance = 1;

	for (let frame = 0; frame < start.length; frame++) {
		forChildren(view, frame, start[frame], (child, at) => {
			start[child] = at;
		});
		const off = Math.abs(start[frame] * perUnit - left);
		if (
			view.depth[frame] === row &&
			off < distance &&
			view.total[frame] * perUnit > narrowest
		)
			[closest, distance] = [frame, off];
	}
	return closest;
}

/*
 * The frame that such a link means: flamegraph.pl gives pixels, with a decimal, and
 * inferno counts, without.
 */
function frameAt(view, settings, x, y) {
	const kinds = x.includes('.') ? [false, true] : [true, false];
	const wanted = kinds.flatMap((inCounts) =>
		rowsAt(settings, y, inCounts).map((row) => ({
			x: parseFloat(x),
			row,
			inCounts,
		})),
	);

	for (const place of wanted) {
		const frame = frameOnRow(view, settings, place);
		if (frame >= 0)
			return frame;
	}
	return 0;
}

function makeHistory(picture, settings) {
	let waiting = null;

	/* Without an address of its own, such as data:, the picture works without. */
	function write({ state, push }) {
		try {
			const url = new URL(window.location.href);
			for (const key of ['x', 'y', 's'])
				url.searchParams.delete(key);
			url.hash = encodeState(state);
			if (url.href === window.location.href)
				return;
			if (push)
				window.history.pushState(null, '', url.href);
			else
				window.history.replaceState(null, '', url.href);
		} catch (error) {
			/* There is nobody to tell. */
		}
	}

	function writeWaiting() {
		if (waiting)
			write(waiting);
		waiting = null;
	}

	/* when: runs it later. A step to go back from follows what was there before it. */
	function save(push, when) {
		if (!isDocument)
			return;
		if (push)
			writeWaiting();
		waiting = {
			state: picture.state(),
			push: push || waiting?.push === true,
		};
		when(writeWaiting);
	}

	function readOldLink() {
		const query = new URLSearchParams(window.location.search);
		const x = query.get('x') ?? '';
		const y = parseFloat(query.get('y'));
		const view = picture.view();
		const isPlace = parseFloat(x) >= 0 && y >= 0;
		const frame = isPlace ? frameAt(view, settings, x, y) : 0;

		return {
			path: pathTo(view, frame),
			term: query.get('s') || settings.searched,
		};
	}

	/*
	 * The fragment counts; an old link is there before there is one. What was not yet
	 * written is of another address.
	 */
	function restore() {
		waiting = null;
		const state = isDocument
			? decodeState(window.location.hash)
			: noState();

		if (isDocument && window.location.hash.length < 2)
			Object.assign(state, readOldLink());
		else if (!isDocument)
			state.term = settings.searched;
		picture.restore(state);
	}

	return { save, writeWaiting, restore };
}
