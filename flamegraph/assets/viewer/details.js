/* The line of details: of the frame that is pointed at, else of the focused one. */

function makeDetails({ controls, picture, texts }) {
	let pointed = null;
	let shown = null;
	let title = '';

	/* A tooltip says all while it can be seen, and then what others find in it. */
	function restoreTitle() {
		if (shown && shown.title.textContent === shown.longTitle)
			shown.title.textContent = title;
		shown = null;
	}

	function of(record) {
		const own = record === shown ? title : record.title.textContent;

		return texts.detailsOf(picture.view(), record.frame, picture.within(), own);
	}

	function show(record) {
		if (!record) {
			restoreTitle();
			controls.setDetails(BLANK);
			return;
		}
		const text = of(record);
		if (record !== shown) {
			restoreTitle();
			shown = record;
			title = record.title.textContent;
		}
		record.title.textContent = text;
		record.longTitle = text;
		controls.setDetails(text);
	}

	function pointAt(record) {
		pointed = record || null;
		show(record);
	}

	/* Before frames change their places and elements their frames. */
	function forget() {
		restoreTitle();
		pointed = null;
	}

	return {
		of, show, pointAt, forget,
		pointedAt: () => (pointed ? pointed.frame : null),
	};
}
