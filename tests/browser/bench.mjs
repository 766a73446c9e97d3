/*
 * Measures how fast the pictures are in Chromium, ours and those of other tools, side by
 * side: tests/browser/run --bench [--results]. README.md describes the measurements. With
 * --results it prints a Markdown page.
 *
 * Tools that draw an SVG are taken from PATH. CONVERTER is the classpath of async-profiler's
 * converter, such as jfr-converter.jar, and SPEEDSCOPE the folder of speedscope's npm package
 * that has its index.html.
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync, readFileSync,
	rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildFolder, launchChromium } from './browsers.mjs';

const numbersOf = (text) => text.split(/\s+/).filter(Boolean).map(Number);
const sizes = numbersOf(process.env.BENCH_FRAMES || '1000 50000 150000 1000000');
const runs = Number(process.env.BENCH_RUNS || 5);
const slowRuns = Number(process.env.BENCH_SLOW_RUNS || 1);
const peerLimit = Number(process.env.BENCH_PEER_FRAMES || 150000);
const patience = 1e3 * Number(process.env.BENCH_TIMEOUT || 900);
const isPage = process.argv.includes('--results');
const quick = 10000;
const hovers = 8;
const term = 'alloc';
const size = { width: 1280, height: 1300 };

/* ---- the pages of the tools */

/*
 * The ways to use a page.
 * usable       an expression that is true when the page can be used
 * choose()     returns the point of the frame to zoom to
 * zoom         the event that zooms there
 * reset()      resets the zoom, and returns the time that this takes
 * hasSearch    the page has a function search()
 * hasFrames    frames are elements, so the mouse over them can be measured
 */
const svgPage = {
	usable: `document.getElementById('search') &&
		getComputedStyle(document.getElementById('search')).visibility === 'visible'`,
	choose: async (page) => centreOf(page, await page.evaluateHandle(chooseFrame)),
	zoom: 'click',
	reset: async (page) => click(page, await centreOf(page, '#unzoom')),
	hasSearch: true,
	hasFrames: true,
};

/* Presses a key and returns the time until its effect can be seen. */
async function press(page, key) {
	await page.evaluate(() => window.bench.after('keydown', 3));
	await page.keyboard.press(key);
	return page.evaluate(() => window.bench.done);
}

/* async-profiler draws on a canvas, from the variable `levels` of its script. */
const asprofPage = {
	usable: `document.getElementById('canvas')`,
	choose: (page) => page.evaluate(`(() => {
		const row = levels[Math.min(10, levels.length - 1)];
		const fits = row.filter(({ width }) => width < 0.6 * levels[0][0].width);
		const widest = fits.reduce((a, b) => (b.width > a.width ? b : a), fits[0] ?? row[0]);
		canvas.scrollIntoView({ block: 'end' });
		const box = canvas.getBoundingClientRect();
		const scale = box.width / levels[0][0].width;
		return { x: box.x + (widest.left + widest.width / 2) * scale,
			y: box.bottom - 16 * widest.level - 8 };
	})()`),
	zoom: 'click',
	reset: (page) => press(page, '0'),
	hasSearch: true,
	hasFrames: false,
};

/* speedscope is an application. It has rows of 20 pixels below its bars and its overview. */
const speedscopePage = {
	usable: `document.title !== 'speedscope' && document.querySelector('canvas')`,
	choose: async () => ({ x: size.width / 2, y: 330 }),
	zoom: 'dblclick',
	reset: (page) => press(page, '0'),
	hasSearch: false,
	hasFrames: false,
};

/* ---- the tools */

/* Runs a command on the input; returns false if it fails. */
function pipe(command, args, input, picture) {
	const [source, target] = [openSync(input), openSync(picture, 'w')];
	const { status } = spawnSync(command, args, { stdio: [source, target, 'ignore'] });

	closeSync(source);
	closeSync(target);
	return status === 0;
}

const onPath = (command) => spawnSync('sh', ['-c', 'command -v "$0"', command]).status === 0;

/* Returns a tool that reads folded stacks and writes an SVG. */
const svgTool = (name, command, args, limit) => ({
	name,
	type: 'svg',
	limit,
	page: svgPage,
	isThere: onPath(command),
	draw: (input, picture) => pipe(command, args, input, picture),
	addressOf: (picture) => pathToFileURL(picture).href,
});

const { CONVERTER: converter, SPEEDSCOPE: speedscope } = process.env;

