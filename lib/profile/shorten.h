/*
 * Makes labels from names that do not fit into their frames.
 *
 * A name loses parts until it fits: first the library or source line at its end, then
 * type arguments such as those of templates, then the arguments, then qualifiers from
 * the left. So the function's own name is kept longest. If it is still too long, it is
 * cut. The viewer's names.js does the same; tests/data/shorten.tsv has the examples for
 * both.
 */
#ifndef FG_LIB_PROFILE_SHORTEN_H
#define FG_LIB_PROFILE_SHORTEN_H

#include "lib/base/buf.h"

/* The language whose syntax we assume for a name. */
enum fg_shorten {
	FG_SHORTEN_AUTO, /* guess from the name */
	FG_SHORTEN_NONE, /* only cut */
	FG_SHORTEN_CXX,
	FG_SHORTEN_RUST,
	FG_SHORTEN_GO,
	FG_SHORTEN_JAVA,
};

/* Names, indexed by enum fg_shorten. Ends in NULL. */
extern const char *const fg_shorten_names[];

struct fg_label {
	struct fg_str text; /* fits into `room`, with ".." if `cut` is set */
	bool cut; /* the caller must append "..", for which there is space */
};

/*
 * Returns a label of at most `room` columns, at least 3. Its text is borrowed from
 * `name` or from `work`, whose contents are replaced.
 */
struct fg_label fg_shorten(struct fg_str name, size_t room, enum fg_shorten how,
			   struct fg_buf *work);

#endif
