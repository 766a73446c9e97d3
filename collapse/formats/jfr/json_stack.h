/* Reads one event in the output of jfr print --json. */
#ifndef FG_JFR_JSON_STACK_H
#define FG_JFR_JSON_STACK_H

#include "collapse/formats/jfr/run.h"
#include "collapse/json.h"

/* A member of an event that is a number or a string. */
struct jfr_scalar {
	size_t name, text; /* offsets in the event's text */
	size_t name_len, text_len;
};

struct jfr_reading {
	struct jfr *j;
	struct fg_json json;

	/* the event */
	struct fg_buf type;
	struct fg_buf text; /* of its scalars */
	struct jfr_scalar *scalars;
	size_t count;
	size_t alloc;
	struct fg_buf thread;
	bool may_have_stack; /* events of its type do */
	bool has_stack;
	bool cut;

	/* a frame, and room for its name */
	struct fg_buf class, name, descriptor, frame_type, line;
	struct fg_buf frame;

	size_t deepest; /* stack so far */
};

/* Skips the next value. */
void jfr_json_skip(struct jfr_reading *r);

/* Reads the next value into `to` if it is a string or a number, else skips it. */
void jfr_json_text(struct jfr_reading *r, struct fg_buf *to);

/* Reads the next value, a stack trace, and adds its frames to the sink. */
void jfr_json_stack(struct jfr_reading *r);

#endif
