/*
 * Tests the bundle: the scripts and styles in flamegraph/assets are what the viewer's
 * sources give.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const assets = path.join(root, 'flamegraph/assets');
const read = (name) => readFileSync(path.join(assets, name), 'utf8');
const SCRIPTS = ['viewer.js', 'small.js', 'profiles.js'];

test('the bundle is up to date with its sources', (t) => {
	const { status, stdout, stderr } = spawnSync(
		path.join(root, 'tools/bundle-viewer'), ['--check'], { encoding: 'utf8' });

	if (status === 77)
		t.skip(stdout.trim());
	else
		assert.equal(status, 0, stdout + stderr);
});

test('scripts can be parsed', () => {
	for (const name of SCRIPTS)
		new Function(read(name));
});

test('the small script lacks what a small picture cannot use', () => {
	for (const words of ['Change of self', 'By change']) {
		assert.ok(read('viewer.js').includes(words), words);
		assert.ok(!read('small.js').includes(words), words);
	}
});

test('a script has no text that ends it, or begins a comment, in an HTML page', () => {
	for (const name of SCRIPTS)
		assert.doesNotMatch(read(name), /<\/script|<!--/i);
});

test('no rule of the style sheet has to be tried on each frame', () => {
	const style = read('viewer.css');
	const selectors = Array.from(style.matchAll(/(?<=^|[{}])[^{}]+(?={)/g), ([all]) => all)
		.filter((all) => !all.startsWith('@')).flatMap((all) => all.split(/,(?![^(]*\))/));

	assert.ok(selectors.length > 50);
	assert.deepEqual(selectors.filter((one) => /(^|[ >~+])\*[^ >~+]*$/.test(one)), []);
});

test('modules import only from the viewer, without cycles, and each is used', () => {
	const folder = path.join(assets, 'viewer');
	const uses = new Map(readdirSync(folder).filter((name) => name.endsWith('.js'))
		.map((name) => [name, Array.from(
			readFileSync(path.join(folder, name), 'utf8')
				.matchAll(/^(?:import|\}) .*from '(.*)';$/gm), ([, from]) => from)]));
	const done = new Set();
	const check = (name, above) => {
		assert.ok(!above.includes(name), [...above, name].join(' > '));
		if (done.has(name))
			return;
		for (const from of uses.get(name)) {
			assert.match(from, /^\.\//, name);
			check(from.slice(2), [...above, name]);
		}
		done.add(name);
	};

	check('main.js', []);
	check('profiles.js', []); /* a script of its own, for several profiles */
	check('heat.js', []); /* a script of its own, for slices of time */
	check('chart.js', []); /* one for flame charts */
	assert.equal(done.size, uses.size, 'modules that nobody uses');
});
