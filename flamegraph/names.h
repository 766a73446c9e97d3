/*
 * What the frames of a name have in common, whether or not any of them is drawn.
 *
 * Names are prepared when they are asked for, and the newest are kept: as there may be
 * one for each frame of a large profile, not all of them. With --cp, a name that is
 * prepared is one that is drawn, and the palette map learns its colour; asking for the
 * colour alone teaches it nothing.
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
	struct fg_str label; /* without it */
	struct fg_str shown; /* that, escaped for XML */
	struct fg_str annotation;
	struct fg_str fill; /* its colour as the picture has it */
	const struct fg_nameattr *attr; /* NULL for most */
	char fill_text[FG_RGB_MAX];
	uint32_t id_plus_1; /* in the tree; 0: not prepared */
	bool found; /* by --search */
	bool dark; /* the colour: labels have to be white */
	bool separator; /* "-" or "--", which are grey whatever else decides */
};

/* What names are made from; all of it borrowed. */
struct fg_names_source {
	const struct fg_graph_options *options;
	struct fg_tree *tree; /* finished */
	const struct fg_search *search;
	const struct fg_nameattrs *attributes;
	struct fg_palette_map *colours; /* read already; used with --cp only */
	const struct fg_libraries
		*libraries; /* NULL but with --colors library or kind */
};

struct fg_names {
	struct fg_names_source from;
	struct fg_arena text; /* of the prepared names */
	size_t text_len;
	struct fg_name *prepared; /* by the low bits of the id in the tree */
	uint32_t mask; /* those bits */
	const struct fg_nameattr **attrs; /* by id; NULL without --nameattr */
	struct fg_name root;
	struct fg_random random;
};

void fg_names_init(struct fg_names *n, const struct fg_names_source *from);
void fg_names_release(struct fg_names *n);

/* Makes the name take its place among the prepared; for fg_names_get. */
void fg_names_prepare(struct fg_names *n, uint32_t id);

/* Valid until the next call. */
static inline const struct fg_name *fg_names_get(struct fg_names *n, uint32_t id)
{
	const struct fg_name *name = &n->prepared[id & n->mask];

	if (name->id_plus_1 != id + 1)
		fg_names_prepare(n, id);
	return name;
}

/* Its attributes, or NULL. */
static inline const struct fg_nameattr *fg_names_attr(const struct fg_names *n,
						      uint32_t id)
{
	return n->attrs ? n->attrs[id] : NULL;
}

/*
 * The colour that frames of a name have unless their counts decide (differential,
 * --colordiffusion) or, with --random, chance: then it is that of the name alone.
 */
struct fg_rgb fg_names_colour(const struct fg_names *n, uint32_t id);

/* With --random: the colour of one more frame of that name. */
struct fg_rgb fg_names_random(struct fg_names *n, const struct fg_name *name);

#endif
