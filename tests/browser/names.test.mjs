/* Names nobody expects: whatever a name is, it is text. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draw, visit, visitPicture, write } from './harness.mjs';

const names = {
	'a script': '"><script>alert(1)</script>',
	'a script in single quotes': '\'><img src=x onerror=alert(1)>',
	'the end of a CDATA section': ']]><script>alert(1)</script>',
	'the end of a title': '</title></g></svg><script>alert(1)</script>',
	'an entity': '&lt&gt&amp&#60 &',
	'a comment': '<!-- x --> -->',
	'a template': '${alert(1)} {{alert(1)}} $& $1 \\u0041',
	'emoji': '😀👩‍👩‍👧‍👦🇩🇪',
	'right-to-left text': 'דוגמה العربية \u202eabc',
	'accents': 'Ünïcödé_naïve_日本語',
	'10,000 characters': 'x'.repeat(9999) + 'y',
	'a property of objects': '__proto__',
};

for (const [what, name] of Object.entries(names)) {
	/* Too narrow for a label, so that zooming makes one. */
	const profile = `main;${name};${name} 10\nmain 990\n`;
	const title = name + ' (10 samples, 1.00%)';

	test(`${what} as a name is text in the picture`, async () => {
		await visitPicture(profile, {}, async (page) => {
			assert.equal((await page.frames())[2].title, title);
			await page.hover(name);
			assert.equal(await page.text('details'), 'Function: ' + title);
			await page.click(name);
			const [, , { width, label }] = await page.frames();
			assert.equal(width, 1180);
			assert.ok(label.length > 2);
			assert.ok(name.startsWith(label.replace(/\.\.$/, '')), label);
		});
	});

	test(`${what} as a name is searched for as text`, async () => {
		const pattern = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

		await visitPicture(profile, {}, async (page) => {
			await page.search(`^${pattern}$`);
			assert.equal(await page.text('matched'), 'Matched: 1.0%');
		});
	});

	test(`${what} as a name is text in an HTML page`, async () => {
		const svg = draw(profile).replace(/^<\?xml[^>]*\?>/, '');
		const html = write('hostile.html',
			'<!DOCTYPE html><meta charset="utf-8">' + svg);

		await visit([html], {}, async (page) => {
			await page.click(name);
			const frames = await page.frames();
			assert.equal(frames.length, 4);
			assert.equal(frames[2].title, title);
		});
	});
}

test('texts of the command line are text', async () => {
	const text = '"]]></title><script>alert(1)</script>';
	const args = ['--title', text, '--countname', text, '--nametype', text];

	await visitPicture('main 10\n', { args }, async (page) => {
		assert.equal(await page.text('title'), text);
		await page.search('^main$');
		assert.equal(await page.text('matched'), 'Matched: 100%');
		await page.hover('main');
		assert.equal(await page.text('details'), `${text} main (10 ${text}, 100.00%)`);
	});
});
