/*
 * Finds the module that a frame's function belongs to, for colours that mean something.
 * It is a kind of code ("kernel", "JIT", "inlined", "interpreter", "waiting"), else the
 * library of lib/profile/library.h, else the start of the name: "Index" of
 * "Index::quick_sort", "Array" of "Array#each", "System" of "System.String.Concat".
 */
#ifndef FG_LIB_PROFILE_MODULE_H
#define FG_LIB_PROFILE_MODULE_H

#include "lib/base/str.h"

/*
 * Returns a part of the name or a constant, or an empty string if the name does not
 * tell. `name` includes its annotation. Its source line makes no difference.
 */
struct fg_str fg_module_of(struct fg_str name);

/* The kinds of code. Their colours are the same in every profile. */
#define FG_MODULE_KINDS 5

/*
 * Returns the number of a kind of code, from 0, or FG_MODULE_KINDS for any other
 * module.
 */
size_t fg_module_kind(struct fg_str module);

#endif
