/* The lines of text around the frames, and the size of the picture. */

const NARROW = 640;
const BESIDE = 10;
const NOTE_RISE = 4;
const TITLE_GROWTH = 5;
const IGNORECASE_WIDTH = 26;

function makeControls(settings, measure) {
	const controls = {};
	const backdrop = findBackdrop();
	const note = root.querySelector('.fg-note');
	const titleText = find('title') ? find('title').textContent : '';
	/* The picture may have been stretched to the window. */
	const drawn = parseFloat((root.getAttribute('viewBox') ?? '').split(' ')[2]);
	let size = { width: drawn || settings.width, height: settings.height };

	for (const id of TEXTS)
		controls[id] = find(id) || make('text', {});

	function say(id, text) {
		if (controls[id].textContent !== text)
			controls[id].textContent = text;
	}

	/* How far to the right the details may reach without touching the matches. */
	function endOfDetails() {
		const matched = measure.widthOfText(controls.matched.textContent);
		const isAlone = size.width < NARROW || matched < 8;

		return size.width - SIDE_PADDING - (isAlone ? 0 : matched + BESIDE);
	}

	/*
	 * In a narrow picture the matches have a line of their own. If the details are
	 * too long, their end is shown, as it has the numbers.
	 */
	function placeFoot() {
		const { width, height } = size;
		const foot = height - settings.bottom / 2;
		const narrow = width < NARROW;
		const { details, matched } = controls;
		const text = details.textContent;
		const end = text === BLANK ? width : endOfDetails();
		const fits = measure.widthOfText(text) <= end - SIDE_PADDING;

		change(details, 'x', fits ? SIDE_PADDING : end);
		change(details, 'text-anchor', fits ? 'start' : 'end');
		change(details, 'y', narrow ? foot - 3 : foot);
		change(matched, 'y', narrow ? foot + settings.fontSize : foot);
		change(matched, 'x', width - SIDE_PADDING);
		change(matched, 'text-anchor', 'end');
		if (note)
			change(note, 'y', height - NOTE_RISE);
	}

	/* A title that does not fit between the controls has a line of its own. */
	function placeHead() {
		const { width } = size;
		const middle = Math.floor(width / 2);
		const { fontSize } = settings;
		const side =
			2 * BESIDE +
			Math.max(
				measure.widthOfText('Reset Zoom'),
				measure.widthOfText('Reset Search') + IGNORECASE_WIDTH,
			);
		const wide =
			(measure.widthOfText(titleText) * (fontSize + TITLE_GROWTH)) /
			fontSize;
		const narrow = wide > width - 2 * (SIDE_PADDING + side);
		const head = narrow ? fontSize + 1 : 2 * fontSize;

		controls.title.setAttribute('x', middle);
		controls.title.setAttribute(
			'y',
			narrow ? 3 * fontSize - 4 : 2 * fontSize,
		);
		controls.subtitle.setAttribute('x', middle);
		controls.ignorecase.setAttribute('x', width - SIDE_PADDING - 16);
		controls.search.setAttribute(
			'x',
			width - SIDE_PADDING - IGNORECASE_WIDTH,
		);
		controls.search.setAttribute('text-anchor', 'end');
		for (const id of ['unzoom', 'search', 'ignorecase'])
			controls[id].setAttribute('y', head);
	}

	/*
	 * When the picture grows upwards, scrolls the page so that what was in view
	 * stays there.
	 */
	function resize(width, height, growsUpwards) {
		const grown = height - size.height;

		if (width === size.width && grown === 0)
			return;
		size = { width, height };
		root.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
		root.setAttribute(
			'width',
			settings.fluid && width > MIN_FLUID ? '100%' : width,
		);
		root.setAttribute('height', height);
		backdrop.setAttribute('width', width);
		backdrop.setAttribute('height', height);
		placeHead();
		placeFoot();
		if (isDocument && growsUpwards && grown !== 0)
			window.scrollBy(0, grown);
	}

	function setDetails(text) {
		say('details', text);
		placeFoot();
	}

	function setMatched(text) {
		say('matched', text);
		placeFoot();
	}

	return {
		...controls,
		say,
		setDetails,
		setMatched,
		placeHead,
		resize,
		width: () => size.width,
		height: () => size.height,
	};
}
