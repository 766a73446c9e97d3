/*
 * Two containers of frames: the one that the program has drawn, for the whole picture,
 * and another for everything else. The whole picture, which has by far the most frames,
 * is thus left as it is while something else is shown, and can be shown again at once.
 */

function makeStages(container, parts) {
	const other = container.cloneNode(false);
	const whole = makeDrawing({ container, ...parts });
	const rest = makeDrawing({ container: other, ...parts });
	let active = null;

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

	return {
		draw,
		adopt: whole.adopt,
		reach: (frame) => active.reach(frame),
		get: (frame) => active.get(frame),
		recordOf: (node) => active.recordOf(node),
		contains: (node) => container.contains(node) || other.contains(node),
	};
}
