/* The colours of frames and of labels, and how far frames fade on the background. */

const UNKNOWN = '#c8c8c8';
const FADES = [0.5, 0.4, 0.6, 0.3];

function makePaint(settings, texts) {
	const darkTheme = window.matchMedia
		? window.matchMedia('(prefers-color-scheme: dark)')
		: { matches: false };
	const whiteOn = new Map();
	const fades = new Map();
	let ends = [[240, 240, 240]];

	/* The background is a gradient between two colours of the theme. */
	function readBackground() {
		const stops = Array.from(
			root.querySelectorAll('linearGradient > stop'),
			(stop) => parseColour(getComputedStyle(stop).stopColor),
		);

		if (stops.length > 0)
			ends = stops;
		fades.clear();
		root.classList.toggle('fg-dark', isDarkFill(ends[0]));
	}

	function colourOf(view, frame) {
		const name = view.name[frame];

		if (!settings.diffusion && !view.before)
			return view.colours[name] || UNKNOWN;
		if (view.names[name] === '-' || view.names[name] === '--')
			return view.names[name] === '-' ? '#c8c8c8' : '#a0a0a0';
		if (settings.diffusion)
			return diffusionColour(view.total[frame] / view.tree.total[0]);
		const { maxDelta, pale } = settings;
		return deltaColour(texts.deltaOf(view, frame), maxDelta, pale);
	}

	/* An opacity at which one label colour is readable wherever the frame is. */
	function findFade(fill) {
		const colour = parseColour(fill);

		for (const opacity of FADES) {
			const seen = ends.map((end) => mix(colour, end, opacity));
			if (!seen.some(isDarkFill))
				return { opacity, white: false };
			if (!seen.some(isBrightFill))
				return { opacity, white: true };
		}
		return { opacity: 1, white: isDarkFill(colour) };
	}

	function fadeOf(fill) {
		if (!fades.has(fill))
			fades.set(fill, findFade(fill));
		return fades.get(fill);
	}

	/* A label is white where black could not be read. */
	function hasWhiteLabel(fill, faded) {
		if (faded)
			return fadeOf(fill).white;
		if (!whiteOn.has(fill))
			whiteOn.set(fill, isDarkFill(parseColour(fill)));
		return whiteOn.get(fill);
	}

	/* Contrast depends on the background. */
	function onThemeChange(react) {
		if (settings.theme === 'auto' && darkTheme.addEventListener)
			darkTheme.addEventListener('change', react);
	}

	readBackground();
	onThemeChange(readBackground);
	return { colourOf, fadeOf, hasWhiteLabel, onThemeChange };
}
