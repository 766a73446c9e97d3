/*
 * Compiles the patterns of searches so that matching always ends soon: the pattern may
 * come from a link, and can be anything.
 *
 * Browsers match by trying. For some patterns, like (a+)+$ or forty times (a|\w) on
 * forty letters, that takes for ever. So we match patterns in time linear in the name,
 * by following all places in the pattern at once (K. Thompson, Regular Expression
 * Search Algorithm, CACM 11(6), 1968), and keep the sets of places that we have
 * reached. The browser only tells if one character matches. The browser matches a whole
 * pattern in two cases only: if there is only one way to try; and if the pattern has
 * something that we do not support, such as a lookahead, and there are few ways to try.
 */

import { max } from './format.js';

const MAX_CODE = 2000;
const MAX_STATES = 1000;
/*
 * If the browser has to try several ways, we do not let it match longer names: these
 * never match.
 */
const MAX_TRIED = 4000;
/* The combinations of alternatives that the browser may try beside a repetition. */
const MAX_WAYS = 8;

const MATCH = 0;
const WORD = /\w/;
const REPEATS = /[*+]|\{(\d+)(,?)(\d*)\}/y;
const ASSERTION = /\^|\$|\\b/iy;
const ATOM =
	/\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|[^k1-9])|\[(?:\\.|[^\]\\])*\]|[^\\()|]/isy;
const GROUP = /\((?:\?:|\?<\w+>|(?!\?))/y;

/*
 * Matches a sticky expression at at.place, and moves at.place to the end of the match.
 * Returns null if it does not match.
 */
function take(at, expression) {
	expression.lastIndex = at.place;
	const found = expression.exec(at.text);

	if (found) at.place = expression.lastIndex;
	return found;
}

/*
 * Returns functions that make the parts of a pattern. A part is a function, too: it
 * takes the place where the code of the next part begins, adds its own code, and
 * returns the place where its own code begins.
 */
function makeParts(code) {
	function add(step) {
		if (code.push(step) > MAX_CODE) throw new Error('too long');
		return code.length - 1;
	}

	const sequence = (parts) => (next) =>
		parts.reduceRight((later, part) => part(later), next);
	const either = (parts) => (next) => add({ ways: parts.map((part) => part(next)) });
	const maybe = (part) => either([part, (next) => next]);
	const any = (part) => (next) => {
		const here = add({ ways: [next] });
		code[here].ways.unshift(part(here));
		return here;
	};

	function repeat(part, [all, least, comma, most]) {
		const times = (n, one) => sequence(Array(n).fill(one));

		if (all === '*') return any(part);
		if (all === '+') return sequence([part, any(part)]);
		if (max(least, most) > MAX_CODE) throw new Error('too long');
		if (comma === '') return times(+least, part);
		const more =
			most === '' ? any(part) : times(max(0, most - least), maybe(part));
		return sequence([times(+least, part), more]);
	}

	return {
		sequence,
		either,
		maybe,
		repeat,
		one: (step) => (next) => add({ ...step, next }),
	};
}

/*
 * Compiles a pattern into code. Throws if it has something we do not know, such as a
 * lookahead.
 */
function parse(text, flags) {
	const at = { text, place: 0 };
	const code = [{}];
	const { sequence, either, maybe, repeat, one } = makeParts(code);

	function readOne() {
		const assertion = take(at, ASSERTION);
		if (assertion) return one({ when: assertion[0] });
		if (take(at, GROUP)) {
			const part = readWays();
			return take(at, /\)/y) && part;
		}
		const atom = take(at, ATOM);
		const literal = atom && atom[0].replace(/^[*+?{}]/, '\\$&');
		return atom && one({ is: new RegExp('^' + literal, flags) });
	}

	function readRepeated() {
		let part = readOne();
		const times = part && take(at, REPEATS);

		if (times) part = repeat(part, times);
		else if (part && take(at, /\?/y)) part = maybe(part);
		/*
		 * We treat a lazy repetition like any other, because we only need to know if
		 * the pattern matches.
		 */
		take(at, /\?/y);
		return part;
	}

	function readWays() {
		const ways = [[]];

		while (at.place < text.length && text[at.place] !== ')')
			if (take(at, /\|/y)) ways.push([]);
			else {
				const part = readRepeated();
				if (!part) throw new Error('is not supported');
				ways[ways.length - 1].push(part);
			}
		return ways.length > 1 ? either(ways.map(sequence)) : sequence(ways[0]);
	}

	return { code, first: readWays()(MATCH) };
}

