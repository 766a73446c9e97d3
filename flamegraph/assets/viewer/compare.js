/*
 * Compares the picture with another profile, which the user drops on it, pastes, or
 * chooses with "Compare with ...". The picture then is a difference, as if both had
 * gone through diff-folded -n, until the user ends that.
 *
 * reader.js reads the profile and differ.js makes the difference. The state has only
 * the number of the profile (`versus`). The profile itself stays in the picture's
 * metadata, so that a saved page has it.
 */

import { ARROW } from './changes.js';
import { makeHatching } from './colour.js';
import { decodeBase64, inflate, store } from './data.js';
import { compareProfiles } from './differ.js';
import { abs, fixed, human, thousands } from './format.js';
import { legendOfChanges, showLegend } from './heatdraw.js';
import { attr, html, keyTarget, root } from './page.js';
import { compareWith } from './picture.js';
import { readProfile } from './reader.js';
import { shortWord } from './words.js';

/* Some ms after the last dragover, the file is no longer over the picture. */
const DRAG_TIME = 600;
const STORED = 'fg:other';

/* ---- the profile in the picture's metadata */

/* Returns the stored profiles, in order; null for one that cannot be read. */
function readStored(wanted) {
	const elements = Array.from(root.querySelectorAll('metadata > *')).filter(
		({ nodeName }) => nodeName.toLowerCase() === STORED,
	);

	return Promise.all(
		elements.map(async (element) => {
			try {
				const bytes = await inflate(decodeBase64(element.textContent));
				const text = new TextDecoder().decode(bytes);
				const title = attr(element, 'name');
				return { title, ...(await readProfile(text, wanted)) };
			} catch (error) {
				return null;
			}
		}),
	);
}

/* ---- words */

/*
 * Returns the settings for the words after numbers, like flamegraph/words.c. weight:
 * that of a sample on both sides, or 0.
 */
function wordsFor(usual, unit, weight) {
	const factor = usual.weight > 0 ? 1 : usual.factor;
	const samples = { counted: 'samples', countName: 'samples' };

	if (unit === usual.unit && (unit !== '' || usual.counted === '')) return { unit };
	if (weight === 1) return { unit, ...samples, weight: 0, factor };
	if (weight > 0) return { unit, ...samples, weight, factor: 1 / weight };
	return { unit, counted: 'unknown', countName: '', weight: 0, factor };
}

const common = ([a, b], name) => (a[name] === b[name] ? a[name] : '');

/* Returns ", the units differ: ns → bytes" if both profiles say different things. */
function differText([a, b], name) {
	return a[name] && b[name] && a[name] !== b[name]
		? `; the ${name}s differ: ${a[name]}${ARROW}${b[name]}`
		: '';
}

/*
 * Returns both totals as they were recorded, like lib/profile/totals.c: "334 → 1,077
 * samples (×3.2); shares are compared".
 */
function recordedText(settings, profiles, { totals, isScaled, noisy }) {
	const units = differText(profiles, 'unit');
	const unitOf = (i) => (units ? profiles[i] : settings).unit;
	const short = (total, i) => human(total * settings.factor, unitOf(i));
	const [before, after] = totals.map(short);
	const [ratio, event] = [totals[1] / totals[0], common(profiles, 'event')];
	const times = ratio < 0.005 ? '<×0.01' : '×' + fixed(ratio, ratio < 2 ? 2 : 1);

	if (!isScaled) return '';
	return (
		before +
		ARROW +
		after +
		shortWord(settings, after) +
		(event && event !== settings.unit ? ' of ' + event : '') +
		(units ? '' : ` (${times}${noisy ? ', noise' : ''})`) +
		'; shares are compared' +
		differText(profiles, 'event') +
		units
	);
}

/* Returns what the user should know about a profile that was read, or ''. */
function noticeOf({ title, skipped }, { strangers }) {
	const lines = skipped === 1 ? '1 line' : thousands(skipped) + ' lines';

	if (strangers)
		return (
			'No stack is in both profiles. If only their first frames differ, use ' +
			'diff-folded --ignore-root.'
		);
	return skipped > 0 ? `Left out ${lines} of ${title} without one count.` : '';
}

/* ---- dragging, pasting and choosing a file */

function isTyping({ localName, isContentEditable }) {
	return /^(input|textarea|select)$/.test(localName) || isContentEditable;
}

