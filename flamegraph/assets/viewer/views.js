/*
 * The views that have names: their buttons, and the changes of the state that lead to
 * them. The user looks at one of them at a time.
 */

import { change } from './page.js';

/* Name of the button, its text, its hint, and true for a toggle. */
export const VIEWS = [
	['flame', 'Flame', 'Calls from the root on, sorted by name', true],
	['reverse', 'Bottom-up', 'From the leaves to their callers, by weight: r', true],
	['sort', 'Left heavy', 'Sorted by weight, the heaviest at the left: s', true],
	['callers', 'Sandwich', 'A function between its callers and callees: m', true],
	['table', 'Table', 'All functions with their own counts and totals: t', true],
];

/* Returns the views of a picture. A chart is in the order of time and is not sorted. */
export function viewsOf({ isChart }) {
	return VIEWS.filter(([name]) => !(isChart && name === 'sort')).map((view) =>
		isChart && view[0] === 'flame'
			? ['flame', 'Flame chart', 'Calls in the order of time', true]
			: view,
	);
}

/* Returns the name of the view that the user looks at. */
export function currentView({ picture, table }) {
	const { merged, reversed, byWeight } = picture.chosen;

	if (table.isShown()) return 'table';
	if (merged !== null) return 'callers';
	return reversed ? 'reverse' : byWeight ? 'sort' : 'flame';
}

/* Returns the changes of the state that lead to a view. */
export function changesFor(name) {
	return { merged: null, reversed: name === 'reverse', byWeight: name === 'sort' };
}

export function showViews(viewer) {
	const { bars, picture } = viewer;
	const current = currentView(viewer);
	/* The table leads from function to function beside the sandwich. */
	const isBeside = picture.chosen.merged !== null && !bars.isCovered();
	const isPressed = (name) => name === current || (isBeside && name === 'callers');

	for (const [name] of VIEWS)
		if (bars.buttons[name])
			change(bars.buttons[name], 'aria-pressed', isPressed(name));
}
