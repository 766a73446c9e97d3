/* Tells the program's own functions from others by their names. */
#ifndef FG_LIB_FINDINGS_NAMES_H
#define FG_LIB_FINDINGS_NAMES_H

#include "lib/profile/tree.h"

/*
 * Return true if the name of a function, or its module (module.h), tells that the
 * function is not the program's own.
 */
bool fg_is_foreign(struct fg_str name);
bool fg_is_foreign_module(struct fg_str module);

/*
 * Returns an array, indexed by the ids of the tree's names, that has true for
 * processes: first frames that call a function which starts a process or a thread. The
 * caller frees it.
 */
bool *fg_find_processes(const struct fg_tree *t);

/*
 * Returns an array, indexed by nodes, that has true for the frames before the first
 * function of a process or a thread: the process, functions like _start, and functions
 * of a libc without symbols. The caller frees it.
 */
bool *fg_find_starts(const struct fg_tree *t);

/* Returns true for a name that stands for an unknown function. */
bool fg_is_unknown(struct fg_str name);

#endif