/* Calls take(file) for each file that the user drops on the picture or pastes. */
function listenToFiles(bars, take) {
	let timer;

	function setDragged(isOver) {
		timer = clearTimeout(timer);
		root.style.outline = isOver ? '4px dashed #1c7ed6' : '';
		root.style.outlineOffset = '-4px';
		if (isOver) timer = setTimeout(setDragged, DRAG_TIME);
		bars.showMessage(isOver ? 'Drop a profile to compare with it' : '', true);
	}

	/* The browser would open the file instead of the picture. */
	for (const type of ['dragenter', 'dragover'])
		keyTarget.addEventListener(type, (event) => {
			if (!event.dataTransfer?.types.includes('Files')) return;
			event.preventDefault();
			event.dataTransfer.dropEffect = 'copy';
			setDragged(true);
		});
	keyTarget.addEventListener('drop', (event) => {
		const [file] = event.dataTransfer?.files ?? [];

		if (!file) return;
		event.preventDefault();
		setDragged(false);
		take(file);
	});
	keyTarget.addEventListener('paste', (event) => {
		const [file] = event.clipboardData?.files ?? [];
		const text = event.clipboardData?.getData('text/plain');

		if (isTyping(event.target) || !(file || text)) return;
		event.preventDefault();
		take(file ?? new File([text], 'the pasted text'));
	});
}

/* ---- the start */

/* Returns why the picture cannot be compared, or ''. */
function reasonOf({ whole, settings }) {
	if (settings.isChart) return 'A flame chart cannot be compared.';
	return whole.before ? 'This picture compares two profiles already.' : '';
}

/*
 * Returns the profile of the picture. Its names keep their places in a difference,
 * because the heat map relies on them.
 */
function ownProfile({ whole, usual }) {
	const { names, parent, name, self, decimals } = whole;
	const { event, unit } = usual;
	const weight = attr(root, 'fg:sampleweight') ?? '';

	return {
		names: names.slice(0, -1),
		parent,
		name,
		self,
		decimals,
		event,
		unit,
		weight,
	};
}

/* Returns a function from `versus` to the difference, with what its texts say. */
function makeDifferences({ others, usual }, own) {
	const made = new Map();

	function make(versus) {
		const other = others[abs(versus) - 1];
		const profiles = versus > 0 ? [own, other] : [other, own];
		const difference = compareProfiles(profiles, own.names);
		const { sample, maxDelta, weight, totals } = difference;
		const known = differText(profiles, 'unit') ? 0 : weight;
		const words = wordsFor(usual, common(profiles, 'unit'), known);
		const look = { diff: 'inclusive', widths: 'union', sample, maxDelta };
		const plain = { negate: false, classic: false, pale: false, diffusion: false };
		const settings = { ...usual, ...look, ...plain, ...words, one: 0 };

		settings.event = common(profiles, 'event');
		settings.recorded = recordedText(settings, profiles, difference);
		if (difference.isScaled) settings.recordedPart = totals[0] / totals[1];
		return { ...difference, settings, notice: noticeOf(other, difference) };
	}

	return (versus) => {
		if (!made.has(versus)) made.set(versus, make(versus));
		return made.get(versus);
	};
}

/*
 * Makes the comparison. load() reads the profiles of a saved page. choose() lets the
 * user choose a file.
 */
export function makeCompare({ picture, settings, bars }) {
	const reason = reasonOf(picture);
	const own = reason === '' ? ownProfile(picture) : null;
	const differenceOf = makeDifferences(picture, own);
	const legend = html('div');
	const say = (text) => bars.problem.replaceChildren(text);

	async function take(file) {
		const { name } = file;

		if (reason !== '') return say(reason);
		bars.showMessage('Reading ' + name + '\u2026', true);
		try {
			const text = await file.text();
			const versus = picture.others.length + 1;
			picture.others.push({ title: name, ...(await readProfile(text, own)) });
			compareWith(picture, versus);
			say(differenceOf(versus).notice);
			await store(STORED, { name }, text);
		} catch (error) {
			const why = error.message.replace(/\.$/, '');
			say(name + ' cannot be compared: ' + why + '.');
		}
		return bars.showMessage('');
	}

	if (own)
		picture.ofVersus = (versus) => {
			const difference = differenceOf(versus);
			makeHatching();
			Object.assign(settings, difference.settings);
			return difference.tree;
		};
	listenToFiles(bars, take);
	return {
		async load() {
			if (own) picture.others.push(...(await readStored(own)));
		},
		choose() {
			const input = html('input', { type: 'file' });

			input.addEventListener('change', () => take(input.files[0]));
			input.click();
		},
		/* Shows the legend of changes. legend.js hides the picture's own. */
		refresh() {
			const isOn = picture.chosen.versus !== 0;

			if (isOn) {
				showLegend(legend, legendOfChanges());
				bars.foot.append(legend);
			}
			legend.hidden = !isOn;
		},
	};
}
