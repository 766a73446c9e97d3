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
	change,
	drop,
	find,
	findBackdrop,
	fitsWindow,
	fluidWidth,
	html,
	isDocument,
	make,
	put,
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

	if (!old) {
		put(element, NAME, name);
		return element;
	}
	drop(old, NAME);
	put(old, WAS, name);
	put(old, 'display', 'none');
	put(element, NAME, name);
	element.textContent = old.textContent;
	return element;
}

export function makeButton([name, text, meaning, isToggle]) {
	const button = html('button', { type: 'button', name, title: meaning }, text);

	if (isToggle) put(button, 'aria-pressed', 'false');
	return button;
}

function makeChip() {
	const back = html('button', { type: 'button', name: 'back', title: 'Undo this' });
	const text = html('span');
	const chip = html('span', { class: 'fg-chip', hidden: '' }, text, back);

	back.textContent = '\u00d7';
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
	const part = (name, attributes) =>
		takeOver(name, html('div', { class: 'fg-' + name, ...attributes }));
	const unzoom = html('button', { type: 'button', name: 'unzoom', hidden: '' });
	const named = {
		title: part('title'),
		details: part('details'),
		matched: part('matched'),
		unzoom: takeOver('unzoom', unzoom),
	};

	for (const name of ['search', 'ignorecase'])
		named[name] = takeOver(name, byName[name]);
	if (find('subtitle')) named.subtitle = part('subtitle');
	named.unzoom.textContent = 'Reset Zoom';
	return { ...named, buttons: byName, chips, input };
}

/* The legend of a differential becomes a line of the bars. */
function makeLegend() {
	return Array.from(root.querySelectorAll('.fg-swatch'), (rect) => {
		const mark = html('i');
		const text = rect.nextElementSibling;

		put(rect, 'display', 'none');
		put(text, 'display', 'none');
		mark.style.background = attr(rect, 'fill');
		return html('span', { class: 'fg-legend' }, mark, text.textContent);
	});
}

