/*
 * Tests labels: how names are shortened, that no text leaves its frame, and the shares
 * beside them.
 */

import assert from 'node:assert/strict';
import { test } from './sample.mjs';
import { emulated } from './browsers.mjs';
import { visitPicture } from './harness.mjs';
import { changed, large, numbers, simple } from './profiles.mjs';

/*
 * Returns the labels that are wider than their frame or reach into its share, and the
 * number of labels.
 */
function overflowing() {
	const worst = [];
	let labels = 0;

	for (const text of document.querySelectorAll('#frames text:not([text-anchor])')) {
		const rect = text.parentNode.querySelector('rect');
		const share = text.nextElementSibling;
		if (!text.textContent || text.getClientRects().length === 0)
			continue;
		labels++;
		const right = Number(text.getAttribute('x')) + text.getComputedTextLength();
		const end = Number(rect.getAttribute('x')) + Number(rect.getAttribute('width'));
		const edge = share ?
			Math.min(end, share.getAttribute('x')) - share.getComputedTextLength() : end;
		if (right > edge)
			worst.push([text.textContent, right - edge]);
	}
	return { labels, worst: worst.sort((a, b) => b[1] - a[1]).slice(0, 5) };
}

/* Returns 10,000 frames, 25 to a stack. The first are wide enough for many labels. */
function stacks(word) {
	return Array.from({ length: 400 }, (_, i) =>
		Array.from({ length: 25 }, (__, j) => word() + i + '.' + j).join(';') +
			` ${Math.ceil(1e6 / (i + 1))}\n`).join('');
}

/* Returns names in which no two characters are equally wide. */
function unevenNames() {
	const next = numbers(3);
	const letters = ['W', 'm', 'M', '@', 'i', 'l', '.', '_', ':', '日', 'é', '😀', 'w', 'Q'];

	return stacks(() => Array.from({ length: next(30) + 3 }, () =>
		letters[next(letters.length)]).join(''));
}

function real() {
	const next = numbers(5);
	const names = large(300).split(/[;\n]| \d+\n/);

	return stacks(() => names[next(names.length)]);
}

for (const [what, profile, args] of [
	['real names', real(), []],
	['wide and narrow letters', unevenNames(), []],
	['a monospaced font', unevenNames(), ['--fonttype', 'monospace']],
	['a serif font, large', unevenNames(), ['--fonttype', 'serif', '--fontsize', '20']],
	['a font that does not exist', unevenNames(), ['--fonttype', 'No Such Font']],
]) {
	test(`no label is wider than its frame: ${what}`, async () => {
		await visitPicture(profile, { args }, async (page) => {
			const before = await page.ask(overflowing);
			assert.ok(before.labels > 50, `${before.labels} labels`);
			assert.deepEqual(before.worst, []);
			const [, , , frame] = (await page.frames()).filter(({ width }) => width > 30);
			await page.click(frame.title);
			assert.deepEqual((await page.ask(overflowing)).worst, []);
			await page.page.setViewportSize({ width: 700, height: 900 });
			await page.settle();
			await page.settle();
			assert.deepEqual((await page.ask(overflowing)).worst, []);
		});
	});
}

test('labels are in the same frames as without script', async () => {
	const drops = () => [...new Set(Array.from(document.querySelectorAll('#frames text'))
		.filter((text) => text.textContent)
		.map((text) => {
			const anchor = text.getAttribute('text-anchor');
			const lengthOf = (name) =>
				Number(text.parentNode.querySelector('rect').getAttribute(name));
			const edge = lengthOf('x') + (anchor ? lengthOf('width') : 0);
			const drop = [text.getAttribute('x') - edge, text.getAttribute('y') - lengthOf('y')];
			return [anchor, ...drop.map((length) => length.toFixed(1))].join();
		}))].sort();

	for (const height of [16, 21])
		await visitPicture(simple, { args: ['--height', `${height}`] }, async (page) => {
			const before = await page.ask(drops);
			assert.equal(before.length, 2);
			await page.press('i');
			assert.deepEqual(await page.ask(drops), before);
			await page.click('parse');
			assert.deepEqual(await page.ask(drops), before);
		});
});

/* Returns the names and shares of the frames that have a share beside their label. */
async function sharesOf(page) {
	return (await page.frames()).filter(({ share }) => share)
		.map(({ name, share }) => `${name} ${share}`);
}

const shares = ['all 100%', 'idle 10.0%', 'main 90.0%', 'parse 60.0%', 'print 30.0%',
	'lex 40.0%', 'read 15.0%'];

test('a wide frame has its share of what 100 % is', async () => {
	await visitPicture(simple, {}, async (page) => {
		assert.deepEqual(await sharesOf(page), shares);
		await page.click('parse');
		assert.deepEqual(await sharesOf(page), ['all 100%', 'main 90.0%', 'parse 60.0%',
			'lex 40.0%', 'read 15.0%']);
		await page.press('Escape');
		await page.hover('print');
		await page.press('h');
		assert.deepEqual(await sharesOf(page), ['all 100%', 'idle 14.3%', 'main 85.7%',
			'parse 85.7%', 'lex 57.1%', 'read 21.4%']);
		await page.press('u');
		assert.deepEqual(await sharesOf(page), shares);
	});
});

for (const script of [true, false])
	test(`shares agree with titles${script ? '' : ' without script'}`,
		script ? {} : emulated, async () => {
			const some = Array.from({ length: 15 }, (_, i) => `f${i} ${37 * i + 50}\n`);
			await visitPicture(some.join(''), { script }, async (page) => {
				const wide = (await page.frames()).filter(({ share }) => share);
				assert.ok(wide.length > 10, `${wide.length} frames`);
				for (const { title, share } of wide) {
					const [, percent] = /, ([\d.]+)%\)$/.exec(title);
					assert.ok(Math.abs(parseFloat(share) - percent) <= 0.055, title + share);
				}
			});
		});

