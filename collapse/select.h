/*
 * Which samples are wanted: by comm, pid, tid, cpu and time, and by event.
 */
#ifndef FG_COLLAPSE_SELECT_H
#define FG_COLLAPSE_SELECT_H

#include "collapse/options.h"
#include "lib/base/buf.h"
#include "lib/base/out.h"

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

/* ---- events (event.c) */

struct fg_events;

/* The options are borrowed. */
struct fg_events *fg_events_new(const struct fg_samples_options *o);
void fg_events_free(struct fg_events *e);

/* How --event-filter is compared with events. */
enum fg_events_rule {
	FG_EVENTS_BY_PATTERN, /* '*' and '?' match, the kind of core does not matter */
	FG_EVENTS_LAST, /* the last that was given counts, to the letter */
	FG_EVENTS_BY_START, /* to the letter, of an event what is before its ':' */
};

/* Before the first sample. */
void fg_events_set_rule(struct fg_events *e, enum fg_events_rule rule);

/*
 * Whether samples of `event` are kept; counts the sample. Without a filter the
 * first event of all is kept. An event that was not printed (.len 0) is kept.
 */
bool fg_events_keep(struct fg_events *e, struct fg_str event);

/*
 * Appends "'cycles' (12 samples), ..." of the kept or of the ignored events, in the
 * order in which they came first; of a great many the first, and how many more.
 */
void fg_events_list(const struct fg_events *e, bool kept, struct fg_buf *text);

/*
 * Writes a line of the header of folded(5), "# KEY: VALUE", with at most `max` bytes of
 * the value. A ';' would make it the line of a stack, and becomes ':'.
 */
void fg_events_write_line(const char *key, struct fg_str value, size_t max,
			  struct fg_out *out);

/*
 * Writes the header of folded(5): a line for the kept events, and one for what is
 * counted of them, `unit` or, where it is NULL, what their periods are in. Where it is
 * empty, or they differ, no line says it.
 */
void fg_events_write_header(const struct fg_events *e, const char *unit,
			    struct fg_out *out);

#endif
