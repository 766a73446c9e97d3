/*
 * What every browser test needs: draw a flame graph, open it, watch the page.  A page
 * that prints to the console, has an uncaught error, opens a dialog nobody expects or
 * requests anything but the files of the test fails its test.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildFolder, launch } from './chromium.mjs';
import { centreOf, readFrames, textOf } from './picture.mjs';

const flamegraph = process.env.FLAMEGRAPH ||
	path.join(buildFolder, '..', 'bin', 'flamegraph');

let browser;
let folder;

before(async () => {
	mkdirSync(buildFolder, { recursive: true });
	folder = mkdtempSync(path.join(buildFolder, 'test-'));
	browser = await launch();
});

after(async () => {
	await browser?.close();
	rmSync(folder, { recursive: true, force: true });
});

/* Writes a file of the test and returns its path. */
export function write(name, content) {
	const file = path.join(folder, name);

	writeFileSync(file, content);
	return file;
}

/* Draws folded lines; returns the SVG's text, even if it only says what is wrong. */
export function draw(folded, args = []) {
	const { error, stdout } = spawnSync(flamegraph, args, {
		input: folded,
		encoding: 'utf8',
		maxBuffer: 1 << 30,
	});

	assert.ifError(error);
	return stdout;
}

/* A page with the actions of a user and the questions of a test. */
class Visit {
	constructor(page, scope) {
		this.page = page;
		this.scope = scope;
		this.answers = [];
		this.defaults = [];
	}

	/* The same page, but looking at another picture in it. */
	within(scope) {
		return Object.assign(Object.create(Visit.prototype), this, { scope });
	}

	async point(target) {
		return this.page.evaluate(centreOf, { target, scope: this.scope });
	}

	async click(target, modifier) {
		const { x, y } = await this.point(target);

		if (modifier)
			await this.page.keyboard.down(modifier);
		await this.page.mouse.click(x, y);
		if (modifier)
			await this.page.keyboard.up(modifier);
	}

	async hover(target) {
		const { x, y } = await this.point(target);

		await this.page.mouse.move(x, y);
	}

	async press(key) {
		await this.page.keyboard.press(key);
	}

	/* Answers the next prompt(); null cancels it. */
	willAnswer(answer) {
		this.answers.push(answer);
	}

	async search(pattern) {
		this.willAnswer(pattern);
		await this.click('#search');
	}

	async frames() {
		return this.page.evaluate(readFrames, { scope: this.scope });
	}

	async frame(name) {
		return (await this.frames()).find((frame) => frame.name === name);
	}

	async shown() {
		const frames = await this.frames();

		return frames.filter(({ shown }) => shown).map(({ name }) => name);
	}

	async filledWith(color) {
		const frames = await this.frames();

		return frames.filter(({ fill }) => fill === color).map(({ name }) => name);
	}

	async text(id) {
		return this.page.evaluate(textOf, { id, scope: this.scope });
	}

	async address() {
		return new URL(await this.page.evaluate(() => window.location.href));
	}

	async query() {
		return Object.fromEntries((await this.address()).searchParams);
	}
}

function watch(page, visitor, files) {
	const complaints = [];
	const addresses = files.map((file) => pathToFileURL(file).href);
	const complain = (what) => complaints.push(what);

	page.on('console', (message) => complain('console: ' + message.text()));
	page.on('pageerror', (error) => complain('error: ' + error.message));
	page.on('popup', (popup) => complain('new window: ' + popup.url()));
	page.on('request', (request) => {
		if (!addresses.includes(request.url().split('?')[0]))
			complain('request: ' + request.url());
	});
	page.on('dialog', async (dialog) => {
		visitor.defaults.push(dialog.defaultValue());
		if (dialog.type() !== 'prompt' || visitor.answers.length === 0)
			complain(dialog.type() + ': ' + dialog.message());
		const answer = visitor.answers.shift();
		if (typeof answer === 'string')
			await dialog.accept(answer);
		else
			await dialog.dismiss();
	});
	return complaints;
}

/*
 * Opens the first of files and calls body with the visit.  query is appended to the
 * address; script: false switches the viewer off; expected are complaints to accept.
 */
export async function visit(files, { query = '', script = true, expected = [] }, body) {
	const context = await browser.newContext({
		javaScriptEnabled: script,
		viewport: { width: 1300, height: 900 },
	});
	const page = await context.newPage();
	const visitor = new Visit(page);
	const complaints = watch(page, visitor, files);

	try {
		await page.goto(pathToFileURL(files[0]).href + query);
		await body(visitor);
		assert.deepEqual(complaints, expected);
		assert.deepEqual(visitor.answers, [], 'every answer was asked for');
	} finally {
		await context.close();
	}
}

/* Draws folded lines and opens the picture by itself. */
export async function visitPicture(folded, { args, ...options }, body) {
	const file = write('picture.svg', draw(folded, args));

	await visit([file], options, body);
}