/* Returns true if an assertion holds between two characters. */
function holds(assertion, { isStart, isEnd, wordBefore, wordAfter }) {
	if (assertion === '^') return isStart;
	if (assertion === '$') return isEnd;
	return (wordBefore !== wordAfter) === (assertion === '\\b');
}

/*
 * Returns all places that can be reached from some places without matching a character.
 * between: describes the characters before and after this point of the name, for
 * assertions.
 */
function reach(code, places, between) {
	const seen = new Set(places);

	for (const place of seen) {
		const { ways, when, next } = code[place];
		if (ways) for (const way of ways) seen.add(way);
		else if (when && holds(when, between)) seen.add(next);
	}
	return seen;
}

function makeLinear({ code, first }) {
	const start = { places: [first], isStart: true, wordBefore: false, to: new Map() };
	const matched = { isMatch: true };
	let states = new Map();

	function stateOf(places, wordBefore) {
		const sorted = Array.from(places).sort((a, b) => a - b);
		const key = sorted.join() + wordBefore;

		if (!states.has(key)) {
			if (states.size >= MAX_STATES) {
				states = new Map();
				start.to.clear();
			}
			states.set(key, { places: sorted, wordBefore, to: new Map() });
		}
		return states.get(key);
	}

	function step(state, char) {
		const wordAfter = WORD.test(char);
		const places = reach(code, state.places, { ...state, wordAfter });
		/* A match can begin anywhere. */
		const after = new Set([first]);

		for (const place of places)
			if (code[place].is?.test(char)) after.add(code[place].next);
		const next = places.has(MATCH) ? matched : stateOf(after, wordAfter);
		state.to.set(char, next);
		return next;
	}

	return (name) => {
		let state = start;

		for (let i = 0; i < name.length; i++) {
			const char = name[i];
			state = state.to.get(char) ?? step(state, char);
			if (state.isMatch) return true;
		}
		state.matchesAtEnd ??= reach(code, state.places, {
			...state,
			isEnd: true,
			wordAfter: false,
		}).has(MATCH);
		return state.matchesAtEnd;
	};
}

/*
 * Returns the pattern with each escape and class replaced by an 'a', so that all
 * remaining operators are real ones.
 */
function bare(pattern) {
	return pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gs, 'a');
}

/*
 * Returns true if the browser has few ways to try a pattern that we do not understand:
 * at most one repetition, and not too many combinations of alternatives.
 */
function isQuick(pattern) {
	const plain = bare(pattern);
	const count = (text, expression) => (text.match(expression) ?? []).length;
	const repeats = count(plain, /[*+]|\{\d+,?\d*\}/g);
	const ofGroups = /\)[*+{]/.test(plain);
	const isAnchored = plain[0] === '^' && !plain.includes('|');
	const ways = plain
		.split(')')
		.map((part) => count(part, /\|/g) + 1)
		.reduce((all, one) => all * one, 2 ** count(plain, /[^(]\?/g));

	if (ofGroups || repeats > (isAnchored ? 2 : 1)) return false;
	return ways <= (repeats > 0 ? MAX_WAYS : MAX_WAYS ** 2);
}

/*
 * Returns a test of names for a pattern that the browser understands. Throws if it
 * could take for ever.
 */
export function makeTest(pattern, flags) {
	const expression = new RegExp(pattern, flags);

	/* Without repeats and alternatives the browser is quick, however long the name. */
	if (!/[*+?{|(]/.test(bare(pattern))) return (name) => expression.test(name);
	try {
		return makeLinear(parse(pattern, flags));
	} catch (error) {
		if (!isQuick(pattern)) throw new Error('it could take for ever');
	}
	return (name) => name.length <= MAX_TRIED && expression.test(name);
}

/*
 * Returns the expression to search for. A pattern that is not valid, or could take for
 * ever, is searched for as plain text; `problem` then says why.
 */
export function compilePattern(pattern, ignoreCase) {
	const flags = ignoreCase ? 'i' : '';

	try {
		const test = makeTest(pattern, flags);
		return { expression: { test, source: pattern }, problem: '' };
	} catch (error) {
		const literal = pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
		const [, reason] = /(?:\/: |^)([^:]*)$/.exec(error.message) ?? [
			null,
			'mistake',
		];
		return {
			expression: new RegExp(literal, flags),
			problem:
				'Not a regular expression (' +
				reason.toLowerCase() +
				'): searched for as plain text',
		};
	}
}
