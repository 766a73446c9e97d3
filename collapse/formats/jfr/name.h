/* Makes a frame's name from a method. */
#ifndef FG_JFR_NAME_H
#define FG_JFR_NAME_H

#include "lib/base/buf.h"

/* A frame of the recording. Unknown members are empty. */
struct jfr_method {
	struct fg_str class;
	struct fg_str name;
	struct fg_str descriptor;
	struct fg_str frame_type;
	int32_t line; /* -1 if unknown */
};

/* Returns true if frames of this type are native functions, not Java methods. */
bool jfr_is_native(struct fg_str frame_type);

enum jfr_lines {
	JFR_NO_LINES,
	JFR_NUMBERS, /* java.util.HashMap.put:610 */
	JFR_PATHS, /* java.util.HashMap.put:java/util/HashMap.java:610 */
};

/*
 * Appends the name, with the line. Recordings have no files, so we guess that the file
 * has the name of the outermost class.
 */
void jfr_add_name(struct fg_buf *b, const struct jfr_method *m, enum jfr_lines lines);

#endif
