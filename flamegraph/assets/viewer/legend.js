/*
 * The legend of modules below the frames, and the list of colour schemes. The first
 * click on an entry highlights its frames, the second keeps only the stacks that have
 * such a frame, and the third shows everything again. Differentials have another
 * legend, which bars.js makes.
 */

import { parseColour } from './colour.js';
import { attr, button, change, html, part, put, putAll, root } from './page.js';
import { change as changeState } from './picture.js';
import { makeSchemes } from './schemes.js';

/* The hint of an entry, after its text. */
const HELP =
	' of all counts are its own. Click: highlight it; again: show only its stacks; ' +
	'a third time: show all';

/* The share of white in the lightest shade of a hue, like in flamegraph/libraries.c. */
const LIGHTEST = 0.2;

/* The entry for frames without a known module. It has more shades than the others. */
const NONE = 'no module';

const SCHEMES = [
	['', 'Colours by module'],
	['name', 'Colours by name'],
	['own', 'Colours by self'],
	['hot', 'Warm colours'],
];

/* Makes an entry from a swatch of the static picture and its text, and hides both. */
function makeEntry(rect) {
	const text = rect.nextElementSibling;
	const words = text.textContent;
	const mark = html('i');
	const fill = attr(rect, 'fill');

	for (const element of [rect, text]) put(element, 'display', 'none');
	if (fill === 'none') return html('span', { class: 'fg-legend' }, words);
	mark.style.background = fill;
	const value = words.replace(/^[\d.]+% | [\d.]+%$/, '');
	const press = button('module', '', {
		value,
		title: words + HELP,
		'aria-pressed': 'false',
	});
	press.append(mark, words);
	return html('span', { class: 'fg-legend' }, press);
}

/* Returns the list of colour schemes in an array, which is empty if there are none. */
export function makeSwitch({ palette }) {
	const options = SCHEMES.map(([value, text]) => html('option', { value }, text));

	if (palette === 'library') options[0].textContent = 'Colours by library';
	return palette ? [html('select', { 'aria-label': 'Colours' }, ...options)] : [];
}

/*
 * Makes the legend. It is at most as high as the space that the program has left for
 * it, or a tenth of the window if that is more.
 */
export function makeKey({ bottom, fontSize }) {
	const entries = Array.from(root.querySelectorAll('.fg-swatch'), makeEntry);
	const key = part('key', ...entries);

	key.style.maxHeight = `max(${bottom - 1.7 * fontSize}px, 10vh)`;
	return putAll(key, { role: 'group', 'aria-label': 'Modules' });
}

/* Returns true if a colour is a shade of the hue whose middle shade is `middle`. */
function isShadeOf(colour, middle) {
	return middle.every((part, i) => {
		const hue = (part - (LIGHTEST / 2) * 255) / (1 - LIGHTEST / 2);
		const lightest = hue + LIGHTEST * (255 - hue);
		return colour[i] > hue - 2 && colour[i] < lightest + 2;
	});
}

/*
 * Returns a function that takes a module and returns an array by name: 1 for the names
 * of the module, else 0. The field isName of a search is such an array, too.
 */
function makeModules({ colours }, buttons) {
	const known = new Map();

	function shadesOf(button) {
		const middle = parseColour(button.firstElementChild.style.backgroundColor);

		return (colour) => isShadeOf(colour, middle);
	}

	function find(module) {
		const isOf = buttons.filter(({ value }) => value === module).map(shadesOf);
		const others = buttons.filter(({ value }) => value !== NONE).map(shadesOf);
		const has = (colour) =>
			module === NONE
				? isOf.length > 0 && !others.some((is) => is(colour))
				: isOf.some((is) => is(colour));

		return Uint8Array.from(colours, (colour) =>
			has(parseColour(colour ?? '')) ? 1 : 0,
		);
	}

	return (module) => {
		if (!known.has(module)) known.set(module, find(module));
		return known.get(module);
	};
}

/* Highlights a module, keeps only its stacks, or shows everything again. */
function pressEntry(picture, module) {
	const { marked, filters } = picture.chosen;
	const others = filters.filter((filter) => filter.module !== module);
	const only = { keep: true, term: module, ignoreCase: false, module };

	if (others.length < filters.length)
		changeState(picture, { marked: null, filters: others }, []);
	else if (marked === module)
		changeState(picture, { marked: null, filters: filters.concat(only) }, []);
	else changeState(picture, { marked: module });
}

/*
 * Connects the entries and the list of schemes with the picture. Gives the tree
 * namesOf(), which it needs to filter stacks by module.
 */
export function makeLegend({ bars, picture, paint }) {
	const key = bars.foot.querySelector('.fg-key');
	const select = bars.foot.querySelector('select');

	if (!key) return { refresh() {} };
	const buttons = Array.from(key.querySelectorAll('button'));
	const { base } = picture;
	const namesOf = makeModules(base, buttons);

	base.namesOf = picture.tree.namesOf = namesOf;
	makeSchemes({ picture, paint, namesOf });

	function refresh() {
		const { marked, filters, scheme } = picture.chosen;

		select.value = scheme;
		key.hidden = scheme !== '';
		for (const entry of buttons) {
			const { value } = entry;
			const isOnly = filters.some(({ module }) => module === value);
			change(entry, 'aria-pressed', marked === value || isOnly);
			change(entry, 'class', isOnly ? 'fg-only' : '');
		}
	}

	/* Keeps clicks and input from the viewer's other listeners. */
	key.addEventListener('click', (event) => {
		const entry = event.target.closest('button');

		event.stopPropagation();
		if (entry) pressEntry(picture, entry.value);
	});
	select.addEventListener('input', (event) => event.stopPropagation());
	select.addEventListener('change', () =>
		changeState(picture, { scheme: select.value, marked: null }),
	);
	return { refresh };
}
