/*
 * The bars above and below the frames: title, buttons, search field, the state of the
 * picture in words, legend and details.
 *
 * The bars are HTML, so their lines break by themselves. If the picture is the
 * document, they float over it and stay in the window; elsewhere they have a fixed
 * place in the picture. state.js writes their texts, and keys.js has the actions of the
 * buttons. Sizes are in pixels.
 */

import { fillMark } from './colour.js';
import { CHANGES, MANY } from './features.js';
import { ceil, floor, max } from './format.js';
import { makeKey, makeSwitch } from './legend.js';
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
import { makeScroll } from './scroll.js';
import { viewsOf } from './views.js';

const HEAD_HEIGHT = 56;
const HEAD_GAP = 4;
const FOOT_LINES = 40;
const TELL_TIME = 2500;
const TYPING_PAUSE = 60;

/*
 * Each row of these lists is a button: name, text, hint (with its key), true for a
 * toggle, and icon.
 */
const SEARCH = [
	['ignorecase', 'Aa', 'Ignore case when searching: Ctrl-I', true],
	['search', 'Search', 'Search as you type: /, Ctrl-F or F3', false, 'search'],
	['prev', 'Previous match', 'Previous match: N', false, 'prev'],
	['next', 'Next match', 'Next match: n', false, 'next'],
];
const ACTS = [
	['undo', 'Undo', 'Undo the last change of the view: u', false, 'undo'],
	['link', 'Copy link', 'Copy the address of this view: l', false, 'link'],
	['menu', 'More', 'Turn, leave out, copy, save: .', false, 'more'],
	['help', 'Help', 'Show the keys: ?', true, 'help'],
];

/* Buttons that filter stacks by the search. */
const FILTERS = [
	['only', 'Only these', 'Only the stacks with a match: o'],
	['without', 'Without', 'Without the stacks with a match: x'],
];

/*
 * The number of chips that the state can have. A chip is a short text about a change
 * that the user made, with a button to undo it. state.js writes the chips and keys.js
 * undoes them, both in the same order. The last chip is the search.
 */
const CHIPS = 10;

/*
 * Makes `element` replace an element of the static picture: gives it the name of the
 * old one, which is hidden.
 */
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
 * Makes an element of the bars from a line of the static picture, and hides the line.
 * If the program has cut the line, its title has the full text. A heading may be cut in
 * the bar, too, so its tooltip shows the full text.
 */
function takeLine(name, isHeading = false) {
	const line = find(name);
	const text = (line?.querySelector('title') ?? line)?.textContent ?? '';

	return putAll(takeOver(name, part(name, text)), isHeading && { title: text });
}

/*
 * The characters of icons. The style sheet inserts them, so they are not part of the
 * buttons' texts.
 */
const SIGNS = {
	search: '\u26b2',
	close: '\u00d7',
	prev: '\u2039',
	next: '\u203a',
	undo: '\u21b6',
	link: '\u2197',
	more: '\u22ef',
	help: '?',
};

function icon(name) {
	const look = { class: 'fg-icon fg-icon-' + name, 'aria-hidden': 'true' };

	return html('i', { ...look, 'data-sign': SIGNS[name] });
}

/*
 * Makes a button from a row such as those of SEARCH. The style sheet may hide the word
 * of a button that has an icon; screen readers still read the word.
 */
export function makeButton([name, text, title, isToggle, drawn]) {
	const word = drawn ? html('span', { class: 'fg-word' }, text) : text;

	return button(name, word, { title, ...(isToggle && { 'aria-pressed': 'false' }) });
}

/* Makes a group of buttons, with the icons of the rows that have one. */
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

/* Makes the search group: the field, its buttons, and the number of matches. */
function makeFinder(input, count) {
	const finder = makeGroup('fg-find', SEARCH, { role: 'search' });

	finder.prepend(input);
	finder.children[2].prepend(icon('close'));
	finder.children[2].after(count);
	return finder;
}

