/*
 * Reads a profile that the user brings to the picture: folded stacks, or the SVG of a
 * flame graph by this program, flamegraph.pl or inferno. compare.js calls
 * readProfile().
 *
 * A profile has the columns of a tree without its root's name (names, parent, name,
 * self, decimals), the header lines event, unit and weight, and `skipped`, the number
 * of lines that could not be counted. Errors have a message for the user, which
 * continues "NAME cannot be compared: ".
 */

import { decodeBase64, inflate, readColumns } from './data.js';
import { compare, max, round } from './format.js';
import { attr } from './page.js';
import { stacksOf } from './places.js';

const HEADER = /^# ?(event|unit|sample-weight|slice):(.*)$/;
const COMMENT = /^#([ \t][^;]*)?$/;
const COUNT = /[ \t](\d+(?:\.\d*)?)$/;
const SLICE = /^@\d+\.(?:\d{3}){1,3}(?:;|$)/;
const SVG = /^\s*<(?:\?xml|!--|!doctype svg|svg)/i;

/* Characters that the programs make visible, too. XML cannot hold most of them. */
const HIDDEN =
	/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;
const MOST_DECIMALS = 9;

const TWICE = 'it compares two profiles already';

function refuse(why) {
	throw new Error(why);
}

/* Returns how many decimals the texts of numbers have, without zeros at the end. */
function decimalsOf(texts) {
	const decimals = texts.reduce((most, text) => {
		const point = text.indexOf('.');
		return point < 0 ? most : max(most, text.replace(/0+$/, '').length - point - 1);
	}, 0);

	return decimals > MOST_DECIMALS ? MOST_DECIMALS : decimals;
}

/* Returns how many characters two texts share at their start. */
function commonLength(a, b) {
	let length = 0;

	while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
	return length;
}

/*
 * Makes the columns of stacks and the texts of their counts. Sorts the stacks, so that
 * a stack shares its first frames with the one before. path: the frames of that one;
 * ends: where each of them ends in its text.
 */
export function columnsOf(stacks) {
	const decimals = decimalsOf(stacks.map(([, count]) => count));
	const ids = new Map();
	const [parent, name, self] = [[-1], [-1], [0]];
	const [path, ends] = [[0], [-1]];
	let last = '';

	stacks.sort(([a], [b]) => compare(a, b));
	for (const [stack, count] of stacks) {
		const text = stack + ';';
		const common = commonLength(text, last);
		while (ends[ends.length - 1] >= common) ends.pop();
		path.length = ends.length;
		for (
			let from = ends[ends.length - 1] + 1;
			stack !== '' && from < text.length;
		) {
			const end = text.indexOf(';', from);
			const frame = text.slice(from, end);
			if (!ids.has(frame)) ids.set(frame, ids.size);
			parent.push(path[path.length - 1]);
			name.push(ids.get(frame));
			path.push(self.push(0) - 1);
			ends.push(end);
			from = end + 1;
		}
		self[path[path.length - 1]] += round(count * 10 ** decimals);
		last = text;
	}
	const total = self.reduce((sum, count) => sum + count, 0);
	if (total === 0) refuse('all its counts are 0');
	if (!(total < 2 ** 64)) refuse('its counts are too large');
	return { names: Array.from(ids.keys()), parent, name, self, decimals };
}

/* ---- several profiles in one file */

/* Returns true if two profiles are of the same event or, without events, unit. */
function isSame(a, b) {
	if (a.event !== b.event) return false;
	return a.event === ''
		? a.unit === b.unit && a.unit !== ''
		: a.unit === b.unit || a.unit === '' || b.unit === '';
}

/*
 * Returns the profile to compare with the wanted one: the only one, or the one of the
 * same event.
 */
function choose(profiles, wanted) {
	const names = profiles.map(({ event, unit }) => event || unit || 'no event');

	return profiles.length === 1
		? profiles[0]
		: (profiles.find((one) => isSame(one, wanted)) ??
				refuse(
					'it has ' +
						names.join(', ') +
						', and this picture has ' +
						(wanted.event || wanted.unit || 'no event'),
				));
}

/* ---- folded stacks */

const visible = (character) =>
	'\\x' + character.charCodeAt(0).toString(16).padStart(2, '0');

/* Returns the profile of some header lines, which is made if it is new. */
function sectionFor(sections, { event = '', unit = '', weight = '' }) {
	const known = sections.find((one) => one.event === event && one.unit === unit);
	const made = { event, unit, weight, stacks: [] };

	if (!known) sections.push(made);
	return known ?? made;
}

/*
 * Reads folded stacks as folded(5) describes them. Lines with header lines before them
 * belong to the profile that these describe.
 */
