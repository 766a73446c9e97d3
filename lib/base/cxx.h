/*
 * Finds brackets in names of C++, and the word `operator`, after which a sign may look
 * like a bracket.
 */
#ifndef FG_LIB_BASE_CXX_H
#define FG_LIB_BASE_CXX_H

#include "lib/base/str.h"

/*
 * Returns true if `operator` stands at offset `at` as a word of its own. The sign after
 * it may look like a bracket: operator<, operator().
 */
bool fg_cxx_is_operator(struct fg_str name, size_t at);

/* The length of "operator". */
#define FG_CXX_OPERATOR_LEN (sizeof("operator") - 1)

/*
 * Returns the offset of the bracket that closes the '(' or '[' at offset `at`, or
 * name.len if there is none. Brackets of other kinds are ignored.
 */
size_t fg_cxx_closing(struct fg_str name, size_t at);

#endif
