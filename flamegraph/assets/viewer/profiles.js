/*
 * Several profiles in one picture. The one that the address names replaces the one that
 * is drawn, before the viewer starts, and a list in the upper bar changes to another.
 * This is a script of its own, before the viewer's, and only pictures with several
 * profiles have it.
 */

import { human } from './format.js';
import { attr, drop, html, isDocument, part, put, readSettings, root } from './page.js';

/*
 * The root's attributes that differ from profile to profile. If a profile lacks one,
 * the root does not have it while that profile is shown.
 */
const OWN_ATTRIBUTES = (
	'p nth total countname counts one weight factor unit event sampleweight totals ' +
	'recorded command bottom drawn least leastpercent palette maxdelta negate diff ' +
	'view classic sample pale'
)
	.split(' ')
	.map((name) => 'fg:' + name);

const isNamed = (name) => (element) => element.nodeName.toLowerCase() === name;
const stored = Array.from(root.querySelectorAll('metadata > *'));
const others = stored.filter(isNamed('fg:profile'));
const dataOf = (parent) =>
	Array.from(parent.children).filter(
		(element) => isNamed('fg:data')(element) || isNamed('fg:slices')(element),
	);

/* Returns the texts and the legend that the program has written for a profile. */
const writtenOf = (parent) =>
	Array.from(parent.children).filter((element) =>
		element.matches('rect.fg-swatch, rect.fg-swatch + text, .fg-whole'),
	);

function setOrDrop(element, name, value) {
	if (value === null) drop(element, name);
	else put(element, name, value);
}

const findFrames = () => root.querySelector('.fg-frames, [id=frames]');

/* Exchanges the profile of the picture with another one. */
function exchange(other) {
	const here = root.querySelector('metadata');
	const frames = findFrames();
	const mine = [...dataOf(here), ...writtenOf(frames.parentNode)];
	const [data, written] = [dataOf(other), writtenOf(other)];

	for (const name of OWN_ATTRIBUTES.concat('height')) {
		const [was, is] = [attr(root, name), attr(other, name)];
		setOrDrop(root, name, is);
		setOrDrop(other, name, was);
	}
	other.append(...mine);
	here.prepend(...data);
	frames.before(...written);
}

/*
 * Removes all frames but the root, because they belong to the profile that was shown
 * before. The viewer draws those of the new profile from its data.
 */
function leaveRoot() {
	const frames = findFrames();
	const all = frames.firstElementChild;
	const { total, countName, factor, width, ...rows } = readSettings();
	const height = parseFloat(attr(root, 'height'));
	const base = height - rows.bottom - rows.frameHeight + 1;

	const word = countName && ' ' + countName;
	all.querySelector('title').textContent =
		'all (' + human(total * factor, '') + word + ', 100%)';
	for (const name of ['fg:x', 'fg:w', 'fg:b']) drop(all, name);
	put(all.querySelector('rect'), 'y', rows.inverted ? rows.top : base);
	frames.replaceChildren(all);
	put(root, 'viewBox', [0, 0, width, height].join(' '));
	put(root, 'fg:alone', 1);
}

/*
 * The profile that the page came with: the first or, if the page was saved, the one
 * shown then.
 */
const initial = attr(root, 'fg:p');

/* Returns the name of the wanted profile. */
function wantedName() {
	const [, inAddress] = /[#&]p=([^&]*)/.exec(isDocument ? location.hash : '') ?? [];
	const name = inAddress ?? attr(root, 'fg:wanted');

	try {
		return name === null ? initial : decodeURIComponent(name);
	} catch (error) {
		return name;
	}
}

function find(name) {
	const all = [root].concat(others);

	return (
		all.find((one) => attr(one, 'fg:p') === name) ??
		all.find((one) => attr(one, 'fg:nth') === '0')
	);
}

/*
 * Starts the viewer again with another profile. If the picture is the document, loads
 * it again with another address. In a page, replaces the picture by `pristine`, a copy
 * made before the viewer changed it.
 */
function restart(pristine, name) {
	const text = 'p=' + encodeURIComponent(name).replace(/~/g, '%7E');
	const rest = location.hash.replace(/^#/, '').split('&');

	if (isDocument) {
		const state = rest.filter((one) => one && !/^p=/.test(one));
		location.hash = [text, ...state].join('&');
		/*
		 * Makes the focus return to the list of profiles, for users who go through it
		 * by keys. Some pages have no history.
		 */
		try {
			window.history.replaceState({ switched: true }, '');
		} catch (error) {
			/* Then the list does not get the focus. */
		}
		return;
	}
	const fresh = pristine.cloneNode(true);
	put(fresh, 'fg:wanted', encodeURIComponent(name));
	put(fresh, 'fg:switched', 1);
	/* Browsers do not run scripts that were cloned, so we make new ones. */
	for (const old of fresh.querySelectorAll('script')) {
		const script = document.createElementNS(old.namespaceURI, 'script');
		script.textContent = old.textContent;
		old.replaceWith(script);
	}
	root.replaceWith(fresh);
}

function optionFor(one) {
	const value = (name) => attr(one, 'fg:' + name);
	const total = parseFloat(value('total')) * parseFloat(value('factor') ?? 1);
	const [name, unit] = [value('p'), value('unit') ?? ''];
	const text = name + ': ' + human(total, unit);
	const option = html('option', { value: name }, text);

	option.selected = one === root;
	return option;
}

function makeSwitch(pristine) {
	const sorted = [root]
		.concat(others)
		.sort((a, b) => attr(a, 'fg:nth') - attr(b, 'fg:nth'));
	const list = html('select', { name: 'profile', 'aria-label': 'Profile' });

	list.append(...sorted.map(optionFor));
	list.addEventListener('change', () => restart(pristine, list.value));
	/* Keeps the viewer from acting on keys that are for the list. */
	list.addEventListener('keydown', (event) => event.stopPropagation());
	return part('profiles', list);
}

function start() {
	const pristine = isDocument ? null : root.cloneNode(true);
	const note = root.querySelector('.fg-others');
	const switched = isDocument
		? window.history.state?.switched
		: attr(root, 'fg:switched');
	const chosen = find(wantedName());

	drop(root, 'fg:switched');

	if (chosen !== root) {
		exchange(chosen);
		leaveRoot();
	}
	/* Hides the note that names the other profiles, because the list does so, too. */
	if (note) put(note, 'display', 'none');
	root.addEventListener('fg:bars', () => {
		/*
		 * The scripts after this one, like the viewer's, were not yet there when the
		 * copy was made.
		 */
		const had = pristine?.querySelectorAll('script').length;
		const scripts = Array.from(root.querySelectorAll('script'));
		pristine?.append(...scripts.slice(had).map((one) => one.cloneNode(true)));
		const list = makeSwitch(pristine);
		root.querySelector('.fg-tools').firstElementChild.after(list);
		if (switched) list.querySelector('select').focus({ preventScroll: true });
	});
	if (isDocument)
		window.addEventListener('hashchange', () => {
			if (find(wantedName()) !== root) location.reload();
		});
}

if (root && others.length > 0) start();
