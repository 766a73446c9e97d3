/*
 * The state of a run over files of callgrind, and what its parts do with lines.
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
	enum unfold how;
	struct fg_count least; /* percent */
};

/* Names by the numbers that stand for them: "(1) main", later "(1)". */
struct numbered {
	struct fg_intern numbers;
	uint32_t *names; /* by id of the number, of the profile's names */
	size_t alloc;
};

enum table { FILES, OBJECTS, FUNCTIONS, TABLES };

/* Who wrote a profile, where that tells something. */
enum creator { OTHER, CALLGRIND, YAPPI };

/* What the next line is, as the line before it says. */
enum expect { COSTS, CALL_COSTS, JUMP };

struct callgrind {
	struct fg_sink *sink;
	const struct options *options;
	const char *weight; /* of --weight; may be NULL */
	bool lines; /* of --srcline */
	struct callgrind_profile profile;
	struct callgrind_paths paths;
	struct numbered tables[TABLES];
	bool any; /* line of a profile, since the last one */
	bool any_costs; /* of all */
	bool failed;
	enum creator creator;

	size_t positions; /* numbers before the costs of a line */
	size_t column; /* of the event, among the costs */
	uint64_t factor; /* of its unit */
	struct fg_value *events;
	size_t event_count, events_alloc;
	struct fg_buf event_line; /* to which they point */
	struct fg_buf event; /* the chosen one, of the line before */
	const char *event_input; /* where that line was; NULL before the first */

	struct callgrind_place place, callee_place;
	bool has_function, has_object, has_file; /* the last two: of the callee */
	uint32_t function, callee_name;
	enum expect expect;
	struct fg_sum told; /* what the file says that all cost */
	bool told_total;
};

/* "key: value", but for that which starts a profile. (header.c) */
void callgrind_read_header(struct callgrind *c, struct fg_str key, struct fg_str value);

/* Word `number` of those that blanks part; empty where there are fewer. */
struct fg_str callgrind_word(struct fg_str s, size_t number);

/* "key=value": whether the key is known. (body.c) */
bool callgrind_read_assignment(struct callgrind *c, struct fg_str key,
			       struct fg_str value);

/* A line of costs, or one in its place; false where it is none. */
bool callgrind_read_costs(struct callgrind *c, struct fg_str line);

#endif
