/* Lists the callers and callees of a function below the table, with counts and bars. */

import { changeTexts, nameButton, setBar, shortName } from './cells.js';
import { html, part } from './page.js';
import { functionView } from './merge.js';
import { CHANGES } from './parts.js';

const AT_MOST = 100;

/*
 * Returns the view of a function between its callers and callees. The picture may
 * already show it.
 */
function viewOf({ tree, view, chosen }, name) {
	const id = tree.names.indexOf(name);

	const isShown = chosen.merged === name && view.tree === tree;

	if (isShown && view.name[0] === id) return view;
	return functionView(tree, id, { byWeight: true, reversed: false });
}

/*
 * Makes an item of a list: count, share of the function's counts, and a button that
 * leads to the function.
 */
function makeItem({ picture, texts }, view, frame, measures) {
	const { tree } = picture;
	const [of, whole] = [view.total[frame], view.total[0]];
	const [text, title] = [texts.human(tree, of), texts.exact(tree, of)];
	const name = nameButton(tree, view.name[frame], measures);
	const item = html('li', { title }, html('span', {}, text), html('span'), name);
	const [, note] = item.children;

	if (CHANGES && tree.before) {
		const before = view.before[frame];
		const there = { wasThere: before > 0, isThere: of > 0 };
		const said = changeTexts(picture, texts, [before, of], there);

		item.title = said.title;
		note.textContent = said.word;
		if (!(of > 0)) item.firstChild.textContent = texts.human(tree, before);
		return setBar(item, Math.max(of, before) / Math.max(whole, view.before[0]));
	}
	note.textContent = texts.percentOf(of / whole);
	return setBar(item, of / whole);
}

function makeList(parts, view, { heading, frames, measures }) {
	const { names } = parts.picture.tree;
	const shown = frames
		.slice(0, AT_MOST)
		.map((frame) => makeItem(parts, view, frame, measures));
	const rest = frames.length - shown.length;
	const of = html('bdi', {}, shortName(names[view.name[0]], measures));

	return part(
		'calls',
		html('h3', {}, heading + ' of ', of, frames.length === 0 ? ': none' : ''),
		html('ul', { 'aria-label': heading }, ...shown),
		rest > 0 ? html('p', {}, rest + ' more') : '',
	);
}

/* Returns both lists, the largest counts first. */
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
