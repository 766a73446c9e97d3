/* The list of keys that the picture shows when asked. */

const KEYS = [
	['click, Enter', 'zoom into the frame'],
	['Escape', 'back out of the zoom'],
	['arrows, Home', 'go from frame to frame'],
	['Ctrl-F, F3, /', 'search as you type'],
	['n, N', 'next, previous match'],
	['Ctrl-I', 'ignore case'],
	['Ctrl-click, m', 'its callers and callees'],
	['Alt-click, h', 'hide the frame'],
	['r', 'reverse: who calls what'],
	['s', 'sort by weight or by name'],
	['i', 'upside down'],
	['u', 'undo'],
	['c, C', 'copy the name, the stack'],
	['?', 'show or hide these keys'],
];
const HELP_WIDTH = 560;

function makeHelp(controls, settings, redraw) {
	const line = settings.fontSize + 8;
	let group = null;

	function columns() {
		return controls.width() < HELP_WIDTH + 40 ? 1 : 2;
	}

	function height() {
		return (
			Math.ceil(KEYS.length / columns()) * line +
			2 * settings.fontSize
		);
	}

	/* As high as can be seen, but within the picture. */
	function topOf() {
		const hidden = -root.getBoundingClientRect().top;
		const lowest = controls.height() - settings.bottom - height();

		return Math.max(settings.top, Math.min(hidden + BESIDE, lowest));
	}

	function build() {
		const many = columns();
		const width = Math.min(HELP_WIDTH, controls.width() - 2 * SIDE_PADDING);
		const left = (controls.width() - width) / 2;
		const top = topOf();
		const rows = Math.ceil(KEYS.length / many);

		group = make(
			'g',
			{ class: 'fg-help', role: 'note', 'aria-label': 'Keys' },
			find('frames').parentNode,
		);
		make(
			'rect',
			{ x: left, y: top, width, height: height(), rx: 6 },
			group,
		);
		KEYS.forEach(([key, meaning], i) => {
			const x = left + 20 + (Math.floor(i / rows) * width) / 2;
			const y = top + 2 * settings.fontSize + (i % rows) * line;
			make('text', { x, y, class: 'fg-key' }, group).textContent =
				key;
			make('text', { x: x + 100, y }, group).textContent = meaning;
		});
	}

	function hide() {
		if (!group)
			return;
		group.remove();
		group = null;
		redraw();
	}

	function toggle() {
		if (group)
			return hide();
		build();
		return redraw();
	}

	return {
		toggle,
		hide,
		isShown: () => group !== null,
		room: () => (group ? height() + settings.top + settings.bottom : 0),
	};
}
