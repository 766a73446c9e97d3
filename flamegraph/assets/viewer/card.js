/*
 * The card (tooltip) beside the frame that is pointed at. It says the same as the
 * details line, but is where the user looks. Screen readers use the details line
 * instead. If the user points by touch, or there is no space for a card, the browser
 * shows its own tooltip.
 */

import { ARROW, isNoise, ratioText } from './changes.js';
import { CHANGES, SOURCE } from './features.js';
import { abs, fixed, percent, signed } from './format.js';
import { makeHottest, makeSource, splitLine } from './lines.js';
import { shortName } from './names.js';
import { afterFrame, html, keyTarget, make, part, root } from './page.js';
import { canPopUp, makePopup, placeBeside, shareBar } from './popup.js';

/* The room for a bold name, in pixels. The whole name is below if it is longer. */
const NAME_ROOM = 380;

const cell = (text, name = 'fg-label') => html('span', { class: name }, text);

/* Makes the cells of a row: label, amount, share and bar. */
function countRow(label, count, view, text, { texts }) {
	const { tree } = view;

	return [
		cell(label),
		cell(text(view, count), 'fg-number'),
		cell(texts.shareOf(tree, count), 'fg-number'),
		shareBar(count, tree.total[0]),
	];
}

function noiseWords(settings, before, after) {
	if (!(settings.sample > 0) || before === after) return '';
	return isNoise(settings, before, after)
		? ': noise can explain it'
		: ': more than noise';
}

/*
 * Returns "+100, x2.0: more than noise" for counts before and after or, if shares are
 * compared, "+8.42 points, x2.0: more than noise". The counts may be the frame's own;
 * total: all counts of the frame, before and after.
 */
function changeText(view, [before, after], { texts, settings }, total) {
	const change = after - before;
	const fromNone = total[0] > 0 ? 'from 0' : 'new';
	const grown = before > 0 ? ratioText(before, after) : fromNone;
	const times = after > 0 ? grown : total[1] > 0 ? 'to 0' : 'gone';

	if (change === 0) return 'none';
	const size = settings.recorded
		? fixed((100 * abs(change)) / view.tree.total[0], 2) + ' points'
		: texts.human(view, abs(change));
	return (
		signed(change, size) +
		', ' +
		times +
		noiseWords(settings, before, after)
	);
}

/* Makes a row of a label and a text that spans all other columns. */
const wideRow = (label, text) => [cell(label), cell(text, 'fg-wide')];

function changeRows(view, frame, helpers) {
	const { tree, before, after, selfBefore, own } = view;
	const { human, worded } = helpers.texts;
	const { recorded, recordedPart } = helpers.settings;
	const share = (count, all) => percent(count, all, 2);
	const all = [before[frame], after[frame]];
	const change = recorded ? 'Change of share' : 'Change';
	const rows = [
		wideRow(
			recorded ? 'Recorded' : 'Before' + ARROW + 'after',
			human(view, all[0] * recordedPart) + ARROW + worded(view, all[1]),
		),
		wideRow(
			'Share',
			share(all[0], tree.before[0]) + ARROW + share(all[1], tree.total[0]),
		),
		wideRow(change, changeText(view, all, helpers, all)),
	];

	if (!view.isCaller(frame))
		rows.push(
			wideRow(
				'Change of self',
				changeText(view, [selfBefore[frame], own[frame]], helpers, all),
			),
		);
	return rows;
}

/* Returns "12 samples, 60.00% of parent, 40.00% of zoom". */
function relationsOf({ view, within }, { frame, above }, { inOther }) {
	const { parent, after } = view;
	const shareOf = (other, what) =>
		percent(after[frame], after[other], 2) + ' of ' + what;
	const texts = [inOther(view, after[frame])].filter(Boolean);

	if (within !== 0 && !above) texts.push(shareOf(within, 'zoom'));
	if (parent[frame] >= 0) texts.push(shareOf(parent[frame], 'parent'));
	return texts.join(', ');
}

/*
 * Makes the rows of the hottest lines of the frame's function. A single line says no
 * more than the total, so it has a row only if the picture has its source.
 */
function lineRows(view, frame, helpers) {
	const lines = helpers.hottest(view, frame);
	const sourceRow = ({ file, number }) => {
		const text = SOURCE && helpers.sourceOf(file, number);
		return text ? [cell(text, 'fg-source')] : [];
	};

	if (lines.length < 2 && !lines.flatMap(sourceRow).length) return [];
	return [
		html('small', {}, 'Hottest lines of the function'),
		part(
			'facts',
			...lines.flatMap((line) => [
				...countRow(
					/[^\\/]*$/.exec(line.file)[0] + ':' + line.number,
					line.all,
					view,
					helpers.texts.human,
					helpers,
				),
				...sourceRow(line),
			]),
		),
	];
}

