/* Functions that are sent into the page, to find and read what is in the picture. */

/* What the first picture of the document, or the one in scope, shows: a row a frame. */
export function readFrames({ scope = 'svg' }) {
	const root = document.querySelector(scope);
	const container = root.querySelector('[id="frames"]');

	return Array.from(container.children, (element) => {
		const rect = element.querySelector('rect');
		const text = element.querySelector('text');
		const title = element.querySelector('title').textContent;
		return {
			name: title.replace(/ \([^()]*%\)$/, ''),
			title,
			x: parseFloat(rect.getAttribute('x')),
			y: parseFloat(rect.getAttribute('y')),
			width: parseFloat(rect.getAttribute('width')),
			fill: rect.getAttribute('fill'),
			label: text ? text.textContent : '',
			labelX: text ? parseFloat(text.getAttribute('x')) : null,
			labelY: text ? parseFloat(text.getAttribute('y')) : null,
			shown: getComputedStyle(element).display !== 'none',
			opacity: parseFloat(getComputedStyle(element).opacity),
		};
	});
}

/* The point of the page to click for a frame's name or for a selector. */
export function centreOf({ target, scope = 'svg' }) {
	const root = document.querySelector(scope);
	let element = null;

	for (const title of root.querySelectorAll('#frames > * > title')) {
		if (title.textContent === target || title.textContent.startsWith(target + ' ('))
			element = element || title.parentNode.querySelector('rect');
	}
	element = element || root.querySelector(target);
	const box = element.getBoundingClientRect();
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/* The text of an element with an id, or null where it is not visible. */
export function textOf({ id, scope = 'svg' }) {
	const root = document.querySelector(scope);
	const element = root.querySelector('[id="' + id + '"]');

	const { visibility } = getComputedStyle(element);
	return visibility === 'visible' ? element.textContent : null;
}
