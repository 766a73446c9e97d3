/*
 * Tests comparing the picture with a profile that the user drops on it, chooses or
 * pastes. The judge is what `diff-folded -n BEFORE AFTER | flamegraph` draws.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from './sample.mjs';
import { becomes, draw, drawInline, programOf, visit, visitPicture, write } from './harness.mjs';
import { checkPicture, merge, rows } from './model.mjs';
import { crowded, numbers, simple } from './profiles.mjs';

/* Lets the page get a drop, or a paste, of a file on the element of a selector. */
const give = ({ type, name, text, selector, kind = 'Files' }) => {
	const target = document.querySelector(selector);
	const data = new DataTransfer();
	const send = (one) => {
		const Kind = one === 'paste' ? ClipboardEvent : DragEvent;
		const event = new Kind(one, { clipboardData: data, dataTransfer: data, bubbles: true,
			cancelable: true });
		target.dispatchEvent(event);
		return event.defaultPrevented;
	};

	if (kind === 'Files')
		data.items.add(new File([text], name));
	else
		data.setData('text/plain', text);
	return type === 'drop' ? [send('dragover'), send('drop')] : [send(type)];
};

const drop = (page, name, text, selector = 'svg rect') =>
	page.ask(give, { type: 'drop', name, text, selector });

const problem = ({ scope }) =>
	document.querySelector(scope).querySelector('.fg-problem').textContent;
const chips = ({ scope }) => Array.from(
	document.querySelector(scope).querySelectorAll('.fg-chip:not([hidden]) span'),
	(chip) => chip.textContent);
const whole = ({ scope }) =>
	document.querySelector(scope).querySelector('.fg-state').firstElementChild.textContent;

/* Returns what the card says of a frame. */
async function cardOf(page, name) {
	const text = ({ scope }) => document.querySelector(scope)
		.querySelector('.fg-card')?.textContent ?? '';

	await page.hover(name);
	await becomes(async () => (await page.ask(text)).includes(name), true);
	return page.ask(text);
}

const looks = async (page) => (await page.frames())
	.filter(({ width }) => width >= 1)
	.map(({ name, title, fill, left, width }) => [name, title.replace(/ · .*/, ''), fill,
		Math.round(left), Math.round(width)])
	.sort();

/* Returns the difference of two files as folded lines. */
function differenceOf(before, after) {
	const { stdout, stderr, status } = spawnSync(programOf('diff-folded'), ['-n', before, after],
		{ encoding: 'utf8', maxBuffer: 1 << 30 });

	assert.equal(status, 0, stderr);
	return stdout;
}

/*
 * Checks that the picture of `before`, on which the user drops `after`, equals the
 * difference that the programs make. Each is folded lines or an SVG.
 */
async function checkEqual(before, after) {
	const isSvg = (text) => text.includes('<svg');
	const [one, other] = [before, after].map((text, i) =>
		write((i ? 'after' : 'before') + (isSvg(text) ? '.svg' : '.folded'), text));
	const picture = write('picture.svg', isSvg(before) ? before : draw(before));
	const judge = write('judge.svg', draw(differenceOf(one, other)));
	let expected;
	let [heading, legend, card] = [];

	await visit([judge], {}, async (page) => {
		expected = await looks(page);
		heading = await page.ask(whole);
		legend = await page.ask(() => document.querySelectorAll('.fg-legend i').length);
		card = await cardOf(page, 'main');
	});
	assert(expected.length > 1 && legend > 0);
	await visit([picture], {}, async (page) => {
		await drop(page, 'after', after);
		await becomes(async () => (await page.ask(chips)).length, 1);
		assert.equal(await page.ask(problem), '');
		await becomes(() => looks(page), expected);
		assert.equal(await page.ask(whole), heading);
		assert.equal(await cardOf(page, 'main'), card);
	});
}

/* Random profiles of the same functions, so that some frames are gone and some new. */
function randomPair(seed, { header = '', unit = 1, count = String } = {}) {
	const pick = numbers(seed);
	const names = ['alpha', 'beta', 'gamma<int, std::string>', 'delta', 'épsilon', 'zeta[k]'];
	const profile = () => header + Array.from({ length: 150 }, () => {
		const depth = 1 + pick(6);
		const frames = Array.from({ length: depth }, () => names[pick(6)]);
		return `main;${frames.join(';')} ${count(unit * (1 + pick(4) ** 4))}\n`;
	}).join('');

	return [profile(), profile()];
}

