/* Puts the parts together when the picture and its data are there. */

/* What stands for 100 % in the counts of the tree. */
function scaleTotal(tree, settings) {
	return withTotal(tree, Math.round(settings.total * 10 ** tree.decimals));
}

async function readData(pause) {
	const element = findData();

	if (!element)
		return null;
	try {
		const bytes = await inflate(decodeBase64(element.textContent));
		await pause();
		const columns = readColumns(bytes);
		await pause();
		return makeTree(columns);
	} catch (error) {
		/* Old browsers, or a broken file: there is the picture itself. */
		return null;
	}
}

/* Rows by the size that the picture has now. */
function makeRows(settings, picture, controls) {
	const { frameHeight, top, bottom } = settings;

	return (depth) =>
		picture.isFlipped()
			? top + depth * frameHeight
			: controls.height() - bottom - (depth + 1) * frameHeight + 1;
}

/* The frames that the program has drawn: no frame has a larger one on top. */
function findDrawn({ total }, atLeast) {
	const frames = [0];

	for (let i = 1; i < total.length; i++)
		if (total[i] >= atLeast)
			frames.push(i);
	return frames;
}

/* The data, unless it is not of this picture; and which frame each element is of. */
function chooseTree(data, records, settings) {
	const fromData = data && scaleTotal(data, settings);
	const drawn = fromData && findDrawn(fromData, settings.drawn);

	if (drawn && drawn.length === records.length)
		return { tree: fromData, drawn };
	const tree = scaleTotal(readStaticTree(records, settings), settings);
	return { tree, drawn: findDrawn(tree, -1) };
}

function withColours(tree, records, drawn) {
	const known = readStaticColours(tree, records, drawn);
	const colours = tree.colours ? tree.colours.slice() : known;

	colours[tree.name[0]] = known[tree.name[0]];
	return { ...tree, colours };
}

/* One element has the marks of all matches that are too narrow, one for each pixel. */
function makeMarks(container, settings) {
	const group = make('g', { class: 'fg-marks', fill: settings.searchColour });
	const path = make('path', { class: 'fg-mark' }, group);
	const shape = 'h1v' + (settings.frameHeight - 1) + 'h-1z';

	container.parentNode.appendChild(group);
	return (narrow, rowTop) => {
		const marks = new Map();

		for (const { depth, left } of narrow) {
			const pixel = depth * MAX_FLUID + Math.floor(left / 10);
			if (!marks.has(pixel))
				marks.set(
					pixel,
					'M' + left / 10 + ' ' + rowTop(depth) + shape,
				);
		}
		change(path, 'd', Array.from(marks.values()).join(''));
	};
}

