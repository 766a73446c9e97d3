/* The name of a method as a frame. */
#ifndef FG_JFR_NAME_H
#define FG_JFR_NAME_H

#include "lib/base/buf.h"

/* What a frame says of itself; parts that are not known are empty. */
struct jfr_method {
	struct fg_str class;
	struct fg_str name;
	struct fg_str descriptor;
	struct fg_str frame_type;
	int32_t line; /* -1: not known */
};

/* Whether frames of that type are functions that are no methods of Java. */
bool jfr_is_native(struct fg_str frame_type);

/* Adds the name, with the line if that is asked for. */
void jfr_add_name(struct fg_buf *b, const struct jfr_method *m, bool with_line);

#endif
