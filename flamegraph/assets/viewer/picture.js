/* What is shown: the state that the user changes, and the view that follows from it. */

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

export function noState() {
	return {
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

export function makePicture(settings, base, onChange) {
	const undos = [];
	/* How many of them are behind what is shown: fewer after Back. */
	let depth = 0;
	let state = noState();
	let tree = base;
	const plain = plainView(base, false);
	let view = plain;
	let within = 0;
	let found = null;
	/* What is wrong with the pattern. */
	let problem = '';
	/* Whose counts are left out of the tree; a view that may be asked for next. */
	let cut = { ...state };
	let ahead = null;
	let version = 0;

	function search() {
		if (state.term === '') {
			found = null;
			problem = '';
			return;
		}
		const compiled = compilePattern(state.term, state.ignoreCase);
		problem = compiled.problem;
		found = findMatches(tree, compiled.expression);
	}

	/* The view for the state, which may have been looked ahead to. */
	function viewNow() {
		if (isOfPlainTree(state)) return plain;
		const isReady = ahead !== null && ahead.isFor(tree, state);
		const made = isReady ? ahead.view : viewOf(tree, state);

		ahead = null;
		return made;
	}

	/* The view that changes will lead to, which is kept for them. */
	function lookAhead(changes) {
		const wanted = { ...state, ...changes };
		const { merged, reversed, collapsed, byWeight } = wanted;
		const of = tree;

		ahead = {
			view: viewOf(tree, wanted),
			isFor: (other, next) =>
				other === of &&
				next.merged === merged &&
				next.reversed === reversed &&
				next.collapsed === collapsed &&
				next.byWeight === byWeight,
		};
		return ahead.view;
	}

	/*
	 * Makes a new view, which is needed when what it shows changes, but not for a
	 * zoom. The view of the whole picture is made once.
	 */
	function rebuild(path) {
		if (state.hidden !== cut.hidden || state.filters !== cut.filters)
			tree = state.filters.reduce(filterStacks, hideAll(base, state.hidden));
		cut = { ...state };
		view = viewNow();
		if (!(view.total[0] > 0)) {
			/* An address can ask for a view in which nothing is left. */
			Object.assign(state, { merged: null, hidden: [], filters: [] });
			tree = base;
			cut = { ...state };
			view = viewNow();
		}
		within = placeWithCounts(view, followPath(view, path));
		version = isCut(state) || !view.plain || version !== 0 ? version + 1 : 0;
		search();
	}

	function rememberForUndo() {
		undos.length = depth++;
		undos.push({ ...state, path: pathTo(view, within) });
	}

	function change(changes, path) {
		rememberForUndo();
		Object.assign(state, changes);
		rebuild(path ?? pathTo(view, within));
		onChange({ push: true });
	}

	function zoom(frame) {
		if (frame === within || !(view.total[frame] > 0)) return;
		within = frame;
		onChange({ push: true });
	}

	/* The change is a passing one, as the next letter typed makes another. */
	function setSearch(term) {
		state.term = term;
		search();
		onChange({ push: false, searched: true, passing: true });
	}

	function toggleCase() {
		state.ignoreCase = !state.ignoreCase;
		search();
		onChange({ push: false, searched: true });
	}

	function hide(frame) {
		const path = pathTo(view, frame);
		const { merged, reversed, collapsed } = state;
		const isIn = frame === within || ancestorsOf(view, within).includes(frame);

		if (path.length === 0 || view.total[frame] === view.total[0]) return;
		change(
			{ hidden: state.hidden.concat({ merged, reversed, collapsed, path }) },
			isIn ? path.slice(0, -1) : undefined,
		);
	}

	function nameOf(frame) {
		return tree.names[view.name[frame]];
	}

	/* A function may have the name of the root, which comes after all others. */
	function mergeName(merged) {
		const isRoot = tree.names.indexOf(merged) === tree.name[0];

		if (!isRoot && merged !== state.merged) change({ merged }, []);
	}

	function flip() {
		rememberForUndo();
		state.flipped = !state.flipped;
		onChange({ push: true });
	}

	/* What came with the address has no steps, so it is undone all at once. */
	function undo() {
		const last = undos[depth - 1] ?? { ...noState(), path: [] };
		const { term, ignoreCase } = state;

		depth = max(0, depth - 1);
		state = { ...last, term, ignoreCase };
		rebuild(last.path);
		onChange({ push: true });
	}

	/* Out of the zoom, and then out of a merged function. */
	function reset() {
		if (within !== 0) zoom(0);
		else if (state.merged !== null) change({ merged: null }, []);
	}

	/* steps: how many can be undone from there. */
	function restore(saved, steps) {
		const known = base.names.indexOf(saved.merged);

		depth = min(steps, undos.length);
		state = {
			...saved,
			merged: base.name.indexOf(known) > 0 ? saved.merged : null,
		};
		rebuild(saved.path);
		onChange({ push: false, restored: true });
	}

	return {
		settings,
		zoom,
		hide,
		mergeName,
		lookAhead,
		nameOf,
		merge: (frame) => mergeName(nameOf(frame)),
		unmerge: () => change({ merged: null }, []),
		unhide: () => change({ hidden: [], filters: [] }),
		/* Only the stacks that have a match of the search, or all others. */
		filter(keep) {
			const { term, ignoreCase, filters } = state;
			const sum = found ? view.matchIn(0, found) : 0;
			if (found && (keep ? sum > 0 : sum < view.total[0]))
				change({ filters: filters.concat({ keep, term, ignoreCase }) }, []);
		},
		steps: () => depth,
		tree: () => tree,
		hiddenShare: () => 1 - tree.total[0] / base.total[0],
		flip,
		undo,
		reset,
		restore,
		setSearch,
		toggleCase,
		reverse() {
			change({ reversed: !state.reversed }, []);
		},
		collapse() {
			change({ collapsed: !state.collapsed }, []);
		},
		sort() {
			change({ byWeight: !state.byWeight });
		},
		view: () => view,
		within: () => within,
		found: () => found,
		isValid: () => problem === '',
		problem: () => problem,
		version: () => version,
		state: () => ({ ...state, path: pathTo(view, within) }),
		isFlipped: () => state.flipped !== settings.inverted,
		isWhole: () => within === 0 && view === plain && !isCut(state),
	};
}
