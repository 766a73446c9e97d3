/*
 * Makes a copy of the picture to be saved: the frames that are shown, with the title,
 * what 100 % is, the state in words and the legend, at the width of the screen. The
 * copy has neither bars nor scripts. save.js calls this module. Lengths are in pixels.
 */

import { max, min } from './format.js';
import { SIDE_PADDING } from './layout.js';
import { WAS, attr, drop, isDocument, make, put, putAll, root } from './page.js';

/* Multiples of the font's size, like in flamegraph/legend.c and svg.c. */
const SWATCH = 0.8;
const GAP = 0.35;
const LINE = 1.3;
const MARGIN = 1.5;
const TITLE_GROWTH = 5;

/* A name of a file has at most this many characters before its type. */
const MOST_NAME = 80;

/* Returns the texts of the zoom, of the chips and of the search. */
function stateTexts({ bars }) {
	const chips = bars.chips.filter(({ chip }) => !chip.hidden);
	const texts = [bars.zoom, ...chips.map(({ text }) => text)];
	const found = bars.matched.textContent.trim() + bars.own.textContent;

	return texts
		.map(({ textContent }) => textContent)
		.concat(found)
		.filter((text) => text.trim() !== '')
		.map((text) => ({ text }));
}

/* Returns the text and the fill of each entry of the legend. */
function legendItems({ bars }) {
	const entries = Array.from(bars.foot.querySelectorAll('.fg-legend'));

	return entries
		.filter((one) => !one.closest('[hidden]'))
		.map((one) => {
			const mark = one.querySelector('i');
			const colour = mark?.style.backgroundColor;
			const hatching = root.querySelector('pattern');
			const isHatched = mark?.classList.contains('fg-hatched');
			const fill = isHatched ? 'url(#' + hatching.id + ')' : colour;
			const isOutlined = isHatched || mark?.classList.contains('fg-outlined');

			return {
				text: one.textContent,
				fill: /^(rgb|url)/.test(fill) && fill,
				stroke: isOutlined ? '#808080' : 'none',
			};
		});
}

/* Makes the functions that write texts into the copy. */
function makeWriter(group, { settings: { fontSize }, measure: { widthOf } }, width) {
	const room = width - 2 * SIDE_PADDING;

	/* Returns the text, cut to the room for it. grown: the size relative to others. */
	function cut(text, grown = 1) {
		const isFit = (some) => widthOf(some) * grown <= room;
		let { length } = text;

		if (isFit(text)) return text;
		while (length > 1 && !isFit(text.slice(0, length) + '\u2026')) length--;
		return text.slice(0, length) + '\u2026';
	}

	/*
	 * Writes items one after the other, in as many lines as they need. Returns the
	 * baseline of the line after them.
	 */
	function writeItems(items, top) {
		const side = SWATCH * fontSize;
		let [x, y] = [SIDE_PADDING, top];

		for (const { text, fill, stroke } of items) {
			const indent = fill ? side + GAP * fontSize : 0;
			const words = cut(text);
			const size = indent + widthOf(words) + fontSize;
			if (x > SIDE_PADDING && x + size - fontSize > width - SIDE_PADDING)
				[x, y] = [SIDE_PADDING, y + LINE * fontSize];
			const box = { x, y: y - side, width: side, height: side };
			if (fill) make('rect', { ...box, fill, stroke }, group);
			make('text', { x: x + indent, y }, group).textContent = words;
			x += size;
		}
		return items.length > 0 ? y + LINE * fontSize : top;
	}

	return { cut, writeItems };
}

/* Returns where the rows of the frames start and end. */
function rowsOf(frames, frameHeight) {
	let [from, to] = [Infinity, 0];

	for (const rect of frames.querySelectorAll(':scope > * > rect')) {
		const y = parseFloat(attr(rect, 'y'));
		[from, to] = [min(from, y), max(to, y + frameHeight)];
	}
	return { from, to };
}

/* Keeps the title, the subtitle and what 100 % is, and removes all other texts. */
function writeHead(copy, { bars, settings }, { cut }, width) {
	const large = (settings.fontSize + TITLE_GROWTH) / settings.fontSize;
	const texts = {
		title: cut(bars.title.textContent, large),
		subtitle: cut(bars.subtitle?.textContent ?? ''),
		whole: cut(bars.whole.textContent),
	};

	for (const text of copy.querySelectorAll(':scope > g > text')) {
		const isWhole = text.classList.contains('fg-whole');
		const words = texts[isWhole ? 'whole' : attr(text, WAS)];
		if (words === undefined) {
			text.remove();
			continue;
		}
		drop(text, 'display');
		putAll(text, { x: width / 2 }).textContent = words;
	}
}

/* Returns the copy and its size. */
export function copyOfPicture(viewer) {
	const { settings, bars } = viewer;
	const { fontSize, frameHeight, top } = settings;
	const copy = root.cloneNode(true);
	const { width } = bars.size;
	const others =
		'script, metadata, foreignObject, .fg-frames[aria-hidden], ' +
		'.fg-made:not(.fg-shade), rect.fg-swatch, .fg-swatch-off';

	for (const element of copy.querySelectorAll(others)) element.remove();
	const frames = copy.querySelector('.fg-frames');
	const writer = makeWriter(frames.parentNode, viewer, width);
	const { from, to } = rowsOf(frames, frameHeight);
	writeHead(copy, viewer, writer, width);
	for (const element of copy.querySelectorAll('.fg-frames, .fg-marks, .fg-shade'))
		put(element, 'transform', 'translate(0,' + (top - from) + ')');
	/* The heat map, and what to look at first. */
	for (const element of copy.querySelectorAll('.fg-swatch, .fg-summary'))
		drop(element, 'display');
	const rows = top + to - from + MARGIN * fontSize;
	const words = writer.writeItems(stateTexts(viewer), rows);
	const height = writer.writeItems(legendItems(viewer), words) - fontSize / 2;
	drop(copy, 'style');
	drop(copy, 'fg:complete');
	for (const rect of copy.querySelectorAll(':scope > rect'))
		putAll(rect, { y: 0, width, height });
	putAll(copy, { width, height, viewBox: [0, 0, width, height].join(' ') });
	return { copy, width, height };
}

/*
 * Returns a name for a file: the name of the picture's file or else the title, and the
 * function of the frame.
 */
export function fileName({ picture, bars, texts }, type, frame = picture.within) {
	const file = window.location.pathname.split('/').pop();
	const [, own] = (isDocument && /^(.+)\.svg$/i.exec(file)) || [];
	const zoomed = frame === 0 ? '' : ' ' + texts.nameOf(picture.view, frame);
	const words = (own?.replace(/%\w\w/g, '-') ?? bars.title.textContent) + zoomed;
	const name = words.replace(/[^\p{L}\p{N}_.]+/gu, '-').slice(0, MOST_NAME);

	return (name.replace(/^[-.]+|-+$/g, '') || 'flame') + '.' + type;
}
