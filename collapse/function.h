/*
 * Functions as profiles with tables have them: by several names, of a source file and
 * of a program or library, all of which may be missing.
 */
#ifndef FG_COLLAPSE_FUNCTION_H
#define FG_COLLAPSE_FUNCTION_H

#include "collapse/values.h"

/* What is not known is empty or 0. */
struct fg_function {
	struct fg_str name;
	struct fg_str system_name; /* mangled */
	struct fg_str file;
	uint64_t line;
	struct fg_str binary; /* the path of its program or library */
};

/* Which of the names is shown where there are both. */
enum fg_function_names { FG_FUNCTION_NAMES, FG_FUNCTION_SYSTEM_NAMES };

/* The id of its frame: "[libx.so]" without names, "[unknown]" without anything. */
uint32_t fg_function_frame(struct fg_sink *s, const struct fg_function *f,
			   enum fg_function_names names);

#endif
