/*
 * Selects samples by comm, pid, tid, CPU and time. For events see collapse/events.h.
 */
#ifndef FG_COLLAPSE_SELECT_H
#define FG_COLLAPSE_SELECT_H

#include "collapse/options.h"
#include "lib/base/buf.h"

struct fg_sample;
struct fg_selection;

/*
 * Sets *made to a new selection, or to NULL if options want all samples. Returns -1
 * after reporting a wrong option. The options are borrowed.
 */
int fg_selection_new(const struct fg_samples_options *o, struct fg_diag *diag,
		     struct fg_selection **made);
void fg_selection_free(struct fg_selection *sel);

/* Returns true if the sample is wanted, whatever its event. */
bool fg_selection_wants(struct fg_selection *sel, const struct fg_sample *sample);

/* Returns true if options name pids and no sample had one. */
bool fg_selection_lacks_pids(const struct fg_selection *sel);

/* Returns true if options select by time. */
bool fg_selection_needs_time(const struct fg_selection *sel);

/* Returns true if --time has percentages, which need fg_selection_set_span(). */
bool fg_selection_needs_span(const struct fg_selection *sel);

/*
 * Sets the times of the first and the last sample, in nanoseconds. Call it before
 * fg_selection_wants().
 */
void fg_selection_set_span(struct fg_selection *sel, uint64_t first, uint64_t last);

/*
 * Reads seconds, "4242.123456", as nanoseconds. Returns -1 if `s` is not such a number.
 */
int fg_read_seconds(struct fg_str s, uint64_t *ns);

/*
 * Returns true if `name` matches `pattern`, in which '*' stands for any text and '?'
 * for any byte.
 */
bool fg_glob(struct fg_str pattern, struct fg_str name);

#endif
