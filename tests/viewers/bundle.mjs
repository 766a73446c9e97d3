/*
 * A viewer's own code as a module that node runs: bundled from its sources by the esbuild
 * that is installed beside them.
 */
import {createRequire} from 'node:module'
import {mkdtempSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'

/* Modules that importers name but these profiles do not need, or that node lacks. */
const absent = /^(json-slabs|iongraph-web|jfrview.*|react.*|@fluent\/react|devtools-reps)$/

const stub = {
	name: 'stub',
	setup(build) {
		build.onResolve({filter: absent}, (a) => ({path: a.path, namespace: 'stub'}))
		build.onResolve({filter: /\.(css|svg|png|ftl|wasm)$/},
			(a) => ({path: a.path, namespace: 'stub'}))
		build.onLoad({filter: /.*/, namespace: 'stub'},
			() => ({contents: 'exports.isJsonSlabsFile = () => false', loader: 'js'}))
	},
}

/* Returns the exports of `source`, TypeScript that imports from the folder of a viewer. */
export async function bundle(folder, source) {
	const require = createRequire(join(resolve(folder), 'package.json'))
	const {build} = require('esbuild')
	const out = join(mkdtempSync(join(tmpdir(), 'viewer-')), 'bundle.cjs')
	const result = await build({
		stdin: {contents: source, resolveDir: resolve(folder), loader: 'ts'},
		bundle: true,
		write: false,
		platform: 'node',
		format: 'cjs',
		logLevel: 'error',
		alias: {'firefox-profiler': join(resolve(folder), 'src')},
		define: {
			'process.env.NODE_ENV': '"production"',
			AVAILABLE_STAGING_LOCALES: 'null',
			self: 'globalThis',
		},
		plugins: [stub],
	})
	writeFileSync(out, result.outputFiles[0].text)
	return createRequire(import.meta.url)(out)
}
