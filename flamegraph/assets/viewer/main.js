/*
 * The start of the viewer: prepares the page, reads the profile, makes all parts and
 * connects them.
 *
 * start() runs when the script loads. It only makes the bars and adjusts the width, so
 * that the picture appears at once. begin() does the rest when the page has been
 * painted or when the user does something: it reads the data and calls build(), which
 * makes the parts and then listens.
 */

import { makeAccess } from './access.js';
import { makeHistory } from './address.js';
import { makeBars, makeBox, setWhole } from './bars.js';
import { withCard } from './card.js';
import { makePaint, paintBars, paintScale, readGround } from './colour.js';
import { makeCompare } from './compare.js';
import { readData, readTree, storeTree } from './data.js';
import { AT_ONCE, listenEarly } from './early.js';
import { CHANGES, CHARTS, MANY, SLICES } from './features.js';
import { makeFound } from './found.js';
import { makeMaker, makeStages, makeUpdater, readFrame } from './frame.js';
import { listen } from './keys.js';
import { makeLegend } from './legend.js';
import { makeMap } from './minimap.js';
import { makeMeasure } from './names.js';
import {
	LONG_PATIENCE,
	afterFrame,
	attr,
	change,
	find,
	findTemplates,
	firstWidth,
	fitPhones,
	giveUpIds,
	inTurns,
	isDocument,
	isFluid,
	make,
	put,
	readSettings,
	root,
	soon,
	whenIdle,
	whenPainted,
	withoutFrames,
} from './page.js';
import { makeHelp, makeMore } from './panels.js';
import { isWhole, makePicture, reset, select, setSearch, zoom } from './picture.js';
import { forgetSaved } from './save.js';
import { makeScene, showBase, stretch } from './scene.js';
import { makeSides } from './sides.js';
import { makeDetails, showState } from './state.js';
import { makeTable } from './table.js';
import { makeTexts } from './texts.js';

const NO_MAP = { draw() {}, canShow: () => false, isWanted: () => false };
const NO_SIDES = { refresh() {} };
const NO_COMPARE = { refresh() {}, load() {} };

/* Makes all parts of the viewer, for frames that have been read. */
function makeViewer(container, { settings, bars, records, tree, drawn }) {
	const measure = makeMeasure(container, settings);
	const texts = makeTexts(settings);
	const paint = makePaint(settings, texts, bars);
	const picture = makePicture(settings, tree, onChange);
	const templates = findTemplates({ tree, records, drawn, settings });
	const maker = makeMaker(settings, templates);
	const { ownTitleOf } = maker;
	const updater = makeUpdater({ settings, texts, paint, measure, ownTitleOf });
	const drawing = makeStages(container, { ...maker, ...updater });
	const details = withCard(
		makeDetails({ bars, picture, texts }),
		{ picture, texts, settings, measure },
		() => viewer.menu?.isShown(),
	);
	const access = makeAccess({ container, drawing, picture, details, bars });
	const box = makeBox(bars, (term) => setSearch(picture, term));
	const help = makeHelp(bars, settings);
	const sides = CHANGES ? makeSides(bars, picture) : NO_SIDES;
	const helpers = { bars, picture, texts, paint, measure };
	const table = makeTable(helpers, () => scene.redraw());
	const legend = makeLegend({ bars, picture, paint, texts });
	const compare = CHANGES ? makeCompare({ picture, settings, bars }) : NO_COMPARE;
	const history = makeHistory(picture, settings, (state) =>
		put(root, 'fg:state', state),
	);
	const found = makeFound({ picture, settings, bars, drawing, access });
	const map = MANY ? makeMap({ picture, settings, bars, paint }) : NO_MAP;
	const parts = { settings, picture, drawing, bars, details, access, box, texts };
	const heights = new WeakMap();
	const scene = makeScene(container, { ...parts, heights, onDrawn });
	const more = makeMore(bars, { picture, map });
	const made = { help, more, table, history, scene, paint, found, map };
	const { goTo } = found;
	const viewer = { ...parts, ...made, goTo, compare, measure, show };

	function onChange({ push, searched, passing, restored }) {
		if (searched) scene.drawMatches();
		else scene.redraw();
		showState(viewer);
		for (const one of [sides, table, legend, viewer.heat, compare]) one?.refresh();
		if (searched) access.announceSoon(bars.matched.textContent);
		/* To change the address takes browsers a while, so we do it later. */
		if (!restored) history.save(push, passing ? soon : afterFrame);
	}

	function onDrawn(drawnNow) {
		found.draw(drawnNow);
		map.draw(drawnNow);
		if (CHARTS) viewer.heat?.draw?.(drawnNow);
	}

	/* Draws a state that came from the address, or the same state in another theme. */
	function show() {
		onChange({ restored: true });
	}

	drawing.adopt(records, drawn, tree);
	return viewer;
}

/* Lets other scripts of the picture (heat.js) add their part, and waits for them. */
function addExtras(viewer) {
	const extras = [];

	const detail = { viewer, extras, select, zoom };
	root.dispatchEvent(new CustomEvent('fg:viewer', { detail }));
	return Promise.all(extras);
}

