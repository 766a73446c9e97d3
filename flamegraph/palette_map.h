/*
 * Keeps the colours of names from one run to the next, in a file (--cp).
 *
 * The file has a line `name->colour` for each name, sorted by name. A colour that we
 * cannot parse is kept, too.
 */
#ifndef FG_FLAMEGRAPH_PALETTE_MAP_H
#define FG_FLAMEGRAPH_PALETTE_MAP_H

#include "lib/base/diag.h"
#include "lib/base/intern.h"

#define FG_PALETTE_MAP_FILE "palette.map"

struct fg_palette_map {
	struct fg_arena text;
	struct fg_intern names;
	struct fg_str *colours; /* indexed by id of the name */
	size_t alloc;
	bool changed; /* colours were added after the file was read */
};

void fg_palette_map_init(struct fg_palette_map *m);
void fg_palette_map_release(struct fg_palette_map *m);

/*
 * Makes sure that the picture does not overwrite the map. The picture goes to the file
 * `output`, or to standard output if that is NULL or "-". Returns -1 after reporting.
 */
int fg_palette_map_check(const char *output, struct fg_diag *diag);

/*
 * Reads the file. It may be missing but must be a regular file. Returns -1 after
 * reporting.
 */
int fg_palette_map_read(struct fg_palette_map *m, struct fg_diag *diag);

/*
 * Returns the colour of `name`, or an empty string if it has none. The string is
 * borrowed from the map.
 */
struct fg_str fg_palette_map_get(struct fg_palette_map *m, struct fg_str name);

/* Gives `name` a colour, which is copied. */
void fg_palette_map_set(struct fg_palette_map *m, struct fg_str name,
			struct fg_str colour);

/* Replaces the file with lib/base/replace.h. Returns -1 after reporting. */
int fg_palette_map_write(const struct fg_palette_map *m, struct fg_diag *diag);

#endif
