/* The lines of text around the frames, and the size of the picture. */

import {
	BLANK,
	MIN_FLUID,
	TEXTS,
	XHTML,
	change,
	find,
	findBackdrop,
	isDocument,
	make,
	root,
} from './page.js';
import { SIDE_PADDING } from './layout.js';

const NARROW = 640;
const BESIDE = 10;
const NOTE_RISE = 4;
const TITLE_GROWTH = 5;
const IGNORECASE_WIDTH = 26;

export function makeControls(settings, measure) {
	const controls = {};
	const backdrop = findBackdrop();
	const note = root.querySelector('.fg-note');
	const titleText = find('title') ? find('title').textContent : '';
	/* The picture may have been stretched to the window. */
	const drawn = parseFloat((root.getAttribute('viewBox') ?? '').split(' ')[2]);
	let size = { width: drawn || settings.width, height: settings.height };

	for (const id of TEXTS)
		controls[id] = find(id) || make('text', {});

	function say(id, text) {
		if (controls[id].textContent !== text)
			controls[id].textContent = text;
	}

	/* How far to the right the details may reach without touching the matches. */
	function endOfDetails() {
		const matched = measure.widthOfText(controls.matched.textContent);
		const isAlone = size.width < NARROW || matched < 8;

		return size.width - SIDE_PADDING - (isAlone ? 0 : matched + BESIDE);
	}

	/*
	 * In a narrow picture the matches have a line of their own. If the details are
	 * too long, their end is shown, as it has the numbers.
	 */
	function placeFoot() {
		const { width, height } = size;
		const foot = height - settings.bottom / 2;
		const narrow = width < NARROW;
		const { details, matched } = controls;
		const text = details.textContent;
		const end = text === BLANK ? width : endOfDetails();
		const fits = measure.widthOfText(text) <= end - SIDE_PADDING;

		change(details, 'x', fits ? SIDE_PADDING : end);
		change(details, 'text-anchor', fits ? 'start' : 'end');
		change(details, 'y', narrow ? foot - 3 : foot);
		change(matched, 'y', narrow ? foot + settings.fontSize : foot);
		change(matched, 'x', width - SIDE_PADDING);
		change(matched, 'text-anchor', 'end');
		if (note)
			change(note, 'y', height - NOTE_RISE);
	}

	/* A title that does not fit between the controls has a line of its own. */
	function placeHead() {
		const { width } = size;
		const middle = Math.floor(width / 2);
		const { fontSize } = settings;
		const side =
			2 * BESIDE +
			Math.max(
				measure.widthOfText('Reset Zoom'),
				measure.widthOfText('Reset Search') + IGNORECASE_WIDTH,
			);
		const wide =
			(measure.widthOfText(titleText) * (fontSize + TITLE_GROWTH)) /
			fontSize;
		const narrow = wide > width - 2 * (SIDE_PADDING + side);
		const head = narrow ? fontSize + 1 : 2 * fontSize;

		controls.title.setAttribute('x', middle);
		controls.title.setAttribute(
			'y',
			narrow ? 3 * fontSize - 4 : 2 * fontSize,
		);
		controls.subtitle.setAttribute('x', middle);
		controls.ignorecase.setAttribute('x', width - SIDE_PADDING - 16);
		controls.search.setAttribute(
			'x',
			width - SIDE_PADDING - IGNORECASE_WIDTH,
		);
		controls.search.setAttribute('text-anchor', 'end');
		for (const id of ['unzoom', 'search', 'ignorecase'])
			controls[id].setAttribute('y', head);
	}

	/*
	 * When the picture grows upwards, scrolls the page so that what was in view
	 * stays there.
	 */
	function resize(width, height, growsUpwards) {
		const grown = height - size.height;

		if (width === size.width && grown === 0)
			return;
		size = { width, height };
		root.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
		root.setAttribute(
			'width',
			settings.fluid && width > MIN_FLUID ? '100%' : width,
		);
		root.setAttribute('height', height);
		backdrop.setAttribute('width', width);
		backdrop.setAttribute('height', height);
		placeHead();
		placeFoot();
		if (isDocument && growsUpwards && grown !== 0)
			window.scrollBy(0, grown);
	}

	function setDetails(text) {
		say('details', text);
		placeFoot();
	}

	function setMatched(text) {
		say('matched', text);
		placeFoot();
	}

	return {
		...controls,
		say,
		setDetails,
		setMatched,
		placeHead,
		resize,
		width: () => size.width,
		height: () => size.height,
	};
}

/* The box to type a search into. */

const TYPING_PAUSE = 60;
const BOX_WIDTH = 220;

