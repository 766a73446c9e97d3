/* Tests the card beside the frame that is pointed at. */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { canEmulate } from './browsers.mjs';
import { becomes, visitPicture, write } from './harness.mjs';
import { all, find, merge, percent, rows } from './model.mjs';
import { changed, large, simple } from './profiles.mjs';

/* Returns the texts of the card, and where it is; null without a card. */
const card = (page) => page.page.evaluate(() => {
	const element = document.querySelector('.fg-card');
	if (!element || element.getClientRects().length === 0)
		return null;
	const { left, top, right, bottom } = element.getBoundingClientRect();
	return {
		left, top, right, bottom,
		name: element.querySelector('b').textContent,
		small: Array.from(element.querySelectorAll('small'), (one) => one.textContent),
		rows: Array.from(element.querySelectorAll('.fg-facts > span:not(.fg-share)'),
			(one) => one.textContent),
		bars: Array.from(element.querySelectorAll('.fg-share i'),
			(one) => one.getBoundingClientRect().width /
				one.parentNode.getBoundingClientRect().width),
	};
});

const near = (a, b) => Math.abs(a - b) < 0.02;

test('the card has name, total and self, with bars of their shares', async () => {
	const root = merge(simple);

	await visitPicture(simple, {}, async (page) => {
		assert.equal(await card(page), null);
		for (const path of ['main', 'main;parse', 'main;parse;lex', 'idle']) {
			const frame = find(root, path);
			await page.hover(frame.name);
			const { name, rows: texts, bars, small } = await card(page);
			assert.equal(name, frame.name);
			assert.deepEqual(texts, [
				'Total', `${frame.total} samples`, percent(frame.total, root.total),
				'Self', `${frame.self} samples`, percent(frame.self, root.total)]);
			assert.ok(near(bars[0], frame.total / root.total), `${bars}`);
			/* A share that is not 0 has at least a pixel. */
			assert.ok(frame.self === 0 ? bars[1] === 0 : near(bars[1], frame.self / root.total),
				`${bars}`);
			assert.deepEqual(small,
				[`${percent(frame.total, frame.parent.total)} of parent`]);
		}
		/* The card goes with the pointer, and comes back with it. */
		for (let i = 0; i < 2; i++) {
			await page.hover('lex');
			await becomes(async () => (await card(page)).name, 'lex');
			await page.page.mouse.move(5, 5);
			await becomes(() => card(page), null);
		}
	});
});

test('within a zoom the card has the share of the zoom', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('parse');
		await page.hover('lex');
		assert.deepEqual((await card(page)).small, ['66.67% of zoom, 66.67% of parent']);
	});
});

test('the source line is below the name', async () => {
	await visitPicture('run:src/app.c:12 3\nvoid std::f<a::b>() 2\nx@libc.so.6 1\n', {},
		async (page) => {
			await page.hover('run:src/app.c:12');
			const { name, small } = await card(page);
			assert.deepEqual([name, small[0]], ['run', 'src/app.c:12']);
			await page.hover('void std::f<a::b>()');
			assert.equal((await card(page)).name, 'void std::f<a::b>()');
			await page.hover('x@libc.so.6');
			assert.equal((await card(page)).name, 'x@libc.so.6');
		});
});

test('the card lists the three hottest lines of a function', async () => {
	const profile = 'main:src/a.c:1 50\nmain:src/a.c:2;f:b.c:7 100\nmain:src/a.c:3 70\n' +
		'main:src/a.c:4 80\nidle 700\n';

	await visitPicture(profile, {}, async (page) => {
		await page.hover('main:src/a.c:1');
		const { name, small, rows: texts } = await card(page);
		assert.deepEqual([name, ...small.slice(0, 2)],
			['main', 'src/a.c:1', 'Hottest lines of the function']);
		assert.deepEqual(texts.slice(6), ['a.c:2', '100', '10.00%', 'a.c:4', '80', '8.00%',
			'a.c:3', '70', '7.00%']);
		/* One line says no more than the total. */
		await page.hover('f:b.c:7');
		const one = await card(page);
		assert.deepEqual([one.name, one.rows.length], ['f', 6]);
		await page.hover('idle');
		assert.equal((await card(page)).rows.length, 6);
	});
});

