/*
 * Chooses how callers are found if --call-graph is not given: by frame pointers if all
 * code that runs keeps them, else by copies of the stack, which cost more.
 */
#ifndef FG_FLAME_CALLERS_H
#define FG_FLAME_CALLERS_H

#include "flame/flame.h"

/* Sets f->call_graph and, for copies, f->rate, and says why. */
void fg_callers_choose(struct fg_flame *f);

/* The facts that decide the size and the rate of copies. */
struct fg_copies_for {
	bool is_python; /* the frames of an interpreter are large */
	bool to_file; /* the recording is kept in a file */
	bool all_cpus, off_cpu, wall;
	double seconds; /* the duration; 0: unknown */
};

struct fg_copies {
	unsigned size; /* bytes of a copy */
	unsigned rate; /* copies a second that disk and processor can bear */
};

struct fg_copies fg_copies_choose(const struct fg_copies_for *what);

/*
 * Finds the percentage of samples in functions without frame pointers in the messages
 * of collapse-perf. Returns 0 if they have none.
 */
unsigned fg_callers_lacking(struct fg_str messages);

#endif
