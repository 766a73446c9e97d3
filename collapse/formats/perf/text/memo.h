/*
 * What the memo of perf's symbols knows of a symbol besides its frames.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_MEMO_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_MEMO_H

#include "collapse/memo.h"

/* What a result depends on besides the text. */
enum perf_variant {
	PERF_VARIANT_JAVA = 1, /* the comm starts with "java" */
	PERF_VARIANT_KERNEL = 2, /* the DSO is the kernel, and that is shown */
	PERF_VARIANT_JIT = 4, /* the DSO is a JIT's, and that is shown */
	PERF_VARIANT_RECORDED = 8, /* from perf.data: the symbol is as it should be */
	PERF_VARIANT_ELF = 16, /* as perf printed it of an ELF file, to be put right */
	PERF_VARIANT_INLINED = 32, /* a function that was inlined, without its class */
};

enum perf_memo_flag {
	PERF_MEMO_RUN = 1, /* `id` stands for several frames, or none */
	PERF_MEMO_BY_DSO = 2, /* no frame: to be looked up with its DSO */
	PERF_MEMO_ENTRY = 4, /* the symbol is one where threads start */
	PERF_MEMO_CLONE = 8, /* it is clone, which may be called too */
	PERF_MEMO_UNNAMED = 16, /* there is no symbol */
};

#endif