export function makeBox(controls, settings, search) {
	let holder = null;
	let input = null;
	let timer = 0;

	function build() {
		holder = make(
			'foreignObject',
			{ class: 'fg-search', height: 26 },
			find('frames').parentNode,
		);
		input = document.createElementNS(XHTML, 'input');
		for (const [key, value] of Object.entries({
			class: 'fg-term',
			type: 'text',
			spellcheck: 'false',
			autocomplete: 'off',
			placeholder: 'regular expression',
			'aria-label': 'Search for a regular expression',
		}))
			input.setAttribute(key, value);
		holder.appendChild(input);
	}

	function place() {
		if (!holder)
			return;
		const width = Math.min(BOX_WIDTH, controls.width() - 2 * SIDE_PADDING);
		const beside = controls.width() - 2 * SIDE_PADDING - 130 - width;
		const narrow = beside < 0;

		holder.setAttribute('width', width);
		holder.setAttribute('x', narrow ? SIDE_PADDING : beside + SIDE_PADDING);
		holder.setAttribute(
			'y',
			narrow ? 2 * settings.fontSize + 4 : 2 * settings.fontSize - 18,
		);
	}

	function open(term) {
		if (!holder)
			build();
		place();
		holder.removeAttribute('display');
		if (document.activeElement !== input)
			input.value = term;
		input.focus();
		input.select();
	}

	function close() {
		clearTimeout(timer);
		if (holder)
			holder.setAttribute('display', 'none');
	}

	function showValid(valid) {
		if (!input)
			return;
		input.classList.toggle('fg-invalid', !valid);
		change(input, 'aria-invalid', !valid);
	}

	/* Waits for a pause in typing, so that not every key starts a search. */
	function onInput() {
		clearTimeout(timer);
		timer = setTimeout(() => search(input.value), TYPING_PAUSE);
	}

	function accept() {
		clearTimeout(timer);
		search(input.value);
		close();
	}

	return {
		open,
		close,
		accept,
		place,
		showValid,
		onInput,
		has: (node) => node !== null && node === input,
	};
}

/* The details line and tooltip of the frame last pointed at or given the focus. */

export function makeDetails({ controls, picture, texts }) {
	let shown = null;
	let title = '';

	/* While its frame is shown, a title has all details; then it is restored. */
	function restoreTitle() {
		if (shown)
			shown.title.textContent = title;
		shown = null;
	}

	function of(record) {
		const own = record === shown ? title : record.title.textContent;

		return texts.detailsOf(picture.view(), record, picture.within(), own);
	}

	function line(record) {
		return picture.settings.nameType + ' ' + of(record);
	}

	function show(wanted) {
		const record = wanted ?? null;

		if (record !== shown) {
			restoreTitle();
			shown = record;
			title = record ? record.title.textContent : '';
		}
		if (!record) {
			controls.setDetails(BLANK);
			return;
		}
		controls.setDetails(line(record));
		record.title.textContent = of(record);
	}

	return {
		line,
		show,
		/* The frame that the details line is about, on which keys act. */
		shown: () => shown,
		/* Must be called before titles change. */
		forget: restoreTitle,
	};
}

/* The list of keys that the picture shows when asked. */

const KEYS = [
	['click, Enter', 'zoom into the frame'],
	['Escape', 'back out of the zoom'],
	['arrows, Home', 'go from frame to frame'],
	['Ctrl-F, F3, /', 'search as you type'],
	['n, N', 'next, previous match'],
	['Ctrl-I', 'ignore case'],
	['Ctrl-click, m', 'its callers and callees'],
	['Alt-click, h', 'hide the frame'],
	['r', 'reverse: who calls what'],
	['s', 'sort by weight or by name'],
	['i', 'upside down'],
	['u', 'undo'],
	['c, C', 'copy the name, the stack'],
	['?', 'show or hide these keys'],
];
const HELP_WIDTH = 560;

export function makeHelp(controls, settings, redraw) {
	const line = settings.fontSize + 8;
	let group = null;

	function columns() {
		return controls.width() < HELP_WIDTH + 40 ? 1 : 2;
	}

	function height() {
		return (
			Math.ceil(KEYS.length / columns()) * line +
			2 * settings.fontSize
		);
	}

	/* As high as can be seen, but within the picture. */
	function topOf() {
		const hidden = -root.getBoundingClientRect().top;
		const lowest = controls.height() - settings.bottom - height();

		return Math.max(settings.top, Math.min(hidden + BESIDE, lowest));
	}

	function build() {
		const many = columns();
		const width = Math.min(HELP_WIDTH, controls.width() - 2 * SIDE_PADDING);
		const left = (controls.width() - width) / 2;
		const top = topOf();
		const rows = Math.ceil(KEYS.length / many);

		group = make(
			'g',
			{ class: 'fg-help', role: 'note', 'aria-label': 'Keys' },
			find('frames').parentNode,
		);
		make(
			'rect',
			{ x: left, y: top, width, height: height(), rx: 6 },
			group,
		);
		KEYS.forEach(([key, meaning], i) => {
			const x = left + 20 + (Math.floor(i / rows) * width) / 2;
			const y = top + 2 * settings.fontSize + (i % rows) * line;
			make('text', { x, y, class: 'fg-key' }, group).textContent =
				key;
			make('text', { x: x + 100, y }, group).textContent = meaning;
		});
	}

	function hide() {
		if (!group)
			return;
		group.remove();
		group = null;
		redraw();
	}

	function toggle() {
		if (group)
			return hide();
		build();
		return redraw();
	}

	return {
		toggle,
		hide,
		isShown: () => group !== null,
		room: () => (group ? height() + settings.top + settings.bottom : 0),
	};
}
