/*
 * What a DSO says about its frames: whether they are the kernel's or a JIT's.
 */
#ifndef FG_COLLAPSE_PERF_DSO_H
#define FG_COLLAPSE_PERF_DSO_H

#include "lib/str.h"

bool perf_dso_is_kernel(struct fg_str dso);
bool perf_dso_is_jit(struct fg_str dso);

/* With --compat=perl: what the script takes for either. */
bool perf_dso_is_kernel_to_perl(struct fg_str dso);
bool perf_dso_is_jit_to_perl(struct fg_str dso);

#endif
