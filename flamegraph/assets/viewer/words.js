/* The words after numbers. Only numbers of samples are called samples. */

import { UNKNOWN } from './features.js';
import { human, isKnownUnit, thousands } from './format.js';

const HOW =
	'It is unknown what the numbers count. Use --unit or --countname, or a line ' +
	'"# unit: ns" before the stacks.';

/* Returns the word after a number in a title, as the program writes it. */
export function titleWord({ countName, counted }, text) {
	const isOne = counted && countName === 'samples' && text === '1';

	return countName && ' ' + (isOne ? 'sample' : countName);
}

const isUnknown = ({ counted }) => UNKNOWN && counted === 'unknown';

/*
 * Returns the word after a number in all other texts, or '' if the kind of counts is
 * unknown.
 */
export function spokenWord(settings, text) {
	return isUnknown(settings) ? '' : titleWord(settings, text);
}

/* Returns the word after a number, or '' if the number has its unit. */
export function shortWord(settings, text) {
	return isKnownUnit(settings.unit) ? '' : spokenWord(settings, text);
}

/*
 * Removes the word "samples" from a title if the picture counts something unknown.
 * Titles of an older look have the word.
 */
export function spokenTitle(settings, title) {
	const cut = (end) => end.replace(/ samples?(?=[, ])/, '');

	return isUnknown(settings) ? title.replace(settings.titleEnd, cut) : title;
}

/*
 * Matches the end of a title whose count has no word after it: the count, and the
 * shares or changes that follow.
 */
const WORDLESS = new RegExp(
	'( \\((?:[\\d,]+ \u2192 )?([-~]?[\\d,]+))' +
		'(?=(, [\\d.]+%(; [+-]?[\\d.]+%)?| \\([^()]+\\), [^()]+%)\\)$)',
);

/*
 * If a title has no word after its count, inserts it, so that the title is as the
 * program writes it.
 */
export function writtenTitle(settings, title) {
	const withWord = (all, start, text) => start + titleWord(settings, text);

	return isUnknown(settings) ? title.replace(WORDLESS, withWord) : title;
}

/* Returns "2,816 samples", or '' if it is not known how many they are. */
export function samplesOf({ one }, real) {
	const text = one > 0 ? thousands(real / one) : '';

	return text && text + (text === '1' ? ' sample' : ' samples');
}

/*
 * Returns the count that a number of samples stands for, such as "2.824 G", or '' if it
 * is not known.
 */
export function countOf({ weight }, samples) {
	return weight > 0 ? human(samples * weight, '') : '';
}

/* Returns the hint how to get the missing words, or ''. */
export function wordsHint(settings) {
	return isUnknown(settings) && !(settings.one > 0) ? HOW : '';
}
