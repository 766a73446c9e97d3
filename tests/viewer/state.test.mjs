/* Tests the state of a picture, step by step, and the address that stores it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeColumns, flatten, merge } from './encode.mjs';
import { viewer } from './modules.mjs';

const folded = 'a;b;c 10\na;b 5\na;d 4\ne 1\n';

function pictureOf(text, { total, ...options } = {}, onChange = () => {}) {
	const columns = viewer.readColumns(encodeColumns(flatten(merge(text)), options));
	const tree = viewer.withTotal(viewer.makeTree(columns), total ?? 0);

	return viewer.makePicture({ inverted: false, widths: 'after', diff: 'inclusive' }, tree, onChange);
}

const frameOf = (picture, ...names) =>
	viewer.followPath(picture.view, names.map((name) => ({ name, nth: 0 })));
const zoomed = (picture) => viewer.stateOf(picture).path.map(({ name }) => name).join(';');

test('undo is possible whenever anything has changed', () => {
	const picture = pictureOf(folded);
	const saved = (changes) => ({ ...viewer.noState(), ...changes });

	assert.equal(viewer.canUndo(picture), false);
	viewer.zoom(picture, frameOf(picture, 'a'));
	assert.equal(viewer.canUndo(picture), true);
	viewer.reset(picture);
	viewer.flip(picture);
	assert.equal(viewer.canUndo(picture), true);
	viewer.undo(picture);
	viewer.setSearch(picture, 'b');
	assert.equal(viewer.canUndo(picture), false, 'a search is no step');
	/* A step that changes nothing is a step, too. */
	viewer.sort(picture);
	viewer.sort(picture);
	viewer.undo(picture);
	viewer.undo(picture);
	viewer.change(picture, {});
	assert.equal(viewer.canUndo(picture), true);
	viewer.undo(picture);
	/* A state from the address has no steps. */
	for (const changes of [{ flipped: true }, { reversed: true }, { path: [{ name: 'a', nth: 0 }] },
		{ filters: [{ keep: true, term: 'b', ignoreCase: false }] }]) {
		viewer.restore(picture, saved(changes), 0);
		assert.equal(viewer.canUndo(picture), true, Object.keys(changes)[0]);
		viewer.undo(picture);
		assert.equal(viewer.canUndo(picture), false);
	}
});

test('steps are undone one after another, and a search stays', () => {
	const picture = pictureOf(folded);

	viewer.zoom(picture, frameOf(picture, 'a'));
	viewer.hide(picture, frameOf(picture, 'e'));
	viewer.reverse(picture);
	viewer.flip(picture);
	viewer.setSearch(picture, 'b');
	viewer.toggleCase(picture);
	assert.equal(picture.steps, 3);
	viewer.undo(picture);
	assert.deepEqual([picture.chosen.flipped, picture.chosen.reversed], [false, true]);
	viewer.undo(picture);
	assert.deepEqual([picture.chosen.reversed, zoomed(picture)], [false, 'a']);
	assert.equal(picture.chosen.hidden.length, 1);
	/* A new step replaces the steps that were undone. */
	viewer.sort(picture);
	viewer.undo(picture);
	assert.deepEqual([picture.chosen.byWeight, picture.chosen.hidden.length], [false, 1]);
	viewer.undo(picture);
	assert.deepEqual([picture.chosen.hidden.length, zoomed(picture)], [0, 'a']);
	assert.deepEqual([picture.chosen.term, picture.chosen.ignoreCase], ['b', true]);
	assert.equal(picture.steps, 0);
	viewer.undo(picture);
	assert.equal(zoomed(picture), '');
	/* After Back there are fewer steps, and never more than were made. */
	viewer.sort(picture);
	viewer.restore(picture, viewer.noState(), 7);
	assert.equal(picture.steps, 1);
});

