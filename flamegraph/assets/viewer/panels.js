/* Panels over the picture: the keys, and the table of functions. */

import { makeButton } from './bars.js';
import { abs, compare, thousands } from './format.js';
import { displayName } from './names.js';
import { button, change, html } from './page.js';
import { listFunctions } from './tree.js';

const KEYS = [
	['click, Enter', 'zoom into the frame'],
	['Escape', 'back out of the zoom'],
	['arrows, Home', 'go from frame to frame'],
	['Ctrl-F, F3, /', 'search as you type'],
	['n, N', 'next, previous match'],
	['Ctrl-I', 'ignore case'],
	['o, x', 'only, without the matches'],
	['Ctrl-click, m', 'its callers and callees'],
	['Alt-click, h', 'hide the frame'],
	['r', 'reverse: who calls what'],
	['f', 'collapse recursion'],
	['s', 'sort by weight or by name'],
	['t', 'table of functions'],
	['i', 'upside down'],
	['u', 'undo'],
	['c, C', 'copy the name, the stack'],
	['d, p', 'save the stacks, the picture'],
	['?', 'show or hide these keys'],
];

/* A panel that is made when it is first shown. */
export function makePanel(bars, build, onChange) {
	let panel = null;

	function hide() {
		panel?.remove();
		panel = null;
		onChange(false);
	}

	return {
		hide,
		toggle() {
			if (panel) return hide();
			panel = build();
			panel.classList.add('fg-panel');
			bars.show(panel);
			return onChange(true);
		},
		isShown: () => panel !== null,
		has: (node) => panel !== null && panel.contains(node),
	};
}

export function makeHelp(bars) {
	function build() {
		const list = KEYS.map(([key, meaning]) =>
			html('div', {}, html('dt', {}, key), html('dd', {}, meaning)),
		);

		return html(
			'div',
			{ class: 'fg-help', role: 'note', 'aria-label': 'Keys' },
			html('dl', {}, ...list),
			makeButton(['collapse', 'Collapse recursion', 'Calls of itself as one: f']),
			' ',
			makeButton(['folded', 'Save the stacks', 'As folded stacks: d']),
			' ',
			makeButton(['png', 'Save the picture', 'As a PNG: p']),
		);
	}

	return makePanel(bars, build, (shown) =>
		change(bars.buttons.help, 'aria-pressed', shown),
	);
}

/* The table of functions: their own counts and totals, and the way to their callers. */

const AT_FIRST = 200;
const MORE = 1000;
const WIDTH = 480;
const COLUMNS = [
	['own', 'Self', 'Counts of the function itself'],
	['all', 'Total', 'With what it calls; recursion is counted once'],
	['delta', 'Delta', 'How much the total differs from the one before'],
	['name', 'Function', 'Sort by name'],
];

function comparer(key, names) {
	const byName = (a, b) => compare(names[a.name], names[b.name]);
	const largest = {
		own: (a, b) => b.own - a.own || b.all - a.all,
		all: (a, b) => b.all - a.all || b.own - a.own,
		delta: (a, b) => abs(b.delta) - abs(a.delta),
		name: byName,
	};

	return (a, b) => largest[key](a, b) || byName(a, b);
}

/* The rows of a tree that match, sorted. */
function rowsOf(tree, found, key) {
	return listFunctions(tree)
		.filter(({ name }) => !found || found.isName[name])
		.sort(comparer(key, tree.names));
}

function makeHead(columns, sortedBy) {
	const cells = columns.map(([key, text, title]) =>
		html(
			'th',
			{
				scope: 'col',
				'aria-sort':
					key !== sortedBy
						? 'none'
						: key === 'name'
							? 'ascending'
							: 'descending',
			},
			button('sort-' + key, text, { title }),
		),
	);

	return html('thead', {}, html('tr', {}, ...cells));
}

/* One row; its button leads to the function's callers and callees. */
function makeRow(row, columns, { tree, texts }) {
	const cell = (key) =>
		html(
			'td',
			{ title: texts.exact(tree, row[key]) },
			(key === 'delta' && row[key] > 0 ? '+' : '') + texts.human(tree, row[key]),
			html('span', {}, texts.shareOf(tree, row[key])),
		);
	const numbers = columns.filter(([key]) => key !== 'name').map(([key]) => cell(key));
	const name = html('bdi', {}, displayName(tree.names[row.name]));

	return html(
		'tr',
		{},
		...numbers,
		html('th', { scope: 'row' }, button('function', name, { value: row.name })),
	);
}

/* Caption, table and, where there are more than `most` rows, a button for them. */
function contentsOf(picture, texts, sortedBy, most) {
	const { tree, found } = picture;
	const columns = COLUMNS.filter(([key]) => key !== 'delta' || tree.before);
	const rows = rowsOf(tree, found, sortedBy);
	const shown = rows
		.slice(0, most)
		.map((row) => makeRow(row, columns, { tree, texts }));
	const caption =
		thousands(rows.length) +
		(rows.length === 1 ? ' function' : ' functions') +
		(found ? ' that match the search' : '') +
		'; shares are of ' +
		texts.wholeOf(picture);
	const more = button('more', thousands(rows.length - shown.length) + ' more');

	return [
		html(
			'table',
			{},
			html('caption', {}, caption),
			makeHead(columns, sortedBy),
			html('tbody', {}, ...shown),
		),
		...(rows.length > shown.length ? [more] : []),
	];
}

export function makeTable(bars, picture, texts, redraw) {
	let sortedBy = 'own';
	let most = AT_FIRST;
	let body = null;

	function refresh() {
		if (!body) return;
		const name =
			body.contains(document.activeElement) && document.activeElement.name;
		const value = name && document.activeElement.value;
		body.replaceChildren(...contentsOf(picture, texts, sortedBy, most));
		if (name)
			Array.from(body.querySelectorAll('button'))
				.find((one) => one.name === name && one.value === value)
				?.focus();
	}

	function build() {
		body = html('div', { class: 'fg-table', tabindex: '-1' });
		body.style.top = bars.headHeight() + 'px';
		most = AT_FIRST;
		refresh();
		return body;
	}

	const panel = makePanel(bars, build, (shown) => {
		if (!shown) body = null;
		change(bars.buttons.table, 'aria-pressed', shown);
		bars.giveSide(shown ? WIDTH : 0);
		redraw();
	});

	return {
		...panel,
		refresh,
		/* What a button of the table does. */
		press({ name, value }, mergeName) {
			if (name === 'function') mergeName(picture.tree.names[value]);
			else if (name === 'more') most += MORE;
			else sortedBy = name.slice('sort-'.length);
			refresh();
		},
	};
}