for (const [what, profile, args] of [
	['a difference', changed, []],
	['a flame chart', simple, ['--flamechart']],
	['the classic theme', simple, ['--theme', 'classic']],
	['--compat', simple, ['--compat', 'inferno']],
])
	test(`labels have no shares: ${what}`, async () => {
		await visitPicture(profile, { args }, async (page) => {
			assert.deepEqual(await sharesOf(page), []);
			await page.click('main');
			assert.deepEqual(await sharesOf(page), []);
		});
	});

test('a label is not cut much more than necessary', async () => {
	const name = 'iiiilllliiiilllliiiillll'.repeat(12);

	await visitPicture(`main;${name} 10\nmain 20\n`, {}, async (page) => {
		const share = await page.ask(() => {
			const [text] = Array.from(document.querySelectorAll('#frames text'))
				.filter(({ textContent }) => textContent.startsWith('iii'));
			const rect = text.parentNode.querySelector('rect');
			return text.getComputedTextLength() / rect.getAttribute('width');
		});
		assert.ok(share > 0.85, `${share} of the width is used`);
	});
});

test('a label is never cut within a character', async () => {
	const name = '😀'.repeat(40);

	await visitPicture(`main;a;${name} 10\nmain;b 90\nc 900\n`, {}, async (page) => {
		await page.click('main');
		const { label } = await page.frame(name);
		assert.match(label, /^(😀)+(\.\.|…)$/u);
	});
});

/* Each name is too long for its frame, which has enough room for the important part. */
for (const [how, name, kept] of [
	['cxx', 'std::vector<std::pair<int, std::basic_string<char> >, std::allocator<std::pair' +
		'<int, std::basic_string<char> > > >::push_back', 'push_back'],
	['cxx', 'void boost::asio::detail::executor_op<std::function<void (boost::system::error' +
		'_code const&)>, std::allocator<void> >::do_complete(void*, int)', 'do_complete'],
	['rust', '<alloc::vec::Vec<T,A> as alloc::vec::spec_extend::SpecExtend<T,alloc::vec::in' +
		'to_iter::IntoIter<T> > >::spec_extend', 'spec_extend'],
	['go', 'github.com/prometheus/prometheus/tsdb/encoding/binary/very/deep.(*Decbuf).Uvarint64',
		'Uvarint64'],
	['java', 'org/apache/hadoop/hbase/regionserver/internals/compaction/StoreScanner.nextRow',
		'nextRow'],
]) {
	const profile = `main;${name} 20\nmain 80\n`;

	for (const option of [how, 'auto']) {
		test(`--shorten ${option} keeps the important part of ${name.slice(0, 30)}`, async () => {
			const args = ['--shorten', option];
			await visitPicture(profile, { args }, async (page) => {
				const { label } = await page.frame(name);
				assert.ok(label.includes(kept), `${label} has ${kept}`);
				const { worst } = await page.ask(overflowing);
				assert.deepEqual(worst, []);
			});
		});
	}

	test(`--shorten ${how} is the same without script: ${name.slice(0, 30)}`, async () => {
		const args = ['--shorten', how, '--no-script'];
		await visitPicture(profile, { args, viewer: false }, async (page) => {
			assert.ok((await page.frame(name)).label.includes(kept));
		});
	});

	test(`--shorten ${how} shortens zoomed frames: ${name.slice(0, 30)}`, async () => {
		const small = `main;group;${name} 1\nmain;group;b 5\nmain 4990\n`;
		await visitPicture(small, { args: ['--shorten', how] }, async (page) => {
			await page.click('group');
			const { label } = await page.frame(name);
			assert.ok(label.includes(kept), `${label} has ${kept}`);
		});
	});

	test(`--shorten none only cuts: ${name.slice(0, 30)}`, async () => {
		await visitPicture(profile, { args: ['--shorten', 'none'] }, async (page) => {
			const { label } = await page.frame(name);
			assert.ok(label.length > 5);
			assert.ok(name.startsWith(label.replace(/(\.\.|…)$/, '')), label);
		});
	});
}

test('a name that fits is not shortened', async () => {
	const name = 'std::vector<int, std::allocator<int> >::push_back';

	for (const option of ['auto', 'cxx', 'rust', 'go', 'java']) {
		const args = ['--shorten', option];
		await visitPicture(`${name} 10\n`, { args }, async (page) => {
			assert.equal((await page.frame(name)).label, name, option);
		});
	}
});

test('a shortened name is searched and shown in the details in full', async () => {
	const name = 'std::vector<std::pair<int, long>, std::allocator<std::pair<int, long> > >::at';

	await visitPicture(`main;${name} 15\nmain 85\n`, { args: ['--shorten', 'cxx'] },
		async (page) => {
			await page.search('allocator<');
			assert.match(await page.text('matched'), /^Matched: 15.0%/);
			await page.hover(name);
			assert.ok((await page.text('details')).includes(name));
		});
});

test('names with unpaired brackets and separators are drawn without harm', async () => {
	for (const name of ['a<b', 'a>b<c>>', 'operator<<', 'operator->', 'f<g<h', '<<<<', '::::',
		'<>', 'a::', '::a', '/', '//', '.', '(*)', '<a as b>', 'x'.repeat(300) + '<y>']) {
		const profile = `main;${name.repeat(6)} 5\nmain 95\n`;
		await visitPicture(profile, {}, async (page) => {
			assert.deepEqual((await page.ask(overflowing)).worst, [], name);
			const frames = await page.frames();
			assert.equal(frames.length, 3);
			await page.click(frames[2].title);
		});
	}
});
