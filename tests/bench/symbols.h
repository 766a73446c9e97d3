/*
 * The symbols of generated profiles: about 25,000 of a kernel, libraries and programs
 * in C, C++, Rust, Go and Java. No memory is ever freed.
 */
#ifndef FG_TESTS_BENCH_SYMBOLS_H
#define FG_TESTS_BENCH_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#define PROGRAMS 24
#define PROGRAM_SYMBOLS 900 /* per program */
#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

struct symbol {
	const char *text;
	const char *folded; /* the name as collapsers clean it */
	const char *dso;
	uint32_t callees;
	uint64_t address;
	unsigned size;
};

/*
 * A group of functions that call each other, by their symbols. The highest come first.
 */
struct group {
	uint32_t start;
	uint32_t count;
	uint32_t highest;
};

/* All symbols: the kernel's, the libraries', then each program's. */
struct world {
	struct symbol *symbols;
	size_t count;
	struct group kernel;
	struct group library;
	struct group programs[PROGRAMS];
	char comms[PROGRAMS][16];
};

/* Returns zeroed memory, or ends the program. */
void *allocate(size_t count, size_t size);

/* Makes the same world every time. */
void make_world(struct world *w);

#endif
