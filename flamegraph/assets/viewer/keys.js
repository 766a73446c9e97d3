/*
 * Mouse, keys and buttons: what each of them does. One listener for each kind of event
 * calls the functions of other modules. A new key is a row in ACTIONS, a new button one
 * in PRESS; both have help texts in panels.js and bars.js.
 */

import { neighbour } from './access.js';
import { fileName } from './copy.js';
import { CHANGES, MANY, SLICES } from './features.js';
import { makeMenu } from './menu.js';
import { afterFrame, attr, isDocument, keyTarget, root } from './page.js';
import {
	canSort,
	chooseView,
	collapse,
	compareWith,
	filter,
	flip,
	hide,
	isFlipped,
	lookAhead,
	merge,
	reset,
	reverse,
	select,
	sort,
	toggleCase,
	undo,
	unhide,
	unmerge,
	zoom,
} from './picture.js';
import { copyText, saveImage, saveText } from './save.js';
import { PRESS_SIDES } from './sides.js';
import { showState } from './state.js';
import { ancestorsOf, foldedOf, listFunctions } from './tree.js';
import { changesFor, showViews } from './views.js';

/* For a tree of this many frames, a merged view takes so long that the user notices. */
const SLOW_FRAMES = 300000;
/*
 * In long work, let the page react after this many ms. A single step can take much of
 * that time.
 */
const LONG_TURN = 40;

export const OPENS_BOX = ['F3', '/', 'Ctrl-f'];

/*
 * Returns the name of a key, like 'a' or 'Ctrl-f', or null with modifiers that we leave
 * to the browser.
 */
export function keyOf(event) {
	const ctrl = event.ctrlKey && !event.shiftKey;

	if (event.altKey || event.metaKey || (event.ctrlKey && !ctrl)) return null;
	return ctrl ? 'Ctrl-' + event.key.toLowerCase() : event.key;
}

/* ---- actions: functions of the viewer and the frame that they are about */

function openBox({ box, picture }) {
	box.open(picture.chosen.term);
	box.showValid(picture.problem === '');
}

function leaveBox({ box, access, bars, history }) {
	box.close();
	access.focus(access.current());
	access.announce(bars.matched.textContent);
	afterFrame(history.writeWaiting);
}

function toggleSearch(viewer) {
	if (viewer.picture.chosen.term === '' && !viewer.box.isOpen()) openBox(viewer);
	else viewer.box.clear();
}

function toggleHelp({ help, details }) {
	help.toggle();
	details.show(null);
}

/* Hides the table, because another view is about to be shown. */
function leaveTable({ table }) {
	if (table.isShown()) table.hide();
}

function showView(viewer, name) {
	const changes = changesFor(name);

	leaveTable(viewer);
	takeTime(viewer, changes, (picture) => chooseView(picture, changes));
}

function copy({ access, bars }, text, what) {
	copyText(text, (copied) => {
		const message = copied ? 'Copied the ' + what : 'Cannot copy here';

		access.announce(message);
		bars.showMessage(message);
	});
}

/*
 * Saves the stacks of the zoomed frame or, in a merged view, of the whole tree. Does
 * not save stacks that are hidden or filtered out.
 */
function saveStacks(viewer) {
	const { picture, settings } = viewer;
	const within = picture.view.plain ? picture.within : 0;

	saveText(
		foldedOf(picture.tree, within, settings),
		fileName(viewer, 'folded'),
	);
}

function nameOf({ picture }, frame) {
	const view = picture.view;

	return view.names[view.name[frame]];
}

/*
 * Returns the stack of a frame of any view as "a;b;c", the outermost caller first,
 * without the root.
 */
function stackOf(viewer, frame) {
	const view = viewer.picture.view;
	const names = ancestorsOf(view, frame)
		.concat(frame)
		.filter((at) => view.name[at] !== view.tree.name[0])
		.map((at) => nameOf(viewer, at));

	return (view.isCaller(frame) ? names.reverse() : names).join(';');
}

/* Shows or hides the table. The keyboard's focus goes there, and back to the frame. */
function toggleTable({ table, access, pointer }) {
	const hadFocus = table.has(document.activeElement);

	table.toggle();
	if (hadFocus) access.focus(access.current());
	else if (table.isShown() && pointer.byKeyboard) table.focus();
}

/*
 * Does the first of these that is possible: stops waiting for a click or for long work,
 * closes what is open, leaves the zoom.
 */
function escape(viewer) {
	const { help, more, table, picture, pick, bars } = viewer;

	if (pick.action || pick.turn) {
		pick.turn = null;
		waitFor(viewer, null);
		bars.showMessage('Cancelled');
	} else if (help.isShown()) help.hide();
	else if (more.isShown()) {
		more.hide();
		bars.buttons.menu.focus();
	} else if (table.isShown()) toggleTable(viewer);
	else reset(picture);
}

