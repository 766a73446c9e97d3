/* The state in the address, where the address is the picture's own. */

/* The frame that a link of other flame graphs means: a corner in pixels, or counts. */
function frameAt(view, settings, x, y) {
	const one = 10 ** view.decimals;
	const perCount = (settings.width - 2 * SIDE_PADDING) / (view.total[0] / one);
	const row = settings.inverted
		? (y - settings.top) / settings.frameHeight
		: (settings.height - settings.bottom + 1 - y) / settings.frameHeight -
			1;
	const start = new Float64Array(view.name.length);
	let byCount = 0;

	for (let frame = 0; frame < start.length; frame++) {
		let at = start[frame] + (view.gap ? 0 : view.self[frame]);
		for (const child of view.children(frame)) {
			at += view.gap ? view.gap[child] : 0;
			start[child] = at;
			at += view.total[child];
		}
		if (view.depth[frame] !== Math.round(row))
			continue;
		const counts = start[frame] / one;
		if (Math.abs(SIDE_PADDING + counts * perCount - x) < 0.1)
			return frame;
		if (byCount === 0 && counts === x)
			byCount = frame;
	}
	return byCount;
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
		const [x, y] = [parseFloat(query.get('x')), parseFloat(query.get('y'))];
		const view = picture.view();
		const frame = x >= 0 && y >= 0 ? frameAt(view, settings, x, y) : 0;

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
