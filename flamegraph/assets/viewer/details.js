/* The line of details: of the frame that is pointed at, else of the focused one. */

function makeDetails({ controls, picture, texts, isShown }) {
	let pointed = null;
	let shown = null;
	let title = '';

	/* A tooltip says all while it can be seen, and then what others find in it. */
	function restoreTitle() {
		if (shown)
			shown.title.textContent = title;
		shown = null;
	}

	function of(record) {
		const own = record === shown ? title : record.title.textContent;

		return texts.detailsOf(picture.view(), record, picture.within(), own);
	}

	function show(record) {
		if (record !== shown) {
			restoreTitle();
			shown = record;
			title = record ? record.title.textContent : '';
		}
		if (!record) {
			controls.setDetails(BLANK);
			return;
		}
		const text = of(record);
		record.title.textContent = text;
		controls.setDetails(picture.settings.nameType + ' ' + text);
	}

	function pointAt(record) {
		pointed = record || null;
		show(pointed);
	}

	/* Frames have moved, and elements have got other frames: is it still there? */
	function refresh() {
		pointed = pointed && isShown(pointed) ? pointed : null;
		show(pointed);
	}

	return {
		of, show, pointAt, refresh, forget: restoreTitle,
		pointedAt: () => (pointed ? pointed.frame : null),
	};
}
