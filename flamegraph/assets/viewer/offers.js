/*
 * What the menu of a frame offers: its items, and those of its lists of callers and
 * callees.
 */

import { max } from './format.js';
import { functionView } from './merge.js';
import { displayName } from './names.js';
import { button, html } from './page.js';
import { focusOn, fold, goTo, hide, keepOnly } from './picture.js';
import { shareBar } from './popup.js';
import { saveSubtree } from './save.js';

/* If there are more callers or callees, a graph shows them better. */
const MOST = 40;

/* Items that leave the menu open. */
export const STAYS = ['menu-back', 'menu-callers', 'menu-callees'];

function item(name, text, hint, run) {
	const attributes = { role: 'menuitem', tabindex: '-1' };
	const small = hint ? [' ', html('small', {}, hint)] : [];
	const one = button('menu-' + name, html('span', {}, text), attributes);

	one.append(...small);
	return { element: one, run };
}

function separator() {
	return { element: html('hr', { role: 'separator' }) };
}

/* Returns the callers or callees of a function, the heaviest first, and its total. */
function linksOf({ tree }, id, areCallers) {
	const view = functionView(tree, id, { byWeight: true, reversed: false });
	const list = view
		.children(0)
		.filter((at) => view.isCaller(at) === areCallers && view.total[at] > 0)
		.map((at) => ({ id: view.name[at], total: view.total[at] }));

	return { list, whole: view.total[0] };
}

/* Returns the calling or called frame with the most counts at the call. */
function largestCall({ name, parent, total, count }, id, other, areCallers) {
	const [upper, lower] = areCallers ? [id, other] : [other, id];
	let best = 0;

	for (let i = 1; i < count; i++)
		if (
			name[i] === upper &&
			name[parent[i]] === lower &&
			(best === 0 || total[i] > total[best])
		)
			best = i;
	return areCallers ? max(0, parent[best]) : best;
}

function callsItself({ name, parent, count }, id) {
	for (let i = 1; i < count; i++)
		if (name[i] === id && name[parent[i]] === id) return true;
	return false;
}

/*
 * Makes the item of a caller or callee: name, count, share of the function's total, and
 * a bar.
 */
function linkItem({ picture, access, texts }, link, { id, whole, areCallers }) {
	const { tree } = picture;
	const name = displayName(tree.names[link.id]);
	const share = texts.percentOf(whole > 0 ? link.total / whole : 0);
	const one = item('go', html('bdi', {}, name), '', () => {
		const frame = largestCall(tree, id, link.id, areCallers);
		goTo(picture, frame);
		access.focus(frame);
	});
	const count = texts.human(tree, link.total) + ' ' + share;

	one.element.title = name;
	one.element.append(
		html('span', { class: 'fg-count' }, count),
		shareBar(link.total, whole),
	);
	return one;
}

export function linkItems(viewer, id, areCallers, { back, merge }) {
	const { picture } = viewer;
	const { list, whole } = linksOf(picture, id, areCallers);
	const what = areCallers ? 'Callers' : 'Callees';
	const rest = list.length - MOST;

	return [
		item('back', '\u2039 ' + what, 'each leads to its largest call', back),
		...list
			.slice(0, MOST)
			.map((link) => linkItem(viewer, link, { id, whole, areCallers })),
		separator(),
		item('graph', 'All as a graph', rest > 0 ? rest + ' more' : 'm', () =>
			merge(picture.tree.names[id]),
		),
	];
}

/* Returns the items that change which counts are shown. */
function countItems({ picture }, frame) {
	const { view } = picture;
	const id = view.name[frame];
	const name = view.names[id];
	const isAll = view.total[frame] === view.total[0];
	const onlyIf = (isMeant, ...what) => (isMeant ? [item(...what)] : []);

	if (id === view.tree.name[0]) return [];
	return [
		separator(),
		item('fold', 'Hide', 'callers keep its counts', () => fold(picture, name)),
		...onlyIf(!isAll, 'leave', 'Leave out', 'the total shrinks', () =>
			hide(picture, frame),
		),
		...onlyIf(
			view.parent[frame] >= 0,
			'only',
			'Only this',
			'and what is on it',
			() => keepOnly(picture, frame),
		),
		item('focus', 'Focus on its name', 'all its calls as one', () =>
			focusOn(picture, name),
		),
	];
}

function collapseItem({ picture }, id, does) {
	const { collapsed } = picture.chosen;
	const one = item('collapse', 'Collapse recursion', 'f', does.collapse);

	if (!collapsed && !callsItself(picture.tree, id)) return [];
	one.element.setAttribute('role', 'menuitemcheckbox');
	one.element.setAttribute('aria-checked', collapsed);
	return [one];
}

export function itemsOf(viewer, frame, does) {
	const { picture } = viewer;
	const { view } = picture;
	const id = view.name[frame];
	const isRoot = id === view.tree.name[0];
	const has = (areCallers) =>
		!isRoot && linksOf(picture, id, areCallers).list.length > 0;
	const list = (name, text, areCallers) =>
		has(areCallers)
			? [item(name, text, '\u203a', () => does.list(id, areCallers))]
			: [];

	return [
		item('zoom', 'Zoom', 'click', () => does.zoom(frame)),
		...list('callers', 'Callers', true),
		...list('callees', 'Callees', false),
		...countItems(viewer, frame),
		...collapseItem(viewer, id, does),
		separator(),
		item('copy-name', 'Copy name', 'c', () => does.copyName(frame)),
		item('copy-stack', 'Copy stack', 'C', () => does.copyStack(frame)),
		separator(),
		...[
			['folded', 'folded stacks'],
			['svg', 'SVG'],
			['png', 'PNG'],
		].map(([kind, text]) =>
			item('save-' + kind, 'Save as ' + text, '', () =>
				saveSubtree(viewer, frame, kind),
			),
		),
	];
}