const asprof = {
	name: 'async-profiler',
	type: 'html',
	limit: peerLimit,
	page: asprofPage,
	isThere: Boolean(converter),
	draw(input, picture) {
		const stacks = input.replace(/folded$/, 'collapsed');
		copyFileSync(input, stacks);
		return spawnSync('java', ['-cp', converter, 'one.convert.Main', stacks, picture])
			.status === 0;
	},
	addressOf: (picture) => pathToFileURL(picture).href,
};

/* speedscope loads a profile from a script beside its page. */
const speedscopeTool = {
	name: 'speedscope',
	type: 'js',
	limit: peerLimit,
	page: speedscopePage,
	isThere: Boolean(speedscope),
	draw(input, picture) {
		const data = readFileSync(input).toString('base64');
		writeFileSync(picture, `speedscope.loadFileFromBase64("input.folded", "${data}")`);
		return true;
	},
	addressOf: (picture) => pathToFileURL(path.join(speedscope, 'index.html')).href +
		'#localProfilePath=' + picture,
};

/*
 * Our picture draws what can be seen, which is its default, and has all frames in its data.
 */
const tools = [
	svgTool('flamepipe', process.env.FLAMEGRAPH, ['--data-limit=0', '--quiet'], Infinity),
	svgTool('flamegraph.pl', 'flamegraph.pl', ['--minwidth', '0'], peerLimit),
	svgTool('inferno', 'inferno-flamegraph', ['--minwidth', '0'], peerLimit),
	asprof,
	speedscopeTool,
];

const timed = ['ready', 'first', 'zoom', 'reset', 'search', 'hover'];

/* ---- the input and the pictures */

/* Writes folded stacks that merge to that many frames. */
async function writeInput(file, frames) {
	const generate = path.join(buildFolder, 'generate');
	const child = spawn(generate, ['folded', String(frames)],
		{ stdio: ['ignore', 'pipe', 'inherit'] });
	const root = new Map();
	const lines = [];
	let left = frames;

	for await (const line of createInterface({ input: child.stdout })) {
		const space = line.lastIndexOf(' ');
		const stack = [];
		let at = root;
		for (const name of line.slice(0, space).split(';')) {
			if (!at.has(name) && left-- <= 0)
				break;
			stack.push(name);
			if (!at.has(name))
				at.set(name, new Map());
			at = at.get(name);
		}
		if (stack.length > 0)
			lines.push(stack.join(';') + line.slice(space) + '\n');
		if (left <= 0)
			break;
	}
	child.kill();
	writeFileSync(file, lines.join(''));
}

/* ---- what runs in the page */

/*
 * All times are from the page's own clock. An action takes from its event to the third
 * animation frame after it, when two frames with its effect have been handed to the screen.
 */
function instrument() {
	const bench = window.bench = {};

	bench.frames = (count) => new Promise((resolve) => {
		const next = () => count-- > 1 ? requestAnimationFrame(next) :
			resolve(performance.now());
		requestAnimationFrame(next);
	});
	bench.ready = new Promise((resolve) => {
		const look = () => bench.isUsable() ? resolve(bench.frames(3)) : setTimeout(look);
		window.addEventListener('load', () => setTimeout(look));
	});
	bench.answer = () => {
		bench.done = new Promise((resolve) => {
			window.addEventListener('mouseover', async (event) => {
				const details = document.getElementById('details');
				while (details.textContent.trim() === '')
					await bench.frames(1);
				resolve(await bench.frames(1) - event.timeStamp);
			}, { capture: true, once: true });
		});
	};
	bench.after = (type, frames) => {
		bench.done = new Promise((resolve) => {
			window.addEventListener(type, async (event) => {
				resolve(await bench.frames(frames) - event.timeStamp);
			}, { capture: true, once: true });
		});
	};
}

/*
 * Returns the same frame in each picture, found by its place: the widest one narrower than
 * 60 % of the picture, in the tenth row or, if that has none, in a row below.
 */
function chooseFrame() {
	const boxes = Array.from(document.querySelectorAll('#frames rect'),
		(rect) => ({ rect, box: rect.getBoundingClientRect() }));
	const bottom = boxes.reduce((lowest, { box }) => Math.max(lowest, box.bottom), 0);
	const height = boxes[0].box.height + 1;
	const full = boxes.reduce((widest, { box }) => Math.max(widest, box.width), 0);
	const rowOf = ({ box }) => Math.round((bottom - box.bottom) / height);
	let chosen = null;

	for (let depth = 10; !chosen && depth > 0; depth--) {
		for (const each of boxes.filter((candidate) => rowOf(candidate) === depth)) {
			const { width } = each.box;
			if (width < 0.6 * full && (!chosen || width > chosen.box.width + 0.5))
				chosen = each;
		}
	}
	return chosen.rect;
}