/* Puts the bars together; returns them and the other lines in them. */
function assemble(elements) {
	const { title, subtitle, details, unzoom, matched, input, buttons } = elements;
	const { search, ...rest } = buttons;
	const whole = html('span', { class: 'fg-whole' });
	const zoom = html('span', { class: 'fg-zoom' });
	const problem = html('span', { class: 'fg-problem', role: 'status' });
	const hint = html('div', { class: 'fg-hint' });
	const told = html('div', { class: 'fg-told', hidden: '' });
	const tools = { class: 'fg-tools', role: 'group', 'aria-label': 'Controls' };
	const state = html(
		'div',
		{ class: 'fg-state' },
		whole,
		zoom,
		unzoom,
		...elements.chips.map(({ chip }) => chip),
		problem,
	);
	const head = html(
		'div',
		{ class: 'fg-bar fg-head' },
		html('div', tools, title, input, search, ...Object.values(rest)),
		...(subtitle ? [subtitle] : []),
		state,
	);
	const foot = html(
		'div',
		{ class: 'fg-bar fg-foot' },
		told,
		details,
		hint,
		...makeLegend(),
	);

	elements.chips[CHIPS - 1].text.after(' ', matched, ...FILTERS.map(makeButton));
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

/* Where the bars are, and how large they make the picture. */
function makePlaces(settings, { head, foot }) {
	const overlay = find('frames').parentNode;
	const group = overlay.cloneNode(false);
	const upper = make('foreignObject', { class: 'fg-made' }, group);
	const cover = make('foreignObject', { class: 'fg-made fg-cover' }, overlay);
	const floats = isDocument && head.showPopover !== undefined;
	const backdrop = findBackdrop();
	const box = (attr(root, 'viewBox') ?? '').split(' ');
	let size = { width: parseFloat(box[2]) || settings.width, height: settings.height };
	let headHeight = HEAD_HEIGHT;
	/* What the table takes from the width. */
	let side = 0;

	const above = () => max(0, headHeight + HEAD_GAP - settings.top);

	/* In a low picture the details are right below it, else at the window's end. */
	function placeFoot() {
		const end = size.height + above();
		const isLow = fitsWindow(FOOT_LINES);

		foot.style.minHeight = settings.bottom + 'px';
		if (floats) foot.style.top = isLow ? end - settings.bottom + 'px' : 'auto';
	}

	function place(element, attributes) {
		for (const [name, value] of Object.entries(attributes))
			change(element, name, value);
	}

	function fit() {
		const { width, height } = size;
		const [y, full] = [-above(), height + above()];
		const fluid = isDocument && settings.fluid && width > MIN_FLUID && side === 0;

		place(root, {
			viewBox: [0, y, width, full].join(' '),
			width: fluid ? '100%' : width,
			height: full,
		});
		place(backdrop, { y, width, height: full });
		if (floats) placeFoot();
		else {
			place(upper, { y, width, height: headHeight });
			place(cover, { y, width, height: full });
		}
		/* For print, which has the static texts. */
		for (const text of overlay.children)
			if (text.hasAttribute(WAS) && text.hasAttribute('text-anchor'))
				change(text, 'x', floor(width / 2));
	}

	/* What was in view stays there. */
	function onHead() {
		const before = above();

		headHeight = ceil(head.getBoundingClientRect().height) || headHeight;
		if (above() === before) return;
		fit();
		if (isDocument) window.scrollBy(0, above() - before);
	}

	function show(element, holder) {
		holder.firstChild.append(element);
		if (!floats) return;
		put(element, 'popover', 'manual');
		element.showPopover();
	}

	group.classList.add('fg-made');
	overlay.parentNode.insertBefore(group, overlay);
	for (const holder of [upper, cover]) {
		place(holder, { width: 1, height: 1 });
		holder.append(html('div', { class: 'fg-layer' }));
	}
	show(head, upper);
	show(foot, cover);
	fit();
	if (window.ResizeObserver) new ResizeObserver(onHead).observe(head);
	return {
		above,
		fit,
		headHeight: () => headHeight,
		footHeight: () => settings.bottom,
		/* An element over the picture, such as the table. */
		show: (element) => show(element, cover),
		size: () => size,
		/* The width that is left for the picture. */
		room: () => max(MIN_FLUID, fluidWidth() - side),
		/* Makes room for a panel at the side, if there is enough. */
		giveSide(width) {
			side = floats && settings.fluid && width < fluidWidth() / 2 ? width : 0;
			fit();
		},
		setSize: (width, height) => {
			size = { width, height };
		},
	};
}

export function makeBars(settings) {
	const elements = makeElements();
	const lines = assemble(elements);
	const places = makePlaces(settings, lines);
	const { details, matched } = elements;
	const note = root.querySelector('.fg-note');
	let timer = 0;

	function say(element, ...parts) {
		if (parts.length !== 1 || element.textContent !== parts[0])
			element.replaceChildren(...parts);
	}

	/*
	 * When the picture grows upwards, scrolls the page so that what was in view
	 * stays there.
	 */
	function resize(width, height, growsUpwards) {
		const { width: widthBefore, height: heightBefore } = places.size();
		const grown = height - heightBefore;

		if (width === widthBefore && grown === 0) return;
		places.setSize(width, height);
		places.fit();
		if (isDocument && growsUpwards && grown !== 0) window.scrollBy(0, grown);
	}

	/* parts: of the line, or none. */
	function setDetails(...parts) {
		if (parts.length === 0 && details.textContent === BLANK) return;
		lines.hint.hidden = parts.length > 0;
		details.replaceChildren(...(parts.length > 0 ? parts : [BLANK]));
	}

	/* Over the details: for a moment, or until something else is told. */
	function tell(text, stays) {
		clearTimeout(timer);
		say(lines.told, text);
		lines.told.hidden = text === '';
		if (!stays)
			timer = setTimeout(() => {
				lines.told.hidden = true;
			}, TELL_TIME);
	}

	say(
		lines.hint,
		note
			? note.textContent
			: 'Click a frame to zoom in; Table lists all functions.',
	);
	return {
		...elements,
		...lines,
		...places,
		say,
		tell,
		resize,
		setDetails,
		setMatched: (text) => say(matched, text),
		width: () => places.size().width,
		height: () => places.size().height,
	};
}
