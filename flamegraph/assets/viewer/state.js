/*
 * The texts around the frames: the state below the title, and the details line.
 *
 * The state has a chip for each change that the user has made, with a button to undo it
 * (keys.js). The details line is about the frame under the pointer or with the focus.
 * main.js calls showState() after each change of the state.
 */

import { setText, setWhole } from './bars.js';
import { CHANGES, SLICES } from './features.js';
import { abs } from './format.js';
import { displayName } from './names.js';
import { BLANK, change, html, root } from './page.js';
import { canSort, canUndo, hiddenShare } from './picture.js';
import { sumOf } from './tree.js';
import { showViews } from './views.js';

/*
 * Returns texts for steps and filters, but not for frames that were left out: their
 * chip shows their share instead.
 */
function cutTexts({ filters, hidden }) {
	const steps = hidden.flatMap(({ fold, focus, keep, path }) => {
		if (fold !== undefined)
			return [' ' + displayName(fold) + ' hidden in its callers'];
		if (focus !== undefined) return [' only calls of ' + displayName(focus)];
		return keep && path.length > 0
			? [' only ' + displayName(path[path.length - 1].name)]
			: [];
	});

	return filters
		.map(({ keep, term }) => (keep ? ' only ' : ' without ') + term)
		.concat(steps);
}

/* Returns the texts about the profile that the picture is compared with. */
function versusTexts({ chosen: { versus }, others }) {
	const words =
		versus > 0 ? 'before: this picture, after:' : 'after: this picture, before:';

	return [words, others[abs(versus) - 1].title];
}

/*
 * Returns two texts for each chip, its words and a name after them, or a false value
 * for a chip that is hidden.
 */
function chipTexts({ picture, texts, heat, pick }) {
	const { chosen } = picture;
	const { range, versus, merged, reversed, collapsed, byWeight, flipped, term } =
		chosen;
	const hidden = hiddenShare(picture);
	const cuts = cutTexts(picture.chosen);
	const left = hidden > 0 ? texts.percentOf(hidden) + ' left out' : '';

	return [
		pick?.action && [pick.request],
		merged !== null && ['callers and callees of', displayName(merged)],
		reversed && ['bottom-up'],
		collapsed && ['recursion collapsed'],
		byWeight && canSort(picture) && ['sorted by weight'],
		flipped && ['upside down'],
		SLICES && range !== null && ['time: ' + heat.wordsOf(range)],
		CHANGES && versus !== 0 && versusTexts(picture),
		(hidden > 0 || cuts.length > 0) && [
			left && cuts.length > 0 ? left + ':' : left,
			cuts.join().trim() || undefined,
		],
		term !== '' && ['search:', term],
	];
}

function showChip(bars, { chip, text, back }, words) {
	const [what, name] = words || [];

	chip.hidden = !words;
	if (!words) return;
	const isBoth = what && name !== undefined;
	setText(text, what + (isBoth ? ' ' : ''), html('bdi', {}, name ?? ''));
	change(back, 'aria-label', 'Undo: ' + text.textContent.trim());
}

/* Writes "zoom: parse, 60.00% of all", or an empty text if there is no zoom. */
function showZoom(bars, { picture, texts }) {
	const [view, within] = [picture.view, picture.within];
	const whole = hiddenShare(picture) > 0 ? ' of what is left' : ' of all';

	if (within === 0) setText(bars.zoom, '');
	else
		setText(
			bars.zoom,
			'zoom: ',
			html('bdi', {}, texts.nameOf(view, within)),
			', ' + texts.shareOf(view.tree, view.total[within]) + whole,
		);
}

/* Writes what 100 % is, and the zoom, into the line of the static picture. */
function showOnPaper({ whole, zoom }) {
	const line = root.querySelector('g > .fg-whole');
	const texts = [whole, zoom].map(({ textContent }) => textContent);

	if (line) line.textContent = texts.filter(Boolean).join(' \u00b7 ');
}

/* Returns the text about the own counts of the matching frames. */
function ownText({ picture: { found, view }, texts }) {
	const { tree } = view;
	const own = sumOf(tree.self, found.list.subarray(0, found.frames));

	return 'self ' + texts.shareOf(tree, own);
}

/* Writes all texts about the state, and shows which of its buttons are pressed. */
export function showState(viewer) {
	const { picture, bars, box, texts } = viewer;
	const { term, ignoreCase } = picture.chosen;
	const found = picture.found;
	const within = picture.within;
	const chips = chipTexts(viewer);

	change(bars.buttons.ignorecase, 'aria-pressed', ignoreCase);
	showViews(viewer);
	change(bars.buttons.undo, 'aria-disabled', !canUndo(picture));
	setWhole(bars, texts.headOf(picture));
	change(bars.whole, 'title', texts.wordsHint());
	showZoom(bars, viewer);
	showOnPaper(bars);
	bars.chips.forEach((chip, i) => showChip(bars, chip, chips[i]));
	bars.unzoom.hidden = within === 0;
	setText(bars.search.lastChild, term === '' ? 'Search' : 'Reset Search');
	setText(bars.matched, found ? texts.matchedText(picture) : BLANK);
	const isFound = found?.frames > 0;
	setText(bars.own, isFound ? ' \u00b7 ' + ownText(viewer) : '');
	for (const one of bars.filters) one.hidden = !isFound;
	viewer.found.showCount();
	setText(bars.problem, picture.problem);
	box.showTerm(term);
	box.showValid(picture.problem === '');
}

/*
 * Makes the details. show(record) shows the details of a frame in the details line and
 * in the title of the frame; show(null) removes them.
 */
export function makeDetails({ bars, picture, texts }) {
	let shown = null;
	let title = '';

	/*
	 * Restores the frame's title, which has all details while the frame is pointed at.
	 */
	function restoreTitle() {
		if (shown) shown.title.textContent = title;
		shown = null;
	}

	function detailsOf(record) {
		const own = record === shown ? title : record.title.textContent;

		return texts.detailsOf(picture, record, own);
	}

	function line(record) {
		return picture.settings.nameType + ' ' + detailsOf(record);
	}

	/*
	 * Shows a frame's details. The name is isolated (bdi), so that a right-to-left name
	 * does not turn the numbers around.
	 */
	function show(wanted) {
		const record = wanted || null;

		if (record !== shown) {
			restoreTitle();
			shown = record;
			title = record ? record.title.textContent : '';
		}
		if (!record) {
			bars.setDetails();
			return;
		}
		const text = detailsOf(record);
		const name = texts.nameOf(picture.view, record.frame);
		const own = text.startsWith(name) ? name : title;
		bars.setDetails(
			picture.settings.nameType + ' ',
			html('bdi', {}, own),
			text.slice(own.length),
		);
		record.title.textContent = text;
	}

	return {
		line,
		show,
		/* Returns the record of the frame in the details line, which keys act on. */
		shown: () => shown,
		/* Must be called before frames get new titles. */
		forget: restoreTitle,
	};
}
