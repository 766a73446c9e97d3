/*
 * Helpers that all modules use: for elements, for the picture's settings and width, and
 * to do work later. We change nothing outside the picture's root.
 */

import { ATTRIBUTES, CHANGES, CHARTS } from './features.js';
import { ceil, floor, max } from './format.js';

const SVG = 'http://www.w3.org/2000/svg';
export const XHTML = 'http://www.w3.org/1999/xhtml';
export const BLANK = ' ';
export const MIN_FLUID = 300;
export const MAX_FLUID = 32767;
export const SHORT_PATIENCE = 80;
export const LONG_PATIENCE = 3000;
const START_TURN = 3;
const IDLE_TURN = 6;

const script = document.currentScript;
export const root = script ? script.closest('svg') : document.documentElement;
export const isDocument = root === document.documentElement;
/*
 * The element on which we listen for keys. If no element has the focus, keys go to the
 * document.
 */
export const keyTarget = isDocument ? document : root;

/*
 * The names of the picture's parts. They are ids. If the picture is embedded in a web
 * page, which could have the same ids, they are attributes of our own instead.
 */
const TEXTS = [
	'title',
	'subtitle',
	'details',
	'unzoom',
	'search',
	'ignorecase',
	'matched',
];
const NAMED = TEXTS.concat('frames');
export const NAME = isDocument ? 'id' : 'fg:id';
/* The attribute with the former name of a text that an element of the bars replaces. */
export const WAS = 'fg:was';

/* Returns the named part of the picture, or null. */
export function find(name) {
	return root.querySelector('[' + NAME.replace(':', '\\:') + '="' + name + '"]');
}

/*
 * Replaces the ids of the picture's parts if it is in a page, because other pictures in
 * the page may have the same ids.
 */
export function giveUpIds() {
	const gradient = root.querySelector('linearGradient');
	const isTwice = ({ id }) =>
		document.querySelectorAll('[id="' + id + '"]').length > 1;

	if (isDocument) return;
	for (const name of NAMED) {
		const element = root.querySelector('[id="' + name + '"]');
		if (!element) continue;
		drop(element, 'id');
		put(element, NAME, name);
	}
	while (gradient && isTwice(gradient)) {
		gradient.id += '-';
		put(findBackdrop(), 'fill', 'url(#' + gradient.id + ')');
	}
}

/*
 * Returns the child of an element that is or contains a node, or a false value if there
 * is none.
 */
export function childWith(element, node) {
	let at = node;

	while (at && at.parentNode !== element) at = at.parentNode;
	return at;
}

export function putAll(element, attributes) {
	for (const [name, value] of Object.entries(attributes)) put(element, name, value);
	return element;
}

/* Makes an HTML element with attributes and children. */
export function html(name, attributes = {}, ...children) {
	const element = putAll(document.createElementNS(XHTML, name), attributes);

	element.append(...children);
	return element;
}

/*
 * Makes a part of the bars or panels: a div with the class fg-NAME, which the style
 * sheet uses.
 */
export function part(name, ...children) {
	return html('div', { class: 'fg-' + name }, ...children);
}

/* Makes a button. keys.js finds what it does by its name. */
export function button(name, text, attributes) {
	return html('button', { type: 'button', name, ...attributes }, text);
}

/* Makes an SVG element with attributes, in a parent if there is one. */
export function make(name, attributes, parent) {
	const element = putAll(document.createElementNS(SVG, name), attributes);

	if (parent) parent.append(element);
	return element;
}

export function put(element, name, value) {
	element.setAttribute(name, value);
}

export function attr(element, name) {
	return element.getAttribute(name);
}

export function drop(element, name) {
	element.removeAttribute(name);
}

/*
 * Sets an attribute unless it has the value already, because even the same value makes
 * browsers do the layout again.
 */
export function change(element, name, value) {
	if (attr(element, name) !== String(value)) put(element, name, value);
}

/* Returns true if the picture follows the width of its window. */
export function isFluid() {
	return attr(root, 'fg:fluid') === '1';
}

/* Tells phones that the page can be narrow. Otherwise they assume 980 pixels. */
export function fitPhones() {
	const content = 'width=device-width';

	if (isDocument)
		root.prepend(html('meta', { class: 'fg-made', name: 'viewport', content }));
}

/* Returns the width of the place that a page has for the picture. */
function placeWidth() {
	let place = root.parentElement;

	while (place && !place.clientWidth) place = place.parentElement;
	if (!place) return 0;
	const { paddingLeft, paddingRight } = getComputedStyle(place);
	return place.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
}

