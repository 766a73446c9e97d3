/*
 * The interactive heat map: its elements, selecting a range by mouse, touch or keys,
 * comparing it with a second one, and the slices that match the search.
 *
 * `board` is the state of the map. `grid` (grid.js) has the counts of its cells;
 * `frame` (heatdraw.js) tells where the cells are on the canvas. A selected range goes
 * to the viewer by helpers.select(), and comes back with refresh(). Times are in
 * nanoseconds.
 */

import { isKnownUnit, max, min, percent, round } from './format.js';
import { cellAt, makeGrid, scaleFor, scalesOf, timeOf } from './grid.js';
import {
	AXIS,
	HUE,
	ROW_AXIS,
	clearCanvas,
	drawAxis,
	drawCells,
	drawCursor,
	drawRange,
	drawRowAxis,
	legendOf,
	legendOfChanges,
	makeFrame,
	showLegend,
	widthText,
} from './heatdraw.js';
import { button, change, html, part, put } from './page.js';
import { canPopUp, makePopup, placeBeside } from './popup.js';
import { matchesIn } from './slices.js';
import { spokenWord } from './words.js';

const LEAST_HEIGHT = 90;
const PADDING = 10;
/* The program leaves this many characters for the axis beside the cells. */
const ROW_TEXT = 7;

/*
 * If the root has at most this many children (threads, hosts), the user can choose one.
 */
const MOST_FIRSTS = 48;

/*
 * Returns the children of the root, the widest first, or none if there is one or too
 * many.
 */
function firstsOf({ parent, name, names, total }) {
	const firsts = [];

	for (let i = 1; i < parent.length; i++)
		if (parent[i] === 0 && total[i] > 0) firsts.push(i);
	firsts.sort((a, b) => total[b] - total[a] || a - b);
	return firsts.length > 1 && firsts.length <= MOST_FIRSTS
		? firsts.map((frame) => ({ frame, text: names[name[frame]] }))
		: [];
}

/* Makes a list to choose from. options: values and texts. */
function makeList(attributes, options) {
	const list = html('select', attributes);

	for (const [value, text] of options) {
		const option = html('option', { value }, text);
		Object.assign(option.style, { color: 'CanvasText', background: 'Canvas' });
		list.append(option);
	}
	Object.assign(list.style, { font: 'inherit', color: 'inherit', maxWidth: '16em' });
	list.style.background = 'transparent';
	/* Keeps the viewer from acting on keys that are for the list. */
	list.addEventListener('keydown', (event) => event.stopPropagation());
	return list;
}

function makeChooser(firsts) {
	const options = firsts.map(({ frame, text }) => [frame, text]);
	const list = makeList(
		{
			name: 'heat-of',
			title: 'Zoom to a frame next to the root, such as a thread',
			'aria-label': 'Heat map of',
		},
		[[0, 'all'], ...options],
	);

	list.hidden = firsts.length === 0;
	return list;
}

/* Makes the sentence that says how to read the map, with the list of scales in it. */
function makeScales(scales) {
	const list = makeList(
		{ name: 'heat-scale', title: 'Choose the time of a column' },
		scales.map(({ column }, i) => [i, widthText(column)]),
	);

	put(list, 'aria-label', 'Time goes up each column of');
	const words = html('label', {}, 'Time goes up each column of ', list);
	return { scale: list, words };
}

/* Makes the elements of the map. makeBoard() puts them at the end of the upper bar. */
function makeElements(firsts, scales) {
	const [cells, marks, rowAxis] = [html('canvas'), html('canvas'), html('canvas')];
	const map = html(
		'div',
		{
			role: 'application',
			tabindex: '0',
			'aria-roledescription': 'heat map',
			'aria-label':
				'Heat map of time: arrows move, with Shift they select, ' +
				'Enter selects one cell, B compares, Escape ends',
		},
		cells,
		marks,
	);
	const { scale, words } = makeScales(scales);
	const compare = button('heat-compare', 'Compare with\u2026', {
		title: 'Select a second range to compare with the first: b',
		'aria-pressed': 'false',
	});
	const first = makeChooser(firsts);
	const legend = html('span');
	const message = html('span');
	const scroller = part('times-map', map);
	const tools = part('state', words, compare, first, legend, message);
	const board = part('times', tools, part('times-rows', rowAxis, scroller));

	for (const canvas of [cells, marks]) canvas.style.display = 'block';
	board.lastChild.style.display = 'flex';
	Object.assign(rowAxis.style, { flex: 'none', width: ROW_AXIS + 'px' });
	Object.assign(marks.style, { position: 'absolute', inset: '0 auto auto 0' });
	Object.assign(map.style, { position: 'relative', touchAction: 'none' });
	Object.assign(map.style, { cursor: 'crosshair', outlineOffset: '-2px' });
	Object.assign(scroller.style, { overflowX: 'auto', overflowY: 'hidden' });
	scroller.style.padding = '0 10px 0 0';
	scroller.style.flex = '1';
	/*
	 * Keeps clicks from the viewer, which would treat them as clicks on a frame or on
	 * one of its own buttons.
	 */
	board.addEventListener('click', (event) => event.stopPropagation());
	const controls = { scale, compare, first, legend, message };
	return { board, map, cells, marks, rowAxis, scroller, ...controls };
}

