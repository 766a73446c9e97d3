/* Starts the browser.  Run by itself, it only tries whether the browser starts. */

import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);

/* Where tests/browser/run installs what these tests need, out of reach of an import. */
export const buildFolder = path.join(path.dirname(here), '../../build/browser/');

const flags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

export function launch() {
	const { chromium } = createRequire(buildFolder)('playwright-core');

	return chromium.launch({
		executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
		headless: true,
		args: flags,
	});
}

if (process.argv[1] === here) {
	const browser = await launch();
	await browser.close();
}
