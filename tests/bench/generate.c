/*
 * Makes up profiles, the same ones every time:
 *   generate perf BYTES [SEED]      what perf script prints
 *   generate each STACKS            the same, each of STACKS distinct stacks once
 *   generate folded LINES [SEED]    distinct stacks of such samples, folded, unsorted
 *
 * A sample is a walk through a call graph, which is always the same; a SEED other than
 * 1 chooses other samples, as in another capture of the same programs. The stacks of
 * `each` lack their callers, as if they could not be unwound; a million of them take a
 * gigabyte.
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
#define MAX_DEPTH 127
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

/* Any number from 0 on; 2n is `odds` / 16 as likely as n. */
static uint32_t skewed(uint64_t *state, unsigned odds)
{
	uint32_t top = 1;

	while (top < 4096 && below(state, 16) < odds)
		top *= 2;
	return top - 1 + (uint32_t)below(state, top);
}

/* A state that differs for each n. */
static uint64_t state_of(uint64_t n)
{
	n = (n + 1) * 0x9e3779b97f4a7c15;
	n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9;
	n = (n ^ (n >> 27)) * 0x94d049bb133111eb;
	return (n ^ (n >> 31)) | 1;
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
		return snprintf(to, size, "%s::%s_%s::%s_%s(%s::%s const&, int)",
				w.noun, w.quality, w.other, w.verb, w.noun, w.noun,
				w.other);
	case 1:
		return snprintf(to, size,
				"std::vector<%s::%s_%s, std::allocator<%s::%s_%s> "
				">::_M_%s_%s<%s::%s const&>(unsigned long)",
				w.noun, w.quality, w.other, w.noun, w.quality, w.other,
				w.verb, w.quality, w.noun, w.other);
	case 2:
		return snprintf(to, size,
				"std::_Hashtable<int, std::pair<int const, %s::%s_%s>, "
				"%s::%sAllocator, std::hash<int> >::_M_%s_%u(%s*)",
				w.noun, w.quality, w.other, w.noun, w.other, w.verb,
				w.number % 90, w.quality);
	default:
		return snprintf(to, size,
				"%s::(anonymous namespace)::%s_%s::operator()(%s)",
				w.noun, w.verb, w.quality, w.other);
	}
}

