/* The colours of frames, their labels and what is behind them. */

const UNKNOWN = '#c8c8c8';
const FADED = 0.5;

function makePaint(settings, texts) {
	const darkTheme = window.matchMedia
		? window.matchMedia('(prefers-color-scheme: dark)')
		: { matches: false };
	const whiteOn = new Map();
	let background = [240, 240, 240];

	/* The mean of the gradient's ends, as they are in this theme. */
	function readBackground() {
		const stops = Array.from(
			root.querySelectorAll('linearGradient > stop'),
			(stop) => parseColour(getComputedStyle(stop).stopColor),
		);

		if (stops.length > 0)
			background = mix(stops[0], stops[stops.length - 1], 0.5);
		whiteOn.clear();
		root.classList.toggle('fg-dark', isDarkFill(background));
	}

	function colourOf(view, frame) {
		const name = view.name[frame];

		if (!settings.diffusion && !view.before)
			return view.colours[name] || UNKNOWN;
		if (view.names[name] === '-' || view.names[name] === '--')
			return view.names[name] === '-' ? '#c8c8c8' : '#a0a0a0';
		if (settings.diffusion)
			return diffusionColour(view.total[frame] / view.tree.total[0]);
		return deltaColour(texts.deltaOf(view, frame), settings.maxDelta);
	}

	/* A label is white where black could not be read. */
	function hasWhiteLabel(fill, faded) {
		const key = faded ? fill + ' faded' : fill;
		let white = whiteOn.get(key);

		if (white === undefined) {
			const colour = parseColour(fill);
			white = isDarkFill(
				faded ? mix(colour, background, FADED) : colour,
			);
			whiteOn.set(key, white);
		}
		return white;
	}

	/* Contrast depends on the background. */
	function onThemeChange(repaint) {
		if (settings.theme === 'auto' && darkTheme.addEventListener)
			darkTheme.addEventListener('change', () => {
				readBackground();
				repaint();
			});
	}

	readBackground();
	return { colourOf, hasWhiteLabel, onThemeChange };
}
