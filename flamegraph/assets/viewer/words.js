/* The words after numbers: what is no number of samples is not called so. */

import { human, isKnownUnit, thousands } from './format.js';
import { UNKNOWN } from './parts.js';

const HOW =
	'What the numbers count is not known: flamegraph --unit or --countname says it, ' +
	'or a line "# unit: ns" before the stacks.';

/* After a number that is written so, in titles as the program writes them. */
export function titleWord({ countName, counted }, text) {
	const isOne = counted && countName === 'samples' && text === '1';

	return countName && ' ' + (isOne ? 'sample' : countName);
}

const isUnknown = ({ counted }) => UNKNOWN && counted === 'unknown';

/* The same in all other texts; nothing where it is not known. */
export function spokenWord(settings, text) {
	return isUnknown(settings) ? '' : titleWord(settings, text);
}

/* After a number in a unit that it says itself: nothing. */
export function shortWord(settings, text) {
	return isKnownUnit(settings.unit) ? '' : spokenWord(settings, text);
}

/* An older look has a word in titles that may not be true. */
export function spokenTitle(settings, title) {
	const cut = (end) => end.replace(/ samples?(?=[, ])/, '');

	return isUnknown(settings) ? title.replace(settings.titleEnd, cut) : title;
}

/* The end of a title whose count has no word: the count, and shares or changes. */
const WORDLESS = new RegExp(
	'( \\((?:[\\d,]+ \u2192 )?([-~]?[\\d,]+))' +
		'(?=(, [\\d.]+%(; [+-]?[\\d.]+%)?| \\([^()]+\\), [^()]+%)\\)$)',
);

/* Such a title with the word again, as the program writes it. */
export function writtenTitle(settings, title) {
	const withWord = (all, start, text) => start + titleWord(settings, text);

	return isUnknown(settings) ? title.replace(WORDLESS, withWord) : title;
}

/* "2,816 samples", or '' where it is not known how many they are. */
export function samplesOf({ one }, real) {
	const text = one > 0 ? thousands(real / one) : '';

	return text && text + (text === '1' ? ' sample' : ' samples');
}

/* "2.824 G", of counts without a unit that are shown as samples; else ''. */
export function countOf({ weight }, samples) {
	return weight > 0 ? human(samples * weight, '') : '';
}

/* How to have the words that are missing; '' where none are. */
export function wordsHint(settings) {
	return isUnknown(settings) && !(settings.one > 0) ? HOW : '';
}