static int print_rust(char *to, size_t size, struct words w)
{
	switch (w.number % 3) {
	case 0:
		return snprintf(to, size, "%s_%s::%s_%s::%s_%s", w.noun, w.quality,
				w.other, w.quality, w.verb, w.noun);
	case 1:
		return snprintf(to, size,
				"<%s_%s::%s::%s<T> as core::iter::traits::iterator::"
				"Iterator>::%s_%s::{{closure}}",
				w.noun, w.quality, w.verb, w.other, w.verb, w.quality);
	default:
		return snprintf(to, size,
				"core::ptr::drop_in_place<alloc::vec::Vec<%s::%s::"
				"%s_%u>>",
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
		return snprintf(to, size, "Lorg/%s/%s/%s%s%u;::%s_%s", w.noun, w.other,
				w.quality, w.noun, w.number % 20, w.verb, w.noun);
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
	const char *folded; /* the text as collapsers tidy it */
	const char *dso;
	uint32_t callees;
	uint64_t address;
	unsigned size;
};

/* Functions that call each other, by their symbols; the first ones are the highest. */
struct group {
	uint32_t start;
	uint32_t count;
	uint32_t highest;
};

/* All symbols: the kernel's, the libraries', and then each program's. */
struct world {
	struct symbol *symbols;
	size_t count;
	struct group kernel;
	struct group library;
	struct group programs[PROGRAMS];
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

/* Without the parameters at its end, and with ':' for ';'. */
static const char *fold(const char *text)
{
	char *folded = strdup(text);
	char *parameters = strrchr(folded, '(');

	if (parameters && folded[strlen(folded) - 1] == ')')
		*parameters = '\0';
	for (char *c = folded; *c; c++)
		if (*c == ';')
			*c = ':';
	return folded;
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
		s->folded = fold(s->text);
		s->dso = dso;
		s->callees = 1 + skewed(state, 6);
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
	w->kernel = (struct group){ 0, KERNEL_SYMBOLS, 24 };
	w->library = (struct group){ KERNEL_SYMBOLS, LIBRARY_SYMBOLS, 6 };
	add_symbols(w, &state, KIND_KERNEL, KERNEL_SYMBOLS, dso_of(KIND_KERNEL, 0));
	for (unsigned i = 0; i < 4; i++)
		add_symbols(w, &state, i == 1 ? KIND_CPP : KIND_C, LIBRARY_SYMBOLS / 4,
			    dso_of(KIND_C, PROGRAMS + i));
	for (unsigned i = 0; i < PROGRAMS; i++) {
		w->programs[i] = (struct group){ (uint32_t)w->count, PROGRAM_SYMBOLS,
						 8 + (uint32_t)below(&state, 150) };
		add_symbols(w, &state, kind_of(i), PROGRAM_SYMBOLS,
			    dso_of(kind_of(i), i));
		snprintf(w->comms[i], sizeof(w->comms[i]), i < 8 ? "%s" : "%s-%u",
			 names[i % COUNT_OF(names)], i);
	}
}

/* ---- calls */

/*
 * The height of a function is how deep its calls may go. A few functions of a group are
 * high, half of them are below HALF_HEIGHT, and those of height 0 call nothing.
 */
#define HALF_HEIGHT 6

static uint32_t height_of(const struct group *g, uint32_t function)
{
	uint32_t rank = function - g->start;
	uint32_t height = HALF_HEIGHT * g->count / (rank + 1) - HALF_HEIGHT;

	return height < g->highest ? height : g->highest;
}

/* One of the functions of that height, or of the highest. */
static uint32_t function_of(const struct group *g, uint32_t height, uint64_t choice)
{
	uint32_t end = HALF_HEIGHT * g->count / (HALF_HEIGHT + height);
	uint32_t start = HALF_HEIGHT * g->count / (HALF_HEIGHT + height + 1);

	if (height >= g->highest)
		start = 0;
	return g->start + start + (uint32_t)(choice % (end > start ? end - start : 1));
}

static const struct group *group_of(const struct world *w, uint32_t function)
{
	if (function < w->library.start)
		return &w->kernel;
	if (function < w->programs[0].start)
		return &w->library;
	return &w->programs[(function - w->programs[0].start) / PROGRAM_SYMBOLS];
}

/*
 * The first callee carries on what the caller does. The others are helpers, whose calls
 * soon end, in the same group, a library or the kernel; one in eight is a recursion.
 */
static uint32_t callee_of(const struct world *w, uint32_t caller, uint32_t which)
{
	const struct group *g = group_of(w, caller);
	uint64_t state = state_of((uint64_t)(which + 1) << 32 | caller);
	uint32_t height = height_of(g, caller);
	size_t kind = below(&state, 16);

	if (!which && height) {
		height--;
	} else if (g != &w->kernel && (kind < 3 || !height)) {
		g = &w->kernel;
		height = (uint32_t)below(&state, g->highest + 1);
	} else if (g != &w->kernel && kind < 6) {
		g = &w->library;
		height = (uint32_t)below(&state, g->highest + 1);
	} else if (kind >= 13) {
		height += (uint32_t)below(&state, 8);
	} else {
		height = (uint32_t)zipf(&state, height);
	}
	return function_of(g, height, next(&state));
}

/* Whether the sample is not of *function itself but of what it calls, its new value. */
static bool calls(const struct world *w, uint64_t *state, uint32_t *function)
{
	const struct group *g = group_of(w, *function);
	uint32_t which;

	if (!below(state, 32))
		return false;
	if (!height_of(g, *function) && (g == &w->kernel || below(state, 16)))
		return false; /* else a page fault */
	do {
		which = skewed(state, 4);
	} while (which >= w->symbols[*function].callees);
	*function = callee_of(w, *function, which);
	return true;
}

/* ---- stacks */

struct stack {
	uint32_t *frames; /* root first */
	unsigned depth;
	unsigned program;
	uint64_t count;
};

/* Distinct stacks. */
struct stacks {
	struct stack *items;
	size_t count;
	uint32_t *slots; /* index + 1; a power of two of them */
	size_t slots_mask;
};

/* Adds the frames after the first one. */
static void take_sample(const struct world *w, uint64_t *state, struct stack *s,
			unsigned max_depth)
{
	uint32_t function = s->frames[0];

	s->depth = 1;
	while (s->depth < max_depth && calls(w, state, &function))
		s->frames[s->depth++] = function;
	s->count = 200000 + below(state, 100000);
}

static void take_whole_sample(const struct world *w, uint64_t *state, struct stack *s)
{
	const struct group *g;

	s->program = (unsigned)zipf(state, PROGRAMS);
	g = below(state, 16) ? &w->programs[s->program] : &w->kernel;
	s->frames[0] = g->start + skewed(state, 4) % 16;
	take_sample(w, state, s, MAX_DEPTH);
}

/* Starts at any function. */
static void take_shallow_sample(const struct world *w, uint64_t *state, struct stack *s)
{
	s->program = (unsigned)below(state, PROGRAMS);
	s->frames[0] =
		w->programs[s->program].start + (uint32_t)below(state, PROGRAM_SYMBOLS);
	take_sample(w, state, s, SHALLOW_DEPTH);
}

static void make_room(struct stacks *all, size_t count)
{
	all->items = allocate(count, sizeof(*all->items));
	all->count = 0;
	for (all->slots_mask = 1; all->slots_mask < count * 2;)
		all->slots_mask *= 2;
	all->slots = allocate(all->slots_mask--, sizeof(*all->slots));
}

static bool is_same(const struct stack *a, const struct stack *b)
{
	return a->depth == b->depth && a->program == b->program &&
	       !memcmp(a->frames, b->frames, a->depth * sizeof(*a->frames));
}

/* Adds to the count of that stack; whether it is a new one. */
static bool add_sample(struct stacks *all, const struct stack *s)
{
	size_t size = s->depth * sizeof(*s->frames);
	uint64_t hash = s->program + 1;
	struct stack *item;
	size_t at;

	for (unsigned i = 0; i < s->depth; i++)
		hash = (hash ^ s->frames[i]) * 0x9fb21c651e98df25;
	hash ^= hash >> 29;
	for (at = hash & all->slots_mask; all->slots[at];
	     at = (at + 1) & all->slots_mask) {
		item = &all->items[all->slots[at] - 1];
		if (is_same(item, s)) {
			item->count += s->count;
			return false;
		}
	}
	item = &all->items[all->count++];
	*item = *s;
	item->frames = memcpy(allocate(1, size), s->frames, size);
	all->slots[at] = (uint32_t)all->count;
	return true;
}

/* ---- what is printed */

static size_t print_sample(const struct world *w, const struct stack *s,
			   uint64_t *state, uint64_t *microseconds)
{
	unsigned pid = 4000 + s->program;
	int len = 0;

	*microseconds += 1 + below(state, 500);
	len += printf("%-16s %7u/%-7u [%03u] %5" PRIu64 ".%06" PRIu64 ": %10" PRIu64
		      " cycles:P: \n",
		      w->comms[s->program], pid, pid + (unsigned)below(state, 16),
		      (unsigned)below(state, 16), 4000 + *microseconds / 1000000,
		      *microseconds % 1000000, s->count);
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

static void print_perf(size_t bytes, uint64_t seed)
{
	uint64_t state = state_of(seed), microseconds = 0;
	uint32_t frames[MAX_DEPTH];
	struct stack sample = { .frames = frames };
	struct world world;
	size_t done = 0;

	make_world(&world);
	while (done < bytes) {
		take_whole_sample(&world, &state, &sample);
		done += print_sample(&world, &sample, &state, &microseconds);
	}
}

static void print_each(size_t count)
{
	uint64_t state = state_of(1), microseconds = 0;
	uint32_t frames[SHALLOW_DEPTH];
	struct stack sample = { .frames = frames };
	struct stacks all;
	struct world world;

	make_world(&world);
	make_room(&all, count);
	while (all.count < count) {
		take_shallow_sample(&world, &state, &sample);
		if (add_sample(&all, &sample))
			print_sample(&world, &sample, &state, &microseconds);
	}
}

static void print_folded(size_t count, uint64_t seed)
{
	uint64_t state = state_of(seed);
	uint32_t frames[MAX_DEPTH];
	struct stack sample = { .frames = frames };
	struct stacks all;
	struct world world;

	make_world(&world);
	make_room(&all, count);
	while (all.count < count) {
		take_whole_sample(&world, &state, &sample);
		add_sample(&all, &sample);
	}
	for (size_t i = 0; i < all.count; i++) {
		const struct stack *s = &all.items[i];

		fputs(world.comms[s->program], stdout);
		for (unsigned frame = 0; frame < s->depth; frame++) {
			putchar(';');
			fputs(world.symbols[s->frames[frame]].folded, stdout);
		}
		printf(" %" PRIu64 "\n", s->count);
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
		print_perf(amount, number(argc, argv, 3, 1));
	} else if (argc >= 3 && !strcmp(argv[1], "each")) {
		print_each(amount);
	} else if (argc >= 3 && !strcmp(argv[1], "folded")) {
		print_folded(amount, number(argc, argv, 3, 1));
	} else {
		fputs("usage: generate perf BYTES [SEED]\n"
		      "       generate each STACKS\n"
		      "       generate folded LINES [SEED]\n",
		      stderr);
		return 2;
	}
	return fflush(stdout) || ferror(stdout);
}
