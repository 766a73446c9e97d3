/* Tests the state in the address. */

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from './sample.mjs';
import { becomes, draw, visit, visitPicture, write } from './harness.mjs';
import { crowded, nested, shared, simple } from './profiles.mjs';

const color = 'rgb(230, 0, 230)';

test('an address without state stays as it is', async () => {
	await visitPicture(simple, {}, async (page) => {
		assert.equal((await page.address()).hash, '');
		assert.equal((await page.address()).search, '');
	});
});

test('zoom, search and case are put into the address', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('main');
		await page.click('print');
		await page.search('a+b&c=#d');
		await page.click('#ignorecase');
		await becomes(() => page.state(), { z: ['main;print'], q: ['a+b&c=#d'], i: ['1'] });
	});
});

test('the views are put into the address', async () => {
	await visitPicture(shared, {}, async (page) => {
		await page.press('i', 's');
		await becomes(async () => [...(await page.state()).v[0]].sort().join(''), 'fs');
		await page.press('r');
		await becomes(async () => [...(await page.state()).v[0]].sort().join(''), 'frs');
	});
});

test('resetting takes zoom and search out of the address', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('print');
		await page.search('lex');
		await page.click('#search');
		await page.click('#unzoom');
		await becomes(() => page.state(), {});
	});
});

for (const [what, leave] of [
	['Escape', (page) => page.press('Escape')],
	['Reset Zoom', (page) => page.click('#unzoom')],
	['a click on the root', (page) => page.click('all')],
]) {
	test(`after ${what}, Back does not zoom in again, but Forward does`, async () => {
		await visitPicture(simple, { query: '#q=lex' }, async (page) => {
			const length = () => page.ask(() => window.history.length);

			await page.click('main');
			await page.click('parse');
			await page.search('read');
			await becomes(() => page.state(), { z: ['main;parse'], q: ['read'] });
			const steps = await length();
			await leave(page);
			await becomes(() => page.state(), { q: ['read'] });
			await sleep(100);
			assert.equal((await page.shown()).length, 7);
			assert.equal(await length(), steps);
			await page.forward();
			await becomes(() => page.state(), { z: ['main'], q: ['lex'] });
			await page.forward();
			await becomes(() => page.shown(), ['all', 'main', 'parse', 'lex', 'read']);
		});
	});
}

test('a zoom right after Escape is a step of its own', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		await becomes(() => page.state(), { z: ['main;parse'] });
		await page.page.keyboard.press('Escape');
		await page.click('print');
		await becomes(() => page.state(), { z: ['main;print'] });
		await sleep(100);
		await becomes(() => page.shown(), ['all', 'main', 'print']);
		await page.back();
		await becomes(() => page.state(), {});
		await becomes(async () => (await page.shown()).length, 7);
	});
});

test('in a frame of a page, Escape undoes no step of another frame', async () => {
	const picture = write('framed.svg', draw(simple));
	const html = write('framed.html',
		'<iframe src="framed.svg" width="600" height="400"></iframe>'.repeat(2));

	await visit([html, picture], { viewer: false }, async (page) => {
		const first = await page.inside();
		const second = await page.inside(1);

		await first.ready();
		await second.ready();
		await first.click('parse');
		await becomes(() => first.state(), { z: ['main;parse'] });
		await first.press('Escape');
		await becomes(() => first.state(), {});
		await first.forward();
		await becomes(() => first.state(), { z: ['main;parse'] });
		await second.click('print');
		await becomes(() => second.state(), { z: ['main;print'] });
		await first.click('#unzoom');
		await becomes(() => first.state(), {});
		await sleep(100);
		assert.deepEqual(await second.shown(), ['all', 'main', 'print']);
	});
});

/* Searches and then clicks on the frame with a name, both in the same task. */
const searchAndClick = ({ term, name }) => {
	window.search(term);
	Array.from(document.querySelectorAll('#frames title'))
		.find((title) => title.textContent.startsWith(name + ' ('))
		.parentNode.dispatchEvent(new MouseEvent('click', { bubbles: true }));
};

test('Back leads to a search even if a zoom followed at once', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.ask(searchAndClick, { term: 'l.x', name: 'parse' });
		await becomes(() => page.state(), { z: ['main;parse'], q: ['l.x'] });
		await page.back();
		await becomes(() => page.state(), { q: ['l.x'] });
		await becomes(() => page.filledWith(color), ['lex']);
		assert.equal(await page.text('unzoom'), null);
	});
});