test('hiding a zoomed frame zooms out to its parent, and no further', () => {
	const hideAt = (zoom, ...names) => {
		const picture = pictureOf(folded);
		viewer.zoom(picture, frameOf(picture, ...zoom));
		viewer.hide(picture, frameOf(picture, ...names));
		return [zoomed(picture), picture.view.total[0]];
	};

	assert.deepEqual(hideAt(['a', 'b'], 'a', 'b'), ['a', 5]);
	assert.deepEqual(hideAt(['a', 'b', 'c'], 'a', 'b'), ['a', 5]);
	assert.deepEqual(hideAt(['a', 'b'], 'a', 'b', 'c'), ['a;b', 10]);
	assert.deepEqual(hideAt(['a', 'b'], 'a', 'd'), ['a;b', 16]);
	assert.deepEqual(hideAt(['a'], 'e'), ['a', 19]);
});

test('a view is chosen by its name, and the zoom stays if the tree does', () => {
	const picture = pictureOf(folded);
	const plain = { merged: null, reversed: false, byWeight: false };

	viewer.zoom(picture, frameOf(picture, 'a'));
	viewer.chooseView(picture, plain);
	assert.deepEqual([picture.steps, zoomed(picture)], [0, 'a'], 'it is there already');
	viewer.chooseView(picture, { ...plain, byWeight: true });
	assert.deepEqual([picture.steps, zoomed(picture)], [1, 'a']);
	viewer.chooseView(picture, { ...plain, reversed: true, byWeight: true });
	assert.deepEqual([picture.steps, zoomed(picture)], [2, '']);
	viewer.chooseView(picture, { ...plain, merged: 'b', byWeight: true });
	assert.deepEqual([picture.steps, picture.chosen.merged], [3, 'b']);
	viewer.chooseView(picture, { ...plain, byWeight: true });
	assert.deepEqual([picture.steps, picture.chosen.merged], [4, null]);
});

test('stacks with a match are kept or left out', () => {
	const totals = (text, keep, ...terms) => {
		const picture = pictureOf(text);
		for (const term of terms) {
			viewer.setSearch(picture, term);
			viewer.filter(picture, keep);
		}
		return [picture.view.total[0], picture.steps];
	};
	const own = 'a 5\na;b 3\nc;a 2\nd 1\n';

	assert.deepEqual(totals(own, true, '^a$'), [10, 1]);
	assert.deepEqual(totals(own, false, '^a$'), [1, 1]);
	assert.deepEqual(totals(own, true, 'b'), [3, 1]);
	assert.deepEqual(totals(own, true, 'a', 'c'), [2, 2]);
	/* A filter that leaves nothing, or everything, is no step. */
	assert.deepEqual(totals(own, true, 'z'), [11, 0]);
	assert.deepEqual(totals('a 5\na;b 3\n', false, 'a'), [8, 0]);
	assert.deepEqual(totals(own, true, ''), [11, 0]);
});

test('a frame with a single count can be zoomed to and left out', () => {
	const picture = pictureOf('a 1\nb 1\n');

	viewer.zoom(picture, frameOf(picture, 'b'));
	assert.equal(zoomed(picture), 'b');
	viewer.hide(picture, frameOf(picture, 'a'));
	assert.deepEqual([zoomed(picture), picture.view.total[0]], ['b', 1]);
});

test('100 % may be more than the counts, even if some are left out', () => {
	const picture = pictureOf(folded, { total: 30 });

	assert.equal(picture.view.total[0], 30);
	viewer.hide(picture, frameOf(picture, 'a', 'b'));
	assert.equal(picture.view.total[0], 15);
	assert.equal(viewer.hiddenShare(picture), 0.5);
});

test('frames are drawn again if what they show has changed', () => {
	const versionAfter = (act) => {
		const picture = pictureOf(folded);
		act(picture);
		return picture.version;
	};

	assert.equal(versionAfter((it) => viewer.zoom(it, 1)), 0);
	assert.equal(versionAfter((it) => viewer.change(it, {})), 0);
	assert.equal(versionAfter((it) => viewer.sort(it)), 0, 'in another order they are the same');
	assert.equal(versionAfter((it) => viewer.reverse(it)), 1);
	assert.equal(versionAfter((it) => viewer.hide(it, frameOf(it, 'e'))), 1);
	assert.equal(versionAfter((it) => viewer.change(it, { marked: 'a' })), 1);
	assert.equal(versionAfter((it) => viewer.change(it, { scheme: 'own' })), 1);
	assert.equal(versionAfter((it) => {
		viewer.hide(it, frameOf(it, 'e'));
		viewer.undo(it);
	}), 2);
});

