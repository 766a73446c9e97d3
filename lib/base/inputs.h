/*
 * Which inputs a program is given, and what messages call them.
 */
#ifndef FG_LIB_BASE_INPUTS_H
#define FG_LIB_BASE_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

/* The inputs of a program that is given `names`: for none of them "-". Borrowed. */
const char *const *fg_inputs(const char *const *names, size_t *count);

bool fg_is_standard_input(const char *name);

/* What messages call the input of that name: "-" is "(standard input)". Borrowed. */
const char *fg_input_name(const char *name);

#endif
