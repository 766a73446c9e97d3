/*
 * The sink for profiles in which a stack has several values, belongs to a thread or has
 * labels. Use it together with collapse/sink.h if the format has .has_values.
 *
 *     chosen = fg_sink_choose_value(sink, values, count, 0);
 *     if (chosen < 0)
 *             return -1;
 *     ...
 *     if (fg_sink_wants_owner(sink, &owner)) {
 *             fg_sink_frame_at(sink, function, file, line);
 *             fg_sink_add_owner(sink, &owner);
 *             fg_sink_add_sum(sink, sums[chosen], 0);
 *     }
 */
#ifndef FG_COLLAPSE_VALUES_H
#define FG_COLLAPSE_VALUES_H

#include "collapse/roots.h"
#include "collapse/sink.h"
#include "lib/base/map.h"

/* ---- the value to count */

/* A value that each stack has, such as "inuse_space" in "bytes". */
struct fg_value {
	struct fg_str name;
	struct fg_str unit; /* see fg_unit_scale(); empty if there is none */
};

/*
 * Returns the index of the value that --weight names, or without that option
 * `otherwise`. The header of the output will name this value. If values share a name,
 * all but the first get a number: "x (2)". If an earlier input counted another value,
 * the end of the run warns.
 *
 * Returns -1 if the run is over: no value has that name, which was reported, or
 * --weight list has printed the names, which is no failure. All later calls return -1,
 * too. A grammar that cannot return -1 itself may just go on: the core ends the run
 * after the next line, block or end of input.
 */
int fg_sink_choose_value(struct fg_sink *s, const struct fg_value *values, size_t count,
			 size_t otherwise);

/* To convert a value to `unit`, multiply it by `factor`. */
struct fg_unit_scale {
	uint64_t factor;
	struct fg_str unit;
};

/*
 * Returns how to write values in `unit`: times in "ns", memory in "bytes". Knows the
 * units of pprof (google/pprof, internal/measurement); other units stay as they are.
 * The result may borrow `unit`.
 */
struct fg_unit_scale fg_unit_scale(struct fg_str unit);

/*
 * Sets the message for the case that nothing was kept. Call it at the end. `any_sample`
 * says if there was a sample, and `any_value` if a sample had more than 0 of the chosen
 * value.
 */
void fg_sink_explain_no_value(struct fg_sink *s, bool any_sample, bool any_value);

/* ---- the owner of a stack */

/* The process and thread of a stack, and its labels. Unknown strings have .ptr NULL. */
struct fg_owner {
	struct fg_str process;
	struct fg_str thread;

	/* Returns the value of the label `key`. NULL if there are no labels. */
	struct fg_str (*label)(const void *data, struct fg_str key);
	const void *data;

	/*
	 * Finds long strings of owners by their address, so that each is read only once
	 * even if many owners share it. Zeroed at first. NULL if strings may move in
	 * memory.
	 */
	struct fg_map *long_texts;
};

/*
 * Returns true if --thread keeps the stacks of the owner. Do not count stacks of other
 * owners.
 */
bool fg_sink_wants_owner(struct fg_sink *s, const struct fg_owner *owner);

/* Adds the root frames that options ask for, such as the thread, to the stack. */
void fg_sink_add_owner(struct fg_sink *s, const struct fg_owner *owner);

/*
 * Returns the root frames that fg_sink_add_owner() would add, for many stacks of one
 * owner.
 */
struct fg_roots fg_sink_owner_roots(struct fg_sink *s, const struct fg_owner *owner);

/* Adds root frames of fg_sink_owner_roots() to the stack. */
void fg_sink_add_roots(struct fg_sink *s, const struct fg_roots *roots);

/* ---- frames with files */

/*
 * Like fg_sink_frame(), with --srcline followed by ":FILE:LINE", without the folder of
 * the file. Without that option, names that many functions of a program share, such as
 * "(anonymous)" and Python's "<module>", are followed by " (FILE)", also without its
 * folder. With --lines, ":FILE:LINE" comes after that, in the form of
 * lib/profile/line.h. An empty `file` and line 0 are unknown.
 */
void fg_sink_frame_at(struct fg_sink *s, struct fg_str name, struct fg_str file,
		      uint64_t line);

/* Returns the id of the frame that fg_sink_frame_at() would add. */
uint32_t fg_sink_name_at(struct fg_sink *s, struct fg_str name, struct fg_str file,
			 uint64_t line);

/* Returns true if fg_sink_frame_at() would use the file of a function of that name. */
bool fg_sink_shows_file(const struct fg_sink *s, struct fg_str name);

/* Returns true with --lines. */
bool fg_sink_shows_lines(const struct fg_sink *s);

/*
 * Charges `len` bytes to the budget for long names. Use it for names made of parts that
 * any number of frames may share, such as a function and its lines. If the budget is
 * spent, counts the name as lost under `what`, a literal, like fg_sink_lose(), and
 * returns false.
 */
bool fg_sink_charge_name(struct fg_sink *s, size_t len, const char *what);

#define FG_LONG_LINES "source lines not shown, because names get too long"

/*
 * Returns the number of frames that may still be added. Use it for stacks that share
 * their callers, like rows of a tree, because a small profile could stand for any
 * number of frames. The caller subtracts the frames it adds. If too few are left, it
 * drops the stack by fg_sink_lose() with FG_TOO_MANY_FRAMES. Each call first adds as
 * many frames to the budget as a real stack has at most.
 */
uint64_t *fg_sink_frame_budget(struct fg_sink *s);

#define FG_TOO_MANY_FRAMES "stacks with too many frames"

#endif
