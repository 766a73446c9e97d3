/*
 * The state of the picture, which the user changes, and the view that is made from it.
 *
 * `chosen` is the state: zoom, search, order, hidden frames and so on. A view (tree.js,
 * merge.js) is the tree that the state shows. The functions here change the state, make
 * the new view and call onChange(), which draws (main.js). All other modules only read
 * a picture.
 */

import { CHANGES, SLICES } from './features.js';
import { abs, max, min } from './format.js';
import { collapsedView, functionView, reverseView } from './merge.js';
import { compilePattern } from './pattern.js';
import { callsOf, foldAway } from './regrow.js';
import {
	BY_CHANGE,
	ancestorsOf,
	filterStacks,
	findMatches,
	followPath,
	onlyOf,
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
	byChange: false,
	widths: null,
	range: null,
	versus: 0,
	merged: null,
	hidden: [],
	filters: [],
	marked: null,
	scheme: '',
};

/* Returns the initial state. Its lists are never changed, only replaced. */
export function noState() {
	return { ...NO_STATE };
}

function isCut({ hidden, filters }) {
	return hidden.length + filters.length > 0;
}

function isOfPlainTree({ merged, reversed, collapsed, byWeight, ...rest }) {
	const isPlain = !(merged !== null || reversed || collapsed || byWeight);

	const isAll = rest.widths === null && rest.range === null && !rest.versus;

	return isPlain && !rest.byChange && isAll && !isCut(rest);
}

function viewOf(tree, { merged, reversed, collapsed, byWeight, byChange }) {
	const order = byChange ? BY_CHANGE : byWeight;

	if (merged !== null) {
		const id = tree.names.indexOf(merged);
		return functionView(tree, id, { byWeight: order, reversed });
	}
	if (reversed) return reverseView(tree, order || true);
	return (collapsed ? collapsedView : plainView)(tree, order);
}

/*
 * Returns the frame or, if it has no counts, its closest ancestor that has some,
 * because we cannot zoom to a frame without counts.
 */
function placeWithCounts(view, frame) {
	let at = frame;

	while (at > 0 && !(view.total[at] > 0)) at = view.parent[at];
	return at;
}

/*
 * Returns the tree without a frame or, with `keep`, without everything else. `seen`
 * tells in which view the user pointed at the frame.
 */
function cutFrame(tree, { keep, path, ...seen }) {
	const view = viewOf(tree, { ...seen, byWeight: false });
	const frame = followPath(view, path);
	const depth = abs(view.depth[frame]);
	const { frames, alone } = view.framesOf(frame);

	if (depth !== path.length || depth === 0) return tree;
	return (keep ? onlyOf : without)(tree, frames, alone);
}

/*
 * Applies one step. A `fold` or `focus` step has the name of a function, every other
 * step the path of a frame.
 */
function cutOnce(tree, step, { isChart }) {
	const name = step.fold ?? step.focus;
	const known = tree.names.indexOf(name);
	const isRoot = known === tree.name[0];

	if (name === undefined) return cutFrame(tree, step);
	if (known < 0 || isRoot) return tree;
	return (step.fold === undefined ? callsOf : foldAway)(tree, known, isChart);
}

/*
 * Applies all steps that hide frames, in order, then the filters. A filter with `at` is
 * applied after that many steps instead, because later steps change the names that it
 * matches.
 */
function cutAll(tree, { hidden, filters }, settings) {
	const placeOf = ({ at }) => at ?? hidden.length;
	const filterAt = (rest, step) =>
		filters.filter((one) => placeOf(one) === step).reduce(filterStacks, rest);

	return filterAt(
		hidden.reduce(
			(rest, step, i) => cutOnce(filterAt(rest, i), step, settings),
			tree,
		),
		hidden.length,
	);
}

/*
 * Makes a picture. Its fields:
 *
 * chosen: the state, except that the zoom is in `within`.
 * whole: the tree of the whole recording. base: the tree of the selected range of time.
 * tree: base without what is hidden. view: the view of tree.
 * within: the frame that is zoomed to.
 * found: the matches of the search, or null. problem: what is wrong with its pattern.
 * version: changes whenever drawn frames may need new colours or titles.
 * ofRange(range): makes the tree of a range; heat.js sets it.
 * ofVersus(versus): makes the difference from another profile; compare.js sets it.
 * versus: the number of that profile, negative if it is the one before, or 0.
 * others: the profiles to compare with, each with its title.
 * usual: the settings that a difference replaces.
 * undos: earlier states. steps: how many of them can be undone; not all of them after
 * the browser's Back.
 */
