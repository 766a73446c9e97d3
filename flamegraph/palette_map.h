/*
 * Colours that stay with a name from one graph to the next (--cp).
 *
 * The file holds a line `name->colour` for each name, sorted by name; whatever text
 * is there as a colour is kept.
 */
#ifndef FG_FLAMEGRAPH_PALETTE_MAP_H
#define FG_FLAMEGRAPH_PALETTE_MAP_H

#include "lib/base/diag.h"
#include "lib/base/intern.h"

#define FG_PALETTE_MAP_FILE "palette.map"

struct fg_palette_map {
	struct fg_arena text;
	struct fg_intern names;
	struct fg_str *colours; /* by name id */
	size_t alloc;
	bool changed; /* since it was read */
};

void fg_palette_map_init(struct fg_palette_map *m);
void fg_palette_map_release(struct fg_palette_map *m);

/*
 * Checks that the picture, which goes to the file `output` or, where that is NULL or
 * "-", to standard output, does not take the place of the file: 0, or -1 after
 * reporting.
 */
int fg_palette_map_check(const char *output, struct fg_diag *diag);

/* Reads the file, which need not exist but is regular: 0, or -1 after reporting. */
int fg_palette_map_read(struct fg_palette_map *m, struct fg_diag *diag);

/* The colour of `name`, empty where it has none; borrowed. */
struct fg_str fg_palette_map_get(struct fg_palette_map *m, struct fg_str name);

/* Gives `name` a colour, which is copied. */
void fg_palette_map_set(struct fg_palette_map *m, struct fg_str name,
			struct fg_str colour);

/* Replaces the file as lib/base/replace does: 0, or -1 after reporting. */
int fg_palette_map_write(const struct fg_palette_map *m, struct fg_diag *diag);

#endif
