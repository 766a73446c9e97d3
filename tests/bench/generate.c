/*
 * Makes up profiles, the same ones every time:
 *   generate perf BYTES [STACKS [SEED]]     what perf script prints
 *   generate each STACKS                    the same, each of STACKS stacks once
 *   generate folded LINES [SEED]            distinct folded stacks, not sorted
 *
 * STACKS is how many distinct stacks there are to choose from (BYTES / 8000); SEED (1)
 * chooses among them: the same stacks in other numbers. Those of `each` are shallow, so
 * that a million of them is 800 MB.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL_SYMBOLS 3000
#define LIBRARY_SYMBOLS 600
#define PROGRAM_SYMBOLS 900
#define PROGRAMS 24
#define MIN_DEPTH 5
#define MAX_DEPTH 60
#define SHALLOW_DEPTH 12
#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* ---- random numbers; xorshift, so that every machine makes the same */

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 11;
}

static size_t below(uint64_t *state, size_t limit)
{
	return (size_t)(next(state) % limit);
}

/* Skewed as counts of profiles are: i is about half as likely as i / 2. */
static size_t zipf(uint64_t *state, size_t limit)
{
	unsigned bits = 1;
	size_t n;

	while (limit >> bits)
		bits++;
	do {
		size_t magnitude = below(state, bits);

		n = ((size_t)1 << magnitude) + below(state, (size_t)1 << magnitude) - 1;
	} while (n >= limit);
	return n;
}

static void *allocate(size_t count, size_t size)
{
	void *block = calloc(count, size);

	if (!block) {
		fputs("generate: out of memory\n", stderr);
		exit(1);
	}
	return block;
}

/* ---- symbols */

enum kind { KIND_C, KIND_CPP, KIND_RUST, KIND_GO, KIND_JAVA, KIND_KERNEL };

static const char *const verbs[] = {
	"read",	 "write",  "alloc",  "free",   "lock",	"unlock", "send",  "recv",
	"parse", "encode", "decode", "insert", "find",	"remove", "flush", "poll",
	"wait",	 "wake",   "map",    "unmap",  "hash",	"copy",	  "merge", "split",
	"sort",	 "visit",  "lookup", "update", "check", "init",	  "reset", "dispatch",
};

static const char *const nouns[] = {
	"page",	   "inode",   "socket", "buffer",  "node",   "token",  "record",
	"frame",   "packet",  "thread", "queue",   "tree",   "string", "vector",
	"block",   "index",   "cache",	"entry",   "table",  "stream", "message",
	"request", "worker",  "bucket", "region",  "symbol", "type",   "expr",
	"module",  "session", "column", "segment",
};

static const char *const qualities[] = {
	"fast",	 "slow",     "locked", "batch", "common", "internal", "one",
	"all",	 "async",    "sync",   "bulk",	"raw",	  "safe",     "cold",
	"inner", "unlikely", "local",  "range", "shared", "next",
};

struct words {
	const char *verb, *noun, *other, *quality;
	unsigned number;
};

static const char *pick(uint64_t *state, const char *const *words, size_t count)
{
	return words[below(state, count)];
}

static struct words pick_words(uint64_t *state)
{
	struct words w = {
		pick(state, verbs, COUNT_OF(verbs)),
		pick(state, nouns, COUNT_OF(nouns)),
		pick(state, nouns, COUNT_OF(nouns)),
		pick(state, qualities, COUNT_OF(qualities)),
		(unsigned)below(state, 1000000),
	};

	return w;
}

static int print_cpp(char *to, size_t size, struct words w)
{
	switch (w.number % 4) {
	case 0:
		return snprintf(to, size, "%s::%s_%s::%s(%s::%s const&, int)", w.noun,
				w.quality, w.other, w.verb, w.noun, w.other);
	case 1:
		return snprintf(to, size,
				"std::vector<%s::%s, std::allocator<%s::%s> >::_M_%s_%s"
				"<%s::%s const&>(unsigned long)",
				w.noun, w.other, w.noun, w.other, w.verb, w.quality,
				w.noun, w.other);
	case 2:
		return snprintf(to, size,
				"std::_Hashtable<int, std::pair<int const, %s_%s>, "
				"std::hash<int> >::_M_%s_%u(%s*)",
				w.noun, w.other, w.verb, w.number % 90, w.quality);
	default:
		return snprintf(to, size,
				"(anonymous namespace)::%s_%s::operator()(%s)", w.verb,
				w.noun, w.other);
	}
}

