/* `flame compare`: runs two commands in turns, and shows the difference. */
#ifndef FG_FLAME_COMPARE_H
#define FG_FLAME_COMPARE_H

#include "flame/flame.h"

/* Compares the two commands of f->o.command. Returns the exit status. */
int fg_compare(struct fg_flame *f);

/* The totals of the runs of one command. */
struct fg_runs {
	double least, most;
};

/* Adds the total of a run; `is_first` is true for the first one. */
void fg_runs_add(struct fg_runs *runs, double total, bool is_first);

/* Returns by how many percent the largest total exceeds the smallest. */
double fg_runs_spread(const struct fg_runs *runs);

#endif
