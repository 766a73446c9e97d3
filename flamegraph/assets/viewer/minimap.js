/*
 * A small overview of the whole picture, in which the part in the window is marked. It
 * is shown only if the window does not show everything. It is a canvas, so its cost
 * does not depend on the frames, and it is drawn when the page is idle. Sizes are in
 * pixels.
 */

import { setText } from './bars.js';
import { floor, max, min, thousands } from './format.js';
import { SIDE_PADDING, forChildren, layOut } from './layout.js';
import { change, html, part, whenIdle } from './page.js';
import { isFlipped, zoom } from './picture.js';
import { ancestorsOf, isFound } from './tree.js';

const WIDTH = 208;
const WIDTH_ON_PHONE = 104;
const PHONE = 600;
const MOST_HEIGHT = 80;
const MOST_OF_WINDOW = 1 / 8;
const ROW_HEIGHT = 4;
const MARGIN = 8;
const LEAST_BOX = 3;
/* It is not shown for fewer rows, or a smaller part of them, that are out of sight. */
const FEW_ROWS = 3;
const FEW = 1 / 6;
const MORE_ROWS = ' Scroll for ';

/* Returns where a frame starts, in counts. */
function startOf(view, frame) {
	const path = ancestorsOf(view, frame).concat(frame);
	let start = 0;

	for (let i = 1; i < path.length; i++) {
		const from = start;
		forChildren(view, path[i - 1], from, (child, at) => {
			if (child === path[i]) start = at;
		});
	}
	return start;
}

/*
 * Returns where the window starts and ends, in rows. They need not be whole numbers.
 * Rows are counted from the end of the picture that has the root.
 */
function rowsInWindow({ picture, settings, bars, last: { rowTop, layout } }) {
	const { frameHeight } = settings;
	const off = bars.scroll.now() - bars.above();
	const [top, bottom] = [bars.headHeight(), window.innerHeight - bars.footHeight()];
	const root = rowTop(-layout.rowsBefore);
	const from = isFlipped(picture)
		? top + off - root
		: root + frameHeight - bottom - off;

	return [from / frameHeight, (from + bottom - top) / frameHeight];
}

/*
 * Returns the height that the map may have. In a low window it is less, to cover less.
 */
const mostHeight = () => min(MOST_HEIGHT, window.innerHeight * MOST_OF_WINDOW);

const mapWidth = () => (window.innerWidth > PHONE ? WIDTH : WIDTH_ON_PHONE);

function layOutMap(view) {
	const width = mapWidth();
	const layout = layOut(view, {
		within: 0,
		width: width + 2 * SIDE_PADDING,
		atLeast: view.total[0] / width,
	});
	const rows = max(layout.rows + layout.rowsBefore, 1);
	const most = mostHeight();
	const height = min(most, rows * ROW_HEIGHT);

	return { view, most, layout, rows, width, height, row: height / rows };
}

/*
 * Draws the map. Frames are at least a pixel wide, and high rows have a gap between
 * them.
 */
function paintMap({ canvas, picture, settings, paint, whole }) {
	const { view, layout, width: wide, height, row } = whole;
	const scale = window.devicePixelRatio || 1;
	const context = canvas.getContext('2d');
	const flipped = isFlipped(picture);
	const topOf = (at) => (flipped ? at * row : height - (at + 1) * row);

	Object.assign(canvas, { width: wide * scale, height: height * scale });
	Object.assign(canvas.style, { width: wide + 'px', height: height + 'px' });
	context.scale(scale, scale);
	for (const { frame, depth, left, width } of layout.drawn) {
		context.fillStyle = isFound(picture.found, view.name[frame])
			? settings.searchColour
			: paint.colourOf(view, frame);
		context.fillRect(
			left / 10 - SIDE_PADDING,
			topOf(depth + layout.rowsBefore),
			max(1, width / 10),
			row > 2 ? row - 0.5 : row,
		);
	}
}

/*
 * Returns which rows of the map are in the window, and the start and width of the zoom
 * as shares of the whole width.
 */
