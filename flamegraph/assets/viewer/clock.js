/* Times in nanoseconds as texts, for the heat map and the axis of a flame chart. */

/* Returns a time as "12.5 s" or "1:02:03.4". */
export function clockOf(time) {
	const seconds = Number((time / 1e9).toFixed(9));
	const shown = Number(seconds.toFixed(6));
	const rest = Number((shown % 60).toFixed(6));
	const pad = (part) => (part < 10 ? '0' : '') + part;

	if (seconds < 120) return seconds + ' s';
	return [Math.floor(shown / 3600), Math.floor(shown / 60) % 60, rest]
		.map((part, i) => (i ? pad(part) : part))
		.join(':');
}

export function spanOf({ from, to }) {
	return clockOf(from) + ' to ' + clockOf(to);
}
