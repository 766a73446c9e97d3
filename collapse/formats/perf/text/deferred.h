/*
 * Samples whose user frames come later, in a record of their own.
 *
 * From 6.19 on, perf may unwind the user part of a stack when the thread returns to
 * user space. If perf script does not merge the two parts, a sample ends in a frame
 * "(cookie)", and a later record has the same number and the user frames:
 *
 *     app 4242 [003] 100.000001: 250000 cycles:
 *             ffffffff81000000 do_syscall_64+0x10 ([kernel.kallsyms])
 *                           1f (cookie) ([unknown])
 *
 *     app 4242 [003] 100.000009: DEFERRED CALLCHAIN [cookie: 1f]
 *             7f1a2b3c4d5e read+0x1e (/lib/libc.so.6)
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_DEFERRED_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_DEFERRED_H

struct perf;
struct perf_deferred;

struct perf_deferred *perf_deferred_new(void);
void perf_deferred_free(struct perf_deferred *d);

/* Holds the open sample until the frames with its cookie come. */
void perf_deferred_hold(struct perf *p);

/* Completes and counts the samples that wait for the frames of the open record. */
void perf_deferred_complete(struct perf *p);

/*
 * Counts the samples whose user frames never came, with only the frames they have, and
 * forgets all cookies.
 */
void perf_deferred_flush(struct perf *p);

#endif