const EVENT = '# event: cycles\n# unit: ns\n';

for (const [what, [before, after]] of [
	['plain counts', randomPair(1)],
	['counts with a unit', randomPair(2, { header: EVENT, unit: 1000 })],
	['counts with the weight of a sample',
		randomPair(3, { header: EVENT + '# sample-weight: 1003009\n', unit: 1003009 })],
	['counts of an unknown weight', randomPair(4, { unit: 1003009 })],
	['counts with decimals', randomPair(5, { count: (n) => (n / 8).toFixed(3) })],
	['a few stacks', [simple, 'main;parse 10\nmain;print 900\nmain;new;new 200\nidle 95\n']],
	['a unit on one side only', [EVENT + simple, simple.replace('50', '90')]],
	['equal totals', [simple, 'main;parse 600\nmain;print 300\nidle 100\n']],
	['slices of time', ['# slice: 20ms\n@0.000;main;b 5\n@0.020;main;b 50\n@0.020;main;c 9\nmain;d 3\nmain;e;f 4\n',
		'# slice: 20ms\n@1.000;main;b 5\n@1.020;main;c 90\nmain;d;e 1\n']],
])
	test(`a dropped profile makes the programs' difference: ${what}`, () =>
		checkEqual(before, after));

test("a difference from a dropped picture is the programs' difference", async () => {
	const [before, after] = randomPair(6, { header: EVENT });

	await checkEqual(before, draw(after));
	await checkEqual(draw(before), draw(after, ['--inverted']));
	await checkEqual(draw(before, ['--data', 'none']), draw(after, ['--data', 'none']));
});

/*
 * Returns a picture like flamegraph.pl or inferno writes it, of frames with a name, a
 * count, a depth and a start.
 */
function foreign(kind, frames) {
	const total = frames[0][1];
	const lines = frames.map(([name, count, depth, start]) => {
		const share = (100 * count / total).toFixed(2);
		const title = `<title>${name} (${count} samples, ${share}%)</title>`;
		const y = 500 - 16 * depth;
		return kind === 'perl' ?
			`<g>\n${title}<rect x="${(10 + 1180 * start / total).toFixed(1)}" y="${y}" width="${
				(1180 * count / total).toFixed(1)}" height="15.0" rx="2"/>\n<text x="1"></text></g>` :
			`<g>${title}<rect x="${100 * start / total}%" y="${y}" width="${
				100 * count / total}%" height="15" fg:x="${start}" fg:w="${count}"/></g>`;
	});
	const space = kind === 'perl' ? '' : ' xmlns:fg="http://github.com/jonhoo/inferno"';

	return `<?xml version="1.0" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" width="1200" height="600" xmlns="http://www.w3.org/2000/svg"${space}>
<text id="title">Flame Graph</text><g id="frames">\n${lines.join('\n')}\n</g></svg>\n`;
}

const FRAMES = [['all', 1000, 0, 0], ['main', 880, 1, 0], ['idle', 120, 1, 880],
	['parse', 500, 2, 0], ['print', 300, 2, 500], ['lex&lt;int&gt;', 400, 3, 50],
	['a;b', 30, 3, 500]];

for (const kind of ['perl', 'inferno'])
	test(`a picture of another program can be dropped: ${kind}`, async () => {
		/* flamegraph.pl writes frames in no order. */
		await checkEqual(simple, foreign(kind, kind === 'perl' ? [FRAMES[0],
			...FRAMES.slice(1).reverse()] : FRAMES));
	});

test('of several profiles, the one of the same event is compared', async () => {
	const several = '# event: faults\n# unit: pages\nmain;fault 7\n' +
		'# event: cycles\n# unit: ns\nmain;parse 30\nmain;print 70\n';
	const two = draw(several);

	for (const text of [several, two])
		await visitPicture(EVENT + simple, {}, async (page) => {
			await drop(page, 'several', text);
			await becomes(() => page.ask(whole), 'Before → after: 1 µs → 100 ns of cycles ' +
				'(×0.10); shares are compared');
		});
	await visitPicture('# event: misses\n' + simple, {}, async (page) => {
		await drop(page, 'several', several);
		await becomes(() => page.ask(problem), 'several cannot be compared: it has faults, ' +
			'cycles, and this picture has misses.');
	});
	await visitPicture(EVENT + simple, {}, async (page) => {
		await drop(page, 'other', '# event: faults\n# unit: pages\n' + simple.replace('50', '90'));
		await becomes(() => page.ask(whole), 'Before → after: 1 µs → 1,040; shares are ' +
			'compared; the events differ: cycles → faults; the units differ: ns → pages');
	});
});

