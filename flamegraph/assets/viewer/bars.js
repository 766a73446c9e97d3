/*
 * The bars above and below the frames: title, buttons, the state of the picture in
 * words, details. They are HTML, whose lines break where they have to. Where the
 * picture is the document, they stay in the window; elsewhere they have their place in
 * the picture.
 */

import { ceil, floor, max } from './format.js';
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

const HEAD_HEIGHT = 54;
const HEAD_GAP = 4;
const FOOT_LINES = 40;
const TELL_TIME = 2500;
const TYPING_PAUSE = 60;

/* Name, text, and what it does with its key; `on`: it is pressed or not. */
const BUTTONS = [
	['search', 'Search', 'Search as you type: /, Ctrl-F or F3'],
	['ignorecase', 'ic', 'Ignore case when searching: Ctrl-I', true],
	['callers', 'Callers', 'A function between its callers and callees: m'],
	['reverse', 'Reverse', 'Start from what is on top, and go to its callers: r', true],
	['sort', 'Sort', 'Sort by weight or by name: s', true],
	['table', 'Table', 'All functions with their own counts and totals: t', true],
	['hide', 'Hide', 'Leave out a frame and all on top of it: h'],
	['undo', 'Undo', 'Undo the last change of the view: u'],
	['invert', 'Invert', 'Turn the picture upside down: i', true],
	['help', 'Help', 'Show the keys: ?', true],
];

/* What can be done with the stacks that have a match. */
const FILTERS = [
	['only', 'Only', 'Only the stacks with a match: o'],
	['without', 'Without', 'Without the stacks with a match: x'],
];

/*
 * How many things can be said about the state; state.js says them and keys.js has the
 * ways back, both in the same order. The last one is the search.
 */
const CHIPS = 7;

/* An element of the static picture, whose name and text go to another element. */
function takeOver(name, element) {
	const old = find(name);

	if (old) {
		drop(old, NAME);
		putAll(old, { [WAS]: name, display: 'none' });
		element.textContent = old.textContent;
	}
	put(element, NAME, name);
	return element;
}

export function makeButton([name, text, title, isToggle]) {
	return button(name, text, { title, ...(isToggle && { 'aria-pressed': 'false' }) });
}

function makeChip() {
	const back = button('back', '\u00d7', { title: 'Undo this' });
	const text = html('span');
	const chip = html('span', { class: 'fg-chip', hidden: '' }, text, back);

	return { chip, text, back };
}

/* The elements of both bars. */
function makeElements() {
	const buttons = BUTTONS.map(makeButton);
	const byName = Object.fromEntries(buttons.map((one) => [one.name, one]));
	const chips = Array.from({ length: CHIPS }, makeChip);
	const input = html('input', {
		class: 'fg-term',
		type: 'text',
		spellcheck: 'false',
		autocomplete: 'off',
		autocapitalize: 'off',
		placeholder: 'regular expression',
		'aria-label': 'Search for a regular expression',
		hidden: '',
	});
	const line = (name) => takeOver(name, part(name));
	const unzoom = takeOver('unzoom', button('unzoom', '', { hidden: '' }));

	unzoom.textContent = 'Reset Zoom';
	return {
		title: line('title'),
		subtitle: find('subtitle') ? line('subtitle') : '',
		details: line('details'),
		matched: line('matched'),
		unzoom,
		search: takeOver('search', byName.search),
		ignorecase: takeOver('ignorecase', byName.ignorecase),
		buttons: byName,
		chips,
		input,
	};
}

/* The legend of a differential becomes a line of the bars. */
function makeLegend() {
	return Array.from(root.querySelectorAll('.fg-swatch'), (rect) => {
		const mark = html('i');
		const text = rect.nextElementSibling;

		for (const element of [rect, text]) put(element, 'display', 'none');
		mark.style.background = attr(rect, 'fill');
		return html('span', { class: 'fg-legend' }, mark, text.textContent);
	});
}

/* Puts the bars together; returns them and the other lines in them. */
function assemble(elements) {
	const { title, subtitle, details, unzoom, matched, input, buttons, chips } =
		elements;
	const { search, ...rest } = buttons;
	const whole = html('span');
	const zoom = html('span', { class: 'fg-zoom' });
	const problem = html('span', { class: 'fg-problem', role: 'status' });
	const hint = html('div');
	const told = part('told');
	const tools = part('tools', title, input, search, ...Object.values(rest));
	const lines = chips.map(({ chip }) => chip);
	const state = part('state', whole, zoom, unzoom, ...lines, problem);
	const head = part('bar fg-head', tools, subtitle, state);
	const foot = part('bar fg-foot', told, details, hint, ...makeLegend());

	told.hidden = true;
	putAll(tools, { role: 'group', 'aria-label': 'Controls' });
	chips[CHIPS - 1].text.after(' ', matched, ...FILTERS.map(makeButton));
	return { head, foot, whole, zoom, problem, hint, told };
}

