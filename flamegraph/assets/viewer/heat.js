/*
 * The heat map of a picture whose profile has slices of time (--slice).
 *
 * This is a script of its own, before the viewer's, and only such pictures have it.
 * When the viewer is ready it sends the event fg:viewer (main.js); then we read the
 * slices (slices.js), show the map (heatboard.js) and make the tree of the selected
 * range. Our map replaces the one that the program has drawn, which stays for print and
 * for copies. Times are in nanoseconds since the start of the recording.
 */

import { largestChange } from './changes.js';
import { clockOf, spanOf } from './clock.js';
import { makeHatching } from './colour.js';
import { max, round } from './format.js';
import { listenTo, makeBoard } from './heatboard.js';
import {
	attr,
	change,
	drop,
	isDocument,
	make,
	put,
	root,
	whenPainted,
} from './page.js';
import { ownIn, readPicture, wholeSlices } from './slices.js';
import { withTotals } from './tree.js';

const drawnMap = root?.querySelector('.fg-heat');

/* ---- the tree of a range */

/*
 * Returns the weight of one sample in the counts of the tree, or 0 if it is not known.
 */
function sampleOf({ one, counted, factor }, decimals) {
	const weight = one || (counted === 'samples' ? 1 : 0);

	return (weight / factor) * 10 ** decimals;
}

/*
 * Returns the factor that scales the counts of the second range to the length of the
 * first one, or 1 if there is no second range.
 */
function ratioOf({ from, to, before }) {
	return before ? (to - from) / (before.to - before.from) : 1;
}

/*
 * Returns a function that makes the tree of a range. If the range has another one to
 * compare with (`before`), the tree is a differential.
 */
function makeTrees({ picture, settings }, data) {
	const { whole } = picture;
	const columnOf = (range) => ownIn(data, range, whole.count);

	function compare(tree, range) {
		const ratio = ratioOf(range);
		const selfBefore = columnOf(range.before).map((count) => round(count * ratio));
		const made = withTotals({ ...tree, selfBefore, widths: 'union' });
		const sample = sampleOf(settings, tree.decimals) * max(1, ratio);

		makeHatching();
		Object.assign(settings, { diff: 'inclusive', widths: 'union', sample });
		settings.maxDelta = largestChange(settings, made);
		return made;
	}

	return (range) => {
		const tree = { ...whole, self: columnOf(range), extra: 0 };
		return range.before ? compare(tree, range) : withTotals(tree);
	};
}

/* ---- times and ranges as texts */

/* Returns "10 s to 12.5 s (2.5 s), compared with 0 s to 5 s, scaled by 0.5". */
function wordsOf(range) {
	const ratio = Number(ratioOf(range).toPrecision(3));
	const scaled = ratio === 1 ? '' : ', scaled by ' + ratio;
	const than = range.before && ', compared with ' + spanOf(range.before) + scaled;

	return spanOf(range) + ' (' + clockOf(range.to - range.from) + ')' + (than ?? '');
}

/* ---- the map that the program has drawn */

/*
 * Returns true if the profile that is shown is the first: the program has drawn the map
 * of that one.
 */
const isOfThis = () => (attr(root, 'fg:nth') ?? '0') === '0';

/* Restores the drawn map in a page that was saved while the viewer was running. */
function forgetSaved() {
	if (!drawnMap) return;
	drawnMap.querySelector('.fg-range')?.remove();
	drop(drawnMap, 'display');
	drawnMap.classList.remove('fg-swatch', 'fg-swatch-off');
	drawnMap.firstElementChild.textContent = attr(drawnMap, 'aria-label');
}

/* Returns the cells of a range as a path, column by column, like the program's. */
function pathOf({ cellAt, columns, rows }, range) {
	const [first, last] = [cellAt(range.from), cellAt(range.to - 1)];
	let path = '';

	for (let x = max(0, first.x); x <= last.x && x < columns; x++) {
		const from = x === first.x ? first.y : 0;
		const to = x === last.x ? last.y + 1 : rows;
		path += 'M' + x + ' ' + from + 'h1v' + (to - from) + 'h-1z';
	}
	return path;
}

/*
 * Hides the drawn map on screen. Hides it in print and copies, too, if it belongs to
 * another profile.
 */
function hideDrawn() {
	if (!drawnMap) return;
	drawnMap.classList.add(isOfThis() ? 'fg-swatch' : 'fg-swatch-off');
	put(drawnMap, 'display', 'none');
}

/*
 * Marks the selected range in the drawn map and in its title, for print and for copies.
 */
function markDrawn(grid, range) {
	if (!drawnMap || !isOfThis()) return;
	const cells = drawnMap.querySelector('.fg-cells');
	const words = range ? '; selected: ' + wordsOf(range) : '';
	const mark =
		drawnMap.querySelector('.fg-range') ??
		make('path', { class: 'fg-range', fill: '#1c7ed6', stroke: 'none' }, cells);

	put(mark, 'fill-opacity', 0.4);
	change(mark, 'd', range ? pathOf(grid, range) : '');
	drawnMap.firstElementChild.textContent = attr(drawnMap, 'aria-label') + words;
}

/* ---- the start */

/* Returns true if the page starts with a range of time. */
function startsWithRange({ saved }) {
	const text = isDocument && location.hash.length > 1 ? location.hash : saved;

	return /(^|[#&])t=/.test(text ?? '');
}

/*
 * Returns a function that reads the counts of the slices once, and then calls
 * whenLoaded(). If there are many slices, the map is shown before their counts are
 * read. A range that the user selects before that is shown as soon as the counts are
 * there.
 */
function loader(data, whenLoaded) {
	let loading = null;

	async function load() {
		try {
			if (data.load !== null) await data.load();
			data.load = null;
			whenLoaded();
		} catch (error) {
			/* A broken file: we still have the map, and the picture itself. */
		}
	}

	return () => (loading ??= load());
}

async function start({ viewer, select, zoom }) {
	const { picture, settings, bars } = viewer;
	const data = await readPicture(picture.whole.count);
	const hasMap = data && data.slices.length > 0 && !picture.whole.before;

	if (!isOfThis() || (hasMap && !settings.isChart)) hideDrawn();
	if (!hasMap || settings.isChart) return;
	const treeOf = makeTrees(viewer, data);
	const board = makeBoard(viewer, data, { clockOf, spanOf, select, zoom });
	listenTo(board.board);
	const legends = bars.foot.querySelectorAll('.fg-key, .fg-legend');

	/*
	 * The times in an address need not be those of slices, so we extend the range to
	 * whole slices.
	 */
	const ofRange = (range) => {
		if (range) Object.assign(range, wholeSlices(data, range));
		if (range?.before) Object.assign(range.before, wholeSlices(data, range.before));
		return treeOf(range);
	};
	viewer.heat = {
		wordsOf,
		refresh() {
			const { range } = picture.chosen;

			board.refresh();
			markDrawn(board.drawn, range);
			for (const line of legends) line.hidden = Boolean(range?.before);
		},
	};
	const load = loader(data, () => {
		picture.ofRange = ofRange;
		board.whenLoaded();
	});
	if (data.load === null || startsWithRange(settings)) await load();
	else whenPainted(load);
	viewer.heat.refresh();
}

if (root && root.localName === 'svg') {
	forgetSaved();
	root.addEventListener('fg:viewer', ({ detail }) =>
		detail.extras.push(start(detail)),
	);
}
