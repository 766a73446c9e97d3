/*
 * The element of a frame: made, and brought up to date. What it shows is remembered in
 * its record, so that nothing is read back from the document or set twice.
 */

import { paintBars, readGround } from './bars.js';
import {
	changeColour,
	deltaColour,
	diffusionColour,
	isBrightFill,
	isDarkFill,
	mix,
	parseColour,
} from './colour.js';
import { abs } from './format.js';
import { fitLabel, limitMarks } from './names.js';
import { XHTML, attr, drop, make, put } from './page.js';
import { isFound } from './tree.js';

const LABEL_INDENT = 3;
const LABEL_DROP = 3;

/* The record of an element: its parts, and what it shows now. */
export function readFrame(element) {
	const title = element.firstElementChild;
	const rect = title.nextElementSibling;
	const text = rect.nextElementSibling;
	const label = text ? text.textContent : '';

	if (label !== limitMarks(label)) text.textContent = limitMarks(label);

	return {
		element,
		title,
		rect,
		text,
		frame: -1,
		version: 0,
		level: 0,
		above: false,
		opacity: 1,
		fill: attr(rect, 'fill'),
		label,
		white: text !== null && text.hasAttribute('fill'),
		left: -1,
		width: -1,
		y: -1,
		labelWidth: -1,
		reusable: !element.hasAttributes(),
		reachable: false,
		ownId: element.id,
	};
}

/* Makes elements like those the program draws; templates have users' attributes. */
export function makeMaker(settings, templates) {
	const blank = makeBlank(make('g', {}));

	/* What all frames have in common; a copy is cheaper than making it again. */
	function makeBlank(element) {
		const rect = { height: settings.frameHeight - 1 };

		if (settings.stroke) rect.stroke = settings.stroke;
		make('title', {}, element);
		make('rect', rect, element);
		return element;
	}

	function copyOf(template) {
		const element = template.cloneNode(false);

		for (const attribute of element.getAttributeNames())
			if (attribute.startsWith('fg:') || attribute === 'id')
				drop(element, attribute);
		return makeBlank(element);
	}

	function templateOf(view, frame) {
		return view.parent[frame] >= 0
			? templates.get(view.names[view.name[frame]])
			: undefined;
	}

	/* Without a template the element may be used again for other frames. */
	function makeFrame(template) {
		if (!template) return readFrame(blank.cloneNode(true));
		const record = readFrame(copyOf(template));

		record.reusable = false;
		record.ownId = template.id;
		return record;
	}

	/* The title that the user has given to the function of a frame, or null. */
	function ownTitleOf(view, frame) {
		const own = templateOf(view, frame)?.querySelector('title');

		return own && !settings.titleEnd.test(own.textContent) ? own.textContent : null;
	}

	return { templateOf, makeFrame, ownTitleOf };
}

/* Brings records and their elements up to date, by the items of a layout. */
export function makeUpdater({ settings, texts, paint, measure, ownTitleOf }) {
	const middle = (settings.frameHeight - 1) / 2;

	function setTitle(record, view, frame, version) {
		if (record.version === version && record.frame === frame) return;
		record.version = version;
		record.title.textContent =
			ownTitleOf(view, frame) ?? texts.titleOf(view, frame);
	}

	function setLevel(record, level) {
		if (record.level === level) return;
		record.level = level;
		if (record.reachable) put(record.element, 'aria-level', level);
	}

	function setPlace(record, { left, width }, y) {
		if (record.left !== left) put(record.rect, 'x', left / 10);
		if (record.width !== width) put(record.rect, 'width', width / 10);
		if (record.y !== y) put(record.rect, 'y', y);
	}

	function setFill(record, fill) {
		if (record.fill !== fill) put(record.rect, 'fill', (record.fill = fill));
	}

	function setAbove(record, above) {
		const opacity = above ? paint.fadeOf(record.fill).opacity : 1;

		if (record.above !== above)
			record.element.classList.toggle('fg-faded', (record.above = above));
		if (record.opacity === opacity) return;
		record.opacity = opacity;
		if (above) put(record.rect, 'opacity', opacity);
		else drop(record.rect, 'opacity');
	}

	function setLabel(record, label) {
		if (record.label === label) return;
		record.label = label;
		if (!record.text && label !== '')
			record.text = make('text', {}, record.element);
		if (label !== '') {
			record.text.textContent = label;
		} else {
			record.text.remove();
			record.text = null;
			record.white = false;
		}
	}

	function placeLabel(record, { left }, y, isNew) {
		if (isNew || record.left !== left)
			put(record.text, 'x', left / 10 + LABEL_INDENT);
		if (isNew || record.y !== y) put(record.text, 'y', y + middle + LABEL_DROP);
	}

	function setLabelColour(record) {
		const white = paint.hasWhiteLabel(record.fill, record.above);

		if (record.white === white) return;
		record.white = white;
		if (white) put(record.text, 'fill', '#fff');
		else drop(record.text, 'fill');
	}

	/* Whether it matches, and whether it is above the zoom, is seen by the colours. */
	function recolour(record, { frame, above }, { view, found }) {
		setFill(
			record,
			isFound(found, view.name[frame])
				? settings.searchColour
				: paint.colourOf(view, frame),
		);
		setAbove(record, above);
		if (record.text) setLabelColour(record);
	}

	function update(record, item, picture) {
		const { view, version, rowTop } = picture;
		const { frame, left, width, depth } = item;
		const y = rowTop(depth);
		const changed = record.frame !== frame || record.version !== version;
		const hadText = record.text;

		setTitle(record, view, frame, version);
		setLevel(record, abs(depth) + 1);
		setPlace(record, item, y);
		if (changed || record.labelWidth !== width)
			setLabel(
				record,
				fitLabel(
					limitMarks(texts.nameOf(view, frame)),
					width / 10 - 2 * LABEL_INDENT,
					settings.shorten,
					measure.widthOf,
				),
			);
		if (record.text) placeLabel(record, item, y, record.text !== hadText);
		recolour(record, item, picture);
		Object.assign(record, { frame, left, width, y, labelWidth: width });
	}

	return { update, recolour };
}

