/*
 * The panel with the table of functions: a box to filter them, headings that sort and
 * can be dragged wider, and the callers and callees of the function chosen last.
 * cells.js makes the rows. Widths are in pixels.
 */

import { makeCalls, makeCells, makeRows } from './cells.js';
import { CHANGES, SLICES } from './features.js';
import { abs, floor, max, min, thousands } from './format.js';
import { button, fluidWidth, html, isDocument, part } from './page.js';
import { makePanel } from './panels.js';

const AT_FIRST = 100;
const MORE = 1000;
/*
 * The width of the panel beside a picture and beside a differential, and the least
 * width of a window that has space for the picture and the panel.
 */
const WIDTH = 520;
const WIDTH_OF_CHANGES = 680;
const LEAST_FOR_BOTH = 800;
/* A narrower panel shows fewer counts. */
const NARROW = 460;
/* The least width of a column, and how far a key moves its edge. */
const LEAST_COLUMN = 44;
const LEAST_NAME = 120;
const STEP = 16;
/*
 * The width that is not free for a name: in the table it is taken by the swatch and
 * margins, in the lists of callers and callees by the numbers.
 */
const BESIDE_NAME = 38;
const BESIDE_CALL = 170;

/*
 * Key, text and hint of a column, and its width in a wide and in a narrow panel. A
 * column with the width 0 is not shown. The column of names gets the width that is
 * left.
 */
const COLUMNS = [
	['own', 'Self', 'Counts of the function itself', 132, 122],
	['all', 'Total', 'With what it calls; recursion is counted once', 132, 60],
	['name', 'Function', 'The names of the functions', 0, 0],
];
const COLUMNS_OF_CHANGES = [
	['delta', 'Change of self', 'How its own counts changed', 132, 122],
	['old', 'Before', 'Its own counts in the first profile', 124, 60],
	['own', 'After', 'Its own counts in the second profile', 124, 60],
	[
		'all',
		'Total',
		'In the second profile, with all it calls; recursion is counted once',
		66,
		0,
	],
	['name', 'Function', 'The names of the functions', 0, 0],
];

/*
 * Makes the columns. Each has the width that the user has dragged it to, or else that
 * of the lists above.
 */
function makeColumns(hasChanges) {
	const all = CHANGES && hasChanges ? COLUMNS_OF_CHANGES : COLUMNS;
	const dragged = new Map();
	let isNarrow = false;
	const widthOf = ([key, , , wide, narrow]) =>
		dragged.get(key) ?? (isNarrow ? narrow : wide);
	const shown = () => all.filter((one) => one[0] === 'name' || widthOf(one) > 0);

	/*
	 * Returns the widths of the shown columns. The column of names gets the rest of
	 * `room`.
	 */
	function widthsIn(room) {
		const widths = shown().map(widthOf);
		const name = widths.pop();
		const left = widths.reduce((rest, width) => rest - width, room);

		return [...widths, name || max(LEAST_NAME, left)];
	}

	return {
		shown,
		widthsIn,
		drag: (key, width) => dragged.set(key, max(LEAST_COLUMN, floor(width))),
		setNarrow(narrow) {
			isNarrow = narrow;
		},
	};
}

function makeHeading([key, text, title], { key: sortedBy, ascending }, isNarrow) {
	const sorted = ascending ? 'ascending' : 'descending';
	const shown = isNarrow ? text.replace(/ .*/, '') : text;
	const hint = title + '; click: sort; Shift and an arrow: wider, narrower';

	return html(
		'th',
		{
			scope: 'col',
			class: key === 'name' ? '' : 'fg-number',
			'aria-sort': key === sortedBy ? sorted : 'none',
		},
		button('sort-' + key, shown, { title: hint }),
		html('span', { class: 'fg-grip', 'data-key': key, 'aria-hidden': 'true' }),
	);
}

