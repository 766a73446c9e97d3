/*
 * The bars above and below the frames: title, buttons, the state of the picture in
 * words, details. They are HTML, whose lines break where they have to. Where the
 * picture is the document, they stay in the window; elsewhere they have their place in
 * the picture.
 */

import { dress } from './colour.js';
import { ceil, floor, max } from './format.js';
import { icon } from './icons.js';
import {
	BLANK,
	MIN_FLUID,
	NAME,
	WAS,
	attr,
	button,
	change,
	drop,
	find,
	findBackdrop,
	fitsWindow,
	fluidWidth,
	html,
	isDocument,
	make,
	part,
	put,
	putAll,
	root,
} from './page.js';
import { makeKey, makeSwitch } from './legend.js';
import { CHANGES, MANY } from './parts.js';
import { makeScroll } from './scroll.js';
import { viewsOf } from './views.js';

const HEAD_HEIGHT = 56;
const HEAD_GAP = 4;
const FOOT_LINES = 40;
const TELL_TIME = 2500;
const TYPING_PAUSE = 60;

/* Name, text, what it does with its key, whether it is pressed or not, its icon. */
const SEARCH = [
	['ignorecase', 'Aa', 'Ignore case when searching: Ctrl-I', true],
	['search', 'Search', 'Search as you type: /, Ctrl-F or F3', false, 'search'],
	['prev', 'Previous match', 'Previous match: N', false, 'prev'],
	['next', 'Next match', 'Next match: n', false, 'next'],
];
const ACTS = [
	['hide', 'Leave out', 'Leave out a frame and all on top of it: h', false, 'hide'],
	['undo', 'Undo', 'Undo the last change of the view: u', false, 'undo'],
	['invert', 'Flip', 'Turn the picture upside down: i', true, 'invert'],
	['menu', 'More', 'Collapse recursion, copy, save: .', false, 'more'],
	['help', 'Help', 'Show the keys: ?', true, 'help'],
];

/* What can be done with the stacks that have a match. */
const FILTERS = [
	['only', 'Only these', 'Only the stacks with a match: o'],
	['without', 'Without', 'Without the stacks with a match: x'],
];

/*
 * How many things can be said about the state; state.js says them and keys.js has the
 * ways back, both in the same order. The last one is the search.
 */
const CHIPS = 8;

/* An element of the static picture, whose name goes to another element. */
function takeOver(name, element) {
	const old = find(name);

	if (old) {
		drop(old, NAME);
		putAll(old, { [WAS]: name, display: 'none' });
	}
	put(element, NAME, name);
	return element;
}

/*
 * A line of the static picture, with what it says; its title is what was cut there. The
 * end of a heading may be hidden: pointing at it shows the whole.
 */
function takeLine(name, isHeading = false) {
	const line = find(name);
	const text = (line?.querySelector('title') ?? line)?.textContent ?? '';

	return putAll(takeOver(name, part(name, text)), isHeading && { title: text });
}

/* One with an icon may hide its word, which is its name all the same. */
export function makeButton([name, text, title, isToggle, drawn]) {
	const word = drawn ? html('span', { class: 'fg-word' }, text) : text;

	return button(name, word, { title, ...(isToggle && { 'aria-pressed': 'false' }) });
}

/* The buttons of a group; those that it has icons for. */
function makeGroup(names, rows, attributes) {
	const buttons = rows.map(makeButton);

	buttons.forEach((one, i) => rows[i][4] && one.prepend(icon(rows[i][4])));
	return putAll(part('group ' + names, ...buttons), attributes);
}

function makeChip() {
	const back = button('back', icon('close'), { title: 'Undo this' });
	const text = html('span');
	const chip = html('span', { class: 'fg-chip', hidden: '' }, text, back);

	return { chip, text, back };
}

function makeField() {
	return html('input', {
		class: 'fg-term',
		type: 'text',
		spellcheck: 'false',
		autocomplete: 'off',
		autocapitalize: 'off',
		enterkeyhint: 'search',
		placeholder: 'Search (regex)',
		'aria-label': 'Search for a regular expression',
	});
}

