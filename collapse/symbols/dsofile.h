/*
 * The file of a DSO that perf names.
 */
#ifndef FG_COLLAPSE_SYMBOLS_DSO_H
#define FG_COLLAPSE_SYMBOLS_DSO_H

#include "lib/base/arena.h"
#include "lib/base/diag.h"

struct fg_dsofile {
	struct fg_str name; /* as perf has it */
	const char *path; /* safe as an argument; NULL where no file has that name */
};

/* Whether a file is meant, and not what perf prints where code is in none. */
bool fg_dsofile_is_file(struct fg_str name);

/* `name`, which is not empty, is borrowed; the path is in `arena`. */
void fg_dsofile_init(struct fg_dsofile *d, struct fg_str name, struct fg_arena *arena);

/* Warns of something about the DSO; `what` goes on after its name. */
void fg_dsofile_warn(const struct fg_dsofile *d, struct fg_diag *diag,
		     const char *what);

#endif