/*
 * Calls work(picture), which changes to another view. `changes` are the changes of the
 * state that work() makes. If the view takes a while, first shows a message and
 * prepares the view in turns, so that the user can stop that.
 */
function takeTime(viewer, changes, work) {
	const { picture, bars, scene, pick } = viewer;
	const turn = {};
	let steps = null;

	function goOn() {
		if (pick.turn !== turn) return;
		const end = performance.now() + LONG_TURN;
		steps ??= scene.prepareView(lookAhead(picture, changes));
		while (performance.now() < end)
			if (steps.next().done) {
				pick.turn = null;
				bars.showMessage('');
				work(picture);
				return;
			}
		setTimeout(goOn);
	}

	pick.turn = null;
	if (!MANY || picture.tree.count < SLOW_FRAMES) return work(picture);
	pick.turn = turn;
	bars.showMessage('Working\u2026 Escape stops it', true);
	return afterFrame(goOn);
}

const slowReverse = (viewer) =>
	takeTime(viewer, { reversed: !viewer.picture.chosen.reversed }, reverse);
const slowCollapse = (viewer) =>
	takeTime(viewer, { collapsed: !viewer.picture.chosen.collapsed }, collapse);
const slowSort = (viewer) =>
	canSort(viewer.picture) &&
	takeTime(viewer, { byWeight: !viewer.picture.chosen.byWeight }, sort);

/* Shows a function between its callers and callees. */
function slowMerge(viewer, merged) {
	takeTime(viewer, { merged }, (picture) => merge(picture, merged));
}

function mergeFrame(viewer, frame) {
	if (frame !== 0) slowMerge(viewer, nameOf(viewer, frame));
}

/* Does what a click on a frame does. */
function choose(viewer, frame) {
	const { picture, pick } = viewer;
	const { action } = pick;

	if (action) waitFor(viewer, null);
	if (action) action(viewer, frame);
	else if (frame === 0) reset(picture);
	else zoom(picture, frame);
}

/*
 * Opens the menu of a frame. If a button waits for a frame, or there is no menu, does
 * what a click on the frame does.
 */
function openMenu(viewer, frame) {
	if (viewer.pick.action || !viewer.menu.open(frame)) choose(viewer, frame);
}

const copyName = (viewer, frame) => copy(viewer, nameOf(viewer, frame), 'name');
const copyStack = (viewer, frame) => copy(viewer, stackOf(viewer, frame), 'stack');

const copyLink = (viewer) => copy(viewer, viewer.history.link(), 'link');

const ACTIONS = {
	Enter: openMenu,
	' ': choose,
	Escape: escape,
	Home: ({ access }) => access.focus(0),
	F3: openBox,
	'/': openBox,
	'?': toggleHelp,
	'.': ({ more }) => more.toggle(),
	i: ({ picture }) => flip(picture),
	r: slowReverse,
	f: slowCollapse,
	s: slowSort,
	t: toggleTable,
	m: mergeFrame,
	h: ({ picture }, frame) => hide(picture, frame),
	o: ({ picture }) => filter(picture, true),
	x: ({ picture }) => filter(picture, false),
	u: ({ picture }) => undo(picture),
	n: ({ goTo }) => goTo(1),
	N: ({ goTo }) => goTo(-1),
	c: copyName,
	C: copyStack,
	...(isDocument && { l: copyLink }),
	d: saveStacks,
	p: saveImage,
	'Ctrl-f': openBox,
	'Ctrl-i': ({ picture }) => toggleCase(picture),
};

/* The actions of keys in the search field. All other keys are text. */
const BOX_ACTIONS = {
	Enter(viewer) {
		viewer.box.settle();
		leaveBox(viewer);
	},
	/* Shift-Enter: goes to the match before this one. */
	'Shift-Enter'(viewer) {
		BOX_ACTIONS.Enter(viewer);
		viewer.goTo(-1);
	},
	Escape(viewer) {
		viewer.box.clear();
		leaveBox(viewer);
	},
	F3: openBox,
	'Ctrl-f': openBox,
	'Ctrl-i': ACTIONS['Ctrl-i'],
};

/*
 * Returns the action of a button that is about a frame. The action is about the current
 * frame. If that is the root, shows the text `request` and waits for the user to click
 * a frame. key: the key of the action in ACTIONS.
 */
function aboutFrame(key, request) {
	return (viewer) => {
		const frame = viewer.access.current();

		if (frame !== 0) return ACTIONS[key](viewer, frame);
		viewer.access.announce(request);
		return waitFor(viewer, ACTIONS[key], request);
	};
}

/*
 * Waits for a click on a frame to call action(). A chip says so with the text
 * `request`. With null instead of an action, stops waiting.
 */
function waitFor(viewer, action, request) {
	Object.assign(viewer.pick, { action, request });
	showState(viewer);
}

