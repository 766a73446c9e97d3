/* Brackets in names of C++, and the word `operator`, whose sign may look like one. */
#ifndef FG_LIB_BASE_CXX_H
#define FG_LIB_BASE_CXX_H

#include "lib/base/str.h"

/*
 * Returns true if `operator` stands at offset `at` as a word of its own. The sign after
 * it may look like a bracket: operator<, operator().
 */
bool fg_cxx_is_operator(struct fg_str name, size_t at);

/* The length of that word. */
#define FG_CXX_OPERATOR_LEN (sizeof("operator") - 1)

/*
 * Returns the offset at which the bracket closes that opens at `at`, a '(' or '['; or
 * name.len if it stays open. Brackets of other kinds inside it are ignored.
 */
size_t fg_cxx_closing(struct fg_str name, size_t at);

#endif
