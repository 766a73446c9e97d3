/*
 * Shows the matches of a search, which frame.js has coloured: dims all other frames,
 * marks the match that the user has gone to with a triangle above and below, and writes
 * its number ("3 of 228").
 */

import { setText } from './bars.js';
import { MANY } from './features.js';
import { max, thousands } from './format.js';
import { MIN_WIDTH, SIDE_PADDING, pathInRows } from './layout.js';
import { change, find, make } from './page.js';
import { zoom } from './picture.js';
import { ancestorsOf, isFound, nextMatch } from './tree.js';

/*
 * Limits for merged views, whose frames are made on demand. To count matches we visit
 * at most MOST_LOOKED_AT frames. We do not try if the tree has MANY_FRAMES or more.
 */
const MOST_LOOKED_AT = 2000;
const MANY_FRAMES = 300000;
const MARK_WIDTH = 12;
const MARK_HEIGHT = 8;
/* The veil also covers gaps narrower than this, in tenths of a pixel. */
const VEILED_GAP = 50;

/*
 * Returns the number of a match, from 1, in the order of the view, in which siblings
 * may be sorted differently than in the tree.
 */
function rankInTree({ children, parent, name, end }, { isName, upTo }, frame) {
	let rank = 1;

	for (let at = frame; at > 0; at = parent[at]) {
		rank += isName[name[parent[at]]];
		for (const other of children(parent[at])) {
			if (other === at) break;
			rank += upTo[end[other]] - upTo[other];
		}
	}
	return rank;
}

/*
 * Returns the matches of a merged view in order, or null if too many frames would have
 * to be visited.
 */
function listMatches(view, found) {
	const list = [];
	const waiting = [0];

	for (let looked = 0; waiting.length > 0; looked++) {
		if (MANY && looked === MOST_LOOKED_AT) return null;
		const frame = waiting.pop();
		if (isFound(found, view.name[frame]) && view.total[frame] > 0) list.push(frame);
		for (const child of view.children(frame).slice().reverse())
			if (view.hasMatch(child, found)) waiting.push(child);
	}
	return list;
}

/*
 * Returns a function that makes the text "3 of 228", or "0 of 228" if the user has gone
 * to no match yet.
 */
function makeCounter(picture) {
	let last = {};

	/* Lists the matches again if the view or the search has changed. */
	function listNow() {
		const { view, found, tree } = picture;

		if (last.found !== found)
			last = {
				found,
				list:
					!MANY || tree.count < MANY_FRAMES
						? listMatches(view, found)
						: null,
			};
		return last.list;
	}

	return (frame) => {
		const { view, found } = picture;
		const list = view.plain ? null : listNow();
		const isKnown = view.plain || list !== null;
		const rank = view.plain
			? rankInTree(view, found, frame)
			: list && list.indexOf(frame) + 1;
		const all = isKnown
			? thousands(list ? list.length : found.frames)
			: thousands(MOST_LOOKED_AT) + '+';

		return (frame < 0 || !isKnown ? '0' : thousands(rank)) + ' of ' + all;
	};
}

/*
 * Returns a path that covers the frames that do not match. It also covers the gaps
 * between them, where it cannot be seen, because it has the colour of the background.
 */
function veilPath({ view, layout, rowTop }, found, height) {
	const has = ({ frame }) => !isFound(found, view.name[frame]);

	return pathInRows(layout.drawn, { rowTop, height, gap: VEILED_GAP, has });
}

/* Returns two triangles whose points touch the frame. */
function markPath({ left, width, y }, height) {
	const middle = (left + max(10, width) / 2) / 10;
	const triangle = (at, down) =>
		`M${middle - MARK_WIDTH / 2} ${at - down}h${MARK_WIDTH}` +
		`l${-MARK_WIDTH / 2} ${down}z`;

	return triangle(y, MARK_HEIGHT) + triangle(y + height, -MARK_HEIGHT);
}

/*
 * Makes the marks of the matches. draw() must be called after each drawing of the
 * picture.
 */
export function makeFound({ picture, settings, bars, drawing, access }) {
	const frames = find('frames');
	const group = make('g', { class: 'fg-made fg-shade', 'pointer-events': 'none' });
	const veil = make('path', { class: 'fg-veil', 'fill-opacity': 0.55 }, group);
	const mark = make('path', { class: 'fg-here', display: 'none' }, group);
	const textOf = makeCounter(picture);
	const height = settings.frameHeight - 1;
	/*
	 * The match that the user has gone to, with the matches that it was among
	 * (picture.found at that time). It is forgotten when a new view or search replaces
	 * the matches.
	 */
	let here = null;

	function currentNow() {
		if (here && here.found !== picture.found) here = null;
		return here ? here.frame : -1;
	}

	function showCount() {
		setText(bars.count, picture.found ? textOf(currentNow()) : '');
	}

	function showMark() {
		const record = drawing.get(currentNow());

		if (record) change(mark, 'd', markPath(record, height));
		change(mark, 'display', record ? 'inline' : 'none');
	}

	frames.parentNode.append(group);
	return {
		showCount,
		draw(last) {
			const { found } = picture;

			change(veil, 'fill', bars.foot.style.backgroundColor);
			change(veil, 'd', found ? veilPath(last, found, height) : '');
			showMark();
		},
		/*
		 * Returns a function that calls goTo(), which goes to another match, and then
		 * marks that match.
		 */
		follow: (goTo) => (step) => {
			goTo(step);
			const [frame, { view, found }] = [access.current(), picture];
			if (!isFound(found, view.name[frame])) return;
			here = { frame, found };
			showCount();
			showMark();
		},
	};
}

/* Returns the ancestor to zoom to, so that a frame is wide enough to see. */
function placeToSee(view, frame, width) {
	const visible = 3;
	const inner = width - 2 * SIDE_PADDING;
	const ancestors = ancestorsOf(view, frame);

	return (
		ancestors.find(
			(at) => (view.total[frame] / view.total[at]) * inner >= visible,
		) ?? frame
	);
}

/*
 * Returns a function that goes to the next match. If the match is too narrow to see, it
 * zooms to a frame in which it is wide enough.
 */
export function makeTour({ picture, drawing, access, bars }) {
	return (step) => {
		const view = picture.view;
		const found = picture.found;

		if (!found || found.frames === 0) return;
		const frame = nextMatch(view, found, access.current(), step);
		if (frame < 0) return;
		const record = drawing.get(frame);
		if (!record || record.width < 10 * MIN_WIDTH)
			zoom(picture, placeToSee(view, frame, bars.size.width));
		access.focus(frame);
	};
}