/* Makes the elements of both bars. */
function makeElements(settings) {
	const views = makeGroup('fg-views', viewsOf(settings), {
		role: 'group',
		'aria-label': 'View',
	});
	/* Only a picture that is the document has an address of its own. */
	const list = ACTS.filter(([name]) => isDocument || name !== 'link');
	const acts = makeGroup('fg-acts', list, { role: 'group', 'aria-label': 'Actions' });
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

/*
 * Makes a line of the bars from the legend of a differential, and hides the legend in
 * the picture.
 */
function makeLegend() {
	const names = 'fg-legend' + (attr(root, 'fg:diff') ? ' fg-change' : '');

	return Array.from(root.querySelectorAll('g > rect.fg-swatch'), (rect) => {
		const mark = html('i');
		const text = rect.nextElementSibling;

		for (const element of [rect, text]) put(element, 'display', 'none');
		fillMark(mark, attr(rect, 'fill'));
		return html('span', { class: names }, mark, text.textContent);
	});
}

/*
 * Makes a part of the upper bar from the lines that say what to look at first, and
 * hides them in the picture. Returns an empty text if there are none. The links lead to
 * states of the picture; the browser follows them if the picture is the document.
 */
function makeSummary() {
	const lines = root.querySelector('.fg-summary');

	if (!lines) return '';
	put(lines, 'display', 'none');
	const links = Array.from(lines.children, (line) =>
		html(
			'div',
			{},
			line.localName === 'a'
				? html('a', { href: attr(line, 'href') }, line.textContent)
				: line.textContent,
		),
	);
	const title = 'Hide these lines';
	const close = button('dismiss', SIGNS.close, { title, 'aria-label': title });
	return part('summary', close, ...links);
}

/*
 * Assembles both bars. Returns the bars, and those of their elements whose texts
 * change.
 */
function assemble(elements, settings) {
	const { title, subtitle, details, unzoom, matched, groups, chips } = elements;
	const whole = html('span');
	const zoom = html('span', { class: 'fg-zoom' });
	const problem = html('span', { class: 'fg-problem', role: 'status' });
	const hint = html('div');
	const message = part('message');
	const own = html('span', { class: 'fg-own' });
	const legend = settings.palette
		? [makeKey(settings)]
		: CHANGES
			? makeLegend()
			: [];
	const tools = part('tools', title, ...groups);
	const lines = chips.map(({ chip }) => chip);
	const state = part('state', whole, zoom, unzoom, ...lines, problem);
	const summary = makeSummary();
	/* The bar says what 100 % is, too, so this line is only for paper. */
	const still = root.querySelector('.fg-whole');
	if (still) put(still, 'display', 'none');
	const head = part('bar fg-head', part('rows', tools, subtitle, state, summary));
	const lower = [message, details, hint, ...legend];
	const foot = part('bar fg-foot', ...makeSwitch(settings), ...lower);

	message.hidden = true;
	putAll(tools, { role: 'group', 'aria-label': 'Controls' });
	const filters = FILTERS.map(makeButton);
	chips[CHIPS - 1].text.after(' ', matched, own, ...filters);
	return { head, foot, whole, zoom, problem, hint, message, own, filters, summary };
}

/*
 * Makes the search box, which calls search(term). On a phone the user has to open the
 * box to see it.
 */
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
		/*
		 * Searches at once if the user has typed something that was not searched for
		 * yet.
		 */
		settle() {
			if (timer) seek();
		},
		/* Shows the search term, unless the user is typing. */
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
		/* Searches after a pause in typing, so that not every key starts a search. */
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

/*
 * Puts the bars into two elements of the picture, `upper` and `cover`. If the browser
 * supports popovers and the picture is the document (`floats`), the bars float over the
 * picture. Otherwise fit() places the two elements.
 */
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
 * Makes a picture that is cut to the window fill it (scroll.js). Shows a scroll bar
 * from the start, so that the width does not change later. atEnd: the window shows the
 * end of the picture. Some browsers change the window's height right before they take a
 * screenshot; the end of the picture then stays at the end of the window.
 */
function fillWindow(isCut, atEnd) {
	root.style.overflowY = isCut && window.top === window ? 'scroll' : '';
	root.style.height = isCut ? '100vh' : '';
	place(root, { preserveAspectRatio: isCut && !atEnd ? 'xMidYMin' : 'xMidYMax' });
}

/*
 * Sets the size of the picture. y: where the top bar starts, a negative number if it
 * reaches above the picture. seen: the part of the picture that is in the window: its
 * start (`from`) and height (`room`).
 */
function placePicture(overlay, { y, width, height, isFluid, seen: { from, room } }) {
	const viewBox = [0, y + from, width, room].join(' ');

	place(root, { viewBox, width: isFluid ? '100%' : width, height: room });
	if (isDocument) fillWindow(room < height, from + room >= height);
	place(findBackdrop(), { y, width, height });
	/*
	 * Keeps the static texts in the middle. They are only visible in print and in
	 * copies.
	 */
	for (const text of overlay.children)
		if (text.hasAttribute('text-anchor'))
			change(text, 'x', floor(width / 2));
}

/* Returns a function that tells if a picture that is the document is being printed. */
function watchPrint(fit) {
	let isPrinted = false;

	for (const type of ['beforeprint', 'afterprint'])
		window.addEventListener(type, () => {
			isPrinted = isDocument && type === 'beforeprint';
			fit();
		});
	return () => isPrinted;
}

/*
 * Returns a function from the height of the top bar to how far the bar reaches above
 * the picture. On screen this includes half of the window's spare height, so that a low
 * picture is in the middle.
 */
function makeReach(settings, { size, floats, isPrinted }) {
	return (headHeight) => {
		const reach = max(0, headHeight + HEAD_GAP - settings.top);
		const spare = window.innerHeight - size.height - reach - FOOT_LINES;
		const isAlone = floats && window.top === window && !isPrinted();
		return reach + (isAlone ? floor(max(0, spare) / 2) : 0);
	};
}

/*
 * Reads the size of the picture. extra: by how much the lower bar, with its hint,
 * exceeds the space that the program has left for it.
 */
function sizeNow({ width, height }) {
	const box = (attr(root, 'viewBox') ?? '').split(' ');

	return { width: parseFloat(box[2]) || width, height, head: HEAD_HEIGHT, extra: 0 };
}

/*
 * Places the lower bar: right below a low picture, otherwise at the end of the window.
 */
function placeFoot(foot, height, bottom) {
	const isLow = fitsWindow(height + FOOT_LINES);

	foot.style.top = isLow ? height - bottom + 'px' : 'auto';
	foot.classList.toggle('fg-low', isLow);
}

/* Keeps space in the picture for the bars, whose heights can change. */
function watchBars(lines, { settings, size, scroll, above, fit }) {
	const { head, foot, hint, message } = lines;

	/*
	 * Adapts to a new height of the top bar. What the user sees stays in place, except
	 * at the top of the page, where the frames move so that they are not behind the
	 * bar.
	 */
	function onHead() {
		const before = above();

		size.head = ceil(head.getBoundingClientRect().height) || size.head;
		if (above() === before) return;
		scroll.grow(scroll.now() > 0 ? above() - before : 0, fit);
		scroll.settle();
	}

	/*
	 * Adapts to a new height of the lower bar, but only while it shows just the hint.
	 * Details and messages come and go, so we let them cover frames instead of moving
	 * the frames.
	 */
	function onFoot() {
		const isAtRest = !hint.hidden && message.hidden;
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
 * Places the bars and makes space for them. Returns functions for their sizes, and the
 * scroller.
 */
function makePlaces(settings, lines) {
	const { head, foot } = lines;
	const overlay = find('frames').parentNode;
	const { upper, cover, floats } = makeHolders(overlay, head, foot);
	const size = sizeNow(settings);
	/*
	 * side: the width that the table takes from the picture. covered: the table covers
	 * a part of the picture.
	 */
	let [side, covered] = [0, false];
	const isPrinted = watchPrint(fit);
	const reachWith = makeReach(settings, { size, floats, isPrinted });
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
		/* On paper the file's legend needs the file's width. */
		room: () =>
			isPrinted() ? settings.width : max(MIN_FLUID, fluidWidth() - side),
		/*
		 * Makes space for a panel of this width at the side. Returns false if the panel
		 * has to cover the picture instead.
		 */
		giveSide(width) {
			side = floats && settings.fluid && width < fluidWidth() / 2 ? width : 0;
			covered = width > side;
			fit();
			return side > 0;
		},
	};
}

/*
 * Replaces the content of an element by texts and elements. Does nothing if the element
 * already has just that text.
 */
export function setText(element, ...parts) {
	if (parts.length !== 1 || element.textContent !== parts[0])
		element.replaceChildren(...parts);
}

/*
 * Writes what 100 % is or how the whole has changed. On a phone the style sheet hides
 * the words before the totals, so that these fit.
 */
export function setWhole({ whole }, text) {
	const [start] = /^Before \u2192 after: |/.exec(text);

	setText(whole, html('span', {}, start), text.slice(start.length));
}

/*
 * Makes both bars. Returns their elements (buttons, chips, input and so on) and:
 * `size`, the size of the picture; resize(), which changes it; above(), how far the top
 * bar reaches above the picture; room(), the width beside the table; show(), which
 * shows an element over the picture; showMessage(); setDetails(); and `scroll`
 * (scroll.js).
 */
export function makeBars(settings) {
	const elements = makeElements(settings);
	const lines = assemble(elements, settings);
	const note = root.querySelector('.fg-note');
	const { hint, message } = lines;
	lines.foot.style.minHeight = settings.bottom + 'px';
	setText(
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
		/*
		 * Resizes the picture. If it grows upwards, what the user sees stays in place.
		 */
		resize(width, height, growsUpwards) {
			const grown = height - size.height;

			if (width === size.width && grown === 0) return;
			Object.assign(size, { width, height });
			if (growsUpwards) scroll.grow(grown, fit);
			else fit();
		},
		/*
		 * Shows a message instead of the details: for a moment or, with `stays`, until
		 * the next message.
		 */
		showMessage(text, stays) {
			clearTimeout(timer);
			setText(message, text);
			message.hidden = text === '';
			if (!stays)
				timer = setTimeout(() => {
					message.hidden = true;
				}, TELL_TIME);
		},
		/* Sets the parts of the details line, or the hint if there are none. */
		setDetails(...parts) {
			hint.hidden = parts.length > 0;
			setText(elements.details, ...(parts.length > 0 ? parts : [BLANK]));
		},
	};
}
