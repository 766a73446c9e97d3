/*
 * The menu of a frame: how it opens (right click, long press, Enter, Shift-F10 or the
 * menu key), how keys walk it, how it closes, and what it offers. Two of its items show
 * a list of callers or callees in its place.
 */

import { max } from './format.js';
import { functionView } from './merge.js';
import { displayName } from './names.js';
import { button, html, keyTarget, root } from './page.js';
import { focusOn, fold, goTo, hide, keepOnly } from './picture.js';
import { canPopUp, makePopup, placeAt, shareBar } from './popup.js';
import { saveSubtree } from './save.js';

const LONG_PRESS = 500;
/*
 * A finger that moves less than this, in pixels, counts as not moving, because fingers
 * always tremble.
 */
const STILL = 10;

/*
 * Returns the focus to the frame. Shows its ring if the user has opened the menu by
 * keyboard.
 */
function returnFocus({ access, drawing }, { frame, byKeyboard }) {
	if (byKeyboard) return access.focus(frame);
	drawing.reach(frame)?.element.focus({ preventScroll: true });
	return access.hideRing();
}

/* Returns the next item in a direction, or the next one that begins with a letter. */
function neighbourOf(list, key) {
	const at = list.indexOf(document.activeElement);
	const last = list.length - 1;
	const places = {
		ArrowDown: at < last ? at + 1 : 0,
		ArrowUp: at > 0 ? at - 1 : last,
		Home: 0,
		End: last,
	};
	const isIt = (one) => one.textContent.toLowerCase().startsWith(key.toLowerCase());

	if (Object.hasOwn(places, key)) return list[places[key]];
	if (key.length !== 1) return undefined;
	return list.slice(at + 1).find(isIt) ?? list.find(isIt);
}

/*
 * Calls open() for long presses by touch, because not every browser reports them. Calls
 * outside() for every press. If open() or outside() returns true, swallows the click
 * that follows.
 */
function listenToPresses(open, outside) {
	let timer = 0;
	let [x, y] = [0, 0];
	let ignoresClick = false;
	const stop = () => clearTimeout(timer);

	function onDown(event) {
		stop();
		ignoresClick = outside(event.target);
		if (event.pointerType !== 'touch') return;
		[x, y] = [event.clientX, event.clientY];
		timer = setTimeout(() => {
			ignoresClick = open(event.target, x, y);
		}, LONG_PRESS);
	}

	function onMove({ clientX, clientY }) {
		if (Math.hypot(clientX - x, clientY - y) > STILL) stop();
	}

	function onClick(event) {
		if (ignoresClick) event.stopPropagation();
		if (ignoresClick) event.preventDefault();
		ignoresClick = false;
	}

	for (const [type, react] of [
		['pointerdown', onDown],
		['pointermove', onMove],
		['pointerup', stop],
		['pointercancel', stop],
		['click', onClick],
	])
		window.addEventListener(type, react, true);
}

/* ---- the menu: `menu` is the object that makeMenu() makes */

const isShown = ({ popup }) => popup !== null && popup.isShown();

function close(menu, focuses) {
	if (!isShown(menu)) return;
	menu.popup.hide();
	if (focuses) returnFocus(menu.viewer, menu.target);
}

function fill(menu, label, items) {
	const { popup, target } = menu;
	const { element } = popup;

	menu.items = items;
	element.setAttribute('aria-label', label);
	element.replaceChildren(
		html('b', { role: 'presentation' }, html('bdi', {}, label)),
		...items.map((one) => one.element),
	);
	placeAt(popup, target.x, target.y);
	items.find((one) => one.element.name !== STAYS[0]).element.focus();
}

function fillMain(menu) {
	const { viewer, target, actions } = menu;
	const label = viewer.texts.nameOf(viewer.picture.view, target.frame);

	fill(menu, label, itemsOf(viewer, target.frame, actions));
}

function fillLinks(menu, id, areCallers) {
	const { viewer, actions } = menu;
	const label = displayName(viewer.picture.tree.names[id]);

	fill(menu, label, linkItems(viewer, id, areCallers, actions));
}

function press(menu, element) {
	const chosen = menu.items.find((one) => one.element === element);

	if (!chosen?.run) return;
	if (!STAYS.includes(element.name)) close(menu, true);
	chosen.run();
}

function onKey(menu, event) {
	const { key, target } = event;
	const all = menu.items.filter(({ run }) => run).map(({ element }) => element);
	const next = neighbourOf(all, key);
	const isList = all[0].name === STAYS[0];

	event.stopPropagation();
	if (event.ctrlKey || event.altKey || event.metaKey) return;
	if (key === 'Tab' || (key === 'Escape' && !isList)) close(menu, true);
	else if (key === 'Escape' || (key === 'ArrowLeft' && isList)) fillMain(menu);
	else if (key === 'ArrowRight' && STAYS.indexOf(target.name) > 0)
		press(menu, target);
	else if (key !== ' ' && next) next.focus();
	else return;
	event.preventDefault();
}

