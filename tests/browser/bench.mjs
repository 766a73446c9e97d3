/*
 * Measures how fast the pictures are in Chromium, ours and those of other tools on PATH,
 * side by side: tests/browser/run --bench [--results]. README.md describes the
 * measurements. With --results it prints a Markdown page.
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statSync,
	writeFileSync } from 'node:fs';
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

/*
 * Our picture draws what can be seen, which is its default, and has all frames in its data.
 */
const tools = [
	{ name: 'flamepipe', command: process.env.FLAMEGRAPH,
		args: ['--data-limit=0', '--quiet'], limit: Infinity },
	{ name: 'flamegraph.pl', command: 'flamegraph.pl',
		args: ['--minwidth', '0'], limit: peerLimit },
	{ name: 'inferno', command: 'inferno-flamegraph',
		args: ['--minwidth', '0'], limit: peerLimit },
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

/* Draws the input with a tool; returns false if the tool fails. */
function draw({ command, args }, input, picture) {
	const [source, target] = [openSync(input), openSync(picture, 'w')];
	const { status } = spawnSync(command, args, { stdio: [source, target, 'ignore'] });

	closeSync(source);
	closeSync(target);
	return status === 0;
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
	const usable = () => {
		const control = document.getElementById('search');
		return control && getComputedStyle(control).visibility === 'visible';
	};
	bench.ready = new Promise((resolve) => {
		const look = () => usable() ? resolve(bench.frames(3)) : setTimeout(look);
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

async function measure(file) {
	const browser = await launchChromium({ timeout: patience });
	const page = await browser.newPage({ viewport: size });
	const session = await page.context().newCDPSession(page);
	const result = {};
	const centre = (selector) => page.evaluate((wanted) => {
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
	const settle = () => page.evaluate(() => window.bench.frames(4));
	const click = async ({ x, y }) => {
		await page.mouse.move(x, y);
		await settle();
		await page.evaluate(() => window.bench.after('click', 3));
		await page.mouse.click(x, y);
		return page.evaluate(() => window.bench.done);
	};

	page.setDefaultTimeout(patience);
	await page.addInitScript(instrument);
	try {
		await page.goto(pathToFileURL(file).href, { waitUntil: 'load' });
		result.ready = await page.evaluate(() => window.bench.ready);
		await session.send('Performance.enable');
		const { metrics } = await session.send('Performance.getMetrics');
		result.nodes = metrics.find(({ name }) => name === 'Nodes').value;
		result.first = await answer(page, (await choosePoints(page))[0]);
		await settle();
		result.hover = await hover(page, settle, await choosePoints(page));
		const target = await page.evaluateHandle(chooseFrame);
		result.zoom = await click(await centre(target));
		result.reset = await click(await centre('#unzoom'));
		await settle();
		result.search = await page.evaluate(async (pattern) => {
			const start = performance.now();
			window.search(pattern);
			return await window.bench.frames(3) - start;
		}, term);
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
async function hover(page, settle, points) {
	const times = [];

	for (const { x, y } of points) {
		await page.mouse.move(2, 2);
		await settle();
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

const grouped = (value) => Math.round(value).toLocaleString('en');

function row(cells) {
	return isPage ? `| ${cells.join(' | ')} |` :
		cells.map((cell, i) => i === 0 ? cell.padEnd(14) : cell.padStart(15))
			.join('').trimEnd();
}

/*
 * Returns the best figure of the other tools divided by ours, which is first; '' without
 * others.
 */
function ratio([own, ...others]) {
	return others.length > 0 ? (Math.min(...others) / own).toFixed(2) + ' x' : '';
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
		const file = path.join(folder, `${tool.name}.svg`);
		if (!draw(tool, input, file)) {
			console.error(`${tool.name}: failed on ${grouped(frames)} frames`);
			continue;
		}
		const most = frames <= quick ? 3 * runs : tool === tools[0] ? runs : slowRuns;
		columns.push({ name: tool.name, file, results: [], most,
			bytes: statSync(file).size, gzip: gzipSync(readFileSync(file)).length });
	}
	for (let run = 0; columns.some(({ most }) => run < most); run++) {
		for (const { file, results } of columns.filter(({ most }) => run < most))
			results.push(await measure(file));
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
	const present = tools.filter(({ command }) =>
		spawnSync('sh', ['-c', 'command -v "$0"', command]).status === 0);
	for (const { name } of tools.filter((tool) => !present.includes(tool)))
		console.error(`not on PATH: ${name}`);
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
