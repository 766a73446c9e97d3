/*
 * The parameter list that perf prints behind the name of a C++ function.
 */
#ifndef FG_COLLAPSE_PERF_PARAMETERS_H
#define FG_COLLAPSE_PERF_PARAMETERS_H

#include "lib/str.h"

/*
 * The length of a symbol without its parameter list and what follows that. Parentheses
 * that are part of a name stay: "(anonymous namespace)::f", "operator()",
 * "std::function<void (int)>::f". At least 1, unless the symbol is empty.
 */
size_t perf_name_length(struct fg_str symbol);

#endif
