/*
 * Keeps the elements of the frames in a container in step with the layout. Elements are
 * reused for other frames. What an element shows is remembered, so that nothing is read
 * back from the document or set twice.
 */

const LABEL_INDENT = 3;
const LABEL_DROP = 3;
const AT_ONCE = 200;

function makeDrawing({ container, settings, texts, paint, measure, templates }) {
	const records = new WeakMap();
	const pool = [];
	let shown = new Map();
	const unreachable = [];
	let shownView = null;
	let hasOwnIds = false;
	const blank = makeBlank(make('g', {}));
	let last = null;

	/* What all frames have in common; a copy is cheaper than making it again. */
	function makeBlank(element) {
		const rect = { height: settings.frameHeight - 1 };

		if (settings.stroke)
			rect.stroke = settings.stroke;
		make('title', {}, element);
		make('rect', rect, element);
		return element;
	}

	function copyOf(template) {
		const element = template.cloneNode(false);

		for (const attribute of element.getAttributeNames())
			if (attribute.startsWith('fg:') || attribute === 'id')
				element.removeAttribute(attribute);
		return makeBlank(element);
	}

	function makeElement(template) {
		const element = template ? copyOf(template) : blank.cloneNode(true);
		const own = template && template.querySelector('title');
		const record = readFrame(element);

		record.reusable = !template;
		if (template)
			setOwnId(record, template.id);
		if (own && !settings.titleEnd.test(own.textContent))
			record.ownTitle = own.textContent;
		records.set(element, record);
		unreachable.push(record);
		return record;
	}

	function setOwnId(record, id) {
		record.ownId = id;
		hasOwnIds ||= id !== '';
	}

	/* An id given by the user goes to the first visible frame that has it. */
	function giveOwnIds(active) {
		const given = new Set();

		for (const { element, ownId } of hasOwnIds ? shown.values() : []) {
			if (ownId === '')
				continue;
			if (active && !given.has(ownId))
				change(element, 'id', ownId);
			else
				element.removeAttribute('id');
			given.add(ownId);
		}
	}

	/* For the keyboard and for screen readers. */
	function makeReachable(record) {
		if (record.reachable)
			return;
		record.reachable = true;
		record.element.setAttribute('role', 'treeitem');
		record.element.setAttribute('tabindex', '-1');
		record.element.setAttribute('aria-level', record.level);
	}

	/* Those of thousands of frames that nobody has pointed at can wait. */
	function makeSomeReachable() {
		unreachable.splice(-AT_ONCE).forEach(makeReachable);
		return unreachable.length > 0;
	}

	function makeAllReachable() {
		if (unreachable.length > 0)
			whenIdle(makeSomeReachable);
	}

	/* Takes over the elements that the program has drawn for these frames. */
	function adopt(found, frames, { depth }) {
		found.forEach((record, i) => {
			const frame = frames[i];
			record.frame = frame;
			record.level = depth[frame] + 1;
			setOwnId(record, record.ownId);
			records.set(record.element, record);
			shown.set(frame, record);
			unreachable.push(record);
		});
	}

	/* Where the program has drawn a frame; what is there need not be set. */
	function readDrawn(record, rowTop) {
		const lengthOf = (name) =>
			tenths(parseFloat(record.rect.getAttribute(name)));

		record.left = lengthOf('x');
		record.width = lengthOf('width');
		record.y = rowTop(record.level - 1);
	}

	function take(view, frame) {
		const template = templates.get(view.names[view.name[frame]]);

		if (template && view.parent[frame] >= 0)
			return makeElement(template);
		return pool.pop() || makeElement(null);
	}

	function setTitle(record, view, frame, version) {
		if (record.version === version && record.frame === frame)
			return;
		record.version = version;
		record.title.textContent =
			record.ownTitle ?? texts.titleOf(view, frame);
	}

	function setPlace(record, { left, width }, y) {
		if (record.left !== left)
			record.rect.setAttribute('x', left / 10);
		if (record.width !== width)
			record.rect.setAttribute('width', width / 10);
		if (record.y !== y)
			record.rect.setAttribute('y', y);
	}

	function setFill(record, fill) {
		if (record.fill !== fill)
			record.rect.setAttribute('fill', (record.fill = fill));
	}

	function setLabel(record, label) {
		if (record.label === label)
			return;
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
			record.text.setAttribute('x', left / 10 + LABEL_INDENT);
		if (isNew || record.y !== y)
			record.text.setAttribute(
				'y',
				y + (settings.frameHeight - 1) / 2 + LABEL_DROP,
			);
	}

	function setLabelColour(record) {
		const white = paint.hasWhiteLabel(record.fill, record.above);

		if (record.white === white)
			return;
		record.white = white;
		if (white)
			record.text.setAttribute('fill', '#fff');
		else
			record.text.removeAttribute('fill');
	}

	function setAbove(record, above) {
		const opacity = above ? paint.fadeOf(record.fill).opacity : 1;

		if (record.above !== above)
			record.element.classList.toggle('fg-faded', (record.above = above));
		if (record.opacity === opacity)
			return;
		record.opacity = opacity;
		if (above)
			record.rect.setAttribute('opacity', opacity);
		else
			record.rect.removeAttribute('opacity');
	}

	function setLevel(record, level) {
		if (record.level === level)
			return;
		record.level = level;
		if (record.reachable)
			record.element.setAttribute('aria-level', level);
	}

	function setColours(record, { frame, above }, { view, found }) {
		setFill(
			record,
			isFound(found, view.name[frame])
				? settings.searchColour
				: paint.colourOf(view, frame),
		);
		setAbove(record, above);
	}

	function update(record, item, picture) {
		const { view, version, rowTop } = picture;
		const { frame, left, width, depth } = item;
		const y = rowTop(depth);
		const changed = record.frame !== frame || record.version !== version;
		const hadText = record.text;

		setTitle(record, view, frame, version);
		setLevel(record, Math.abs(depth) + 1);
		setPlace(record, item, y);
		setColours(record, item, picture);
		if (changed || record.labelWidth !== width)
			setLabel(
				record,
				fitLabel(
					texts.nameOf(view, frame),
					width / 10 - 2 * LABEL_INDENT,
					settings.shorten,
					measure.widthOf,
				),
			);
		if (record.text) {
			placeLabel(record, item, y, record.text !== hadText);
			setLabelColour(record);
		}
		Object.assign(record, { frame, left, width, y, labelWidth: width });
	}

	function release(record) {
		record.element.remove();
		if (record.reusable)
			pool.push(record);
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
	function recolour(drawn, picture, foundBefore) {
		const { view, found } = picture;

		if (found === foundBefore)
			return;
		for (const item of drawn) {
			const name = view.name[item.frame];
			if (isFound(found, name) === isFound(foundBefore, name))
				continue;
			const record = shown.get(item.frame);
			setColours(record, item, picture);
			if (record.text)
				setLabelColour(record);
		}
	}

	/* Some of the frames of a picture that draw() is to be called for later. */
	function prepare(picture, some) {
		for (const item of some)
			if (shown.has(item.frame))
				update(shown.get(item.frame), item, picture);
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
			recolour(drawn, picture, before.found);
			return;
		}
		releaseOthers(picture, drawn);
		at = container.firstElementChild;
		for (const item of drawn) {
			const record =
				shown.get(item.frame) || take(picture.view, item.frame);
			update(record, item, picture);
			if (record.element === at)
				at = at.nextElementSibling;
			else
				container.insertBefore(record.element, at);
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
			container.setAttribute(NAME, 'frames');
			container.setAttribute('role', 'tree');
			container.setAttribute('transform', 'translate(0,0.001)');
			container.removeAttribute('aria-hidden');
			return;
		}
		container.removeAttribute(NAME);
		container.setAttribute('transform', 'translate(0,-99999)');
		container.setAttribute('aria-hidden', 'true');
	}

	/* The record of the frame that a node of the document belongs to. */
	function recordOf(node) {
		const element = childWith(container, node);

		return element ? reached(records.get(element)) : undefined;
	}

	function reached(record) {
		if (record)
			makeReachable(record);
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
