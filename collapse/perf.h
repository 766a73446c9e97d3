/*
 * The state of a run of the perf script collapser; private to collapse/perf*.c.
 *
 * The text that it reads is described at the head of perf.c. Each part has a header of
 * its own:
 *
 * perf.c        the format: reading, the end
 * perf_options  the options
 * perf_block    lines of a block; the fast path for frames
 * perf_sample   default behaviour: what a line means for the open sample
 * perf_header   the header line of a sample
 * perf_frame    a frame line: address, symbol, DSO
 * perf_noise    lines that are neither
 * perf_name     a symbol as the name of a frame
 * perf_parameters  where the name in a symbol ends
 * perf_rust     names of Rust that were demangled as if they were of C++
 * perf_event    which events are kept
 * perf_select   which samples are kept by comm, pid, tid, cpu, time
 * perf_span     when a recording starts and ends
 * perf_root     the root frames of a sample
 * perf_payload  fields of a tracepoint
 * perf_stack    frames of the open sample, as ids
 * perf_memo     raw text of a frame -> frame ids
 * perf_fold     what becomes of the distinct stacks at the end
 * perf_deferred samples whose user frames come in a later record
 * perf_compat   --compat=perl: all of that as stackcollapse-perf.pl has it
 * perf_threads  chunks of the input, read by several threads
 * perf_merge    what several threads have read, put together
 * perf_report   what was lost, and why
 *
 * and, for --inline, what does not know of perf:
 *
 * addr2line     the functions that were inlined at an address
 * nm, symbols   where the functions of a DSO are in its file
 * dso           the file of a DSO
 * child         a process that is asked line by line; children: those that are alive
 */
#ifndef FG_COLLAPSE_PERF_H
#define FG_COLLAPSE_PERF_H

#include "collapse/perf_block.h"
#include "collapse/perf_header.h"
#include "collapse/perf_memo.h"
#include "collapse/perf_options.h"
#include "collapse/perf_report.h"
#include "collapse/perf_sample.h"
#include "collapse/perf_stack.h"
#include "lib/counts.h"
#include "lib/stack.h"

struct perf;

/* One line, without '\n'. */
typedef void perf_line_fn(struct perf *p, struct fg_str line);

/* Works out the frames of a symbol and adds them to p->run, root first. */
typedef void perf_name_fn(struct perf *p, const struct perf_frame *f, unsigned variant);

/* --compat=perl --srcline: rows that are still to come. */
struct perf_srclines {
	unsigned due;
	size_t next; /* the frame in p->run that the next one is of */
};

/* All that is known of the input, or of what one thread has read of it. */
struct perf {
	const struct perf_options *options;
	struct fg_diag *diag;
	perf_line_fn *line;
	perf_name_fn *name;

	/* what was found */
	struct fg_intern names;
	struct fg_counts counts[PERF_ROOTS_MAX + 1]; /* by number of root frames */
	struct fg_counts orphans; /* of frames that no header came before */
	uint64_t orphan_samples;
	struct perf_sequence *sequence; /* NULL without --time-order */
	struct perf_events *events;
	struct perf_selection *selection; /* NULL where all samples are wanted */
	struct perf_deferred *deferred;
	struct perf_id_set skipped_after; /* frames that --skip-after means */
	struct perf_id_set trace_values; /* frames that --trace-field made */
	uint64_t votes[2]; /* on the order of chains: leaf first, root first */
	bool any_header;
	bool any_blank; /* a blank line ended a sample: chains were to be printed */
	struct perf_tally tally;

	/* what was worked out before */
	struct perf_header_memo headers;
	struct perf_memo memo;
	struct perf_ids runs; /* of memo values: a length, then ids, root first */
	struct perf_kinds by_kind; /* of memo values */
	struct perf_unknown unknown;
	struct perf_last_dso last_dso;
	struct fg_addr2line *addr2line; /* NULL without --inline */

	/* the sample that is open */
	struct perf_sample sample;
	struct fg_stack stack;
	enum perf_frames frames;
	struct perf_srclines srclines;

	/* where we are */
	struct fg_place at; /* the line being read */
	uint64_t chunk; /* counts what several threads read, and what is between */
	struct fg_buf first_bytes; /* of the input, to guess what it is */

	/* room for work */
	struct perf_ids run; /* the ids that `name` is making */
	struct fg_buf scratch; /* for the text of a name */
	struct fg_buf key; /* for the text of a memo entry */
};

/* Empty; diag and options are borrowed. */
void perf_init(struct perf *p, const struct perf_options *o, struct fg_diag *diag);
void perf_release(struct perf *p);

#endif
