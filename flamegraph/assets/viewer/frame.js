/*
 * The elements of the frames: makes them, updates them, and keeps them in step with the
 * layout.
 *
 * Each element has a record, which remembers what the element shows. So we never read
 * it back from the document, nor set the same value twice. scene.js calls draw().
 * `left` and `width` are in tenths of a pixel, `y` in pixels.
 */

import { ATTRIBUTES, MANY } from './features.js';
import { abs, briefPercent, tenths } from './format.js';
import { fitLabel, limitMarks, widthOfText } from './names.js';
import {
	NAME,
	SHORT_PATIENCE,
	attr,
	change,
	childWith,
	drop,
	make,
	put,
	putAll,
	whenIdle,
} from './page.js';
import { isFound } from './tree.js';

const LABEL_INDENT = 3;
const LABEL_DROP = 3;
/* The space between a label and a share. */
const SHARE_GAP = 12;
const AT_END = { 'text-anchor': 'end' };

/*
 * Returns the record of an element: its parts, and what it shows now. The label and the
 * share each have a text element if they are not empty.
 */
export function readFrame(element) {
	const title = element.firstElementChild;
	const rect = title.nextElementSibling;
	const text = rect.nextElementSibling;
	const label = text ? text.textContent : '';
	const shareText = text && text.nextElementSibling;

	if (label !== limitMarks(label)) text.textContent = limitMarks(label);

	return {
		element,
		title,
		rect,
		text,
		shareText,
		frame: -1,
		version: 0,
		level: 0,
		above: false,
		opacity: 1,
		fill: attr(rect, 'fill'),
		label,
		share: shareText ? shareText.textContent : '',
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

/*
 * Makes the functions that make frames like those that the program has drawn.
 * templates: elements with the user's attributes (--nameattr), by the name of the
 * function.
 */
export function makeMaker(settings, templates) {
	const blank = makeBlank(make('g', {}));

	/*
	 * Adds what all frames have in common. Copying the result is cheaper than making it
	 * again.
	 */
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
		return ATTRIBUTES && view.parent[frame] >= 0
			? templates.get(view.names[view.name[frame]])
			: undefined;
	}

	/*
	 * Makes a frame, from a template if there is one. An element that was made without
	 * a template can be reused for other frames.
	 */
	function makeFrame(template) {
		if (!ATTRIBUTES || !template) return readFrame(blank.cloneNode(true));
		const record = readFrame(copyOf(template));

		record.reusable = false;
		record.ownId = template.id;
		return record;
	}

	/* Returns the user's title for the function of a frame, or null. */
	function ownTitleOf(view, frame) {
		const own = ATTRIBUTES && templateOf(view, frame)?.querySelector('title');

		return own && !settings.titleEnd.test(own.textContent) ? own.textContent : null;
	}

	return { templateOf, makeFrame, ownTitleOf };
}

/* ---- records and their elements, updated from the items of a layout */

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

function setAbove(record, above, paint) {
	const opacity = above ? paint.fadeOf(record.fill).opacity : 1;

	if (record.above !== above)
		record.element.classList.toggle('fg-faded', (record.above = above));
	if (record.opacity === opacity) return;
	record.opacity = opacity;
	if (above) put(record.rect, 'opacity', opacity);
	else drop(record.rect, 'opacity');
}

/*
 * Makes an element show a text, and returns it. For an empty text removes the element
 * and returns null. Makes an element if `element` is null.
 */
function showText(record, element, text, attributes) {
	if (text === '') {
		element?.remove();
		return null;
	}
	const fill = record.white ? { fill: '#fff' } : {};
	const shown = element ?? make('text', { ...attributes, ...fill }, record.element);
	shown.textContent = text;
	return shown;
}

/* Sets label and share. A frame without a label has no share either. */
function setTexts(record, { label, share }) {
	if (record.label !== label) record.text = showText(record, record.text, label);
	if (record.share !== share)
		record.shareText = showText(record, record.shareText, share, AT_END);
	if (label === '') record.white = false;
	Object.assign(record, { label, share });
}

function setWhiteTexts(record, white) {
	if (record.white === white) return;
	record.white = white;
	for (const text of [record.text, record.shareText])
		if (text && white) put(text, 'fill', '#fff');
		else if (text) drop(text, 'fill');
}

/*
 * Returns update(), which brings a record and its element up to date with an item of a
 * layout, and recolour(), which changes its colours only.
 */
export function makeUpdater({ settings, texts, paint, measure, ownTitleOf }) {
	const labelDrop = (settings.frameHeight - 1) / 2 + LABEL_DROP;

	/*
	 * Returns the label of a frame and, if the label leaves space for it, the frame's
	 * share, like put_share() in flamegraph/frames.c.
	 */
	function textsOf(view, frame, width) {
		const name = limitMarks(texts.nameOf(view, frame));
		const room = width / 10 - 2 * LABEL_INDENT;
		const { widthOf } = measure;
		const label = fitLabel(name, room, settings.shorten, widthOf);
		const canHaveShare = settings.shares && !view.before && label !== '';

		if (!canHaveShare) return { label, share: '' };
		const share = briefPercent(view.total[frame], view.tree.total[0]);
		const left = room - widthOfText(label, widthOf) - SHARE_GAP;
		const isFit = widthOfText(share, widthOf) <= left;
		return { label, share: isFit ? share : '' };
	}

	/* Places a text element, if there is one. y: that of the frame. */
	function placeText(text, x, y, { isNew, isMoved, isLower }) {
		if (text && (isNew || isMoved)) put(text, 'x', x);
		if (text && (isNew || isLower)) put(text, 'y', y + labelDrop);
	}

	/*
	 * Gives a frame its colours: that of matches if it matches the search, and faded
	 * ones if it is a caller of the zoomed frame.
	 */
	function recolour(record, { frame, above }, { view, found }) {
		const fill = isFound(found, view.name[frame])
			? settings.searchColour
			: paint.colourOf(view, frame);

		if (record.fill !== fill) {
			put(record.rect, 'fill', fill);
			paint.outline(record.rect, [record.fill, fill]);
			record.fill = fill;
		}
		setAbove(record, above, paint);
		if (record.text) setWhiteTexts(record, paint.hasWhiteLabel(fill, above));
	}

	function update(record, item, picture) {
		const { view, version, rowTop } = picture;
		const { frame, left, width, depth } = item;
		const y = rowTop(depth);
		const changed = record.frame !== frame || record.version !== version;
		const { text: hadText, shareText: hadShare } = record;

		if (changed)
			record.title.textContent =
				ownTitleOf(view, frame) ?? texts.titleOf(view, frame);
		setLevel(record, abs(depth) + 1);
		setPlace(record, item, y);
		if (changed || record.labelWidth !== width)
			setTexts(record, textsOf(view, frame, width));
		const { text, shareText } = record;
		const isLower = record.y !== y;
		const end = left + width;
		placeText(text, left / 10 + LABEL_INDENT, y, {
			isNew: text !== hadText,
			isMoved: record.left !== left,
			isLower,
		});
		placeText(shareText, end / 10 - LABEL_INDENT, y, {
			isNew: shareText !== hadShare,
			isMoved: record.left + record.width !== end,
			isLower,
		});
		recolour(record, item, picture);
		Object.assign(record, { frame, version, left, width, y, labelWidth: width });
	}

	return { update, recolour };
}

/* When the page is idle, we work on this many frames at a time. */
const AT_ONCE = 200;
/*
 * With more frames than this, those narrower than a pixel are made when the page is
 * idle.
 */
const MOST_AT_FIRST = 2000;

/*
 * Makes a stage: a container of frames whose elements follow the layout. records: the
 * records by element. shown: the records by drawn frame. pool: records to be reused.
 * unreachable: records that the keyboard cannot reach yet. hasOwnIds: the user has
 * given ids to some elements. last: the picture that was drawn last.
 */
function makeStage(container) {
	return {
		container,
		records: new WeakMap(),
		pool: [],
		shown: new Map(),
		unreachable: [],
		hasOwnIds: false,
		last: null,
	};
}

function remember(stage, record) {
	stage.records.set(record.element, record);
	stage.unreachable.push(record);
	if (record.ownId !== '') stage.hasOwnIds = true;
	return record;
}

/* Makes a frame reachable for the keyboard and for screen readers. */
function makeReachable(record) {
	if (!record || record.reachable) return record;
	record.reachable = true;
	putAll(record.element, {
		role: 'treeitem',
		tabindex: '-1',
		'aria-level': record.level,
	});
	return record;
}

/*
 * Makes all other frames reachable, too. Waits until the page is idle, because there
 * can be thousands.
 */
function makeAllReachable({ unreachable }) {
	whenIdle(() => {
		unreachable.splice(-AT_ONCE).forEach(makeReachable);
		return unreachable.length > 0;
	});
}

/*
 * Several frames can have the same id of the user (--nameattr), but ids must be unique:
 * gives it to the first drawn one only. If the stage is not active, removes all ids.
 */
function giveOwnIds({ shown, hasOwnIds }, active) {
	const given = new Set();

	if (!ATTRIBUTES || !hasOwnIds) return;
	for (const { element, ownId } of shown.values()) {
		if (ownId === '') continue;
		if (active && !given.has(ownId)) change(element, 'id', ownId);
		else drop(element, 'id');
		given.add(ownId);
	}
}

/*
 * Reads where the program has drawn a frame, so that update() does not set the same
 * place again.
 */
function readDrawn(record, rowTop) {
	const lengthOf = (name) => tenths(parseFloat(attr(record.rect, name)));

	record.left = lengthOf('x');
	record.width = lengthOf('width');
	record.y = rowTop(record.level - 1);
}

/* Removes the elements of frames that are not drawn any more, to reuse them. */
function releaseOthers({ shown, pool, last }, view, drawn) {
	/* In another tree or view, the same number means another frame. */
	const isSame = !last || last.view.parent === view.parent;
	const wanted = new Set(isSame ? drawn.map(({ frame }) => frame) : []);

	for (const [frame, record] of shown)
		if (!wanted.has(frame)) {
			record.element.remove();
			if (record.reusable) pool.push(record);
			shown.delete(frame);
		}
}

/*
 * Recolours the frames that have become matches and those that no longer are. before:
 * the matches of the last drawing. All frames stay where they are.
 */
function showMatches({ shown }, picture, before, recolour) {
	const { view, drawn, found } = picture;

	if (found === before) return;
	for (const item of drawn) {
		const name = view.name[item.frame];
		const record = shown.get(item.frame);
		if (record && isFound(found, name) !== isFound(before, name))
			recolour(record, item, picture);
	}
}

/*
 * Draws the frames of a stage, but makes no more than `most` elements for frames
 * narrower than a pixel. Keeps elements in the order of the frames, for screen readers.
 */
function drawStage(stage, picture, { templateOf, makeFrame, update, recolour }, most) {
	const { container, pool, shown, last } = stage;
	const { view, drawn, found, version, rowTop } = picture;
	const tops = [rowTop(0), rowTop(1)].join();
	const next = new Map();
	let left = most;

	stage.last = { ...picture, tops };
	if (last?.drawn === drawn && last.version === version && last.tops === tops) {
		showMatches(stage, picture, last.found, recolour);
		if (shown.size === drawn.length || most === 0) return;
	}
	releaseOthers({ shown, pool, last }, view, drawn);
	let at = container.firstElementChild;
	for (const item of drawn) {
		const known = shown.get(item.frame);
		if (!known && item.width < 10 && left-- <= 0) continue;
		const template = templateOf(view, item.frame);
		const record =
			known ||
			(!template && pool.pop()) ||
			remember(stage, makeFrame(template));
		update(record, item, picture);
		if (record.element === at) at = at.nextElementSibling;
		else container.insertBefore(record.element, at);
		next.set(item.frame, record);
	}
	stage.shown = next;
	giveOwnIds(stage, true);
	makeAllReachable(stage);
}

/*
 * Shows a stage, or moves it out of sight, which is much cheaper than removing
 * thousands of elements and adding them again. It is cheaper still if the container
 * always has a transform other than the identity, so a shown stage has one, too.
 */
function setActive(stage, active) {
	const { container } = stage;

	giveOwnIds(stage, active);
	put(container, 'transform', 'translate(0,' + (active ? 0.001 : -99999) + ')');
	if (active) {
		putAll(container, { [NAME]: 'frames', role: 'tree' });
		drop(container, 'aria-hidden');
	} else {
		drop(container, NAME);
		put(container, 'aria-hidden', 'true');
	}
}

/*
 * Makes two stages: one for the whole picture, with the container that the program has
 * drawn, and one for everything else. The whole picture has by far the most frames. It
 * stays as it is while something else is shown, so that it can be shown again at once.
 */
export function makeStages(container, helpers) {
	const other = container.cloneNode(false);
	const whole = makeStage(container);
	const rest = makeStage(other);
	let active = null;
	const current = () => active ?? whole;

	for (const element of [container, other]) element.classList.add('fg-frames');
	container.after(other);

	/* Draws more of the frames that were left out. Returns true if some are left. */
	function drawMore(stage) {
		const { last, shown } = stage;
		const isDone = stage !== active || shown.size === last.drawn.length;

		if (!isDone) drawStage(stage, last, helpers, AT_ONCE);
		return !isDone;
	}

	function draw(picture, isWhole) {
		const next = isWhole ? whole : rest;
		const isLarge = MANY && picture.drawn.length > MOST_AT_FIRST;

		drawStage(next, picture, helpers, isLarge ? 0 : Infinity);
		if (isLarge) whenIdle(() => drawMore(next), SHORT_PATIENCE);
		if (next === active) return;
		active = next;
		for (const stage of [whole, rest]) setActive(stage, stage === active);
	}

	/*
	 * Draws the whole picture while something else is shown: some frames whenever the
	 * page is idle. Stops when isWanted() returns true, that is, when the whole picture
	 * is shown.
	 */
	function drawUnseen(picture, isWanted) {
		let done = 0;

		whenIdle(() => {
			const some = picture.drawn.slice(done, (done += AT_ONCE));
			if (isWanted()) return false;
			for (const item of some)
				if (whole.shown.has(item.frame))
					helpers.update(whole.shown.get(item.frame), item, picture);
			if (some.length > 0) return true;
			drawStage(whole, picture, helpers, Infinity);
			setActive(whole, false);
			return false;
		});
	}

	return {
		draw,
		...(MANY && { drawUnseen }),
		readDrawn,
		/* Takes over the elements that the program has drawn for these frames. */
		adopt(records, frames, { depth }) {
			records.forEach((record, i) => {
				record.frame = frames[i];
				record.level = depth[frames[i]] + 1;
				whole.shown.set(frames[i], remember(whole, record));
			});
		},
		reach: (frame) => makeReachable(current().shown.get(frame)),
		get: (frame) => current().shown.get(frame),
		/* Returns the record of the frame that a node of the document belongs to. */
		recordOf: (node) =>
			makeReachable(current().records.get(childWith(current().container, node))),
		contains: (node) => container.contains(node) || other.contains(node),
	};
}
