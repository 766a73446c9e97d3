/*
 * Keeps the state of the picture in the address, and reads it from there.
 *
 * The fragment is
 * #z=a;b;c&q=term&i=1&v=fs&w=before&m=name&k=module&c=scheme&h=a;b&j=a;b&n=name&f=name
 * &o=term&x=term~i&g=module&t=from,to&b=from,to
 *
 * z is the zoom, q the search term, i=1 ignores case, v has a letter for each option of
 * the view, w says whose counts decide the widths, m is the function shown between its
 * callers and callees, k the highlighted module, c the colour scheme. h, j, n, f hide
 * frames; o, x, g are filters; t is the selected range of time in seconds, and b the
 * range to compare it with. The parts h, j, n, f, o, x and g can be repeated; they are
 * in the order in which the user hid or filtered frames. Names of a path are
 * percent-encoded; NAME~2 is the third sibling of that name, and TERM~i ignores case.
 */

import { CHANGES, SLICES } from './features.js';
import { abs, max, round } from './format.js';
import { SIDE_PADDING, forChildren } from './layout.js';
import { afterFrame, attr, root } from './page.js';
import { noState, restore as show, stateOf } from './picture.js';
import { pathTo } from './tree.js';

/*
 * Percent-encodes a name. Half of a surrogate pair cannot be encoded, so it becomes
 * U+FFFD.
 */
function encode(text) {
	return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'))
		.replace(/~/g, '%7E')
		.replace(/!/g, '%21');
}

function decode(text) {
	try {
		return decodeURIComponent(text);
	} catch (error) {
		return text;
	}
}

function encodePath(path) {
	return path
		.map(({ name, nth }) => encode(name) + (nth > 0 ? '~' + nth : ''))
		.join(';');
}

function decodePath(text) {
	return text === ''
		? []
		: text.split(';').map((step) => {
				const [, name, nth] = /^(.*?)(?:~(\d{1,9}))?$/s.exec(step);
				return { name: decode(name), nth: Number(nth || 0) };
			});
}

/*
 * Encodes a hidden frame as its path. If it was hidden in another view than the plain
 * one, the path follows the letters of that view and a colon.
 */
function encodeHidden({ merged, reversed, collapsed, path }) {
	const view =
		(merged === null ? '' : 'm' + encode(merged)) +
		(reversed ? '!r' : '') +
		(collapsed ? '!c' : '');

	return (view ? view + ':' : '') + encodePath(path);
}

function decodeHidden(text) {
	const [, view, path] = /^(?:([^:]*):)?(.*)$/s.exec(text);
	const merged = /^m([^!]*)/.exec(view || '');

	return {
		merged: merged ? decode(merged[1]) : null,
		reversed: /!r/.test(view),
		collapsed: /!c/.test(view),
		path: decodePath(path),
	};
}

/* Returns a range of time as "=from,to", in seconds. */
const timesOf = ({ from, to }) => '=' + from / 1e9 + ',' + to / 1e9;

function encodeRange(range) {
	const parts = ['t' + timesOf(range)];

	return range.before ? parts.concat('b' + timesOf(range.before)) : parts;
}

function decodeTimes(text) {
	const [from, to] = text.split(',').map((time) => round(time * 1e9));

	return from >= 0 && from < to ? { from, to, before: null } : null;
}

/* Writes a state as a fragment. decodeState() reads it back. */
export function encodeState(state) {
	const parts = [];
	const views =
		(state.flipped ? 'f' : '') +
		(state.reversed ? 'r' : '') +
		(state.collapsed ? 'c' : '') +
		(state.byWeight ? 's' : '') +
		(CHANGES && state.byChange ? 'd' : '');

	if (state.path.length > 0) parts.push('z=' + encodePath(state.path));
	if (state.term !== '') parts.push('q=' + encode(state.term));
	if (state.ignoreCase) parts.push('i=1');
	if (views !== '') parts.push('v=' + views);
	if (CHANGES && state.widths) parts.push('w=' + state.widths);
	if (SLICES && state.range) parts.push(...encodeRange(state.range));
	if (CHANGES && state.versus) parts.push('a=' + state.versus);
	if (state.merged !== null) parts.push('m=' + encode(state.merged));
	if (state.marked !== null) parts.push('k=' + encode(state.marked));
	if (state.scheme !== '') parts.push('c=' + encode(state.scheme));
	return parts.concat(encodeCuts(state)).join('&');
}

