/* The details line and tooltip of the frame last pointed at or given the focus. */

function makeDetails({ controls, picture, texts }) {
	let shown = null;
	let title = '';

	/* While its frame is shown, a title has all details; then it is restored. */
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
		/* The frame that the details line is about, on which keys act. */
		shown: () => shown,
		/* Must be called before titles change. */
		forget: restoreTitle,
	};
}
