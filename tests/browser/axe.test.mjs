/*
 * Checks with axe-core that nothing is wrong for users of a screen reader or with low
 * vision.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from './sample.mjs';
import { buildFolder } from './browsers.mjs';
import { drawInline, visit, write } from './harness.mjs';
import { changed, simple } from './profiles.mjs';

function readAxe() {
	try {
		return readFileSync(path.join(buildFolder, 'node_modules/axe-core/axe.min.js'), 'utf8');
	} catch {
		return null;
	}
}

const axe = readAxe();
const skip = axe === null && 'SKIP: axe-core is not installed';

/* Returns the rules that are broken, each with the first element that breaks it. */
async function findings(page) {
	await page.page.evaluate(axe);
	const { passes, violations } = await page.page.evaluate(() => window.axe.run());

	assert.ok(passes.length > 10, 'axe looked at the page');
	return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`);
}

for (const [what, folded, args, dark] of [
	['a graph', simple, []],
	['a graph in the dark', simple, [], true],
	['a differential', changed, []],
]) {
	test(`axe finds nothing wrong with ${what}`, { skip }, async () => {
		const page = write('axe.html', `<!DOCTYPE html><html lang="en"><meta charset="utf-8">
			<title>page</title><main><h1>graph</h1>${drawInline(folded, args)}</main></html>`);

		await visit([page], { dark }, async (inner) => {
			assert.deepEqual(await findings(inner), []);
			await inner.click('main');
			await inner.press('t', '/');
			await inner.type('main');
			assert.deepEqual(await findings(inner), [], 'with the table, and a search');
			await inner.press('Enter', 't', '?');
			assert.deepEqual(await findings(inner), [], 'with the keys');
			await inner.press('?', 'Escape', 'Home', 'ArrowUp', 'ArrowRight', 'Enter');
			assert.deepEqual(await findings(inner), [], 'with a menu');
			await inner.press('c', 'Enter');
			assert.deepEqual(await findings(inner), [], 'with a list');
		});
	});
}
