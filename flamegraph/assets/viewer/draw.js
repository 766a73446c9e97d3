/*
 * Keeps the elements of the frames in a container in step with the layout. Elements are
 * reused for other frames.
 */

import { tenths } from './format.js';
import { NAME, attr, change, childWith, drop, put, whenIdle } from './page.js';
import { isFound } from './tree.js';

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