/* The field, its buttons, and how many matches there are. */
function makeFinder(input, count) {
	const finder = makeGroup('fg-find', SEARCH, { role: 'search' });

	finder.prepend(input);
	finder.children[2].prepend(icon('close'));
	finder.children[2].after(count);
	return finder;
}

/* The elements of both bars. */
function makeElements(settings) {
	const views = makeGroup('fg-views', viewsOf(settings), {
		role: 'group',
		'aria-label': 'View',
	});
	const acts = makeGroup('fg-acts', ACTS, { role: 'group', 'aria-label': 'Actions' });
	const chips = Array.from({ length: CHIPS }, makeChip);
	const input = makeField();
	const count = html('span', { class: 'fg-count' });
	const finder = makeFinder(input, count);
	const groups = [views, finder, acts];
	const buttons = Object.fromEntries(
		groups
			.flatMap((group) => Array.from(group.querySelectorAll('button')))
			.map((one) => [one.name, one]),
	);

	return {
		title: takeLine('title', true),
		subtitle: find('subtitle') ? takeLine('subtitle', true) : '',
		details: takeLine('details'),
		matched: takeLine('matched'),
		unzoom: takeOver('unzoom', button('unzoom', 'Reset Zoom', { hidden: '' })),
		search: takeOver('search', buttons.search),
		ignorecase: takeOver('ignorecase', buttons.ignorecase),
		buttons,
		groups,
		chips,
		input,
		count,
	};
}

/* The legend of a differential becomes a line of the bars; its heading, one of them. */
function makeLegend() {
	const heading = root.querySelector('.fg-whole');
	const names = 'fg-legend' + (attr(root, 'fg:diff') ? ' fg-change' : '');

	if (heading) put(heading, 'display', 'none');
	return Array.from(root.querySelectorAll('.fg-swatch'), (rect) => {
		const mark = html('i');
		const text = rect.nextElementSibling;

		for (const element of [rect, text]) put(element, 'display', 'none');
		dress(mark, attr(rect, 'fill'));
		return html('span', { class: names }, mark, text.textContent);
	});
}

/* Puts the bars together; returns them and the other lines in them. */
function assemble(elements, settings) {
	const { title, subtitle, details, unzoom, matched, groups, chips } = elements;
	const whole = html('span');
	const zoom = html('span', { class: 'fg-zoom' });
	const problem = html('span', { class: 'fg-problem', role: 'status' });
	const hint = html('div');
	const told = part('told');
	const own = html('span', { class: 'fg-own' });
	const legend = settings.palette
		? [makeKey(settings)]
		: CHANGES
			? makeLegend()
			: [];
	const tools = part('tools', title, ...groups);
	const lines = chips.map(({ chip }) => chip);
	const state = part('state', whole, zoom, unzoom, ...lines, problem);
	const head = part('bar fg-head', part('rows', tools, subtitle, state));
	const lower = [told, details, hint, ...legend];
	const foot = part('bar fg-foot', ...makeSwitch(settings), ...lower);

	told.hidden = true;
	putAll(tools, { role: 'group', 'aria-label': 'Controls' });
	chips[CHIPS - 1].text.after(' ', matched, own, ...FILTERS.map(makeButton));
	return { head, foot, whole, zoom, problem, hint, told, own };
}

/* The box to type a search into; on a phone it has to be opened to be seen. */
export function makeBox({ input, head }, search) {
	const isTyping = () => document.activeElement === input;
	const isOpen = () => head.classList.contains('fg-open');
	const setOpen = (open) => head.classList.toggle('fg-open', open);
	let timer;

	function seek() {
		timer = clearTimeout(timer);
		search(input.value);
	}

	return {
		isOpen,
		close: () => setOpen(input.value !== ''),
		/* Searches for what was typed last, if that has not been done. */
		settle() {
			if (timer) seek();
		},
		/* What is searched for, unless somebody types something else. */
		showTerm(term) {
			if (!isTyping()) input.value = term;
			setOpen(term !== '' || (isOpen() && isTyping()));
		},
		open(term) {
			if (!isTyping()) input.value = term;
			setOpen(true);
			input.focus();
			input.select();
		},
		clear() {
			input.value = '';
			seek();
			setOpen(false);
		},
		showValid(valid) {
			input.classList.toggle('fg-invalid', !valid);
			change(input, 'aria-invalid', !valid);
		},
		/* Waits for a pause in typing, so that not every key starts a search. */
		onInput() {
			clearTimeout(timer);
			timer = setTimeout(seek, TYPING_PAUSE);
		},
		has: (node) => node === input,
	};
}

