/*
 * The symbols of generated profiles: names like those of compilers, and their places.
 */
#include "symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

#define KERNEL_SYMBOLS 3000
#define LIBRARY_SYMBOLS 600

void *allocate(size_t count, size_t size)
{
	void *block = calloc(count, size);

	if (!block) {
		fputs("generate: out of memory\n", stderr);
		exit(1);
	}
	return block;
}

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

/*
 * Returns a name as collapsers fold it: without parameters at its end, and with ':' for
 * ';'.
 */
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

void make_world(struct world *w)
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