test('the card shows the source of the hottest lines as text', async () => {
	const evil = '</fg:line><script>window.evil = 1</script><b>&amp;</b>';
	/* Ten frames, so that the viewer is not the small one, and a function of one line. */
	const profile = 'main:a.c:1 50\nmain:a.c:2;f:a.c:4 100\nmain:a.c:3;g:gone.c:1 70\n' +
		'a;b;c;d 700\n';

	write('a.c', `first();\n\t${evil}\n\nlast();\n`);
	for (const lines of [profile, 'f:a.c:4 100\n'])
		await visitPicture(lines, { args: ['--source'] }, async (page) => {
			await page.hover('f:a.c:4');
			await becomes(async () => (await card(page))?.rows.slice(6),
				['a.c:4', '100', lines === profile ? '10.87%' : '100.00%', 'last();']);
		});
	await visitPicture(profile, { args: ['--source'] }, async (page) => {
		await page.hover('main:a.c:1');
		await becomes(async () => (await card(page))?.rows.slice(6), [
			'a.c:2', '100', '10.87%', evil, 'a.c:3', '70', '7.61%',
			'a.c:1', '50', '5.43%', 'first();']);
		assert.deepEqual(await page.page.evaluate(() => [window.evil,
			document.querySelectorAll('.fg-source *').length,
			getComputedStyle(document.querySelector('.fg-source')).fontFamily,
		]), [undefined, 0, 'monospace']);
		await page.hover('g:gone.c:1');
		await becomes(async () => (await card(page))?.rows.length, 6);
	});
});

for (const [width, height] of [[1220, 700], [640, 300], [360, 640]]) {
	test(`the card is in the window and beside its frame: ${width}x${height}`, async () => {
		const long = 'n'.repeat(400);
		const profile = large(60) + `main;${long} 900\n`;

		await visitPicture(profile, { size: { width, height } }, async (page) => {
			const frames = (await page.frames()).filter(({ top, width: wide }) =>
				wide > 6 && top > 110 && top < height - 60);
			let seen = 0;
			for (const frame of frames.filter((_, i) => i % 5 === 0)) {
				await page.hover(frame);
				const box = await card(page);
				if (!box)
					continue;
				seen++;
				const at = JSON.stringify([frame, box]);
				assert.ok(box.left >= 0 && box.top >= 0 && box.right <= width &&
					box.bottom <= height, at);
				assert.ok(box.bottom <= frame.top || box.top >= frame.top + 15 ||
					box.right <= frame.left || box.left >= frame.left + frame.width, at);
			}
			assert.ok(seen > 3, `${seen} of ${frames.length}`);
		});
	});
}

test('a long name is short in bold, and complete and wrapped below', async () => {
	const long = Array.from({ length: 60 }, (_, i) => `part${i}`).join('::');

	await visitPicture(`${long} 10\nother 10\n`, { size: { width: 500, height: 600 } },
		async (page) => {
			await page.hover(long);
			const box = await card(page);
			assert.equal(box.name, long.slice(long.indexOf(box.name)));
			assert.ok(box.name.length < 70, box.name);
			assert.equal(box.small[0], long);
			const fits = await page.page.evaluate(() => {
				const element = document.querySelector('.fg-card');
				return element.scrollHeight <= element.clientHeight &&
					element.scrollWidth <= element.clientWidth;
			});
			assert.ok(fits);
		});
});

test('the card follows the focus of the keyboard', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.hover('lex');
		await page.press('Home', 'ArrowUp', 'ArrowRight');
		await becomes(async () => (await card(page)).name, 'main');
		const box = await card(page);
		const { left, top } = await page.frame('main');
		assert.ok(box.left >= left && box.left < left + 60, `${box.left}`);
		assert.ok(box.top >= top + 15 || box.bottom <= top);
	});
});

test('the card goes when Tab leaves the frames, so that it covers no other focus', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('lex');
		await page.page.mouse.move(1000, 20);
		await page.press('Home');
		await becomes(async () => (await card(page)).name, 'all');
		await page.press('Tab');
		await becomes(() => card(page), null);
	});
});

test('there is no card of the frame that gets the focus after a search', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.click('input.fg-term');
		await page.type('lex');
		await page.press('Enter');
		await page.settle();
		assert.equal(await card(page), null);
		await page.press('n');
		await becomes(async () => (await card(page))?.name, 'lex');
	});
});

/*
 * Returns the tooltip that a browser would show: the first title from the pointer outwards.
 */
const tooltip = (page, point) => page.ask(({ x, y }) => {
	for (let at = document.elementFromPoint(x, y); at; at = at.parentElement) {
		const title = Array.from(at.children).find(({ localName }) => localName === 'title');
		if (title)
			return title.textContent;
	}
	return null;
}, point);

