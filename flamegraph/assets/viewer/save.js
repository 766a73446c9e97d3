/* What is shown as a file: folded stacks, or a PNG. */

import { WAS, attr, drop, html, put, root } from './page.js';

function download(blob, name) {
	const href = URL.createObjectURL(blob);

	html('a', { href, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(href), 1e4);
}

export function saveText(text) {
	download(new Blob([text], { type: 'text/plain' }), 'profile.folded');
}

/* The picture without the bars, whose place the static texts take. */
function copyOfPicture(width, height) {
	const copy = root.cloneNode(true);

	for (const element of copy.querySelectorAll('script, metadata, foreignObject'))
		element.remove();
	for (const text of copy.querySelectorAll('text, .fg-swatch'))
		if (/title|^$/.test(attr(text, WAS) ?? '')) drop(text, 'display');
	for (const [name, value] of Object.entries({
		width,
		height,
		viewBox: [0, 0, width, height].join(' '),
	}))
		put(copy, name, value);
	return copy;
}

/* Calls `failed` where the page does not allow it, or the picture is too large. */
export function saveImage({ width, height }, failed) {
	const text = new XMLSerializer().serializeToString(copyOfPicture(width, height));
	const scale = window.devicePixelRatio;
	const image = new Image();
	const canvas = html('canvas', { width: width * scale, height: height * scale });

	function paint() {
		const context = canvas.getContext('2d');

		context.scale(scale, scale);
		context.drawImage(image, 0, 0, width, height);
		canvas.toBlob((blob) => (blob ? download(blob, 'flame.png') : failed()));
	}

	image.onload = paint;
	image.onerror = failed;
	image.src = 'data:image/svg+xml,' + encodeURIComponent(text);
}
