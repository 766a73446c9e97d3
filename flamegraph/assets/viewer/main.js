/* Puts the parts together when the picture and its data are there. */

import { makeAccess, makeTour } from './access.js';
import { makeHistory } from './address.js';
import { makeBars, makeBox, paintBars, readGround } from './bars.js';
import { makeStages } from './draw.js';
import { forgetSaved, readData, readTree } from './drawn.js';
import { hearEarly } from './early.js';
import { makeMaker, makeMeasure, makePaint, makeUpdater, readFrame } from './frame.js';
import { listen } from './keys.js';
import {
	LONG_PATIENCE,
	afterFrame,
	attr,
	find,
	findTemplates,
	firstWidth,
	fitPhones,
	giveUpIds,
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
import { makePicture } from './picture.js';
import { makeScene, showBase, stretch } from './scene.js';
import { makeDetails, showState } from './state.js';
import { makeTexts } from './texts.js';

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
	const drawing = makeStages(container, maker, updater);
	const details = makeDetails({ bars, picture, texts });
	const access = makeAccess({ container, drawing, picture, details, bars });
	const box = makeBox(bars, picture.setSearch);
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
	if (!early.isUrgent()) {
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
	await early.click();
	listen(viewer);
	viewer.paint.onThemeChange(viewer.show);
	if (!isPlain()) history.restore();
	early.replay();
	if (!scene.isDrawn()) viewer.show();
	else if (!picture.isWhole()) soon(scene.prepareWhole);
	window.addEventListener('resize', () => {
		bars.fit();
		if (settings.fluid) scene.redraw();
	});
	if (isDocument) offerToDocument(viewer);
}

/* Where the picture is the document: its address, and three functions. */
function offerToDocument({ picture, history }) {
	window.addEventListener('popstate', history.restore);
	window.search = (term) => picture.setSearch(String(term ?? ''));
	window.reset_search = () => picture.setSearch('');
	window.unzoom = () => picture.reset();
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