function seenNow(map) {
	const { view, within } = map.picture;
	const [from, to] = rowsInWindow(map);

	return {
		from: max(0, from),
		to: min(map.whole.rows, to),
		start: startOf(view, within) / view.total[0],
		share: view.total[within] / view.total[0],
	};
}

function placeBox(map) {
	const { from, to, start, share } = seenNow(map);
	const { row, width, height } = map.whole;
	const top = isFlipped(map.picture) ? from * row : height - to * row;
	const place = { x: min(start * width, width - LEAST_BOX), width: share * width };

	map.place = place;
	Object.assign(map.box.style, {
		width: max(LEAST_BOX, place.width) + 'px',
		top: max(0, min(top, height - LEAST_BOX)) + 'px',
		height: max(LEAST_BOX, (to - from) * row) + 'px',
		transform: `translate(${place.x}px)`,
	});
}

/*
 * Returns how much the map would be in the way in its left place or, unless isLeft, in
 * its right place: 2 if a frame were completely behind it, 1 if it covers parts of
 * frames, 0 if it covers none.
 */
function harmAt(map, isLeft) {
	const { whole, settings, bars, last } = map;
	const [, to] = rowsInWindow(map);
	const from = to - (whole.height + 2 * MARGIN) / settings.frameHeight;
	const start = (isLeft ? MARGIN : bars.size.width - whole.width - MARGIN) * 10;
	const end = start + whole.width * 10;
	let harm = 0;

	for (const { depth, left, width } of last.layout.drawn) {
		const row = depth + last.layout.rowsBefore;
		const right = left + width;
		if (row + 1 <= from || row >= to || left >= end || right <= start) continue;
		harm = max(harm, left >= start && right <= end ? 2 : 1);
	}
	return harm;
}

/*
 * Places the map below the picture if there is space, otherwise at the end of the
 * window that is away from the root. Moves the map to its other side, left or right, if
 * it is less in the way there. Returns false if a frame would be behind it.
 */
function placeMap(map) {
	const { picture, bars, whole } = map;
	const { style } = map.holder;
	const below = bars.size.height + bars.above() + whole.height + 2 * MARGIN;
	const hasRoom = below < window.innerHeight;
	const isLow = hasRoom || isFlipped(picture);
	const beside = document.documentElement.clientWidth - bars.size.width;
	const [harm, other] = hasRoom
		? [0, 0]
		: [map.isLeft, !map.isLeft].map((isLeft) => harmAt(map, isLeft));

	if (hasRoom) map.isLeft = false;
	else if (other < harm) map.isLeft = !map.isLeft;
	const side = (map.isLeft ? 0 : max(0, beside)) + MARGIN + 'px';
	const top = isLow ? 'auto' : bars.headHeight() + MARGIN + 'px';
	const bottom = isLow ? (hasRoom ? 0 : bars.footHeight()) + MARGIN + 'px' : 'auto';
	style.inset = map.isLeft
		? `${top} auto ${bottom} ${side}`
		: `${top} ${side} ${bottom} auto`;
	return min(harm, other) < 2;
}

/*
 * Returns how many rows are out of sight, or 0 if these are too few for an overview,
 * which would cover as many frames as it shows.
 */
function rowsOutOfSight(map) {
	const { rows, rowsBefore } = map.last.layout;
	const [from, to] = rowsInWindow(map);
	const out = rows + rowsBefore - (to - from);

	return out > max(FEW_ROWS, (rows + rowsBefore) * FEW) ? floor(out) : 0;
}

/* On a fresh page, which has no overview yet, the hint says that there is more. */
function tellRows({ bars }, rows) {
	const [text] = bars.hint.textContent.split(MORE_ROWS);
	const more = rows > 0 ? MORE_ROWS + thousands(rows) + ' more rows.' : '';

	setText(bars.hint, text + more);
}

