/*
 * Which samples are kept, by comm, pid, tid, cpu and time.
 */
#ifndef FG_COLLAPSE_PERF_SELECT_H
#define FG_COLLAPSE_PERF_SELECT_H

#include "lib/diag.h"
#include "lib/str.h"

struct perf_header;
struct perf_options;
struct perf_selection;

/* NULL after reporting a wrong option. */
struct perf_selection *perf_selection_new(const struct perf_options *o,
					  struct fg_diag *diag);
void perf_selection_free(struct perf_selection *sel);

/* Whether pids were asked for and no sample had one. */
bool perf_selection_lacks_pids(const struct perf_selection *sel);

/* Whether the sample is wanted, its event apart. */
bool perf_selection_wants(struct perf_selection *sel, const struct perf_header *h);

/* For threads. Whether the first sample's time, if it is needed, is known. */
bool perf_selection_is_settled(const struct perf_selection *sel);

/* Gives `sel` the first sample's time that `from` knows. */
void perf_selection_share_first(struct perf_selection *sel,
				const struct perf_selection *from);

/* Adds what `from` has seen to what `sel` has. */
void perf_selection_absorb(struct perf_selection *sel,
			   const struct perf_selection *from);

/*
 * Percentages of time need the times of the first and of the last sample, in
 * nanoseconds, before the first question.
 */
bool perf_selection_needs_span(const struct perf_selection *sel);
void perf_selection_set_span(struct perf_selection *sel, uint64_t first, uint64_t last);

/* A header's time in nanoseconds: 0, or -1 where it has none. */
int perf_time_ns(struct fg_str time, uint64_t *ns);

/* Whether `name` fits `pattern`, in which '*' is any text and '?' any byte. */
bool perf_glob(struct fg_str pattern, struct fg_str name);

#endif
