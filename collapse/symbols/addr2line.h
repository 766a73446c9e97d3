/*
 * The functions that a compiler inlined at an address, asked of addr2line.
 *
 * One child process a DSO is kept running (see collapse/children.h), and every address
 * is asked once: a profile of a million frames costs as many answers as it has distinct
 * addresses.
 *
 * addr2line is GNU's, or else LLVM's llvm-symbolizer, found by PATH. perf prints
 * where code was in memory, which for a shared library or a PIE is not its place in
 * the file; then the symbol's address according to nm (see collapse/nm.h) plus the
 * offset is asked for.
 *
 * What goes wrong is warned of once, with its cure: a missing tool, or, for each
 * DSO, that it cannot be read or that its child failed. From then on no answer is
 * known there. An answer of more than 1 MiB is a failure; the time a child takes to
 * answer is not limited.
 *
 * The process's signals are left as they are. Not for use by two threads at once,
 * and no other thread may start a process meanwhile.
 */
#ifndef FG_COLLAPSE_SYMBOLS_ADDR2LINE_H
#define FG_COLLAPSE_SYMBOLS_ADDR2LINE_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

struct fg_addr2line;

/* What perf printed of one frame. */
struct fg_addr2line_query {
	struct fg_str pc; /* hexadecimal */
	struct fg_str symbol; /* with +0xOFFSET; without, nm is of no use */
	struct fg_str dso;
	bool returns; /* a call returns there: what called is looked up */
};

/* With `context`, ":FILE:LINE" follows each name. Starts nothing; never NULL. */
struct fg_addr2line *fg_addr2line_new(bool context, struct fg_diag *diag);

/* Ends the children. Accepts NULL. */
void fg_addr2line_free(struct fg_addr2line *a);

/*
 * Appends to `names` the functions at that address, root first and ';' between
 * them, a ';' in a name being ':'. Names are demangled and have their parameter
 * lists. Returns false, and appends nothing, where none is known: then the symbol
 * is what there is to show.
 */
bool fg_addr2line_frames(struct fg_addr2line *a, const struct fg_addr2line_query *q,
			 struct fg_buf *names);

/*
 * Whether a tool was there but failed for a DSO, so that some inlined functions are
 * not shown. False for NULL.
 */
bool fg_addr2line_failed(const struct fg_addr2line *a);

#endif
