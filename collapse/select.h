/*
 * Which samples are wanted, by comm, pid, tid, cpu and time.
 */
#ifndef FG_COLLAPSE_SELECT_H
#define FG_COLLAPSE_SELECT_H

#include "collapse/options.h"
#include "lib/str.h"

struct fg_sample;
struct fg_selection;

/*
 * Sets *made, to NULL where all samples are wanted: 0, or -1 after reporting a wrong
 * option. The options are borrowed.
 */
int fg_selection_new(const struct fg_samples_options *o, struct fg_diag *diag,
		     struct fg_selection **made);
void fg_selection_free(struct fg_selection *sel);

/* Whether the sample is wanted, its event apart. */
bool fg_selection_wants(struct fg_selection *sel, const struct fg_sample *sample);

/* Whether pids were asked for and no sample had one. */
bool fg_selection_lacks_pids(const struct fg_selection *sel);

/* Whether samples are chosen by time. */
bool fg_selection_needs_time(const struct fg_selection *sel);

/*
 * Percentages of time need the times of the first and of the last sample, in
 * nanoseconds, before the first question.
 */
bool fg_selection_needs_span(const struct fg_selection *sel);
void fg_selection_set_span(struct fg_selection *sel, uint64_t first, uint64_t last);

/* "4242.123456", seconds, as nanoseconds: 0, or -1 where it is no such number. */
int fg_read_seconds(struct fg_str s, uint64_t *ns);

/* Whether `name` fits `pattern`, in which '*' is any text and '?' any byte. */
bool fg_glob(struct fg_str pattern, struct fg_str name);

#endif