const other = 'main;parse 100\nmain;parse;fresh 400\nidle 700\n';
const CHIP = 'before: this picture, after: other.folded';

test('a comparison ends with its chip, with Escape and with Undo', async () => {
	await visitPicture(simple, {}, async (page) => {
		const plain = await page.frames();
		const legend = () => Array.from(document.querySelectorAll('.fg-legend'))
			.filter((one) => one.getClientRects().length > 0)
			.map((one) => one.textContent);
		const key = await page.ask(legend);

		for (const end of [() => page.click('.fg-chip:not([hidden]) button'),
			() => page.press('Escape'), () => page.press('u'), () => page.back()]) {
			assert.deepEqual(await drop(page, 'other.folded', other), [true, true]);
			await becomes(() => page.ask(chips), [CHIP]);
			await becomes(async () => (await page.state()).a !== undefined, true);
			assert((await page.shown()).includes('fresh'));
			assert.equal(await page.ask(() => document.querySelector('.fg-foot select')
				?.getClientRects().length ?? 0), 0);
			assert.deepEqual(await page.ask(legend),
				['less', 'alike, or noise', 'more', 'new', 'gone']);
			await end();
			await becomes(() => page.ask(chips), []);
			assert.deepEqual(await page.frames(), plain);
			assert.deepEqual(await page.ask(legend), key);
			assert.equal(await page.ask(whole), '100% = 1,000 samples');
		}
		await page.forward();
		await becomes(() => page.ask(chips), [CHIP]);
		await page.click('parse');
		await page.press('Escape');
		assert.deepEqual(await page.ask(chips), [CHIP]);
	});
});

test('a picture with slices of time can be compared, and its ranges still work', async () => {
	const slices = Array.from({ length: 50 }, (_, i) =>
		`@${(i / 50).toFixed(3)};main;${i < 25 ? 'early' : 'late'} 10\n`).join('');

	await visitPicture('# slice: 20ms\n' + slices, { query: '#t=0,0.5' }, async (page) => {
		await becomes(async () => (await page.shown()).includes('late'), false);
		await drop(page, 'other.folded', 'main;late 700\nmain;new 90\n');
		await becomes(() => page.ask(chips), [CHIP]);
		assert.match((await page.frame('early')).title, /→ 0 .*gone/);
		assert.match((await page.frame('late')).title, /→ 700 /);
		await page.search('late');
		await becomes(() => page.filledWith('rgb(230, 0, 230)'), ['late']);
		await page.press('/', 'Escape', 'u');
		await becomes(async () => (await page.shown()).includes('late'), false);
		assert.equal((await page.frame('early')).title.includes('→'), false);
	});
});

test('both sides, the order by change, the table and Swap work', async () => {
	await visitPicture(simple, {}, async (page) => {
		const titles = async () => Object.fromEntries((await page.frames())
			.map(({ name, title }) => [name, title]));

		await drop(page, 'other.folded', other);
		await becomes(() => page.ask(chips), [CHIP]);
		assert.match((await titles()).fresh, /0 → 400 .*new/);
		assert.match((await titles()).lex, /480 → 0 .*gone/);
		await page.click('[name="widths-before"]');
		await becomes(async () => (await page.shown()).includes('fresh'), false);
		await page.click('[name="swap"]');
		await becomes(() => page.ask(chips), ['after: this picture, before: other.folded']);
		assert.match((await titles()).fresh, /gone/);
		assert.match((await titles()).lex, /new/);
		await page.click('[name="table"]');
		await becomes(() => page.ask(() =>
			/gone/.test(document.querySelector('.fg-table').textContent)), true);
	});
});

test('on a phone, both sides are beside the title, and Swap is in the menu', async () => {
	await visitPicture(simple, { size: { width: 360, height: 640 } }, async (page) => {
		/* Returns true if the centre of a button can be touched. */
		const isOnTop = ({ name }) => Array.from(document.querySelectorAll(`[name="${name}"]`))
			.some((button) => {
				const { x, y, width, height } = button.getBoundingClientRect();
				return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
			});

		await drop(page, 'other.folded', other);
		await becomes(() => page.ask(chips), [CHIP]);
		for (const name of ['widths-before', 'widths-after', 'by-change'])
			assert.equal(await page.ask(isOnTop, { name }), true, name);
		assert.equal(await page.ask(() => getComputedStyle(
			document.querySelector('.fg-state')).maskImage), 'none');
		assert.equal(await page.ask(isOnTop, { name: 'swap' }), false);
		await page.click('[name="menu"]');
		await page.click('.fg-more [name="swap"]');
		await becomes(() => page.ask(chips), ['after: this picture, before: other.folded']);
	});
});

