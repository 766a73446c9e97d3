/* The texts about frames and matches: names, titles and details. */

import { fixed, human, isKnownUnit, percent, signed, thousands } from './format.js';
import { displayName } from './names.js';
import { ancestorsOf } from './tree.js';

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

	function nameOf(view, frame) {
		return displayName(view.names[view.name[frame]]);
	}

	/* As the program writes it, with the share of the rounded count. */
	function titleOf(view, frame) {
		const all = view.tree.total[0];
		const total = view.total[frame];
		const rounded = Number(fixed(real(view, total), 0));
		const whole = real(view, all);
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
			text += '; ' + signed(delta, share(Math.abs(delta), all));
		}
		return text + ')';
	}

	function compare(view, frame) {
		const [before, after] = [view.before[frame], view.total[frame]];
		const delta = after - before;
		const ratio = before > 0 ? fixed(after / before, 2) : 'new';

		return (
			DOT +
			'before ' +
			amount(view, before) +
			DOT +
			'after ' +
			amount(view, after) +
			DOT +
			'delta ' +
			signed(delta, amount(view, Math.abs(delta))) +
			' (' +
			signed(delta, share(Math.abs(delta), view.tree.total[0])) +
			')' +
			DOT +
			'ratio ' +
			ratio
		);
	}

	/* title: the frame's title while nobody points at it. */
	function detailsOf(view, { frame, above }, within, title) {
		const { total, self, parent } = view;
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
			text +=
				DOT +
				share(total[frame], total[parent[frame]]) +
				' of parent';
		return view.before ? text + compare(view, frame) : text;
	}

	/* If the zoomed frame or an ancestor of it matches, all of the zoom does. */
	function matchInZoom(view, found, within) {
		const isMatch = (frame) => found.isName[view.name[frame]] > 0;

		return ancestorsOf(view, within).concat(within).some(isMatch)
			? view.total[within]
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
			part(sum, all) +
			(isHidden ? ' of what is not hidden' : ' of all') +
			DOT +
			thousands(frames) +
			(frames === 1 ? ' frame' : ' frames');

		if (within !== 0)
			text +=
				DOT +
				part(
					matchInZoom(view, found, within),
					view.total[within],
				) +
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
		wholeOf,
		human: short,
		exact: (view, counts) => count(view, counts) + ' ' + settings.countName,
		percentOf: (part) => percent(part, 1, 1),
		shareOf: (tree, counts) => share(counts, tree.total[0]),
	};
}
