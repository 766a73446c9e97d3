/*
 * --slice: counts stacks in slices of time, and writes the lines of each slice.
 *
 * The first slice starts at the first sample of the input, even if options leave it
 * out. If an earlier sample comes later in the input, slices are added before the first
 * one, and the borders between them stay.
 */
#ifndef FG_COLLAPSE_SLICES_H
#define FG_COLLAPSE_SLICES_H

#include "collapse/timeline.h"

struct fg_slices;

/*
 * Returns new slices of `width` nanoseconds. The timeline is empty and borrowed; its
 * slots will be slices. `endless` means that slices are written as they end.
 */
struct fg_slices *fg_slices_new(uint64_t width, bool endless,
				struct fg_timeline *items);
void fg_slices_free(struct fg_slices *s); /* accepts NULL */

/* Notes that there is a sample at `time`, in nanoseconds like all times here. */
void fg_slices_see(struct fg_slices *s, uint64_t time);

/*
 * Returns true if some slices have ended by `time` and are not written yet, so that
 * only late samples can still fall into them. If `time` is more than a minute before
 * the open slice, no sample can be so late: the times start again, or an earlier time
 * was wrong. Then the slice of `time` becomes the open one.
 */
bool fg_slices_ended(struct fg_slices *s, uint64_t time);

/* Like fg_sink_set_clock(). */
void fg_slices_set_clock(struct fg_slices *s, uint64_t time, uint64_t start);

/* Return where the slice of a time starts, and where the next one starts. */
uint64_t fg_slices_start(const struct fg_slices *s, uint64_t time);
uint64_t fg_slices_end(const struct fg_slices *s, uint64_t time);

/*
 * Returns true if an interval may be cut into its slices. If there would be too many,
 * counts it as uncut and returns false: a few bytes of input can claim a century.
 */
bool fg_slices_cut(struct fg_slices *s, uint64_t from, uint64_t to);

/* Returns how many intervals could not be cut. */
uint64_t fg_slices_uncut(const struct fg_slices *s);

/*
 * Adds an item to the slice of the time in `roots`. An item without a time goes to the
 * slice of the sample before it, or of the first sample that has a time.
 */
void fg_slices_add(struct fg_slices *s, struct fg_timeline_item item,
		   const struct fg_roots *roots);

/* Returns how many samples were added without a time. */
uint64_t fg_slices_timeless(const struct fg_slices *s);

/* Returns true if any sample had a time. */
bool fg_slices_any_time(const struct fg_slices *s);

/* Appends the header lines. */
void fg_slices_add_header(const struct fg_slices *s, struct fg_buf *b);

/*
 * Writes the lines of each slice, sorted, and forgets their counts. Returns the number
 * of lines. If counts are rounded, the counts of each stack still add up to the count
 * that would be written without --slice.
 *
 * Slices that are written later are still numbered from the same start. Samples from
 * before that start are then in the first slice.
 */
size_t fg_slices_write(struct fg_slices *s, const struct fg_timeline_output *l,
		       struct fg_out *out);

#endif
