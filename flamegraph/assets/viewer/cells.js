/*
 * The contents of the table of functions: which rows it has and in what order, their
 * cells, and the lists of callers and callees below them. table.js puts them into the
 * panel.
 */

import { ARROW, isNoise, wordOf } from './changes.js';
import { fillMark } from './colour.js';
import { CHANGES } from './features.js';
import { abs, compare, max, min, percent, signed } from './format.js';
import { functionView } from './merge.js';
import { displayName, shortName, widthOfText } from './names.js';
import { button, html, part } from './page.js';
import { compilePattern } from './pattern.js';
import { listFunctions } from './tree.js';

/* A column that is narrower, in pixels, has no space for a count and its share. */
const LEAST_FOR_COUNT = 100;
/* The longest text that tells names apart, in letters. */
const MOST_OF_MARK = 24;

/* ---- rows */

const VALUES = {
	own: ({ own }) => own,
	all: ({ all }) => all,
	...(CHANGES && {
		old: ({ ownBefore }) => ownBefore,
		delta: ({ own, ownBefore }) => own - ownBefore,
	}),
};

/*
 * Returns the function that compares rows by a column. Compares changes by their size,
 * ignoring their sign, but noise comes after all other changes.
 */
function comparer({ key, ascending }, { names, settings }) {
	const isReal = ({ own, ownBefore }) =>
		CHANGES && key === 'delta' && !isNoise(settings, ownBefore, own);
	const byName = (a, b) => compare(names[a.name], names[b.name]);
	const sizeOf = (row) => abs(VALUES[key](row));
	const sign = ascending ? -1 : 1;

	if (key === 'name') return (a, b) => -sign * byName(a, b);
	return (a, b) =>
		sign * (isReal(b) - isReal(a)) ||
		sign * (sizeOf(b) - sizeOf(a)) ||
		b.own - a.own ||
		b.all - a.all ||
		b.allBefore - a.allBefore ||
		byName(a, b);
}

/*
 * Returns a function that lists the matching rows, sorted. It keeps its last result,
 * because a profile can have many functions.
 */
export function makeRows(picture) {
	let [tree, list, last, rows] = [null, [], [], []];

	return (sorted, term) => {
		const { found } = picture;
		const wanted = [picture.tree, found, sorted, term];
		const { expression } = compilePattern(term, true);
		const isWanted = ({ name }) =>
			(!found || found.isName[name] > 0) &&
			(term === '' || expression.test(displayName(tree.names[name])));

		if (wanted.every((one, i) => one === last[i])) return rows;
		if (tree !== picture.tree) {
			({ tree } = picture);
			list = listFunctions(tree);
		}
		last = wanted;
		rows = list.filter(isWanted).sort(
			comparer(sorted, { names: tree.names, settings: picture.settings }),
		);
		return rows;
	};
}

/*
 * Draws a bar along the lower edge of an element. share: the bar's part of the width,
 * from 0 to 1. Returns the element.
 */
export function setBar(element, share) {
	const percent = 100 * max(0, min(1, share || 0));

	element.style.backgroundSize = percent.toFixed(1) + '% 3px';
	return element;
}

/*
 * Returns the count that a bar of full width stands for. In a differential it is the
 * larger of both totals.
 */
export function wholeOfBars({ total, before }) {
	return before ? max(total[0], before[0]) : total[0];
}

/*
 * Returns what tells a name from others, such as Node in unique_ptr<Node>::reset if
 * another name is unique_ptr<Code>::reset.
 */
export function markOf(name, others) {
	const isWord = (text, i) => /\w/.test(text.charAt(i));
	const isShared = (i) => others.every((other) => other[i] === name[i]);
	let at = 0;

	while (at < name.length && isShared(at)) at++;
	if ([name, ...others].some((text) => isWord(text, at)))
		while (isWord(name, at - 1)) at--;
	const rest = name.slice(at).trimStart();
	return (/^[^<>(),;\s]*/.exec(rest)[0] || rest).slice(0, MOST_OF_MARK);
}

/*
 * Returns a function that makes the button of a function: a name shortened to `room`
 * pixels and, if another one of `ids` would look alike, what tells it from that one.
 * The button's value is the index of the name.
 */
function nameButtons({ names }, ids, measures) {
	const alike = new Map();

	for (const id of ids) {
		const short = shortName(names[id], measures);
		alike.set(short, [...(alike.get(short) ?? []), id]);
	}
	return (id) => {
		const name = displayName(names[id]);
		const looks = { value: id, title: name, 'aria-label': name };
		const others = alike
			.get(shortName(names[id], measures))
			.filter((other) => other !== id)
			.map((other) => names[other]);
		const mark = others.length > 0 ? markOf(names[id], others) : '';
		const taken = widthOfText(mark && ' ' + mark, measures.widthOf);
		const room = measures.room - taken;
		const short = shortName(names[id], { ...measures, room });
		const one = button('function', html('bdi', {}, short), looks);

		if (mark) one.append(' ', html('small', {}, html('bdi', {}, mark)));
		return one;
	};
}

/*
 * Returns the texts of a change, such as "+768.3 ms" and "×2.1", and the class of its
 * bar. there: the last argument of wordOf().
 */