test('the sides of a differential are offered if they have counts', () => {
	const can = (text, settings = {}) => {
		const picture = pictureOf(text, { before: true });
		Object.assign(picture.settings, settings);
		return ['before', 'after', 'union', 'other'].filter((side) => viewer.canShow(picture, side)).join();
	};

	assert.equal(can('a 1 2\nb 3 0\n'), 'before,after,union');
	assert.equal(can('a 0 2\n'), 'after,union');
	assert.equal(can('a 2 0\n'), 'before,union');
	assert.equal(can('a 1 2\n', { diff: '' }), '');
	const picture = pictureOf('a 1 2\nb 3 0\n', { before: true });
	const widths = (side) => {
		viewer.showWidths(picture, side);
		return [viewer.widthsNow(picture), picture.steps, picture.view.total[0]];
	};
	assert.deepEqual(widths('after'), ['after', 0, 2]);
	assert.deepEqual(widths('before'), ['before', 1, 4]);
	assert.deepEqual(widths('union'), ['union', 2, 5]);
	assert.deepEqual(widths('after'), ['after', 3, 2]);
	assert.equal(picture.chosen.widths, null);
});

test('choosing a function leads to the view that shows it', () => {
	const after = (act) => {
		const picture = pictureOf(folded);
		viewer.reverse(picture);
		viewer.collapse(picture);
		act(picture);
		const { merged, reversed, collapsed } = picture.chosen;
		return [merged, reversed, collapsed, zoomed(picture)];
	};

	assert.deepEqual(after((it) => viewer.focusOn(it, 'b')), [null, false, true, '']);
	assert.deepEqual(after((it) => {
		viewer.merge(it, 'b');
		viewer.goTo(it, 2);
	}), [null, false, false, 'a;b']);
	/* The view of a function stays if another function is hidden. */
	assert.deepEqual(after((it) => {
		viewer.merge(it, 'b');
		viewer.fold(it, 'c');
	}), ['b', true, true, '']);
	/* Choosing what is shown already is no step. */
	assert.equal(after((it) => {
		viewer.merge(it, 'b');
		const { steps } = it;
		viewer.merge(it, 'b');
		assert.equal(it.steps, steps);
	})[0], 'b');
});

test('a function may have the name of the root', () => {
	const picture = pictureOf('all;a 3\na 2\n');

	viewer.merge(picture, 'all');
	assert.deepEqual([picture.chosen.merged, picture.view.total[0]], ['all', 3]);
	const other = pictureOf(folded);
	viewer.merge(other, 'all');
	assert.deepEqual([other.chosen.merged, other.steps], [null, 0]);
});

test('siblings have one order at a time', () => {
	const picture = pictureOf('a 1 2\nb 9 3\n', { before: true });
	const order = () => [picture.chosen.byWeight, picture.chosen.byChange];
	const first = () => picture.view.names[picture.view.name[picture.view.children(0)[0]]];

	viewer.sort(picture);
	viewer.sortByChange(picture);
	assert.deepEqual([...order(), first()], [false, true, 'b']);
	viewer.sort(picture);
	assert.deepEqual(order(), [true, false]);
	viewer.sort(picture);
	assert.deepEqual([...order(), first()], [false, false, 'a']);
});

test('a frame without counts cannot be zoomed to', () => {
	const picture = pictureOf('a;b 3 0\nc 1 2\n', { before: true });

	viewer.zoom(picture, frameOf(picture, 'a'));
	assert.equal(picture.within, 0);
	viewer.showWidths(picture, 'union');
	viewer.zoom(picture, frameOf(picture, 'a'));
	assert.equal(zoomed(picture), 'a');
});

