/*
 * The sink takes the stacks that a grammar reads and counts them.
 *
 * A grammar adds the frames of a stack, leaf first, or root first if the format is
 * .root_first. It may add root frames, such as the thread. Then it counts the stack:
 *
 *     fg_sink_frame(sink, FG_STR("read"));
 *     fg_sink_frame(sink, FG_STR("main"));
 *     fg_sink_root(sink, FG_STR("worker"));
 *     fg_sink_add(sink, 1);
 *
 * This counts 1 for "worker;main;read". After it the stack is empty again. A line that
 * the grammar does not understand goes to fg_sink_malformed(); everything else that it
 * does not count goes to fg_sink_skip() or fg_sink_lose(), so that the end of the run
 * can report it.
 *
 * Options such as --slice, --strict and the filters work inside these calls. A grammar
 * need not know about them.
 *
 * If stacks have several values, or threads and labels, see collapse/values.h too. For
 * samples that have an event, a comm and a CPU, which only perf has, see
 * collapse/samples.h.
 */
#ifndef FG_COLLAPSE_SINK_H
#define FG_COLLAPSE_SINK_H

#include "collapse/format.h"
#include "collapse/stack.h"
#include "collapse/tally.h"
#include "lib/base/intern.h"

struct fg_sink;

/* ---- the parts of the sink; each is valid as long as the sink */

/* Returns the stack that is being built. */
struct fg_stack *fg_sink_stack(struct fg_sink *s);

/* Returns the names of frames, by id. */
struct fg_intern *fg_sink_names(struct fg_sink *s);

/* Returns the tally: how much was kept, skipped and lost so far. */
struct fg_tally *fg_sink_tally(struct fg_sink *s);

/*
 * Returns the place of the line being read, for messages. The core counts the lines of
 * a grammar with .line; a grammar with .block or .read counts them itself.
 */
struct fg_place *fg_sink_at(struct fg_sink *s);

struct fg_diag *fg_sink_diag(struct fg_sink *s);

/* Returns the lines that are written before the stacks. The grammar may add some. */
struct fg_buf *fg_sink_header(struct fg_sink *s);

/* ---- frames */

/*
 * A name longer than this is cut, because any number of stacks may share it: a small
 * profile could stand for gigabytes of output.
 */
#define FG_NAME_MAX ((size_t)64 << 10)

/*
 * Adds a caller to the stack. Spaces at both ends of `name` are removed, unless the
 * format has values. A ';' becomes ':', and an empty name becomes "[unknown]".
 */
void fg_sink_frame(struct fg_sink *s, struct fg_str name);

/*
 * Like fg_sink_frame(), if only the file of the caller is known: adds "[libx.so]" for
 * the path of libx.so, and "[vdso]" for "[vdso]".
 */
void fg_sink_module(struct fg_sink *s, struct fg_str path);

/* Returns the id of the frame that fg_sink_frame() would add. */
uint32_t fg_sink_name(struct fg_sink *s, struct fg_str name);

/*
 * Adds a root frame, such as the thread. It is placed inside the root frames added so
 * far.
 */
void fg_sink_root(struct fg_sink *s, struct fg_str name);

/* Like fg_sink_root(), but takes a frame id. Cheaper if many stacks share the root. */
void fg_sink_root_id(struct fg_sink *s, uint32_t id);

/* ---- counting */

/* Counts the stack, and empties it. */
void fg_sink_add(struct fg_sink *s, uint64_t weight);

/* Like fg_sink_add(), for a weight that was added up, in units of 10^-decimals. */
void fg_sink_add_sum(struct fg_sink *s, struct fg_sum weight, unsigned decimals);

/*
 * Like fg_sink_add_sum(), for a weight less than 0, as in a difference of two profiles:
 * subtracts `weight` from the count of the stack. If a stack ends up below 0, it is
 * left out, and the end of the run says so.
 */
void fg_sink_subtract_sum(struct fg_sink *s, struct fg_sum weight, unsigned decimals);

/*
 * Counts the stack in `path`, which the grammar owns and which does not change. A
 * grammar counts all of its stacks this way, or none.
 */
void fg_sink_add_path(struct fg_sink *s, const struct fg_path *path,
		      struct fg_sum weight, unsigned decimals);