export function changeTexts({ settings, tree }, texts, [before, after], there) {
	const change = after - before;
	const word = wordOf(settings, [before, after], there);
	const isReal = !isNoise(settings, before, after);

	return {
		word,
		text: change === 0 ? '' : signed(change, texts.human(tree, abs(change))),
		title:
			texts.exact(tree, before) +
			ARROW +
			texts.exact(tree, after) +
			(word && ', ' + word),
		look: isReal ? (change > 0 ? 'fg-up' : 'fg-down') : 'fg-alike',
	};
}

/*
 * Returns a function that makes the cells of a row. ids: the names of all rows.
 * measures: how wide columns and names may be, and the largest change (`most`), which
 * has the longest bar.
 */
export function makeCells({ picture, texts, paint }, ids, measures) {
	const { tree } = picture;
	const whole = wholeOfBars(tree);
	const buttonOf = nameButtons(tree, ids, measures);

	/* A narrow column has only the share. */
	function count(key, amount, width) {
		const all = key === 'old' ? tree.before[0] : tree.total[0];
		const share = percent(amount, all, 2);
		const [number, title] = [texts.human(tree, amount), texts.exact(tree, amount)];
		const cell =
			width < LEAST_FOR_COUNT
				? html('td', { title }, share)
				: html('td', { title }, number, html('span', {}, share));

		return setBar(cell, amount / whole);
	}

	function delta({ own, ownBefore, all, allBefore }) {
		const there = { wasThere: allBefore > 0, isThere: all > 0 };
		const words = changeTexts(picture, texts, [ownBefore, own], there);
		const { word, text, title, look } = words;
		const cell = html('td', { class: look, title }, text, html('span', {}, word));

		return setBar(cell, abs(own - ownBefore) / measures.most);
	}

	function name(row) {
		const swatch = html('i', { class: 'fg-swatch-of' });

		fillMark(swatch, paint.colourOfFunction(picture, row));
		return html('th', { scope: 'row' }, swatch, buttonOf(row.name));
	}

	return (row, columns) =>
		columns.map(([key], i) => {
			if (key === 'name') return name(row);
			if (CHANGES && key === 'delta') return delta(row);
			return count(key, VALUES[key](row), measures.widths[i]);
		});
}

/* ---- callers and callees */

const AT_MOST = 100;

/*
 * Returns the view of a function between its callers and callees. Reuses the view that
 * the picture shows if it is that one.
 */
function viewOf({ tree, view, chosen }, name) {
	const id = tree.names.indexOf(name);

	const isShown = chosen.merged === name && view.tree === tree;

	if (isShown && view.name[0] === id) return view;
	return functionView(tree, id, { byWeight: true, reversed: false });
}

/*
 * Makes an item in the list of callers or callees: count, share of the function's
 * counts, and a button that leads to the caller or callee.
 */
function makeItem({ picture, texts }, view, frame, buttonOf) {
	const { tree } = picture;
	const [total, whole] = [view.total[frame], view.total[0]];
	const [text, title] = [texts.human(tree, total), texts.exact(tree, total)];
	const name = buttonOf(view.name[frame]);
	const item = html('li', { title }, html('span', {}, text), html('span'), name);
	const [, note] = item.children;

	if (CHANGES && tree.before) {
		const before = view.before[frame];
		const there = { wasThere: before > 0, isThere: total > 0 };
		const words = changeTexts(picture, texts, [before, total], there);

		item.title = words.title;
		note.textContent = words.word;
		if (!(total > 0)) item.firstChild.textContent = texts.human(tree, before);
		return setBar(item, Math.max(total, before) / Math.max(whole, view.before[0]));
	}
	note.textContent = texts.percentOf(total / whole);
	return setBar(item, total / whole);
}

function makeList(parts, view, { heading, frames, measures }) {
	const { names } = parts.picture.tree;
	const first = frames.slice(0, AT_MOST);
	const ids = first.map((frame) => view.name[frame]);
	const buttonOf = nameButtons(parts.picture.tree, ids, measures);
	const shown = first.map((frame) => makeItem(parts, view, frame, buttonOf));
	const rest = frames.length - shown.length;
	const name = html('bdi', {}, shortName(names[view.name[0]], measures));

	return part(
		'calls',
		html('h3', {}, heading + ' of ', name, frames.length === 0 ? ': none' : ''),
		html('ul', { 'aria-label': heading }, ...shown),
		rest > 0 ? html('p', {}, rest + ' more') : '',
	);
}

/*
 * Returns the lists of callers and callees of a function, each with the largest counts
 * first.
 */
export function makeCalls(parts, name, measures) {
	const view = viewOf(parts.picture, name);
	const size = (frame) => Math.max(view.total[frame], view.before?.[frame] ?? 0);
	const sides = view
		.children(0)
		.filter((frame) => size(frame) > 0)
		.sort((a, b) => size(b) - size(a));
	const list = (heading, frames) =>
		makeList(parts, view, { heading, frames, measures });

	return [
		list('Callers', sides.filter((frame) => view.isCaller(frame))),
		list('Callees', sides.filter((frame) => !view.isCaller(frame))),
	];
}
