/* Panels over the picture, and the one with the keys (?). */

import { makeButton } from './bars.js';
import { change, html } from './page.js';

const KEYS = [
	['click, Space', 'zoom into the frame'],
	['right click, Enter', 'what else: its menu'],
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
	['c, C', 'copy the name, the stack'],
	['d, p', 'save the stacks, the picture'],
	['.', 'more: copy, save'],
	['?', 'show or hide these keys'],
];

/* Makes a panel. build() makes its element when it is shown. */
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

export function makeHelp(bars, { isChart }) {
	function build() {
		const keys = KEYS.filter(([key]) => !(isChart && key === 's'));
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
