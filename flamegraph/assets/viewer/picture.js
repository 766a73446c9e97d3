/*
 * What is shown: the state that the user changes, and the view that follows from it.
 * Others read a picture; the functions here change it.
 */

import { abs, max, min } from './format.js';
import { collapsedView, functionView, reverseView } from './merge.js';
import {
	ancestorsOf,
	compilePattern,
	filterStacks,
	findMatches,
	followPath,
	pathTo,
	plainView,
	without,
} from './tree.js';

const NO_STATE = {
	path: [],
	term: '',
	ignoreCase: false,
	flipped: false,
	reversed: false,
	collapsed: false,
	byWeight: false,
	merged: null,
	hidden: [],
	filters: [],
};

/* What is in its lists is never changed, only they are replaced. */
export function noState() {
	return { ...NO_STATE };
}

function isCut({ hidden, filters }) {
	return hidden.length + filters.length > 0;
}

function isOfPlainTree({ merged, reversed, collapsed, byWeight, ...rest }) {
	return !(merged !== null || reversed || collapsed || byWeight || isCut(rest));
}

function viewOf(tree, { merged, reversed, collapsed, byWeight }) {
	if (merged !== null)
		return functionView(tree, tree.names.indexOf(merged), { byWeight, reversed });
	if (reversed) return reverseView(tree, byWeight);
	return (collapsed ? collapsedView : plainView)(tree, byWeight);
}

/* The frame itself, or the closest one below it that has counts to fill the picture. */
function placeWithCounts(view, frame) {
	let at = frame;

	while (at > 0 && !(view.total[at] > 0)) at = view.parent[at];
	return at;
}

/* Hides again what was hidden, each frame in the view in which it was hidden. */
function hideAll(tree, hidden) {
	return hidden.reduce((rest, { path, ...seen }) => {
		const view = viewOf(rest, { ...seen, byWeight: false });
		const frame = followPath(view, path);
		const depth = abs(view.depth[frame]);
		const { frames, alone } = view.framesOf(frame);

		return depth === path.length && depth > 0 ? without(rest, frames, alone) : rest;
	}, tree);
}

/*
 * chosen: the state but for the path, which is that of `within`. tree: without what
 * is hidden; view: of it; found: what the search matches, or null; problem: what is
 * wrong with the pattern; steps: how many of undos are behind what is shown, fewer
 * after Back.
 */
export function makePicture(settings, base, onChange) {
	const chosen = noState();
	const plain = plainView(base, false);

	return {
		settings,
		base,
		onChange,
		plain,
		chosen,
		tree: base,
		view: plain,
		within: 0,
		found: null,
		problem: '',
		version: 0,
		undos: [],
		steps: 0,
		/* What is left out of the tree; a view that may be asked for next. */
		cut: {},
		ahead: null,
	};
}

export function stateOf({ chosen, view, within }) {
	return { ...chosen, path: pathTo(view, within) };
}

export function hiddenShare({ tree, base }) {
	return 1 - tree.total[0] / base.total[0];
}

export function isFlipped({ chosen, settings }) {
	return chosen.flipped !== settings.inverted;
}

export function isWhole({ within, view, plain, chosen }) {
	return within === 0 && view === plain && !isCut(chosen);
}

function search(picture) {
	const { term, ignoreCase } = picture.chosen;
	const { expression, problem } = compilePattern(term, ignoreCase);

	picture.problem = problem;
	picture.found = term === '' ? null : findMatches(picture.tree, expression);
}

/* The view for the state, which may have been looked ahead to. */
function viewNow(picture) {
	const { chosen, ahead, tree } = picture;

	picture.ahead = null;
	if (isOfPlainTree(chosen)) return picture.plain;
	return ahead?.isFor(tree, chosen) ? ahead.view : viewOf(tree, chosen);
}

/* The view that changes will lead to, which is kept for them. */
export function lookAhead(picture, changes) {
	const { tree } = picture;
	const wanted = { ...picture.chosen, ...changes };
	const view = viewOf(tree, wanted);
	const isFor = (other, next) =>
		other === tree &&
		next.merged === wanted.merged &&
		next.reversed === wanted.reversed &&
		next.collapsed === wanted.collapsed &&
		next.byWeight === wanted.byWeight;

	picture.ahead = { view, isFor };
	return view;
}

function leaveOut(picture) {
	const { base, chosen, cut } = picture;
	const { hidden, filters } = chosen;

	if (hidden !== cut.hidden || filters !== cut.filters)
		picture.tree = filters.reduce(filterStacks, hideAll(base, hidden));
	picture.cut = { ...chosen };
}

