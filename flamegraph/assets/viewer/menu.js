/*
 * The menu of a frame: how it opens (right click, long press, Enter, Shift-F10 or the
 * menu key), how keys walk it, and how it closes. What it offers is in offers.js.
 */

import { displayName } from './names.js';
import { STAYS, itemsOf, linkItems } from './offers.js';
import { hearsKeys, html, root } from './page.js';
import { canPopUp, makePopup, placeAt } from './popup.js';

const LONG_PRESS = 500;
/* In pixels. A finger is never quite still. */
const STILL = 10;

/*
 * Gives the focus back to the frame. Its ring is shown if the keyboard has opened the
 * menu.
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
 * Calls open() for long presses, because not every browser reports them. A click after
 * outside() returned true is swallowed.
 */
function hearPresses(open, outside) {
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

/*
 * ---- the menu: items: an element and a function each. of: the frame it is about,
 * where it is, and whether the keyboard has opened it.
 */

const isShown = ({ popup }) => popup !== null && popup.isShown();

function close(menu, focuses) {
	if (!isShown(menu)) return;
	menu.popup.hide();
	if (focuses) returnFocus(menu.viewer, menu.of);
}

function fill(menu, label, items) {
	const { popup, of } = menu;
	const { element } = popup;

	menu.items = items;
	element.setAttribute('aria-label', label);
	element.replaceChildren(
		html('b', { role: 'presentation' }, html('bdi', {}, label)),
		...items.map((one) => one.element),
	);
	placeAt(popup, of.x, of.y);
	items.find((one) => one.element.name !== STAYS[0]).element.focus();
}

function fillMain(menu) {
	const { viewer, of, does } = menu;
	const label = viewer.texts.nameOf(viewer.picture.view, of.frame);

	fill(menu, label, itemsOf(viewer, of.frame, does));
}

function fillLinks(menu, id, areCallers) {
	const { viewer, does } = menu;
	const label = displayName(viewer.picture.tree.names[id]);

	fill(menu, label, linkItems(viewer, id, areCallers, does));
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
	menu.of = { frame, byKeyboard: !point, ...(point ?? { x: x + 8, y: bottom + 2 }) };
	menu.popup.show();
	fillMain(menu);
	return true;
}

/* Opens the menu for the frame that has a node. A link has the browser's own menu. */
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
	const isOpen = isShown(menu) && menu.of.frame === record?.frame;

	if (!shiftKey && (isOpen || openAt(menu, target, clientX, clientY)))
		event.preventDefault();
}

function onMenuKey(menu, event) {
	const { key, shiftKey, target } = event;
	const record = menu.viewer.drawing.recordOf(target);
	const asks = key === 'ContextMenu' || (key === 'F10' && shiftKey);

	if (asks && record && open(menu, record.frame)) event.preventDefault();
}

/* actions: other things that can be done with a frame; keys.js has them. */
export function makeMenu(viewer, does) {
	const menu = { viewer, popup: null, items: [], of: null };
	const openByPress = (node, x, y) => openAt(menu, node, x, y);

	function closesFor(node) {
		const closes = isShown(menu) && !menu.popup.element.contains(node);

		if (closes) close(menu, false);
		return closes && root.contains(node);
	}

	menu.does = {
		...does,
		list: (id, areCallers) => fillLinks(menu, id, areCallers),
		back: () => fillMain(menu),
	};
	hearPresses(openByPress, closesFor);
	root.addEventListener('contextmenu', (event) => onContextMenu(menu, event));
	hearsKeys.addEventListener('keydown', (event) => onMenuKey(menu, event));
	for (const type of ['resize', 'blur', 'popstate'])
		window.addEventListener(type, () => close(menu, false));
	return { open: (frame) => open(menu, frame), isShown: () => isShown(menu) };
}
