/*
 * What a search shows beside the colour of what it found: the rest is dimmed, the match
 * that one has gone to has a mark above and below, and it is said which one it is.
 */

import { say } from './bars.js';
import { max, thousands } from './format.js';
import { pathInRows } from './layout.js';
import { change, find, make } from './page.js';
import { MANY } from './parts.js';
import { isFound } from './tree.js';

/* Of a merged view, whose frames are made when they are asked for. */
const MOST_LOOKED_AT = 2000;
const MANY_FRAMES = 300000;
const MARK_WIDTH = 12;
const MARK_HEIGHT = 8;
/* In tenths of a pixel. */
const VEILED_GAP = 50;

/* The order of siblings may be another than that of the tree. */
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

/* The matches of a merged view in their order, or null where they are too many. */
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

/* "3 of 228"; without the first number as long as one has gone to none. */
function makeCounter(picture) {
	let last = {};

	/* What is found is found anew in each view. */
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

/* Over what is not found; over the ground between frames it is not seen. */
function veilPath({ view, layout, rowTop }, found, height) {
	const has = ({ frame }) => !isFound(found, view.name[frame]);

	return pathInRows(layout.drawn, { rowTop, height, gap: VEILED_GAP, has });
}

/* Two triangles whose points touch the frame. */
function markPath({ left, width, y }, height) {
	const middle = (left + max(10, width) / 2) / 10;
	const triangle = (at, down) =>
		`M${middle - MARK_WIDTH / 2} ${at - down}h${MARK_WIDTH}` +
		`l${-MARK_WIDTH / 2} ${down}z`;

	return triangle(y, MARK_HEIGHT) + triangle(y + height, -MARK_HEIGHT);
}

export function makeFound({ picture, settings, bars, drawing, access }) {
	const frames = find('frames');
	const group = make('g', { class: 'fg-made fg-shade', 'pointer-events': 'none' });
	const veil = make('path', { class: 'fg-veil', 'fill-opacity': 0.55 }, group);
	const mark = make('path', { class: 'fg-here', display: 'none' }, group);
	const textOf = makeCounter(picture);
	const height = settings.frameHeight - 1;
	/* The match that one has gone to, and what was found then, anew in each view. */
	let here = null;

	function currentNow() {
		if (here && here.found !== picture.found) here = null;
		return here ? here.frame : -1;
	}

	function showCount() {
		say(bars.count, picture.found ? textOf(currentNow()) : '');
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
		/* goTo leads to another match, unless there is none. */
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