/*
 * Prefetches the memory that fg_sink_add_path() will need, if `path` will soon be
 * counted.
 */
void fg_sink_expect_path(const struct fg_sink *s, const struct fg_path *path);

/* Empties the stack without counting it. */
void fg_sink_clear(struct fg_sink *s);

/* ---- times, in nanoseconds of any clock; for formats with .has_times */

/*
 * Returns true if options need the times of all stacks. If not, the calls below may be
 * left out.
 */
bool fg_sink_wants_time(const struct fg_sink *s);

/*
 * Sets the time of the stack that is being built, or of all paths that are counted from
 * now on.
 */
void fg_sink_set_time(struct fg_sink *s, uint64_t ns);

/*
 * Like fg_sink_set_time(), for a stack merged from several samples: `part` of its
 * weight fell at `ns`, in the unit of fg_sink_add_sum(). The parts add up to the
 * weight.
 */
void fg_sink_add_time(struct fg_sink *s, uint64_t ns, struct fg_sum part);

/*
 * Like fg_sink_set_time(), for a stack that weighs the nanoseconds of an interval, or
 * of several, one after another: each slice gets the part of the interval inside it.
 */
void fg_sink_add_span(struct fg_sink *s, uint64_t from, uint64_t to);

/*
 * Notes that something happened at `ns`. The first slice may start there even if no
 * stack is counted. With --every, writes the slices that have ended by then.
 */
void fg_sink_note_time(struct fg_sink *s, uint64_t ns);

/*
 * Notes that the input was recorded at least from `from` to `to`, for the length of the
 * recording in the header. Needs no .has_times.
 */
void fg_sink_note_length(struct fg_sink *s, uint64_t from, uint64_t to);

/*
 * Tells the time of day: the clock of all these times showed `time` at `start`, which
 * is in nanoseconds since 1970. Only the first call counts.
 */
void fg_sink_set_clock(struct fg_sink *s, uint64_t time, uint64_t start);

/* ---- what is not counted */

/* Notes that `line`, which is the line being read, is malformed. */
void fg_sink_malformed(struct fg_sink *s, struct fg_str line);

/* Like fg_sink_malformed(), for a line somewhere else. */
void fg_sink_malformed_at(struct fg_sink *s, struct fg_place at, struct fg_str line);

/* Notes that something is not counted; enum fg_skip says what `amount` counts. */
void fg_sink_skip(struct fg_sink *s, enum fg_skip reason, uint64_t amount);

/*
 * Notes that `count` things of the input could not be counted. The end of the run
 * warns, "samples without a stack (12)", and it is an error with --strict. `what` is a
 * literal.
 */
void fg_sink_lose(struct fg_sink *s, const char *what, uint64_t count);

/*
 * Like fg_sink_lose(), for one thing with a weight: "negative values (22, 7041471
 * bytes)".
 */
void fg_sink_lose_weight(struct fg_sink *s, const char *what, struct fg_sum weight);

/*
 * Like fg_sink_lose(), for stacks that are counted, but lack their outermost callers.
 */
void fg_sink_lose_callers(struct fg_sink *s, const char *what, uint64_t count);

/*
 * Notes that the input is incomplete. Use it if the grammar has already warned about
 * that.
 */
void fg_sink_set_cut(struct fg_sink *s);

/*
 * Warns that the input may be cut short; `why` says what makes it look cut. The stacks
 * read so far still count, but it is an error with --strict.
 */
void fg_sink_warn_cut(struct fg_sink *s, const char *why);

/*
 * Returns true if the line being read has no line feed, so that its end may be missing.
 * A grammar that knows better clears this with fg_sink_set_unended().
 */
bool fg_sink_is_unended(const struct fg_sink *s);
void fg_sink_set_unended(struct fg_sink *s, bool unended);

/* Sets the message for the case that no stack is counted. `cause` is borrowed. */
void fg_sink_set_cause(struct fg_sink *s, const char *cause);

/* Makes the run fail with this message at the end of the input. `fault` is borrowed. */
void fg_sink_set_fault(struct fg_sink *s, const char *fault);

/* Returns true if the run has already failed and reading on is pointless. */
bool fg_sink_has_failed(const struct fg_sink *s);

#endif
