/*
 * Stretches what the program has drawn, labels included, to the width of a wider
 * window, which needs no data. It is what is seen at first; the viewer then makes new
 * labels for the room that there is.
 */

function stretchRoot(width) {
	const middle = Math.floor(width / 2);
	const height = root.getAttribute('height');

	root.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
	root.setAttribute('width', '100%');
	findBackdrop().setAttribute('width', width);
	for (const id of ['title', 'subtitle'])
		if (find(id))
			find(id).setAttribute('x', middle);
}

function stretch(container, width) {
	const drawn = parseFloat(root.getAttribute('width'));
	const ratio = (width - 2 * SIDE_PADDING) / (drawn - 2 * SIDE_PADDING);
	const left = SIDE_PADDING * (1 - ratio);

	if (!(ratio > 1))
		return;
	stretchRoot(width);
	container.setAttribute(
		'transform',
		'translate(' + left + ',0) scale(' + ratio + ',1)',
	);
}
