/*
 * Time in a flame chart: an axis, zooming and moving by wheel, drag and keys, and the
 * layout of charts with many samples (chartlayout.js).
 *
 * This is a script of its own, before the viewer's, and only flame charts have it. When
 * the viewer is ready it sends the event fg:viewer (main.js). The part of the time that
 * is shown is the picture's range, like in a picture with a heat map. So the address,
 * undo, the table and all other views work on that part. A range has nanoseconds or, if
 * counts are no times, counts times 1e9. A window has counts of the tree.
 */

import { drawTimeAxis, drawStill, makeAxis } from './chartaxis.js';
import { layOutChart, partOf, startsOf } from './chartlayout.js';
import { clockOf, spanOf } from './clock.js';
import { SECONDS, abs, ceil, max, min, round, thousands } from './format.js';
import { SIDE_PADDING } from './layout.js';
import { change, isDocument, keyTarget, make, put, root } from './page.js';
import { isFound } from './tree.js';
import { spokenWord } from './words.js';

/* A wheel that turns this far halves or doubles the time. */
const WHEEL = 300;
const LINE = 16;
const PAGE = 400;
/* A press that moves at least this far is a drag, not a click. */
const DRAG = 4;
/* Zooming and moving without a pause is one step of undo. In ms. */
const PAUSE = 800;
/* Two fingers zoom if they are at least this share of the width apart. */
const LEAST_APART = 0.02;
/* The least part of the time that can be shown. */
const LEAST = 1e-6;

const HINT = 'The wheel zooms in time, a drag moves; click a frame to zoom to it.';
const KEYS = [
	['wheel, two fingers, +, -', 'zoom in time'],
	['drag, Shift-arrows', 'move in time'],
	['drag on the axis', 'zoom to a part'],
];

/* ---- counts, times and texts */

/* Returns the functions between counts of the tree, ranges and texts. */
function makeUnits(settings, texts, tree) {
	const isTime = Object.hasOwn(SECONDS, settings.unit);
	const one = (isTime ? SECONDS[settings.unit] : 1) * 1e9;
	const perCount = (one * settings.factor) / 10 ** tree.decimals;
	const large = [
		['T', 1e12],
		['G', 1e9],
		['M', 1e6],
	];

	/* Returns the text of a tick. Ticks are `step` apart. */
	function tickText(at, step) {
		const fits = ([, least]) => step >= least * 1e9;
		const [letter, size] = large.find(fits) ?? ['', 1];
		const number = () => thousands(at / 1e9 / size);
		return isTime ? clockOf(at) : number() + (letter && ' ' + letter);
	}

	return {
		isTime,
		perCount,
		tickText,
		/* Returns "2.1 s to 2.12 s (20 ms)" or "100 to 200 samples". */
		wordsOf(range) {
			const number = (at) => thousands(at / 1e9);
			const { from, to } = range;
			const length = texts.human(tree, (to - from) / perCount);
			if (isTime) return spanOf(range) + ' (' + length + ')';
			const word = spokenWord(settings, number(to - from));
			return number(from) + ' to ' + number(to) + word;
		},
	};
}

/* ---- the window: the part of the time that is shown */

/* Returns true if distances in the picture are times. */
function isTimed({ picture }) {
	const { view, tree, base } = picture;

	return view.plain && tree === base && base.lay === layOutChart;
}

function countsOf({ perCount }, { from, to }) {
	return { from: round(from / perCount), to: round(to / perCount) };
}

/* Returns the range that is selected, or that of the whole picture. */
function selected({ picture, units }) {
	const { range } = picture.chosen;

	return range ? countsOf(units, range) : { from: 0, to: picture.whole.total[0] };
}

/* Returns the window. A frame that is zoomed to is a part of the selected range. */
function windowNow(chart) {
	const { view, within } = chart.picture;
	const range = selected(chart);

	if (within === 0 || !isTimed(chart)) return range;
	const from = range.from + startsOf(view)[within];
	return { from, to: from + view.total[within] };
}

/*
 * Shows another window, in the next animation frame. Several calls without a pause are
 * one step of undo, unless isNew says that another step starts.
 */
