/*
 * Tells by the name of a DSO if its functions are the kernel's or a JIT's.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_DSO_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_DSO_H

#include "lib/base/str.h"

struct perf_options;

/* Returns true for "[kernel.kallsyms]", "[ext4]", "/usr/lib/debug/vmlinux-6.1". */
bool perf_dso_is_kernel(struct fg_str dso);

/*
 * Returns true for "/tmp/perf-4242.map", "/tmp/jit-4242.dump", and "jitted-4242-1.so"
 * of perf inject.
 */
bool perf_dso_is_jit(struct fg_str dso);

/*
 * Like the two functions above, but answer like stackcollapse-perf.pl, for
 * --compat=perl.
 */
bool perf_dso_is_kernel_to_perl(struct fg_str dso);
bool perf_dso_is_jit_to_perl(struct fg_str dso);

/*
 * Returns the `variant` of a sample with more bits, which depend on the DSO:
 * PERF_VARIANT_ELF if its symbols have to be corrected, and, with --kernel and --jit,
 * the bits for the marks.
 */
unsigned perf_variant_of_dso(const struct perf_options *o, struct fg_str dso,
			     unsigned variant);

/* Returns true if we correct symbols that perf script changed (elfname.h). */
bool perf_corrects_names(const struct perf_options *o, unsigned variant);

#endif
