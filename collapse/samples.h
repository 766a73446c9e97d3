/*
 * The sink for formats whose stacks are samples: they have an event, a comm, a pid, a
 * CPU and a time, and options select samples by these. Only perf has these.
 *
 * A grammar counts a sample in these steps:
 *
 *     if (fg_sink_selects(sink, &sample) &&
 *         fg_events_keep(fg_sink_events(sink), sample.event)) {
 *             ... add the frames to fg_sink_stack(sink) ...
 *             fg_sink_set_roots(sink, &sample, &roots);
 *             fg_sink_count(sink, &roots, sample.weight);
 *             fg_sink_tally(sink)->kept++;
 *             fg_sink_clear(sink);
 *     }
 *
 * The grammar also updates the other counts of fg_sink_tally() itself.
 */
#ifndef FG_COLLAPSE_SAMPLES_H
#define FG_COLLAPSE_SAMPLES_H

#include "collapse/events.h"
#include "collapse/roots.h"
#include "collapse/select.h"
#include "collapse/sink.h"
#include "collapse/sink_rules.h"

/* ---- how stacks are written */

/* Sets the rules. Call this before the first name. */
void fg_sink_set_rules(struct fg_sink *s, const struct fg_sink_rules *rules);

/*
 * Reverses all stacks: treats their frames as root first if the format says leaf first,
 * and the other way round. A second call undoes the first.
 */
void fg_sink_reverse(struct fg_sink *s);

/* Adds bits of enum fg_mark to a frame. */
void fg_sink_mark(struct fg_sink *s, uint32_t id, unsigned marks);

bool fg_sink_has_mark(const struct fg_sink *s, uint32_t id, enum fg_mark mark);

/*
 * Sets the recorded command, for the header of folded(5). The command is dropped if the
 * inputs disagree; an empty string is ignored.
 */
void fg_sink_set_command(struct fg_sink *s, struct fg_str command);

/* ---- counting */

/* Returns true if options keep the sample, whatever its event. Notes its time. */
bool fg_sink_selects(struct fg_sink *s, const struct fg_sample *sample);

/* Returns the events seen so far. */
struct fg_events *fg_sink_events(struct fg_sink *s);

/* Sets *roots to the root frames that options ask for. */
void fg_sink_set_roots(struct fg_sink *s, const struct fg_sample *sample,
		       struct fg_roots *roots);

/* Adds the root frames to the stack and counts it. Does not empty the stack. */
void fg_sink_count(struct fg_sink *s, const struct fg_roots *roots, uint64_t weight);

/*
 * Returns the start of the slice that contains `time`, so that all times of a slice can
 * be counted together; 0 without --slice.
 */
uint64_t fg_sink_slice_start(const struct fg_sink *s, uint64_t time);

/* ---- stacks without a header line, which perf script prints for some fields */

/* Counts a stack without a header. It is written only if no sample has a header. */
void fg_sink_count_orphan(struct fg_sink *s);

/* Notes that a sample has a header. */
void fg_sink_saw_header(struct fg_sink *s);

/*
 * Counts the stacks without a header as kept or dropped. Call it after the last sample.
 */
void fg_sink_end_orphans(struct fg_sink *s);

#endif