test('a file can be chosen from the menu, and pasted', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('[name="menu"]');
		/* The driver cannot choose a file in a document that is not HTML. */
		const session = await page.page.context().newCDPSession(page.page);
		await session.send('Page.enable');
		await session.send('Page.setInterceptFileChooserDialog', { enabled: true });
		const opened = new Promise((done) => {
			session.once('Page.fileChooserOpened', done);
		});
		await page.click('[name="compare"]');
		const { backendNodeId } = await opened;
		await session.send('DOM.setFileInputFiles',
			{ backendNodeId, files: [write('other.folded', other)] });
		await becomes(() => page.ask(chips), [CHIP]);
		await page.press('Escape');
		await page.ask(give, { type: 'paste', text: other, selector: 'svg rect', kind: 'text' });
		await becomes(() => page.ask(chips), ['before: this picture, after: the pasted text']);
		/* Pasting into the search field is not for us. */
		await page.press('/');
		assert.deepEqual(await page.ask(give,
			{ type: 'paste', text: other, selector: '.fg-term', kind: 'text' }), [false]);
	});
});

test('a file that is dragged by the mouse can be dropped', async () => {
	await visitPicture(simple, {}, async (page) => {
		const session = await page.page.context().newCDPSession(page.page);
		const data = { items: [], files: [write('other.folded', other)], dragOperationsMask: 1 };
		const { x, y } = await page.point('main');
		const message = () => document.querySelector('.fg-message').textContent;

		for (const type of ['dragEnter', 'dragOver'])
			await session.send('Input.dispatchDragEvent', { type, x, y, data });
		await becomes(() => page.ask(message), 'Drop a profile to compare with it');
		await session.send('Input.dispatchDragEvent', { type: 'drop', x, y, data });
		await becomes(() => page.ask(chips), [CHIP]);
	});
});

test('a file that is no profile leaves the picture as it was', async () => {
	await visitPicture(simple, {}, async (page) => {
		const plain = await page.frames();
		const folded = 'it has no folded stacks, and is no SVG of a flame graph';

		for (const [text, why] of [
			['', folded],
			['Lorem ipsum\ndolor 5\nsit amet\nconsectetur\n', folded],
			['{"frames": [1, 2, 3]}\n', folded],
			['\x7fELF\0\x01\x02\0', folded],
			['a;b 0\n', 'all its counts are 0'],
			['a;b 1 2\na;c 3 4\n', 'it compares two profiles already'],
			[draw('a;b 1 2\na;c 3 4\n'), 'it compares two profiles already'],
			[draw('a;b 1 2\na;c 3 4\n', ['--data', 'none']), 'it compares two profiles already'],
			['<svg xmlns="http://www.w3.org/2000/svg"><g><title>a</title></g></svg>',
				'its frames make no flame graph'],
			['<svg xmlns="http://www.w3.org/2000/svg"><g>', 'it is no SVG, or damaged'],
			['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
				'it is no SVG, or damaged'],
			[draw(crowded).replace(/(<fg:data[^>]*>.{9})./, '$1!'), 'its data are damaged'],
			['a ' + '9'.repeat(30) + '\n', 'its counts are too large'],
		]) {
			await drop(page, 'x', text);
			await becomes(() => page.ask(problem), `x cannot be compared: ${why}.`);
			assert.deepEqual(await page.frames(), plain);
			await page.press('i', 'i');
			assert.equal(await page.ask(problem), '');
		}
	});
	await visitPicture('a;b 1 2\na;c 30 4\na;d 1 2\na;e;f 5 5\n', {}, async (page) => {
		await drop(page, 'x', simple);
		await becomes(() => page.ask(problem), 'This picture compares two profiles already.');
	});
	await visitPicture(simple, { args: ['--flamechart'] }, async (page) => {
		await drop(page, 'x', simple);
		await becomes(() => page.ask(problem), 'A flame chart cannot be compared.');
	});
});

