/*
 * Names as they are shown, and labels: as much of a name as fits. Widths are in pixels.
 */

import { XHTML } from './page.js';

const CUT = '..';
const MIN_LABEL = 3;
const ANNOTATION = /_\[[kwijo01]]$/;

/* Returns a name without the annotation of its kind, like _[k] for the kernel. */
export function withoutAnnotation(name) {
	return name.endsWith(']') ? name.replace(ANNOTATION, '') : name;
}

/*
 * Returns a name for display. Characters that XML cannot hold become the replacement
 * character.
 */
export function displayName(name) {
	return withoutAnnotation(name).replace(
		/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g,
		'\ufffd',
	);
}

/*
 * Cuts runs of combining marks. More of them than any language puts on a letter would
 * cover the rows above.
 */
export function limitMarks(text) {
	return /\p{M}{5}/u.test(text) ? text.replace(/(\p{M}{4})\p{M}+/gu, '$1') : text;
}

/* Returns the width of a text. widthOf(character) returns a width. */
export function widthOfText(text, widthOf) {
	let width = 0;

	for (const character of text) width += widthOf(character);
	return width;
}

/* Returns the first characters of a name that fit, followed by dots. */
function cutToFit(name, room, widthOf) {
	const dots = 2 * widthOf('.');
	const kept = [];
	let used = dots;

	for (const character of name) {
		used += widthOf(character);
		if (used > room) break;
		kept.push(character);
	}
	return kept.length + CUT.length < MIN_LABEL ? '' : kept.join('') + CUT;
}

/*
 * Returns a name shortened to the width `room`, or '' if too little of it fits. `how`
 * is the language whose rules are used, such as 'rust'; widthOf(character) returns a
 * width.
 */
export function fitLabel(name, room, how, widthOf) {
	const fits = (text) => {
		let used = 0;
		for (const character of text) {
			used += widthOf(character);
			if (used > room) return false;
		}
		return true;
	};

	if (room < MIN_LABEL * widthOf('.')) return '';
	const text = shorten(name, how, fits);
	return fits(text) ? text : cutToFit(text, room, widthOf);
}

/*
 * Names are shortened like in lib/profile/shorten.c: we empty brackets and drop
 * qualifiers until fits(name) holds. tests/data/shorten.tsv has cases for both.
 */

const SIGNS = ['()', '[]', '<=>', '<<=', '<<', '<=', '<', '->', '>'];
/* The place of a function: "malloc@libc.so.6", "main:app.c:44". */
const PLACE = /(?!^)(@[^@/]+|(@[^@/:]+)?:[^: ]*\.[a-z]\w*:\d+)$/i;

const COMPILER_PARTS = /^(cold|constprop|isra|llvm|lto_priv|part)$/;

/*
 * Returns the index after the round or square bracket that starts at `from`, contents
 * included, or 0 if it is never closed. Ignores other kinds of brackets.
 */
function afterPlain(text, from) {
	const open = text[from];
	const close = open === '(' ? ')' : ']';
	let depth = 0;

	for (let at = from; at < text.length; at++) {
		depth += text[at] === open;
		if (text[at] === close && --depth === 0) return at + 1;
	}
	return 0;
}

/*
 * Like afterPlain(), but for an angle bracket. The '>' of an arrow does not close it,
 * nor does a '>' inside round or square brackets.
 */
function afterAngle(text, from) {
	let depth = 0;

	for (let at = from; at < text.length; at++) {
		const character = text[at];
		if (character === '(' || character === '[') {
			at = afterPlain(text, at) - 1;
			if (at < 0) return 0;
			continue;
		}
		depth += character === '<';
		if (character === '>' && text[at - 1] !== '-' && --depth === 0) return at + 1;
	}
	return 0;
}

/*
 * Returns the length of the word "operator" at this place and of the sign after it, as
 * in "operator<<". Returns 0 if the word is not there.
 */
