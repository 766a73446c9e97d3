/* The line of details: of the frame that was pointed at, or got the focus, last. */

function makeDetails({ controls, picture, texts, isShown }) {
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
		controls.setDetails(line(record));
		record.title.textContent = of(record);
	}

	/* Frames have moved, and elements have got other frames: is it still there? */
	function refresh(last) {
		show(last && isShown(last) ? last : null);
	}

	return {
		line, show, refresh,
		/* What a key means that is about a frame: the one that is talked about. */
		shown: () => shown,
		/* Before titles change. */
		forget: restoreTitle,
	};
}
