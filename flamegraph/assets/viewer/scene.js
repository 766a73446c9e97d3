/* Draws what the picture is to show: its size, its frames, marks for narrow matches. */

import { bringToWindow } from './access.js';
import { floor, max, min } from './format.js';
import {
	SIDE_PADDING,
	findNarrow,
	layOut,
	layOutVisible,
	prepareVisible,
} from './layout.js';
import { MAX_FLUID, change, fitsWindow, isDocument, make, put } from './page.js';
import { isFlipped, isWhole } from './picture.js';
import { isFound } from './tree.js';

/* Further than any picture reaches. */
const MAX_HEIGHT = 1e7;

/* Rows by the size that the picture has now. */
function makeRows(settings, picture, bars) {
	const { frameHeight, top, bottom } = settings;

	return (depth) =>
		isFlipped(picture)
			? top + depth * frameHeight
			: bars.size.height - bottom - (depth + 1) * frameHeight + 1;
}

/* One element has the marks of all matches that are too narrow, one for each pixel. */
function makeMarks(container, settings) {
	const group = make('g', { class: 'fg-marks', fill: settings.searchColour });
	const path = make('path', { class: 'fg-mark' }, group);
	const shape = 'h1v' + (settings.frameHeight - 1) + 'h-1z';

	container.parentNode.appendChild(group);
	return (narrow, rowTop) => {
		const marks = new Map();

		for (const { depth, left } of narrow) {
			const pixel = depth * MAX_FLUID + floor(left / 10);
			if (!marks.has(pixel))
				marks.set(pixel, 'M' + left / 10 + ' ' + rowTop(depth) + shape);
		}
		change(path, 'd', Array.from(marks.values()).join(''));
	};
}

/* Layouts for the picture's width. That of the whole picture, the largest, is kept. */
function makeLayouts(settings, bars) {
	let kept = null;

	function widthNow() {
		return settings.fluid ? bars.room() : settings.width;
	}

	/* As many counts as the program has asked for. */
	function enough(width) {
		const inner = width - 2 * SIDE_PADDING;
		const asDrawn = (settings.drawn * (settings.width - 2 * SIDE_PADDING)) / inner;

		return width === settings.width ? settings.drawn : asDrawn;
	}

	function ofWhole(view) {
		const width = widthNow();

		if (kept === null || kept.view !== view || kept.width !== width) {
			const atLeast = enough(width);
			const layout = layOut(view, { within: 0, width, atLeast });
			kept = { view, width, layout };
		}
		return kept.layout;
	}

	function layoutOf(picture) {
		const [view, within] = [picture.view, picture.within];

		return isWhole(picture)
			? ofWhole(view)
			: layOutVisible(view, { within, width: widthNow() });
	}

	return { widthNow, ofWhole, of: layoutOf };
}

/* Where no match is in the window, scrolls to the one closest to the base. */
function bringMatch({ view, layout, rowTop }, found, bars) {
	const [top, end] = [bars.headHeight(), window.innerHeight - bars.footHeight()];
	const rows = layout.drawn
		.filter(({ frame }) => isFound(found, view.name[frame]))
		.map(({ depth }) => rowTop(depth));
	const isSeen = (row) => {
		const y = row + bars.above() - window.scrollY;
		return y > top && y < end;
	};

	if (rows.length > 0 && !rows.some(isSeen)) bringToWindow(bars, rows[0]);
}

/*
 * The function between two sides; to the middle when it was not there before. Firefox
 * does not scroll to elements of an SVG document by itself.
 */
function bringToSight(element, isNew) {
	const { top, bottom } = element.getBoundingClientRect();
	const below = bottom - window.innerHeight;

	window.scrollBy(0, isNew ? (top + below) / 2 : min(top, max(below, 0)));
}

/*
 * Gives the picture the size for a layout, and returns where its rows are. A function
 * between two sides stands out by half a row on each.
 */
function makeRoom({ settings, picture, bars }, width, { rows, rowsBefore }) {
	const apart = rowsBefore > 0 ? 0.5 : 0;
	const topOfRow = makeRows(settings, picture, bars);
	const height =
		(rows + rowsBefore + 2 * apart) * settings.frameHeight +
		settings.top +
		settings.bottom;

	bars.resize(width, max(height, settings.height), !isFlipped(picture));
	return (depth) => topOfRow(depth + rowsBefore + (1 + Math.sign(depth)) * apart);
}

export function makeScene(container, parts) {
	const { settings, picture, drawing, bars, details, access } = parts;
	const layouts = makeLayouts(settings, bars);
	const drawMarks = makeMarks(container, settings);
	const whole = picture.plain;
	let wasFlipped = settings.inverted;
	/* What was drawn last: at first, what the program has. */
	let last = { view: whole };

	/* Frames where they belong, and what is found among them. */
	function drawFrames() {
		const { view, layout, rowTop } = last;
		const { found, version } = picture;
		const { drawn } = layout;

		drawing.draw({ view, drawn, found, rowTop, version }, isWhole(picture));
		drawMarks(found ? findNarrow(view, layout, found) : [], rowTop);
	}

	function redraw() {
		const [hadFocus, ringShown] = [access.hasFocus(), access.isRingShown()];
		const [viewBefore, detailed] = [last.view, details.shown()];
		const { view } = picture;
		const layout = layouts.of(picture);

		details.forget();
		last = { view, layout, rowTop: makeRoom(parts, layouts.widthNow(), layout) };
		if (wasFlipped !== isFlipped(picture)) showBase((wasFlipped = !wasFlipped));
		drawFrames();
		access.refresh(hadFocus, ringShown);
		/* Frames have moved; the one talked about may still be there. */
		details.show(detailed && view === viewBefore && drawing.get(detailed.frame));
		if (isDocument && layout.rowsBefore > 0 && view !== viewBefore)
			bringToSight(drawing.get(0).element, viewBefore.name[0] !== view.name[0]);
	}

	return {
		redraw,
		/* In steps, what takes long about a view that is to be shown. */
		prepareView: (view) =>
			prepareVisible(view, { within: 0, width: layouts.widthNow() }),
		/* What has not been shown yet is drawn out of sight, as it is come back to. */
		prepareWhole() {
			const { drawn } = layouts.ofWhole(whole);
			const unseen = { ...last, view: whole, drawn, found: null, version: 0 };

			drawing.drawUnseen(unseen, () => isWhole(picture));
		},
		/* For a search, which moves no frame. */
		drawMatches() {
			if (!last.layout) return redraw();
			drawFrames();
			return bringMatch(last, picture.found, bars);
		},
		topOfRow: makeRows(settings, picture, bars),
		layOutWhole: () => layouts.ofWhole(whole),
		isDrawn: () => last.layout !== undefined,
	};
}

/*
 * Stretches what the program has drawn, labels included, to the width of a wider
 * window, which needs no data. It is what is seen at first; the viewer then makes new
 * labels for the room that there is.
 */

/* The end of the picture that has the root. */
export function showBase(isFlipped) {
	/* Scrolling needs a layout, which a start without it is quicker by. */
	if (isDocument && !fitsWindow(0)) window.scrollTo(0, isFlipped ? 0 : MAX_HEIGHT);
}

export function stretch(container, bars, width) {
	const drawn = bars.size.width;
	const ratio = (width - 2 * SIDE_PADDING) / (drawn - 2 * SIDE_PADDING);
	const left = SIDE_PADDING * (1 - ratio);

	if (!(ratio > 1)) return;
	bars.resize(width, bars.size.height);
	put(container, 'transform', 'translate(' + left + ',0) scale(' + ratio + ',1)');
}
