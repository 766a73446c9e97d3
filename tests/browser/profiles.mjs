/*
 * The profiles of the tests: small ones whose shares are easy to compute, and a large one.
 */

/* 1,000 samples: main 900 (parse 600 (read 150, lex 400), print 300), idle 100. */
export const simple = `main;parse 50
main;parse;read 150
main;parse;lex 400
main;print 300
idle 100
`;

/* 100 samples: walk is nested in walk (60), and once alone (10). */
export const nested = `start;walk 10
start;walk;walk;walk 20
start;walk;visit 30
other;walk 10
other 30
`;

/* 1,000 samples; tiny is too narrow for a label until it is zoomed to. */
export const narrow = `main 994
main;tiny;inner_function 5
main;tiny 1
`;

/*
 * 1,000,000 samples. group is a pixel wide. The twenty frames in it are too narrow to be
 * drawn until it is zoomed to, and so is deep in the last of them.
 */
export const crowded = 'main 999000\n' +
	Array.from({ length: 20 }, (_, i) => `main;group;part${i + 10} 50\n`).join('')
		.replace('part29 50', 'part29;deep 50');

/* 1,000 before, 1,200 after: grown, shrunk, new, gone and unchanged frames. */
export const changed = `main;grown 200 400
main;shrunk 300 100
main;fresh 0 200
main;same;inner 400 400
main;gone 100 0
main 0 100
`;

/* The same callee under several callers, for reversed and merged views. */
export const shared = `main;alpha;copy;memmove 30
main;alpha;copy 10
main;beta;copy;memmove 20
main;beta;work 25
idle;copy;page_fault 15
`;

/* Returns a generator of numbers below a limit, the same ones every time (xorshift). */
export function numbers(seed = 42) {
	let state = seed;

	return (limit) => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return (state >>> 0) % limit;
	};
}

const verbs = ['read', 'write', 'alloc', 'parse', 'lookup', 'merge', 'flush', 'visit'];
const nouns = ['page', 'inode', 'buffer', 'token', 'tree', 'socket', 'entry', 'cache'];

/*
 * Returns that many distinct stacks, up to 24 deep, with names like those of real programs.
 */
export function large(lines) {
	const next = numbers(7);
	const stacks = new Map();
	const name = () => {
		const word = verbs[next(8)] + '_' + nouns[next(8)];
		const form = next(4);
		if (form === 0)
			return `std::vector<${nouns[next(8)]}::${word}, std::allocator<int> >::${word}`;
		if (form === 1)
			return `<${nouns[next(8)]}::Store<T> as core::fmt::Display>::${word}`;
		return form === 2 ? `${word}_[k]` : `${word}${next(40)}`;
	};
	let last = [];

	while (stacks.size < lines) {
		last = last.slice(0, next(last.length + 1));
		for (let grow = next(8) + 1; grow > 0 && last.length < 24; grow--)
			last.push(name());
		stacks.set(last.join(';'), next(100) ** 3 + 1);
	}
	return Array.from(stacks, ([stack, count]) => `${stack} ${count}\n`).join('');
}
