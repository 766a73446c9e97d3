/* Tells from the name of a function where it comes from. */
#ifndef FG_LIB_FINDINGS_NAMES_H
#define FG_LIB_FINDINGS_NAMES_H

#include "lib/base/str.h"

/* Returns true for the functions that start a process or a thread. */
bool fg_is_start(struct fg_str name);

/*
 * Returns true if the name alone tells that the function is not the program's own.
 * `module` is what fg_module_of() returns for it.
 */
bool fg_is_foreign(struct fg_str name, struct fg_str module);

/* Returns true for a name that stands for an unknown function. */
bool fg_is_unknown(struct fg_str name);

#endif
