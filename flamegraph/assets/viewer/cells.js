/*
 * The rows of the table of functions: which ones, in what order, and their cells.
 * table.js puts them into the panel. In cells, counts are those of the tree.
 */

import { ARROW, isNoise, wordOf } from './changes.js';
import { dress } from './colour.js';
import { abs, compare, max, min, signed } from './format.js';
import { displayName, fitLabel, limitMarks } from './names.js';
import { button, html } from './page.js';
import { CHANGES } from './parts.js';
import { compilePattern, listFunctions } from './tree.js';

const VALUES = {
	own: ({ own }) => own,
	all: ({ all }) => all,
	...(CHANGES && {
		old: ({ ownBefore }) => ownBefore,
		delta: ({ own, ownBefore }) => own - ownBefore,
	}),
};

/*
 * Returns the comparison of rows for a column. Changes are compared by size, whichever
 * way they go.
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
 * Returns a function that lists the matching rows, sorted. It keeps its last list,
 * because there can be many functions.
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

/* Draws a bar along the end of an element, over a share of its width. */
export function setBar(element, share) {
	const percent = 100 * max(0, min(1, share || 0));

	element.style.backgroundSize = percent.toFixed(1) + '% 3px';
	return element;
}

/* Returns what a whole bar stands for. In a differential it is the larger side. */
export function wholeOfBars({ total, before }) {
	return before ? max(total[0], before[0]) : total[0];
}

/* Returns as much of a name as fits. */
export function shortName(name, { room, widthOf, how }) {
	const whole = displayName(name);

	return fitLabel(limitMarks(whole), room, how, widthOf) || whole;
}

/* Makes a button for a function. Its value is the index of the name. */
export function nameButton({ names }, id, measures) {
	const name = displayName(names[id]);
	const short = shortName(names[id], measures);
	const looks = { value: id, title: name, 'aria-label': name };

	return button('function', html('bdi', {}, short), looks);
}

/*
 * Returns the texts of a change, such as "+768.3 ms" and "×2.1", and the class of its
 * bar.
 */
export function changeTexts({ settings, tree }, texts, [before, after], there) {
	const of = after - before;
	const word = wordOf(settings, [before, after], there);
	const isReal = !isNoise(settings, before, after);

	return {
		word,
		text: of === 0 ? '' : signed(of, texts.human(tree, abs(of))),
		title:
			texts.exact(tree, before) +
			ARROW +
			texts.exact(tree, after) +
			(word && ', ' + word),
		look: isReal ? (of > 0 ? 'fg-up' : 'fg-down') : 'fg-alike',
	};
}

/*
 * Returns a function that makes the cells of a row. measures: how wide names may be,
 * and the largest change (`most`), which has the longest bar.
 */
export function makeCells({ picture, texts, paint }, measures) {
	const { tree } = picture;
	const whole = wholeOfBars(tree);

	function count(of) {
		const title = texts.exact(tree, of);
		const cell = html('td', { title }, texts.human(tree, of));

		if (!tree.before) cell.append(html('span', {}, texts.shareOf(tree, of)));
		return setBar(cell, of / whole);
	}

	function delta({ own, ownBefore, all, allBefore }) {
		const there = { wasThere: allBefore > 0, isThere: all > 0 };
		const said = changeTexts(picture, texts, [ownBefore, own], there);
		const { word, text, title, look } = said;
		const cell = html('td', { class: look, title }, text, html('span', {}, word));

		return setBar(cell, abs(own - ownBefore) / measures.most);
	}

	function name(row) {
		const swatch = html('i', { class: 'fg-swatch-of' });

		dress(swatch, paint.colourOfFunction(picture, row));
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
