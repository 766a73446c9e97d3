/*
 * The texts about frames and matches: names, titles, details and the line below the
 * title. A function gets a view and a frame in it; 100 % is the total of the view's
 * tree.
 *
 * titleOf() writes titles like flamegraph/frames.c does for the frames that it draws.
 * For the texts of the card see card.js.
 */

import { ARROW, isNoise, ratioText, wholeChange } from './changes.js';
import { CHANGES } from './features.js';
import {
	abs,
	briefPercent,
	fixed,
	human,
	isKnownUnit,
	percent,
	printedPercent,
	signed,
	thousands,
} from './format.js';
import { displayName } from './names.js';
import { hiddenShare } from './picture.js';
import { ancestorsOf, sumOfMatches } from './tree.js';
import {
	countOf,
	samplesOf,
	shortWord,
	spokenTitle,
	spokenWord,
	titleWord,
	wordsHint,
} from './words.js';

const DOT = ' \u00b7 ';

/*
 * Returns functions that make texts from counts of a view: `count` with all digits,
 * `short`, and `amount` for the details.
 */
function makeCounts(settings) {
	const real = (view, count) => (count / 10 ** view.decimals) * settings.factor;
	const count = (view, counts) => thousands(real(view, counts));
	const short = (view, counts) => human(real(view, counts), settings.unit);
	/* The details show all digits of a count if its unit is unknown. */
	const amount = (view, counts) =>
		(isKnownUnit(settings.unit) ? short : count)(view, counts);

	return { real, count, short, amount };
}

const share = (part, whole) => percent(part, whole, 2);
const titleShare = (part, whole) => printedPercent(part, whole, 2);
const nameOf = (view, frame) => displayName(view.names[view.name[frame]]);

/* Returns a frame's delta: of its own counts, or of its total if it is a caller. */
function deltaOf(settings, view, frame) {
	const delta = view.isCaller(frame)
		? view.total[frame] - view.before[frame]
		: view.self[frame] - view.selfBefore[frame];

	return settings.negate ? -delta : delta;
}

/* Returns by how much counts changed, or 0 if that is noise. */
function changeBetween(settings, before, after) {
	if (isNoise(settings, before, after)) return 0;
	return settings.negate ? before - after : after - before;
}

/* Returns by how much a frame of a differential changed, or null if it is gone. */
function changeOf(settings, view, frame) {
	const bySelf = settings.diff === 'self' && !view.isCaller(frame);
	const before = (bySelf ? view.selfBefore : view.before)[frame];
	const after = (bySelf ? view.own : view.after)[frame];

	if (frame && !(view.after[frame] > 0)) return null;
	return changeBetween(settings, before, after);
}

/* Returns "25 → 50 samples (+25, ×2.0), 5.00% → 9.10%". */
function bothOf(word, { count }, view, frame) {
	const { tree } = view;
	const [before, after] = [view.before[frame], view.after[frame]];
	const grown = after > 0 ? ratioText(before, after) : 'gone';
	const shares =
		view.name[frame] === tree.name[0]
			? '100%'
			: titleShare(before, tree.before[0]) +
				ARROW +
				titleShare(after, tree.total[0]);

	return (
		`${count(view, before)}${ARROW}${count(view, after)}${word} (` +
		(after < before ? '-' : '+') +
		`${count(view, abs(after - before))}, ${before > 0 ? grown : 'new'}), ${shares}`
	);
}

/*
 * Returns a title like the program writes it. The share is that of the rounded count.
 */
function titleOf(settings, counts, view, frame) {
	const all = view.tree.total[0];
	const total = view.total[frame];
	const { real, count } = counts;
	const rounded = Number(fixed(real(view, total), 0));
	const start = nameOf(view, frame) + ' (';

	if (CHANGES && settings.diff)
		return start + bothOf(titleWord(settings), counts, view, frame) + ')';
	const number = count(view, total);
	let text = `${start}${number}${titleWord(settings, number)}, `;
	if (view.name[frame] === view.tree.name[0]) return text + '100%)';
	text += titleShare(rounded, real(view, all));
	if (CHANGES && view.before) {
		const delta = deltaOf(settings, view, frame);
		text += '; ' + signed(delta, titleShare(abs(delta), all));
	}
	return text + ')';
}

/*
 * Returns the details of a frame. title: the title of the frame without these details.
 * within: the frame that is zoomed to.
 */