/*
 * Returns the width of the window without a scroll bar or, in a page, of the place for
 * the picture.
 */
export function fluidWidth() {
	const width = isDocument
		? document.documentElement.clientWidth || window.innerWidth
		: placeWidth();

	return max(MIN_FLUID, floor(width));
}

/* Returns the rectangle of the background, or an unused one if there is none. */
export function findBackdrop() {
	const isRect = ({ localName }) => localName === 'rect';

	return Array.from(root.children).find(isRect) || make('rect', {});
}

/* Returns the width of the window by media queries, which need no layout. */
function mediaWidth() {
	let [least, most] = [MIN_FLUID, MAX_FLUID];

	while (least < most) {
		const middle = ceil((least + most) / 2);
		const wide = '(min-width: ' + middle + 'px)';
		if (window.matchMedia(wide).matches) least = middle;
		else most = middle - 1;
	}
	return least;
}

/* Returns true if the window has at least this height. Needs no layout. */
export function fitsWindow(height) {
	return window.matchMedia('(min-height: ' + ceil(height) + 'px)').matches;
}

/*
 * Does work that needs a layout while the frames are out of the document, so that the
 * browser lays the frames out only once.
 */
export function withoutFrames(container, work) {
	const placeholder = container.cloneNode(false);

	container.replaceWith(placeholder);
	work();
	placeholder.replaceWith(container);
}

/*
 * Like fluidWidth(), for the start of the viewer. Forces a layout only if there may be
 * a scroll bar.
 */
export function firstWidth() {
	if (!isDocument) return fluidWidth();
	if (fitsWindow(parseFloat(attr(root, 'height')))) return mediaWidth();
	return fluidWidth();
}

/*
 * Calls work() after the picture has been painted and the user can point at it. May
 * call it twice. The browser has painted what we do in one animation frame by the end
 * of the next one.
 */
export function whenPainted(work) {
	let frames = 3;

	function next() {
		if (frames-- > 0) requestAnimationFrame(next);
		else whenIdle(work);
	}

	if (document.hidden) whenIdle(work);
	else next();
	/*
	 * In an <iframe> that is out of sight, browsers give us no animation frames, so we
	 * only wait for some time.
	 */
	setTimeout(work, LONG_PATIENCE);
}

/* Does work without a visible effect after the next animation frame. */
export function afterFrame(work) {
	if (document.hidden) work();
	else requestAnimationFrame(() => setTimeout(work));
}

/* Does work that can wait, once the current result has been painted. */
export function soon(work) {
	setTimeout(work, SHORT_PATIENCE);
}

/*
 * Calls work() when the page is idle, again and again as long as it returns true.
 * Pauses after some ms, so that the user does not have to wait. With a `timeout`, it
 * also goes on if the page has not been idle for that many ms.
 */
export function whenIdle(work, timeout) {
	const wait = window.requestIdleCallback || setTimeout;
	const turn = () => {
		const end = performance.now() + IDLE_TURN;
		let more;

		do more = work() === true;
		while (more && performance.now() < end);
		if (more) whenIdle(work, timeout);
	};

	wait(turn, { timeout });
}

/*
 * Calls work() for each item. After some ms it waits for pause(), so that the page can
 * react.
 */
export async function inTurns(items, work, pause) {
	let end = performance.now() + START_TURN;

	for (const item of items) {
		work(item);
		if (performance.now() < end) continue;
		await pause();
		end = performance.now() + START_TURN;
	}
}

/*
 * Returns a pattern that matches the end of a title: " (1,234 samples, 5.67%; +8.90%)".
 */
function titleEnd(countName) {
	const literal = (countName && ' ' + countName).replace(
		/[\\^$.*+?()[\]{}|/]/g,
		'\\$&',
	);

	return new RegExp(
		' \\(([-~]?[\\d,]+' +
			literal +
			(countName === 'samples' ? '?' : '') +
			', [\\d.]+%(; [+-]?[\\d.]+%)?|[\\d,]+ \u2192 .*%)\\)$',
	);
}

/* Returns the ratio of the totals in "before=334 after=1077", or 1 without totals. */
function partOf(totals) {
	const [before, after] = totals.match(/[\d.]+/g) ?? [1, 1];

	return before / after;
}