/*
 * Makes the viewer and listens to the user from then on. `data` is null if the picture
 * has no data.
 */
async function build(container, { settings, bars }, data, early) {
	const records = [];

	await inTurns(
		container.children,
		(element) => records.push(readFrame(element)),
		early.pause,
	);
	await early.pause();
	const tree = readTree(data, records, settings);
	await early.pause();
	const viewer = makeViewer(container, { settings, bars, records, ...tree });
	const { scene, picture, drawing, history } = viewer;
	await early.pause();
	/* Reads the places of drawn frames now, so that drawing is quicker later. */
	if (MANY && !early.isUrgent) {
		await inTurns(
			records,
			(record) => drawing.readDrawn(record, scene.topOfRow),
			early.pause,
		);
		await early.pause();
		scene.layOutWhole();
		/*
		 * Drawing is one long turn. We wait a little, so that the page does not hang
		 * just when the user first uses it.
		 */
		await early.pause(soon);
	}
	await early.click;
	const added = SLICES && addExtras(viewer);
	if (!isPlain()) await added;
	if (CHANGES) await viewer.compare.load();
	listen(viewer);
	viewer.paint.onThemeChange(() => {
		picture.version++;
		paintScale();
		viewer.show();
	});
	if (!isPlain()) history.restore();
	early.replay();
	if (!scene.isDrawn()) viewer.show();
	else if (MANY && !isWhole(picture)) soon(scene.prepareWhole);
	for (const type of ['resize', 'beforeprint', 'afterprint'])
		window.addEventListener(type, () => {
			const { table } = viewer;

			bars.fit();
			if (type !== 'beforeprint' && table.isShown()) table.onResize();
			else if (settings.fluid) scene.redraw();
		});
	if (isDocument) offerToDocument(viewer);
	if (settings.isComplete && !data) whenIdle(() => storeTree(tree.tree));
}

/*
 * If the picture is the document, names its tab, follows its address and offers three
 * functions to scripts.
 */
function offerToDocument({ picture, history, bars }) {
	const title = make('title', { class: 'fg-made' });
	title.append(bars.title.textContent + history.fileName());
	root.prepend(title);
	window.addEventListener('popstate', history.restore);
	window.search = (term) => setSearch(picture, String(term ?? ''));
	window.reset_search = () => setSearch(picture, '');
	window.unzoom = () => reset(picture);
}

/*
 * Returns true if the page starts with the whole picture: neither the address nor the
 * program asks for a zoom, a search and so on.
 */
function isPlain() {
	const { hash, search } = window.location;

	return (
		!attr(root, 'fg:search') &&
		!attr(root, 'fg:state') &&
		!(isDocument && hash.length + search.length > 1)
	);
}

/*
 * Writes what 100 % is. This needs no data, so even a screenshot of a page that was
 * just loaded shows it.
 */
function showWhole(bars, settings) {
	const tree = { total: [settings.total], decimals: 0 };
	const text =
		CHANGES && settings.diff
			? root.querySelector('.fg-whole')?.textContent
			: makeTexts(settings).headOf({ tree, base: tree, view: { tree } });

	setWhole(bars, text ?? '');
	change(bars.buttons.flame, 'aria-pressed', true);
	change(bars.buttons.undo, 'aria-disabled', true);
}

/*
 * Shows the picture first and makes it work later: at the latest when somebody points
 * at it. Events that come before are replayed.
 */
function start() {
	giveUpIds();
	forgetSaved();
	const container = find('frames');
	const shell = {};
	let begun = false;

	async function begin() {
		if (begun) return;
		begun = true;
		setTimeout(early.hurry, LONG_PATIENCE);
		try {
			await early.pause();
			await build(container, shell, await readData(early.pause), early);
		} finally {
			early.stop();
		}
	}

	if (!container || !container.firstElementChild) return;
	shell.settings = readSettings();
	const { settings } = shell;
	const early = MANY ? listenEarly(container, settings, begin) : AT_ONCE;
	fitPhones();
	const drawn = parseFloat(attr(root, 'width'));
	let width = drawn;
	/*
	 * To find the width and to make the bars forces a layout of the page, which is
	 * quick without the frames.
	 */
	withoutFrames(container, () => {
		if (isFluid()) width = firstWidth();
		shell.bars = makeBars(settings);
		root.dispatchEvent(new Event('fg:bars'));
		paintBars(shell.bars, readGround());
		paintScale();
	});
	showWhole(shell.bars, settings);
	/*
	 * If the window is narrower than the drawn picture, the drawn labels are too long,
	 * so we hurry.
	 */
	if (!MANY || !isPlain() || width < drawn) {
		showBase(shell.bars, settings.inverted);
		early.hurry();
		begin();
		return;
	}
	stretch(container, shell.bars, width);
	showBase(shell.bars, settings.inverted);
	whenPainted(begin);
}

if (root && root.localName === 'svg') {
	start();
}
