/*
 * Firefox Profiler's importer opens what is written for it, and its own call tree and
 * list of functions have the same counts.
 */
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import test from 'node:test'
import assert from 'node:assert/strict'

import {bundle} from './bundle.mjs'
import {
	add, check, differential, events, lines, parse, scales, texts, unitOf, write,
} from './profiles.mjs'

const folder = join(process.env.VIEWERS ?? '', 'profiler')
const skip = !process.env.VIEWERS || !existsSync(join(folder, 'node_modules')) ?
	'no Firefox Profiler in VIEWERS' : false
const firefox = skip ? null : await bundle(folder, `
	export {ProfileQuerier} from './src/profile-query'
	export {unserializeProfileOfArbitraryFormat} from './src/profile-logic/process-profile'`)

/* It tells of its steps on the console. */
if (!skip)
	console.log = () => {}

/* Sums by stack of the samples, as the importer has upgraded the profile. */
function stacksOf(profile, threads) {
	const map = new Map()

	for (const thread of threads) {
		const {stackTable, frameTable, funcTable, stringArray} = profile.shared
		const samples = thread.samples

		for (let i = 0; i < samples.length; i++) {
			const frames = []
			let row = samples.stack[i]

			if (row === null)
				continue
			while (row !== null) {
				const func = frameTable.func[stackTable.frame[row]]
				const offset = stackTable.prefixOffset?.[row]

				frames.unshift(stringArray[funcTable.name[func]])
				row = offset === undefined ? stackTable.prefix[row] :
					offset ? row - offset : null
			}
			add(map, frames, samples.weight[i])
		}
	}
	return map
}

/* Self and total by function. */
function functionsOf(stacks) {
	const map = new Map()

	for (const [stack, count] of stacks) {
		const frames = stack.split(';')

		for (const name of new Set(frames)) {
			const sums = map.get(name) ?? [0, 0]

			sums[0] += name === frames.at(-1) ? count : 0
			sums[1] += count
			map.set(name, sums)
		}
	}
	return map
}

async function functionsShown(file, count) {
	const querier = await firefox.ProfileQuerier.load(file, {skipSymbolication: true})
	const map = new Map()

	for (let i = 0; i < count; i++) {
		const {functions} = await querier.threadFunctions(`t-${i}`, undefined, true)

		for (const f of functions) {
			const sums = map.get(f.name) ?? [0, 0]

			map.set(f.name, [sums[0] + f.selfSamples, sums[1] + f.totalSamples])
		}
	}
	return map
}

async function load(file) {
	return firefox.unserializeProfileOfArbitraryFormat(readFileSync(file, 'utf8'))
}

for (const [name, text] of Object.entries(texts)) {
	test(`firefox: ${name}`, {skip}, async () => {
		const file = write(`${name}.json`, text, '-f', 'firefox')
		const profile = await load(file)
		const wanted = parse(text)
		const factor = scales[unitOf(text)] ?? 1
		const roots = new Set([...wanted.keys()].map((k) => k.split(';')[0]))

		assert.deepEqual(profile.threads.map((t) => t.name).sort(), [...roots].sort())
		check(stacksOf(profile, profile.threads), wanted, factor)
		for (const {samples} of profile.threads)
			assert.equal(samples.weightType, unitOf(text) === 'bytes' ? 'bytes' :
				unitOf(text) ? 'tracing-ms' : 'samples')

		const shown = await functionsShown(file, profile.threads.length)
		for (const [f, sums] of functionsOf(wanted))
			for (const i of [0, 1])
				assert.ok(Math.abs(shown.get(f)[i] - sums[i] * factor) <=
					1e-9 * sums[i] * factor, `${f}: ${shown.get(f)}, not ${sums}`)
	})
}

test('firefox: before and after are two processes', {skip}, async () => {
	const profile = await load(write('diff.json', differential, '-f', 'firefox'))
	const of = (name) => profile.threads.filter((t) => t.processName === name)

	check(stacksOf(profile, of('cycles (before)')), parse(differential, 1))
	check(stacksOf(profile, of('cycles (after)')), parse(differential))
})

test('firefox: lines of a function are frames of it', {skip}, async () => {
	const profile = await load(write('lines.json', lines, '-f', 'firefox'))
	const {frameTable, funcTable, sources, stringArray} = profile.shared
	const found = []

	for (let i = 0; i < frameTable.length; i++) {
		const func = frameTable.func[i]
		const file = funcTable.source[func] === null ? '' :
			stringArray[sources.filename[funcTable.source[func]]]

		found.push(`${stringArray[funcTable.name[func]]} ${file} ${frameTable.line[i] ?? ''}`)
	}
	assert.deepEqual([...new Set(found)].sort(), ['leaf  ', 'leaf_[k] src/b.c 7',
		'leaf_[k] src/b.c 9', 'main  ', 'other src/a.c 9', 'run lib/inline.h 4',
		'run src/a.c 3', 'run src/a.c 4'])
})

test('firefox: two events', {skip}, async () => {
	const profile = await load(write('events.json', events, '-f', 'firefox'))
	const of = (name) => profile.threads.filter((t) => t.processName === name)

	check(stacksOf(profile, of('cycles')), new Map([['a;b', 5000], ['a;c', 7000]]))
	check(stacksOf(profile, of('alloc')), new Map([['a;b', 64], ['d;e', 640]]))
})

test('firefox: kernel, native, JIT and inlined code have their colours', {skip}, async () => {
	const profile = await load(write('kinds.json', texts.names, '-f', 'firefox'))
	const {frameTable, funcTable, stringArray} = profile.shared
	const colors = {}

	for (let i = 0; i < frameTable.length; i++)
		colors[stringArray[funcTable.name[frameTable.func[i]]]] =
			profile.meta.categories[frameTable.category[i]].color
	assert.equal(colors['parse_[k]'], 'orange')
	assert.equal(colors['jitted_[j]'], 'green')
	assert.equal(colors['inline_[i]'], 'lightblue')
	assert.equal(colors.main, 'red')
})
