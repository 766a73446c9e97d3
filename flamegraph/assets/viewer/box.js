/* The box to type a search into. */

const TYPING_PAUSE = 60;
const BOX_WIDTH = 220;

function makeBox(controls, settings, search) {
	let holder = null;
	let input = null;
	let timer = 0;

	function build() {
		holder = make(
			'foreignObject',
			{ class: 'fg-search', height: 26 },
			find('frames').parentNode,
		);
		input = document.createElementNS(XHTML, 'input');
		for (const [key, value] of Object.entries({
			class: 'fg-term',
			type: 'text',
			spellcheck: 'false',
			autocomplete: 'off',
			placeholder: 'regular expression',
			'aria-label': 'Search for a regular expression',
		}))
			input.setAttribute(key, value);
		holder.appendChild(input);
	}

	function place() {
		if (!holder)
			return;
		const width = Math.min(BOX_WIDTH, controls.width() - 2 * SIDE_PADDING);
		const beside = controls.width() - 2 * SIDE_PADDING - 130 - width;
		const narrow = beside < 0;

		holder.setAttribute('width', width);
		holder.setAttribute('x', narrow ? SIDE_PADDING : beside + SIDE_PADDING);
		holder.setAttribute(
			'y',
			narrow ? 2 * settings.fontSize + 4 : 2 * settings.fontSize - 18,
		);
	}

	function open(term) {
		if (!holder)
			build();
		place();
		holder.removeAttribute('display');
		if (document.activeElement !== input)
			input.value = term;
		input.focus();
		input.select();
	}

	function close() {
		clearTimeout(timer);
		if (holder)
			holder.setAttribute('display', 'none');
	}

	function showValid(valid) {
		if (!input)
			return;
		input.classList.toggle('fg-invalid', !valid);
		change(input, 'aria-invalid', !valid);
	}

	/* Waits for a pause in typing, so that not every key starts a search. */
	function onInput() {
		clearTimeout(timer);
		timer = setTimeout(() => search(input.value), TYPING_PAUSE);
	}

	function accept() {
		clearTimeout(timer);
		search(input.value);
		close();
	}

	return {
		open,
		close,
		accept,
		place,
		showValid,
		onInput,
		has: (node) => node !== null && node === input,
	};
}
