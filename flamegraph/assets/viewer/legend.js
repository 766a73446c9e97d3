/*
 * The legend of modules below the frames, and the list of colour schemes. The legend
 * has the share of each module of what is shown, the largest first. The first click on
 * an entry highlights its frames, the second keeps only the stacks that have such a
 * frame, and the third shows everything again. Differentials have another legend, which
 * bars.js makes.
 */

import { parseColour } from './colour.js';
import { max, percent } from './format.js';
import { attr, button, change, html, part, put, putAll, root } from './page.js';
import { change as changeState, wordForShown } from './picture.js';
import { largestSelf, makeSchemes, selfColour } from './schemes.js';
import { ownByName } from './tree.js';

/* The hint of an entry, after its counts. */
const HELP =
	'. Click: highlight it; again: show only its stacks; a third time: show all';

/* The shares of the largest own counts in the scale of the colours by self. */
const SCALE = [0, 0.25, 1];

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

/*
 * Makes an entry from a swatch of the static picture and its text, and hides both.
 * Returns the element, the button, which the heading lacks, the static text (still),
 * and the text without its share.
 */
function makeEntry(rect) {
	const still = rect.nextElementSibling;
	const value = still.textContent.replace(/ [\d.]+%$|:$/, '');
	const mark = html('i');
	const fill = attr(rect, 'fill');

	for (const element of [rect, still]) put(element, 'display', 'none');
	const element = html('span', { class: 'fg-legend' });
	if (fill === 'none') return { element, value };
	mark.style.background = fill;
	const words = html('span');
	const press = button('module', '', { value, 'aria-pressed': 'false' });
	press.append(mark, words);
	element.append(press);
	return { element, press, words, still, value, fill: parseColour(fill) };
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
	const entries = Array.from(root.querySelectorAll('g > rect.fg-swatch'), makeEntry);
	const key = part('key', ...entries.map(({ element }) => element));

	key.style.maxHeight = `max(${bottom - 1.7 * fontSize}px, 10vh)`;
	putAll(key, { role: 'group', 'aria-label': 'Modules' });
	return Object.assign(key, { entries });
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
 * Returns the index of the entry of each name, or -1. All other entries have the shades
 * of one hue, so a name without any of them has no module.
 */
function findEntries({ colours, names }, entries) {
	const none = entries.findIndex(({ value }) => value === NONE);

	return names.map((name, id) => {
		const colour = parseColour(colours[id] ?? '');
		const at = entries.findIndex(
			({ fill }, i) => i !== none && isShadeOf(colour, fill),
		);
		return at < 0 ? none : at;
	});
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

/* Returns the own counts of each entry, or -1 if none of its frames is shown. */
function countEntries({ view, within }, entries, entryOf) {
	const sums = entries.map(() => -1);
	const { own, isThere } = ownByName(view, within);

	entryOf.forEach((at, id) => {
		if (isThere[id] && at >= 0) sums[at] = max(0, sums[at]) + own[id];
	});
	return sums;
}

/*
 * Connects the entries and the list of schemes with the picture. Gives the tree
 * namesOf(), which it needs to filter stacks by module: it returns an array by name, 1
 * for the names of the module, else 0, like the field isName of a search.
 */
export function makeLegend({ bars, picture, paint, texts }) {
	const key = bars.foot.querySelector('.fg-key');
	const select = bars.foot.querySelector('select');

	if (!key) return { refresh() {} };
	const entries = key.entries.filter(({ press }) => press);
	const heading = key.entries.find(({ press }) => !press);
	const { base } = picture;
	const entryOf = findEntries(base, entries);
	const namesOf = (module) => {
		const at = entries.findIndex(({ value }) => value === module);
		return Uint8Array.from(entryOf, (one) => (one === at && at >= 0 ? 1 : 0));
	};

	const scale = html('div', { hidden: '' });

	key.after(scale);
	base.namesOf = picture.tree.namesOf = namesOf;
	makeSchemes({ picture, paint, namesOf });

	function showCounts() {
		const { view, within } = picture;
		const of = wordForShown(picture);
		const sums = countEntries(picture, entries, entryOf);

		if (heading)
			heading.element.textContent = heading.value + (of && ', of ' + of) + ':';
		entries.forEach(({ element, press, words, still, value }, i) => {
			const own = max(0, sums[i]);
			const share = percent(own, view.total[within], 1);
			element.hidden = sums[i] < 0;
			/* The static legend is printed. */
			still.textContent = words.textContent = value + ' ' + share;
			const counts = texts.worded(view, own) + ' of its own, ' + share;
			press.title = value + ': ' + counts + ' of ' + (of || 'all') + HELP;
		});
		/* While the user points at the legend, its entries stay in their places. */
		if (key.matches(':hover, :focus-within')) return;
		const sorted = Array.from(sums.keys()).sort((a, b) => sums[b] - sums[a]);
		key.append(...sorted.map((i) => entries[i].element));
	}

	/* Shows what the colours by self mean. */
	function showScale() {
		const { view } = picture;
		const marks = SCALE.map((part) => {
			const mark = html('i');
			mark.style.background = selfColour(part);
			const share = texts.shareOf(view.tree, part * largestSelf(view));
			return html('span', { class: 'fg-legend' }, mark, share);
		});

		scale.replaceChildren('Self of a frame: ', ...marks);
	}

	function refresh() {
		const { marked, filters, scheme } = picture.chosen;

		select.value = scheme;
		/* While two profiles or ranges are compared, colours mean changes. */
		select.hidden = Boolean(picture.base.before);
		key.hidden = scheme !== '' || select.hidden;
		scale.hidden = scheme !== 'own' || select.hidden;
		if (!scale.hidden) showScale();
		for (const { press, value } of entries) {
			const isOnly = filters.some(({ module }) => module === value);
			change(press, 'aria-pressed', marked === value || isOnly);
			change(press, 'class', isOnly ? 'fg-only' : '');
		}
		if (!key.hidden) showCounts();
	}

	/* Keeps clicks and input from the viewer's other listeners. */
	key.addEventListener('click', (event) => {
		const entry = event.target.closest('button');

		event.stopPropagation();
		if (entry) pressEntry(picture, entry.value);
	});
	for (const type of ['pointerleave', 'focusout'])
		key.addEventListener(type, refresh);
	select.addEventListener('input', (event) => event.stopPropagation());
	select.addEventListener('change', () =>
		changeState(picture, { scheme: select.value, marked: null }),
	);
	return { refresh };
}