/* Makes the parts of the panel that stay while it is shown. */
function makeParts() {
	const filter = html('input', {
		class: 'fg-filter',
		type: 'text',
		spellcheck: 'false',
		autocomplete: 'off',
		autocapitalize: 'off',
		placeholder: 'Filter functions',
		'aria-label': 'Filter functions: a part of the name, or a regular expression',
	});
	const parts = {
		filter,
		caption: html('caption'),
		widths: html('colgroup'),
		head: html('thead'),
		rows: html('tbody'),
		more: button('more', ''),
		calls: part('lists'),
	};
	const { caption, widths, head, rows, more, calls } = parts;
	const close = button('close', '\u00d7', {
		title: 'Close the table: t',
		'aria-label': 'Close the table',
	});

	parts.table = html('table', {}, caption, widths, head, rows);
	parts.scroller = part('scroller', parts.table, more);
	parts.body = html(
		'div',
		{ class: 'fg-table', tabindex: '-1' },
		part('filters', filter, close),
		parts.scroller,
		calls,
	);
	return parts;
}

/*
 * Calls drag(key, width) when the user moves the edge of a column, by dragging or by
 * Shift and an arrow key.
 */
function listenToDragging({ body, table }, drag) {
	let dragging = null;

	function isOurs(event) {
		if (dragging) event.preventDefault();
		return dragging;
	}

	body.addEventListener('pointerdown', (event) => {
		const { key } = event.target.dataset;
		if (!key) return;
		const from = event.target.parentNode.getBoundingClientRect().width;
		dragging = { key, from, x: event.clientX };
		event.target.setPointerCapture(event.pointerId);
		event.preventDefault();
	});
	body.addEventListener('pointermove', (event) => {
		if (!isOurs(event)) return;
		drag(dragging.key, dragging.from + event.clientX - dragging.x);
	});
	for (const type of ['pointerup', 'pointercancel'])
		body.addEventListener(type, (event) => {
			if (isOurs(event)) dragging = null;
		});
	table.addEventListener('keydown', (event) => {
		const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
		const heading = event.target.closest('thead th');
		if (!heading || !step || !event.shiftKey) return;
		const { width } = heading.getBoundingClientRect();
		drag(heading.lastChild.dataset.key, width + step);
		event.preventDefault();
		event.stopPropagation();
	});
}

/* Places the panel beside the picture or, if there is no space for both, over it. */
function makePlace(bars, settings) {
	let watcher = null;

	function sideNow() {
		const all = fluidWidth();
		const wide = settings.diff ? WIDTH_OF_CHANGES : WIDTH;

		return isDocument && all >= LEAST_FOR_BOTH ? min(wide, floor(all * 0.49)) : 0;
	}

	/*
	 * Places the panel, and measures the width of its table (`room`) before the picture
	 * changes, because the layout of a picture takes longer. The details stay visible
	 * below the panel or beside it.
	 */
	function put(parts) {
		const { body, scroller } = parts;
		const side = sideNow();

		body.style.width = side > 0 ? side + 'px' : '100%';
		parts.room = scroller.clientWidth;
		const isBeside = bars.giveSide(side || Infinity);
		bars.foot.style.width = isBeside ? 'calc(100% - ' + side + 'px)' : '';
		bars.foot.classList.toggle('fg-last', !isBeside);
		body.style.top = bars.headHeight() + 'px';
		body.style.bottom = isBeside ? '0' : bars.foot.offsetHeight + 'px';
	}

	return {
		put,
		sideNow,
		/* Places the panel now and whenever a bar changes its height. */
		take(parts) {
			put(parts);
			if (!window.ResizeObserver) return;
			watcher = new ResizeObserver(() => put(parts));
			for (const bar of [bars.head, bars.foot]) watcher.observe(bar);
		},
		leave() {
			watcher?.disconnect();
			bars.giveSide(0);
			bars.foot.style.width = '';
			bars.foot.classList.remove('fg-last');
		},
	};
}

