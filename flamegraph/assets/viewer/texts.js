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
import { ancestorsOf, sumOfMatches } from './tree.js';

const ARROW = ' \u2192 ';
const DOT = ' \u00b7 ';

/* Functions take a view and a frame in it; 100 % is the total of the view's tree. */
export function makeTexts(settings) {
	const real = (view, count) => (count / 10 ** view.decimals) * settings.factor;
	const count = (view, counts) => thousands(real(view, counts));
	const short = (view, counts) => human(real(view, counts), settings.unit);
	/* In the details, which have all digits of a count that has no known unit. */
	const amount = isKnownUnit(settings.unit) ? short : count;
	const share = (part, whole) => percent(part, whole, 2);

	/*
	 * The delta of a caller is that of its total, of any other frame that of its
	 * own counts.
	 */
	function deltaOf(view, frame) {
		const delta = view.isCaller(frame)
			? view.total[frame] - view.before[frame]
			: view.self[frame] - view.selfBefore[frame];

		return settings.negate ? -delta : delta;
	}

	/*
	 * By how much a frame of a differential changed, 0 where that is less than twice
	 * the Poisson deviation of its samples; null where it is gone.
	 */
	function changeOf(view, frame) {
		const bySelf = settings.diff === 'self' && !view.isCaller(frame);
		const before = (bySelf ? view.selfBefore : view.before)[frame];
		const after = (bySelf ? view.own : view.after)[frame];
		const noise = 2 * Math.sqrt((before + after) * settings.sample);
		const change = settings.negate ? before - after : after - before;

		if (frame && !(view.after[frame] > 0)) return null;
		return Math.abs(change) < noise ? 0 : change;
	}

	/* "25 -> 50 samples (+25, x2.0), 5.00% -> 9.10%", with arrows and crosses */
	function bothOf(view, frame) {
		const { tree } = view;
		const [before, after] = [view.before[frame], view.after[frame]];
		const ratio = after / before;
		const word =
			before > 0
				? after > 0
					? '\u00d7' + fixed(ratio, ratio < 1 ? 2 : 1)
					: 'gone'
				: 'new';

		return (
			count(view, before) +
			ARROW +
			count(view, after) +
			' ' +
			settings.countName +
			' (' +
			(after < before ? '-' : '+') +
			count(view, Math.abs(after - before)) +
			', ' +
			word +
			'), ' +
			(view.name[frame] === tree.name[0]
				? '100%'
				: share(before, tree.before[0]) + ARROW + share(after, tree.total[0]))
		);
	}

	function nameOf(view, frame) {
		return displayName(view.names[view.name[frame]]);
	}

	/* As the program writes it, with the share of the rounded count. */
	function titleOf(view, frame) {
		const all = view.tree.total[0];
		const total = view.total[frame];
		const rounded = Number(fixed(real(view, total), 0));
		const whole = real(view, all);
		if (settings.diff)
			return nameOf(view, frame) + ' (' + bothOf(view, frame) + ')';
		let text =
			nameOf(view, frame) +
			' (' +
			count(view, total) +
			' ' +
			settings.countName +
			', ';

		if (view.name[frame] === view.tree.name[0]) return text + '100%)';
		text += share(rounded, whole);
		if (view.before) {
			const delta = deltaOf(view, frame);
			text += '; ' + signed(delta, share(abs(delta), all));
		}
		return text + ')';
	}

	/* title: the frame's title while nobody points at it. */
	function detailsOf(view, { frame, above }, within, title) {
		const { after: total, own: self, parent } = view;
		const brief = short(view, total[frame]);
		let text = title;

		if (brief !== count(view, total[frame])) text += DOT + brief;
		/* Such a view does not have a caller's own counts. */
		if (!view.isCaller(frame))
			text +=
				DOT +
				'self ' +
				amount(view, self[frame]) +
				' (' +
				share(self[frame], view.tree.total[0]) +
				')';
		if (within !== 0 && !above)
			text += DOT + share(total[frame], total[within]) + ' of zoom';
		if (parent[frame] >= 0)
			text += DOT + share(total[frame], total[parent[frame]]) + ' of parent';
		return view.before && !settings.diff ? text + DOT + bothOf(view, frame) : text;
	}

	/* If the zoomed frame or an ancestor of it matches, all of the zoom does. */
	function matchInZoom(view, found, within) {
		const isMatch = (frame) => found.isName[view.name[frame]] > 0;

		return ancestorsOf(view, within).concat(within).some(isMatch)
			? view.after[within]
			: view.matchIn(within, found);
	}

	function matchedText(view, found, within, isHidden) {
		const all = view.tree.total[0];
		const sum = matchInZoom(view, found, 0);
		const part = (some, whole) =>
			some >= whole ? '100%' : percent(some, whole, 1);
		const frames = found.frames;
		let text =
			'Matched: ' +
			(view.plain && settings.diff
				? part(
						sumOfMatches(
							view.tree,
							found,
							0,
							view.tree.count,
							view.tree.before,
						),
						view.tree.before[0],
					) + ARROW
				: '') +
			part(sum, all) +
			(isHidden ? ' of what is not hidden' : ' of all') +
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
	function wholeOf(picture) {
		const { tree } = picture.view();
		const isNumber = !isKnownUnit(settings.unit);

		return (
			short(tree, tree.total[0]) +
			(isNumber ? ' ' + settings.countName : '') +
			(settings.event ? ' of ' + settings.event : '') +
			(picture.hiddenShare() > 0 ? ', without what is hidden' : '')
		);
	}

	return {
		nameOf,
		titleOf,
		detailsOf,
		matchedText,
		deltaOf,
		changeOf,
		wholeOf,
		human: short,
		exact: (view, counts) => count(view, counts) + ' ' + settings.countName,
		percentOf: (part) => percent(part, 1, 1),
		shareOf: (tree, counts) => share(counts, tree.total[0]),
	};
}
