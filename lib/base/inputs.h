/*
 * Which inputs a program is given, and what messages call them.
 */
#ifndef FG_LIB_BASE_INPUTS_H
#define FG_LIB_BASE_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"

/* The inputs of a program that is given `names`: for none of them "-". Borrowed. */
const char *const *fg_inputs(const char *const *names, size_t *count);

bool fg_is_standard_input(const char *name);

/* What messages call the input of that name: "-" is "(standard input)". Borrowed. */
const char *fg_input_name(const char *name);

/*
 * Appends the input that messages call `name` as an argument of a command that a user
 * may copy: in quotes where a shell needs them, "-" for what is no file. `name` may be
 * NULL.
 */
void fg_add_input_argument(struct fg_buf *b, const char *name);

#endif