/* ---- one run */

/* Returns the middle of an element, or of the first element of a selector. */
function centreOf(page, selector) {
	return page.evaluate((wanted) => {
		const element = typeof wanted === 'string' ? document.querySelector(wanted) : wanted;
		let box = element.getBoundingClientRect();
		/* Bars may cover the ends of the window. */
		const isFrame = element.closest('#frames') !== null;
		if (isFrame && (box.top < 70 || box.bottom > innerHeight - 50)) {
			element.scrollIntoView({ block: 'center' });
			box = element.getBoundingClientRect();
		}
		return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
	}, selector);
}

const settle = (page) => page.evaluate(() => window.bench.frames(4));

/* Clicks and returns the time until the effect can be seen. type: click or dblclick. */
async function click(page, { x, y }, type = 'click') {
	await page.mouse.move(x, y);
	await settle(page);
	await page.evaluate((name) => window.bench.after(name, 3), type);
	await page.mouse[type](x, y);
	return page.evaluate(() => window.bench.done);
}

/* Returns the figures of one picture. Those that a tool does not have are missing. */
async function measure(tool, file) {
	const browser = await launchChromium({ timeout: patience });
	const page = await browser.newPage({ viewport: size });
	const session = await page.context().newCDPSession(page);
	const { usable, choose, zoom, reset, hasSearch, hasFrames } = tool.page;
	const result = {};

	page.setDefaultTimeout(patience);
	await page.addInitScript(instrument);
	await page.addInitScript(`window.bench.isUsable = () => Boolean(${usable})`);
	try {
		await page.goto(tool.addressOf(file), { waitUntil: 'load' });
		result.ready = await page.evaluate(() => window.bench.ready);
		await session.send('Performance.enable');
		const { metrics } = await session.send('Performance.getMetrics');
		result.nodes = metrics.find(({ name }) => name === 'Nodes').value;
		if (hasFrames) {
			result.first = await answer(page, (await choosePoints(page))[0]);
			await settle(page);
			result.hover = await hover(page, await choosePoints(page));
		}
		result.zoom = await click(page, await choose(page), zoom);
		result.reset = await reset(page);
		await settle(page);
		if (hasSearch)
			result.search = await page.evaluate(`(async () => {
				const start = performance.now();
				window.search(${JSON.stringify(term)});
				return await window.bench.frames(3) - start;
			})()`);
	} finally {
		await browser.close();
	}
	return result;
}

/* Returns points to hover at: visible frames at the bottom, with the widest ones. */
function choosePoints(page) {
	return page.evaluate((count) => {
		window.scrollTo(0, document.documentElement.scrollHeight);
		const boxes = Array.from(document.querySelectorAll('#frames rect'),
			(rect) => rect.getBoundingClientRect())
			.filter(({ width, top, bottom }) =>
				width >= 6 && top >= 70 && bottom < innerHeight);
		return Array.from({ length: count }, (_, i) =>
			boxes[Math.floor((i * 0.618 % 1) * boxes.length)])
			.map(({ left, top, width }) => ({ x: left + width / 2, y: top + 5 }));
	}, hovers);
}

/* Returns the time from the first mouse over a frame to its details. */
async function answer(page, { x, y }) {
	await page.evaluate(() => window.bench.answer());
	await page.mouse.move(x, y);
	return page.evaluate(() => window.bench.done);
}

/*
 * Returns the time from the mouse over a frame to the second animation frame: the median of
 * several.
 */
async function hover(page, points) {
	const times = [];

	for (const { x, y } of points) {
		await page.mouse.move(2, 2);
		await settle(page);
		await page.evaluate(() => window.bench.after('mouseover', 2));
		await page.mouse.move(x, y);
		times.push(await page.evaluate(() => window.bench.done));
	}
	return median(times);
}

/* ---- the tables */