/* ---- numbers and words */

function wordAfter({ viewer: { settings } }, text) {
	return isKnownUnit(settings.unit) ? '' : spokenWord(settings, text);
}

function numberOf({ viewer: { texts, picture } }, count) {
	return texts.human(picture.base, count);
}

function amountOf(board, count) {
	const number = numberOf(board, count);

	return number + wordAfter(board, number);
}

function showMessage({ elements }, text) {
	elements.message.textContent = text;
}

/* Returns "12.02 s: 45 samples". */
function cellText(board, { x, y }) {
	const { grid, matched, helpers } = board;
	const at = x * grid.rows + y;
	const part = matched ? ', ' + amountOf(board, matched.cells[at]) + ' match' : '';
	const time = helpers.clockOf(timeOf(grid, { x, y }).from);

	return time + ': ' + amountOf(board, grid.cells[at]) + part;
}

function rangeNow({ viewer }) {
	return viewer.picture.chosen.range;
}

/* ---- the card at the pointer */

/* Returns the heading of the card and its lines: of a cell, or of the dragged range. */
function cardTexts(board, { x, y }) {
	const { grid, matched, helpers, isDragging, waiting, data } = board;
	const range = isDragging && (waiting ?? rangeNow(board));
	const at = x * grid.rows + y;
	const all = data.weights.reduce((sum, one) => sum + one, 0);
	const count = grid.cells[at];

	if (range) return [helpers.spanOf(range.before ?? range)];
	return [
		helpers.spanOf(timeOf(grid, { x, y })),
		amountOf(board, count) + ', ' + percent(count, all, 2) + ' of all',
		...(matched ? [amountOf(board, matched.cells[at]) + ' match'] : []),
		'Click to show only this time, drag for more',
	];
}

/* Returns where a cell is in the window. */
function boxOf({ elements, frame }, { x, y }) {
	const corner = elements.map.getBoundingClientRect();
	const [left, top] = [corner.x + frame.left(x), corner.y + frame.top(y + 1)];
	const right = corner.x + frame.left(x + 1);
	const bottom = corner.y + frame.top(y);

	return { x: left, top, right, bottom };
}

function hideCard({ card }) {
	card?.hide();
}

/*
 * Shows a card beside the cell that is pointed at. A finger would hide it, so then, and
 * in older browsers, the text is in the line above the map.
 */
function showCard(board, cell, { clientX, pointerType }) {
	if (!canPopUp() || pointerType === 'touch') {
		showMessage(board, cellText(board, cell));
		return;
	}
	board.card ??= makePopup({ class: 'fg-card', 'aria-hidden': 'true' });
	const [heading, ...lines] = cardTexts(board, cell);
	board.card.element.replaceChildren(
		html('b', {}, heading),
		...lines.map((line) => html('small', {}, line)),
	);
	board.card.show();
	if (!placeBeside(board.card, boxOf(board, cell), clientX)) hideCard(board);
}

/* ---- drawing */

const inkOf = ({ viewer }) => getComputedStyle(viewer.bars.head).color;

function drawMarks(board) {
	const { elements, frame, grid, cursor, byKeys } = board;
	const { map, marks } = elements;
	const context = clearCanvas(marks, frame.width, frame.height);
	const range = rangeNow(board);
	const isHere = byKeys && document.activeElement === map;

	if (range?.before) drawRange(context, frame, grid, range.before, [4, 3]);
	if (range) drawRange(context, frame, grid, range, []);
	map.style.outline = isHere ? '' : 'none';
	if (cursor && isHere) drawCursor(context, frame, cursor, inkOf(board));
}

