/*
 * Prepares what all frames of one name share, drawn or not: label, escaped text,
 * colour.
 *
 * Names are prepared on demand. Only the newest are kept, because a large profile may
 * have as many names as frames. With --cp, preparing a name adds its colour to the
 * palette map, because prepared names are drawn. fg_names_colour() adds nothing.
 */
#ifndef FG_FLAMEGRAPH_NAMES_H
#define FG_FLAMEGRAPH_NAMES_H

#include "flamegraph/colour.h"
#include "flamegraph/libraries.h"
#include "flamegraph/nameattr.h"
#include "flamegraph/options.h"
#include "flamegraph/palette_map.h"
#include "flamegraph/search.h"
#include "lib/profile/tree.h"

struct fg_name {
	struct fg_str raw; /* with its annotation */
	struct fg_str label; /* the name without its annotation */
	struct fg_str shown; /* the label, escaped for XML */
	struct fg_str annotation;
	struct fg_str fill; /* the colour of its frames, in the form that we write */
	const struct fg_nameattr *attr; /* from --nameattr; NULL for most names */
	char fill_text[FG_RGB_MAX];
	uint32_t id_plus_1; /* id of the name in the tree, plus 1; 0 if not prepared */
	bool found; /* --search matches it */
	bool dark; /* the colour is dark: the label is white */
	bool separator; /* "-" or "--", which are always grey */
};

/* Everything that names are made from. All of it is borrowed. */
struct fg_names_source {
	const struct fg_graph_options *options;
	struct fg_tree *tree; /* finished */
	const struct fg_search *search;
	const struct fg_nameattrs *attributes;
	struct fg_palette_map *colours; /* already read; only with --cp */
	const struct fg_libraries
		*libraries; /* NULL unless --colors is library or kind */
};

struct fg_names {
	struct fg_names_source from;
	struct fg_arena text; /* holds the prepared names */
	size_t text_len;
	struct fg_name *prepared; /* indexed by the low bits of the id */
	uint32_t mask; /* selects the low bits of an id */
	const struct fg_nameattr **attrs; /* indexed by id; NULL without --nameattr */
	struct fg_name root;
	struct fg_random random;
};

void fg_names_init(struct fg_names *n, const struct fg_names_source *from);
void fg_names_release(struct fg_names *n);

/* Prepares a name in place of another one. Called by fg_names_get(). */
void fg_names_prepare(struct fg_names *n, uint32_t id);

/* Returns a prepared name, which is valid until the next call. */
static inline const struct fg_name *fg_names_get(struct fg_names *n, uint32_t id)
{
	const struct fg_name *name = &n->prepared[id & n->mask];

	if (name->id_plus_1 != id + 1)
		fg_names_prepare(n, id);
	return name;
}

/* Returns the name's attributes, or NULL. */
static inline const struct fg_nameattr *fg_names_attr(const struct fg_names *n,
						      uint32_t id)
{
	return n->attrs ? n->attrs[id] : NULL;
}

/*
 * Returns the colour of a name's frames. A difference, --colordiffusion and --random
 * choose another colour for each frame.
 */
struct fg_rgb fg_names_colour(const struct fg_names *n, uint32_t id);

/* Returns the colour of one more frame of that name, for --random. */
struct fg_rgb fg_names_random(struct fg_names *n, const struct fg_name *name);

#endif
