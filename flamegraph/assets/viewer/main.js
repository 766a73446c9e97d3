/*
 * The start: what is done with the picture before the viewer is there, and its parts.
 */

import { makeAccess, makeTour } from './access.js';
import { makeHistory } from './address.js';
import { makeBars, makeBox } from './bars.js';
import { makePaint, paintBars, readGround } from './colour.js';
import { readData, readTree } from './data.js';
import { makeMaker, makeStages, makeUpdater, readFrame } from './frame.js';
import { OPENS_BOX, keyOf, listen } from './keys.js';
import { makeMeasure } from './names.js';
import {
	BLANK,
	LONG_PATIENCE,
	afterFrame,
	attr,
	childWith,
	find,
	findTemplates,
	firstWidth,
	fitPhones,
	giveUpIds,
	hearsKeys,
	inTurns,
	isDocument,
	isFluid,
	put,
	readSettings,
	root,
	soon,
	whenPainted,
} from './page.js';
import { makeHelp, makeTable } from './panels.js';
import { isWhole, makePicture, reset, setSearch } from './picture.js';
import { forgetSaved } from './save.js';
import { makeScene, showBase, stretch } from './scene.js';
import { makeDetails, showState } from './state.js';
import { makeTexts } from './texts.js';

/* Until the viewer is there, all that is said about a frame is what its title says. */
function showTitle(container, node, { nameType }) {
	const frame = childWith(container, node);
	const details = find('details');

	if (details)
		details.textContent = frame
			? nameType + ' ' + frame.firstElementChild.textContent
			: BLANK;
}

/*
 * The viewer gets a copy of what came before it. What the browser does by itself, such
 * as following a link, it has done already, and the page around has heard of it.
 */
function hearAgain(event) {
	const input = event.type === 'keydown' && root.querySelector('input:focus');
	const target = input || event.target;

	function keepInside(copy) {
		copy.preventDefault();
		if (!isDocument) copy.stopPropagation();
	}

	if (!target.isConnected) return;
	root.addEventListener(event.type, keepInside);
	target.dispatchEvent(new event.constructor(event.type, event));
	root.removeEventListener(event.type, keepInside);
	if (input) typeKey(input, event);
}

/* Keys that came after the one that opens the search box are text in it. */
function typeKey(input, { key, ctrlKey, altKey, metaKey }) {
	if (key.length !== 1 || ctrlKey || altKey || metaKey) return;
	input.setRangeText(key, input.selectionStart, input.selectionEnd, 'end');
	input.dispatchEvent(new Event('input', { bubbles: true }));
}

/*
 * How the viewer is to start: in turns, and in one go when somebody waits for it. A
 * mouse that goes from frame to frame is followed first, for a while: a click would
 * otherwise find nothing begun.
 */
function makePace() {
	const pace = { hasMoved: false, isUrgent: false };
	let patience = 5;
	let stopWaiting;
	const urgent = new Promise((resolve) => {
		stopWaiting = resolve;
	});
	const waitFor = (what) => Promise.race([urgent, new Promise(what)]);

	pace.hurry = () => {
		pace.isUrgent = true;
		stopWaiting();
	};
	/* Others take turns. */
	pace.pause = async (wait = setTimeout) => {
		await waitFor((goOn) => wait(goOn));
		while (pace.hasMoved && patience-- > 0) {
			pace.hasMoved = false;
			await waitFor(soon);
		}
	};
	return pace;
}

/*
 * Listens until the viewer is there. A button that goes down says that a click comes,
 * so that only what the click leads to is left to be drawn then.
 */
