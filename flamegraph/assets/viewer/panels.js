/*
 * Panels over the picture: the one with the keys (?) and the menu "More" for things
 * that are not done every day. table.js makes another one.
 */

import { makeButton } from './bars.js';
import { CHANGES } from './features.js';
import { change, html, part } from './page.js';
import { canSort } from './picture.js';

const KEYS = [
	['click, Space', 'zoom into the frame'],
	['right click, Enter', 'open its menu'],
	['Escape', 'back out of the zoom'],
	['arrows, Home', 'go from frame to frame'],
	['Ctrl-F, F3, /', 'search as you type'],
	['n, N', 'next, previous match'],
	['Ctrl-I', 'ignore case'],
	['o, x', 'only, without the matches'],
	['Ctrl-click, m', 'its callers and callees'],
	['Alt-click, h', 'leave the frame out'],
	['r', 'reverse: who calls what'],
	['f', 'collapse recursion'],
	['s', 'sort by weight or by name'],
	['t', 'table of functions'],
	['i', 'upside down'],
	['u', 'undo'],
	['c, C, l', 'copy the name, the stack, the link'],
	['d, p', 'save the stacks, the picture'],
	['.', 'more: copy, save'],
	['?', 'show or hide these keys'],
];

/* A row for pictures that can be compared. */
const DROP = ['drop a file', 'compare with that profile'];

/*
 * Makes a panel. build() makes its element when it is shown. onChange() gets true after
 * the panel is shown, and false after it is hidden.
 */
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

/* Makes the panel with the keys. settings.keys: more keys, from chart.js. */
export function makeHelp(bars, settings) {
	function build() {
		const { isChart, keys: others = [] } = settings;
		const keys = KEYS.filter(([key]) => !(isChart && key === 's')).concat(
			CHANGES ? [DROP] : [],
			others,
		);
		const list = keys.map(([key, meaning]) =>
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

/* The buttons of the bars that are hidden on a phone. The menu has copies of them. */
const SMALL = ['link', 'help', 'only', 'without', 'swap'];
const ORDER = [
	['invert', 'Flip', 'Turn the picture upside down: i', true],
	['collapse', 'Collapse recursion', 'Calls of itself as one: f', true],
	['byweight', 'Sort by weight', 'Sort by weight or by name: s', true],
	['overview', 'Overview', 'Show which part of the picture is in the window', true],
];
const COMPARE = [
	[
		'compare',
		'Compare with\u2026',
		'Compare with a profile in a file: folded stacks, or an SVG. ' +
			'You can also drop the file on the picture',
	],
];
const TAKE = [
	['hide', 'Leave out a frame', 'Leave out a frame and all that it calls: h'],
	['name', 'Copy the name', 'Copy the name of a frame: c'],
	['stack', 'Copy the stack', 'Copy the stack of a frame: C'],
	['folded', 'Save the stacks', 'Save as folded stacks: d'],
	['png', 'Save the picture', 'Save as a PNG: p'],
];

/* Returns true if a function calls itself directly anywhere. */
function recurs({ name, parent, count }) {
	for (let i = 1; i < count; i++) if (name[i] === name[parent[i]]) return true;
	return false;
}

/* Returns false for a button that has no use in this picture. */
function isOffered({ tree, settings, chosen }, name) {
	if (name === 'byweight') return canSort({ settings, chosen });
	return (
		name !== 'collapse' || chosen.collapsed || (!settings.isChart && recurs(tree))
	);
}

/* Copies the buttons of SMALL. Leaves out those about matches if there is no search. */
function smallGroup({ head }) {
	const copies = Array.from(head.querySelectorAll('button'))
		.filter((one) => SMALL.includes(one.name) && !one.closest('[hidden]'))
		.map((one) => one.cloneNode(true));

	return part('group fg-small', ...copies);
}

/* Makes the menu "More". `map` is the overview, which the menu can switch off. */
export function makeMore(bars, { picture, map }) {
	const opener = bars.buttons.menu;
	const canDo = ([name]) =>
		name === 'overview' ? map.canShow() : isOffered(picture, name);

	function group(rows) {
		const { flipped, collapsed, byWeight } = picture.chosen;
		const pressed = {
			invert: flipped,
			collapse: collapsed,
			byweight: byWeight,
			overview: map.isWanted(),
		};
		const buttons = rows.filter(canDo).map(makeButton);

		for (const one of buttons)
			if (one.name in pressed) change(one, 'aria-pressed', pressed[one.name]);
		return part('group', ...buttons);
	}

	function build() {
		const menu = html(
			'div',
			{ class: 'fg-more', role: 'group', 'aria-label': 'More' },
			smallGroup(bars),
			group(ORDER),
			...(CHANGES && picture.ofVersus ? [group(COMPARE)] : []),
			group(TAKE),
		);

		menu.style.top = bars.headHeight() + 'px';
		return menu;
	}

	const panel = makePanel(bars, build, (shown) =>
		change(opener, 'aria-expanded', shown),
	);

	change(opener, 'aria-expanded', false);
	return {
		...panel,
		toggle() {
			panel.toggle();
			const first = Array.from(document.querySelectorAll('.fg-more button')).find(
				(one) => panel.has(one) && one.getClientRects().length > 0,
			);
			(first ?? opener).focus();
		},
		/* Closes the menu after a click elsewhere. Returns true if it was open. */
		leave(node) {
			const leaves =
				panel.isShown() && !panel.has(node) && !opener.contains(node);
			if (leaves) panel.hide();
			return leaves;
		},
	};
}
