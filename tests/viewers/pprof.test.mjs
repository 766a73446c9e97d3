/* pprof opens what is written for it, and shows the same counts. */
import {spawnSync} from 'node:child_process'
import {dirname} from 'node:path'
import test from 'node:test'
import assert from 'node:assert/strict'

import {
	check, differential, events, lines, parse, pipe, run, scratch, texts, write,
} from './profiles.mjs'

const found = spawnSync('go', ['tool', 'pprof', '-h'])
const skip = found.status === 0 || /usage/.test(found.stderr ?? '') ? false :
	'no go tool pprof'
const pprof = (...words) => run('go', 'tool', 'pprof', ...words)

/* { name: [flat, cum] } of -top, in the unit of the profile. */
function top(...words) {
	const map = new Map()

	for (const line of pprof('-top', '-nodecount=0', '-edgefraction=0', '-nodefraction=0',
		...words).split('\n')) {
		const m = /^ *(\S+) +\S+% +\S+% +(\S+) +\S+% {2}(.*)$/.exec(line)

		if (m)
			map.set(m[3], [parseFloat(m[1]), parseFloat(m[2])])
	}
	return map
}

for (const [name, text] of Object.entries(texts)) {
	test(`pprof: ${name}`, {skip}, () => {
		const file = write(`${name}.pb.gz`, text, '-f', 'pprof')
		const got = parse(pipe(pprof('-raw', file), 'collapse-go'))

		if (name === 'names') /* -raw parts names by blanks */
			assert.equal([...got.values()].reduce((a, b) => a + b), 54)
		else
			check(got, parse(text), name === 'time' ? 1000 : 1)
		assert.match(pprof('-traces', file), /-----/)
	})
}

test('pprof: names', {skip}, () => {
	const file = write('names.pb.gz', texts.names, '-f', 'pprof')
	const shown = top(file)

	for (const name of ['quote"back\\slash\ttab', '<b>&amp', 'bad\ufffd\ufffd', '[unknown]',
		'parse_[k]'])
		assert.ok(shown.has(name), `${name} is not in ${[...shown.keys()].join(' | ')}`)
})

test('pprof: nothing is said of missing binaries', {skip}, () => {
	const file = write('quiet.pb.gz', texts.bytes, '-f', 'pprof')
	const result = spawnSync('go', ['tool', 'pprof', '-top', file])

	assert.equal(result.stderr.toString(), '')
})

test('pprof: -list shows the counts of lines', {skip}, () => {
	const file = write('lines.pb.gz', lines, '-f', 'pprof')
	const folders = ['src/a.c', 'src/b.c', 'lib/inline.h'].map((name) =>
		dirname(dirname(scratch(`sources/${name}`, 'line\n'.repeat(9)))))
	const listed = pprof('-list', '^(run|leaf)', '-source_path', folders[0], file)
	const counted = (text) => [...text.matchAll(/^ +([0-9.]+) +([0-9.]+) +([0-9]+):line$/gm)]
		.map((m) => m.slice(1).join(' ')).filter((row) => !row.startsWith('. .'))

	assert.match(listed, /^ROUTINE =+ leaf_\[k\] in src\/b\.c\n +11 +11 /m)
	assert.deepEqual(counted(listed).sort(),
		['. 5 3', '. 8 4', '1 1 4', '5 5 7', '6 6 9'])
})

test('pprof: two columns are a difference', {skip}, () => {
	const file = write('diff.pb.gz', differential, '-f', 'pprof')
	const shown = top(file)

	assert.deepEqual(shown.get('b'), [2, 2])
	assert.deepEqual(shown.get('c'), [-4, -4])
	assert.deepEqual(shown.get('d'), [3, 3])
	assert.deepEqual(shown.get('a'), [0, 1])
	/* in percent of what was before, as of -diff_base */
	assert.match(pprof('-top', file), /of 9 total/)
})

test('pprof: -diff_base of two files is the same', {skip}, () => {
	const split = (column) => [...parse(differential, column)]
		.map(([stack, count]) => `${stack} ${count}\n`).join('')
	const before = write('before.pb.gz', '# event: cycles\n' + split(1), '-f', 'pprof')
	const after = write('after.pb.gz', '# event: cycles\n' + split(0), '-f', 'pprof')
	const both = write('both.pb.gz', differential, '-f', 'pprof')

	assert.deepEqual(top('-diff_base', before, after), top(both))
})

test('pprof: events are sample types, the first the default', {skip}, () => {
	const file = write('events.pb.gz', events, '-f', 'pprof')

	assert.deepEqual(top(file).get('b'), [5000, 5000])
	assert.deepEqual(top('-sample_index=alloc', file).get('e'), [640, 640])
	assert.match(pprof('-top', '-sample_index=alloc', file), /704B total/)
})

test('pprof: first frames as labels', {skip}, () => {
	const file = write('label.pb.gz', texts.large, '-f', 'pprof', '--root-label', 'thread')

	assert.match(pprof('-tags', file), /thread: Total/)
	assert.match(pprof('-tags', file), /thread-3/)
	assert.ok(!top(file).has('thread-3'))
	assert.ok(top('-tagroot', 'thread', file).has('thread-3'))
})

test('pprof: the period', {skip}, () => {
	const file = write('period.pb.gz', texts.large, '-f', 'pprof')

	assert.match(pprof('-raw', file), /^PeriodType: cpu-clock nanoseconds\nPeriod: 1000000$/m)
})