function median(values) {
	const sorted = values.slice().sort((a, b) => a - b);
	const middle = sorted.length >> 1;

	return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/* Writes a number with commas; a dash if there is none. */
const grouped = (value) =>
	Number.isFinite(value) ? Math.round(value).toLocaleString('en') : '-';

function row(cells) {
	return isPage ? `| ${cells.join(' | ')} |` :
		cells.map((cell, i) => i === 0 ? cell.padEnd(14) : cell.padStart(20))
			.join('').trimEnd();
}

/*
 * Returns the best figure of the other tools divided by ours, which is first; '' without
 * others.
 */
function ratio([own, ...others]) {
	const known = others.filter(Number.isFinite);

	return known.length > 0 ? (Math.min(...known) / own).toFixed(2) + ' x' : '';
}

function report(frames, columns) {
	const names = columns.map(({ name, results }) => `${name} (${results.length})`);

	console.log(isPage ? `\n## ${grouped(frames)} frames\n` : '');
	console.log(row([isPage ? '' : `${grouped(frames)} frames`, ...names,
		columns.length > 1 ? 'better / ours' : '']));
	if (isPage)
		console.log('|---|' + '--:|'.repeat(columns.length + 1));
	for (const what of ['bytes', 'gzip', 'nodes', ...timed]) {
		const values = columns.map((column) => column[what]);
		console.log(row([what + (timed.includes(what) ? ', ms' : ''), ...values.map(grouped),
			ratio(values)]));
	}
}

function growth(columns, small, big) {
	const [a, b] = [columns.get(small), columns.get(big)];

	if (!a || !b)
		return;
	if (isPage)
		console.log('\n## Growth');
	console.log(`\nflamepipe, ${grouped(big)} frames by ${grouped(small)}: ` +
		timed.map((what) => `${what} ${(b[what] / a[what]).toFixed(2)}`).join(', '));
}

/*
 * Prints what the reader needs to know about the machine and the programs, above the
 * tables.
 */
function head() {
	const first = (command, ...args) =>
		String(spawnSync(command, args).stdout).split('\n')[0].trim();
	const commit = first('git', '-C', path.dirname(buildFolder), 'rev-parse', '--short',
		'HEAD');

	console.log(`# What was measured in a browser

Made by \`make && tests/browser/run --bench --results\`, with the peers on \`PATH\`;
\`tests/browser/README.md\` says how it is measured and what to beware of.

- date: ${new Date().toISOString().slice(0, 10)}
- flamepipe: ${first(process.env.FLAMEGRAPH, '--version')}, commit ${commit}
- processor: ${os.cpus()[0].model}, ${os.cpus().length} of them
- memory: ${Math.round(os.totalmem() / 1e9)} GB
- system: ${os.type()} ${os.release()} ${os.machine()}
- load before: ${os.loadavg().map((load) => load.toFixed(2)).join(', ')}
- browser: ${first(process.env.CHROMIUM || '/usr/bin/chromium', '--version')}
- peers: ${process.env.BENCH_PEERS || 'not given'}

The number of runs of each picture is in brackets; figures are medians of them. They take
turns. The last column is the better peer's figure by ours.`);
}

async function compare(folder, frames, present) {
	const input = path.join(folder, 'input.folded');
	const columns = [];

	await writeInput(input, frames);
	for (const tool of present.filter(({ limit }) => frames <= limit)) {
		const file = path.join(folder, `${tool.name}.${tool.type}`);
		if (!tool.draw(input, file)) {
			console.error(`${tool.name}: failed on ${grouped(frames)} frames`);
			continue;
		}
		const most = frames <= quick ? 3 * runs : tool === tools[0] ? runs : slowRuns;
		columns.push({ name: tool.name, tool, file, results: [], most,
			bytes: statSync(file).size, gzip: gzipSync(readFileSync(file)).length });
	}
	for (let run = 0; columns.some(({ most }) => run < most); run++) {
		for (const { tool, file, results } of columns.filter(({ most }) => run < most))
			results.push(await measure(tool, file));
	}
	for (const column of columns) {
		for (const what of ['nodes', ...timed])
			column[what] = median(column.results.map((result) => result[what]));
	}
	report(frames, columns);
	return columns[0];
}

mkdirSync(buildFolder, { recursive: true });
execFileSync(process.env.CC || 'cc', ['-O2', '-o', path.join(buildFolder, 'generate'),
	path.join(buildFolder, '../../tests/bench/generate.c'),
	path.join(buildFolder, '../../tests/bench/symbols.c')]);
const folder = mkdtempSync(path.join(buildFolder, 'bench-'));
try {
	const present = tools.filter(({ isThere }) => isThere);
	for (const { name } of tools.filter((tool) => !present.includes(tool)))
		console.error(`not measured, because it is not here: ${name}`);
	if (isPage)
		head();
	else
		console.log('medians; the number of runs, which take turns, in brackets');
	const own = new Map();
	for (const frames of sizes)
		own.set(frames, await compare(folder, frames, present));
	growth(own, 50000, 1000000);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