function operatorAt(text, at) {
	const end = at + 'operator'.length;

	if (
		!text.startsWith('operator', at) ||
		/\w/.test(text[at - 1] ?? '') ||
		/\w/.test(text[end] ?? '')
	)
		return 0;
	const sign = SIGNS.find((one) => text.startsWith(one, end)) ?? '';
	return end + sign.length - at;
}

/*
 * Returns the index after the bracket that starts at this place, contents included.
 * Returns 0 if no bracket starts here or it is never closed.
 */
function bracketAt(text, at) {
	if (text[at] === '<') return afterAngle(text, at);
	return text[at] === '(' || text[at] === '[' ? afterPlain(text, at) : 0;
}

/*
 * Returns the index after one unit: a bracket with its contents, an operator, or a
 * character.
 */
function afterOne(text, at) {
	if ('<(['.includes(text[at])) return bracketAt(text, at) || text.length;
	return at + ((text[at] === 'o' && operatorAt(text, at)) || 1);
}

/*
 * Empties the outermost brackets of a kind. Square brackets are also emptied inside the
 * round ones of Go's (*T[...]).
 */
function emptyBrackets(text, open) {
	let result = '';

	for (let at = 0, end; at < text.length; at = end) {
		end = text[at] === open ? bracketAt(text, at) : 0;
		if (end) {
			result += open + text[end - 1];
			continue;
		}
		end = open === '[' && text[at] !== open ? at + 1 : afterOne(text, at);
		result += text.slice(at, end);
	}
	return result;
}

/* Turns "<A as B>::f" into "A::f". */
function dropTrait(text) {
	const end = text[0] === '<' ? afterAngle(text, 0) : 0;
	let at = 1;

	if (!end || !text.startsWith('::', end)) return text;
	while (at < end - 1 && !text.startsWith(' as ', at)) at = afterOne(text, at);
	return text.slice(1, at < end ? at : end - 1) + text.slice(end);
}

/* Drops the return type: everything up to the last space before the arguments. */
function dropReturnType(text) {
	let name = 0;

	for (let at = 0; at < text.length; at = afterOne(text, at)) {
		if (operatorAt(text, at)) return text;
		if (text[at] === ' ') name = at + 1;
		if (text[at] === '(') return name < at ? text.slice(name) : text;
	}
	return text;
}

/*
 * Returns the length of the run of equal separators at this place, or 0 if there is
 * none.
 */
function runAt(text, at, separators) {
	let end = at;

	if (separators.includes(text[at])) while (text[end] === text[at]) end++;
	return end - at;
}

/*
 * Returns true if the part that starts here means nothing without the part before it:
 * template arguments, and Go's func1.
 */
function belongsBefore(text, at) {
	return text[at] === '<' || /^func\d/.test(text.slice(at, at + 5));
}

/*
 * Drops qualifiers from the left until the rest fits. Keeps the function's own name:
 * everything after the last separator, or from "operator" on. A single colon is not a
 * separator.
 */
function dropQualifiers(text, separators, fits) {
	let start = 0;
	let at = 0;
	let fitting = fits(text);

	while (at < text.length && !fitting && !(at === start && operatorAt(text, at))) {
		const run = runAt(text, at, separators);
		at = run ? at + run : afterOne(text, at);
		if (
			!run ||
			at === text.length ||
			belongsBefore(text, at) ||
			(run === 1 && text[at - 1] === ':')
		)
			continue;
		start = at;
		fitting = fits(text.slice(start));
	}
	return text.slice(start);
}

function shortenScoped(name, fits) {
	let text = name
		.replace(/::h[0-9a-f]{16}$/, '')
		.replaceAll('(anonymous namespace)::', '');

	if (fits(text)) return text;
	text = emptyBrackets(dropTrait(text), '<');
	if (fits(text)) return text;
	text = emptyBrackets(text, '(');
	return fits(text) ? text : dropQualifiers(dropReturnType(text), ':', fits);
}

