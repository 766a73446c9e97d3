/*
 * The state as the fragment of an address: #z=a;b;c&q=term&i=1&v=fs&m=name&h=a;b
 *
 * The names of a path are percent-encoded; NAME~2 is the third sibling of that name.
 */

/* Half of a surrogate pair may be in a name, but cannot be encoded. */
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

/*
 * A hidden frame is written as its path; if it was hidden in another view than the
 * plain one, the letters of that view and a colon come first.
 */
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

/* Ignores what it does not know. */
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