/*
 * Reads the settings of the picture, which the program writes as attributes fg:NAME of
 * the root. Some of them:
 *
 * total: what 100 % stands for. factor: multiplies counts when they are shown.
 * counted: 'samples', 'unknown', or '' for a known unit.
 * one: the weight of a sample, if the picture does not show samples. weight: the weight
 * of a sample, if counts without a unit are shown as samples. Otherwise each is 0.
 * drawn: the least count of a frame that the program drew. least, leastPercent: the
 * limit in pixels and percent, for other widths.
 * top, bottom: the pixels above and below the frames.
 * isAlone: the root is the only frame that is drawn (profiles.js).
 * isComplete: there are no data, because the drawn frames have all names and counts.
 * diff: 'inclusive' or 'self' for a differential, else ''. widths: whose counts decide
 * the widths of frames. sample: the weight of a sample, for noise. maxDelta: the
 * largest change, for colours. recorded: the recorded totals as text, if counts were
 * scaled so that shares are compared. recordedPart: a count before times this is the
 * recorded count.
 */
export function readSettings() {
	const text = (name, standard) => attr(root, 'fg:' + name) ?? standard;
	const number = (name, standard) => {
		const value = parseFloat(attr(root, 'fg:' + name));
		return Number.isFinite(value) ? value : standard;
	};
	const fontSize = number('fontsize', 12);
	const lines = find('subtitle') ? 5 : 3;

	return {
		total: number('total', 0),
		isDocument,
		countName: text('countname', 'samples'),
		counted: text('counts', ''),
		one: number('one', 0),
		weight: number('weight', 0),
		isAlone: text('alone') === '1',
		isComplete: text('complete') === '1',
		titleEnd: titleEnd(text('countname', 'samples')),
		unit: text('unit', ''),
		event: text('event', ''),
		nameType: text('nametype', 'Function:'),
		fontSize,
		fontWidth: number('fontwidth', 0.59),
		searchColour: text('searchcolor', '#e600e6'),
		searched: text('search', ''),
		saved: text('state', null),
		factor: number('factor', 1),
		frameHeight: number('frameheight', 16),
		top: number('top', lines * fontSize),
		bottom: number('bottom', 2 * fontSize + 10),
		inverted: text('inverted') === '1',
		fluid: isFluid(),
		drawn: number('drawn', 0),
		least: number('least', 0),
		leastPercent: number('leastpercent', 0),
		isChart: CHARTS && text('chart') === '1',
		shares: text('shares') === '1',
		shorten: text('shorten', 'auto'),
		theme: text('theme', 'light'),
		diff: '',
		widths: 'after',
		...(CHANGES && {
			negate: text('negate') === '1',
			maxDelta: number('maxdelta', 1),
			pale: text('pale') === '1',
			diff: text('diff', ''),
			widths: text('view', 'after'),
			classic: text('classic') === '1',
			sample: number('sample', 0),
			recorded: text('recorded', ''),
			recordedPart: partOf(text('totals', '')),
			diffusion: text('diffusion') === '1',
		}),
		stroke: text('stroke', ''),
		palette: text('palette', ''),
		width: number('width', parseFloat(attr(root, 'width')) || 1200),
		height: number('height', parseFloat(attr(root, 'height')) || 0),
	};
}

/* Returns the element with the data. A page may be read as XML or as HTML. */
export function findData() {
	return Array.from(root.querySelectorAll('metadata > *')).find(
		(element) => element.nodeName.toLowerCase() === 'fg:data',
	);
}

/*
 * Returns the elements that have attributes of the user, by the name of their function:
 * those of drawn frames, and those that the program has left for frames that it did not
 * draw.
 */
export function findTemplates({ tree, records, drawn, settings }) {
	const { titleEnd } = settings;
	const templates = new Map();
	const isTheirs = ({ element, title }) =>
		element.localName === 'a' ||
		(element.hasAttributes() &&
			element
				.getAttributeNames()
				.some(
					(name) =>
						!name.startsWith('fg:') ||
						(name === 'fg:n' && !titleEnd.test(title.textContent)),
				));

	if (!ATTRIBUTES) return templates;
	records.forEach((record, i) => {
		const { element } = record;
		if (isTheirs(record))
			templates.set(tree.names[tree.name[drawn[i]]], element.cloneNode(true));
	});
	for (const element of root.querySelectorAll('metadata > g, metadata > a')) {
		templates.set(attr(element, 'fg:n'), element);
		/*
		 * The elements that we make from it get its id and classes, so it must leave
		 * the page.
		 */
		element.remove();
	}
	return templates;
}
