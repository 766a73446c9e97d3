/*
 * Finds which lines of the viewer's modules a test runs, for tests/break/viewer.py. COVERED
 * is a folder with the scripts of the pictures, NAME.js, not minified, and the source map
 * of each, NAME.js.map. A test that passes gets a row in SUITE.rows there: its name, and
 * MODULE.js:LINE for each line.
 */

import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';

const folder = process.env.COVERED;
const wanted = { reportAnonymousScripts: true, resetOnNavigation: false };
const ran = new Set();

/* Reads a script, and for each mapped word in it where it is and where it comes from. */
function readScript(name) {
	const text = readFileSync(path.join(folder, name), 'utf8');
	const map = new SourceMap(JSON.parse(readFileSync(path.join(folder, name + '.map'))));
	const places = [];
	let start = 0;

	for (const [i, line] of text.split('\n').entries()) {
		for (const { index } of line.matchAll(/[\w$.]+/g)) {
			const { originalSource, originalLine } = map.findEntry(i, index);
			if (originalSource)
				places.push([start + index,
					`${path.basename(originalSource)}:${originalLine + 1}`]);
		}
		start += line.length + 1;
	}
	return { text, places };
}

const scripts = folder ? readdirSync(folder).filter((name) => name.endsWith('.js'))
	.map(readScript) : [];

/* Sorts ranges so that inner ones come after the ranges around them. */
const outermostFirst = (a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset;

function note({ source = '', functions }) {
	const script = scripts.find(({ text }) => source.includes(text));

	if (!script)
		return;
	const runs = new Uint8Array(source.length);
	const start = source.indexOf(script.text);
	for (const { startOffset, endOffset, count } of
		functions.flatMap(({ ranges }) => ranges).sort(outermostFirst))
		runs.fill(Math.min(count, 1), startOffset, endOffset);
	for (const [at, place] of script.places)
		if (runs[start + at])
			ran.add(place);
}

export async function startCover(page) {
	if (folder)
		await page.coverage.startJSCoverage(wanted);
}

export async function stopCover(page) {
	if (folder)
		(await page.coverage.stopJSCoverage()).forEach(note);
}

/* Writes the row of a test that has ended. */
export function keepCover(file, test) {
	if (folder)
		appendFileSync(path.join(folder, path.basename(file, '.test.mjs') + '.rows'),
			`${test}\t${[...ran].join(' ')} \n`);
	ran.clear();
}
