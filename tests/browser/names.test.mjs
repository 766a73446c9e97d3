/* Tests unexpected names: whatever is in a name is shown as text. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from './sample.mjs';
import { becomes, draw, drawInline, visit, visitPicture, write } from './harness.mjs';
import { merge, find, titleOf } from './model.mjs';

const names = {
	'a script': '"><script>alert(1)</script>',
	'a script in single quotes': '\'><img src=x onerror=alert(1)>',
	'the end of a CDATA section': ']]><script>alert(1)</script>',
	'the end of a title': '</title></g></svg><script>alert(1)</script>',
	'the end of a style': '</style><script>alert(1)</script>',
	'the end of the metadata': '</fg:data></metadata><script>alert(1)</script>',
	'an entity': '&lt&gt&amp&#60 &',
	'a null entity': '&#0',
	'a comment': '<!-- x --> -->',
	'a processing instruction': '<?xml-stylesheet href="x"?>',
	'a template': '${alert(1)} {{alert(1)}} $& $1 \\u0041',
	'a path of a script': '</script><script>alert(1)</script>',
	'emoji': '😀👩‍👩‍👧‍👦🇩🇪',
	'right-to-left text': 'דוגמה العربية',
	'accents': 'Ünïcödé_naïve_日本語',
	'10,000 characters': 'x'.repeat(9999) + 'y',
	'a property of objects': '__proto__',
	'another property of objects': 'constructor',
	'a space': ' ',
	'percent signs': '%41%%20%',
	'numbers': '1 2 x',
};

/*
 * Returns true if a line starts with a text, or with as much of it as fits into the
 * picture.
 */
function begins(line, text) {
	const [start] = line.split('..');

	return line.startsWith(text) || (start.length > 100 && text.startsWith(start));
}

for (const [what, name] of Object.entries(names)) {
	/* Too narrow for a label at first, so that zooming makes one. */
	const profile = `main;${name};${name} 10\nmain 990\n`;
	const title = name + ' (10 samples, 1.00%)';

	test(`${what} as a name is text in the picture`, async () => {
		const pattern = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
		const query = '#q=' + encodeURIComponent(`^${pattern}$`);

		await visitPicture(profile, { query }, async (page) => {
			assert.equal(await page.text('matched'), 'Matched: 1.0% of all · 2 frames');
			assert.equal((await page.frames())[2].title, title);
			await page.hover(title);
			assert.ok(begins(await page.text('details'), 'Function: ' + title));
			await page.click(title);
			const [all, , frame, inner] = await page.frames();
			assert.equal(frame.width, all.width);
			assert.equal(inner.width, all.width);
			assert.ok(name.trim() === '' || frame.label.length > 0);
			await becomes(async () => (await page.state()).z, ['main;' + name]);
			await page.press('Escape', 'r', 's', 'i', 'u', 'u', 'u');
			assert.ok((await page.frames())[2].title.startsWith(title));
		});
	});

	test(`${what} as a name is text in an HTML page`, async () => {
		const html = write('hostile.html',
			'<!DOCTYPE html><meta charset="utf-8">' + drawInline(profile));

		await visit([html], {}, async (page) => {
			await page.click(title);
			const frames = await page.frames();
			assert.equal(frames.length, 4);
			assert.ok(frames.some((frame) => frame.title.startsWith(title)));
		});
	});

	test(`${what} everywhere leaves the file well-formed`, async () => {
		const attributes = write('hostile.attr', ['title', 'class', 'id', 'href', 'target',
			'g_extra', 'a_extra'].map((key) => `n${key}\t${key}=${name}\n`).join('') +
			`${name}\ttitle=${name}\thref=#${name}\n`);
		const args = ['--title', name, '--subtitle', name, '--notes', name, '--nametype', name,
			'--countname', name, '--nameattr', attributes];
		const lines = ['title', 'class', 'id', 'href', 'target', 'g_extra', 'a_extra']
			.map((key) => `main;n${key} 30\n`).join('') + `main;${name} 900\nmain 99990\n`;
		const svg = draw(lines, args);
		const { status, stderr } = spawnSync('xmllint', ['--noout', '--huge', '-'],
			{ input: svg, encoding: 'utf8' });
		assert.ok(status === 0 || status === null, stderr);

		await visit([write('everywhere.svg', svg)], {}, async (page) => {
			assert.ok(begins(await page.text('title'), name));
			assert.ok(begins(await page.text('subtitle'), name));
			await page.hover('main');
			const details = await page.text('details');
			assert.ok(begins(details, `${name} main (101,100 `), details.slice(0, 200));
			const scripts = () => document.querySelectorAll('script').length;
			assert.equal(await page.ask(scripts), 1);
		});
	});
}

/* Bytes that XML or Unicode forbid: the file is well-formed, and shows something. */
for (const [what, bytes] of [
	['control bytes', '\x01\x02\x08\x0b\x0c\x0e\x1f\x7f'],
	['a null byte', 'a\0b'],
	['invalid UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x28, 0x62])],
	['part of a character', Buffer.from([0x61, 0xf0, 0x9f, 0x98])],
	['surrogates', Buffer.from([0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80])],
	['forbidden characters', '\ufffe\uffff'],
	['a tab', 'a\tb'],
	['a carriage return', 'a\rb'],
]) {
	test(`${what} in a name can be shown and linked to`, async () => {
		const profile = Buffer.concat([Buffer.from('main;'), Buffer.from(bytes),
			Buffer.from(';inner 10\nmain 10\n')]);

		await visitPicture(profile, {}, async (page) => {
			const frames = await page.frames();
			assert.equal(frames.length, 4);
			await page.click(frames[2].title);
			assert.equal((await page.frames())[3].width, frames[0].width);
			await becomes(async () => (await page.address()).hash.length > 3, true);
			const { href } = await page.address();
			await page.page.goto('about:blank');
			await page.page.goto(href);
			await page.ready();
			assert.equal((await page.frames()).length, 4);
			assert.equal(await page.text('unzoom'), 'Reset Zoom');
		});
	});
}

test('hostile names in a palette map are text', async () => {
	const map = Object.values(names).map((name) => `${name}->rgb(1,2,3)\n`).join('') +
		'main->rgb(9,8,7)\nmain->url(x)\n"><script>alert(1)</script>->rgb(1,2,"3)\n';

	write('palette.map', map);
	const profile = Object.values(names).map((name) => `main;${name} 1000\n`).join('');
	await visitPicture(profile, { args: ['--cp'] }, async (page) => {
		assert.equal((await page.frames()).length, 2 + Object.keys(names).length);
	});
	write('palette.map', '');
});

test('all these names work together', async () => {
	const profile = Object.values(names).map((name, i) => `main;${name} ${1000 + i}\n`).join('');
	const root = merge(profile);

	await visitPicture(profile, {}, async (page) => {
		for (const name of Object.values(names)) {
			const frame = find(root, 'main;' + name);
			/* These counts are not known to be samples. */
			const title = titleOf(frame).replace(' samples', '');
			await page.hover(title);
			const details = await page.text('details');
			assert.ok(begins(details, 'Function: ' + title), details);
		}
	});
});
