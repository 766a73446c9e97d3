/* speedscope's importer opens what is written for it, and what is written for pprof. */
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import test from 'node:test'
import assert from 'node:assert/strict'

import {bundle} from './bundle.mjs'
import {
	add, check, differential, events, lines, parse, texts, unitOf, write,
} from './profiles.mjs'

const folder = join(process.env.VIEWERS ?? '', 'speedscope')
const skip = !process.env.VIEWERS || !existsSync(join(folder, 'node_modules')) ?
	'no speedscope in VIEWERS' : false
const speedscope = skip ? null : await bundle(folder,
	"export {importProfilesFromArrayBuffer} from './src/import'")

/* Self weights by stack, from the tree that speedscope makes. */
function stacksOf(profile) {
	const map = new Map()
	const open = [[profile.getAppendOrderCalltreeRoot(), []]]

	while (open.length) {
		const [node, frames] = open.pop()

		if (node.getSelfWeight() > 0)
			add(map, frames, node.getSelfWeight())
		for (const child of node.children)
			open.push([child, [...frames, child.frame.name]])
	}
	return map
}

async function load(file) {
	const bytes = readFileSync(file)
	const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)

	return speedscope.importProfilesFromArrayBuffer(file, buffer)
}

const units = {ns: 'nanoseconds', us: 'microseconds', ms: 'milliseconds', bytes: 'bytes'}

for (const [name, text] of Object.entries(texts)) {
	test(`speedscope: ${name}`, {skip}, async () => {
		const group = await load(write(name, text, '-f', 'speedscope'))

		assert.equal(group.profiles.length, 1)
		assert.equal(group.profiles[0].getWeightUnit(), units[unitOf(text)] ?? 'none')
		check(stacksOf(group.profiles[0]), parse(text))
	})

	test(`speedscope --split: ${name}`, {skip}, async () => {
		const group = await load(write(name, text, '-f', 'speedscope', '--split'))
		const wanted = parse(text)

		for (const profile of group.profiles) {
			const part = [...wanted].filter(([k]) => k.split(';')[0] === profile.getName())

			assert.ok(part.length)
			check(stacksOf(profile), new Map(part))
		}
	})

	test(`speedscope, of pprof: ${name}`, {skip}, async () => {
		const group = await load(write(`${name}.pb.gz`, text, '-f', 'pprof'))
		const wanted = parse(text)

		/* decimals of a ms are us there */
		check(stacksOf(group.profiles[0]), wanted, name === 'time' ? 1000 : 1)
	})
}

test('speedscope: files and lines', {skip}, async () => {
	const group = await load(write('lines', lines, '-f', 'speedscope'))
	const found = []

	group.profiles[0].forEachFrame((f) => found.push([f.name, f.file, f.line].join(' ')))
	assert.deepEqual(found.sort(), ['leaf  ', 'leaf_[k] src/b.c 7', 'leaf_[k] src/b.c 9',
		'main  ', 'other src/a.c 9', 'run lib/inline.h 4', 'run src/a.c 3', 'run src/a.c 4'])
})

test('speedscope: before and after', {skip}, async () => {
	const group = await load(write('diff', differential, '-f', 'speedscope'))

	assert.deepEqual(group.profiles.map((p) => p.getName()),
		['cycles (before)', 'cycles (after)'])
	check(stacksOf(group.profiles[0]), parse(differential, 1))
	check(stacksOf(group.profiles[1]), parse(differential))
})

test('speedscope: two events', {skip}, async () => {
	const group = await load(write('events', events, '-f', 'speedscope'))

	assert.deepEqual(group.profiles.map((p) => [p.getName(), p.getWeightUnit()]),
		[['cycles', 'none'], ['alloc', 'bytes']])
	check(stacksOf(group.profiles[0]), new Map([['a;b', 5000], ['a;c', 7000]]))
	check(stacksOf(group.profiles[1]), new Map([['a;b', 64], ['d;e', 640]]))
})

test('speedscope: the order of time', {skip}, async () => {
	const text = '# unit: us\na;b 1\nb;c 2\na;b 3\na 4\na;c 1\na 2\n'
	const group = await load(write('order', text, '-f', 'speedscope', '--time-order'))
	const calls = []

	group.profiles[0].forEachCall((node, at) => calls.push(`${node.frame.name}@${at}`),
		() => {})
	assert.deepEqual(calls, ['a@0', 'b@0', 'b@1', 'c@1', 'a@3', 'b@3', 'c@10'])
})
