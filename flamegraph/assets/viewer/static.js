/* Reads frames, counts and colours from the picture as the program has drawn it. */

/* The end of a title: " (1,234 samples, 5.67%; +8.90%)". */
function titleEnd(countName) {
	const literal = countName.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

	return new RegExp(
		' \\(-?[\\d,]+ ' + literal + ', [\\d.]+%(; [+-]?[\\d.]+%)?\\)$',
	);
}

/* Start and width in counts: from the attributes or, without them, from the pixels. */
function readPlaces(records, settings) {
	const value = (from, name) => parseFloat(from.getAttribute(name)) || 0;
	const counted = records[0].element.hasAttribute('fg:w');
	const page = value(records[0].rect, 'width') || 1;
	const perPixel = settings.total / page;

	return records.map(({ element, rect }) => ({
		start: counted
			? value(element, 'fg:x')
			: perPixel * (value(rect, 'x') - SIDE_PADDING),
		total: counted
			? value(element, 'fg:w')
			: perPixel * value(rect, 'width'),
		before: value(element, 'fg:b'),
		y: value(rect, 'y'),
	}));
}

/* How many decimals the picture's counts have; in the tree they are whole numbers. */
function decimalsOf(places) {
	const whole = (x) => Math.abs(x - Math.round(x)) <= 1e-9 * Math.abs(x);
	let decimals = 0;

	for (const { start, total } of places)
		while (
			decimals < 6 &&
			!(
				whole(start * 10 ** decimals) &&
				whole(total * 10 ** decimals)
			)
		)
			decimals++;
	return decimals;
}

function parentsOf(places) {
	const path = [];
	const height = (i) => Math.abs(places[i].y - places[0].y);

	return Int32Array.from(places, (place, i) => {
		while (path.length > 0 && height(path[path.length - 1]) >= height(i))
			path.pop();
		const parent =
			path.length > 0 ? path[path.length - 1] : i === 0 ? -1 : 0;
		path.push(i);
		return parent;
	});
}

/* A frame's own counts are what those above it leave; gaps keep frames in place. */
function columnsOf(places, parent, scale) {
	const own = (column) => {
		const self = Float64Array.from(column);
		for (let i = 1; i < self.length; i++)
			self[parent[i]] = Math.max(0, self[parent[i]] - column[i]);
		return self;
	};
	const totals = places.map(({ total }) => Math.round(total * scale));
	const starts = places.map(({ start }) => Math.round(start * scale));
	const ends = starts.slice();
	const gap = new Float64Array(places.length);

	for (let i = 1; i < places.length; i++) {
		gap[i] = Math.max(0, starts[i] - ends[parent[i]]);
		ends[parent[i]] = starts[i] + totals[i];
	}
	return { self: own(totals), gap };
}

/* The tree of the frames that are drawn, for pictures without better data. */
function readStaticTree(records, settings) {
	const end = settings.titleEnd;
	const places = readPlaces(records, settings);
	const parent = parentsOf(places);
	const ids = new Map();
	const name = Int32Array.from(records, ({ element, title }, i) => {
		const raw =
			element.getAttribute('fg:n') ??
			title.textContent.replace(end, '');
		if (i > 0 && !ids.has(raw))
			ids.set(raw, ids.size);
		return i > 0 ? ids.get(raw) : -1;
	});
	const decimals = decimalsOf(places);
	const before = records[0].element.hasAttribute('fg:b');

	name[0] = ids.size;
	return makeTree({
		decimals,
		parent,
		name,
		names: Array.from(ids.keys()),
		colours: null,
		selfBefore: before
			? columnsOf(
					places.map((place) => ({
						start: 0,
						total: place.before,
					})),
					parent,
					10 ** decimals,
				).self
			: null,
		...columnsOf(places, parent, 10 ** decimals),
	});
}

/* The colours of the names that are drawn. */
function readStaticColours(tree, records, drawn) {
	const colours = new Array(tree.names.length);

	records.forEach(({ rect }, i) => {
		colours[tree.name[drawn[i]]] =
			rect.getAttribute('fg:fill') ?? rect.getAttribute('fill');
	});
	return colours;
}
