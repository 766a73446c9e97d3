/* What the names of C++ have that looks like brackets and is none. */
#ifndef FG_LIB_BASE_CXX_H
#define FG_LIB_BASE_CXX_H

#include "lib/base/str.h"

/*
 * Whether `operator` stands at `at` as a word of its own; its sign, which may look like
 * a bracket, follows it.
 */
bool fg_cxx_is_operator(struct fg_str name, size_t at);

/* The length of the word that fg_cxx_is_operator looks for. */
#define FG_CXX_OPERATOR_LEN (sizeof("operator") - 1)

/*
 * Where the bracket closes that opens at `at`, a '(' or '['; brackets of other kinds
 * inside it do not count. name.len where it stays open.
 */
size_t fg_cxx_closing(struct fg_str name, size_t at);

#endif
