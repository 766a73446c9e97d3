/*
 * Draws the picture's current view: gives the picture its size, places the frames and
 * marks matches that are too narrow to see.
 *
 * main.js calls redraw() after each change of the state, and drawMatches() after a
 * change of the search alone. Sizes are in pixels.
 */

import { scrollToRow } from './access.js';
import { CHARTS, MANY } from './features.js';
import { max, min, tenths } from './format.js';
import {
	SIDE_PADDING,
	findNarrow,
	layOut,
	layOutVisible,
	pathInRows,
	prepareVisible,
} from './layout.js';
import { change, fitsWindow, isDocument, make, put } from './page.js';
import { isFlipped, isWhole } from './picture.js';
import { isFound } from './tree.js';

/*
 * Returns a function from depth to the y of its row, for the current size of the
 * picture. Sums of tenths are not exact, so they are rounded.
 */
function makeRows(settings, picture, bars) {
	const { frameHeight, top, bottom } = settings;

	return (depth) =>
		isFlipped(picture)
			? top + depth * frameHeight
			: tenths(bars.size.height - bottom) / 10 - (depth + 1) * frameHeight + 1;
}

/*
 * Makes one element for the marks of all matches that are too narrow to see. Each mark
 * is a pixel wide.
 */
function makeMarks(container, settings) {
	const group = make('g', { class: 'fg-marks', fill: settings.searchColour });
	const path = make('path', { class: 'fg-mark' }, group);
	const look = { height: settings.frameHeight - 1, gap: 10, has: () => true };

	container.parentNode.appendChild(group);
	return (narrow, rowTop) =>
		change(path, 'd', pathInRows(narrow, { ...look, rowTop }));
}

/* Lays out a view. The view of a flame chart may have its own function (chart.js). */
function lay(view, where, usual) {
	return (CHARTS && view.plain && view.lay ? view.lay : usual)(view, where);
}

/*
 * Makes layouts for the picture's width. Keeps the layout of the whole picture, which
 * is the largest.
 */
function makeLayouts(settings, bars) {
	let kept = null;

	function widthNow() {
		return settings.fluid ? bars.room() : settings.width;
	}

	/*
	 * Returns the least count of a frame that is drawn. The user chose it with
	 * --minwidth, in pixels or in percent, so it depends on the width. If the picture
	 * still has the width that it has in its file, we use the count that flamegraph
	 * wrote.
	 */
	function leastCounts({ total }, width) {
		const { least, leastPercent, drawn } = settings;
		const share = leastPercent / 100 + least / (width - 2 * SIDE_PADDING);

		return width === settings.width ? drawn : total[0] * share;
	}

	function ofWhole(view) {
		const width = widthNow();

		if (kept?.view !== view || kept.width !== width || kept.lay !== view.lay) {
			const atLeast = leastCounts(view, width);
			const layout = lay(view, { within: 0, width, atLeast }, layOut);
			kept = { view, width, lay: view.lay, layout };
		}
		return kept.layout;
	}

	function layoutOf(picture) {
		const [view, within] = [picture.view, picture.within];

		return isWhole(picture)
			? ofWhole(view)
			: lay(view, { within, width: widthNow() }, layOutVisible);
	}

	return { widthNow, ofWhole, layoutOf };
}

/* If no match is in the window, scrolls to the one closest to the root. */
function scrollToMatch({ view, layout, rowTop }, found, bars) {
	const [top, end] = [bars.headHeight(), window.innerHeight - bars.footHeight()];
	const off = bars.above() - bars.scroll.now();
	const rows = new Set();

	for (const { frame, depth } of layout.drawn)
		if (isFound(found, view.name[frame])) rows.add(rowTop(depth));
	const [first] = rows;
	const isSeen = (row) => row + off > top && row + off < end;
	if (rows.size > 0 && !Array.from(rows).some(isSeen)) scrollToRow(bars, first);
}

/*
 * Scrolls so that the function between its callers and callees is visible, and in the
 * middle of the window if it was not shown before. Firefox does not scroll to elements
 * of an SVG document by itself.
 */
function scrollToFunction({ scroll }, element, isNew) {
	const { top, bottom } = element.getBoundingClientRect();
	const below = bottom - window.innerHeight;

	scroll.by(isNew ? (top + below) / 2 : min(top, max(below, 0)));
}

/*
 * Returns the least height of the picture, so that a zoom does not make it lower: its
 * height in the file or, if recursion is collapsed, the height of the whole collapsed
 * view.
 */
function leastHeight({ settings, picture }, heights, height) {
	const { view, within, chosen } = picture;

	if (view.plain || !chosen.collapsed) return settings.height;
	if (within === 0) heights.set(view, height);
	return heights.get(view) ?? 0;
}

