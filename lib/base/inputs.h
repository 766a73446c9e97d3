/*
 * Names of inputs: "-" on the command line, "(standard input)" in messages.
 */
#ifndef FG_LIB_BASE_INPUTS_H
#define FG_LIB_BASE_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"

/*
 * Returns `names`, borrowed. If *count is 0, sets it to 1 and returns an array of "-"
 * instead.
 */
const char *const *fg_inputs(const char *const *names, size_t *count);

bool fg_is_standard_input(const char *name);

/* Returns the name for messages: "(standard input)" for "-". Borrowed. */
const char *fg_input_name(const char *name);

/*
 * Appends an input as an argument of a command that the user may copy, in quotes if a
 * shell needs them. `name` is the input's name in messages. If it is NULL or not the
 * name of a file, like "(standard input)", the argument is "-".
 */
void fg_add_input_argument(struct fg_buf *b, const char *name);

#endif