static int print_rust(char *to, size_t size, struct words w)
{
	switch (w.number % 3) {
	case 0:
		return snprintf(to, size, "%s::%s_%s::%s_%s", w.noun, w.other,
				w.quality, w.verb, w.noun);
	case 1:
		return snprintf(
			to, size,
			"<%s::%s<T> as core::iter::Iterator>::%s_%s::{{closure}}",
			w.noun, w.other, w.verb, w.quality);
	default:
		return snprintf(to, size, "core::ptr::drop_in_place<%s::%s::%s_%u>",
				w.noun, w.other, w.quality, w.number % 50);
	}
}

static int print_symbol(char *to, size_t size, enum kind kind, struct words w)
{
	switch (kind) {
	case KIND_CPP:
		return print_cpp(to, size, w);
	case KIND_RUST:
		return print_rust(to, size, w);
	case KIND_GO:
		return w.number % 2 ? snprintf(to, size, "%s/%s.(*%s).%s%s", w.noun,
					       w.other, w.quality, w.verb, w.noun) :
				      snprintf(to, size, "%s.%s%s.func%u", w.noun,
					       w.verb, w.other, w.number % 5);
	case KIND_JAVA:
		return snprintf(to, size, "Lorg/%s/%s/%s%u;::%s_%s", w.noun, w.other,
				w.quality, w.number % 20, w.verb, w.noun);
	case KIND_KERNEL:
		return snprintf(to, size, "%s%s_%s_%s%s", w.number % 5 ? "" : "__",
				w.noun, w.verb, w.quality,
				w.number % 9 ? "" : ".isra.0");
	default:
		return snprintf(to, size, "%s_%s_%s_%u", w.noun, w.verb, w.other,
				w.number % 40);
	}
}

struct symbol {
	const char *text;
	const char *dso;
	uint64_t address;
	unsigned size;
};

/* All symbols: the kernel's, the libraries', and then each program's. */
struct world {
	struct symbol *symbols;
	size_t count;
	char comms[PROGRAMS][16];
};

static const char *dso_of(enum kind kind, unsigned program)
{
	static const char *const libraries[] = {
		"/usr/lib/x86_64-linux-gnu/libc.so.6",
		"/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30",
		"/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
		"/usr/lib/x86_64-linux-gnu/libz.so.1.2.13",
	};
	char path[64];

	if (kind == KIND_KERNEL)
		return "[kernel.kallsyms]";
	if (program >= PROGRAMS)
		return libraries[program % COUNT_OF(libraries)];
	if (kind == KIND_JAVA)
		snprintf(path, sizeof(path), "/tmp/perf-%u.map", 4000 + program);
	else
		snprintf(path, sizeof(path), "/usr/local/bin/service-%u", program);
	return strdup(path);
}

static void add_symbols(struct world *w, uint64_t *state, enum kind kind, size_t count,
			const char *dso)
{
	uint64_t address = kind == KIND_KERNEL ?
				   0xffffffff81000000 :
				   0x550000000000 + (uint64_t)w->count * 0x100000;

	for (size_t i = 0; i < count; i++) {
		struct symbol *s = &w->symbols[w->count++];
		char text[256];

		print_symbol(text, sizeof(text), kind, pick_words(state));
		s->text = below(state, 40) || kind == KIND_KERNEL ? strdup(text) :
								    "[unknown]";
		s->dso = dso;
		s->size = 16 + (unsigned)below(state, 4000);
		s->address = address;
		address += s->size + below(state, 64);
	}
}

static enum kind kind_of(size_t program)
{
	static const enum kind kinds[] = { KIND_C,    KIND_CPP, KIND_RUST, KIND_GO,
					   KIND_JAVA, KIND_CPP, KIND_RUST, KIND_C };

	return kinds[program % COUNT_OF(kinds)];
}