function show(chart, { from, to }, isNew) {
	const all = chart.picture.whole.total[0];
	const length = max(min(2, all), all * LEAST, min(all, to - from));
	const start = max(0, min(all - length, from));

	if (isNew) chart.last = undefined;
	if (chart.wanted === null) requestAnimationFrame(() => apply(chart));
	chart.wanted = { from: start, to: start + length };
}

/* Rounds a window to a few digits, so that its texts are short. */
function rounded({ from, to }) {
	const step = max(1, 10 ** (ceil(Math.log10(to - from)) - 4));

	return [round(from / step) * step, round(to / step) * step];
}

function apply(chart) {
	const { picture, units, wanted, viewer } = chart;
	const all = picture.whole.total[0];
	const [from, to] = rounded(wanted);
	const isAll = from <= 0 && to >= all;
	const { perCount } = units;
	const range = isAll
		? null
		: { from: from * perCount, to: to * perCount, before: null };
	const now = performance.now();
	const goesOn = chart.last === picture.chosen.range && now - chart.when < PAUSE;

	chart.wanted = null;
	if (isAll && picture.chosen.range === null && picture.within === 0) return;
	chart.select(picture, range, goesOn);
	Object.assign(chart, { last: picture.chosen.range, when: now });
	viewer.access.announceSoon(range ? units.wordsOf(range) : 'all of the time');
}

/* Zooms around a place, which is a share of the window's width. */
function zoomAt(chart, share, factor) {
	const { from, to } = chart.wanted ?? windowNow(chart);
	const at = from + share * (to - from);

	show(chart, { from: at - (at - from) * factor, to: at + (to - at) * factor });
}

/* Moves the window by a share of its width. */
function moveBy(chart, share) {
	const { from, to } = chart.wanted ?? windowNow(chart);
	const distance = share * (to - from);

	show(chart, { from: from + distance, to: to + distance });
}

/* ---- wheel, fingers and drag in the frames */

/* Returns the width of the frames in pixels of the window. */
const widthOf = ({ viewer }) => viewer.bars.size.width - 2 * SIDE_PADDING;

/* Returns where the pointer is, as a share of the width of the frames. */
function shareAt(chart, { clientX }) {
	const { x } = chart.axis.canvas.getBoundingClientRect();

	return max(0, min(1, (clientX - x - SIDE_PADDING) / widthOf(chart)));
}

/* Returns true if an event is about the frames, and not about a bar or a panel. */
function isInFrames({ target }) {
	return target instanceof SVGElement && root.contains(target);
}

function onWheel(chart, event) {
	const { deltaX, deltaY, deltaMode, shiftKey, ctrlKey, altKey } = event;
	const pixels = [1, LINE, PAGE][deltaMode];
	const isAxis = chart.axis.element.contains(event.target);
	const isFree = isDocument || ctrlKey || isAxis;
	const isSideways = shiftKey || abs(deltaX) > abs(deltaY);
	const isWhole = windowNow(chart).to - windowNow(chart).from >= chart.all();

	if (!(isAxis || isInFrames(event)) || !isFree || altKey || !isTimed(chart)) return;
	/* At the whole of the time, the browser may scroll. */
	if (isWhole && chart.wanted === null && (isSideways || deltaY > 0)) return;
	if (isSideways) moveBy(chart, ((deltaX || deltaY) * pixels) / widthOf(chart));
	else zoomAt(chart, shareAt(chart, event), 2 ** ((deltaY * pixels) / WHEEL));
	event.preventDefault();
}

/* Notes which time each finger is on, from now on. */
function addFinger(chart, event) {
	const { fingers } = chart;

	const share = shareAt(chart, event);

	if (fingers.size < 2) fingers.set(event.pointerId, { share });
	const { from, to } = windowNow(chart);
	for (const finger of fingers.values())
		finger.at = from + finger.share * (to - from);
	chart.length = to - from;
	chart.last = undefined;
}

/*
 * Keeps the times under the fingers: one finger moves the window, two also zoom it. The
 * browser scrolls if a finger moves up or down, and then takes it away.
 */