function draw(board) {
	const { elements, grid, matched, helpers } = board;
	const { settings, bars } = board.viewer;
	const { map, cells, scroller } = elements;
	const room = scroller.clientWidth - PADDING;
	const bare = bars.head.getBoundingClientRect().height - map.offsetHeight;
	const height = min(settings.top - 4 - bare - AXIS, window.innerHeight / 4);
	const frame = makeFrame(grid, room, round(max(LEAST_HEIGHT, height)));

	board.frame = frame;
	map.style.width = frame.width + 'px';
	const context = clearCanvas(cells, frame.width, frame.height + AXIS);
	drawCells(context, frame, grid, { hue: HUE, faint: matched ? 0.4 : 1 });
	if (matched)
		drawCells(context, frame, matched, { hue: settings.searchColour, faint: 1 });
	drawAxis(context, frame, grid, { ink: inkOf(board), clockOf: helpers.clockOf });
	drawRowAxis(
		clearCanvas(elements.rowAxis, ROW_AXIS, frame.height + AXIS),
		frame,
		grid,
		inkOf(board),
	);
	drawMarks(board);
}

function showShades(board) {
	const usual = () =>
		legendOf(board.grid, (count) => numberOf(board, count), wordAfter(board, ''));

	showLegend(
		board.elements.legend,
		rangeNow(board)?.before ? legendOfChanges() : usual(),
	);
}

/* Returns a string that changes with the search, but not with the range. */
const termOf = ({ chosen }) => chosen.term + '\n' + chosen.ignoreCase;

function shadeMatches(board) {
	const { data, scale, viewer, first } = board;
	const { found, whole } = viewer.picture;
	const matches = () => matchesIn(data, whole, first, (name) => found.isName[name]);

	board.term = termOf(viewer.picture);
	board.matched =
		found && data.load === null ? makeGrid(scale, data, matches()) : null;
	showShades(board);
	draw(board);
}

function setScale(board, scale) {
	const { elements, scales, data } = board;

	Object.assign(board, { scale, cursor: null, anchor: null });
	board.grid = makeGrid(scale, data, board.weights);
	elements.scale.value = scales.indexOf(scale);
	shadeMatches(board);
}

/* ---- the children of the root, like threads */

/*
 * Returns the child of the root that is the zoomed frame or an ancestor of it. Returns
 * 0 if there is no zoom, or if the view does not have the children of the root.
 */
function firstNow({ firsts, viewer: { picture } }) {
	const { view, within, chosen, whole } = picture;
	let at = within;

	if (firsts.length === 0 || chosen.reversed || chosen.merged !== null) return 0;
	while (view.parent[at] > 0) at = view.parent[at];
	const isIt = ({ frame }) => at > 0 && whole.name[frame] === view.name[at];
	return firsts.find(isIt)?.frame ?? 0;
}

/*
 * Makes the map show only the counts of the child of the root that the user has zoomed
 * into, or all counts if there is none. Returns true if the map has to be drawn again.
 */
function followZoom(board) {
	const { data, elements, viewer, scale } = board;
	const { chosen, whole } = viewer.picture;
	const first = firstNow(board);
	const isAny = board.firsts.length > 0;

	elements.first.hidden = !isAny || chosen.reversed || chosen.merged !== null;
	elements.first.value = first;
	if (first === board.first) return false;
	if (data.load !== null) return false;
	board.first = first;
	board.weights =
		first === 0 ? data.weights : matchesIn(data, whole, first, () => true);
	board.grid = makeGrid(scale, data, board.weights);
	showMessage(board, '');
	return true;
}

function zoomToFirst({ elements, viewer, helpers }) {
	const { view, whole } = viewer.picture;
	const wanted = whole.name[elements.first.value];
	let frame = view.parent.length - 1;

	while (frame > 0 && !(view.parent[frame] === 0 && view.name[frame] === wanted))
		frame--;
	helpers.zoom(viewer.picture, frame);
}

/* ---- selecting */

function hasCounts({ data: { slices, width }, weights }, { from, to }) {
	return slices.some((slice, i) => {
		const time = slice * width;
		return time >= from && time < to && weights[i] > 0;
	});
}

/*
 * Shows the range that the user has just selected (`waiting`). Called at most once per
 * animation frame, because drawing takes a while.
 */