/* Returns "223 functions that match; shares are of 2.824 s of cpu-clock". */
function captionOf({ found }, count, { isFiltered, whole }) {
	return (
		thousands(count) +
		(count === 1 ? ' function' : ' functions') +
		(found || isFiltered ? (count === 1 ? ' that matches' : ' that match') : '') +
		(found ? ' the search' : '') +
		'; shares are of ' +
		whole
	);
}

/*
 * Sets the widths of the columns. The column of names gets the width that is left. Then
 * draws the rows.
 */
function layOut(table) {
	const { columns, parts } = table;
	const { room } = parts;

	columns.setNarrow(room < NARROW);
	parts.body.classList.toggle('fg-narrow', room < NARROW);
	const list = columns.widthsIn(room);
	parts.table.style.width = list.reduce((sum, width) => sum + width, 0) + 'px';
	parts.widths.replaceChildren(
		...list.map((width) => {
			const column = html('col');
			column.style.width = width + 'px';
			return column;
		}),
	);
	drawRows(table, list);
}

function makeRow(table, row, { cellsOf, shown }) {
	const isChosen = table.helpers.picture.tree.names[row.name] === table.chosen;
	const marks = { class: 'fg-chosen', 'aria-current': 'true' };

	return html('tr', isChosen ? marks : {}, ...cellsOf(row, shown));
}

/* Draws the headings and rows, unless nothing has changed, for widths of columns. */
function drawRows(table, widths) {
	const { helpers, columns, parts, sorted, most, term, chosen, drawn } = table;
	const { picture, texts, measure } = helpers;
	const list = table.rowsOf(sorted, term);
	const shown = columns.shown();
	const isNarrow = parts.body.classList.contains('fg-narrow');
	const whole = texts.wholeOf(picture);
	const wanted = [list, most, widths.join(), isNarrow, chosen, whole, parts];

	if (wanted.every((one, i) => one === drawn[i])) return;
	table.drawn = wanted;
	const changes = list.map(({ own, ownBefore }) => abs(own - ownBefore));
	const largest = changes.reduce((one, other) => max(one, other), 0);
	const how = picture.settings.shorten;
	const { widthOf } = measure;
	const room = widths[widths.length - 1] - BESIDE_NAME;
	const rows = list.slice(0, most);
	const ids = rows.map(({ name }) => name);
	const measures = { room, widths, widthOf, how, most: largest };
	const cellsOf = makeCells(helpers, ids, measures);
	const isFiltered = term !== '';
	const rest = list.length - rows.length;

	parts.caption.textContent = captionOf(picture, list.length, { isFiltered, whole });
	parts.head.replaceChildren(
		html('tr', {}, ...shown.map((one) => makeHeading(one, sorted, isNarrow))),
	);
	parts.rows.replaceChildren(
		...rows.map((row) => makeRow(table, row, { cellsOf, shown })),
	);
	parts.more.hidden = rest === 0;
	parts.more.textContent = rest > 0 ? thousands(rest) + ' more' : '';
}

/* Draws the callers and callees of the function that was chosen last. */
function drawCalls({ helpers, parts, chosen }) {
	const { picture, measure } = helpers;
	const { calls } = parts;

	calls.hidden = chosen === null;
	if (calls.hidden) return;
	const room = max(LEAST_NAME, parts.room - BESIDE_CALL);
	const measures = { room, widthOf: measure.widthOf, how: picture.settings.shorten };
	calls.replaceChildren(...makeCalls(helpers, chosen, measures));
}

/* Draws the table. The focus stays on its button, if that is still there. */
function refresh(table) {
	const { parts, helpers } = table;
	const { activeElement } = document;

	if (!parts) return;
	const hasFocus = parts.body.contains(activeElement);
	const { name, value } = activeElement ?? {};
	const isSame = (one) => one.name === name && one.value === value;

	table.chosen = helpers.picture.chosen.merged ?? table.chosen;
	layOut(table);
	drawCalls(table);
	if (hasFocus && !activeElement.isConnected)
		Array.from(parts.body.querySelectorAll('button')).find(isSame)?.focus();
}

