/* The modules of the viewer that need no browser, as one object. */

const folder = new URL('../../flamegraph/assets/viewer/', import.meta.url);

const pure = ['format', 'colour', 'data', 'tree', 'merge', 'layout', 'names', 'address',
	'texts', 'picture'];

export const viewer = Object.assign({},
	...await Promise.all(pure.map((name) => import(new URL(name + '.js', folder)))));
