/*
 * The viewer of a flame graph: the details line, zoom, search, and a state that can be
 * linked to.  It is embedded in the SVG, whose root element has its settings as fg:*
 * attributes, and it touches nothing outside that root.
 */
(function () {
	'use strict';

	const SVG = 'http://www.w3.org/2000/svg';
	const LABEL_MIN_CHARS = 3;
	const LABEL_INDENT = 3;
	const LABEL_DROP = 3;
	const BLANK = ' ';

	const script = document.currentScript;
	const root = script ? script.closest('svg') : document.documentElement;
	const isDocument = root === document.documentElement;

	const controls = {};
	const indexOf = new Map();
	let settings;
	let frames;
	let zoomed = 0;
	let term = '';
	let ignoreCase = false;

	/* Pixels are printed with one decimal. */
	const pixels = (value) => Math.round(value * 10) / 10;
	const number = (element, name) => parseFloat(element.getAttribute(name)) || 0;
	const literally = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

	function setVisible(element, visible) {
		element.setAttribute('visibility', visible ? 'visible' : 'hidden');
	}

	/* ---- Reading the picture, once ---- */

	function readSettings() {
		const setting = (name, standard) => root.getAttribute('fg:' + name) ?? standard;
		const countName = literally(setting('countname', 'samples'));

		settings = {
			nameType: setting('nametype', 'Function:'),
			searched: setting('search', ''),
			searchColor: setting('searchcolor', 'rgb(230,0,230)'),
			charWidth: setting('fontsize', 12) * setting('fontwidth', 0.59),
			/* The " (1,234 samples, 5.67%; +8.90%)" that ends a title. */
			titleEnd: new RegExp(' \\(-?[\\d,]+ ' + countName +
				', [\\d.]+%(; [+-]?[\\d.]+%)?\\)$'),
		};
	}

	/*
	 * start and size are counts, home is the frame without zoom and search, now is what
	 * it shows.  Where the program has searched, fg:fill is the frame's own colour.
	 */
	function readFrame(element) {
		const child = {};

		for (let node = element.firstElementChild; node; node = node.nextElementSibling)
			child[node.localName] = node;
		const { rect, text } = child;
		const fill = rect.getAttribute('fill');
		const home = {
			left: number(rect, 'x'),
			width: number(rect, 'width'),
			label: text ? text.textContent : '',
			fill: rect.getAttribute('fg:fill') || fill,
		};
		const title = child.title ? child.title.textContent : '';
		const name = title.replace(settings.titleEnd, '');
		return {
			element, rect, text, title, name, home,
			fullName: element.getAttribute('fg:n') || name,
			start: number(element, 'fg:x'),
			size: number(element, 'fg:w'),
			top: number(rect, 'y'),
			now: Object.assign({}, home, { fill, hidden: false, faded: false }),
			parent: -1,
			end: 0,
		};
	}

	/* Frames come depth first: those below frame i are the next ones, up to its end. */
	function linkFrames() {
		const path = [];
		const depth = (index) => Math.abs(frames[index].top - frames[0].top);

		frames.forEach((frame, index) => {
			while (path.length > 0 && depth(path[path.length - 1]) >= depth(index))
				frames[path.pop()].end = index;
			if (path.length > 0)
				frame.parent = path[path.length - 1];
			path.push(index);
			indexOf.set(frame.element, index);
		});
		for (const index of path)
			frames[index].end = frames.length;
	}

	/* ---- Zoom ---- */

	/* As many characters as fit, never half of a surrogate pair. */
	function fitLabel(frame, width) {
		const label = frame.fullName.replace(/_\[[kwij]\]$/, '');
		const room = Math.floor(width / settings.charWidth);

		if (room < LABEL_MIN_CHARS)
			return '';
		const characters = Array.from(label.slice(0, 2 * room + 2));
		if (characters.length <= room)
			return label;
		return characters.slice(0, room - 2).join('') + '..';
	}

	function addText(frame) {
		const middle = frame.top + number(frame.rect, 'height') / 2;

		frame.text = document.createElementNS(SVG, 'text');
		frame.text.setAttribute('x', pixels(frame.now.left + LABEL_INDENT));
		frame.text.setAttribute('y', middle + LABEL_DROP);
		frame.element.appendChild(frame.text);
	}

	function place(frame, left, width, label) {
		const now = frame.now;

		if (now.left !== left) {
			frame.rect.setAttribute('x', now.left = left);
			if (frame.text)
				frame.text.setAttribute('x', pixels(left + LABEL_INDENT));
		}
		if (now.width !== width)
			frame.rect.setAttribute('width', now.width = width);
		if (now.label !== label) {
			if (!frame.text)
				addText(frame);
			frame.text.textContent = now.label = label;
		}
	}

	/* Places frame where it is when focus is as wide as the root frame is printed. */
	function placeWithin(focus, frame) {
		const page = frames[0].home;
		const scale = page.width / focus.size;
		const from = frame.start - focus.start;
		const left = pixels(page.left + from * scale);
		const right = pixels(page.left + (from + frame.size) * scale);
		const width = pixels(right - left);

		place(frame, left, width, fitLabel(frame, width));
	}

	function setState(frame, hidden, faded) {
		const { element, now } = frame;

		if (now.hidden !== hidden)
			element.setAttribute('display', (now.hidden = hidden) ? 'none' : 'inline');
		if (now.faded !== faded)
			element.classList.toggle('faded', now.faded = faded);
	}

	function layOut() {
		const focus = frames[zoomed];
		const ancestors = new Set();

		for (let index = focus.parent; index >= 0; index = frames[index].parent)
			ancestors.add(index);
		frames.forEach((frame, index) => {
			const above = ancestors.has(index);
			const within = index >= zoomed && index < focus.end;

			setState(frame, !above && !within, above);
			if (zoomed === 0)
				place(frame, frame.home.left, frame.home.width, frame.home.label);
			else if (above || within)
				placeWithin(above ? frame : focus, frame);
		});
	}

	function zoom(index) {
		if (index !== 0 && !(frames[index].size > 0))
			return;
		zoomed = index;
		layOut();
		setVisible(controls.unzoom, index !== 0);
		saveState();
	}

	/* ---- Search ---- */

	function compile(pattern) {
		const flags = ignoreCase ? 'i' : '';

		try {
			return new RegExp(pattern, flags);
		} catch (error) {
			return new RegExp(literally(pattern), flags);
		}
	}

	/* Returns the counts of the matching frames, where one in another adds nothing. */
	function highlight(matches) {
		let sum = 0;
		let counted = 0;

		frames.forEach((frame, index) => {
			const found = matches(frame);
			const fill = found ? settings.searchColor : frame.home.fill;

			if (frame.now.fill !== fill)
				frame.rect.setAttribute('fill', frame.now.fill = fill);
			if (found && index >= counted) {
				sum += frame.size;
				counted = frame.end;
			}
		});
		return sum;
	}

	function search(pattern) {
		const expression = compile(pattern);
		const sum = highlight((frame) => pattern !== '' &&
			(expression.test(frame.name) || expression.test(frame.fullName)));
		const share = 100 * sum / frames[0].size;

		term = pattern;
		controls.matched.textContent = term === '' ? BLANK :
			'Matched: ' + (share === 100 ? '100' : share.toFixed(1)) + '%';
		controls.search.textContent = term === '' ? 'Search' : 'Reset Search';
		saveState();
	}

	function ask() {
		let answer = null;

		try {
			answer = window.prompt('Search for (a regular expression):',
				term || settings.searched);
		} catch (error) {
			/* A sandboxed frame may not ask. */
		}
		if (answer !== null)
			search(answer);
	}

	function toggleIgnoreCase() {
		ignoreCase = !ignoreCase;
		controls.ignorecase.classList.toggle('on', ignoreCase);
		if (term !== '')
			search(term);
	}

	/* ---- State in the address, where the address is the picture's own ---- */

	function saveState() {
		if (!isDocument)
			return;
		try {
			const url = new URL(window.location.href);
			const save = (key, used, value) => used ?
				url.searchParams.set(key, value) : url.searchParams.delete(key);
			save('x', zoomed !== 0, frames[zoomed].home.left);
			save('y', zoomed !== 0, frames[zoomed].top);
			save('s', term !== '', term);
			if (url.href !== window.location.href)
				window.history.replaceState(null, '', url.href);
		} catch (error) {
			/* A data: address cannot be changed; the viewer works without. */
		}
	}

	function restoreState() {
		if (!isDocument)
			return;
		const state = new URLSearchParams(window.location.search);
		const [left, top] = [parseFloat(state.get('x')), parseFloat(state.get('y'))];
		const index = frames.findIndex((frame) =>
			frame.home.left === left && frame.top === top);

		if (index > 0)
			zoom(index);
		if (state.get('s'))
			search(state.get('s'));
	}

	/* ---- Events ---- */

	function onHover(event) {
		const frame = frames[indexOf.get(event.target.parentNode)];

		controls.details.textContent = frame ?
			settings.nameType + ' ' + frame.title : BLANK;
	}

	function onClick(event) {
		const index = indexOf.get(event.target.parentNode);

		if (event.target === controls.unzoom)
			zoom(0);
		else if (event.target === controls.search && term === '')
			ask();
		else if (event.target === controls.search)
			search('');
		else if (event.target === controls.ignorecase)
			toggleIgnoreCase();
		else if (index !== undefined && frames[index].element.localName !== 'a' &&
			!event.ctrlKey && !event.metaKey && !event.shiftKey)
			zoom(index);
	}

	function onKey(event) {
		const others = event.shiftKey || event.altKey || event.metaKey;
		const ctrl = event.ctrlKey && !others;
		const key = ctrl ? 'Ctrl-' + event.key.toLowerCase() : event.key;

		if (key === 'F3' || key === 'Ctrl-f')
			ask();
		else if (key === 'Ctrl-i')
			toggleIgnoreCase();
		else if (key === 'Escape')
			zoom(0);
		else
			return;
		event.preventDefault();
	}

	function start() {
		const find = (id) => root.querySelector('[id="' + id + '"]');
		const container = root && root.localName === 'svg' && find('frames');

		if (!container || !container.firstElementChild)
			return;
		readSettings();
		frames = Array.from(container.children, readFrame);
		linkFrames();
		for (const id of ['details', 'unzoom', 'search', 'ignorecase', 'matched'])
			controls[id] = find(id) || document.createElementNS(SVG, 'text');
		setVisible(controls.search, true);
		setVisible(controls.ignorecase, true);
		root.addEventListener('mouseover', onHover);
		root.addEventListener('mouseleave', onHover);
		root.addEventListener('click', onClick);
		if (isDocument)
			document.addEventListener('keydown', onKey);
		restoreState();
	}

	if (document.readyState === 'loading')
		document.addEventListener('DOMContentLoaded', start, { once: true });
	else
		start();
}());
