/* Names as they are shown, and labels: as much of a name as fits. */

const CUT = '..';
const MIN_LABEL = 3;
const ANNOTATION = /_\[[kwij]\]$/;

function withoutAnnotation(name) {
	return name.endsWith(']') ? name.replace(ANNOTATION, '') : name;
}

/* What XML cannot hold is shown as the replacement character. */
function displayName(name) {
	return withoutAnnotation(name).replace(
		/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g,
		'\ufffd',
	);
}

/* The first characters that fit, with dots for the rest. */
function cutToFit(name, room, widthOf) {
	const dots = 2 * widthOf('.');
	const kept = [];
	let used = dots;

	for (const character of name) {
		used += widthOf(character);
		if (used > room)
			break;
		kept.push(character);
	}
	return kept.length + CUT.length < MIN_LABEL ? '' : kept.join('') + CUT;
}

/* The label that fits into the room, or ''; widthOf says how wide a character is. */
function fitLabel(name, room, how, widthOf) {
	const fits = (text) => {
		let used = 0;
		for (const character of text) {
			used += widthOf(character);
			if (used > room)
				return false;
		}
		return true;
	};

	if (room < MIN_LABEL * widthOf('.'))
		return '';
	const text = shorten(name, how, fits);
	return fits(text) ? text : cutToFit(text, room, widthOf);
}
