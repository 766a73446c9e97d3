/*
 * Measures heat maps in Chromium: tests/browser/run --bench-heat. README.md describes the
 * measurements. With JFR, a recording, and CONVERTER, async-profiler's jfr-converter.jar,
 * it compares our picture with the converter's page of the same recording.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync,
	writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildFolder, launchChromium } from './browsers.mjs';

const flamegraph = process.env.FLAMEGRAPH;
const { JFR: recording, CONVERTER: converter } = process.env;
const patience = 1e3 * Number(process.env.BENCH_TIMEOUT || 900);
const runs = Number(process.env.BENCH_RUNS || 3);
const size = { width: 1400, height: 900 };

/* ---- the pictures */

function make(generate, words, file) {
	const out = openSync(file, 'w');

	execFileSync(generate, words.map(String), { stdio: ['ignore', out, 'inherit'] });
	closeSync(out);
	return file;
}

function draw(command, words, file) {
	const out = openSync(file, 'w');
	const { status } = spawnSync(command, words, { stdio: ['ignore', out, 'ignore'] });

	closeSync(out);
	return status === 0 ? file : null;
}

/* ---- one run */

/* Ready means that a heat map is visible and two frames have been painted. */
function instrument() {
	const frames = (count) => new Promise((resolve) => {
		const next = () => count-- > 0 ? requestAnimationFrame(next) :
			resolve(performance.now());
		next();
	});
	const isThere = () => document.querySelector('[role=application] canvas') ??
		(document.querySelector('canvas') && document.readyState === 'complete');
	window.ready = new Promise((resolve) => {
		const look = () => isThere() ? resolve(frames(2)) : setTimeout(look, 2);
		look();
	});
	window.frames2 = frames;
}

async function measure(file, isOurs) {
	const browser = await launchChromium({ timeout: patience,
		args: ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'] });
	const page = await browser.newPage({ viewport: size });
	const result = {};

	page.setDefaultTimeout(patience);
	await page.addInitScript(instrument);
	try {
		await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' });
		await page.waitForFunction(() => window.ready);
		result.ready = await page.evaluate(() => window.ready);
		await page.waitForTimeout(4000);
		if (isOurs) Object.assign(result, await act(page));
		result.heap = await page.evaluate(() => {
			window.gc?.();
			return performance.memory.usedJSHeapSize / 1e6;
		});
	} finally {
		await browser.close();
	}
	return result;
}

/* Drags a range and searches. Measures each to the second frame after it. */
function act(page) {
	return page.evaluate(async () => {
		const map = document.querySelector('[role=application]');
		const { x, y, width } = map.getBoundingClientRect();
		const timed = async (work) => {
			const start = performance.now();
			work();
			return await window.frames2(2) - start;
		};
		const send = (type, part) => map.dispatchEvent(new PointerEvent(type, {
			...{ bubbles: true, button: 0, pointerId: 1, isPrimary: true },
			...{ clientX: x + part * width, clientY: y + 20 },
		}));
		const select = [];
		map.setPointerCapture = () => {};
		send('pointerdown', 0.01);
		await window.frames2(3);
		for (const part of [0.2, 0.4, 0.6, 0.8, 0.5])
			select.push(await timed(() => send('pointermove', part)));
		send('pointerup', 0.5);
		await window.frames2(3);
		const search = [];
		for (const term of ['function_12', 'Module5', 'app'])
			search.push(await timed(() => window.search(term)));
		return { select: select.sort((a, b) => a - b)[2], search: Math.max(...search) };
	});
}

/* ---- the table */

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const cell = (value, digits = 0) => Number.isFinite(value) ? value.toFixed(digits) : '-';

async function row(name, file, isOurs = true) {
	const results = [];

	for (let run = 0; run < runs; run++) results.push(await measure(file, isOurs));
	const of = (what) => median(results.map((result) => result[what]));
	const figures = ['ready', 'select', 'search', 'heap'].map((what) => cell(of(what)));
	console.log(`| ${[name, cell(statSync(file).size / 1e3), ...figures].join(' | ')} |`);
}

mkdirSync(buildFolder, { recursive: true });
const generate = path.join(buildFolder, 'slices');
execFileSync(process.env.CC || 'cc', ['-O2', '-o', generate,
	path.join(buildFolder, '../../tests/bench/slices.c')]);
const folder = mkdtempSync(path.join(buildFolder, 'heat-'));
try {
	const at = (name) => path.join(folder, name);

	console.log('| picture | kB | ready, ms | selection, ms | search, ms | memory, MB |\n' +
		'| --- | ---: | ---: | ---: | ---: | ---: |');
	const minute = make(generate, [60, 20, 60000, 4000], at('minute'));
	const flat = draw(flamegraph, ['--heatmap', 'none', minute], at('flat.svg'));
	await row('a minute at 997 Hz', draw(flamegraph, [minute], at('minute.svg')));
	console.log(`| the same without its heat map | ${cell(statSync(flat).size / 1e3)} | | | | |`);
	if (!process.env.BENCH_QUICK) {
		const day = make(generate, [86400, 1000, 10000000, 150000], at('day'));
		await row('a day, 8 processors at 99 Hz', draw(flamegraph, [day], at('day.svg')));
	}
	if (recording) {
		const folded = draw(path.join(path.dirname(flamegraph), 'collapse-jfr'),
			['--slice', '20ms', '--header', recording], at('jfr'));
		await row('a recording of Java', draw(flamegraph, [folded], at('jfr.svg')));
	}
	if (recording && converter) {
		writeFileSync(at('jfr.html'), '');
		execFileSync('java', ['-jar', converter, '-o', 'heatmap', recording, at('jfr.html')],
			{ stdio: ['ignore', 'ignore', 'inherit'] });
		await row("the same by async-profiler's converter", at('jfr.html'), false);
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
