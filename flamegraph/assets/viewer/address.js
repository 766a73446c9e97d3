/*
 * The state as the fragment of an address: #z=a;b;c&q=term&i=1&v=fs&m=name&h=a;b
 * A path has its names percent-encoded; NAME~2 is the third sibling of that name.
 */

/* Names may hold what could not be encoded: half of a surrogate pair. */
function encode(text) {
	return encodeURIComponent(
		text.replace(/[\ud800-\udfff]+/g, (half) =>
			half.length % 2 ? '\ufffd' : half,
		),
	)
		.replace(/~/g, '%7E')
		.replace(/!/g, '%21');
}

function decode(text) {
	try {
		return decodeURIComponent(text);
	} catch (error) {
		return text;
	}
}

function encodePath(path) {
	return path
		.map(({ name, nth }) => encode(name) + (nth > 0 ? '~' + nth : ''))
		.join(';');
}

function decodePath(text) {
	return text === ''
		? []
		: text.split(';').map((step) => {
				const [, name, nth] = /^(.*?)(?:~(\d{1,9}))?$/s.exec(
					step,
				);
				return { name: decode(name), nth: Number(nth || 0) };
			});
}

/* hidden is a path in the plain view, or after a view's letters and a colon. */
function encodeHidden({ merged, reversed, path }) {
	const view =
		(merged === null ? '' : 'm' + encode(merged)) + (reversed ? '!r' : '');

	return (view ? view + ':' : '') + encodePath(path);
}

function decodeHidden(text) {
	const [, view, path] = /^(?:([^:]*):)?(.*)$/s.exec(text);
	const merged = /^m([^!]*)/.exec(view || '');

	return {
		merged: merged ? decode(merged[1]) : null,
		reversed: /!r$/.test(view || ''),
		path: decodePath(path),
	};
}

function encodeState(state) {
	const parts = [];
	const views =
		(state.flipped ? 'f' : '') +
		(state.reversed ? 'r' : '') +
		(state.byWeight ? 's' : '');

	if (state.path.length > 0)
		parts.push('z=' + encodePath(state.path));
	if (state.term !== '')
		parts.push('q=' + encode(state.term));
	if (state.ignoreCase)
		parts.push('i=1');
	if (views !== '')
		parts.push('v=' + views);
	if (state.merged !== null)
		parts.push('m=' + encode(state.merged));
	for (const hidden of state.hidden)
		parts.push('h=' + encodeHidden(hidden));
	return parts.join('&');
}

/* What it does not know it leaves out. */
function decodeState(fragment) {
	const state = noState();
	const read = {
		z(value) {
			state.path = decodePath(value);
		},
		q(value) {
			state.term = decode(value);
		},
		i(value) {
			state.ignoreCase = value === '1';
		},
		v(value) {
			state.flipped = value.includes('f');
			state.reversed = value.includes('r');
			state.byWeight = value.includes('s');
		},
		m(value) {
			state.merged = decode(value);
		},
		h(value) {
			state.hidden.push(decodeHidden(value));
		},
	};

	for (const part of fragment.replace(/^#/, '').split('&')) {
		const key = part.slice(0, 1);
		if (part[1] === '=' && Object.hasOwn(read, key))
			read[key](part.slice(2));
	}
	return state;
}
