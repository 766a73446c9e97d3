/*
 * The first look at a picture that is to be as wide as a wider window: what the program
 * has drawn is stretched, without any data. Labels get their room when there is time.
 * Of very many frames it would be the longer look: they are laid out with the data.
 */

const MANY = 5000;

function stretchFrame(rect, ratio) {
	const edge = (x) => tenths(SIDE_PADDING + (x - SIDE_PADDING) * ratio);
	const x = parseFloat(rect.getAttribute('x'));
	const left = edge(x);
	const width = edge(x + parseFloat(rect.getAttribute('width'))) - left;
	const text = rect.nextElementSibling;

	rect.setAttribute('x', left / 10);
	rect.setAttribute('width', width / 10);
	if (text)
		text.setAttribute('x', left / 10 + LABEL_INDENT);
	return { left, width };
}

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

/* Returns where the frames are then, in their order; null: they are where they were. */
function stretch(container, width) {
	const drawn = parseFloat(root.getAttribute('width'));
	const ratio = (width - 2 * SIDE_PADDING) / (drawn - 2 * SIDE_PADDING);
	const places = [];

	if (!(ratio > 1) || container.childElementCount > MANY)
		return null;
	stretchRoot(width);
	for (let at = container.firstElementChild; at; at = at.nextElementSibling) {
		const title = at.firstElementChild;
		places.push(stretchFrame(title.nextElementSibling, ratio));
	}
	return places;
}
