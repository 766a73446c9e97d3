/*
 * The flags that cargo passes to rustc from its configuration, `rustflags`. The
 * environment variable RUSTFLAGS, by which we ask for frame pointers, would replace
 * them.
 */
#ifndef FG_FLAME_CARGO_RUSTFLAGS_H
#define FG_FLAME_CARGO_RUSTFLAGS_H

#include "lib/base/arena.h"
#include "lib/base/buf.h"

/* A table of the configuration that has rustflags. */
struct fg_rustflags_table {
	/*
	 * X of [target.X] or of the variable CARGO_TARGET_X_RUSTFLAGS; empty for
	 * [build]
	 */
	struct fg_str target;
	struct fg_str source; /* the file or the name of the variable */
};

/* A zeroed struct is empty. */
struct fg_rustflags {
	struct fg_rustflags_table *tables;
	size_t count, alloc;
	struct fg_str build_target; /* build.target, or empty */
	struct fg_str *files; /* the files to read */
	size_t file_count, files_alloc;
	struct fg_arena names;
};

void fg_rustflags_release(struct fg_rustflags *r);

/*
 * Adds the tables of a configuration file. A file that it includes is added to
 * r->files.
 */
void fg_rustflags_add(struct fg_rustflags *r, struct fg_str document,
		      struct fg_str file);

/* Adds an environment variable, "NAME=VALUE", if it has rustflags. */
void fg_rustflags_add_variable(struct fg_rustflags *r, struct fg_str assignment);

/*
 * Returns the source of the first rustflags that cargo uses for a target, or an empty
 * string. `facts` is what `rustc --print cfg` prints for it. If `target` is empty, it
 * is not known, and all rustflags count.
 */
struct fg_str fg_rustflags_for(const struct fg_rustflags *r, struct fg_str target,
			       struct fg_str facts);

/*
 * Looks for rustflags that cargo would use in this folder: in its configuration files
 * here, in the folders above and in CARGO_HOME, and in variables. `target` is the
 * argument of --target, or NULL. Puts the source of the flags into `source`, which is
 * empty, and returns true; or returns false if there are none.
 */
bool fg_rustflags_find(const char *target, struct fg_buf *source);

#endif