test('the browser shows no tooltip beside the card, and titles stay', async () => {
	await visitPicture(simple, {}, async (page) => {
		const before = (await page.frames()).map(({ title }) => title);
		await page.hover('lex');
		assert.equal(await tooltip(page, await page.point('lex')), '');
		assert.ok((await page.frame('lex')).title.startsWith('lex (400 samples, 40.00%)'));
		assert.match(await tooltip(page, await page.point('print')), /^print \(300 samples/);
		await page.hover('print');
		assert.equal(await tooltip(page, await page.point('print')), '');
		await page.page.mouse.move(5, 5);
		await page.settle();
		assert.deepEqual((await page.frames()).map(({ title }) => title), before);
	});
});

test('there is no card by touch', async () => {
	await visitPicture(simple, {}, async (page) => {
		const { x, y } = await page.point('lex');
		await page.ask(({ x: clientX, y: clientY }) => {
			const node = document.elementFromPoint(clientX, clientY);
			const at = { bubbles: true, clientX, clientY };
			node.dispatchEvent(new PointerEvent('pointerdown', { ...at, pointerType: 'touch' }));
			node.dispatchEvent(new PointerEvent('pointerup', { ...at, pointerType: 'touch' }));
			node.dispatchEvent(new MouseEvent('mouseover', at));
		}, { x, y });
		await becomes(async () => (await page.text('details')).startsWith('Function: lex'), true);
		await page.settle();
		assert.equal(await card(page), null);
	});
});

test('the card cannot be clicked, and is not printed', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.hover('lex');
		const { left, top } = await card(page);
		const hit = await page.ask(({ x, y }) =>
			Boolean(document.elementFromPoint(x, y)?.closest('.fg-card')),
		{ x: left + 5, y: top + 5 });
		assert.equal(hit, false);
		if (!canEmulate)
			return;
		await page.page.emulateMedia({ media: 'print' });
		assert.equal(await card(page), null);
	});
});

/* ---- differentials */

/* Significant means more than twice the Poisson deviation, with samples that weigh 1. */
const words = (before, after) =>
	Math.abs(after - before) < 2 * Math.sqrt(before + after) ? 'noise can explain it' :
		'more than noise';

test('in a differential the card has both sides, and says if the change is noise', async () => {
	const profile = 'main;grown 200 400\nmain;alike 300 310\nmain;fresh 0 200\n' +
		'main;same 400 400\nmain 100 90\n';
	const root = merge(profile);

	await visitPicture(profile, {}, async (page) => {
		for (const name of ['grown', 'alike', 'fresh', 'same']) {
			const { total, totalBefore } = find(root, 'main;' + name);
			const difference = total - totalBefore;
			const ratio = totalBefore > 0 ? `×${(total / totalBefore).toFixed(1)}` : 'new';
			const change = difference === 0 ? 'none' :
				`+${difference}, ${ratio}: ${words(totalBefore, total)}`;
			await page.hover(name);
			const { rows: texts } = await card(page);
			assert.deepEqual(texts.slice(6), [
				'Before → after', `${totalBefore} → ${total} samples`,
				'Share', `${percent(totalBefore, root.totalBefore)} → ` +
					percent(total, root.total),
				'Change', change, 'Change of self', change]);
		}
	});
});

test('without a known sample weight the card does not mention noise', async () => {
	await visitPicture(changed, { args: ['--compat=perl'] }, async (page) => {
		await page.hover('grown');
		assert.deepEqual((await card(page)).rows.slice(10),
			['Change', '+200, ×2.0', 'Change of self', '+200, ×2.0']);
	});
});

test('a frame that is gone is called gone', async () => {
	await visitPicture(changed, {}, async (page) => {
		await page.hover('gone');
		assert.ok((await card(page)).rows.includes('-100, gone: more than noise'));
	});
	/* A function that still exists, without own counts, is not gone. */
	await visitPicture('main;was 100 0\nmain;was;callee 50 90\nmain;is 0 80\n' +
		'main;is;callee 50 60\n', {}, async (page) => {
		await page.hover('was');
		assert.equal((await card(page)).rows.at(-1), '-100, to 0: more than noise');
		await page.hover('is');
		assert.equal((await card(page)).rows.at(-1), '+80, from 0: more than noise');
	});
});

test('a card leaves no trace in a saved page', async () => {
	await visitPicture(simple, {}, async (page) => {
		await page.hover('lex');
		const made = await page.ask(() =>
			Array.from(document.querySelectorAll('.fg-card, rect > title'),
				(one) => one.closest('.fg-made') !== null));
		assert.deepEqual(made, [true, true]);
		assert.equal((await page.frames()).length, all(merge(simple)).length);
		assert.equal(rows(merge(simple)).length, 7);
	});
});