function contentsOf(picture, record, helpers) {
	const { view } = picture;
	const { frame } = record;
	const name = helpers.texts.nameOf(view, frame);
	const [called, file, number] = splitLine(name) ?? [name, '', 0];
	const { worded } = helpers.texts;
	const { recorded } = helpers.settings;
	const { widthOf } = helpers.measure;
	const how = helpers.settings.shorten;
	const short = shortName(called, { room: NAME_ROOM, widthOf, how });
	const rows = [countRow('Total', view.after[frame], view, worded, helpers)];
	const small = (text) => (text ? [html('small', {}, text)] : []);

	/* A view has no own counts for callers. */
	if (!view.isCaller(frame))
		rows.push(countRow('Self', view.own[frame], view, worded, helpers));
	if (CHANGES && view.before) rows.push(...changeRows(view, frame, helpers));
	return [
		html('b', {}, html('bdi', {}, short)),
		...small(short === called ? '' : called),
		...small(file && file + ':' + number),
		part('facts', ...rows.flat()),
		...lineRows(view, frame, helpers),
		...small(relationsOf(picture, record, helpers.texts)),
		...small(CHANGES && recorded && 'All: ' + recorded),
	];
}

/*
 * Remembers how the user points: by mouse, touch or keys, and where. Keys that are text
 * for the search do not count.
 */
function makePointer() {
	const pointer = { kind: 'mouse', x: -1, y: -1 };
	const moveTo = ({ clientX, clientY }) => {
		pointer.x = clientX;
		pointer.y = clientY;
	};
	const onPointer = (event) => {
		pointer.kind = event.pointerType === 'touch' ? 'touch' : 'mouse';
		moveTo(event);
	};

	root.addEventListener('pointermove', onPointer, true);
	root.addEventListener('pointerdown', onPointer, true);
	root.addEventListener('mouseover', moveTo, true);
	keyTarget.addEventListener(
		'keydown',
		({ target }) => {
			if (target.localName !== 'input') pointer.kind = 'keys';
			else if (pointer.kind === 'keys') pointer.kind = 'mouse';
		},
		true,
	);
	return pointer;
}

/*
 * Returns where a frame is in the window (`box`), the x that the card should be near
 * (`at`), and `isThere`: true if the pointer is in the frame, or if the user points
 * with keys.
 */
function boxOf({ rect }, { kind, x, y }) {
	const box = rect.getBoundingClientRect();
	const isIn =
		x > box.x - 2 && x < box.right + 2 && y > box.y - 2 && y < box.bottom + 2;

	return { box, at: kind === 'keys' ? box.x : x, isThere: kind === 'keys' || isIn };
}

/*
 * Returns the details (state.js) with a card. isBusy() returns true while the menu is
 * open.
 */
export function withCard(details, { picture, texts, settings, measure }, isBusy) {
	const hottest = makeHottest();
	const sourceOf = SOURCE && makeSource();
	const helpers = { texts, settings, measure, hottest, sourceOf };
	/* Keeps the browser from showing its own tooltip beside our card. */
	const noTitle = make('title', { class: 'fg-made' });
	const pointer = makePointer();
	let popup = null;
	let shown = null;

	function hide() {
		shown = null;
		popup?.hide();
		noTitle.remove();
	}

	/* Moves the card to its frame. */
	function place({ box, at, isThere }) {
		if (!isThere || !placeBeside(popup, box, at)) hide();
	}

	function show(record) {
		if (!record || pointer.kind === 'touch' || isBusy()) return hide();
		/*
		 * After a zoom the frame may be elsewhere. We check that first, because making
		 * a card takes a while.
		 */
		const spot = boxOf(record, pointer);
		if (!spot.isThere) return hide();
		popup ??= makePopup({ class: 'fg-card', 'aria-hidden': 'true' });
		popup.element.replaceChildren(...contentsOf(picture, record, helpers));
		record.rect.append(noTitle);
		popup.show();
		shown = record;
		return place(spot);
	}

	const replace = () => shown && place(boxOf(shown, pointer));
	/*
	 * To measure the card, the browser has to lay out the page. We let it draw the
	 * frames first.
	 */
	const showSoon = () =>
		afterFrame(() => {
			const record = details.shown();
			if (record !== shown) show(record);
		});

	if (!canPopUp()) return details;
	root.addEventListener('mousemove', replace);
	window.addEventListener('scroll', replace, { capture: true, passive: true });
	return {
		...details,
		show(record) {
			details.show(record);
			showSoon();
		},
		forget() {
			hide();
			details.forget();
		},
		hideCard: hide,
	};
}
