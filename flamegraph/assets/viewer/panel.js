/* The keys, shown when asked, and the table of functions: panels over the picture. */

import { change, html } from './page.js';

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
	['s', 'sort by weight or by name'],
	['t', 'table of functions'],
	['i', 'upside down'],
	['u', 'undo'],
	['c, C', 'copy the name, the stack'],
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
		);
	}

	return makePanel(bars, build, (shown) =>
		change(bars.buttons.help, 'aria-pressed', shown),
	);
}
