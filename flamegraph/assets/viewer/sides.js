/*
 * The controls of a differential: whose counts decide the widths, and the order by
 * change.
 */

import { CHANGES } from './features.js';
import { button, change, html } from './page.js';
import {
	canShow,
	compareWith,
	showWidths,
	sortByChange,
	widthsNow,
} from './picture.js';

const SIDES = [
	['before', 'Before', 'Widths show the first profile'],
	['after', 'After', 'Widths show the second profile, without frames that are gone'],
	[
		'union',
		'Both',
		'Widths show the second profile, and the first for frames that are gone',
	],
];

/* The actions of the buttons. */
export const PRESS_SIDES = CHANGES && {
	'by-change': ({ picture }) => sortByChange(picture),
	swap: ({ picture }) => compareWith(picture, -picture.chosen.versus),
	...Object.fromEntries(
		SIDES.map(([name]) => [
			'widths-' + name,
			({ picture }) => showWidths(picture, name),
		]),
	),
};

/*
 * Makes the controls. They are shown while the picture is a differential. A plain
 * picture becomes a differential while the user compares two ranges of time.
 */
export function makeSides(bars, picture) {
	let made = null;

	function make() {
		const sides = SIDES.filter(([name]) => canShow(picture, name)).map(
			([name, text, title]) => [name, button('widths-' + name, text, { title })],
		);
		const title = 'Sort by change, the largest first';
		const order = button('by-change', 'By change', { title });
		const named = { class: 'fg-sides', role: 'group', 'aria-label': 'Widths' };
		const group = html('span', named, ...sides.map(([, one]) => one));
		const swap = button('swap', 'Swap', { title: 'Swap before and after' });
		const compare = html('span', { class: 'fg-compare' }, order, swap);

		if (sides.length > 1) compare.prepend(group);
		bars.whole.after(compare);
		return { sides, order, swap, compare };
	}

	function refresh() {
		const isDiff = Boolean(picture.base.before) && !picture.settings.isChart;

		if (isDiff) made ??= make();
		if (!made) return;
		made.compare.hidden = !isDiff;
		made.swap.hidden = picture.chosen.versus === 0;
		change(made.order, 'aria-pressed', picture.chosen.byChange);
		for (const [name, one] of made.sides)
			change(one, 'aria-pressed', name === widthsNow(picture));
	}

	if (picture.base.before && !picture.settings.isChart) refresh();
	return { refresh };
}
