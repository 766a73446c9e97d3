/* The texts about frames and matches: names, titles and details. */

import {
	abs,
	fixed,
	human,
	isKnownUnit,
	percent,
	signed,
	thousands,
} from './format.js';
import { displayName } from './names.js';
import { hiddenShare } from './picture.js';
import { ancestorsOf, sumOfMatches } from './tree.js';

const ARROW = ' \u2192 ';
const DOT = ' \u00b7 ';

/*
 * Counts of a view as texts: with all digits, short, and as they stand in the
 * details.
 */
function makeCounts({ factor, unit }) {
	const real = (view, count) => (count / 10 ** view.decimals) * factor;
	const count = (view, counts) => thousands(real(view, counts));
	const short = (view, counts) => human(real(view, counts), unit);

	/* The details have all digits of a count that has no known unit. */
	return { real, count, short, amount: isKnownUnit(unit) ? short : count };
}

const share = (part, whole) => percent(part, whole, 2);
const nameOf = (view, frame) => displayName(view.names[view.name[frame]]);

/*
 * The delta of a caller is that of its total, of any other frame that of its own
 * counts.
 */
function deltaOf(settings, view, frame) {
	const delta = view.isCaller(frame)
		? view.total[frame] - view.before[frame]
		: view.self[frame] - view.selfBefore[frame];

	return settings.negate ? -delta : delta;
}

/*
 * By how much a frame of a differential changed, 0 where that is less than twice the
 * Poisson deviation of its samples; null where it is gone.
 */
function changeOf(settings, view, frame) {
	const bySelf = settings.diff === 'self' && !view.isCaller(frame);
	const before = (bySelf ? view.selfBefore : view.before)[frame];
	const after = (bySelf ? view.own : view.after)[frame];
	const noise = 2 * Math.sqrt((before + after) * settings.sample);
	const change = settings.negate ? before - after : after - before;

	if (frame && !(view.after[frame] > 0)) return null;
	return abs(change) < noise ? 0 : change;
}

/* "25 -> 50 samples (+25, x2.0), 5.00% -> 9.10%", with arrows and crosses */
function bothOf({ countName }, { count }, view, frame) {
	const { tree } = view;
	const [before, after] = [view.before[frame], view.after[frame]];
	const ratio = after / before;
	const grown = after > 0 ? '\u00d7' + fixed(ratio, ratio < 1 ? 2 : 1) : 'gone';
	const shares =
		view.name[frame] === tree.name[0]
			? '100%'
			: share(before, tree.before[0]) + ARROW + share(after, tree.total[0]);

	return (
		`${count(view, before)}${ARROW}${count(view, after)} ${countName} (` +
		(after < before ? '-' : '+') +
		`${count(view, abs(after - before))}, ${before > 0 ? grown : 'new'}), ${shares}`
	);
}

/* As the program writes it, with the share of the rounded count. */
function titleOf(settings, counts, view, frame) {
	const all = view.tree.total[0];
	const total = view.total[frame];
	const { real, count } = counts;
	const rounded = Number(fixed(real(view, total), 0));
	const start = nameOf(view, frame) + ' (';

	if (settings.diff) return start + bothOf(settings, counts, view, frame) + ')';
	let text = `${start}${count(view, total)} ${settings.countName}, `;
	if (view.name[frame] === view.tree.name[0]) return text + '100%)';
	text += share(rounded, real(view, all));
	if (view.before) {
		const delta = deltaOf(settings, view, frame);
		text += '; ' + signed(delta, share(abs(delta), all));
	}
	return text + ')';
}

/* title: the frame's title while nobody points at it. within: what is zoomed into. */
function detailsOf(settings, counts, { view, within }, { frame, above }, title) {
	const { after: total, own: self, parent } = view;
	const [of, whole] = [total[frame], view.tree.total[0]];
	const brief = counts.short(view, of);
	const parts = [title];

	if (brief !== counts.count(view, of)) parts.push(brief);
	/* Such a view does not have a caller's own counts. */
	if (!view.isCaller(frame))
		parts.push(
			`self ${counts.amount(view, self[frame])} (${share(self[frame], whole)})`,
		);
	if (within !== 0 && !above) parts.push(share(of, total[within]) + ' of zoom');
	if (parent[frame] >= 0) parts.push(share(of, total[parent[frame]]) + ' of parent');
	if (view.before && !settings.diff)
		parts.push(bothOf(settings, counts, view, frame));
	return parts.join(DOT);
}

/* If the zoomed frame or an ancestor of it matches, all of the zoom does. */
function matchInZoom(view, found, within) {
	const isMatch = (frame) => found.isName[view.name[frame]] > 0;

	return ancestorsOf(view, within).concat(within).some(isMatch)
		? view.after[within]
		: view.matchIn(within, found);
}

function matchedText({ diff }, picture) {
	const { view, found, within } = picture;
	const { tree } = view;
	const { frames } = found;
	const part = (some, whole) => (some >= whole ? '100%' : percent(some, whole, 1));
	let text = 'Matched: ';

	if (view.plain && diff) {
		const sum = sumOfMatches(tree, found, 0, tree.count, tree.before);
		text += part(sum, tree.before[0]) + ARROW;
	}
	text +=
		part(matchInZoom(view, found, 0), tree.total[0]) +
		(hiddenShare(picture) > 0 ? ' of what is not hidden' : ' of all') +
		DOT +
		thousands(frames) +
		(frames === 1 ? ' frame' : ' frames');
	if (within !== 0)
		text +=
			DOT +
			part(matchInZoom(view, found, within), view.after[within]) +
			' of zoom';
	return text;
}

/* What 100 % is. */
function wholeOf({ unit, countName, event }, { short }, picture) {
	const { tree } = picture.view;

	return (
		short(tree, tree.total[0]) +
		(isKnownUnit(unit) ? '' : ' ' + countName) +
		(event ? ' of ' + event : '') +
		(hiddenShare(picture) > 0 ? ', without what is hidden' : '')
	);
}

/* Functions take a view and a frame in it; 100 % is the total of the view's tree. */
export function makeTexts(settings) {
	const counts = makeCounts(settings);

	return {
		nameOf,
		titleOf: (view, frame) => titleOf(settings, counts, view, frame),
		detailsOf: (picture, record, title) =>
			detailsOf(settings, counts, picture, record, title),
		matchedText: (picture) => matchedText(settings, picture),
		deltaOf: (view, frame) => deltaOf(settings, view, frame),
		changeOf: (view, frame) => changeOf(settings, view, frame),
		wholeOf: (picture) => wholeOf(settings, counts, picture),
		human: counts.short,
		exact: (view, of) => counts.count(view, of) + ' ' + settings.countName,
		percentOf: (part) => percent(part, 1, 1),
		shareOf: (tree, of) => share(of, tree.total[0]),
	};
}