test('a range that is dragged is one step', () => {
	const picture = pictureOf(folded);
	const half = viewer.makeTree(viewer.readColumns(encodeColumns(flatten(merge('a;b 2\n')))));
	const told = [];

	picture.ofRange = (range) => (range ? half : picture.whole);
	picture.onChange = (change) => told.push(Object.keys(change).join());
	const range = { from: 1, to: 2, before: null };
	viewer.select(picture, range, false);
	viewer.select(picture, { ...range, to: 3 }, true);
	assert.deepEqual([picture.steps, picture.view.total[0], picture.chosen.range.to], [1, 2, 3]);
	assert.deepEqual(told, ['push', 'passing']);
	viewer.undo(picture);
	assert.deepEqual([picture.steps, picture.view.total[0], picture.chosen.range], [0, 20, null]);
	/* Without slices there are no ranges. */
	picture.ofRange = null;
	viewer.restore(picture, { ...viewer.noState(), range }, 0);
	assert.equal(picture.chosen.range, null);
});

/* ---- the address */

test('an address leaves out counts, unless nothing is left or the frame is missing', () => {
	const total = (text, hash) => {
		const picture = pictureOf(text, { before: /\d \d/.test(text) });
		viewer.restore(picture, viewer.decodeState(hash), 0);
		const { hidden, filters } = picture.chosen;
		return [picture.view.total[0], hidden.length, filters.length].join();
	};

	assert.equal(total(folded, '#h=e'), '19,1,0');
	assert.equal(total(folded, '#h=a;b&h=e'), '4,2,0');
	/* A step is about a frame, and not about its parent. */
	assert.equal(total(folded, '#h=a;gone'), '20,1,0');
	assert.equal(total(folded, '#j=a;gone'), '20,1,0');
	assert.equal(total(folded, '#h=e&f=gone'), '19,2,0');
	assert.equal(total(folded, '#h=e&f=all'), '19,2,0');
	for (const nothing of ['#h=a&h=e', '#o=z', '#x=.', '#h=e&x=a', '#m=b&h=a;b&h=e&o=b'])
		assert.equal(total(folded, nothing), '20,0,0', nothing);
	assert.equal(total('a 3 0\n', '#w=union'), '3,0,0');
	assert.equal(total('a 3 0\nb 0 2\n', '#h=a&w=before'), '2,0,0');
});

test('an order that makes no sense for this picture is ignored in an address', () => {
	const chosen = (text, settings = {}) => {
		const picture = pictureOf(text, { before: /\d \d/.test(text) });
		Object.assign(picture.settings, settings);
		viewer.restore(picture, viewer.decodeState('#v=sd'), 0);
		return [picture.chosen.byWeight, picture.chosen.byChange].join();
	};

	assert.equal(chosen('a 1\n'), 'true,false');
	assert.equal(chosen('a 1 2\n'), 'true,true');
	assert.equal(chosen('a 1\n', { isChart: true }), 'false,false');
	assert.equal(chosen('a 1 2\n', { isChart: true }), 'false,false');
});

/*
 * Calls work() with a window that has a history of [address, state]. settle() does what
 * waits, also what the browser does later if the viewer goes back.
 */