function place(element, attributes) {
	for (const [name, value] of Object.entries(attributes))
		change(element, name, value);
}

function makeHolder(parent, names) {
	const layer = part('layer');
	const holder = make('foreignObject', { class: names, width: 1, height: 1 }, parent);

	holder.append(layer);
	return holder;
}

function show(element, holder, floats) {
	holder.firstChild.append(element);
	if (!floats) return;
	put(element, 'popover', 'manual');
	element.showPopover();
}

/* Where the bars are in the picture, if they cannot float over it. */
function makeHolders(overlay, head, foot) {
	const floats = isDocument && head.showPopover !== undefined;
	const group = overlay.cloneNode(false);
	const upper = makeHolder(group, 'fg-made');
	const cover = makeHolder(overlay, 'fg-made fg-cover');

	group.classList.add('fg-made');
	overlay.parentNode.insertBefore(group, overlay);
	show(head, upper, floats);
	show(foot, cover, floats);
	return { upper, cover, floats };
}

/*
 * A picture that is cut to its window: a scroll bar keeps its place. Some browsers
 * give the window another height right before they take a picture of it: its end stays
 * there.
 */
function fillWindow(isCut, atEnd) {
	root.style.overflowY = isCut && window.top === window ? 'scroll' : '';
	root.style.height = isCut ? '100vh' : '';
	place(root, { preserveAspectRatio: isCut && !atEnd ? 'xMidYMin' : 'xMidYMax' });
}

/*
 * y: how far what is above the frames reaches into what is above the picture; seen: the
 * part that is in the window.
 */
function placePicture(overlay, { y, width, height, isFluid, seen: { from, room } }) {
	const viewBox = [0, y + from, width, room].join(' ');

	place(root, { viewBox, width: isFluid ? '100%' : width, height: room });
	if (isDocument) fillWindow(room < height, from + room >= height);
	place(findBackdrop(), { y, width, height });
	/* For print, which has the static texts. */
	for (const text of overlay.children)
		if (text.hasAttribute('text-anchor'))
			change(text, 'x', floor(width / 2));
}

/*
 * How far what is above the frames reaches into what is above the picture. A low one is
 * in the middle of the window, but not on paper.
 */
function makeReach(settings, { size, floats, fit }) {
	let isPrinted = false;

	for (const type of ['beforeprint', 'afterprint'])
		window.addEventListener(type, () => {
			isPrinted = type === 'beforeprint';
			fit();
		});
	return (headHeight) => {
		const reach = max(0, headHeight + HEAD_GAP - settings.top);
		const spare = window.innerHeight - size.height - reach - FOOT_LINES;
		const isAlone = floats && window.top === window && !isPrinted;
		return reach + (isAlone ? floor(max(0, spare) / 2) : 0);
	};
}

/* extra: how much higher the lower bar is at rest than the program made room for. */
function sizeNow({ width, height }) {
	const box = (attr(root, 'viewBox') ?? '').split(' ');

	return { width: parseFloat(box[2]) || width, height, head: HEAD_HEIGHT, extra: 0 };
}

/* In a low picture the details are right below it, else at the window's end. */
function placeFoot(foot, height, bottom) {
	const isLow = fitsWindow(height + FOOT_LINES);

	foot.style.top = isLow ? height - bottom + 'px' : 'auto';
	foot.classList.toggle('fg-low', isLow);
}