test('a search undone by Back is not in the address', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		await becomes(() => page.state(), { z: ['main;parse'] });
		await page.ask(() => new Promise((done) => {
			window.addEventListener('popstate', done, { once: true });
			window.search('l.x');
			window.history.back();
		}));
		await page.ask(() => new Promise((done) => { setTimeout(done, 200); }));
		assert.deepEqual(await page.state(), {});
		assert.deepEqual(await page.filledWith(color), []);
	});
});

/* Returns what can be seen of the picture. */
async function looks(page) {
	const frames = await page.frames();

	return {
		frames: frames.map(({ name, left, width, top, fill, label, faded }) =>
			[name, left.toFixed(1), width.toFixed(1), top.toFixed(1), fill, label, faded]),
		matched: (await page.text('matched') ?? '').trim(),
		unzoom: await page.text('unzoom'),
		search: await page.text('search'),
	};
}

for (const [what, profile, prepare] of [
	['a zoom', simple, (page) => page.click('parse')],
	['a zoom to a frame that was not drawn', crowded, async (page) => {
		await page.click('group');
		await page.click('part29');
		await page.click('deep');
	}],
	['a search', simple, (page) => page.search('l.x')],
	['a search in a zoom, ignoring case', nested, async (page) => {
		await page.click('start');
		await page.search('WALK');
		await page.press('Control+i');
	}],
	['a flipped picture', simple, (page) => page.press('i')],
	['a picture sorted by weight', simple, (page) => page.press('s')],
	['the reverse graph, zoomed', shared, async (page) => {
		await page.press('r');
		await page.click('memmove');
	}],
	['a hidden frame', shared, (page) => page.click('beta', 'Alt')],
	['two hidden frames', shared, async (page) => {
		await page.click('beta', 'Alt');
		await page.click('idle', 'Alt');
	}],
	['a merged function', shared, (page) => page.click('copy', 'Control')],
	['unusual names', 'a&b=c#d;%41+é 😀;"<;> 10\nother 20\n', async (page) => {
		await page.click('"<');
		await page.search('é 😀|&');
	}],
]) {
	test(`loading the address again shows the same: ${what}`, async () => {
		await visitPicture(profile, {}, async (page) => {
			const initially = await looks(page);
			await prepare(page);
			const before = await looks(page);
			assert.notDeepEqual(before, initially);
			await becomes(async () => (await page.address()).hash.length > 1, true);
			const { href } = await page.address();
			await page.page.goto('about:blank');
			await page.page.goto(href);
			await page.ready();
			await becomes(() => looks(page), before);
		});
	});
}

test('a link still works after another render with other counts and more frames', async () => {
	const file = write('again.svg', draw(simple));
	const later = simple.replaceAll('0\n', '7\n') +
		'aaa;bbb 5000\nmain;early 3000\nmain;parse;zzz 70\n';

	await visit([file], {}, async (page) => {
		await page.click('main');
		await page.click('parse');
		await page.search('lex');
		const { href } = await page.address();
		write('again.svg', draw(later));
		await page.page.goto('about:blank');
		await page.page.goto(href);
		await page.ready();
		await becomes(() => page.shown(), ['all', 'main', 'parse', 'lex', 'read', 'zzz']);
		assert.deepEqual(await page.filledWith(color), ['lex']);
	});
});

test('a link to a frame that is gone shows its deepest ancestor', async () => {
	const query = '#z=main;parse;gone;deeper';

	await visitPicture(simple, { query }, async (page) => {
		await becomes(() => page.shown(), ['all', 'main', 'parse', 'lex', 'read']);
	});
});

test('a link to a path that is gone shows the whole picture', async () => {
	await visitPicture(simple, { query: '#z=gone;deeper' }, async (page) => {
		assert.equal((await page.shown()).length, 7);
		assert.equal(await page.text('unzoom'), null);
	});
});

test('the fragment may be edited by hand', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.ask(() => { window.location.hash = 'z=main;print&q=print'; });
		await becomes(() => page.shown(), ['all', 'main', 'print']);
		await becomes(() => page.filledWith(color), ['print']);
	});
});

/* 1,000 samples. lex starts at 600, which is pixel 718. */
const lexLast = 'main;parse;aaa 600\nmain;parse;lex 400\n';

/* Returns x and y of a frame in the drawn picture, as links of the peers have them. */
function printed(name, args = [], profile = simple) {
	const [, x, y] = new RegExp(`<title>${name} .*?<rect x="([\\d.]+)" y="([\\d.]+)"`, 's')
		.exec(draw(profile, args));
	return { x: parseFloat(x), y: parseFloat(y) };
}

test('links of flamegraph.pl still work', async () => {
	const { x, y } = printed('print');
	const query = `?s=l.x&x=${x.toFixed(1)}&y=${y}`;

	await visitPicture(simple, { query }, async (page) => {
		await becomes(() => page.shown(), ['all', 'main', 'print']);
		await becomes(async () => (await page.text('matched')).startsWith('Matched: 40.0%'),
			true);
	});
});

