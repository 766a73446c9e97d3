/*
 * Starts a browser, BROWSER (chromium or firefox), and gives its pages the same
 * interface, as much of Playwright's page as the tests use. Run as a program, this file
 * only tries whether the browser starts.
 */

import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);

/* Where tests/browser/run installs what these tests need; imports do not look there. */
export const buildFolder = path.join(path.dirname(here), '../../build/browser/');

export const browserName = process.env.BROWSER || 'chromium';

/* Chromium alone can emulate dark mode, print, no script and a server's answers. */
export const canEmulate = browserName === 'chromium';

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
	return Object.assign(page, { leave: () => context.close() });
}

/* ---- Firefox as it is shipped, by Puppeteer over WebDriver BiDi */

function launchFirefox() {
	return load('puppeteer-core').launch({
		browser: 'firefox',
		executablePath: process.env.FIREFOX || '/usr/bin/firefox-esr',
		headless: true,
	});
}

async function openFirefox(browser, { size, init }) {
	const context = await browser.createBrowserContext();
	const page = await context.newPage();

	await page.setViewport(size);
	if (init)
		await page.evaluateOnNewDocument(init);
	return Object.assign(page, {
		leave: () => context.close(),
		setViewportSize: (other) => page.setViewport(other),
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
