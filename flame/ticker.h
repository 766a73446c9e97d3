/*
 * A line on the terminal that shows how long a recording has taken, and how much has
 * been recorded. It is not shown if the command may write to the terminal itself.
 */
#ifndef FG_FLAME_TICKER_H
#define FG_FLAME_TICKER_H

#include <sys/types.h>
#include <time.h>

#include "flame/flame.h"

struct fg_ticker {
	bool wanted;
	pid_t recorder; /* 0: there is no line */
	struct timespec start;
	long shown; /* seconds that the line says */
};

void fg_ticker_init(struct fg_ticker *t, const struct fg_flame *f);
void fg_ticker_start(struct fg_ticker *t, pid_t recorder);

/* Returns the milliseconds until the line changes, at most 1000. */
int fg_ticker_wait(const struct fg_ticker *t);

/* Writes the line if a second has passed. */
void fg_ticker_show(struct fg_ticker *t);

/* Erases the line. */
void fg_ticker_stop(struct fg_ticker *t);

#endif