function hearEarly(container, settings, begin) {
	const pace = makePace();
	const heard = [];
	let clicked = () => {};

	const react = {
		mouseover({ target }) {
			pace.hasMoved = true;
			showTitle(container, target, settings);
		},
		mouseleave: () => showTitle(container, null, settings),
		mousedown() {
			/* The click that a button is down for. */
			pace.click = new Promise((resolve) => {
				clicked = resolve;
				soon(resolve);
			});
			pace.hurry();
		},
		click() {
			clicked();
			pace.hurry();
		},
		/* The picture gets it with each click. */
		focusin() {},
		/* The browser has a box of its own to search with. */
		keydown(event) {
			if (OPENS_BOX.includes(keyOf(event))) event.preventDefault();
			pace.hurry();
		},
	};
	const target = (type) => (type === 'keydown' ? hearsKeys : root);

	function onEarly(event) {
		heard.push(event);
		react[event.type](event);
		begin();
	}

	function stop() {
		for (const type in react) target(type).removeEventListener(type, onEarly);
	}

	/* As the viewer does: an event that it starts in must not reach it twice. */
	for (const type in react) target(type).addEventListener(type, onEarly);
	pace.stop = stop;
	pace.replay = () => {
		stop();
		heard.forEach(hearAgain);
	};
	return pace;
}

/* Makes the parts for frames that have been read. */
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
	const details = makeDetails({ bars, picture, texts });
	const access = makeAccess({ container, drawing, picture, details, bars });
	const box = makeBox(bars, (term) => setSearch(picture, term));
	const help = makeHelp(bars);
	const table = makeTable(bars, picture, texts, () => scene.redraw());
	const history = makeHistory(picture, settings, (state) =>
		put(root, 'fg:state', state),
	);
	const parts = { settings, picture, drawing, bars, details, access, box, texts };
	const scene = makeScene(container, parts);
	const viewer = { ...parts, help, table, history, scene, paint, show };

	function onChange({ push, searched, passing, restored }) {
		if (searched) scene.drawMatches();
		else scene.redraw();
		showState(viewer);
		table.refresh();
		if (searched) access.announceSoon(bars.matched.textContent);
		/* Browsers take a while for an address. */
		if (!restored) history.save(push, passing ? soon : afterFrame);
	}

	/* What is as it was in the address, or has only another theme. */
	function show() {
		onChange({ restored: true });
	}

	drawing.adopt(records, drawn, tree);
	viewer.goTo = makeTour(viewer);
	return viewer;
}

/* Makes the viewer of data, or without them, and listens to the user from then on. */
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
	/* What is found out here is kept until it is drawn. */
	if (!early.isUrgent) {
		await inTurns(
			records,
			(record) => drawing.readDrawn(record, scene.topOfRow),
			early.pause,
		);
		await early.pause();
		scene.layOutWhole();
		/* Drawing is one long turn, which a first look should not meet. */
		await early.pause(soon);
	}
	await early.click;
	listen(viewer);
	viewer.paint.onThemeChange(viewer.show);
	if (!isPlain()) history.restore();
	early.replay();
	if (!scene.isDrawn()) viewer.show();
	else if (!isWhole(picture)) soon(scene.prepareWhole);
	window.addEventListener('resize', () => {
		bars.fit();
		if (settings.fluid) scene.redraw();
	});
	if (isDocument) offerToDocument(viewer);
}

/* Where the picture is the document: its address, and three functions. */
function offerToDocument({ picture, history }) {
	window.addEventListener('popstate', history.restore);
	window.search = (term) => setSearch(picture, String(term ?? ''));
	window.reset_search = () => setSearch(picture, '');
	window.unzoom = () => reset(picture);
}

/* Does the address, or the program, ask for anything but the whole picture? */
function isPlain() {
	const { hash, search } = window.location;

	return (
		!attr(root, 'fg:search') &&
		!attr(root, 'fg:state') &&
		!(isDocument && hash.length + search.length > 1)
	);
}

/*
 * The picture is looked at first, and made to work then: at the latest when somebody
 * points at it. What comes before is heard afterwards.
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
	const early = hearEarly(container, settings, begin);
	fitPhones();
	const drawn = parseFloat(attr(root, 'width'));
	const width = isFluid() ? firstWidth() : drawn;
	shell.bars = makeBars(settings);
	paintBars(shell.bars, readGround());
	/* In a narrower window labels would be too long at once. */
	if (!isPlain() || width < drawn) {
		showBase(settings.inverted);
		begin();
		return;
	}
	stretch(container, shell.bars, width);
	showBase(settings.inverted);
	whenPainted(begin);
}

if (root && root.localName === 'svg') {
	start();
}
