/*
 * The elements of the frames: made, brought up to date, and kept in step with the layout.
 * What one shows is remembered in its record, so that nothing is read back from the
 * document or set twice.
 */

import { abs, tenths } from './format.js';
import { fitLabel, limitMarks } from './names.js';
import { NAME, attr, change, childWith, drop, make, put, whenIdle } from './page.js';
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

export const AT_ONCE = 200;

function makeDrawing(container, { templateOf, makeFrame }, { update, recolour }) {
	const records = new WeakMap();
	const pool = [];
	let shown = new Map();
	const unreachable = [];
	let shownView = null;
	let hasOwnIds = false;
	let last = null;

	function remember(record) {
		records.set(record.element, record);
		unreachable.push(record);
		hasOwnIds ||= record.ownId !== '';
		return record;
	}

	/* An id given by the user goes to the first visible frame that has it. */
	function giveOwnIds(active) {
		const given = new Set();

		for (const { element, ownId } of hasOwnIds ? shown.values() : []) {
			if (ownId === '') continue;
			if (active && !given.has(ownId)) change(element, 'id', ownId);
			else drop(element, 'id');
			given.add(ownId);
		}
	}

	/* For the keyboard and for screen readers. */
	function makeReachable(record) {
		if (record.reachable) return;
		record.reachable = true;
		put(record.element, 'role', 'treeitem');
		put(record.element, 'tabindex', '-1');
		put(record.element, 'aria-level', record.level);
	}

	/* Those of thousands of frames that nobody has pointed at can wait. */
	function makeSomeReachable() {
		unreachable.splice(-AT_ONCE).forEach(makeReachable);
		return unreachable.length > 0;
	}

	function makeAllReachable() {
		if (unreachable.length > 0) whenIdle(makeSomeReachable);
	}

	/* Takes over the elements that the program has drawn for these frames. */
	function adopt(found, frames, { depth }) {
		found.forEach((record, i) => {
			const frame = frames[i];
			record.frame = frame;
			record.level = depth[frame] + 1;
			shown.set(frame, remember(record));
		});
	}

	/* Where the program has drawn a frame; what is there need not be set. */
	function readDrawn(record, rowTop) {
		const lengthOf = (name) => tenths(parseFloat(attr(record.rect, name)));

		record.left = lengthOf('x');
		record.width = lengthOf('width');
		record.y = rowTop(record.level - 1);
	}

	function take(view, frame) {
		const template = templateOf(view, frame);

		return (!template && pool.pop()) || remember(makeFrame(template));
	}

	function release(record) {
		record.element.remove();
		if (record.reusable) pool.push(record);
	}

	/* Elements of frames that are not drawn any more go first, to be reused. */
	function releaseOthers(picture, drawn) {
		const same =
			shownView === null ||
			shownView === picture.view ||
			(shownView.plain && picture.view.plain);
		const wanted = new Set(same ? drawn.map(({ frame }) => frame) : []);

		for (const [frame, record] of shown)
			if (!wanted.has(frame)) {
				release(record);
				shown.delete(frame);
			}
	}

	/* For frames that stay where they are: only which of them match has changed. */
	function showMatches(drawn, picture, foundBefore) {
		const { view, found } = picture;

		if (found === foundBefore) return;
		for (const item of drawn) {
			const name = view.name[item.frame];
			if (isFound(found, name) !== isFound(foundBefore, name))
				recolour(shown.get(item.frame), item, picture);
		}
	}

	/* Some of the frames of a picture that draw() is to be called for later. */
	function prepare(picture, some) {
		for (const item of some)
			if (shown.has(item.frame)) update(shown.get(item.frame), item, picture);
	}

	/* Elements are kept in the order of the frames, for screen readers. */
	function draw(picture, drawn) {
		const { found, version, rowTop } = picture;
		const before = last;
		const next = new Map();
		let at;

		last = { drawn, found, version, tops: [rowTop(0), rowTop(1)] };
		if (
			before !== null &&
			before.drawn === drawn &&
			before.version === version &&
			before.tops.every((top, i) => top === last.tops[i])
		) {
			showMatches(drawn, picture, before.found);
			return;
		}
		releaseOthers(picture, drawn);
		at = container.firstElementChild;
		for (const item of drawn) {
			const record = shown.get(item.frame) || take(picture.view, item.frame);
			update(record, item, picture);
			if (record.element === at) at = at.nextElementSibling;
			else container.insertBefore(record.element, at);
			next.set(item.frame, record);
		}
		shown = next;
		shownView = picture.view;
		giveOwnIds(true);
		makeAllReachable();
	}

	/*
	 * Moving thousands of elements out of sight is much cheaper than removing and
	 * adding them, and cheaper still if there is always a transform other than the
	 * identity.
	 */
	function setActive(active) {
		giveOwnIds(active);
		if (active) {
			put(container, NAME, 'frames');
			put(container, 'role', 'tree');
			put(container, 'transform', 'translate(0,0.001)');
			drop(container, 'aria-hidden');
			return;
		}
		drop(container, NAME);
		put(container, 'transform', 'translate(0,-99999)');
		put(container, 'aria-hidden', 'true');
	}

	/* The record of the frame that a node of the document belongs to. */
	function recordOf(node) {
		const element = childWith(container, node);

		return element ? reached(records.get(element)) : undefined;
	}

	function reached(record) {
		if (record) makeReachable(record);
		return record;
	}

	return {
		adopt,
		readDrawn,
		draw,
		prepare,
		recordOf,
		setActive,
		reach: (frame) => reached(shown.get(frame)),
		get: (frame) => shown.get(frame),
	};
}

/*
 * Two containers of frames: the one that the program has drawn, for the whole picture,
 * and another for everything else. The whole picture, which has by far the most frames,
 * is thus left as it is while something else is shown, and can be shown again at once.
 */

export function makeStages(container, maker, updater) {
	const other = container.cloneNode(false);
	const whole = makeDrawing(container, maker, updater);
	const rest = makeDrawing(other, maker, updater);
	let active = null;
	const current = () => active ?? whole;

	for (const element of [container, other]) element.classList.add('fg-frames');
	container.after(other);

	function draw(picture, drawn, isWhole) {
		const next = isWhole ? whole : rest;

		next.draw(picture, drawn);
		if (next === active) return;
		active = next;
		for (const stage of [whole, rest]) stage.setActive(stage === active);
	}

	/* The whole picture while something else is shown, once its frames are prepared. */
	function drawUnseen(picture, drawn) {
		whole.draw(picture, drawn);
		whole.setActive(false);
	}

	return {
		draw,
		prepare: whole.prepare,
		drawUnseen,
		adopt: whole.adopt,
		readDrawn: whole.readDrawn,
		reach: (frame) => current().reach(frame),
		get: (frame) => current().get(frame),
		recordOf: (node) => current().recordOf(node),
		contains: (node) => container.contains(node) || other.contains(node),
	};
}