function apply(board) {
	const { data, helpers, viewer, waiting } = board;

	/* whenLoaded() will call us again. */
	if (data.load !== null) {
		showMessage(board, 'Reading the counts of the slices\u2026');
		return;
	}
	const span = waiting.before ?? waiting;

	board.waiting = null;
	if (!hasCounts(board, span)) {
		showMessage(board, 'Nothing was counted from ' + helpers.spanOf(span));
		drawMarks(board);
		return;
	}
	showMessage(board, '');
	helpers.select(viewer.picture, waiting, board.goesOn && rangeNow(board) !== null);
	board.goesOn = board.isDragging;
}

/*
 * Selects the range from one cell to another or, while the user compares, makes it the
 * second range.
 */
function choose(board, one, other) {
	const { grid, isComparing, waiting } = board;
	const [a, b] = [timeOf(grid, one), timeOf(grid, other)];
	const span = { from: min(a.from, b.from), to: max(a.to, b.to) };
	const range = rangeNow(board);

	if (waiting === null) requestAnimationFrame(() => apply(board));
	board.waiting =
		isComparing && range ? { ...range, before: span } : { ...span, before: null };
}

/*
 * Ends the selection of a range. The next Shift-arrow extends the same range, so a
 * selection by keys keeps its anchor.
 */
function endRange(board) {
	const { byKeys, isComparing, waiting } = board;

	board.isDragging = false;
	if (!byKeys) board.anchor = null;
	if (isComparing && (rangeNow(board)?.before || waiting?.before))
		requestAnimationFrame(() => setComparing(board, false));
}

function showComparing({ elements, isComparing, viewer }) {
	const isOn = isComparing || Boolean(rangeNow({ viewer })?.before);

	change(elements.compare, 'aria-pressed', isOn);
}

function setComparing(board, on) {
	board.isComparing = on;
	showComparing(board);
	showMessage(board, on ? 'Now select a range to compare with this one' : '');
}

function toggleComparing(board) {
	const { viewer, helpers, isComparing } = board;
	const range = rangeNow(board);

	if (!range) showMessage(board, 'Select a range first, then one to compare it with');
	else if (range.before) helpers.select(viewer.picture, { ...range, before: null });
	else setComparing(board, !isComparing);
}

/*
 * If we wait for a second range to compare with, stops that. Otherwise clears the
 * selected range. Returns false if there was nothing to do.
 */
function escape(board) {
	const { viewer, helpers, isComparing } = board;

	if (isComparing) setComparing(board, false);
	else if (rangeNow(board)) helpers.select(viewer.picture, null);
	else return false;
	return true;
}

/*
 * Returns the cell where the arrow keys start: the first one of the selected range or,
 * without a range, that of the first slice.
 */
function firstCell(board) {
	const { grid, data } = board;

	return cellAt(grid, rangeNow(board)?.from ?? data.slices[0] * data.width);
}

/*
 * Makes the map. helpers: clockOf() and spanOf() (heat.js) make texts of times;
 * select() and zoom() (picture.js) change the picture.
 */
export function makeBoard(viewer, data, helpers) {
	const firsts = firstsOf(viewer.picture.whole);
	const scales = scalesOf(data);
	const elements = makeElements(firsts, scales);
	const { width: drawnWidth, fontSize, fontWidth } = viewer.settings;
	const drawnAxis = PADDING + ROW_TEXT * fontSize * fontWidth;
	const drawnScale = scaleFor(scales, drawnWidth - PADDING - drawnAxis);
	const hands = { byKeys: false, byMouse: false };
	const flags = { isComparing: false, isDragging: false, ...hands };
	const parts = { viewer, data, helpers, elements, scales, firsts };
	const shades = { first: 0, weights: data.weights };
	const board = { ...parts, ...shades, ...flags, goesOn: false, waiting: null };

	viewer.bars.head.append(elements.board);
	setScale(board, scaleFor(scales, elements.scroller.clientWidth - PADDING));
	elements.scale.addEventListener('change', ({ target }) =>
		setScale(board, scales[target.value]),
	);
	elements.compare.addEventListener('click', () => toggleComparing(board));
	elements.first.addEventListener('change', () => zoomToFirst(board));
	window.addEventListener('resize', () => draw(board));
	viewer.paint.onThemeChange(() => draw(board));
	function refresh() {
		const isNew = followZoom(board);

		showComparing(board);
		if (isNew || board.term !== termOf(viewer.picture)) shadeMatches(board);
		else {
			showShades(board);
			drawMarks(board);
		}
	}

	/*
	 * Must be called when the counts of all slices have been read. Shows the range and
	 * the matches that had to wait for them.
	 */
	function whenLoaded() {
		board.term = null;
		refresh();
		if (board.waiting) apply(board);
	}

	/* drawn: the scale of the map that the program has drawn. */
	const drawn = { ...drawnScale, cellAt: (time) => cellAt(drawnScale, time) };
	return { board, drawn, refresh, whenLoaded };
}

