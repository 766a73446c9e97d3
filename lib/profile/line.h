/*
 * The source line in the name of a frame, "NAME:FILE:NUMBER":
 *
 *     main:src/app.c:12
 *     std::vector<int>::push_back(int const&):/usr/include/c++/14/bits/vec.h:30
 *     vfs_read:fs/read_write.c:474_[k]
 *
 * folded(5) has the rule, which the viewer's lines.js follows, too. It is strict, so
 * that names which only look alike are left as they are: "a::b:12", "Main.run:42",
 * "alloc:alloc.rs:95:9" with a column, austin's "/srv/app.py:main:5", and the comm
 * "pool:1:2" have no line.
 */
#ifndef FG_LIB_PROFILE_LINE_H
#define FG_LIB_PROFILE_LINE_H

#include "lib/base/buf.h"

/* The parts of a frame. They are borrowed from it. */
struct fg_line {
	struct fg_str name; /* without the annotation */
	struct fg_str file;
	struct fg_str annotation; /* "_[k]" and so on, or empty */
	uint32_t number; /* at least 1 */
};

/*
 * Splits a frame that has a line. If it has none, returns false and does not change
 * `line`.
 */
bool fg_line_split(struct fg_str frame, struct fg_line *line);

/* Returns the frame without its line and its annotation. */
struct fg_str fg_line_plain_name(struct fg_str frame);

/*
 * Returns the frame without its line: its name and its annotation, or all of it if it
 * has no line. The text is borrowed from `frame` or from `b`, whose contents are then
 * replaced.
 */
struct fg_str fg_line_function(struct fg_str frame, struct fg_buf *b);

/*
 * Appends ":FILE:NUMBER" to a name, in the form that fg_line_split() reads. So a ':' in
 * `file` becomes '/' and a ';' becomes '_', a URL loses its scheme and its host, and a
 * file like "Makefile" becomes "./Makefile". Appends nothing if the file is empty, or
 * if the number is 0 or does not fit into 32 bits: such a line is unknown.
 */
void fg_line_add(struct fg_buf *name, struct fg_str file, uint64_t number);

#endif
