/*
 * Finds programs: those of flamepipe in our own folder first, because PATH may have
 * other programs of the same names (cargo-flamegraph has a flamegraph).
 */
#ifndef FG_FLAME_OWN_H
#define FG_FLAME_OWN_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

/*
 * Appends the path of the program that a shell would start by this name. A name with a
 * slash is the path of any file that exists. Returns false if there is no such program.
 */
bool fg_find_program(const char *name, struct fg_buf *path);

/*
 * Appends the path of our program of this name: the one beside the running program or,
 * if somebody has copied that alone, the first on PATH that belongs to flamepipe.
 * Returns 0, or -1 after an error message.
 */
int fg_find_own(const char *name, struct fg_buf *path, struct fg_diag *diag);

/* Returns true if a shell finds this file if one types only its name. */
bool fg_is_on_path(const char *path);

#endif
