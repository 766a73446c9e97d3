/*
 * Copies and saves: text to the clipboard, stacks and pictures as files. Also restores
 * a page that the browser has saved with the viewer's changes in it.
 */

import { copyOfPicture, fileName } from './copy.js';
import { abs } from './format.js';
import {
	NAME,
	WAS,
	attr,
	change,
	drop,
	find,
	findBackdrop,
	html,
	put,
	putAll,
	readSettings,
	root,
} from './page.js';
import { foldedOf, onlyOf } from './tree.js';
import { writtenTitle } from './words.js';

function download(blob, name) {
	const href = URL.createObjectURL(blob);

	html('a', { href, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(href), 1e4);
}

export function saveText(text, name) {
	download(new Blob([text], { type: 'text/plain' }), name);
}

/*
 * Saves a PNG. Shows a message if the page does not allow it or the picture is too
 * large.
 */
export function saveImage(viewer) {
	const { copy, width, height } = copyOfPicture(viewer);
	const text = new XMLSerializer().serializeToString(copy);
	const name = fileName(viewer, 'png');
	const scale = window.devicePixelRatio;
	const image = new Image();
	const canvas = html('canvas', { width: width * scale, height: height * scale });
	const failed = () => viewer.bars.showMessage('Cannot save here');

	function paint() {
		const context = canvas.getContext('2d');

		context.scale(scale, scale);
		context.drawImage(image, 0, 0, width, height);
		canvas.toBlob((blob) => (blob ? download(blob, name) : failed()));
	}

	image.onload = paint;
	image.onerror = failed;
	image.src = 'data:image/svg+xml,' + encodeURIComponent(text);
}

/* Saves the picture as it is now, without the viewer. */
function saveSvg(viewer) {
	const text = new XMLSerializer().serializeToString(copyOfPicture(viewer).copy);

	download(new Blob([text], { type: 'image/svg+xml' }), fileName(viewer, 'svg'));
}

/* Returns the stacks of a frame of any view. */
function stacksOf({ picture, settings }, frame) {
	const { view, tree } = picture;
	const { frames, alone } = view.framesOf(frame);

	return view.plain
		? foldedOf(tree, frame, settings)
		: foldedOf(onlyOf(tree, frames, alone), 0, settings);
}

/*
 * Saves a frame and what it calls, as stacks or as the picture that zooming to it
 * shows.
 */
export function saveSubtree(viewer, frame, kind) {
	const { picture } = viewer;
	const { within } = picture;
	const show = (at) => {
		picture.within = at;
		viewer.show();
	};

	if (kind === 'folded')
		return saveText(stacksOf(viewer, frame), fileName(viewer, 'folded', frame));
	show(frame);
	if (kind === 'svg') saveSvg(viewer);
	else saveImage(viewer);
	return show(within);
}

/* ---- copying text, if the page allows it */

/*
 * Copies a text by the browser's copy command. We listen for the event on the document,
 * because without a selection browsers send it to the page's body, which is outside the
 * picture.
 */
function copyByCommand(text) {
	const onCopy = (event) => {
		event.clipboardData.setData('text/plain', text);
		event.preventDefault();
	};

	document.addEventListener('copy', onCopy, { once: true });
	try {
		return document.execCommand('copy');
	} catch (error) {
		return false;
	} finally {
		document.removeEventListener('copy', onCopy);
	}
}

function mayWriteClipboard() {
	const policy = document.permissionsPolicy || document.featurePolicy;

	return (
		Boolean(navigator.clipboard && navigator.clipboard.writeText) &&
		(!policy || policy.allowsFeature('clipboard-write'))
	);
}

/* Copies a text, and calls done() with true if that worked. */
export function copyText(text, done) {
	if (!mayWriteClipboard()) done(copyByCommand(text));
	else
		navigator.clipboard.writeText(text).then(
			() => done(true),
			() => done(copyByCommand(text)),
		);
}

/*
 * ---- a saved page
 *
 * A page can be saved while the viewer runs, with everything that the viewer has made
 * of the picture. forgetSaved() undoes that, so that the viewer finds what it started
 * with. The frames of the whole picture are always there, though out of sight while
 * something else is shown.
 */

function removeMade(whole) {
	const made = '.fg-frames, .fg-marks, .fg-focus, .fg-made, foreignObject';

	for (const element of root.querySelectorAll(made))
		if (element !== whole) element.remove();
}

function unmakeFrames(whole) {
	for (const name of ['role', 'transform', 'aria-hidden', 'class']) drop(whole, name);
	put(whole, NAME, 'frames');
	for (const frame of whole.children) {
		for (const name of ['role', 'tabindex', 'aria-level', 'aria-label'])
			drop(frame, name);
		if (attr(frame, 'class') === '') drop(frame, 'class');
	}
}

/*
 * Moves the rows to where the program drew them. The saved picture may have been upside
 * down or higher.
 */
function placeRows(whole) {
	const { inverted, top, bottom, height, frameHeight } = readSettings();
	const yOf = (frame) => parseFloat(frame.querySelector('rect').getAttribute('y'));
	const first = yOf(whole.firstElementChild);
	const rootTop = inverted ? top : height - bottom - frameHeight + 1;

	for (const frame of whole.children) {
		const y = yOf(frame);
		const up = abs(y - first);
		const moved = rootTop + (inverted ? up : -up) - y;
		for (const part of frame.querySelectorAll('rect, text'))
			put(part, 'y', moved + parseFloat(attr(part, 'y')));
	}
}

/*
 * Removes the details that state.js had added to the title of the frame under the
 * pointer when the page was saved.
 */
function cutTitles(whole) {
	const end = /(, [\d.]+%((; [+-]?| \u2192 )[\d.]+%)?\)) \u00b7 .*$/s;
	const settings = readSettings();

	for (const title of whole.querySelectorAll('title')) {
		const { textContent } = title;
		if (!end.test(textContent)) continue;
		title.textContent = writtenTitle(settings, textContent.replace(end, '$1'));
	}
}

/*
 * Restores the texts that the bars replaced, and the size of the picture without the
 * bars.
 */
function restoreStatic() {
	const { height } = readSettings();
	const box = attr(root, 'viewBox').split(' ');

	for (const text of find('frames').parentNode.children) {
		if (!text.hasAttribute(WAS)) continue;
		put(text, NAME, attr(text, WAS));
		drop(text, WAS);
		drop(text, 'display');
	}
	putAll(root, { viewBox: [0, 0, box[2], height].join(' '), width: box[2], height });
	change(findBackdrop(), 'y', 0);
}

export function forgetSaved() {
	const hasRun = attr(root, 'role') === 'group';
	const whole = hasRun && root.querySelector('.fg-frames');

	if (!whole) {
		put(root, 'fg:height', parseFloat(attr(root, 'height')));
		return;
	}
	removeMade(whole);
	unmakeFrames(whole);
	restoreStatic();
	placeRows(whole);
	cutTitles(whole);
}
