/* The lines of text around the frames, and the size of the picture. */

const NARROW = 640;
const MIN_FLUID = 300;
const BESIDE = 10;
const NOTE_RISE = 4;

function makeControls(settings, measure) {
	const controls = {};
	const backdrop = Array.from(root.children).find(({ localName }) =>
		localName === 'rect') || make('rect', {});
	const note = root.querySelector('.fg-note');
	const titleText = find('title') ? find('title').textContent : '';
	let details = BLANK;
	let size = { width: settings.width, height: settings.height };

	for (const id of ['title', 'subtitle', 'details', 'unzoom', 'search', 'ignorecase',
		'matched'])
		controls[id] = find(id) || make('text', {});

	function say(id, text) {
		if (controls[id].textContent !== text)
			controls[id].textContent = text;
	}

	/* The middle of a long name goes first: the numbers are at the end. */
	function shortened(text, room) {
		const characters = Array.from(text);
		const tail = Math.min(characters.length, 80);
		let used = measure.widthOfText(characters.slice(-tail).join(''));
		let kept = 0;

		if (measure.widthOfText(text) <= room)
			return text;
		while (used < room - 3 * measure.widthOf('.') && kept < characters.length - tail)
			used += measure.widthOf(characters[kept++]);
		return characters.slice(0, Math.max(kept - 1, 0)).join('') + '..' +
			characters.slice(-tail).join('');
	}

	/* In a narrow picture the matches have a line of their own. */
	function placeFoot() {
		const { width, height } = size;
		const foot = height - settings.bottom / 2;
		const matched = measure.widthOfText(controls.matched.textContent);
		const narrow = width < NARROW;
		const room = width - 2 * SIDE_PADDING -
			(narrow || matched < 8 ? 0 : matched + BESIDE);

		say('details', shortened(details, room));
		controls.details.setAttribute('y', narrow ? foot - 3 : foot);
		controls.matched.setAttribute('y', narrow ? foot + settings.fontSize : foot);
		controls.matched.setAttribute('x', width - SIDE_PADDING);
		controls.matched.setAttribute('text-anchor', 'end');
		if (note)
			note.setAttribute('y', height - NOTE_RISE);
	}

	/* The title gives way to the controls on both sides of it. */
	function placeHead() {
		const { width } = size;
		const middle = Math.floor(width / 2);
		const growth = 1.45;
		const left = SIDE_PADDING + measure.widthOfText('Reset Zoom') + BESIDE;
		const right = SIDE_PADDING + measure.widthOfText('Reset Search ic') + 3 * BESIDE;
		const room = width - left - right;
		const wide = measure.widthOfText(titleText) * growth;
		const half = Math.min(wide, room) / 2;

		say('title', fitLabel(titleText, room / growth, 'none', measure.widthOf));
		controls.title.setAttribute('x',
			Math.max(left + half, Math.min(width - right - half, middle)));
		controls.subtitle.setAttribute('x', middle);
		controls.ignorecase.setAttribute('x', width - SIDE_PADDING - 16);
		controls.search.setAttribute('x', width - SIDE_PADDING - 16 - BESIDE);
		controls.search.setAttribute('text-anchor', 'end');
	}

	/* Who looks at a flame keeps it in view when the picture grows above it. */
	function resize(width, height, growsUpwards) {
		const grown = height - size.height;

		if (width === size.width && grown === 0)
			return;
		size = { width, height };
		root.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
		root.setAttribute('width', settings.fluid && width > MIN_FLUID ? '100%' : width);
		root.setAttribute('height', height);
		backdrop.setAttribute('width', width);
		backdrop.setAttribute('height', height);
		placeHead();
		placeFoot();
		if (isDocument && growsUpwards && grown !== 0)
			window.scrollBy(0, grown);
	}

	/* The width of the window, without what a scroll bar takes. */
	function fluidWidth() {
		const width = document.documentElement.clientWidth || window.innerWidth;

		return Math.max(MIN_FLUID, Math.floor(width));
	}

	function setDetails(text) {
		details = text;
		placeFoot();
	}

	function setMatched(text) {
		say('matched', text);
		placeFoot();
	}

	return {
		...controls, say, setDetails, setMatched, placeHead, resize, fluidWidth,
		width: () => size.width,
		height: () => size.height,
	};
}
