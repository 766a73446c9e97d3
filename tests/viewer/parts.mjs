/* The modules of the viewer whose parts are tried without a browser, as one object. */

const folder = new URL('../../flamegraph/assets/viewer/', import.meta.url);

const modules = ['format', 'colour', 'data', 'tree', 'pattern', 'callers', 'merge', 'layout', 'names',
	'address', 'texts', 'picture', 'regrow', 'words', 'changes', 'slices', 'grid', 'heatdraw',
	'heat', 'cells', 'schemes', 'popup'];

/* page.js looks for the picture when it is imported; here it has nothing in it. */
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
