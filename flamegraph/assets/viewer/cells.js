/*
 * The contents of the table of functions: which rows it has and in what order, their
 * cells, and the lists of callers and callees below them. table.js puts them into the
 * panel.
 */

import { ARROW, isNoise, wordOf } from './changes.js';
import { fillMark } from './colour.js';
import { CHANGES } from './features.js';
import { abs, compare, max, min, signed } from './format.js';
import { functionView } from './merge.js';
import { displayName, fitLabel, limitMarks } from './names.js';
import { button, html, part } from './page.js';
import { compilePattern } from './pattern.js';
import { listFunctions } from './tree.js';

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
 * ignoring their sign.
 */
function comparer({ key, ascending }, names) {
	const byName = (a, b) => compare(names[a.name], names[b.name]);
	const sizeOf = (row) => abs(VALUES[key](row));
	const sign = ascending ? -1 : 1;

	if (key === 'name') return (a, b) => -sign * byName(a, b);
	return (a, b) =>
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
		rows = list.filter(isWanted).sort(comparer(sorted, tree.names));
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

/* Returns a name shortened to `room` pixels; see fitLabel(). */
function shortName(name, { room, widthOf, how }) {
	const whole = displayName(name);

	return fitLabel(limitMarks(whole), room, how, widthOf) || whole;
}

/* Makes a button for a function. Its value is the index of the name. */
function nameButton({ names }, id, measures) {
	const name = displayName(names[id]);
	const short = shortName(names[id], measures);
	const looks = { value: id, title: name, 'aria-label': name };

	return button('function', html('bdi', {}, short), looks);
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
 * Returns a function that makes the cells of a row. measures: how wide names may be,
 * and the largest change (`most`), which has the longest bar.
 */
export function makeCells({ picture, texts, paint }, measures) {
	const { tree } = picture;
	const whole = wholeOfBars(tree);

	function count(amount) {
		const title = texts.exact(tree, amount);
		const cell = html('td', { title }, texts.human(tree, amount));

		if (!tree.before) cell.append(html('span', {}, texts.shareOf(tree, amount)));
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
		return html(
			'th',
			{ scope: 'row' },
			swatch,
			nameButton(tree, row.name, measures),
		);
	}

	return (row, columns) =>
		columns.map(([key]) => {
			if (key === 'name') return name(row);
			return CHANGES && key === 'delta' ? delta(row) : count(VALUES[key](row));
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
function makeItem({ picture, texts }, view, frame, measures) {
	const { tree } = picture;
	const [total, whole] = [view.total[frame], view.total[0]];
	const [text, title] = [texts.human(tree, total), texts.exact(tree, total)];
	const name = nameButton(tree, view.name[frame], measures);
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
	const shown = frames
		.slice(0, AT_MOST)
		.map((frame) => makeItem(parts, view, frame, measures));
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