static void make_world(struct world *w)
{
	static const char *const names[] = { "postgres", "clang++", "cargo",
					     "gateway",	 "java",    "renderd",
					     "indexer",	 "nginx" };
	uint64_t state = 0x9e3779b97f4a7c15;

	w->symbols =
		allocate(KERNEL_SYMBOLS + LIBRARY_SYMBOLS + PROGRAMS * PROGRAM_SYMBOLS,
			 sizeof(*w->symbols));
	w->count = 0;
	add_symbols(w, &state, KIND_KERNEL, KERNEL_SYMBOLS, dso_of(KIND_KERNEL, 0));
	for (unsigned i = 0; i < 4; i++)
		add_symbols(w, &state, i == 1 ? KIND_CPP : KIND_C, LIBRARY_SYMBOLS / 4,
			    dso_of(KIND_C, PROGRAMS + i));
	for (unsigned i = 0; i < PROGRAMS; i++) {
		add_symbols(w, &state, kind_of(i), PROGRAM_SYMBOLS,
			    dso_of(kind_of(i), i));
		snprintf(w->comms[i], sizeof(w->comms[i]), i < 8 ? "%s" : "%s-%u",
			 names[i % COUNT_OF(names)], i);
	}
}

/* ---- stacks */

struct stack {
	uint32_t *frames; /* root first */
	unsigned depth;
	unsigned program;
};

struct stacks {
	struct stack *items;
	size_t count;
	unsigned max_depth;
	uint64_t *seen; /* hashes of the stacks; a power of two */
	size_t seen_mask;
};

/* Whether there was no such stack yet; remembers it. */
static bool is_new(struct stacks *all, const struct stack *s)
{
	uint64_t hash = s->program + 1;
	size_t at;

	for (unsigned i = 0; i < s->depth; i++)
		hash = (hash ^ s->frames[i]) * 0x9fb21c651e98df25;
	hash ^= hash >> 29;
	hash += !hash;
	for (at = hash & all->seen_mask; all->seen[at]; at = (at + 1) & all->seen_mask)
		if (all->seen[at] == hash)
			return false;
	all->seen[at] = hash;
	return true;
}

static uint32_t pick_symbol(uint64_t *state, unsigned program, bool kernel)
{
	if (kernel)
		return (uint32_t)zipf(state, KERNEL_SYMBOLS);
	if (!below(state, 6))
		return KERNEL_SYMBOLS + (uint32_t)zipf(state, LIBRARY_SYMBOLS);
	return KERNEL_SYMBOLS + LIBRARY_SYMBOLS + program * PROGRAM_SYMBOLS +
	       (uint32_t)zipf(state, PROGRAM_SYMBOLS);
}

/* An earlier stack of the program; NULL where a few tries meet none. */
static const struct stack *pick_stack(const struct stacks *all, uint64_t *state,
				      unsigned program)
{
	for (int tries = 0; all->count && tries < 100; tries++) {
		const struct stack *s = &all->items[below(state, all->count)];

		if (s->program == program)
			return s;
	}
	return NULL;
}

/* Takes the callers of an earlier stack of the same program, and other callees. */
static void make_stack(struct stacks *all, uint64_t *state, struct stack *s)
{
	const struct stack *other;
	unsigned kernel, shared = 0, depths = all->max_depth - MIN_DEPTH + 1;

	s->program = (unsigned)(below(state, 2) ? below(state, PROGRAMS) :
						  zipf(state, PROGRAMS));
	s->depth =
		MIN_DEPTH + (unsigned)(below(state, depths) + below(state, depths)) / 2;
	other = pick_stack(all, state, s->program);
	kernel = below(state, 5) < 2 ? 1 + (unsigned)below(state, 12) : 0;
	if (kernel > s->depth - 2)
		kernel = s->depth - 2;
	if (other) {
		shared = other->depth < s->depth ? other->depth : s->depth;
		shared -= 1 + (unsigned)below(state, shared < 8 ? shared : 8);
		for (unsigned i = 0; i < shared; i++)
			if (other->frames[i] < KERNEL_SYMBOLS)
				shared = i;
		memcpy(s->frames, other->frames, shared * sizeof(*s->frames));
	}
	for (unsigned i = shared; i < s->depth; i++)
		s->frames[i] = pick_symbol(state, s->program, i >= s->depth - kernel);
}

