/*
 * Profiles in which a stack has several values, and belongs to a thread or has labels:
 * what their grammars ask, besides collapse/sink.h.
 */
#ifndef FG_COLLAPSE_VALUES_H
#define FG_COLLAPSE_VALUES_H

#include "collapse/roots.h"
#include "collapse/sink.h"
#include "lib/base/map.h"

/* ---- which value */

/* What a profile counts for each of its stacks: "inuse_space", in "bytes". */
struct fg_value {
	struct fg_str name;
	struct fg_str unit; /* as it will be written; empty where there is none */
};

/*
 * Which of the values --weight names, `otherwise` by default: its index, and what
 * --header says is that. Of values of the same name all but the first have their number
 * behind it, "x (2)". Where it is not what was counted before, the end of
 * the run warns. -1 after reporting that no value has that name, and after
 * --weight list, when the run is to end without a failure; and again -1 from then on.
 * Where a grammar cannot return that, the core ends the run behind its next line, block
 * or end of input.
 */
int fg_sink_choose_value(struct fg_sink *s, const struct fg_value *values, size_t count,
			 size_t otherwise);

/* What a number in some unit is multiplied by to be in another. */
struct fg_unit_scale {
	uint64_t factor;
	struct fg_str unit;
};

/*
 * How a value is written: times in "ns", memory in "bytes", of the units that pprof
 * knows (google/pprof, internal/measurement); others stay as they are. `unit` stays
 * borrowed.
 */
struct fg_unit_scale fg_unit_scale(struct fg_str unit);

/*
 * At the end, the cause should nothing have been kept: whether there was any sample,
 * and any that has some of the chosen value.
 */
void fg_sink_explain_no_value(struct fg_sink *s, bool any_sample, bool any_value);

/* ---- whose stack */

/* What a stack belongs to; what is not known has .ptr NULL. */
struct fg_owner {
	struct fg_str process;
	struct fg_str thread;

	/* The value of the label `key`. NULL where there are no labels. */
	struct fg_str (*label)(const void *data, struct fg_str key);
	const void *data;

	/*
	 * Long texts that were met, each of which is read once, however many owners
	 * share it; zeroed at first. They stay where they are as long as it is used.
	 * NULL: they may not.
	 */
	struct fg_map *long_texts;
};

/*
 * Whether --thread keeps the stacks of the owner's thread. Those that it does not are
 * not added.
 */
bool fg_sink_wants_owner(struct fg_sink *s, const struct fg_owner *owner);

/* Adds the root frames that options ask for to the stack that is being built. */
void fg_sink_add_owner(struct fg_sink *s, const struct fg_owner *owner);

/* The same for many stacks of one owner, whose names may be long. */
struct fg_roots fg_sink_owner_roots(struct fg_sink *s, const struct fg_owner *owner);
void fg_sink_add_roots(struct fg_sink *s, const struct fg_roots *roots);

/* ---- its frames */

/*
 * fg_sink_frame of a function, with --srcline followed by the file without its folder
 * and the line; an empty `file` and line 0 are not known. Without it, names that many
 * functions of a program share, such as "(anonymous)" and Python's "<module>", are
 * followed by " (FILE)".
 */
void fg_sink_frame_at(struct fg_sink *s, struct fg_str name, struct fg_str file,
		      uint64_t line);

/* Returns true if a function of that name is shown with its file, if known. */
bool fg_sink_shows_file(const struct fg_sink *s, struct fg_str name);

/*
 * Whether a name of `len` bytes may be made of parts that any number of frames share,
 * such as a function and its lines: there is an end of long ones, after which `what` is
 * lost, a literal.
 */
bool fg_sink_charge_name(struct fg_sink *s, size_t len, const char *what);

#define FG_LONG_LINES "lines of functions with long names"

/*
 * Where stacks share their callers, as rows of a tree do, a small profile could stand
 * for any number of frames: so many may still be added, which the caller takes off.
 * Each call makes room for some, more than stacks have that a profiler walks; without
 * enough the stack is one of FG_TOO_MANY_FRAMES.
 */
uint64_t *fg_sink_frame_budget(struct fg_sink *s);

#define FG_TOO_MANY_FRAMES "stacks with more frames than are read"

/* The id of such a frame, for grammars that keep them. */
uint32_t fg_sink_name_at(struct fg_sink *s, struct fg_str name, struct fg_str file,
			 uint64_t line);

#endif
