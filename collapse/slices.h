/*
 * --slice: which stack came in which slice of time, and the lines of each.
 *
 * Slices start with the first sample of the input, chosen or not. One that comes after
 * it in the input though it was earlier moves their number, not their borders.
 */
#ifndef FG_COLLAPSE_SLICES_H
#define FG_COLLAPSE_SLICES_H

#include "collapse/placed.h"
#include "collapse/roots.h"

struct fg_slices;

/*
 * Each is so many nanoseconds wide. The list, which is empty and borrowed, gets what
 * stacks count in them. `endless`: they are written as they end.
 */
struct fg_slices *fg_slices_new(uint64_t width, bool endless,
				struct fg_placed_list *items);
void fg_slices_free(struct fg_slices *s); /* accepts NULL */

/* There is a sample at `time`. */
void fg_slices_see(struct fg_slices *s, uint64_t time);

/*
 * Whether slices have ended that are not written, now that it is `time`: there is a
 * sample in a later one. Only what comes late is still for them. Where it is a minute
 * earlier than it was, times start again, and slices end as they do.
 */
bool fg_slices_ended(struct fg_slices *s, uint64_t time);

/* The clock of samples showed `time` when it was `start` ns since 1970. */
void fg_slices_set_clock(struct fg_slices *s, uint64_t time, uint64_t start);

/* Where the slice of a time starts, and where it ends: the next one's start. */
uint64_t fg_slices_start(const struct fg_slices *s, uint64_t time);
uint64_t fg_slices_end(const struct fg_slices *s, uint64_t time);

/*
 * Whether an interval may be cut into the slices that it is in. Not if these would be
 * too many, as a few bytes of input can claim a century; such intervals are counted.
 */
bool fg_slices_cut(struct fg_slices *s, uint64_t from, uint64_t to);
uint64_t fg_slices_uncut(const struct fg_slices *s);

/*
 * Adds an item to the slice of the time that `roots` has. Without a time it goes to the
 * slice of the sample before it, or of the first sample that has a time.
 */
void fg_slices_add(struct fg_slices *s, struct fg_placed item,
		   const struct fg_roots *roots);

/* How many samples were added without a time; whether any sample had one. */
uint64_t fg_slices_timeless(const struct fg_slices *s);
bool fg_slices_any_time(const struct fg_slices *s);

/* Appends the header lines. */
void fg_slices_add_header(const struct fg_slices *s, struct fg_buf *b);

/*
 * Writes the lines of each slice, sorted, and forgets their counts. Of counts that are
 * rounded, each stack's add up to what is written of it without slices. How many lines.
 *
 * What comes later has its slices counted from the same start, and is in the first one
 * if it was earlier.
 */
size_t fg_slices_write(struct fg_slices *s, const struct fg_placed_lines *l,
		       struct fg_out *out);

#endif