/* The box to type a search into. */
export function makeBox({ input }, search) {
	let timer = 0;

	function close() {
		clearTimeout(timer);
		input.hidden = true;
	}

	return {
		close,
		open(term) {
			input.hidden = false;
			if (document.activeElement !== input) input.value = term;
			input.focus();
			input.select();
		},
		accept() {
			clearTimeout(timer);
			search(input.value);
			close();
		},
		showValid(valid) {
			input.classList.toggle('fg-invalid', !valid);
			change(input, 'aria-invalid', !valid);
		},
		/* Waits for a pause in typing, so that not every key starts a search. */
		onInput() {
			clearTimeout(timer);
			timer = setTimeout(() => search(input.value), TYPING_PAUSE);
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

/* y: how far what is above the frames reaches into what is above the picture. */
function placePicture(overlay, { y, width, height, isFluid }) {
	const viewBox = [0, y, width, height].join(' ');

	place(root, { viewBox, width: isFluid ? '100%' : width, height });
	place(findBackdrop(), { y, width, height });
	/* For print, which has the static texts. */
	for (const text of overlay.children)
		if (text.hasAttribute(WAS) && text.hasAttribute('text-anchor'))
			change(text, 'x', floor(width / 2));
}

/* Where the bars are, and how large they make the picture. */
function makePlaces(settings, { head, foot }) {
	const overlay = find('frames').parentNode;
	const { upper, cover, floats } = makeHolders(overlay, head, foot);
	const box = (attr(root, 'viewBox') ?? '').split(' ');
	const size = {
		width: parseFloat(box[2]) || settings.width,
		height: settings.height,
	};
	let headHeight = HEAD_HEIGHT;
	/* What the table takes from the width. */
	let side = 0;

	const above = () => max(0, headHeight + HEAD_GAP - settings.top);

	function fit() {
		const { width } = size;
		const y = -above();
		const height = size.height - y;
		const canGrow = isDocument && settings.fluid && width > MIN_FLUID;
		const footTop = height - settings.bottom + 'px';

		placePicture(overlay, { y, width, height, isFluid: canGrow && side === 0 });
		/* In a low picture the details are right below it, else at the window's end. */
		if (floats) foot.style.top = fitsWindow(FOOT_LINES) ? footTop : 'auto';
		else {
			place(upper, { y, width, height: headHeight });
			place(cover, { y, width, height });
		}
	}

	/* What was in view stays there. */
	function onHead() {
		const before = above();

		headHeight = ceil(head.getBoundingClientRect().height) || headHeight;
		if (above() === before) return;
		fit();
		if (isDocument) window.scrollBy(0, above() - before);
	}

	foot.style.minHeight = settings.bottom + 'px';
	fit();
	if (window.ResizeObserver) new ResizeObserver(onHead).observe(head);
	return {
		above,
		fit,
		size,
		headHeight: () => headHeight,
		footHeight: () => settings.bottom,
		/* An element over the picture, such as the table. */
		show: (element) => show(element, cover, floats),
		/* The width that is left for the picture. */
		room: () => max(MIN_FLUID, fluidWidth() - side),
		/* Makes room for a panel at the side, if there is enough. */
		giveSide(width) {
			side = floats && settings.fluid && width < fluidWidth() / 2 ? width : 0;
			fit();
		},
	};
}

/* parts: of what the element says from now on. */
export function say(element, ...parts) {
	if (parts.length !== 1 || element.textContent !== parts[0])
		element.replaceChildren(...parts);
}

export function makeBars(settings) {
	const elements = makeElements();
	const lines = assemble(elements);
	const note = root.querySelector('.fg-note');
	const { hint, told } = lines;
	const places = makePlaces(settings, lines);
	const { size, fit } = places;
	let timer = 0;

	say(
		hint,
		note?.textContent ?? 'Click a frame to zoom in; Table lists all functions.',
	);
	return {
		...elements,
		...lines,
		...places,
		/* When the picture grows upwards, what was in view stays there. */
		resize(width, height, growsUpwards) {
			const grown = height - size.height;

			if (width === size.width && grown === 0) return;
			Object.assign(size, { width, height });
			fit();
			if (isDocument && growsUpwards && grown !== 0) window.scrollBy(0, grown);
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