async function build(container, data, early) {
	const settings = readSettings();
	const records = [];
	await inTurns(
		container.children,
		(element) => records.push(readFrame(element)),
		early.pause,
	);
	await early.pause();
	const { tree: plain, drawn } = chooseTree(data, records, settings);
	const tree = withColours(plain, records, drawn);
	const measure = makeMeasure(container, settings);
	const texts = makeTexts(settings);
	const paint = makePaint(settings, texts);
	const controls = makeControls(settings, measure);
	const picture = makePicture(settings, tree, onChange);
	const drawing = makeStages(container, {
		settings,
		texts,
		paint,
		measure,
		templates: findTemplates({ tree, records, drawn, settings }),
	});
	const details = makeDetails({ controls, picture, texts });
	const access = makeAccess({ container, drawing, picture, details });
	const box = makeBox(controls, settings, picture.setSearch);
	const help = makeHelp(controls, settings, redraw);
	const history = makeHistory(picture, settings);
	const topOfRow = makeRows(settings, picture, controls);
	const place = makePlaces();
	const drawMarks = makeMarks(container, settings);
	const whole = picture.view();
	/* What was drawn last: at first, what the program has. */
	let last = { view: whole };

	function widthNow() {
		return settings.fluid ? fluidWidth() : settings.width;
	}

	/* As many counts as the program has asked for. */
	function enough(width) {
		const inner = width - 2 * SIDE_PADDING;
		const asDrawn =
			(settings.drawn * (settings.width - 2 * SIDE_PADDING)) / inner;

		return width === settings.width ? settings.drawn : asDrawn;
	}

	/* The whole picture is what there is most of, and what is come back to. */
	function makePlaces() {
		let kept = null;

		return (view, wanted, isWhole) => {
			const isSame = (key) => kept.wanted[key] === wanted[key];

			if (!isWhole)
				return layOutVisible(view, wanted);
			if (
				kept === null ||
				kept.view !== view ||
				!Object.keys(wanted).every(isSame)
			) {
				const atLeast = enough(wanted.width);
				const result = layOut(view, { ...wanted, atLeast });
				kept = { view, wanted, result };
			}
			return kept.result;
		};
	}

	/* Frames where they belong, and what is found among them. */
	function drawFrames({ view, layout, rowTop }) {
		const found = picture.found();

		drawing.draw(
			{ view, found, rowTop, version: picture.version() },
			layout.drawn,
			picture.isWhole(),
		);
		drawMarks(found ? findNarrow(view, layout, found) : [], rowTop);
	}

	/*
	 * What has not been shown yet is drawn out of sight, as it is come back to: some
	 * frames each time that nothing else is to be done.
	 */
	function prepareWhole() {
		const wanted = { within: 0, width: widthNow() };
		const unseen = { ...last, view: whole, found: null, version: 0 };
		const { drawn } = place(whole, wanted, true);
		let done = 0;

		function prepareSome() {
			const some = drawn.slice(done, (done += AT_ONCE));
			if (picture.isWhole())
				return false;
			if (some.length > 0)
				drawing.prepare(unseen, some);
			else
				drawing.drawUnseen(unseen, drawn);
			return some.length > 0;
		}

		whenIdle(prepareSome);
	}

	function redraw() {
		const [hadFocus, ringShown] = [access.hasFocus(), access.isRingShown()];
		const view = picture.view();
		const width = widthNow();
		const layout = place(
			view,
			{ within: picture.within(), width },
			picture.isWhole(),
		);
		const { rows, rowsBefore } = layout;
		/* A function between two sides stands out by half a row on each. */
		const apart = rowsBefore > 0 ? 0.5 : 0;
		const rowTop = (depth) =>
			topOfRow(depth + rowsBefore + (1 + Math.sign(depth)) * apart);
		const height =
			(rows + rowsBefore + 2 * apart) * settings.frameHeight +
			settings.top +
			settings.bottom;

		const [viewBefore, detailed] = [last.view, details.shown()];

		last = { view, layout, rowTop };
		details.forget();
		controls.resize(
			width,
			Math.max(height, settings.height, help.room()),
			!picture.isFlipped() && !help.isShown(),
		);
		drawFrames(last);
		access.refresh(hadFocus, ringShown);
		/* Frames have moved; the one talked about may still be there. */
		details.show(
			detailed && view === viewBefore
				? drawing.get(detailed.frame)
				: null,
		);
		if (isDocument && rowsBefore > 0 && view !== viewBefore)
			bringToSight(viewBefore.name[0] !== view.name[0]);
		box.place();
	}

	/*
	 * The function between two sides; to the middle when it was not there before.
	 * Firefox does not scroll to elements of an SVG document by itself.
	 */
	function bringToSight(isNew) {
		const { top, bottom } = drawing.get(0).element.getBoundingClientRect();
		const below = bottom - window.innerHeight;

		if (isNew)
			window.scrollBy(0, (top + below) / 2);
		else
			window.scrollBy(0, Math.min(top, Math.max(below, 0)));
	}

	function showState() {
		const { term, ignoreCase, merged } = picture.state();
		const found = picture.found();

		setVisible(controls.unzoom, picture.within() !== 0 || merged !== null);
		controls.say('search', term === '' ? 'Search' : 'Reset Search');
		controls.ignorecase.classList.toggle('on', ignoreCase);
		change(controls.ignorecase, 'aria-pressed', ignoreCase);
		controls.setMatched(
			found
				? texts.matchedText(
						picture.view(),
						found,
						picture.within(),
					)
				: BLANK,
		);
		box.showValid(picture.isValid());
	}

	function onChange({ push, searched, passing, restored }) {
		if (searched && last.layout)
			drawFrames(last);
		else
			redraw();
		showState();
		if (searched)
			access.announceSoon(controls.matched.textContent);
		/* Browsers take a while for an address. */
		if (!restored)
			history.save(push, passing ? soon : afterFrame);
	}

	/* To a match; zoomed out until it can be seen, or into what it stands on. */
	function goTo(step) {
		const view = picture.view();
		const found = picture.found();

		if (!found || found.frames === 0)
			return;
		const frame = nextMatch(view, found, access.current(), step);
		if (frame < 0)
			return;
		const record = drawing.get(frame);
		if (!record || record.width < 10 * MIN_WIDTH)
			picture.zoom(placeToSee(view, frame, controls.width()));
		access.focus(frame);
	}

	drawing.adopt(records, drawn, tree);
	await early.pause();
	/* What is found out here is kept until it is drawn. */
	if (!early.isUrgent()) {
		await inTurns(
			records,
			(record) => drawing.readDrawn(record, topOfRow),
			early.pause,
		);
		await early.pause();
		place(whole, { within: 0, width: widthNow() }, true);
		await early.pause();
	}
	await early.click();
	makeEvents({
		picture,
		drawing,
		access,
		controls,
		box,
		help,
		details,
		history,
		goTo,
	}).listen();
	paint.onThemeChange(() => onChange({ restored: true }));
	controls.placeHead();
	if (!isPlain())
		history.restore();
	early.replay();
	if (!last.layout)
		onChange({ restored: true });
	else if (!picture.isWhole())
		soon(prepareWhole);
	if (isDocument)
		offerToDocument({ picture, history, redraw, settings });
}

/* Where the picture is the document: its address, its window, and three functions. */
function offerToDocument({ picture, history, redraw, settings }) {
	window.addEventListener('popstate', history.restore);
	if (settings.fluid)
		window.addEventListener('resize', redraw);
	window.search = (term) => picture.setSearch(String(term ?? ''));
	window.reset_search = () => picture.setSearch('');
	window.unzoom = () => picture.reset();
}

/* The ancestor to zoom into so that a frame can be seen well. */
function placeToSee(view, frame, width) {
	const visible = 3;
	const inner = width - 2 * SIDE_PADDING;
	const ancestors = ancestorsOf(view, frame);

	return (
		ancestors.find(
			(at) => (view.total[frame] / view.total[at]) * inner >= visible,
		) ?? frame
	);
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
