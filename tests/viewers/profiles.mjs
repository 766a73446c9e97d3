/* The profiles that are given to viewers, and what their stacks are. */
import {spawnSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import assert from 'node:assert/strict'

const folder = mkdtempSync(join(tmpdir(), 'profiles-'))
const goldens = new URL('../golden/report-folded/', import.meta.url)
const golden = (name) => readFileSync(new URL(`export-${name}/input`, goldens))

/* Depth, breadth and repeated names: a profile as large as real ones are. */
function large() {
	const lines = ['# event: cpu-clock', '# unit: ns', '# sample-weight: 1000000']
	let state = 1

	for (let i = 0; i < 5000; i++) {
		const frames = [`thread-${i % 7}`]

		state = (state * 1103515245 + 12345) % 2147483648
		for (let n = state % 40; n >= 0; n--) {
			state = (state * 1103515245 + 12345) % 2147483648
			frames.push(`f${(state >> 8) % 300}${state % 11 ? '' : '_[k]'}`)
		}
		lines.push(`${frames.join(';')} ${1000000 * (1 + (state >> 4) % 900)}`)
	}
	return lines.join('\n') + '\n'
}

export const texts = {
	names: golden('names'),
	time: golden('time'),
	bytes: '# unit: bytes\nmain;a 4096\nmain;b;c 1048576\nmain 24\n',
	large: large(),
}
export const lines = golden('lines')
export const differential = golden('diff')
export const events = '# event: cycles\na;b 5000\na;c 7000\n# event: alloc\n' +
	'# unit: bytes\na;b 64\nd;e 640\n'

/* A unit in ms; a unit that is not a time counts itself. */
export const scales = {ns: 1e-6, us: 1e-3, ms: 1, s: 1e3}

export function unitOf(text) {
	return /^# unit: (.*)$/m.exec(text.toString())?.[1]
}

/* Sums by stack: a Map of text with ';' between frames. */
export function add(map, frames, weight) {
	const key = frames.map((f) => f || '[unknown]').join(';')

	map.set(key, (map.get(key) ?? 0) + weight)
}

/* Control characters are shown as their bytes. */
function visible(text) {
	return text.replace(/[\x01\u202e]/g, (c) => [...Buffer.from(c)]
		.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''))
}

/* The last of each line's counts, or of two the first with column 1. */
export function parse(text, column = 0) {
	const map = new Map()

	for (const line of text.toString().split('\n')) {
		const words = line.split(' ')

		if (!line || line.startsWith('# '))
			continue
		const counts = words.splice(column || isDifferential(words) ? -2 : -1).map(Number)
		const stack = visible(words.join(' ')).replace(/;+$/, '')
		const count = counts[column ? 0 : counts.length - 1]
		if (count)
			add(map, stack.split(';'), count)
	}
	return map
}

function isDifferential(words) {
	return words.length > 2 && !words[0].startsWith('Thread') &&
		/^[0-9.]+$/.test(words.at(-2))
}

export function check(got, wanted, factor = 1) {
	assert.deepEqual([...got.keys()].sort(), [...wanted.keys()].sort())
	for (const [stack, count] of wanted)
		assert.ok(Math.abs(got.get(stack) - count * factor) <= 1e-9 * count * factor,
			`${stack}: ${got.get(stack)}, not ${count * factor}`)
}

/* Writes a text with report-folded and returns the file. */
export function write(name, text, ...options) {
	const file = join(folder, name)
	const run = spawnSync(join(process.env.BIN, 'report-folded'),
		[...options, '-o', file], {input: text})

	assert.equal(run.status, 0, run.stderr.toString())
	return file
}

export function run(command, ...words) {
	const result = spawnSync(command, words, {maxBuffer: 1 << 28})

	assert.equal(result.status, 0, `${command}: ${result.error ?? result.stderr}`)
	return result.stdout.toString()
}

/* Like run(), for a program that reads `input`. */
export function pipe(input, program) {
	const result = spawnSync(join(process.env.BIN, program), [], {input, maxBuffer: 1 << 28})

	assert.equal(result.status, 0, result.stderr.toString())
	return result.stdout.toString()
}

export function scratch(name, text) {
	mkdirSync(dirname(join(folder, name)), {recursive: true})
	writeFileSync(join(folder, name), text)
	return join(folder, name)
}
