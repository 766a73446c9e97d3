/* Puts the parts together when the picture and its data are there. */

import {
	BLANK,
	LONG_PATIENCE,
	afterFrame,
	change,
	find,
	findTemplates,
	firstWidth,
	giveUpIds,
	inTurns,
	isDocument,
	isFluid,
	readSettings,
	root,
	setVisible,
	soon,
	whenPainted,
} from './page.js';
import { forgetSaved, readData, readTree } from './drawn.js';
import { hearEarly } from './early.js';
import { makeAccess, makeTour } from './access.js';
import { makeBox, makeControls, makeDetails, makeHelp } from './controls.js';
import { makeEvents } from './keys.js';
import { makeHistory } from './address.js';
import { makeMaker, makeMeasure, makePaint, makeUpdater, readFrame } from './frame.js';
import { makePicture } from './picture.js';
import { makeScene, stretch } from './scene.js';
import { makeStages } from './draw.js';
import { makeTexts } from './texts.js';

/* Says in the lines around the frames what state the picture is in. */
function makeStatus({ picture, controls, box, texts }) {
	return () => {
		const { term, ignoreCase, merged } = picture.state();
		const found = picture.found();
		const within = picture.within();

		setVisible(controls.unzoom, within !== 0 || merged !== null);
		controls.say('search', term === '' ? 'Search' : 'Reset Search');
		controls.ignorecase.classList.toggle('on', ignoreCase);
		change(controls.ignorecase, 'aria-pressed', ignoreCase);
		controls.setMatched(
			found ? texts.matchedText(picture.view(), found, within) : BLANK,
		);
		box.showValid(picture.isValid());
	};
}

/* Makes the parts for frames that have been read. */
function makeViewer(container, { settings, records, tree, drawn }) {
	const measure = makeMeasure(container, settings);
	const texts = makeTexts(settings);
	const paint = makePaint(settings, texts);
	const controls = makeControls(settings, measure);
	const picture = makePicture(settings, tree, onChange);
	const templates = findTemplates({ tree, records, drawn, settings });
	const maker = makeMaker(settings, templates);
	const { ownTitleOf } = maker;
	const updater = makeUpdater({ settings, texts, paint, measure, ownTitleOf });
	const drawing = makeStages(container, maker, updater);
	const details = makeDetails({ controls, picture, texts });
	const access = makeAccess({ container, drawing, picture, details });
	const box = makeBox(controls, settings, picture.setSearch);
	const help = makeHelp(controls, settings, () => scene.redraw());
	const history = makeHistory(picture, settings);
	const parts = { settings, picture, drawing, controls, details, access, box, help };
	const scene = makeScene(container, parts);
	const showStatus = makeStatus({ picture, controls, box, texts });

	function onChange({ push, searched, passing, restored }) {
		if (searched)
			scene.drawMatches();
		else
			scene.redraw();
		showStatus();
		if (searched)
			access.announceSoon(controls.matched.textContent);
		/* Browsers take a while for an address. */
		if (!restored)
			history.save(push, passing ? soon : afterFrame);
	}

	/* What is as it was in the address, or has only another theme. */
	function show() {
		onChange({ restored: true });
	}

	drawing.adopt(records, drawn, tree);
	return { ...parts, scene, history, paint, show, goTo: makeTour(parts) };
}

/* Makes the viewer of data, or without them, and listens to the user from then on. */
async function build(container, data, early) {
	const settings = readSettings();
	const records = [];

	await inTurns(
		container.children,
		(element) => records.push(readFrame(element)),
		early.pause,
	);
	await early.pause();
	const tree = readTree(data, records, settings);
	await early.pause();
	const viewer = makeViewer(container, { settings, records, ...tree });
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
	makeEvents(viewer).listen();
	viewer.paint.onThemeChange(viewer.show);
	viewer.controls.placeHead();
	if (!isPlain())
		history.restore();
	early.replay();
	if (!scene.isDrawn())
		viewer.show();
	else if (!picture.isWhole())
		soon(scene.prepareWhole);
	if (isDocument)
		offerToDocument(viewer);
}

/* Where the picture is the document: its address, its window, and three functions. */
function offerToDocument({ picture, history, scene, settings }) {
	window.addEventListener('popstate', history.restore);
	if (settings.fluid)
		window.addEventListener('resize', scene.redraw);
	window.search = (term) => picture.setSearch(String(term ?? ''));
	window.reset_search = () => picture.setSearch('');
	window.unzoom = () => picture.reset();
}

/* Does the address, or the program, ask for anything but the whole picture? */
function isPlain() {
	const { hash, search } = window.location;

	return (
		!root.getAttribute('fg:search') &&
		!(isDocument && hash.length + search.length > 1)
	);
}

function showControls() {
	for (const control of [find('search'), find('ignorecase')])
		if (control)
			setVisible(control, true);
}

/*
 * The picture is looked at first, and made to work then: at the latest when somebody
 * points at it. What comes before is heard afterwards.
 */
function start() {
	giveUpIds();
	forgetSaved();
	const container = find('frames');
	let begun = false;

	async function begin() {
		if (begun)
			return;
		begun = true;
		setTimeout(early.hurry, LONG_PATIENCE);
		try {
			await early.pause();
			await build(container, await readData(early.pause), early);
		} finally {
			early.stop();
		}
	}

	if (!container || !container.firstElementChild)
		return;
	const early = hearEarly(container, begin);
	showControls();
	const drawn = parseFloat(root.getAttribute('width'));
	const width = isFluid() ? firstWidth() : drawn;
	/* In a narrower window labels would be too long at once. */
	if (!isPlain() || width < drawn) {
		begin();
		return;
	}
	stretch(container, width);
	whenPainted(begin);
}

if (root && root.localName === 'svg') {
	start();
}