function moveFinger(chart, event) {
	const { fingers } = chart;
	const finger = fingers.get(event.pointerId);

	finger.share = shareAt(chart, event);
	const [a, b] = fingers.values();
	const apart = b && abs(b.share - a.share);
	if (b && apart < LEAST_APART) return;
	const length = b ? abs(b.at - a.at) / apart : chart.length;
	const from = a.at - a.share * length;
	if (length < chart.all()) show(chart, { from, to: from + length });
}

function onDown(chart, event) {
	const { button, pointerType, clientX, clientY, pointerId } = event;

	chart.drag = null;
	if (button !== 0 || !isInFrames(event) || !isTimed(chart)) return;
	if (pointerType === 'touch') return addFinger(chart, event);
	const at = { x: clientX, y: clientY, pointerId };
	chart.drag = { ...at, window: windowNow(chart), isMoving: false, last: clientY };
}

function onMove(chart, event) {
	const { drag, viewer, fingers } = chart;
	const { clientX, clientY, buttons } = event;

	if (fingers.has(event.pointerId)) moveFinger(chart, event);
	if (!drag || !(buttons & 1)) return;
	const distance = clientX - drag.x;
	const isNew = !drag.isMoving;
	if (isNew && max(abs(distance), abs(clientY - drag.y)) < DRAG) return;
	if (isNew) {
		drag.isMoving = true;
		root.setPointerCapture(drag.pointerId);
		root.style.cursor = 'grabbing';
		viewer.details.hideCard?.();
	}
	const { from, to } = drag.window;
	const counts = (distance / widthOf(chart)) * (to - from);
	if (to - from < chart.all())
		show(chart, { from: from - counts, to: to - counts }, isNew);
	viewer.bars.scroll.by(drag.last - clientY);
	drag.last = clientY;
}

/* Ends a drag. The click that the browser makes of it is not for a frame. */
function onUp({ drag, fingers }, { pointerId }) {
	fingers.delete(pointerId);
	if (!drag?.isMoving) return;
	drag.isMoving = false;
	root.style.cursor = '';
	const stop = (event) => event.stopPropagation();
	root.addEventListener('click', stop, { capture: true, once: true });
	setTimeout(() => root.removeEventListener('click', stop, { capture: true }));
}

/* ---- keys */

const STEP = 0.25;
const ZOOMS = { '+': 0.5, '=': 0.5, '-': 2, _: 2 };
const MOVES = { ArrowLeft: -STEP, ArrowRight: STEP, Home: -Infinity, End: Infinity };

/* Returns true if Escape has something else to end than the selected range. */
function isBusy({ viewer, picture }) {
	const { help, more, table, menu, pick } = viewer;
	const isOpen = [help, more, table, menu].some((one) => one?.isShown());

	return (
		isOpen ||
		pick.action ||
		pick.turn ||
		picture.within !== 0 ||
		picture.chosen.merged !== null
	);
}

function moveTo(chart, share) {
	const { from, to } = windowNow(chart);

	if (share === -Infinity) show(chart, { from: 0, to: to - from });
	else if (share === Infinity)
		show(chart, { from: chart.all(), to: chart.all() + to - from });
	else moveBy(chart, share);
}

function onKey(chart, event) {
	const { key, target, shiftKey, altKey, ctrlKey, metaKey } = event;
	const isAxis = chart.axis.element.contains(target);
	const isTyping = /^(input|textarea|select)$/.test(target.localName);
	const isArrow = shiftKey && key.startsWith('Arrow');
	const isMove = Object.hasOwn(MOVES, key) && (isAxis || isArrow);

	if (altKey || ctrlKey || metaKey || isTyping || target.isContentEditable) return;
	if (key === 'Escape' && chart.picture.chosen.range && !isBusy(chart))
		chart.select(chart.picture, null);
	else if (!isTimed(chart)) return;
	else if (Object.hasOwn(ZOOMS, key)) zoomAt(chart, 0.5, ZOOMS[key]);
	else if (isMove) moveTo(chart, MOVES[key]);
	else return;
	event.preventDefault();
	event.stopPropagation();
}

/* ---- drawing */