function readSections(text) {
	const sections = [];
	const lines = { skipped: 0, doubled: 0, deep: 0 };
	let [header, section, hasSlices] = [{}, null, false];

	for (const one of text.replace(/^\ufeff/, '').split('\n')) {
		const line = one.trimEnd().replace(HIDDEN, visible);
		const [, key, value] = HEADER.exec(line) ?? [];
		if (key === 'slice') hasSlices = true;
		else if (key) {
			if (section) header = {};
			section = null;
			header[key === 'sample-weight' ? 'weight' : key] = value.trim();
		}
		if (line === '' || COMMENT.test(line)) continue;
		const [end, count] = COUNT.exec(line) ?? [];
		const stack = line.slice(0, -end?.length);
		if (count === undefined) lines.skipped++;
		else if (COUNT.test(stack)) lines.doubled++;
		else {
			section ??= sectionFor(sections, header);
			const shown = hasSlices ? stack.replace(SLICE, '') : stack;
			if (shown.includes(';')) lines.deep++;
			section.stacks.push([shown.replace(/;+$/, ''), count]);
		}
	}
	return { sections, lines };
}

/* Returns the wanted profile of folded stacks. */
export function readFolded(text, wanted) {
	const { sections, lines } = readSections(text);
	const { skipped, doubled, deep } = lines;
	const stacks = sections.reduce((sum, one) => sum + one.stacks.length, 0);

	if (doubled > stacks) refuse(TWICE);
	if (stacks === 0 || (skipped > stacks && skipped / 4 > deep))
		refuse('it has no folded stacks, and is no SVG of a flame graph');
	const section = choose(sections, wanted);
	return { ...section, ...columnsOf(section.stacks), skipped: skipped + doubled };
}

/* ---- pictures */

const childrenOf = (element, name) =>
	Array.from(element.children).filter(
		({ nodeName }) => nodeName.toLowerCase() === name,
	);

/* Reads the profile from the data of a picture of this program. */
async function readStored(element) {
	let columns;

	try {
		columns = readColumns(await inflate(decodeBase64(element.textContent)));
	} catch (error) {
		refuse('its data are damaged');
	}
	return columns.selfBefore ? refuse(TWICE) : columns;
}

/* Matches a title: its name, its count, and the end of the title of a difference. */
const TITLE = /^(.*) \(([\d,.]+) [^()]*?%(; ?[+-]?[\d.]+%)?\)$/s;

/* Returns a number of an element as text, by its attribute. */
const textOf = (elements, name) =>
	elements.map((one) => attr(one, name)).find((text) => text !== null);

/* Returns the frame of a title: its name, its place, and its count if known. */
function frameOf(title) {
	const group = title.parentNode;
	const rect = group.querySelector('rect');
	const [, name, count, delta] = TITLE.exec(title.textContent) ?? [];
	const both = [group, rect];
	const counted = textOf(both, 'fg:w') ?? count?.replace(/,/g, '');
	const start = textOf(both, 'fg:x');
	const length = (of) => parseFloat(attr(rect, of)) || 0;

	if (delta || group.hasAttribute('fg:b')) refuse(TWICE);
	return {
		name: (attr(group, 'fg:n') ?? name ?? title.textContent)
			.replace(/;/g, ':')
			.replace(HIDDEN, ' '),
		count: /^\d+(\.\d*)?$/.test(counted) ? counted : null,
		y: length('y'),
		...(start && counted
			? { x: parseFloat(start), width: parseFloat(counted) }
			: { x: length('x'), width: length('width') }),
	};
}

/* Reads the profile from the frames of a picture, which may be of another program. */
function readDrawn(svg) {
	const titles = Array.from(svg.querySelectorAll('g > title, a > title'));
	const frames = titles.filter(({ parentNode }) => parentNode.querySelector('rect'));

	const stacks = stacksOf(frames.map(frameOf), svg.hasAttribute('fg:drawn'));

	return columnsOf(stacks ?? refuse('its frames make no flame graph'));
}

/*
 * Returns the wanted profile of an SVG. The SVG never becomes a part of the page, so
 * that nothing in it is loaded or run.
 */
async function readSvg(text, wanted) {
	const page = new DOMParser().parseFromString(text, 'image/svg+xml');
	const svg = page.documentElement;

	if (svg.localName !== 'svg' || page.querySelector('parsererror'))
		refuse('it is no SVG, or damaged');
	const [metadata] = childrenOf(svg, 'metadata');
	const others = metadata ? childrenOf(metadata, 'fg:profile') : [];
	const profiles = [svg, ...others].map((one) => ({
		event: attr(one, 'fg:event') ?? '',
		unit: attr(one, 'fg:unit') ?? '',
		weight: attr(one, 'fg:sampleweight') ?? '',
		data: childrenOf(one === svg ? (metadata ?? svg) : one, 'fg:data')[0],
	}));
	const chosen = choose(profiles, wanted);
	const columns = chosen.data ? await readStored(chosen.data) : readDrawn(svg);
	return { ...chosen, ...columns, skipped: 0 };
}

/*
 * Reads a text. wanted: the event and unit of the picture, which choose among several
 * profiles.
 */
export async function readProfile(text, wanted) {
	return SVG.test(text) ? readSvg(text, wanted) : readFolded(text, wanted);
}
