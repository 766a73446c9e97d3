/*
 * The icons of the buttons. The style sheet draws these signs, so they are not part of
 * the button's text, and no picture within the picture.
 */

import { html } from './page.js';

const SIGNS = {
	search: '\u26b2',
	close: '\u00d7',
	prev: '\u2039',
	next: '\u203a',
	hide: '\u2298',
	undo: '\u21b6',
	invert: '\u21c5',
	more: '\u22ef',
	help: '?',
};

export function icon(name) {
	const look = { class: 'fg-icon fg-icon-' + name, 'aria-hidden': 'true' };

	return html('i', { ...look, 'data-sign': SIGNS[name] });
}