/* Draws the pixels of narrow frames, as a path for each colour. */
function drawThin(chart, { view, layout, rowTop }) {
	const { paint, settings, picture } = chart.viewer;
	const paths = new Map();

	for (const { frame, depth, left } of layout.thin ?? []) {
		const colour = isFound(picture.found, view.name[frame])
			? settings.searchColour
			: paint.colourOf(view, frame);
		const path = paths.get(colour) ?? [];
		path.push('M' + left / 10 + ' ' + rowTop(depth) + 'h1');
		paths.set(colour, path);
	}
	const { frameHeight } = settings;
	const look = { fill: 'none', 'stroke-width': frameHeight - 1 };
	chart.thin.replaceChildren(
		...Array.from(paths, ([stroke, parts]) =>
			make('path', { ...look, stroke, d: parts.join('') }),
		),
	);
	put(chart.thin, 'transform', 'translate(0,' + (frameHeight - 1) / 2 + ')');
}

/* Returns what the axis shows: the window or, in other views, all of the time. */
function shownNow(chart) {
	const { units } = chart;
	const all = { from: 0, to: chart.all() };
	const window = isTimed(chart) ? windowNow(chart) : all;
	const scale = ({ from, to }) => ({
		from: from * units.perCount,
		to: to * units.perCount,
	});

	return { ...scale(window), all: scale(all), range: scale(selected(chart)) };
}

function draw(chart, last) {
	const { axis, viewer, units, still } = chart;
	const { settings, bars } = viewer;
	const { width } = bars.size;
	const shown = shownNow(chart);

	drawThin(chart, last);
	drawTimeAxis(axis, { width, shown, units, ink: getComputedStyle(bars.head).color });
	if (still) drawStill(still, { width, shown, units, settings });
}

/* ---- the start */

function listen(chart) {
	const { axis } = chart;
	const react = (work) => (event) => work(chart, event);

	root.addEventListener('wheel', react(onWheel), { passive: false });
	root.addEventListener('pointerdown', react(onDown));
	root.addEventListener('pointermove', react(onMove));
	for (const type of ['pointerup', 'pointercancel'])
		root.addEventListener(type, react(onUp));
	/* Elsewhere two fingers zoom the page. Inline elements have no touch-action. */
	for (const place of root.querySelectorAll(':scope > rect, .fg-frames, .fg-narrow'))
		Object.assign(place.style, { display: 'block', touchAction: 'pan-y' });
	keyTarget.addEventListener('keydown', react(onKey), { capture: true });
	axis.onSelect = ({ from, to }, isNew) => {
		const { perCount } = chart.units;
		show(chart, { from: from / perCount, to: to / perCount }, isNew);
	};
}

function start({ viewer, select }) {
	const { picture, settings, bars } = viewer;
	const { whole, plain } = picture;

	if (!settings.isChart || !whole.gap || whole.before) return;
	const units = makeUnits(settings, viewer.texts, whole);
	const starts = startsOf(whole);
	const still = root.querySelector('.fg-ticks');
	/* The program has drawn such a group, unless all frames were wide enough. */
	const thin = root.querySelector('.fg-narrow') ?? make('g', { class: 'fg-narrow' });
	const axis = makeAxis(bars, units);
	const chart = { viewer, picture, units, select, axis, thin, still };

	Object.assign(chart, { wanted: null, last: null, when: 0, drag: null });
	chart.fingers = new Map();
	chart.all = () => whole.total[0];
	whole.lay = plain.lay = layOutChart;
	picture.ofRange = (range) =>
		range ? partOf(whole, starts, countsOf(units, range)) : whole;
	if (!thin.isConnected) root.querySelector('.fg-marks').before(thin);
	settings.keys = KEYS;
	if (bars.hint.textContent.startsWith('Click')) bars.hint.textContent = HINT;
	viewer.heat = {
		wordsOf: units.wordsOf,
		refresh() {},
		draw: (last) => draw(chart, last),
	};
	if (still) {
		still.classList.add('fg-swatch');
		change(still, 'display', 'none');
	}
	listen(chart);
}

if (root && root.localName === 'svg') {
	root.addEventListener('fg:viewer', ({ detail }) => start(detail));
}
