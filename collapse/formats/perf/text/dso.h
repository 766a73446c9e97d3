/*
 * What a DSO says about its frames: whether they are the kernel's or a JIT's.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_DSO_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_DSO_H

#include "lib/base/str.h"

struct perf_options;

bool perf_dso_is_kernel(struct fg_str dso);
bool perf_dso_is_jit(struct fg_str dso);

/* With --compat=perl: what the script takes for either. */
bool perf_dso_is_kernel_to_perl(struct fg_str dso);
bool perf_dso_is_jit_to_perl(struct fg_str dso);

/*
 * Adds to `variant` of a sample what the DSO says: PERF_VARIANT_ELF if its symbols are
 * to be put right, and what --kernel and --jit ask for.
 */
unsigned perf_variant_of_dso(const struct perf_options *o, struct fg_str dso,
			     unsigned variant);

/* Returns true if symbols of `variant` that perf printed are put right (elfname.h). */
bool perf_puts_names_right(const struct perf_options *o, unsigned variant);

#endif