function update(map) {
	const { picture, bars, holder, last, isWanted } = map;
	const isFresh = bars.scroll.isFresh();
	const isFree = bars.floats && !bars.isCovered() && last !== null;
	const out = isFree ? rowsOutOfSight(map) : 0;
	const isShown = !isFresh && isWanted !== false && isFree;

	map.isWaiting = false;
	tellRows(map, isFresh ? out : 0);
	holder.hidden = !isShown || (out === 0 && picture.within === 0);
	if (holder.hidden) return;
	const { view, found, version } = picture;
	const ground = bars.foot.style.backgroundColor;
	const key = [isFlipped(picture), version, ground].join();
	if (!holder.isConnected) bars.show(holder);
	const { whole } = map;
	if (
		whole.view !== view ||
		whole.most !== mostHeight() ||
		whole.width !== mapWidth()
	)
		map.whole = layOutMap(view);
	if (map.whole.found !== found || map.whole.key !== key) {
		Object.assign(map.whole, { found, key });
		paintMap(map);
	}
	const isFine = placeMap(map) || isWanted === true || map.isHeld;
	holder.hidden = !isFine;
	if (isFine) placeBox(map);
}

/*
 * Returns the frame to zoom to after a click at `x` in the map. Its depth is at most
 * that of the zoomed frame.
 */
function frameAt({ picture, whole: { layout, view } }, x) {
	const most = max(view.depth[picture.within], 0);
	const at = (x + SIDE_PADDING) * 10;
	const under = layout.drawn.filter(
		({ depth, left, width }) =>
			depth >= 0 && depth <= most && left <= at && at < left + width,
	);

	return under.length > 0 ? under[under.length - 1].frame : 0;
}

/* Scrolls the row at `y` in the map to the middle of the window. */
function scrollTo(map, y) {
	const { picture, bars, settings, whole } = map;
	const { from, to } = seenNow(map);
	const row = isFlipped(picture) ? y / whole.row : whole.rows - y / whole.row;
	const rows = row - (from + to) / 2;

	bars.scroll.by(rows * settings.frameHeight * (isFlipped(picture) ? 1 : -1));
	placeBox(map);
}

function onPointer(map, { type, clientX, clientY, pointerId }) {
	const { canvas, holder, place, picture } = map;
	const corner = canvas.getBoundingClientRect();
	const x = clientX - corner.x;
	const isBeside = x < place.x - 1 || x > place.x + place.width + 1;

	if (type === 'pointerdown') {
		map.isHeld = true;
		holder.setPointerCapture(pointerId);
	}
	if (map.isHeld) scrollTo(map, clientY - corner.y);
	if (type !== 'pointerup') return;
	map.isHeld = false;
	if (picture.within !== 0 && isBeside) zoom(picture, frameAt(map, x));
}

/*
 * Makes the overview. whole: the layout of the map, and the view, search and colours
 * that it was drawn for. last: the last drawing of the picture. place: the place and
 * width of the box that marks the part in the window. isWanted: true or false if the
 * user wants it always or never, null if it is shown as long as it hides no frame.
 */
export function makeMap({ picture, settings, bars, paint }) {
	const [canvas, box] = [html('canvas'), html('i')];
	const holder = part('map', canvas, box);
	const look = { isWanted: null, isWaiting: false, isHeld: false, isLeft: false };
	const helpers = { picture, settings, bars, paint, canvas, box, holder };
	const map = { ...helpers, ...look, whole: {}, last: null, place: {} };

	function later() {
		if (map.isWaiting) return;
		map.isWaiting = true;
		whenIdle(() => update(map));
	}

	for (const type of ['pointerdown', 'pointermove', 'pointerup'])
		holder.addEventListener(type, (event) => onPointer(map, event));
	for (const type of ['scroll', 'resize'])
		window.addEventListener(type, later, { passive: true });
	change(holder, 'aria-hidden', true);
	/*
	 * We show the map only after the user has done something, so that a screenshot of a
	 * fresh page shows the whole picture.
	 */
	bars.scroll.whenFirstUsed(later);
	return {
		draw(drawn) {
			map.last = drawn;
			later();
		},
		canShow: () => bars.floats && map.last !== null,
		isWanted: () => holder.isConnected && !holder.hidden,
		toggle() {
			map.isWanted = holder.hidden || !holder.isConnected;
			update(map);
		},
	};
}
