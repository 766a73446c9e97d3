/*
 * Takes a screenshot of a flame graph: node shot.mjs FILE.svg OUT.png [CLICK...]
 *
 * Each CLICK is the name of a frame, or a selector such as [name=table], to click first.
 * FILE.svg may have a state: FILE.svg#q=main. DARK=1 takes the screenshot in dark mode,
 * PHONE=1 on a phone, SIZE=1000x500 in a window of that size, HOVER=FRAME with the pointer
 * on a frame. Needs the drivers that tests/browser/run installs.
 */

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchChromium } from './browsers.mjs';
import { centreOf } from './picture.mjs';

const [file, output, ...clicks] = process.argv.slice(2);

if (!output) {
	console.error('usage: node shot.mjs FILE.svg OUT.png [FRAME-OR-SELECTOR ...]');
	process.exit(2);
}

const [name, state] = file.split('#');
const url = pathToFileURL(path.resolve(name));
url.hash = state || '';

const browser = await launchChromium();
try {
	const [width, height] = (process.env.SIZE || '1220x700').split('x').map(Number);
	const phone = { isMobile: true, hasTouch: true };
	const page = await browser.newPage({
		viewport: { width, height },
		...process.env.PHONE ? phone : {},
		colorScheme: process.env.DARK ? 'dark' : 'light',
	});
	page.on('console', (message) => console.error('console:', message.text()));
	page.on('pageerror', (error) => console.error('error:', error.message));
	await page.goto(url.href);
	await page.waitForSelector('[role=tree]');
	for (const target of clicks) {
		const { x, y } = await page.evaluate(centreOf, { target });
		await page.mouse.click(x, y);
	}
	if (process.env.HOVER) {
		const { x, y } = await page.evaluate(centreOf, { target: process.env.HOVER });
		await page.mouse.move(x, y);
	}
	await page.waitForTimeout(300);
	await page.screenshot({ path: output });
} finally {
	await browser.close();
}
