/*
 * Two containers of frames: the one that the program has drawn, for the whole picture,
 * and another for everything else. The whole picture, which has by far the most frames,
 * is thus left as it is while something else is shown, and can be shown again at once.
 */

function makeStages(container, maker, updater) {
	const other = container.cloneNode(false);
	const whole = makeDrawing(container, maker, updater);
	const rest = makeDrawing(other, maker, updater);
	let active = null;
	const current = () => active ?? whole;

	for (const element of [container, other])
		element.classList.add('fg-frames');
	container.after(other);

	function draw(picture, drawn, isWhole) {
		const next = isWhole ? whole : rest;

		next.draw(picture, drawn);
		if (next === active)
			return;
		active = next;
		for (const stage of [whole, rest])
			stage.setActive(stage === active);
	}

	/* The whole picture while something else is shown, once its frames are prepared. */
	function drawUnseen(picture, drawn) {
		whole.draw(picture, drawn);
		whole.setActive(false);
	}

	return {
		draw,
		prepare: whole.prepare,
		drawUnseen,
		adopt: whole.adopt,
		readDrawn: whole.readDrawn,
		reach: (frame) => current().reach(frame),
		get: (frame) => current().get(frame),
		recordOf: (node) => current().recordOf(node),
		contains: (node) => container.contains(node) || other.contains(node),
	};
}