function encodeStep(step) {
	if (step.fold !== undefined) return 'n=' + encode(step.fold);
	if (step.focus !== undefined) return 'f=' + encode(step.focus);
	return (step.keep ? 'j=' : 'h=') + encodeHidden(step);
}

function encodeFilter({ keep, term, ignoreCase, module }) {
	if (module !== undefined) return 'g=' + encode(module);
	return (keep ? 'o=' : 'x=') + encode(term) + (ignoreCase ? '~i' : '');
}

/* Encodes hidden frames and filters in the order in which the user made them. */
function encodeCuts({ hidden, filters }) {
	const filtersAt = (step) =>
		filters.filter(({ at }) => at === step).map(encodeFilter);

	return hidden
		.flatMap((step, i) => [...filtersAt(i), encodeStep(step)])
		.concat(filters.filter(({ at }) => !(at < hidden.length)).map(encodeFilter));
}

function decodeFilter(keep, text) {
	const ignoreCase = text.endsWith('~i');

	return { keep, ignoreCase, term: decode(ignoreCase ? text.slice(0, -2) : text) };
}

/*
 * Adds a fold or focus step, which changes the names in the tree. Filters that were
 * read before it must also be applied before it.
 */
function addNamed({ hidden, filters }, step) {
	filters.forEach((filter, i) => {
		filters[i] = { at: hidden.length, ...filter };
	});
	hidden.push(step);
}

function decodeViews(letters) {
	return {
		flipped: letters.includes('f'),
		reversed: letters.includes('r'),
		collapsed: letters.includes('c'),
		byWeight: letters.includes('s'),
		byChange: letters.includes('d'),
	};
}

/*
 * Returns a function for each key of the fragment that hides or filters frames. The
 * functions read the value and add it to state.hidden or state.filters.
 */
function readersOfCuts(state) {
	const { hidden, filters } = state;

	return {
		o(value) {
			filters.push(decodeFilter(true, value));
		},
		x(value) {
			filters.push(decodeFilter(false, value));
		},
		g(value) {
			const module = decode(value);
			filters.push({ keep: true, term: module, ignoreCase: false, module });
		},
		h(value) {
			hidden.push(decodeHidden(value));
		},
		j(value) {
			hidden.push({ ...decodeHidden(value), keep: true });
		},
		n(value) {
			addNamed(state, { fold: decode(value) });
		},
		f(value) {
			addNamed(state, { focus: decode(value) });
		},
	};
}

/*
 * Reads the state from a fragment. Ignores unknown parts, and all steps and filters
 * after the first `most`: a link can have thousands of them, and to apply one takes
 * time in proportion to the picture's frames.
 */
