/* Imports the modules of the viewer that can be tested without a browser, as one object. */

const folder = new URL('../../flamegraph/assets/viewer/', import.meta.url);

const modules = ['format', 'colour', 'data', 'tree', 'pattern', 'callers', 'merge', 'layout', 'names',
	'address', 'texts', 'picture', 'regrow', 'words', 'changes', 'slices', 'grid', 'heatdraw',
	'clock', 'chartlayout', 'chartaxis', 'heat', 'cells', 'schemes', 'popup', 'lines', 'places', 'reader', 'samples', 'differ'];

/* When page.js is imported it looks for the picture. Here the picture is empty. */
globalThis.document = {
	documentElement: {
		querySelector: () => null,
		querySelectorAll: () => [],
		getAttribute: () => null,
		classList: { toggle() {} },
		style: {},
	},
};

export const viewer = Object.assign({},
	...await Promise.all(modules.map((name) => import(new URL(name + '.js', folder)))));