/*
 * Makes a new view, which is needed when what it shows changes, but not for a zoom. The
 * view of the whole picture is made once.
 */
function rebuild(picture, path) {
	leaveOut(picture);
	picture.view = viewNow(picture);
	if (!(picture.view.total[0] > 0)) {
		/* An address can ask for a view in which nothing is left. */
		Object.assign(picture.chosen, { merged: null, hidden: [], filters: [] });
		leaveOut(picture);
		picture.view = viewNow(picture);
	}
	const { view, chosen, version } = picture;
	picture.within = placeWithCounts(view, followPath(view, path));
	if (isCut(chosen) || !view.plain || version !== 0) picture.version++;
	search(picture);
}

function rememberForUndo(picture) {
	picture.undos.length = picture.steps++;
	picture.undos.push(stateOf(picture));
}

function change(picture, changes, path) {
	rememberForUndo(picture);
	Object.assign(picture.chosen, changes);
	rebuild(picture, path ?? pathTo(picture.view, picture.within));
	picture.onChange({ push: true });
}

export function zoom(picture, frame) {
	if (frame === picture.within || !(picture.view.total[frame] > 0)) return;
	picture.within = frame;
	picture.onChange({ push: true });
}

/* The change is a passing one, as the next letter typed makes another. */
export function setSearch(picture, term) {
	picture.chosen.term = term;
	search(picture);
	picture.onChange({ searched: true, passing: true });
}

export function toggleCase(picture) {
	picture.chosen.ignoreCase = !picture.chosen.ignoreCase;
	search(picture);
	picture.onChange({ searched: true });
}

export function hide(picture, frame) {
	const { view, within } = picture;
	const { merged, reversed, collapsed, hidden } = picture.chosen;
	const path = pathTo(view, frame);
	const isIn = ancestorsOf(view, within).concat(within).includes(frame);

	if (path.length === 0 || view.total[frame] === view.total[0]) return;
	change(
		picture,
		{ hidden: hidden.concat({ merged, reversed, collapsed, path }) },
		isIn ? path.slice(0, -1) : undefined,
	);
}

export function unhide(picture) {
	change(picture, { hidden: [], filters: [] });
}

/* Only the stacks that have a match of the search, or all others. */
export function filter(picture, keep) {
	const { found, view, chosen } = picture;
	const { term, ignoreCase, filters } = chosen;
	const sum = found ? view.matchIn(0, found) : 0;

	if (found && (keep ? sum > 0 : sum < view.total[0]))
		change(picture, { filters: filters.concat({ keep, term, ignoreCase }) }, []);
}

/* A function may have the name of the root, which comes after all others. */
export function merge(picture, merged) {
	const { names, name } = picture.tree;
	const isRoot = names.indexOf(merged) === name[0];

	if (!isRoot && merged !== picture.chosen.merged) change(picture, { merged }, []);
}

export function unmerge(picture) {
	change(picture, { merged: null }, []);
}

export function reverse(picture) {
	change(picture, { reversed: !picture.chosen.reversed }, []);
}

export function collapse(picture) {
	change(picture, { collapsed: !picture.chosen.collapsed }, []);
}

export function sort(picture) {
	change(picture, { byWeight: !picture.chosen.byWeight });
}

export function flip(picture) {
	rememberForUndo(picture);
	picture.chosen.flipped = !picture.chosen.flipped;
	picture.onChange({ push: true });
}

/* What came with the address has no steps, so it is undone all at once. */
export function undo(picture) {
	const { undos, chosen } = picture;
	const { term, ignoreCase } = chosen;
	const last = undos[picture.steps - 1] ?? noState();

	picture.steps = max(0, picture.steps - 1);
	picture.chosen = { ...last, term, ignoreCase };
	rebuild(picture, last.path);
	picture.onChange({ push: true });
}

/* Out of the zoom, and then out of a merged function. */
export function reset(picture) {
	if (picture.within !== 0) zoom(picture, 0);
	else if (picture.chosen.merged !== null) unmerge(picture);
}

/* steps: how many can be undone from there. */
export function restore(picture, saved, steps) {
	const { base, undos } = picture;
	const known = base.names.indexOf(saved.merged);
	const merged = base.name.indexOf(known) > 0 ? saved.merged : null;

	picture.steps = min(steps, undos.length);
	picture.chosen = { ...saved, merged };
	rebuild(picture, saved.path);
	picture.onChange({ restored: true });
}
