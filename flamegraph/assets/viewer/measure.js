/* How wide text is in the picture's font, each character measured once. */

function makeMeasure(element, settings) {
	const style = getComputedStyle(element);
	const canvas = document.createElementNS(XHTML, 'canvas');
	const context = canvas.getContext && canvas.getContext('2d');
	const guess = settings.fontSize * settings.fontWidth;
	const widths = new Map();

	if (context)
		context.font = style.fontSize + ' ' + style.fontFamily;

	function widthOf(character) {
		let width = widths.get(character);

		if (width === undefined) {
			width = context ? context.measureText(character).width : guess;
			widths.set(character, width);
		}
		return width;
	}

	function widthOfText(text) {
		let width = 0;

		for (const character of text)
			width += widthOf(character);
		return width;
	}

	return { widthOf, widthOfText };
}
