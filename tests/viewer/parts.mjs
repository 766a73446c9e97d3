/* Loads parts of the viewer's script, which are not modules, as a page does. */

import { readFileSync } from 'node:fs';

const folder = new URL('../../flamegraph/assets/viewer/', import.meta.url);

/* Returns the named functions of the parts. */
export function load(parts, names) {
	const source = parts.map((part) =>
		readFileSync(new URL(part + '.js', folder), 'utf8'),
	);

	return new Function(
		`'use strict';\n${source.join('\n')}\nreturn { ${names} };`,
	)();
}

const pure = [
	'format',
	'colour',
	'data',
	'tree',
	'match',
	'callers',
	'merge',
	'layout',
	'shorten',
	'label',
	'address',
	'texts',
	'picture',
];

export const viewer = load(
	pure,
	[
		'fixed',
		'tenths',
		'thousands',
		'percent',
		'decodeBase64',
		'inflate',
		'readColumns',
		'makeTree',
		'withTotal',
		'plainView',
		'functionView',
		'reverseView',
		'layOut',
		'layOutVisible',
		'findNarrow',
		'shorten',
		'fitLabel',
		'displayName',
		'withoutAnnotation',
		'encodeState',
		'decodeState',
		'followPath',
		'pathTo',
		'compilePattern',
		'findMatches',
		'nextMatch',
		'isDarkFill',
		'luminance',
		'parseColour',
		'toHex',
		'deltaColour',
		'diffusionColour',
		'makePicture',
		'noState',
		'makeTexts',
		'mix',
	].join(', '),
);