/*
 * Shortens a name of Go. Drops the whole path at once: example.com/a/b.f becomes b.f.
 */
function shortenGo(name, fits) {
	const text = emptyBrackets(name, '[');
	let path = 0;

	if (fits(text)) return text;
	for (let at = 0; at < text.length; at = afterOne(text, at))
		if (text[at] === '/' && at + 1 < text.length) path = at + 1;
	return dropQualifiers(text.slice(path), '.', fits);
}

/* The type in "long com.example.Class.method(int)", as the JVM writes it for perf. */
const JAVA_TYPE =
	/^(?:void|boolean|byte|char|short|int|long|float|double|[\w$]*\.[\w$.]*)(?:\[\])* /;

function withoutJavaType(name) {
	const rest = name.replace(JAVA_TYPE, '');

	return isDotted(/^[^( ]*/.exec(rest)[0]) ? rest : name;
}

function shortenJava(name, fits) {
	return dropQualifiers(emptyBrackets(withoutJavaType(name), '('), './:', fits);
}

/*
 * Returns true for com.example.Class.method, but not for function.part.0, which a
 * compiler has made.
 */
function isDotted(head) {
	const parts = head.split('.');

	return (
		parts.length > 1 &&
		parts.some((part) => /^[A-Z]/.test(part)) &&
		!parts.some((part) => COMPILER_PARTS.test(part)) &&
		!/^[0-9]/.test(parts[parts.length - 1])
	);
}

/*
 * Returns true for example.com/package.function, but not for a file's path like a/b.py.
 */
function isGoPath(head) {
	const base = head.slice(head.lastIndexOf('/') + 1);
	const after = base.length - base.lastIndexOf('.') - 1;

	return !/^[/.]/.test(head) && base.includes('.') && (after === 0 || after > 2);
}

function languageOf(name) {
	const scope = name.indexOf('::');
	const [head] = /^[^(<[ ]*/.exec(name);
	const rest = name.slice(head.length);
	const slash = head.indexOf('/');

	if (scope >= 0)
		return slash >= 0 && slash < scope && scope < head.length ? 'java' : 'cxx';
	if (withoutJavaType(name) !== name) return 'java';
	if (head === '' || rest.startsWith(' ')) return 'none';
	if (slash >= 0) return isGoPath(head) ? 'go' : 'none';
	if (rest.startsWith('(*') || (rest.startsWith('[') && head.includes('.')))
		return 'go';
	if (isDotted(head)) return 'java';
	return rest !== '' && /\w$/.test(head) ? 'cxx' : 'none';
}

const SHORTEN = {
	none: (name) => name,
	cxx: shortenScoped,
	rust: shortenScoped,
	go: shortenGo,
	java: shortenJava,
};

/* Shortens a name by the rules of a language. A name that fits stays as it is. */
export function shorten(name, how, fits) {
	if (fits(name)) return name;
	const bare = how === 'none' ? name : name.replace(PLACE, '');
	return (SHORTEN[how] ?? SHORTEN[languageOf(bare)])(bare, fits);
}

/* Returns a name shortened to `room` pixels; see fitLabel(). */
export function shortName(name, { room, widthOf, how }) {
	const whole = displayName(name);

	return fitLabel(limitMarks(whole), room, how, widthOf) || whole;
}

/*
 * Makes the function that measures characters in the picture's font. It measures each
 * only once.
 */
export function makeMeasure(element, settings) {
	const style = getComputedStyle(element);
	const canvas = document.createElementNS(XHTML, 'canvas');
	const context = canvas.getContext && canvas.getContext('2d');
	const guess = settings.fontSize * settings.fontWidth;
	const widths = new Map();

	if (context) context.font = style.fontSize + ' ' + style.fontFamily;

	function widthOf(character) {
		let width = widths.get(character);

		if (width === undefined) {
			width = context ? context.measureText(character).width : guess;
			widths.set(character, width);
		}
		return width;
	}

	return { widthOf };
}