/* Returns the name of the function with the most counts of its own. */
function hottestOf(tree) {
	const rows = listFunctions(tree);
	const hottest = rows.reduce((best, row) => (row.own > best.own ? row : best));

	return tree.names[hottest.name];
}

/*
 * Shows a function between its callers and callees, unless one is shown already: that
 * of the current frame or, if that is the root, the hottest one, with the table beside
 * it.
 */
function pressSandwich(viewer) {
	const { picture, access, bars, table } = viewer;
	const isNew = picture.chosen.merged === null && access.current() === 0;

	if (!isNew) leaveTable(viewer);
	if (picture.chosen.merged !== null) return;
	if (!isNew) return mergeFrame(viewer, access.current());
	slowMerge(viewer, hottestOf(picture.tree));
	if (!table.isShown() && table.canBeBeside()) table.toggle();
	bars.showMessage('This is the hottest function; the table leads to others.');
}

/* Removes the lines that say what to look at first, and their space. */
function dismiss({ bars, settings, scene }) {
	const lines = root.querySelector('.fg-summary[display]');
	const height = parseFloat(attr(lines, 'fg:height'));

	bars.size.head -= bars.summary.getBoundingClientRect().height;
	lines.remove();
	bars.summary.remove();
	settings.top -= height;
	settings.height -= height;
	scene.redraw();
}

const PRESS = {
	dismiss,
	search: toggleSearch,
	prev: ACTIONS.N,
	next: ACTIONS.n,
	ignorecase: ACTIONS['Ctrl-i'],
	flame: (viewer) => showView(viewer, 'flame'),
	reverse: (viewer) => showView(viewer, 'reverse'),
	sort: (viewer) => showView(viewer, 'sort'),
	callers: pressSandwich,
	link: copyLink,
	menu: ACTIONS['.'],
	byweight: ACTIONS.s,
	name: aboutFrame('c', 'Click the frame whose name to copy'),
	stack: aboutFrame('C', 'Click the frame whose stack to copy'),
	overview: ({ map }) => map.toggle(),
	table: ACTIONS.t,
	hide: aboutFrame('h', 'Click the frame to leave out'),
	undo: ACTIONS.u,
	invert: ACTIONS.i,
	help: ACTIONS['?'],
	collapse: ACTIONS.f,
	folded: ACTIONS.d,
	png: ACTIONS.p,
	only: ACTIONS.o,
	without: ACTIONS.x,
	unzoom: ({ picture }) => reset(picture),
	...(CHANGES && { ...PRESS_SIDES, compare: ({ compare }) => compare.choose() }),
};

/* The actions of the chips' buttons, in the order of the chips (state.js). */
const BACK = [
	(viewer) => waitFor(viewer, null),
	({ picture }) => unmerge(picture),
	ACTIONS.r,
	ACTIONS.f,
	ACTIONS.s,
	ACTIONS.i,
	SLICES && (({ picture }) => select(picture, null)),
	CHANGES && (({ picture }) => compareWith(picture, 0)),
	({ picture }) => unhide(picture),
	({ box }) => box.clear(),
];

function pressButton(viewer, button, byKeys) {
	const chip = viewer.bars.chips.findIndex(({ back }) => back === button);
	const hadFocus = button === document.activeElement;

	viewer.box.settle();
	if (viewer.table.has(button))
		viewer.table.press(button, (name) => slowMerge(viewer, name));
	else if (chip >= 0) BACK[chip](viewer);
	else PRESS[button.name](viewer);
	if (viewer.more.has(button)) viewer.more.hide();
	showViews(viewer);
	/*
	 * Keeps the focus on the button, so that the user can press it again for the next
	 * match.
	 */
	if (hadFocus && /^(prev|next)$/.test(button.name)) button.focus();
	/* A button that is hidden now has lost the focus, in Firefox a moment later. */
	const { activeElement } = document;
	const isLost = activeElement === button || !activeElement?.closest('button');
	if (byKeys && hadFocus && isLost && button.getClientRects().length === 0)
		viewer.access.focus(viewer.access.current());
}

/* ---- keys */

/*
 * Returns true for an element that takes keys as input. A page around the picture may
 * have some, too.
 */
function isTyping(node) {
	return /^(input|textarea|select)$/.test(node.localName) || node.isContentEditable;
}

function moveOf(key, isFlipped) {
	const [up, down] = isFlipped ? ['back', 'on'] : ['on', 'back'];

	return { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: up, ArrowDown: down }[
		key
	];
}

