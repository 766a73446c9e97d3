/* The texts about frames and matches: names, titles and details. */

import { ancestorsOf } from './tree.js';
import { displayName } from './names.js';
import { fixed, percent, signed, thousands } from './format.js';

const DOT = ' \u00b7 ';

/* Functions take a view and a frame in it; 100 % is the total of the view's tree. */
export function makeTexts(settings) {
	const real = (view, count) => (count / 10 ** view.decimals) * settings.factor;
	const count = (view, counts) => thousands(real(view, counts));
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

		if (view.name[frame] === view.tree.name[0])
			return text + '100%)';
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
			count(view, before) +
			DOT +
			'after ' +
			count(view, after) +
			DOT +
			'delta ' +
			signed(delta, count(view, Math.abs(delta))) +
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
		let text = title;

		/* Such a view does not have a caller's own counts. */
		if (!view.isCaller(frame))
			text +=
				DOT +
				'self ' +
				count(view, self[frame]) +
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

	function matchedText(view, found, within) {
		const all = view.tree.total[0];
		const sum = matchInZoom(view, found, 0);
		const short = (part, whole) =>
			part >= whole ? '100%' : percent(part, whole, 1);
		const frames = found.frames;
		let text =
			'Matched: ' +
			short(sum, all) +
			DOT +
			thousands(frames) +
			(frames === 1 ? ' frame' : ' frames');

		if (within !== 0)
			text +=
				DOT +
				short(
					matchInZoom(view, found, within),
					view.total[within],
				) +
				' of zoom';
		return text;
	}

	return { nameOf, titleOf, detailsOf, matchedText, deltaOf };
}
