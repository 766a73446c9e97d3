/*
 * The state of a run over files of callgrind. callgrind.c starts and ends profiles, and
 * passes the lines of a file to the functions below, in lines.c.
 */
#ifndef FG_COLLAPSE_FORMATS_CALLGRIND_STATE_H
#define FG_COLLAPSE_FORMATS_CALLGRIND_STATE_H

#include "collapse/formats/callgrind/profile.h"
#include "collapse/values.h"

enum unfold { AUTO, CALLERS, GRAPH, FLAT };

struct options {
	const char *unfold;
	const char *limit;
	bool dso;
	enum unfold how; /* the parsed `unfold` */
	struct fg_count least; /* the parsed `limit`, in percent */
};

/* The names that numbers stand for: the file has "(1) main" first, then "(1)". */
struct numbered {
	struct fg_intern numbers;
	/* ids in the profile's names, indexed by the id of the number */
	uint32_t *names;
	size_t alloc;
};

enum table { FILES, OBJECTS, FUNCTIONS, TABLES };

/* The program that wrote a profile, if it makes a difference. */
enum creator { OTHER, CALLGRIND, YAPPI };

/* The meaning of the next line of numbers, which depends on the line before it. */
enum expect { COSTS, CALL_COSTS, JUMP };

struct callgrind {
	struct fg_sink *sink;
	const struct options *options;
	const char *weight; /* argument of --weight; may be NULL */
	bool lines; /* --srcline */
	struct callgrind_profile profile;
	struct callgrind_paths paths;
	struct numbered tables[TABLES];
	bool any; /* a line of the profile was read */
	bool any_costs; /* a profile of any input has costs */
	bool failed;
	enum creator creator;

	/* the head */
	size_t positions; /* a line has this many numbers before its costs */
	size_t column; /* index of the chosen event among the costs */
	uint64_t factor; /* converts costs of the event to its unit */
	struct fg_value *events;
	size_t event_count, events_alloc;
	struct fg_buf event_line; /* the strings of `events` */
	struct fg_buf event; /* name of the event that was chosen last */
	/* the input in which `event` was chosen; NULL at first */
	const char *event_input;
	struct fg_sum file_sum; /* all costs, from "totals:" or "summary:" */
	bool has_totals; /* `file_sum` is from "totals:" */

	/* the current function */
	struct callgrind_place place;
	uint32_t function;
	bool has_function;

	/* the function that it calls; valid until the costs of that call */
	struct callgrind_place callee_place;
	uint32_t callee_name;
	/*
	 * callee_place has an object, or a file; a callee without one has that of
	 * `place`
	 */
	bool has_object, has_file;

	enum expect expect;
};

/* Reads "key: value", except "version: 1", which starts a profile. */
void callgrind_read_header(struct callgrind *c, struct fg_str key, struct fg_str value);

/* Reads "key=value". Returns false if the key is unknown. */
bool callgrind_read_assignment(struct callgrind *c, struct fg_str key,
			       struct fg_str value);

/* Reads numbers: costs, or the position of a jump. Returns false if malformed. */
bool callgrind_read_costs(struct callgrind *c, struct fg_str line);

#endif
