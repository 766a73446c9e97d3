/* What the mouse and the keys do. One listener for each kind of event. */

import { afterFrame, copyText, hearsKeys, root } from './page.js';
import { ancestorsOf } from './tree.js';

export const OPENS_BOX = ['F3', '/', 'Ctrl-f'];

export function keyOf(event) {
	const ctrl = event.ctrlKey && !event.shiftKey;

	if (event.altKey || event.metaKey || (event.ctrlKey && !ctrl))
		return null;
	return ctrl ? 'Ctrl-' + event.key.toLowerCase() : event.key;
}

export function makeEvents(parts) {
	const { picture, drawing, access, controls, box, help, details } = parts;
	const buttons = new Map([
		[controls.unzoom, () => picture.reset()],
		[controls.search, () => toggleSearch()],
		[controls.ignorecase, () => picture.toggleCase()],
	]);
	let byKeyboard = false;
	let mouse = { x: -1, y: -1 };
	const moves = {
		ArrowLeft: () => 'left',
		ArrowRight: () => 'right',
		ArrowUp: () => (picture.isFlipped() ? 'back' : 'on'),
		ArrowDown: () => (picture.isFlipped() ? 'on' : 'back'),
	};

	function openBox() {
		box.open(picture.state().term);
		box.showValid(picture.isValid());
	}

	function leaveBox() {
		box.close();
		access.focus(access.current());
		access.announce(controls.matched.textContent);
		afterFrame(parts.history.writeWaiting);
	}

	function toggleSearch() {
		if (picture.state().term === '') {
			openBox();
		} else {
			box.close();
			picture.setSearch('');
		}
	}

	function copy(text, what) {
		copyText(text, (copied) =>
			access.announce(
				copied ? 'Copied the ' + what : 'Cannot copy here',
			),
		);
	}

	function nameOf(frame) {
		const view = picture.view();

		return view.names[view.name[frame]];
	}

	/* From the root to the frame, whichever way round the view is. */
	function stackOf(frame) {
		const view = picture.view();
		const names = ancestorsOf(view, frame)
			.concat(frame)
			.filter((at) => view.name[at] !== view.tree.name[0])
			.map(nameOf);

		return (view.isCaller(frame) ? names.reverse() : names).join(';');
	}

	function escape() {
		if (help.isShown())
			help.hide();
		else
			picture.reset();
	}

	const actions = {
		Enter: (frame) => (frame === 0 ? picture.reset() : picture.zoom(frame)),
		Escape: escape,
		Home: () => access.focus(0),
		F3: openBox,
		'/': openBox,
		'?': () => help.toggle(),
		i: () => picture.flip(),
		r: () => picture.reverse(),
		s: () => picture.sort(),
		m: picture.merge,
		h: picture.hide,
		u: () => picture.undo(),
		n: () => parts.goTo(1),
		N: () => parts.goTo(-1),
		c: (frame) => copy(nameOf(frame), 'name'),
		C: (frame) => copy(stackOf(frame), 'stack'),
		'Ctrl-f': openBox,
		'Ctrl-i': () => picture.toggleCase(),
	};

	/* All other keys typed into the box are text. */
	const boxActions = {
		Enter() {
			box.accept();
			leaveBox();
		},
		Escape() {
			picture.setSearch('');
			leaveBox();
		},
		F3: openBox,
		'Ctrl-f': openBox,
		'Ctrl-i': () => picture.toggleCase(),
	};

	function onBoxKey(event) {
		const key = keyOf(event);

		if (Object.hasOwn(boxActions, key)) {
			boxActions[key]();
			event.preventDefault();
		}
	}

	function press(event) {
		const key = keyOf(event);
		const button = buttons.get(event.target);
		const isLink = event.target.localName === 'a';

		if (button && (key === 'Enter' || key === ' '))
			button();
		else if (Object.hasOwn(moves, key))
			access.focus(access.neighbour(access.current(), moves[key]()));
		else if (Object.hasOwn(actions, key) && !(isLink && key === 'Enter'))
			actions[key](details.shown()?.frame ?? access.current());
		else
			return;
		event.preventDefault();
	}

	function onKey(event) {
		byKeyboard = true;
		if (box.has(event.target))
			onBoxKey(event);
		else if (!isTyping(event.target))
			press(event);
	}

	/* A page around the picture may have text boxes of its own. */
	function isTyping(node) {
		return (
			/^(input|textarea|select)$/.test(node.localName) ||
			node.isContentEditable
		);
	}

	function clickFrame(record, event) {
		const { frame } = record;

		if (record.element.localName === 'a' || event.shiftKey)
			return;
		if (event.altKey)
			picture.hide(frame);
		else if (event.ctrlKey || event.metaKey)
			picture.merge(frame);
		else if (frame === 0)
			picture.reset();
		else
			picture.zoom(frame);
		event.preventDefault();
	}

	function onClick(event) {
		const button = buttons.get(event.target);
		const record = drawing.recordOf(event.target);

		access.hideRing();
		if (button)
			button();
		else if (record)
			clickFrame(record, event);
	}

	function hasMoved({ clientX: x, clientY: y }) {
		const moved = x !== mouse.x || y !== mouse.y;

		mouse = { x, y };
		return moved;
	}

	/* A mouse at rest does not point at a frame that a key has moved under it. */
	function onPoint(event) {
		if (hasMoved(event) || !access.isRingShown())
			details.show(drawing.recordOf(event.target));
	}

	function onMove(event) {
		if (hasMoved(event) && access.isRingShown())
			details.show(drawing.recordOf(event.target));
	}

	/* Not every browser treats focus that a script moves as moved by keyboard. */
	function onFocus(event) {
		const record = drawing.recordOf(event.target);
		const isVisible = byKeyboard || event.target.matches(':focus-visible');

		if (record)
			access.onFocus(record, isVisible);
	}

	function onPress() {
		byKeyboard = false;
	}

	function onBlur(event) {
		if (drawing.recordOf(event.target))
			access.hideRing();
	}

	function listen() {
		root.addEventListener('mouseover', onPoint);
		root.addEventListener('mousemove', onMove);
		root.addEventListener('mouseleave', () => details.show(null));
		root.addEventListener('mousedown', onPress);
		root.addEventListener('click', onClick);
		root.addEventListener('focusin', onFocus);
		root.addEventListener('focusout', onBlur);
		root.addEventListener('input', () => box.onInput());
		hearsKeys.addEventListener('keydown', onKey);
		for (const button of buttons.keys()) {
			button.classList.add('fg-button');
			button.setAttribute('role', 'button');
			button.setAttribute('tabindex', '0');
		}
	}

	return { listen };
}