export function decodeState(fragment, most = Infinity) {
	const state = { ...noState(), hidden: [], filters: [] };
	const cuts = readersOfCuts(state);
	const read = {
		...cuts,
		z(value) {
			state.path = decodePath(value);
		},
		q(value) {
			state.term = decode(value);
		},
		i(value) {
			state.ignoreCase = value === '1';
		},
		v(value) {
			Object.assign(state, decodeViews(value));
		},
		w(value) {
			state.widths = value;
		},
		t(value) {
			if (SLICES) state.range = decodeTimes(value);
		},
		b(value) {
			if (SLICES && state.range) state.range.before = decodeTimes(value);
		},
		a(value) {
			if (CHANGES) state.versus = parseInt(value, 10) || 0;
		},
		m(value) {
			state.merged = decode(value);
		},
		k(value) {
			state.marked = decode(value);
		},
		c(value) {
			state.scheme = decode(value);
		},
	};

	for (const part of fragment.replace(/^#/, '').split('&')) {
		const key = part.slice(0, 1);
		const isCut = Object.hasOwn(cuts, key);
		const isKnown = part[1] === '=' && Object.hasOwn(read, key);
		if (!isKnown || (isCut && state.hidden.length + state.filters.length >= most))
			continue;
		read[key](part.slice(2));
	}
	return state;
}

/*
 * We apply steps and filters of a link until they have visited about this many frames,
 * but always MOST_CUTS of them.
 */
const MAX_WORK = 2e6;
const MOST_CUTS = 100;

/*
 * Returns how many steps and filters a link may have: a hundred, or more if the picture
 * is small.
 */
function mostCuts(tree) {
	return max(MOST_CUTS, round(MAX_WORK / (100 + tree.count)));
}

const NOWHERE = { hash: '', search: '' };

/*
 * Returns the rows that y may mean in a link made for another program's picture. If the
 * root is on top there are two candidates, because the programs leave different space
 * above the root: inferno has the details there, and flamegraph.pl has no space for a
 * subtitle.
 */
function rowsAt(settings, y, inCounts) {
	const { inverted, top, bottom, height, fontSize, frameHeight } = settings;
	const tops = inCounts ? [top + fontSize + 4, top] : [top, 3 * fontSize];
	const rows = inverted
		? tops.map((first) => (y - first) / frameHeight)
		: [(height - bottom + 1 - y) / frameHeight - 1];

	return rows.map(round).filter((row, i) => abs(row - rows[i]) < 0.1);
}

/*
 * Returns the frame of a row that starts closest to x. Returns -1 if none starts less
 * than a pixel away. Then we have another frame there, because other programs sort some
 * names differently. Skips frames that are too narrow for the other program to draw.
 */
function frameOnRow(view, settings, { x, row, inCounts }) {
	const perUnit = (settings.width - 2 * SIDE_PADDING) / view.total[0];
	const left = inCounts ? x * 10 ** view.decimals * perUnit : x - SIDE_PADDING;
	const narrowest = inCounts ? 0 : 0.09;
	const start = new Float64Array(view.name.length);
	let closest = -1;
	let distance = 1;

	for (let frame = 0; frame < start.length; frame++) {
		forChildren(view, frame, start[frame], (child, at) => {
			start[child] = at;
		});
		const off = abs(start[frame] * perUnit - left);
		if (
			view.depth[frame] === row &&
			off < distance &&
			view.total[frame] * perUnit > narrowest
		)
			[closest, distance] = [frame, off];
	}
	return closest;
}

/*
 * Returns the frame that a link of another program means, or the root (0) if there is
 * none. flamegraph.pl writes x in pixels, with a decimal point, and inferno in counts,
 * without one.
 */
function frameAt(view, settings, x, y) {
	const kinds = x.includes('.') ? [false, true] : [true, false];
	const wanted = kinds.flatMap((inCounts) =>
		rowsAt(settings, y, inCounts).map((row) => ({
			x: parseFloat(x),
			row,
			inCounts,
		})),
	);

	for (const place of wanted) {
		const frame = frameOnRow(view, settings, place);
		if (frame >= 0) return frame;
	}
	return 0;
}

/*
 * Returns the zoom and the search term of a link of another program. If the link has no
 * search term, returns that of --search.
 */
function readOldLink(view, settings) {
	const query = new URLSearchParams(window.location.search);
	const x = query.get('x') ?? '';
	const y = parseFloat(query.get('y'));
	const isPlace = parseFloat(x) >= 0 && y >= 0;
	const frame = isPlace ? frameAt(view, settings, x, y) : 0;

	return { path: pathTo(view, frame), term: query.get('s') || settings.searched };
}

/* We wait so many milliseconds for the browser to go back. */
const RETURN_TIME = 500;

/* Returns an address without its search and its profile, which make no step. */
function placeOf(href) {
	return href
		.split(/[#&]/)
		.filter((part) => !/^[iqp]=/.test(part))
		.join();
}

/*
 * Writes the address, in place of the current one, or as a new step of the history if
 * `push` is set. If `canReturn` is set and an earlier step has the same place, goes
 * back there instead and returns true, so that Back does not lead to the view that the
 * user has just left. Each step remembers the places of those before it (`past`).
 * Ignores errors: some pages, such as data: URLs, may not change their address.
 */
function writeAddress(text, { push, steps }, canReturn) {
	const { history, location } = window;

	try {
		const url = new URL(location.href);
		for (const key of ['x', 'y', 's']) url.searchParams.delete(key);
		url.hash = text;
		if (url.href === location.href) return false;
		const past = history.state?.past ?? [];
		const at = push && canReturn ? past.lastIndexOf(placeOf(url.href)) : -1;
		const next = past.concat(placeOf(location.href));
		if (at >= 0) history.go(at - past.length);
		else if (push) {
			/* On return to this step, the browser must not scroll. */
			history.scrollRestoration = 'manual';
			history.pushState({ steps, past: next }, '', url.href);
			history.scrollRestoration = 'auto';
		} else history.replaceState({ steps, past }, '', url.href);
		return at >= 0;
	} catch (error) {
		/* The address stays as it is. */
		return false;
	}
}

/*
 * Puts the name of the profile before the state, if the picture has several profiles.
 */
function withProfile(text) {
	const name = attr(root, 'fg:p');

	return name === null ? text : 'p=' + encode(name) + (text && '&' + text);
}

/* Returns the name of the picture's file after a dash, or an empty text. */
function fileName() {
	const { protocol, pathname } = window.location;
	const name = pathname.split('/').pop();

	return protocol === 'data:' || name === '' ? '' : ' \u2013 ' + decode(name);
}

/*
 * Makes the functions that save and restore the state. keep(text) stores the state in
 * the picture, so that a saved page has it. Only a picture that is the document uses
 * the address.
 */
export function makeHistory(picture, settings, keep) {
	const { isDocument, saved } = settings;
	let waiting = null;
	/* isReturning: the browser is about to go back to an earlier step. */
	let isReturning = false;
	/*
	 * The length of the history after our last step. If other frames of the page have
	 * added steps since then, we do not go back, because that would undo theirs.
	 */
	let reached = 0;

	/* Writes the waiting state, but not while the browser goes back. */
	function writeWaiting() {
		if (!waiting || isReturning) return;
		const text = withProfile(encodeState(waiting.state));
		const isAlone = window.parent === window || window.history.length === reached;
		keep(text);
		isReturning = isDocument && writeAddress(text, waiting, isAlone);
		if (isReturning) {
			waiting.push = false;
			setTimeout(arrive, RETURN_TIME);
			return;
		}
		if (waiting.push) reached = window.history.length;
		waiting = null;
	}

	/* Ends the return to an earlier step, and writes what has changed meanwhile. */
	function arrive() {
		if (!isReturning) return;
		isReturning = false;
		writeWaiting();
	}

	/*
	 * Saves the state later: `when` is soon() or afterFrame() (page.js). push: make the
	 * state a new step of the history; first writes a state that still waits to be
	 * written, so that Back leads to it.
	 */
	function save(push, when) {
		if (push) writeWaiting();
		waiting = {
			state: stateOf(picture),
			steps: picture.steps,
			push: push || waiting?.push === true,
		};
		when(writeWaiting);
	}

	/*
	 * Restores the state from the fragment, unless the browser went back because that
	 * state is shown already. Without a fragment, restores the state of a saved page,
	 * or reads a link of another program. A state that still waits to be written
	 * belongs to another address, so it is dropped.
	 */
	function restore() {
		reached = 0;
		/* If the page is loaded again, the browser may scroll. */
		window.history.scrollRestoration = 'auto';
		if (isReturning) return arrive();
		waiting = null;
		const { hash, search } = isDocument ? window.location : NOWHERE;
		const isSaved = saved !== null && search === '';
		const state = decodeState(
			hash.length < 2 && isSaved ? saved : hash,
			mostCuts(picture.whole),
		);

		if (hash.length < 2 && !isSaved)
			Object.assign(
				state,
				isDocument
					? readOldLink(picture.view, settings)
					: { term: settings.searched },
			);
		show(picture, state, window.history.state?.steps ?? 0);
	}

	/* Shows the state of a link in the picture, like "#m=malloc". */
	function follow(fragment) {
		show(picture, decodeState(fragment, mostCuts(picture.whole)), 0);
		save(true, afterFrame);
	}

	/* Returns the address of the view, even if the page may not change its address. */
	function link() {
		const url = new URL(window.location.href);

		url.hash = withProfile(encodeState(stateOf(picture)));
		return url.href;
	}

	return { save, writeWaiting, restore, follow, fileName, link };
}