/* What the bars become at rest, the picture makes room for. */
function watchBars({ head, foot, hint, told }, { settings, size, scroll, above, fit }) {
	/* What was in view stays there; at the top it is not to be behind the bar. */
	function onHead() {
		const before = above();

		size.head = ceil(head.getBoundingClientRect().height) || size.head;
		if (above() === before) return;
		scroll.grow(scroll.now() > 0 ? above() - before : 0, fit);
		scroll.settle();
	}

	/* Details, which come and go, cover what they have to; a low picture has room. */
	function onFoot() {
		const isAtRest = !hint.hidden && told.hidden;
		const height = ceil(foot.getBoundingClientRect().height) - settings.bottom;
		const grown = height - size.extra;

		if (!isAtRest || grown === 0 || foot.classList.contains('fg-low')) return;
		scroll.grow(scroll.now() > 0 ? grown : 0, () => {
			size.extra = height;
			fit();
		});
		scroll.settle();
	}

	if (!window.ResizeObserver) return;
	new ResizeObserver(onHead).observe(head);
	if (MANY) new ResizeObserver(onFoot).observe(foot);
}

/*
 * Where the bars are, and how large they make the picture. show(element) puts one over
 * the picture; giveSide(width) makes room for a panel at its side, if there is enough,
 * and room() is the width that is left.
 */
function makePlaces(settings, lines) {
	const { head, foot } = lines;
	const overlay = find('frames').parentNode;
	const { upper, cover, floats } = makeHolders(overlay, head, foot);
	const size = sizeNow(settings);
	/* side: what the table takes from the width. */
	let [side, covered] = [0, false];
	const reachWith = makeReach(settings, { size, floats, fit });
	const above = () => reachWith(size.head);
	const footHeight = () => settings.bottom + size.extra;
	const scroll = makeScroll(floats, fit);

	function fit() {
		const { width } = size;
		const y = -above();
		const height = size.height - y + size.extra;
		const canGrow = isDocument && settings.fluid && width > MIN_FLUID;
		const isFluid = canGrow && side === 0;

		placePicture(overlay, { y, width, height, isFluid, seen: scroll.cut(height) });
		if (floats) placeFoot(foot, height, footHeight());
		else {
			place(upper, { y, width, height: size.head });
			place(cover, { y, width, height });
		}
	}

	fit();
	watchBars(lines, { settings, size, scroll, above, fit });
	return {
		above,
		fit,
		floats,
		isCovered: () => covered,
		scroll,
		size,
		headHeight: () => size.head,
		footHeight,
		show: (element) => show(element, cover, floats),
		room: () => max(MIN_FLUID, fluidWidth() - side),
		/* Makes room for a panel at the side; false: there is not enough. */
		giveSide(width) {
			side = floats && settings.fluid && width < fluidWidth() / 2 ? width : 0;
			covered = width > side;
			fit();
			return side > 0;
		},
	};
}

/* parts: of what the element says from now on. */
export function say(element, ...parts) {
	if (parts.length !== 1 || element.textContent !== parts[0])
		element.replaceChildren(...parts);
}

export function makeBars(settings) {
	const elements = makeElements(settings);
	const lines = assemble(elements, settings);
	const note = root.querySelector('.fg-note');
	const { hint, told } = lines;
	lines.foot.style.minHeight = settings.bottom + 'px';
	say(
		hint,
		note?.textContent ?? 'Click a frame to zoom in; Table lists all functions.',
	);
	const places = makePlaces(settings, lines);
	const { size, fit, scroll } = places;
	let timer = 0;

	return {
		...elements,
		...lines,
		...places,
		/* When the picture grows upwards, what was in view stays there. */
		resize(width, height, growsUpwards) {
			const grown = height - size.height;

			if (width === size.width && grown === 0) return;
			Object.assign(size, { width, height });
			if (growsUpwards) scroll.grow(grown, fit);
			else fit();
		},
		/* Over the details: for a moment, or until something else is told. */
		tell(text, stays) {
			clearTimeout(timer);
			say(told, text);
			told.hidden = text === '';
			if (!stays)
				timer = setTimeout(() => {
					told.hidden = true;
				}, TELL_TIME);
		},
		/* parts: of the line, or none. */
		setDetails(...parts) {
			hint.hidden = parts.length > 0;
			say(elements.details, ...(parts.length > 0 ? parts : [BLANK]));
		},
	};
}