/*
 * Filters the functions while the user types. Escape clears the filter or, if it is
 * empty, leaves it.
 */
function listenToFilter(table) {
	const { body, filter } = table.parts;

	function setTerm(term) {
		Object.assign(table, { term, most: AT_FIRST });
		refresh(table);
	}

	body.addEventListener('input', (event) => {
		event.stopPropagation();
		setTerm(filter.value);
	});
	filter.addEventListener('keydown', (event) => {
		if (event.key !== 'Escape') return;
		if (filter.value === '') body.focus();
		event.stopPropagation();
		filter.value = '';
		setTerm('');
	});
}

/* Moves the focus from name to name by the arrows, Home and End. */
function listenToArrows({ body, filter }) {
	body.addEventListener('keydown', (event) => {
		const { key, target } = event;
		const all = Array.from(body.querySelectorAll('[name="function"]'));
		const at = all.indexOf(target);
		const next = {
			ArrowDown: all[at + 1],
			ArrowUp: all[at - 1],
			Home: all[0],
			End: all[all.length - 1],
		}[key];

		if (!next || (at < 0 && !(target === filter && key === 'ArrowDown'))) return;
		next.focus();
		event.preventDefault();
		event.stopPropagation();
	});
}

/* Sorts by a column. If the table is sorted by it already, reverses the order. */
function sortBy(table, key) {
	const { sorted } = table;
	const isOther = key !== sorted.key;

	table.sorted = { key, ascending: isOther ? key === 'name' : !sorted.ascending };
}

function press(table, { name, value }, mergeName) {
	if (name === 'function') {
		table.chosen = table.helpers.picture.tree.names[value];
		mergeName(table.chosen);
	} else if (name === 'more') table.most += MORE;
	else sortBy(table, name.slice('sort-'.length));
}

/* Returns the columns, and by which of them the table is sorted at first. */
function columnsFor({ base }) {
	const hasChanges = CHANGES && Boolean(base.before);

	return {
		hasChanges,
		columns: makeColumns(hasChanges),
		sorted: { key: hasChanges ? 'delta' : 'own', ascending: false },
	};
}

/*
 * Changes the columns if the picture has become a differential or has stopped being
 * one.
 */
function follow(table) {
	const { picture } = table.helpers;

	if (table.hasChanges !== Boolean(picture.base.before))
		Object.assign(table, columnsFor(picture));
}

/*
 * Makes the table. redraw() draws the picture again, because the table changes its
 * width.
 */
export function makeTable(helpers, redraw) {
	const { bars, picture } = helpers;
	const place = makePlace(bars, picture.settings);
	const table = {
		helpers,
		...columnsFor(picture),
		rowsOf: makeRows(picture),
		most: AT_FIRST,
		term: '',
		chosen: null,
		parts: null,
		drawn: [],
	};

	function build() {
		const parts = makeParts();

		Object.assign(table, { parts, most: AT_FIRST, term: '' });
		listenToFilter(table);
		listenToArrows(parts);
		listenToDragging(parts, (key, width) => {
			table.columns.drag(key, width);
			refresh(table);
		});
		return parts.body;
	}

	function onChange(isShown) {
		if (isShown) place.take(table.parts);
		else {
			table.parts = null;
			place.leave();
		}
		redraw();
		refresh(table);
	}

	const panel = makePanel(bars, build, onChange);

	/* Adapts the table that is shown, and the picture, to a new size of the window. */
	function onResize() {
		place.put(table.parts);
		redraw();
		refresh(table);
	}

	return {
		...panel,
		onResize,
		refresh() {
			if (SLICES) follow(table);
			refresh(table);
		},
		/* Returns true if there is space for the table beside the picture. */
		canBeBeside: () => place.sideNow() > 0,
		focus: () =>
			(table.parts.rows.querySelector('button') ?? table.parts.filter).focus(),
		/* Does what a button of the table does. */
		press(button, mergeName) {
			if (button.name === 'close') panel.hide();
			else press(table, button, mergeName);
			refresh(table);
		},
	};
}
