/*
 * What a frame's function is of, for colours that mean something: a kind of code
 * ("kernel", "JIT", "inlined", "interpreter", "waiting"), a library as
 * flamegraph/library.h has it, or else what its name starts with: "Index" of
 * "Index::quick_sort", "Array" of "Array#each", "System" of "System.String.Concat".
 */
#ifndef FG_FLAMEGRAPH_MODULE_H
#define FG_FLAMEGRAPH_MODULE_H

#include "lib/base/str.h"

/*
 * Empty where the name, with its annotation, does not tell; else a part of it, or a
 * constant.
 */
struct fg_str fg_module_of(struct fg_str name);

/* Whether the colours of that module are its own in each profile: that of a kind. */
#define FG_MODULE_KINDS 5

/* Its number, from 0, if it is a kind of code; FG_MODULE_KINDS if it is not. */
size_t fg_module_kind(struct fg_str module);

#endif