function withWindow(address, work, options = {}) {
	const entries = [[address, null]];
	const kept = [];
	const later = [];
	let at = 0;
	const window = {
		location: {
			get href() {
				return entries[at][0];
			},
			get hash() {
				return new URL(this.href).hash;
			},
			get search() {
				return new URL(this.href).search;
			},
		},
		history: {
			get state() {
				return entries[at][1];
			},
			pushState: (state, title, url) => entries.splice(++at, Infinity, [url, state]),
			replaceState: (state, title, url) => (entries[at] = [url, state]),
			go(steps) {
				at += steps;
				later.push(() => history.restore());
			},
		},
	};
	const settings = { isDocument: true, saved: null, searched: '', width: 1200, ...options };
	const picture = pictureOf(options.text ?? folded, options.columns, ({ push, restored }) =>
		restored || history.save(push, (write) => later.push(write)));
	const history = viewer.makeHistory(picture, settings, (text) => kept.push(text));

	globalThis.window = window;
	try {
		work({
			picture, history, kept,
			settle() {
				while (later.length > 0) later.shift()();
			},
			hashes: () => entries.map(([url]) => url.replace(/^[^#]*#?/, '')),
			steps: () => entries.map(([, state]) => state?.steps),
			address: () => window.location.href,
		});
	} finally {
		delete globalThis.window;
	}
}

test('each step gets an address, and a passing change does not', () => {
	withWindow('file:///p.svg', ({ picture, settle, hashes, steps, kept, address }) => {
		viewer.zoom(picture, frameOf(picture, 'a'));
		settle();
		assert.deepEqual(hashes(), ['', 'z=a']);
		viewer.setSearch(picture, 'b');
		settle();
		assert.deepEqual(hashes(), ['', 'z=a&q=b']);
		settle();
		/* The zoom is written before the next one. */
		viewer.zoom(picture, frameOf(picture, 'a', 'b'));
		viewer.zoom(picture, frameOf(picture, 'a', 'd'));
		settle();
		assert.deepEqual(hashes(), ['', 'z=a&q=b', 'z=a;b&q=b', 'z=a;d&q=b']);
		/* A change before the write belongs to the same step. */
		viewer.reset(picture);
		viewer.setSearch(picture, '');
		settle();
		/* That view was the first one, so the browser goes back to it. */
		assert.equal(address(), 'file:///p.svg');
		assert.equal(hashes().length, 4);
		viewer.sort(picture);
		settle();
		viewer.toggleCase(picture);
		settle();
		assert.deepEqual(hashes(), ['', 'i=1&v=s']);
		assert.deepEqual(steps(), [undefined, 1]);
		assert.deepEqual(kept.slice(-2), ['v=s', 'i=1&v=s']);
	});
});

test('an address that is the same already is not written', () => {
	withWindow('file:///p.svg#z=a', ({ picture, history, settle, hashes, steps, address }) => {
		history.restore();
		assert.equal(zoomed(picture), 'a');
		viewer.zoom(picture, frameOf(picture, 'a', 'b'));
		viewer.zoom(picture, frameOf(picture, 'a'));
		settle();
		assert.deepEqual(hashes(), ['z=a', 'z=a;b']);
		assert.equal(address(), 'file:///p.svg#z=a');
		viewer.setSearch(picture, '');
		settle();
		assert.deepEqual(steps(), [undefined, 0]);
		/* A state that waits when another address is shown belongs to the one before. */
		viewer.setSearch(picture, 'b');
		history.restore();
		settle();
		assert.deepEqual(hashes(), ['z=a', 'z=a;b']);
	});
});

test('a saved page is as it was, unless its address says otherwise', () => {
	const zoomAt = (address, options) => {
		let at;
		withWindow(address, ({ picture, history }) => {
			history.restore();
			at = [zoomed(picture), picture.chosen.term].join();
		}, options);
		return at;
	};

	assert.equal(zoomAt('file:///p.svg', { saved: 'z=a;b' }), 'a;b,');
	assert.equal(zoomAt('file:///p.svg#z=e', { saved: 'z=a;b' }), 'e,');
	assert.equal(zoomAt('file:///p.svg?s=x', { saved: 'z=a;b' }), ',x');
	assert.equal(zoomAt('file:///p.svg', { searched: 'y' }), ',y');
	assert.equal(zoomAt('file:///p.svg?s=x', { searched: 'y' }), ',x');
	/* The address of a page around the picture is not the picture's. */
	assert.equal(zoomAt('file:///p.html#z=e', { isDocument: false, searched: 'y' }), ',y');
	assert.equal(zoomAt('file:///p.html?s=x#z=e', { isDocument: false, saved: 'z=a' }), 'a,');
});

test('in a page the state is kept, and the address is not changed', () => {
	withWindow('file:///p.html?x=1#there', ({ picture, settle, kept, address }) => {
		viewer.zoom(picture, frameOf(picture, 'a'));
		settle();
		assert.deepEqual(kept, ['z=a']);
		assert.equal(address(), 'file:///p.html?x=1#there');
	}, { isDocument: false });
});

test('an old link is turned into a fragment', () => {
	withWindow('file:///p.svg?x=10.0&y=20&s=b&other=1', ({ picture, history, settle, address }) => {
		history.restore();
		assert.equal(picture.chosen.term, 'b');
		viewer.zoom(picture, frameOf(picture, 'a'));
		settle();
		assert.equal(address(), 'file:///p.svg?other=1#z=a&q=b');
	}, { inverted: false, height: 100, bottom: 30, top: 30, frameHeight: 16, fontSize: 12 });
});

/*
 * Links of other programs. a starts at pixel 10 and is less than a tenth of a pixel wide.
 */
test('an old link finds a frame that the other program has drawn', () => {
	const at = (query, text, columns) => {
		let path;
		withWindow(`file:///p.svg?${query}`, ({ picture, history }) => {
			history.restore();
			path = zoomed(picture);
		}, { inverted: false, height: 100, bottom: 30, top: 30, frameHeight: 16, fontSize: 12,
			text, columns });
		return path;
	};
	/* The root is at y 55, and its children at 39. */
	const thin = 'a 1\nb 99999\n';

	assert.equal(at('x=10.0&y=39', thin), 'b');
	assert.equal(at('x=0&y=39', thin), 'a', 'in counts every frame is told');
	assert.equal(at('x=1&y=39', thin), 'b');
	/* If counts have a decimal, a count of 10 is 1.0. */
	assert.equal(at('x=20&y=39', 'a 200\nb 200\nc 200\n', { decimals: 1 }), 'b');
	const wide = 'a 100\nb;c 900\n';
	assert.equal(at('x=128.0&y=39', wide), 'b');
	assert.equal(at('x=128.9&y=23', wide), 'b;c');
	for (const x of ['126.5', '129.5', '130.0'])
		assert.equal(at(`x=${x}&y=39`, wide), '', `${x} is more than a pixel away`);
	assert.equal(at('x=128.0&y=41', wide), '', 'on no row');
	assert.equal(at('x=-1&y=39', wide), '');
	assert.equal(at('x=128.0&y=-1', wide), '');
});

test('meaningless parts of an address are ignored', () => {
	const known = viewer.decodeState('#z=a');

	for (const text of ['#z=a&Z=1', '#&z=a&', '#z=a&=b', '#z=a&q', '#z=a&toString=1'])
		assert.deepEqual(viewer.decodeState(text), known, text);
});

test('invalid times are ignored', () => {
	const range = (text) => viewer.decodeState(text).range;

	assert.deepEqual(range('#t=1,2.5'), { from: 1e9, to: 2.5e9, before: null });
	assert.deepEqual(range('#t=0,1').from, 0);
	for (const text of ['#t=1,1', '#t=2,1', '#t=-1,1', '#t=1', '#t=a,b', '#t='])
		assert.equal(range(text), null, text);
	assert.deepEqual(range('#t=1,2&b=0,1').before, { from: 0, to: 1e9, before: null });
	assert.equal(range('#t=1,2&b=1,1').before, null);
	assert.equal(range('#b=0,1'), null);
});

test('a link can leave out counts only a limited number of times', () => {
	const link = '#' + 'n=b&x=c&'.repeat(10) + 'q=d&m=a';
	const state = viewer.decodeState(link, 5);

	assert.equal(state.hidden.length + state.filters.length, 5);
	assert.deepEqual(state, viewer.decodeState('#n=b&x=c&n=b&x=c&n=b&q=d&m=a'));
	assert.equal(viewer.decodeState(link).filters.length, 10);

	/* The limit depends on the picture. */
	globalThis.window = { history: {} };
	const cutsOf = (frames) => {
		const picture = pictureOf(frames);
		const saved = 'n=b&'.repeat(30000);

		viewer.makeHistory(picture, { isDocument: false, saved }, () => {}).restore();
		return picture.chosen.hidden.length;
	};
	const many = Array.from({ length: 898 }, (_, i) => `a;f${i} 1\n`).join('');
	assert.equal(cutsOf(many), 2000);
	assert.ok(cutsOf(folded) < 20000);
	delete globalThis.window;
});