function makeElement(menu) {
	const popup = makePopup({ class: 'fg-menu', role: 'menu' });
	const { element } = popup;

	element.addEventListener('keydown', (event) => onKey(menu, event));
	element.addEventListener('contextmenu', (event) => {
		event.preventDefault();
		event.stopPropagation();
	});
	element.addEventListener('click', (event) => {
		event.stopPropagation();
		press(menu, event.target.closest('button'));
	});
	return popup;
}

/*
 * Opens the menu at a point or, for the keyboard, at the frame. Returns false if it
 * cannot.
 */
function open(menu, frame, point) {
	const { drawing, details } = menu.viewer;
	const record = drawing.reach(frame);

	if (!canPopUp() || !record) return false;
	const { x, bottom } = record.rect.getBoundingClientRect();
	menu.popup ??= makeElement(menu);
	details.hideCard();
	const place = point ?? { x: x + 8, y: bottom + 2 };
	menu.target = { frame, byKeyboard: !point, ...place };
	menu.popup.show();
	fillMain(menu);
	return true;
}

/*
 * Opens the menu for the frame that contains a node. Returns false if there is none, or
 * if it is a link, for which the browser shows its own menu.
 */
function openAt(menu, node, x, y) {
	const record = menu.viewer.drawing.recordOf(node);

	return (
		record !== undefined &&
		record.element.localName !== 'a' &&
		open(menu, record.frame, { x: x + 1, y: y + 1 })
	);
}

function onContextMenu(menu, event) {
	const { target, clientX, clientY, shiftKey } = event;
	const record = menu.viewer.drawing.recordOf(target);
	const isOpen = isShown(menu) && menu.target.frame === record?.frame;

	if (!shiftKey && (isOpen || openAt(menu, target, clientX, clientY)))
		event.preventDefault();
}

function onMenuKey(menu, event) {
	const { key, shiftKey, target } = event;
	const record = menu.viewer.drawing.recordOf(target);
	const isMenuKey = key === 'ContextMenu' || (key === 'F10' && shiftKey);

	if (isMenuKey && record && open(menu, record.frame)) event.preventDefault();
}

/*
 * Makes the menu of frames. actions: the functions in keys.js that its items call.
 *
 * items: the elements of the menu, each with the function that it calls, if any.
 * target: the frame that the menu is about, the place of the menu, and whether the user
 * has opened it by keyboard.
 */
export function makeMenu(viewer, actions) {
	const menu = { viewer, popup: null, items: [], target: null };
	const openByPress = (node, x, y) => openAt(menu, node, x, y);

	/* Closes the menu. A click on a frame does only that; a control gets its click. */
	function closesFor(node) {
		const closes = isShown(menu) && !menu.popup.element.contains(node);

		if (closes) close(menu, false);
		return closes && root.contains(node) && !node.closest('button, select, input');
	}

	menu.actions = {
		...actions,
		list: (id, areCallers) => fillLinks(menu, id, areCallers),
		back: () => fillMain(menu),
	};
	listenToPresses(openByPress, closesFor);
	root.addEventListener('contextmenu', (event) => onContextMenu(menu, event));
	keyTarget.addEventListener('keydown', (event) => onMenuKey(menu, event));
	for (const type of ['resize', 'blur', 'popstate'])
		window.addEventListener(type, () => close(menu, false));
	return { open: (frame) => open(menu, frame), isShown: () => isShown(menu) };
}

/* ---- the items of the menu */

/* The longest list of callers or callees. A graph shows more of them better. */
const MOST = 40;

/* Items that leave the menu open. */
const STAYS = ['menu-back', 'menu-callers', 'menu-callees'];

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

/*
 * Returns a frame of the function `other` that calls function `id` (if areCallers) or
 * is called by it. If there are several, returns the one whose call has the most
 * counts.
 */
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

function linkItems(viewer, id, areCallers, { back, merge }) {
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
			'and what it calls',
			() => keepOnly(picture, frame),
		),
		item('focus', 'Focus on its name', 'all its calls as one', () =>
			focusOn(picture, name),
		),
	];
}

function collapseItem({ picture }, id, actions) {
	const { collapsed } = picture.chosen;
	const one = item('collapse', 'Collapse recursion', 'f', actions.collapse);

	if (!collapsed && !callsItself(picture.tree, id)) return [];
	one.element.setAttribute('role', 'menuitemcheckbox');
	one.element.setAttribute('aria-checked', collapsed);
	return [one];
}

function itemsOf(viewer, frame, actions) {
	const { picture } = viewer;
	const { view } = picture;
	const id = view.name[frame];
	const isRoot = id === view.tree.name[0];
	const has = (areCallers) =>
		!isRoot && linksOf(picture, id, areCallers).list.length > 0;
	const list = (name, text, areCallers) =>
		has(areCallers)
			? [item(name, text, '\u203a', () => actions.list(id, areCallers))]
			: [];

	return [
		item('zoom', 'Zoom', 'click', () => actions.zoom(frame)),
		...list('callers', 'Callers', true),
		...list('callees', 'Callees', false),
		...countItems(viewer, frame),
		...collapseItem(viewer, id, actions),
		separator(),
		item('copy-name', 'Copy name', 'c', () => actions.copyName(frame)),
		item('copy-stack', 'Copy stack', 'C', () => actions.copyStack(frame)),
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