/* The colours of frames and of labels, and how far frames fade on the background. */

const UNKNOWN = '#c8c8c8';
const FADES = [0.5, 0.4, 0.6, 0.3];

export function makePaint(settings, texts, bars) {
	const darkTheme = window.matchMedia
		? window.matchMedia('(prefers-color-scheme: dark)')
		: { matches: false };
	const whiteOn = new Map();
	const fades = new Map();
	let ends;

	function readBackground() {
		const ground = readGround();

		({ ends } = ground);
		fades.clear();
		paintBars(bars, ground);
	}

	function colourOf(view, frame) {
		const name = view.name[frame];

		if (!settings.diffusion && !view.before) return view.colours[name] || UNKNOWN;
		if (view.names[name] === '-' || view.names[name] === '--')
			return view.names[name] === '-' ? '#c8c8c8' : '#a0a0a0';
		if (settings.diffusion)
			return diffusionColour(view.total[frame] / view.tree.total[0]);
		const { maxDelta, pale, classic } = settings;

		if (settings.diff) {
			const change = texts.changeOf(view, frame);
			const isNew = !(view.before[frame] > 0);
			return classic && change !== null
				? deltaColour(change, maxDelta, false)
				: changeColour(change && change / maxDelta, isNew);
		}
		return deltaColour(texts.deltaOf(view, frame), maxDelta, pale);
	}

	/* An opacity at which one label colour is readable wherever the frame is. */
	function findFade(fill) {
		const colour = parseColour(fill);

		for (const opacity of FADES) {
			const seen = ends.map((end) => mix(colour, end, opacity));
			if (!seen.some(isDarkFill)) return { opacity, white: false };
			if (!seen.some(isBrightFill)) return { opacity, white: true };
		}
		return { opacity: 1, white: isDarkFill(colour) };
	}

	function fadeOf(fill) {
		if (!fades.has(fill)) fades.set(fill, findFade(fill));
		return fades.get(fill);
	}

	/* A label is white where black could not be read. */
	function hasWhiteLabel(fill, faded) {
		if (faded) return fadeOf(fill).white;
		if (!whiteOn.has(fill)) whiteOn.set(fill, isDarkFill(parseColour(fill)));
		return whiteOn.get(fill);
	}

	/* Contrast depends on the background. */
	function onThemeChange(react) {
		if (settings.theme === 'auto' && darkTheme.addEventListener)
			darkTheme.addEventListener('change', react);
	}

	readBackground();
	onThemeChange(readBackground);
	return { colourOf, fadeOf, hasWhiteLabel, onThemeChange };
}

/* How wide text is in the picture's font, each character measured once. */

export function makeMeasure(element, settings) {
	const style = getComputedStyle(element);
	const canvas = document.createElementNS(XHTML, 'canvas');
	const context = canvas.getContext && canvas.getContext('2d');
	const guess = settings.fontSize * settings.fontWidth;
	const widths = new Map();

	if (context) context.font = style.fontSize + ' ' + style.fontFamily;

	function widthOf(character) {
		let width = widths.get(character);

		if (width === undefined) {
			width = context ? context.measureText(character).width : guess;
			widths.set(character, width);
		}
		return width;
	}

	return { widthOf };
}