static void make_stacks(struct stacks *all, size_t count, unsigned max_depth)
{
	uint64_t state = 0xd1b54a32d192ed03;
	uint32_t frames[MAX_DEPTH];

	all->items = allocate(count, sizeof(*all->items));
	all->count = 0;
	all->max_depth = max_depth;
	for (all->seen_mask = 1; all->seen_mask < count * 2;)
		all->seen_mask *= 2;
	all->seen = allocate(all->seen_mask--, sizeof(*all->seen));
	while (all->count < count) {
		struct stack *s = &all->items[all->count];

		s->frames = frames;
		make_stack(all, &state, s);
		if (!is_new(all, s))
			continue;
		s->frames = allocate(s->depth, sizeof(*s->frames));
		memcpy(s->frames, frames, s->depth * sizeof(*frames));
		all->count++;
	}
}

/* ---- what is printed */

static size_t print_sample(const struct world *w, const struct stack *s,
			   uint64_t *state, uint64_t *microseconds)
{
	unsigned pid = 4000 + s->program;
	int len = 0;

	*microseconds += 1 + below(state, 500);
	len += printf("%-16s %7u/%-7u [%03u] %5" PRIu64 ".%06" PRIu64
		      ": %10u cycles:P: \n",
		      w->comms[s->program], pid, pid + (unsigned)below(state, 16),
		      (unsigned)below(state, 16), 4000 + *microseconds / 1000000,
		      *microseconds % 1000000, 200000 + (unsigned)below(state, 100000));
	for (unsigned i = s->depth; i-- > 0;) {
		const struct symbol *symbol = &w->symbols[s->frames[i]];
		unsigned offset = (unsigned)below(state, symbol->size);

		if (symbol->text[0] == '[')
			len += printf("\t%16" PRIx64 " %s (%s)\n",
				      symbol->address + offset, symbol->text,
				      symbol->dso);
		else
			len += printf("\t%16" PRIx64 " %s+0x%x (%s)\n",
				      symbol->address + offset, symbol->text, offset,
				      symbol->dso);
	}
	putchar('\n');
	return (size_t)len + 1;
}

static void print_perf(size_t bytes, size_t count, uint64_t seed)
{
	uint64_t state = seed * 0x2545f4914f6cdd1d, microseconds = 0;
	struct stacks all;
	struct world world;
	size_t done = 0;

	make_world(&world);
	make_stacks(&all, count ? count : 1, MAX_DEPTH);
	while (done < bytes)
		done += print_sample(&world, &all.items[zipf(&state, all.count)],
				     &state, &microseconds);
}

static void print_each(size_t count)
{
	uint64_t state = 0x2545f4914f6cdd1d, microseconds = 0;
	struct stacks all;
	struct world world;

	make_world(&world);
	make_stacks(&all, count ? count : 1, SHALLOW_DEPTH);
	for (size_t i = 0; i < all.count; i++)
		print_sample(&world, &all.items[i], &state, &microseconds);
}

static void print_folded(size_t count, uint64_t seed)
{
	uint64_t state = seed * 0x2545f4914f6cdd1d;
	struct stacks all;
	struct world world;

	make_world(&world);
	make_stacks(&all, count ? count : 1, MAX_DEPTH);
	for (size_t i = 0; i < all.count; i++) {
		const struct stack *s = &all.items[i];

		fputs(world.comms[s->program], stdout);
		for (unsigned frame = 0; frame < s->depth; frame++) {
			const char *text = world.symbols[s->frames[frame]].text;

			/* collapsers drop parameter lists; a ':' could end them */
			printf(";%.*s", (int)strcspn(text + 1, "(") + 1, text);
		}
		printf(" %zu\n", 1 + 1000000 / (1 + zipf(&state, 100000)));
	}
}

static size_t number(int argc, char **argv, int index, size_t otherwise)
{
	return argc > index ? (size_t)strtoull(argv[index], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	size_t amount = number(argc, argv, 2, 0);

	if (argc >= 3 && !strcmp(argv[1], "perf")) {
		print_perf(amount, number(argc, argv, 3, amount / 8000),
			   number(argc, argv, 4, 1));
	} else if (argc >= 3 && !strcmp(argv[1], "each")) {
		print_each(amount);
	} else if (argc >= 3 && !strcmp(argv[1], "folded")) {
		print_folded(amount, number(argc, argv, 3, 1));
	} else {
		fputs("usage: generate perf BYTES [STACKS [SEED]]\n"
		      "       generate each STACKS\n"
		      "       generate folded LINES [SEED]\n",
		      stderr);
		return 2;
	}
	return fflush(stdout) || ferror(stdout);
}
