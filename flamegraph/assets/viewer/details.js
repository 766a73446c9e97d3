/* The details and the tooltip of the frame last pointed at or given the focus. */

import { html } from './page.js';

export function makeDetails({ bars, picture, texts }) {
	let shown = null;
	let title = '';

	/* While its frame is shown, a title has all details; then it is restored. */
	function restoreTitle() {
		if (shown) shown.title.textContent = title;
		shown = null;
	}

	function of(record) {
		const own = record === shown ? title : record.title.textContent;

		return texts.detailsOf(picture.view(), record, picture.within(), own);
	}

	function line(record) {
		return picture.settings.nameType + ' ' + of(record);
	}

	/* A name is isolated: one from right to left is not to turn numbers round. */
	function show(wanted) {
		const record = wanted ?? null;

		if (record !== shown) {
			restoreTitle();
			shown = record;
			title = record ? record.title.textContent : '';
		}
		if (!record) {
			bars.setDetails();
			return;
		}
		const text = of(record);
		const name = texts.nameOf(picture.view(), record.frame);
		const own = text.startsWith(name) ? name : title;
		bars.setDetails(
			picture.settings.nameType + ' ',
			html('bdi', {}, own),
			text.slice(own.length),
		);
		record.title.textContent = text;
	}

	return {
		line,
		show,
		/* The frame that the details line is about, on which keys act. */
		shown: () => shown,
		/* Must be called before titles change. */
		forget: restoreTitle,
	};
}
