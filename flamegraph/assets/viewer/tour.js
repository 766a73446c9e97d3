/* From match to match. */

/* The ancestor to zoom into so that a frame can be seen well. */
function placeToSee(view, frame, width) {
	const visible = 3;
	const inner = width - 2 * SIDE_PADDING;
	const ancestors = ancestorsOf(view, frame);

	return (
		ancestors.find(
			(at) => (view.total[frame] / view.total[at]) * inner >= visible,
		) ?? frame
	);
}

/* Leads to a match; zooms out until it can be seen, or into what it stands on. */
function makeTour({ picture, drawing, access, controls }) {
	return (step) => {
		const view = picture.view();
		const found = picture.found();

		if (!found || found.frames === 0)
			return;
		const frame = nextMatch(view, found, access.current(), step);
		if (frame < 0)
			return;
		const record = drawing.get(frame);
		if (!record || record.width < 10 * MIN_WIDTH)
			picture.zoom(placeToSee(view, frame, controls.width()));
		access.focus(frame);
	};
}
