/* Differentials in words: which changes are noise, new or gone. */

import { abs, fixed, max, percent } from './format.js';

export const ARROW = ' \u2192 ';

/*
 * Returns true if sampling alone explains a change: it is less than twice the Poisson
 * deviation of the samples. flamegraph/changes.c has the same rule. If the weight of a
 * sample is unknown (0), only equal counts are noise.
 */
export function isNoise({ sample }, before, after) {
	const change = abs(after - before);

	return change === 0 || change < 2 * Math.sqrt((before + after) * sample);
}

/*
 * Returns the largest change of a frame that is neither noise nor gone, but at least 1.
 * flamegraph/changes.c has the same rule.
 */
export function largestChange(settings, { total, before, decimals }) {
	let most = 10 ** decimals;

	for (let i = 1; i < total.length; i++)
		if (total[i] > 0 && !isNoise(settings, before[i], total[i]))
			most = max(most, abs(total[i] - before[i]));
	return most;
}

/* Returns "×2.0". Both counts must be more than 0. */
export function ratioText(before, after) {
	const ratio = after / before;

	return '\u00d7' + fixed(ratio, ratio < 1 ? 2 : 1);
}

/*
 * Returns a word for how counts changed, such as "new", "gone" or "×2.0". wasThere,
 * isThere: whether the function has any counts before and after, with its callees.
 */
export function wordOf(settings, [before, after], { wasThere, isThere }) {
	if (!isThere) return 'gone';
	if (isNoise(settings, before, after))
		return before !== after ? 'noise' : before > 0 ? 'same' : '';
	if (!wasThere) return 'new';
	if (!(before > 0)) return 'from 0';
	if (!(after > 0)) return 'to 0';
	const ratio = ratioText(before, after);
	return ratio === '\u00d70.00' ? '<\u00d70.01' : ratio;
}

/*
 * Returns two texts: the totals, "2.825 s → 3.339 s", and how much they have changed,
 * "+514.5 ms, +18.2%".
 */
export function wholeChange(settings, short, { before, total }) {
	const [old, now] = [before[0], total[0]];
	const sign = now < old ? '-' : '+';
	const parts = [sign + short(abs(now - old))];

	if (old > 0) parts.push(sign + percent(abs(now - old), old, 1));
	if (isNoise(settings, old, now)) parts.push('noise');
	const change = now === old ? 'no change' : parts.join(', ');
	return [short(old) + ARROW + short(now), change];
}