export function makePicture(settings, base, onChange) {
	const chosen = noState();
	const plain = plainView(base, false);

	return {
		settings,
		base,
		whole: base,
		ofRange: null,
		ofVersus: null,
		others: [],
		usual: { ...settings },
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
		/*
		 * cut: the hidden frames, filters and range that `tree` was made for. ahead: a
		 * view that lookAhead() has made in advance.
		 */
		cut: {},
		ahead: null,
	};
}

/* Returns the whole state, with the zoom as a path of names. */
export function stateOf({ chosen, view, within }) {
	return { ...chosen, path: pathTo(view, within) };
}

/* Returns the share of the counts that hidden frames and filters leave out. */
export function hiddenShare({ tree, base }) {
	return 1 - tree.total[0] / base.total[0];
}

/* Returns words for what the widest frame stands for, or '' if that is everything. */
export function wordForShown(picture) {
	if (picture.within !== 0) return 'the zoom';
	if (picture.chosen.merged !== null) return 'this function';
	return hiddenShare(picture) > 0 ? 'what is left' : '';
}

export function isFlipped({ chosen, settings }) {
	return chosen.flipped !== settings.inverted;
}

/*
 * Returns true if the whole picture is shown. The view is the plain one only if nothing
 * is left out.
 */
export function isWhole({ within, view, plain }) {
	return within === 0 && view === plain;
}

function search(picture) {
	const { term, ignoreCase } = picture.chosen;
	const { expression, problem } = compilePattern(term, ignoreCase);

	picture.problem = problem;
	picture.found = term === '' ? null : findMatches(picture.tree, expression);
}

/* Returns the view for the state, which lookAhead() may have made already. */
function viewNow(picture) {
	const { chosen, ahead, tree } = picture;

	picture.ahead = null;
	if (isOfPlainTree(chosen)) return picture.plain;
	return ahead?.isFor(tree, chosen) ? ahead.view : viewOf(tree, chosen);
}

/*
 * Makes the view for some changes of the state in advance, and keeps it for viewNow().
 */
export function lookAhead(picture, changes) {
	const { tree } = picture;
	const wanted = { ...picture.chosen, ...changes };
	const view = viewOf(tree, wanted);
	const isFor = (other, next) =>
		other === tree &&
		next.merged === wanted.merged &&
		next.reversed === wanted.reversed &&
		next.collapsed === wanted.collapsed &&
		next.byWeight === wanted.byWeight &&
		next.byChange === wanted.byChange;

	picture.ahead = { view, isFor };
	return view;
}

/*
 * Makes the tree of a range of time or of a comparison the base. Does nothing if it is
 * already. Nothing is hidden in the new tree yet.
 */
function enterBase(picture, { range, versus }) {
	const { cut, settings, usual, whole } = picture;

	if (!CHANGES) return;
	if (range === (cut.range ?? null) && versus === (cut.versus ?? 0)) return;
	Object.assign(settings, usual);
	if (versus) picture.base = picture.ofVersus(versus);
	else picture.base = range ? picture.ofRange(range) : whole;
	picture.cut = { range, versus };
}

function leaveOut(picture) {
	const { chosen } = picture;
	const { hidden, filters, widths } = chosen;

	enterBase(picture, chosen);
	const { cut } = picture;
	const isSame = hidden === cut.hidden && filters === cut.filters;
	if (isSame && widths === (cut.widths ?? null)) return;
	const tree = cutAll(picture.base, chosen, picture.settings);
	picture.tree =
		widths === null ? tree : { ...tree, widths: widths !== 'after' && widths };
	picture.cut = { ...chosen };
}

/*
 * Makes the view for the state and zooms to a path in it. This is needed if the shown
 * counts change, but not for a zoom alone. The view of the whole picture is made only
 * once.
 */
function rebuild(picture, path) {
	leaveOut(picture);
	picture.view = viewNow(picture);
	if (!(picture.view.total[0] > 0)) {
		/* The state from an address can hide all counts. Then we show everything. */
		const all = { range: null, versus: 0, widths: null };
		const nothing = { ...all, merged: null, hidden: [], filters: [] };
		Object.assign(picture.chosen, nothing);
		leaveOut(picture);
		picture.view = viewNow(picture);
	}
	const { view, chosen, version } = picture;
	picture.within = placeWithCounts(view, followPath(view, path));
	const { marked, scheme, range, versus } = chosen;
	const isBase = range === null && versus === 0;
	const isOwn = marked === null && scheme === '' && isBase;
	if (isCut(chosen) || !view.plain || !isOwn || version !== 0) picture.version++;
	search(picture);
}

