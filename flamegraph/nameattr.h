/*
 * Reads attributes, links and titles for the frames of chosen functions (--nameattr).
 *
 * A line of the file is FUNCTION<TAB>NAME=VALUE<TAB>NAME=VALUE... The names are id,
 * class, title, href, target, g_extra and a_extra; the last two hold attributes in
 * XML's form. Values may use XML's entities. Anything that could run a script is left
 * out with a warning.
 */
#ifndef FG_FLAMEGRAPH_NAMEATTR_H
#define FG_FLAMEGRAPH_NAMEATTR_H

#include "lib/base/arena.h"
#include "lib/base/diag.h"

struct fg_nameattr {
	struct fg_str function;
	struct fg_str title; /* tooltip in place of the frame's own; escaped for XML */
	struct fg_str attributes; /* in XML's form: ` id="x" class="y"` */
	bool has_title;
	bool is_link; /* the frame becomes an <a>, not a <g> */
};

struct fg_nameattrs {
	struct fg_arena text;
	struct fg_nameattr *items;
	size_t count;
	size_t alloc;
};

/*
 * Reads `file`. If it is NULL, there are no attributes. Returns 0, or -1 after
 * reporting.
 */
int fg_nameattrs_read(struct fg_nameattrs *a, const char *file, struct fg_diag *diag);
void fg_nameattrs_release(struct fg_nameattrs *a);

#endif