/*
 * Gives the picture the size of a layout. Returns the function from depth to the y of a
 * row. In a view with callers, half a row stays free on both sides of the function.
 */
function resizePicture(parts, width, { rows, rowsBefore }) {
	const { settings, picture, bars, heights } = parts;
	const apart = rowsBefore > 0 ? 0.5 : 0;
	const topOfRow = makeRows(settings, picture, bars);
	const height =
		(rows + rowsBefore + 2 * apart) * settings.frameHeight +
		settings.top +
		settings.bottom;

	const least = leastHeight(parts, heights, height);
	bars.resize(width, max(height, least), !isFlipped(picture));
	return (depth) => topOfRow(depth + rowsBefore + (1 + Math.sign(depth)) * apart);
}

/*
 * Makes the functions that prepare views and draw frames before they are shown. last()
 * returns the last drawing.
 */
function makeUnseen({ layouts, picture, drawing }, last) {
	const whole = picture.plain;

	return {
		/* Returns the steps that prepare a view for drawing, which can take long. */
		prepareView: (view) =>
			prepareVisible(view, { within: 0, width: layouts.widthNow() }),
		/*
		 * Draws the whole picture out of sight, if the page has started with something
		 * else, because the user will want to see it later.
		 */
		prepareWhole() {
			const { drawn } = layouts.ofWhole(whole);
			const next = { ...last(), view: whole, drawn, found: null, version: 0 };

			drawing.drawUnseen(next, () => isWhole(picture));
		},
		layOutWhole: () => layouts.ofWhole(whole),
	};
}

/*
 * Makes the scene. redraw() draws the current view, drawMatches() only a new search.
 * `parts` are the other parts of the viewer (main.js).
 */
export function makeScene(container, parts) {
	const { settings, picture, drawing, bars, details, access } = parts;
	const layouts = makeLayouts(settings, bars);
	const drawMarks = makeMarks(container, settings);
	let flipped = settings.inverted;
	/* The last drawing. At first it is the one of the program. */
	let last = { view: picture.plain };

	/* Draws the frames of the last layout and the marks of matches. */
	function drawFrames() {
		const [{ view, layout, rowTop }, { found, version }] = [last, picture];
		const { drawn } = layout;

		drawing.draw({ ...last, drawn, found, version }, isWhole(picture));
		drawMarks(found ? findNarrow(view, layout, found) : [], rowTop);
		parts.onDrawn(last);
	}

	function redraw() {
		const [hadFocus, ringShown] = [access.hasFocus(), access.isRingShown()];
		const [viewBefore, detailed] = [last.view, details.shown()];
		const { view } = picture;
		const layout = layouts.layoutOf(picture);

		/* Everything that measures the page comes first, because it forces a layout. */
		const rowTop = resizePicture(parts, layouts.widthNow(), layout);
		last = { view, layout, rowTop };
		details.forget();
		if (flipped !== isFlipped(picture)) showBase(bars, (flipped = !flipped));
		drawFrames();
		access.refresh(hadFocus, ringShown);
		/*
		 * The frames have moved. If the one whose details were shown is still there,
		 * shows them again.
		 */
		details.show(detailed && view === viewBefore && drawing.get(detailed.frame));
		bars.scroll.settle();
		const isNew = viewBefore.name[0] !== view.name[0];
		if (layout.rowsBefore > 0 && view !== viewBefore)
			scrollToFunction(bars, drawing.get(0).element, isNew);
	}

	return {
		redraw,
		...(MANY && makeUnseen({ layouts, picture, drawing }, () => last)),
		/* Draws the result of a search, which moves no frame. */
		drawMatches() {
			if (!last.layout) return redraw();
			/* This measures the page, so it comes before anything changes. */
			scrollToMatch(last, picture.found, bars);
			return drawFrames();
		},
		topOfRow: makeRows(settings, picture, bars),
		isDrawn: () => last.layout !== undefined,
	};
}

/* Scrolls to the end of the picture that has the root. */
export function showBase({ scroll, size, above }, isFlipped) {
	/* Scrolling needs a layout. The start is quicker without one. */
	if (isDocument && !fitsWindow(size.height + above())) scroll.toBase(isFlipped);
}

/*
 * Stretches what the program has drawn, labels included, to the width of a wider
 * window. This needs no data, so we can show it first. Later the viewer makes new
 * labels that fit.
 */
export function stretch(container, bars, width) {
	const drawn = bars.size.width;
	const ratio = (width - 2 * SIDE_PADDING) / (drawn - 2 * SIDE_PADDING);
	const left = SIDE_PADDING * (1 - ratio);

	if (!(ratio > 1)) return;
	bars.resize(width, bars.size.height);
	put(container, 'transform', 'translate(' + left + ',0) scale(' + ratio + ',1)');
}