function rememberForUndo(picture) {
	picture.undos.length = picture.steps++;
	picture.undos.push(stateOf(picture));
}

/*
 * Changes the state, as a step that can be undone. `path` is the new zoom. Without it,
 * the zoom stays at the same frame or, if that is gone, at its closest ancestor.
 */
export function change(picture, changes, path) {
	rememberForUndo(picture);
	Object.assign(picture.chosen, changes);
	rebuild(picture, path ?? pathTo(picture.view, picture.within));
	picture.onChange({ push: true });
}

/*
 * Selects a range of time, or the whole recording with null. goesOn: the user is still
 * dragging, so this belongs to the same step of undo as the last change.
 */
export function select(picture, range, goesOn) {
	const { chosen, view, within, settings } = picture;
	const changes = { range, versus: 0, widths: null };
	/* In a chart, a zoom to a frame is a range, too, so the new range replaces it. */
	const path = settings.isChart ? [] : pathTo(view, within);

	if (!goesOn) return change(picture, changes, path);
	Object.assign(chosen, changes);
	rebuild(picture, path);
	return picture.onChange({ passing: true });
}

/* Returns true if the page has the profile of that number to compare with. */
function canCompare({ others }, versus) {
	return Boolean(others[abs(versus) - 1]);
}

/*
 * Compares with another profile, or with 0 ends the comparison. Filters by module end,
 * because a difference does not have the modules' colours.
 */
export function compareWith(picture, versus) {
	const filters = picture.chosen.filters.filter(({ module }) => module === undefined);
	const looks = { widths: null, marked: null, scheme: '', byChange: false };

	change(picture, { ...looks, versus, range: null, filters });
}

/* Zooms to a frame that has counts. */
export function zoom(picture, frame) {
	if (frame === picture.within || !(picture.view.total[frame] > 0)) return;
	picture.within = frame;
	picture.onChange({ push: true });
}

/*
 * Searches for a term. The address is changed a little later (`passing`), because the
 * user may be typing and the next letter makes another change.
 */
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

function isInZoom({ view, within }, frame) {
	return ancestorsOf(view, within).concat(within).includes(frame);
}

/* Returns a step about a frame: its path, and the view that it is in. */
function stepFor({ view, chosen: { merged, reversed, collapsed } }, frame) {
	return { merged, reversed, collapsed, path: pathTo(view, frame) };
}

/*
 * Leaves out a frame and what it calls. If the zoom was inside that frame, zooms to its
 * parent.
 */
export function hide(picture, frame) {
	const { view, chosen } = picture;
	const step = stepFor(picture, frame);
	const { path } = step;

	if (path.length === 0 || view.total[frame] === view.total[0]) return;
	change(
		picture,
		{ hidden: chosen.hidden.concat(step) },
		isInZoom(picture, frame) ? path.slice(0, -1) : undefined,
	);
}

/* Leaves out everything but a frame and what it calls. */
export function keepOnly(picture, frame) {
	const step = { ...stepFor(picture, frame), keep: true };

	if (step.path.length === 0) return;
	change(picture, { hidden: picture.chosen.hidden.concat(step) });
}

/*
 * Returns the changes of the state for a fold or focus step, which changes names. Notes
 * in earlier filters that they are applied before it.
 */
function addStep({ chosen: { hidden, filters } }, step) {
	return {
		hidden: hidden.concat(step),
		filters: filters.map((filter) => ({ at: hidden.length, ...filter })),
	};
}

/* Hides a function. Its callers get its counts. */
export function fold(picture, name) {
	const { view, within, chosen } = picture;
	const path = pathTo(view, within).filter((step) => step.name !== name);
	const merged = chosen.merged === name ? null : chosen.merged;

	change(picture, { merged, ...addStep(picture, { fold: name }) }, path);
}

/* Shows all calls of a function as one, without its callers. */
export function focusOn(picture, name) {
	const changes = { merged: null, reversed: false };

	change(picture, { ...changes, ...addStep(picture, { focus: name }) }, []);
}

/* Zooms to a frame of the tree, in the plain view. */
export function goTo(picture, frame) {
	const { tree, chosen } = picture;
	const path = pathTo(plainView(tree, chosen.byWeight), frame);

	change(picture, { merged: null, reversed: false, collapsed: false }, path);
}

