/* Handles the pointer and the keys in a heat map. */

import { max, min } from './format.js';
import { cellAt, timeOf } from './grid.js';
import {
	cellText,
	choose,
	drawMarks,
	endRange,
	escape,
	firstCell,
	tell,
	toggleComparing,
} from './heatboard.js';

function cellUnder({ elements, frame }, { clientX, clientY }) {
	const { x, y } = elements.map.getBoundingClientRect();

	return frame.cellOf(clientX - x, clientY - y);
}

function onDown(board, event) {
	const { map } = board.elements;

	if (event.button !== 0) return;
	const cell = cellUnder(board, event);
	Object.assign(board, { anchor: cell, cursor: cell, isDragging: true });
	Object.assign(board, { goesOn: false, byKeys: false });
	map.setPointerCapture(event.pointerId);
	map.focus({ preventScroll: true });
	choose(board, cell, cell);
	event.preventDefault();
}

function onMove(board, event) {
	const { isDragging, cursor, anchor } = board;
	const cell = cellUnder(board, event);

	tell(board, cellText(board, cell));
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
	tell(board, cellText(board, board.cursor));
	board.viewer.access.announceSoon(board.elements.told.textContent);
}

function selectCell(board) {
	board.cursor ??= firstCell(board);
	board.goesOn = false;
	choose(board, board.cursor, board.cursor);
	endRange(board);
}

/* How far each key goes, in columns or rows. */
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
	board.byKeys = true;
	if (isMove) moveBy(board, event, MOVES[key](board.grid));
	else if (KEYS[key](board) === false) return;
	event.preventDefault();
	event.stopPropagation();
}

function onFocus(board) {
	board.byKeys = !board.isDragging;
	board.cursor ??= firstCell(board);
	drawMarks(board);
}

const LISTENERS = {
	pointerdown: onDown,
	pointermove: onMove,
	pointerup: onUp,
	pointercancel: onUp,
	pointerleave: (board) => board.isDragging || tell(board, ''),
	focus: onFocus,
	blur: drawMarks,
	keydown: onKey,
	keyup: (board, { key }) => key === 'Shift' && onUp(board),
};

export function listenTo(board) {
	for (const [type, react] of Object.entries(LISTENERS))
		board.elements.map.addEventListener(type, (event) => react(board, event));
}
