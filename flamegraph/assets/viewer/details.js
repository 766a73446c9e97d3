/* The line of details: of the frame that was pointed at, or got the focus, last. */

function makeDetails({ controls, picture, texts }) {
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

	function line(record) {
		return picture.settings.nameType + ' ' + of(record);
	}

	function show(wanted) {
		const record = wanted ?? null;

		if (record !== shown) {
			restoreTitle();
			shown = record;
			title = record ? record.title.textContent : '';
		}
		if (!record) {
			controls.setDetails(BLANK);
			return;
		}
		controls.setDetails(line(record));
		record.title.textContent = of(record);
	}

	return {
		line,
		show,
		/* The frame that keys are about: the one that is talked about. */
		shown: () => shown,
		/* Before titles change. */
		forget: restoreTitle,
	};
}
