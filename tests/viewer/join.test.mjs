/* How tools/join-viewer makes the script of every picture from the viewer's parts. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/* Joins files with these contents; code is the body of the function. */
function join(...contents) {
	const folder = mkdtempSync(path.join(tmpdir(), 'join-'));
	const files = contents.map((content, i) => {
		const file = path.join(folder, `part${i}.js`);
		writeFileSync(file, content);
		return file;
	});
	const { status, stdout, stderr } = spawnSync(
		path.join(root, 'tools/join-viewer'),
		files,
		{ encoding: 'utf8' },
	);

	rmSync(folder, { recursive: true });
	const code = /^[^\n]*\n[^\n]*\n(.*?)\n?\}\(\)\);\n$/s.exec(stdout)?.[1];
	return { status, stderr, code };
}

test('comments, indentation and empty lines are left out', () => {
	const { status, code } = join(
		'/* One. */\n\nfunction f()\n{\n\t/*\n\t * Two.\n\t */\n\treturn a\n\t\t.b();\n}\n',
		'\t/* Three\n\t   lines. */\nf();\n',
	);

	assert.equal(status, 0);
	assert.equal(code, 'function f()\n{return a\n.b();}\nf();');
});

test('spaces and line ends are left out where nothing needs them', () => {
	for (const [line, expected] of [
		['if (a && !b) {', 'if(a&&!b){'],
		['const { a, b } = [c ? d : { e }, (f) => [...f]];',
			'const{a,b}=[c?d:{e},(f)=>[...f]];'],
		['return a + +b - -c * --d;', 'return a + +b - -c*--d;'],
		['x in y', 'x in y'],
	])
		assert.equal(join(`${line}\n`).code, expected);
	assert.equal(join('f(\n\ta,\n\tb\n);\nlet c\nlet d = [\n\t1 ]\n').code,
		'f(a,b\n);let c\nlet d=[1]');
});

for (const [what, code] of [
	['single quotes', "f( '\t a , b /* c */ ', `d` );".replaceAll('`', "'")],
	['double quotes', 'f( " a , b", c );'],
	['a regular expression', 'f( / a , b/, c );'],
	['a comment at the end', 'f( a ); // b ;'],
]) {
	test(`a line with ${what} stays as it is`, () => {
		assert.equal(join(`\t\t${code}\n\tg();\n`).code, `${code}\ng();`);
	});
}

for (const [what, code] of [
	['a template literal', 'f(`a\n\tb`);\n'],
	['a string of two lines', "f('a\\\n\tb');\n"],
	['code after a comment', '/* a */ f();\n'],
	['code after a comment of two lines', '/* a\n */ f();\ng();\n'],
	['a comment that does not end', 'f();\n/* a\n'],
	['what would begin a comment in HTML', 'f(a < !--b);\n'],
]) {
	test(`${what} is refused`, () => {
		for (const parts of [[code], ['f();\n', code, 'g();\n']]) {
			const { status, stderr } = join(...parts);
			assert.equal(status, 1);
			assert.match(stderr, /^join-viewer: .*part\d\.js:\d+: .+\n$/);
		}
	});
}

test('the viewer itself can be joined and the result parsed', () => {
	const folder = path.join(root, 'flamegraph/assets/viewer');
	const parts = readdirSync(folder).map((name) =>
		readFileSync(path.join(folder, name), 'utf8'),
	);
	const { status, stderr, code } = join(...parts);

	assert.equal(stderr, '');
	assert.equal(status, 0);
	new Function(code);
});