export function unhide(picture) {
	change(picture, { hidden: [], filters: [] });
}

/* Keeps only the stacks with a match of the search, or only the others. */
export function filter(picture, keep) {
	const { found, view, chosen } = picture;
	const { term, ignoreCase, filters } = chosen;
	const sum = found ? view.matchIn(0, found) : 0;

	if (found && (keep ? sum > 0 : sum < view.total[0]))
		change(picture, { filters: filters.concat({ keep, term, ignoreCase }) }, []);
}

/*
 * Shows a function between its callers and callees. The name of the root is the last in
 * the list of names; a function can have the same name.
 */
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

/*
 * Returns false if the order is given: a chart is in the order of time, and the reverse
 * graph is sorted by weight.
 */
export function canSort({ settings, chosen: { reversed, merged } }) {
	return !settings.isChart && !(reversed && merged === null);
}

/* Sorts by weight or by name. */
export function sort(picture) {
	if (!canSort(picture)) return;
	change(picture, { byWeight: !picture.chosen.byWeight, byChange: false });
}

/* Sorts a differential by change, the largest first. */
export function sortByChange(picture) {
	change(picture, { byChange: !picture.chosen.byChange, byWeight: false });
}

/*
 * Returns whose counts decide the widths in a differential: before, after or union
 * (both).
 */
export function widthsNow({ chosen, settings }) {
	return chosen.widths ?? settings.widths;
}

/*
 * Returns true if these widths can be shown. A picture without data, or in the order of
 * time, does not have frames that are gone.
 */
export function canShow({ settings, base }, widths) {
	if (!CHANGES || !settings.diff || base.gap) return false;
	if (widths === 'after') return base.total[0] > 0;
	return widths === 'union' || (widths === 'before' && base.before[0] > 0);
}

export function showWidths(picture, widths) {
	const { settings } = picture;

	if (canShow(picture, widths) && widths !== widthsNow(picture))
		change(picture, { widths: widths === settings.widths ? null : widths });
}

/*
 * Changes to another of the named views (views.js). The zoom stays if only the order
 * changes.
 */
export function chooseView(picture, changes) {
	const { merged, reversed, byWeight } = picture.chosen;
	const isSame = merged === changes.merged && reversed === changes.reversed;

	if (!isSame || byWeight !== changes.byWeight)
		change(picture, changes, isSame ? undefined : []);
}

/*
 * Returns true if there is anything to undo. A state that came from the address can be
 * undone, too.
 */
export function canUndo(picture) {
	return picture.steps > 0 || picture.chosen.flipped || !isWhole(picture);
}

export function flip(picture) {
	rememberForUndo(picture);
	picture.chosen.flipped = !picture.chosen.flipped;
	picture.onChange({ push: true });
}

/*
 * Undoes the last change. A state from the address has no steps, so it is undone all at
 * once.
 */
export function undo(picture) {
	const { undos, chosen } = picture;
	const { term, ignoreCase } = chosen;
	const last = undos[picture.steps - 1] ?? noState();

	picture.steps = max(0, picture.steps - 1);
	picture.chosen = { ...last, term, ignoreCase };
	rebuild(picture, last.path);
	picture.onChange({ push: true });
}

/* Leaves the zoom or, if there is none, the merged function, or else the comparison. */
export function reset(picture) {
	if (picture.within !== 0) zoom(picture, 0);
	else if (picture.chosen.merged !== null) unmerge(picture);
	else if (CHANGES && picture.chosen.versus) compareWith(picture, 0);
}

/* Shows a saved state. `steps` is how many changes can be undone from there. */
export function restore(picture, saved, steps) {
	const { undos, settings, ofRange } = picture;
	const range = SLICES && ofRange ? saved.range : null;
	const versus = CHANGES && canCompare(picture, saved.versus) ? saved.versus : 0;

	/* The range may make a differential of a plain picture, and a comparison does. */
	enterBase(picture, { range, versus });
	const { base } = picture;
	const known = base.names.indexOf(saved.merged);
	const merged = base.name.indexOf(known) > 0 ? saved.merged : null;

	const byWeight = saved.byWeight && !settings.isChart;
	const byChange = saved.byChange && Boolean(base.before) && !settings.isChart;
	const widths = canShow(picture, saved.widths) ? saved.widths : null;

	picture.steps = min(steps, undos.length);
	picture.chosen = { ...saved, merged, byWeight, byChange, widths, range, versus };
	rebuild(picture, saved.path);
	picture.onChange({ restored: true });
}
