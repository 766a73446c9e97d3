/*
 * Starts a browser, BROWSER (chromium or firefox), and gives the pages of both the same
 * interface: as much of Playwright's page as the tests use. Run as a program, this file
 * only checks that the browser starts.
 */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startCover, stopCover } from './cover.mjs';

const here = fileURLToPath(import.meta.url);

/*
 * tests/browser/run installs the drivers here. Imports do not look in this folder by
 * themselves.
 */
export const buildFolder = path.join(path.dirname(here), '../../build/browser/');

export const browserName = process.env.BROWSER || 'chromium';

/* Only Chromium can emulate dark mode, print, touch, no script and a server's answers. */
export const canEmulate = browserName === 'chromium';
export const emulated = { skip: !canEmulate && 'this browser cannot emulate it' };

const load = createRequire(buildFolder);

/* ---- Chromium, by Playwright */

const flags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

export function launchChromium(options = {}) {
	return load('playwright-core').chromium.launch({
		executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
		headless: true,
		args: flags,
		...options,
	});
}

async function openChromium(browser, { size, script, dark, init }) {
	const context = await browser.newContext({
		javaScriptEnabled: script,
		viewport: size,
		colorScheme: dark ? 'dark' : 'light',
		permissions: ['clipboard-read', 'clipboard-write'],
	});
	const page = await context.newPage();

	if (init)
		await page.addInitScript(init);
	if (script)
		await startCover(page);
	return Object.assign(page, {
		leave: async () => {
			if (script)
				await stopCover(page);
			await context.close();
		},
	});
}

/* ---- Firefox as it is shipped, by Puppeteer over WebDriver BiDi */

/* The driver of Firefox does not report saved files, so we watch the folder. */
const savedFiles = { folder: null };

async function launchFirefox() {
	mkdirSync(buildFolder, { recursive: true });
	savedFiles.folder = mkdtempSync(path.join(buildFolder, 'saved-'));
	process.on('exit', () => rmSync(savedFiles.folder, { recursive: true, force: true }));
	return load('puppeteer-core').launch({
		browser: 'firefox',
		executablePath: process.env.FIREFOX || '/usr/bin/firefox-esr',
		headless: true,
		extraPrefsFirefox: {
			'browser.download.folderList': 2,
			'browser.download.dir': savedFiles.folder,
			'browser.download.useDownloadDir': true,
			'browser.download.always_ask_before_handling_new_types': false,
			'browser.download.alwaysOpenPanel': false,
		},
	});
}

/* Returns the next saved file, once it is complete, like Playwright. */
async function nextSaved() {
	const { folder } = savedFiles;
	const were = readdirSync(folder);
	const end = Date.now() + 10000;

	while (Date.now() < end) {
		const name = readdirSync(folder)
			.find((one) => !were.includes(one) && !one.endsWith('.part'));
		const file = name && path.join(folder, name);
		if (file && !existsSync(file + '.part') && statSync(file).size > 0)
			return {
				suggestedFilename: () => name.replace(/\(\d+\)(?=\.)/, ''),
				path: () => file,
			};
		await sleep(20);
	}
	throw new Error('nothing was saved');
}

async function openFirefox(browser, { size, init }) {
	const context = await browser.createBrowserContext();
	const page = await context.newPage();

	await page.setViewport(size);
	if (init)
		await page.evaluateOnNewDocument(init);
	const wheel = page.mouse.wheel.bind(page.mouse);
	page.mouse.wheel = (deltaX, deltaY) => wheel({ deltaX, deltaY });
	return Object.assign(page, {
		leave: () => context.close(),
		setViewportSize: (other) => page.setViewport(other),
		waitForEvent: (event) => {
			assert.equal(event, 'download');
			return nextSaved();
		},
	});
}

/* ---- either browser */

export function launch() {
	return browserName === 'firefox' ? launchFirefox() : launchChromium();
}

export function open(browser, options) {
	return browserName === 'firefox' ? openFirefox(browser, options) :
		openChromium(browser, options);
}

if (process.argv[1] === here) {
	const browser = await launch();
	await browser.close();
}