test('lines that are no stacks are left out, and the user is told', async () => {
	await visitPicture(simple, {}, async (page) => {
		await drop(page, 'other', '# a comment\n\n' + other + 'no count\nmain;x 3 4\n');
		await becomes(() => page.ask(problem), 'Left out 2 lines of other without one count.');
		await drop(page, 'other', 'other;a 3\nother;b 4\n');
		await becomes(() => page.ask(problem), 'No stack is in both profiles. If only their ' +
			'first frames differ, use diff-folded --ignore-root.');
	});
});

test('a dropped SVG runs no script and loads nothing', async () => {
	const hostile = `<?xml version="1.0"?><?xml-stylesheet href="http://127.0.0.1/x.css"?>
		<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink"
		onload="window.hit=1"><script>window.hit = 2</script>
		<script href="http://127.0.0.1/x.js"/><image href="http://127.0.0.1/x.png"/>
		<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="window.hit=3"/>
		</foreignObject>
		<g onclick="window.hit=4"><title>all (10 samples, 100%)</title>
		<rect x="0" y="100" width="100"/></g>
		<g><title>&lt;img src=x onerror=window.hit=5&gt; (4 samples, 40%)</title>
		<rect x="0" y="84" width="40"/></g>
		<g><title>main (6 samples, 60%)</title><rect x="40" y="84" width="60"/></g></svg>`;

	await visitPicture(simple, {}, async (page) => {
		await drop(page, '<b>evil</b>.svg', hostile);
		await becomes(() => page.ask(chips),
			['before: this picture, after: <b>evil</b>.svg']);
		await page.hover('main');
		await page.click('[name="table"]');
		assert((await page.shown()).includes('<img src=x onerror=window.hit=5>'));
		assert.equal(await page.ask(() => window.hit), undefined);
		assert.equal(await page.ask(() => document.querySelectorAll('img, image').length), 0);
	});
});

/* ---- pages around the picture */

const textOfPage = (page) => page.page.evaluate(() => document.contentType === 'text/html' ?
	'<!DOCTYPE html>' + document.documentElement.outerHTML :
	new XMLSerializer().serializeToString(document));

for (const [name, content] of [
	['page.html', `<!DOCTYPE html><meta charset="utf-8"><div>${drawInline(simple)}</div>`],
	['picture.svg', draw(simple)],
	['no-data.svg', draw(simple, ['--data', 'none'])],
])
	test(`a saved page keeps both profiles: ${name}`, async () => {
		const scope = name.endsWith('.html') ? 'div svg' : 'svg';
		let [saved, expected] = [];

		await visit([write(name, content)], { viewer: false }, async (outer) => {
			const page = outer.within(scope);
			await page.ready();
			await drop(page, 'other.folded', other + '\ufffe\x01x 7\n', scope + ' rect');
			await becomes(() => page.ask(chips), [CHIP]);
			await page.click('[name="swap"]');
			expected = await looks(page);
			await becomes(() => page.ask(({ scope: picture }) =>
				/a=-1/.test(document.querySelector(picture).getAttribute('fg:state')) &&
				Array.from(document.querySelectorAll('metadata > *'))
					.some(({ nodeName, textContent }) => /other/.test(nodeName) && textContent)),
			true);
			saved = await textOfPage(page);
		});
		await visit([write('saved-' + name, saved)], { viewer: false }, async (outer) => {
			const page = outer.within(scope);
			await page.ready();
			await becomes(() => page.ask(chips), ['after: this picture, before: other.folded']);
			await becomes(() => looks(page), expected);
			await page.click('.fg-chip:not([hidden]) button');
			await becomes(() => page.ask(chips), []);
			checkPicture(await page.frames(), rows(merge(simple)));
		});
	});

test('the picture in a sandboxed frame can be compared', async () => {
	const svg = write('framed.svg', draw(simple));
	const html = write('framed.html', '<!DOCTYPE html><iframe sandbox="allow-scripts" ' +
		'src="framed.svg" width="1250" height="400"></iframe>');

	await visit([html, svg], { viewer: false }, async (outer) => {
		const page = await outer.inside();
		await page.ready();
		await drop(page, 'other.folded', other);
		await becomes(() => page.ask(chips), [CHIP]);
	});
});

test('a link with a comparison shows the plain picture elsewhere', async () => {
	await visitPicture(simple, { query: '#a=1&q=parse' }, async (page) => {
		assert.equal((await page.ask(chips))[0], 'search: parse');
		checkPicture((await page.frames()), rows(merge(simple)));
	});
});