function pressKey(viewer, event) {
	const { picture, access, details, table } = viewer;
	const key = keyOf(event);
	const move = table.has(event.target) ? undefined : moveOf(key, isFlipped(picture));
	const { localName } = event.target;

	/* The browser handles these keys on links and buttons. */
	if (
		(localName === 'a' && key === 'Enter') ||
		(localName === 'button' && isPress(key))
	)
		return;
	if (move) access.focus(neighbour(viewer, access.current(), move));
	else if (Object.hasOwn(ACTIONS, key) && (key !== ' ' || access.isRingShown()))
		ACTIONS[key](viewer, details.shown()?.frame ?? access.current());
	else return;
	showViews(viewer);
	event.preventDefault();
}

function isPress(key) {
	return key === 'Enter' || key === ' ';
}

function onKey(viewer, event) {
	const plain = keyOf(event);
	const key = plain === 'Enter' && event.shiftKey ? 'Shift-Enter' : plain;

	viewer.pointer.byKeyboard = true;
	if (!viewer.box.has(event.target)) {
		if (!isTyping(event.target)) pressKey(viewer, event);
	} else if (Object.hasOwn(BOX_ACTIONS, key)) {
		BOX_ACTIONS[key](viewer);
		event.preventDefault();
	}
}

/* ---- mouse and focus */

function clickFrame(viewer, record, event) {
	const { picture } = viewer;
	const { frame } = record;

	if (record.element.localName === 'a' || event.shiftKey) return;
	if (event.altKey) hide(picture, frame);
	else if (event.ctrlKey || event.metaKey) mergeFrame(viewer, frame);
	else choose(viewer, frame);
	event.preventDefault();
}

function onClick(viewer, event) {
	const button = event.target.closest('button');
	const record = viewer.drawing.recordOf(event.target);

	viewer.access.hideRing();
	const isLeft = viewer.more.leave(event.target);
	/*
	 * A key press on a button also makes a click, but its `detail` is 0. It is 1 or
	 * more for the mouse.
	 */
	const byKeys = event.detail === 0;

	if (button && root.contains(button)) pressButton(viewer, button, byKeys);
	else if (record && !isLeft) clickFrame(viewer, record, event);
	else followLink(viewer, event);
}

/* Follows a link of the summary, unless it is for another window. */
function followLink(viewer, event) {
	const link = event.target.closest('.fg-summary a');
	const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey;

	if (!link || (isDocument && isElsewhere)) return;
	event.preventDefault();
	viewer.history.follow(attr(link, 'href'));
}

function hasMoved(pointer, { clientX: x, clientY: y }) {
	const moved = x !== pointer.x || y !== pointer.y;

	Object.assign(pointer, { x, y });
	return moved;
}

function point({ details, drawing }, event) {
	details.show(drawing.recordOf(event.target));
}

/*
 * Reacts to the focus of a frame. Our own note of a key press (`byKeyboard`) is needed
 * because not every browser sets :focus-visible if a script moves the focus after a
 * key.
 */
function onFocus({ drawing, access, pointer }, { target }) {
	const record = drawing.recordOf(target);

	if (record)
		access.onFocus(record, pointer.byKeyboard || target.matches(':focus-visible'));
}

const LISTENERS = {
	/*
	 * If a key has moved frames under a mouse that is not moving, the user does not
	 * point at them.
	 */
	mouseover(viewer, event) {
		if (hasMoved(viewer.pointer, event) || !viewer.access.isRingShown())
			point(viewer, event);
	},
	mousemove(viewer, event) {
		if (hasMoved(viewer.pointer, event) && viewer.access.isRingShown())
			point(viewer, event);
	},
	mouseleave: ({ details }) => details.show(null),
	mousedown({ pointer }) {
		pointer.byKeyboard = false;
	},
	click: onClick,
	focusin: onFocus,
	/* Hides the card when the focus leaves the frames; it could cover the focus. */
	focusout({ drawing, access, details, pointer }, { target, relatedTarget }) {
		if (!drawing.recordOf(target)) return;
		access.hideRing();
		if (relatedTarget && pointer.byKeyboard && !drawing.recordOf(relatedTarget))
			details.show(null);
	},
	input({ box }, { target }) {
		if (box.has(target)) box.onInput();
	},
};

/* Listens to all events of the picture from now on, and makes the menu of frames. */
export function listen(viewer) {
	viewer.pointer = { x: -1, y: -1, byKeyboard: false };
	/*
	 * action: what to do with the next frame that is clicked. turn: the work of
	 * takeTime() in progress, or null.
	 */
	viewer.pick = { action: null, turn: null };
	viewer.menu = makeMenu(viewer, {
		zoom: (frame) => choose(viewer, frame),
		merge: (name) => slowMerge(viewer, name),
		collapse: () => slowCollapse(viewer),
		copyName: (frame) => copyName(viewer, frame),
		copyStack: (frame) => copyStack(viewer, frame),
	});
	for (const [type, react] of Object.entries(LISTENERS))
		root.addEventListener(type, (event) => react(viewer, event));
	keyTarget.addEventListener('keydown', (event) => onKey(viewer, event));
}