/* ---- pointer and keys */

function cellUnder({ elements, frame }, { clientX, clientY }) {
	const { x, y } = elements.map.getBoundingClientRect();

	return frame.cellOf(clientX - x, clientY - y);
}

function onDown(board, event) {
	const { map } = board.elements;

	if (event.button !== 0) return;
	const cell = cellUnder(board, event);
	Object.assign(board, { anchor: cell, cursor: cell, isDragging: true });
	Object.assign(board, { goesOn: false, byKeys: false, byMouse: true });
	Object.assign(board.viewer.pointer ?? {}, { byKeyboard: false });
	map.setPointerCapture(event.pointerId);
	map.focus({ preventScroll: true });
	choose(board, cell, cell);
	event.preventDefault();
}

function onMove(board, event) {
	const { isDragging, cursor, anchor } = board;
	const cell = cellUnder(board, event);

	showCard(board, cell, event);
	if (!isDragging || (cell.x === cursor.x && cell.y === cursor.y)) return;
	board.cursor = cell;
	choose(board, anchor, cell);
}

function onUp(board) {
	if (board.isDragging) endRange(board);
}

function cellAfter({ grid }, cell, step) {
	const { first, columns, column, row } = grid;
	const [start, end] = [first * column, (first + columns) * column - row];

	return cellAt(grid, max(start, min(end, timeOf(grid, cell).from + step)));
}

function moveBy(board, event, step) {
	const before = board.cursor ?? firstCell(board);

	board.cursor = cellAfter(board, before, step);
	if (event.shiftKey) {
		board.anchor ??= before;
		board.goesOn = board.isDragging;
		board.isDragging = true;
		choose(board, board.anchor, board.cursor);
	} else board.anchor = null;
	drawMarks(board);
	showMessage(board, cellText(board, board.cursor));
	board.viewer.access.announceSoon(board.elements.message.textContent);
}

function selectCell(board) {
	board.cursor ??= firstCell(board);
	board.goesOn = false;
	choose(board, board.cursor, board.cursor);
	endRange(board);
}

/* The time by which each key moves the cursor, from the times of a column and a row. */
const MOVES = {
	ArrowLeft: ({ column }) => -column,
	ArrowRight: ({ column }) => column,
	ArrowUp: ({ row }) => row,
	ArrowDown: ({ row }) => -row,
	PageUp: ({ column }) => -10 * column,
	PageDown: ({ column }) => 10 * column,
	Home: () => -Infinity,
	End: () => Infinity,
};

const KEYS = { Enter: selectCell, ' ': selectCell, b: toggleComparing, Escape: escape };

function onKey(board, event) {
	const { key, altKey, ctrlKey, metaKey } = event;

	if (altKey || ctrlKey || metaKey) return;
	const isMove = Object.hasOwn(MOVES, key);
	if (!isMove && !Object.hasOwn(KEYS, key)) return;
	Object.assign(board, { byKeys: true, byMouse: false });
	if (isMove) moveBy(board, event, MOVES[key](board.grid));
	else if (KEYS[key](board) === false) return;
	event.preventDefault();
	event.stopPropagation();
}

/*
 * The browser also sends this event if the user comes back to the window. So after a
 * click on the map it does not mean that the keyboard is used.
 */
function onFocus(board) {
	board.byKeys = !board.byMouse || Boolean(board.viewer.pointer?.byKeyboard);
	board.cursor ??= firstCell(board);
	drawMarks(board);
}

const LISTENERS = {
	pointerdown: onDown,
	pointermove: onMove,
	pointerup: onUp,
	pointercancel: onUp,
	pointerleave(board) {
		hideCard(board);
		if (!board.isDragging) showMessage(board, '');
	},
	focus: onFocus,
	blur: drawMarks,
	keydown: onKey,
	keyup: (board, { key }) => key === 'Shift' && onUp(board),
};

/* Listens to pointer and keys on the map. */
export function listenTo(board) {
	for (const [type, react] of Object.entries(LISTENERS))
		board.elements.map.addEventListener(type, (event) => react(board, event));
}
