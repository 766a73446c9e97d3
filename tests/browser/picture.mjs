/* Functions that run in the page, to find and read what is in the picture. */

/* Returns the frames shown by the first picture of the document, or by the one in scope. */
export function readFrames({ scope }) {
	const root = document.querySelector(scope);
	const frames = [];

	for (const element of
		root.querySelector('[id="frames"], [fg\\:id="frames"]').children) {
		const rect = element.querySelector('rect');
		const title = element.querySelector('title');
		if (!rect || !title || rect.getClientRects().length === 0)
			continue;
		const text = element.querySelector('text');
		const style = getComputedStyle(rect);
		/* Not the bounding rectangle, because in Firefox it includes the outline. */
		const box = rect.getBBox();
		const scale = rect.getScreenCTM();
		if (style.visibility !== 'visible' || box.width === 0)
			continue;
		frames.push({
			/* A tooltip may have details after the title. */
			name: title.textContent.replace(/( (\([^()]*%\)|\([\d,]+ \u2192 .*%\))( · .*)?| · (self|[\d.]+%) .*)?$/s, ''),
			title: title.textContent,
			left: box.x * scale.a + scale.e,
			width: box.width * scale.a,
			top: box.y * scale.d + scale.f,
			fill: style.fill,
			label: text ? text.textContent : '',
			share: element.querySelector('text + text')?.textContent ?? '',
			faded: element.closest('.fg-faded') === element ||
				rect.classList.contains('fg-faded'),
			opacity: style.opacity * style.fillOpacity * getComputedStyle(element).opacity,
			link: element.getAttribute('href') || element.getAttribute('xlink:href'),
			role: element.getAttribute('role'),
			level: element.getAttribute('aria-level'),
		});
	}
	const down = root.getAttribute('fg:inverted') === '1' ? 1 : -1;
	return frames.sort((a, b) => (a.top - b.top) * down || a.left - b.left);
}

/* Returns the point of the page to click for a frame's title or name, or for a selector. */
export function centreOf({ target, scope = 'svg' }) {
	const root = document.querySelector(scope);
	let element = null;

	/* In a page the parts of a picture do not have their names as ids. */
	const selector = target.replace(/^#(\w+)$/, '#$1, [fg\\:id="$1"]');
	for (const title of root.querySelectorAll(
		':is([id="frames"], [fg\\:id="frames"]) > * > title')) {
		const rect = title.parentNode.querySelector('rect');
		const text = title.textContent;
		if ((text === target || text.startsWith(target + ' (') ||
			text.startsWith(target + ' · ')) && rect.getClientRects().length > 0)
			element = element || rect;
	}
	element = element || root.querySelector(selector);
	let box = element.getBoundingClientRect();
	if (box.top < 0 || box.bottom > innerHeight) {
		element.scrollIntoView({ block: 'center' });
		box = element.getBoundingClientRect();
	}
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/* Returns the text of an element with an id, or null if it is not visible. */
export function textOf({ id, scope }) {
	const root = document.querySelector(scope);
	const element = root.querySelector(`[id="${id}"], [fg\\:id="${id}"]`);
	const { display, visibility } = getComputedStyle(element);

	const bar = element.closest('.fg-bar');

	return visibility === 'visible' && display !== 'none' &&
		bar?.getClientRects().length !== 0 ? element.textContent : null;
}

/* Returns true if the viewer has started. It makes the frames a tree. */
export function isReady({ scope }) {
	const frames = document.querySelector(scope)
		?.querySelector('[id="frames"], [fg\\:id="frames"]');

	return frames?.getAttribute('role') === 'tree';
}

export function twoFrames() {
	return new Promise((resolve) => {
		requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
	});
}
