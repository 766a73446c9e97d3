/*
 * The tools of every browser test: draw a flame graph, open it, act as a user, watch the
 * page. A test fails if its page prints to the console, has an uncaught error, opens a
 * dialog or a window, or requests anything but the files of the test.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { buildFolder, launch, open } from './browsers.mjs';
import { centreOf, isReady, readFrames, textOf, twoFrames } from './picture.mjs';

const flamegraph = process.env.FLAMEGRAPH ||
	path.join(buildFolder, '..', 'bin', 'flamegraph');
const patience = 10000;

/* Returns the path of another program, which is beside flamegraph. */
export const programOf = (name) => path.join(path.dirname(flamegraph), name);

let browser;

/* It is made here and not in before(), because files of tests write into it when they are loaded. */
mkdirSync(buildFolder, { recursive: true });
const folder = mkdtempSync(path.join(buildFolder, 'test-'));

before(async () => {
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

/* Runs flamegraph on folded lines and returns what it prints. */
export function draw(folded, args = []) {
	const { error, stdout } = spawnSync(flamegraph, args, {
		input: folded,
		encoding: 'utf8',
		maxBuffer: 1 << 30,
		cwd: folder,
	});

	assert.ifError(error);
	return stdout;
}

/* Returns the picture as a part of an HTML page. */
export function drawInline(folded, args = []) {
	return draw(folded, args).replace(/^<\?xml[^>]*\?>/, '');
}

/*
 * Asks until the answer is the expected one, because some answers take a moment. The
 * subject may not be there yet, so an error is an answer like any other.
 */
export async function becomes(question, expected) {
	const end = Date.now() + patience;
	const check = async () => assert.deepEqual(await question(), expected);

	while (Date.now() < end) {
		try {
			await check();
			return;
		} catch {
			await sleep(20);
		}
	}
	await check();
}

/* A page, or a frame in it, with the actions of a user and the questions of a test. */
class Visit {
	constructor(page) {
		this.page = page;
		this.world = page;
		this.scope = 'svg';
		this.offset = { x: 0, y: 0 };
	}

	/* Returns the same page, looking at another picture in it. */
	within(scope) {
		return Object.assign(Object.create(Visit.prototype), this, { scope });
	}

	/* Returns the same page, looking into its nth <iframe> or <object>. */
	async inside(nth = 0) {
		const offset = await this.page.evaluate((index) => {
			const frames = document.querySelectorAll('iframe, object');
			const box = frames[index].getBoundingClientRect();
			return { x: box.x, y: box.y };
		}, nth);
		await becomes(async () => this.page.frames().length > nth + 1, true);
		const world = this.page.frames()[nth + 1];
		return Object.assign(Object.create(Visit.prototype), this, { offset, world });
	}

	ask(question, argument = {}) {
		return this.world.evaluate(question, { scope: this.scope, ...argument });
	}

	/* Waits until the effect of the last action is painted. */
	async settle() {
		await this.ask(twoFrames);
	}

	/* Waits until the viewer has started. */
	async ready() {
		await becomes(() => this.ask(isReady), true);
		await this.settle();
	}

	/*
	 * Returns where to click: for a frame's name or title, for a selector, or for one of
	 * frames().
	 */
	async point(target) {
		const { x, y } = target.width ?
			{ x: target.left + target.width / 2, y: target.top + 5 } :
			await this.ask(centreOf, { target });

		return { x: x + this.offset.x, y: y + this.offset.y };
	}

	async click(target, modifier) {
		const { x, y } = await this.point(target);

		await this.page.mouse.move(x, y);
		if (modifier)
			await this.page.keyboard.down(modifier);
		await this.page.mouse.click(x, y);
		if (modifier)
			await this.page.keyboard.up(modifier);
		await this.settle();
	}

	async hover(target) {
		const { x, y } = await this.point(target);

		await this.page.mouse.move(x, y);
		await this.settle();
	}

	/* Presses 'Escape', 'Control+Shift+i', or several keys one after the other. */
	async press(...keys) {
		for (const key of keys) {
			const modifiers = key.split(/\+(?=.)/);
			const last = modifiers.pop();

			for (const modifier of modifiers)
				await this.page.keyboard.down(modifier);
			await this.page.keyboard.press(last);
			for (const modifier of modifiers.reverse())
				await this.page.keyboard.up(modifier);
			await this.settle();
		}
	}

	/* Types into the element with the focus. */
	async type(text) {
		await this.page.keyboard.type(text);
		await this.settle();
	}

	/* Searches like a user, with the box. */
	async search(term) {
		if (!await this.box())
			await this.press('Control+f');
		await this.press('Control+a', 'Delete');
		await this.type(term);
		await this.press('Enter');
	}

	/*
	 * Returns the text of the search box and how it looks; null if it does not have the
	 * focus.
	 */
	async box() {
		return this.ask(({ scope }) => {
			const box = document.querySelector(scope).querySelector('input.fg-term');
			return box && document.activeElement === box ? {
				value: box.value,
				focused: document.activeElement === box,
				invalid: box.classList.contains('fg-invalid') &&
					box.getAttribute('aria-invalid') === 'true',
			} : null;
		});
	}

	/* Returns the visible frames, from the root row outwards, from left to right. */
	async frames() {
		return this.ask(readFrames);
	}

	async frame(name) {
		return (await this.frames()).find((frame) => frame.name === name);
	}

	async shown() {
		return (await this.frames()).map(({ name }) => name);
	}

	async filledWith(color) {
		const frames = await this.frames();

		return frames.filter(({ fill }) => fill === color).map(({ name }) => name);
	}

	/* Returns the text of an element with an id; null if it is hidden. */
	async text(id) {
		return this.ask(textOf, { id });
	}

	async address() {
		return new URL(await this.world.evaluate(() => window.location.href));
	}

	/* Returns the state in the address: an array of values for each letter. */
	async state() {
		const state = {};

		for (const [key, value] of
			new URLSearchParams((await this.address()).hash.slice(1)))
			state[key] = [...state[key] ?? [], value];
		return state;
	}

	async back() {
		await this.world.evaluate(() => window.history.back());
	}

	async forward() {
		await this.world.evaluate(() => window.history.forward());
	}
}

function watch(page, files, accept) {
	const complaints = [];
	const addresses = files.map((file) => pathToFileURL(file).href);
	const complain = (what) => accept.test(what) || complaints.push(what);

	page.on('console', (message) => complain('console: ' + message.text()));
	page.on('pageerror', (error) => complain('error: ' + error.message));
	page.on('popup', () => complain('new window'));
	page.on('request', (request) => {
		if (!addresses.includes(request.url().split(/[?#]/)[0]))
			complain('request: ' + request.url());
	});
	page.on('dialog', async (dialog) => {
		complain(dialog.type() + ': ' + dialog.message());
		await dialog.dismiss();
	});
	return complaints;
}

/*
 * Opens the first of files and calls body with the visit.
 * query     is appended to the address
 * script    false: the browser runs no script
 * viewer    false: body does not wait for the viewer
 * size      of the window
 * dark      true: the browser prefers dark pages
 * init      a function to run in the page before anything else
 * answers   headers and text by address, for pages that are not files
 * accept    a regular expression of complaints that do not fail the test
 */
export async function visit(files, options, body) {
	const {
		query = '', script = true, viewer = script, accept = /^$/,
		size = { width: 1220, height: 900 }, dark = false, init = null, answers = {},
	} = options;
	const page = await open(browser, { size, script, dark, init });
	const visitor = new Visit(page);
	const complaints = watch(page, files, accept);

	try {
		for (const [address, answer] of Object.entries(answers))
			await page.route(address, (route) => route.fulfill(answer));
		await page.goto(pathToFileURL(files[0]).href + query);
		if (viewer)
			await visitor.ready();
		await body(visitor);
		assert.deepEqual(complaints, []);
	} finally {
		await page.leave();
	}
}

/* An `init` for visit(): the data are read only after goOn() is called. */
export function readWhenAllowed() {
	const read = Response.prototype.arrayBuffer;
	const allowed = new Promise((resolve) => {
		window.goOn = resolve;
	});

	Response.prototype.arrayBuffer = async function () {
		await allowed;
		return read.call(this);
	};
}

/* Draws folded lines and opens the picture by itself. */
export async function visitPicture(folded, { args, ...options }, body) {
	const file = write('picture.svg', draw(folded, args));

	await visit([file], options, body);
}