test('coordinates with the decimals of other tools are understood', async () => {
	const { x, y } = printed('print');
	const query = `?x=${x.toFixed(2)}&y=${y.toFixed(1)}`;

	await visitPicture(simple, { query }, async (page) => {
		await becomes(() => page.shown(), ['all', 'main', 'print']);
	});
});

test('links of inferno, with x in counts, still work', async () => {
	/* idle has 100, then comes main, in which parse (600) comes first. */
	const query = `?x=700&y=${printed('print').y}`;

	await visitPicture(simple, { query }, async (page) => {
		await becomes(() => page.shown(), ['all', 'main', 'print']);
	});
});

/* With the root on top, inferno draws it below its details, and Perl over a subtitle. */
for (const [what, args, query] of [
	['flamegraph.pl', [], ({ y }) => `?x=718.0&y=${y}`],
	['flamegraph.pl, with a subtitle', ['--subtitle', 'sub'], ({ y }) => `?x=718.0&y=${y - 24}`],
	['inferno', [], ({ y }) => `?x=600&y=${y + 16}`],
	['inferno, with large text', ['--fontsize', '20'], ({ y }) => `?x=600&y=${y + 24}`],
]) {
	test(`links of icicle graphs of ${what} still work`, async () => {
		const icicle = { args: ['--inverted', ...args] };

		icicle.query = query(printed('lex', icicle.args));
		await visitPicture(lexLast, icicle, async (page) => {
			await becomes(() => page.shown(), ['all', 'main', 'parse', 'lex']);
		});
	});
}

test('a link to the root of an inferno icicle graph shows the whole picture', async () => {
	const { y } = printed('all', ['--inverted']);
	const icicle = { args: ['--inverted'], query: `?x=0&y=${y + 16}` };

	await visitPicture('only;main 10\nonly 5\n', icicle, async (page) => {
		assert.equal(await page.text('unzoom'), null);
	});
});

test('a frame that other tools draw slightly off is found', async () => {
	const { x, y } = printed('print');

	for (const off of [-0.6, 0.6]) {
		const query = `?x=${(x + off).toFixed(1)}&y=${y}`;
		await visitPicture(simple, { query }, async (page) => {
			await becomes(() => page.shown(), ['all', 'main', 'print']);
		});
	}
});

test('the decimal tells whether an x is pixels or counts', async () => {
	/* b starts at pixel 718, which is count 600, and d at count 718. */
	const profile = 'a 600\nb 118\nd 282\n';
	const { y } = printed('a', [], profile);

	for (const [x, name] of [['718.0', 'b'], ['718', 'd']])
		await visitPicture(profile, { query: `?x=${x}&y=${y}` }, async (page) => {
			await becomes(() => page.shown(), ['all', name]);
		});
});

test('an old link is turned into a fragment', async () => {
	const { x, y } = printed('parse');

	await visitPicture(simple, { query: `?x=${x}&y=${y}` }, async (page) => {
		await becomes(() => page.shown(), ['all', 'main', 'parse', 'lex', 'read']);
		await page.click('lex');
		await becomes(async () => (await page.state()).z, ['main;parse;lex']);
		await page.page.reload();
		await page.ready();
		await becomes(() => page.shown(), ['all', 'main', 'parse', 'lex']);
	});
});

for (const query of ['?x=&y=', '?x=1&y=1', '?x=NaN&y=null', '?x=10', '?x=%', '?s=',
	'?x=1e999&y=-0', '?x=10&y=10&x=20', '?constructor=1&__proto__=2', '#', '#part', '#z=',
	'#m=all', '#z=%', '#z=;;;', '#q=', '#q=%E0%A4%A', '#v=xyz', '#m=absent', '#h=absent;x', '#h=',
	'#i=2', '#__proto__=1&constructor=2', '#z=__proto__;constructor']) {
	test(`the address ${query} is harmless`, async () => {
		await visitPicture(simple, { query }, async (page) => {
			assert.equal((await page.shown()).length, 7);
			assert.equal(await page.text('unzoom'), null);
			await page.click('parse');
			await becomes(() => page.shown(), ['all', 'main', 'parse', 'lex', 'read']);
		});
	});
}

for (const query of ['?s=(', '#q=(']) {
	test(`an invalid pattern in the address ${query} is plain text`, async () => {
		await visitPicture('operator( 25\nother 75\n', { query }, async (page) => {
			await becomes(() => page.filledWith(color), ['operator(']);
			assert.equal(await page.text('search'), 'Reset Search');
		});
	});
}
