/*
 * Numbers as texts, in the same way as the program prints them, and the functions of
 * Math that all modules use.
 */

export const { abs, ceil, floor, max, min, round } = Math;

/* Rounds like printf: a number halfway between two others goes to the even one. */
export function fixed(x, decimals) {
	const halves = x * 2 ** (decimals + 1);

	if (abs(halves % 2) !== 1) return x.toFixed(decimals);
	const below = floor(x * 10 ** decimals);
	const even = below % 2 === 0 ? below : below + 1;
	return (even / 10 ** decimals).toFixed(decimals);
}

/* Compares two strings by their UTF-16 units. */
export function compare(a, b) {
	return a < b ? -1 : a > b ? 1 : 0;
}

/*
 * Converts pixels to tenths of a pixel, rounded. We store and compare positions in that
 * unit.
 */
export function tenths(pixels) {
	const scaled = pixels * 10;
	const rest = scaled - floor(scaled);

	if (abs(rest - 0.5) < 1e-6) return round(fixed(pixels, 1) * 10);
	return round(scaled);
}

/*
 * Returns a whole number with commas. Puts a tilde before a number that is too large
 * for a double to hold exactly.
 */
export function thousands(x) {
	const isExact = abs(x) <= Number.MAX_SAFE_INTEGER;
	const digits = isExact ? fixed(x, 0) : BigInt(+x.toPrecision(15)).toString();

	return (isExact ? '' : '~') + digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/* Returns a percentage as the program writes it into titles. */
export function printedPercent(part, whole, decimals) {
	return fixed(whole > 0 ? (100 * part) / whole : 0, decimals) + '%';
}

/*
 * Like printedPercent(), but returns 100 % only for the whole. A smaller part that
 * would round to 100 % is shown as 99.9 % (with one decimal).
 */
export function percent(part, whole, decimals) {
	const text = printedPercent(part, whole, decimals);

	if (part >= whole || parseFloat(text) < 100) return text;
	return fixed(100 - 10 ** -decimals, decimals) + '%';
}

/*
 * Returns a percentage with one decimal, or with two if it is below 0.1 %, like
 * fg_put_percent() in lib/base/number.h.
 */
export function briefPercent(part, whole) {
	if (whole > 0 && part >= whole) return '100%';
	return percent(part, whole, part > 0 && part / whole < 0.001 ? 2 : 1);
}

/* Returns the text with the sign of x before it, unless x is zero. */
export function signed(x, text) {
	return (x > 0 ? '+' : x < 0 ? '-' : '') + text;
}

export const SECONDS = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1 };
const TIMES = [
	['s', 1],
	['ms', 1e-3],
	['\u00b5s', 1e-6],
	['ns', 1e-9],
];
const SIZES = [
	['TiB', 2 ** 40],
	['GiB', 2 ** 30],
	['MiB', 2 ** 20],
	['KiB', 2 ** 10],
	['bytes', 1],
];
const MANY = [
	['T', 1e12],
	['G', 1e9],
	['M', 1e6],
];
/* Larger counts are hard to read at a glance, so we shorten them. */
const TOO_LONG = 1e6;

/*
 * Returns a number with at most four digits. A number of 1,000 or more is rounded to a
 * whole one, with commas.
 */
function brief(number) {
	const size = abs(number);
	const decimals = size < 10 ? 3 : size < 100 ? 2 : 1;

	if (size >= 999.95) return thousands(number);
	return String(
		Number(size < 1 ? number.toPrecision(4) : fixed(number, decimals)),
	);
}

/*
 * Returns a number in the largest unit in which it is at least 1 after rounding: 999.99
 * ms become 1 s.
 */
function scaled(x, units) {
	const fits = units.findIndex(([, one]) => abs(x) >= one);
	const i = fits < 0 ? units.length - 1 : fits;
	const [name, size] = units[i];
	const rounded = round(abs(x) / size) * size;

	if (i > 0 && abs(x) / size >= 999.95 && rounded >= units[i - 1][1])
		return Math.sign(x) + ' ' + units[i - 1][0];
	return brief(x / size) + ' ' + name;
}

/* Returns true if the unit tells how to scale a number. */
export function isKnownUnit(unit) {
	return Object.hasOwn(SECONDS, unit) || unit === 'bytes';
}

/* Returns a number as people say it: 512.6 ms, 1.5 KiB, 512.6 M, 1,234. */
export function human(x, unit) {
	if (Object.hasOwn(SECONDS, unit)) return scaled(x * SECONDS[unit], TIMES);
	if (unit === 'bytes') return scaled(x, SIZES);
	return abs(x) > TOO_LONG ? scaled(x, MANY) : thousands(x);
}
