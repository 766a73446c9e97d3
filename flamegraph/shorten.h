/*
 * Labels from names that are longer than their frames are wide.
 *
 * A name is shortened as far as is needed: first by the library or the source line at
 * its end, then from the inside, by what generic code brings with it, then by the
 * arguments, then by the qualifiers from the left, so that what stays longest is the
 * function's own name. What is still too long is cut.
 */
#ifndef FG_FLAMEGRAPH_SHORTEN_H
#define FG_FLAMEGRAPH_SHORTEN_H

#include "lib/base/buf.h"

/* By the syntax of which language. */
enum fg_shorten {
	FG_SHORTEN_AUTO, /* that which the name seems to be of */
	FG_SHORTEN_NONE, /* names are only cut */
	FG_SHORTEN_CXX,
	FG_SHORTEN_RUST,
	FG_SHORTEN_GO,
	FG_SHORTEN_JAVA,
};

/* By enum fg_shorten; ends in NULL. */
extern const char *const fg_shorten_names[];

struct fg_label {
	struct fg_str text; /* at most as wide as there is room for */
	bool cut; /* ".." is to follow, for which there is room */
};

/*
 * The label of `name` where there is room for `room` columns, at least 3. The text
 * is borrowed from `name` or from `work`, whose contents are replaced.
 */
struct fg_label fg_shorten(struct fg_str name, size_t room, enum fg_shorten how,
			   struct fg_buf *work);

#endif