function detailsOf(settings, counts, { view, within }, { frame, above }, title) {
	const { after: total, own: self, parent } = view;
	const [frameTotal, whole] = [total[frame], view.tree.total[0]];
	const brief = counts.short(view, frameTotal);
	const real = counts.real(view, frameTotal);
	const samples = samplesOf(settings, real) || countOf(settings, real);
	const parts = [spokenTitle(settings, title)];

	if (brief !== counts.count(view, frameTotal)) parts.push(brief);
	if (samples) parts.push(samples);
	/* A view has no own counts for callers. */
	if (!view.isCaller(frame))
		parts.push(
			`self ${counts.amount(view, self[frame])} (${share(self[frame], whole)})`,
		);
	const shareOf = (other) => share(frameTotal, total[other]);
	if (within !== 0 && !above) parts.push(shareOf(within) + ' of zoom');
	if (parent[frame] >= 0) parts.push(shareOf(parent[frame]) + ' of parent');
	if (CHANGES && view.before && !settings.diff)
		parts.push(bothOf(spokenWord(settings), counts, view, frame));
	return parts.join(DOT);
}

/*
 * Returns the counts of the matches in the zoom. If the frame that is zoomed to or one
 * of its ancestors matches, these are all counts in the zoom.
 */
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

	if (frames === 0) return 'No match';
	let text = 'Matched: ';

	if (CHANGES && view.plain && diff) {
		const sum = sumOfMatches(tree, found, 0, tree.count, tree.before);
		text += briefPercent(sum, tree.before[0]) + ARROW;
	}
	text +=
		briefPercent(matchInZoom(view, found, 0), tree.total[0]) +
		(hiddenShare(picture) > 0 ? ' of what is left' : ' of all') +
		DOT +
		thousands(frames) +
		(frames === 1 ? ' frame' : ' frames');
	if (within !== 0)
		text +=
			DOT +
			briefPercent(matchInZoom(view, found, within), view.after[within]) +
			' of zoom';
	return text;
}

/* Returns what 100 % is. counts: in a differential, the text with both totals. */
function wholeOf(settings, { short, real }, picture, counts) {
	const { tree } = picture.view;
	const { unit, event } = settings;
	const text = counts ?? short(tree, tree.total[0]);
	const all = real(tree, tree.total[0]);
	const samples = counts ? '' : samplesOf(settings, all);
	const count = counts ? '' : countOf(settings, all);

	return (
		(samples && samples + ', ') +
		text +
		shortWord(settings, text) +
		(count && ', ' + count) +
		(event && event !== unit ? ' of ' + event : '') +
		(hiddenShare(picture) > 0 ? ', without what is left out' : '')
	);
}

/*
 * Returns the line below the title: what 100 % is or, in a differential, how the whole
 * has changed.
 */
function headOf(settings, counts, picture) {
	const { tree } = picture.view;
	const short = (count) => counts.short(tree, count);

	if (!CHANGES || !settings.diff)
		return '100% = ' + wholeOf(settings, counts, picture);
	/*
	 * If counts were scaled, the sums before and after are equal, so we show the
	 * recorded totals instead.
	 */
	if (settings.recorded) return 'Before' + ARROW + 'after: ' + settings.recorded;
	const [both, change] = wholeChange(settings, short, tree);
	const whole = wholeOf(settings, counts, picture, both);
	return 'Before' + ARROW + 'after: ' + whole + ' (' + change + ')';
}

/* Returns the functions for the texts of a picture. */
export function makeTexts(settings) {
	const counts = makeCounts(settings);

	return {
		nameOf,
		titleOf: (view, frame) => titleOf(settings, counts, view, frame),
		detailsOf: (picture, record, title) =>
			detailsOf(settings, counts, picture, record, title),
		matchedText: (picture) => matchedText(settings, picture),
		...(CHANGES && {
			deltaOf: (view, frame) => deltaOf(settings, view, frame),
			changeOf: (view, frame) => changeOf(settings, view, frame),
			changeBetween: (before, after) => changeBetween(settings, before, after),
		}),
		wholeOf(picture) {
			const { tree } = picture;
			const short = (count) => counts.short(tree, count);
			const both = CHANGES && tree.before && wholeChange(settings, short, tree);
			return wholeOf(settings, counts, picture, both?.[0]);
		},
		headOf: (picture) => headOf(settings, counts, picture),
		human: counts.short,
		exact: (view, amount) => {
			const number = counts.count(view, amount);
			return number + spokenWord(settings, number);
		},
		/* The short text, with a word if we know one and the text has no unit. */
		worded: (view, amount) => {
			const text = counts.short(view, amount);
			return text + shortWord(settings, text);
		},
		/*
		 * Converts an amount to a number of samples or, if the picture shows samples,
		 * to the count that these stand for. Returns the text, or '' if the weight of a
		 * sample is unknown.
		 */
		inOther(view, amount) {
			const real = counts.real(view, amount);
			return samplesOf(settings, real) || countOf(settings, real);
		},
		wordsHint: () => wordsHint(settings),
		percentOf: (part) => percent(part, 1, 1),
		shareOf: (tree, amount) => share(amount, tree.total[0]),
	};
}
