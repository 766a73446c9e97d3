/*
 * The state of a run of the perf script grammar; private to collapse/perf/.
 *
 * The text that it reads is described at the head of perf.c. The parts:
 *
 * perf          the format: its descriptor, inputs from start to end
 * options       the options that only collapse-perf has
 * lines         what each line means for the open sample, by default
 * block         lines of a block; the fast path for frames
 * sample        the open sample: its start, its frames, its end
 * header        the header line of a sample
 * frame         a frame line: address, symbol, DSO; flat: that on a header line
 * dso           whether a DSO is the kernel's or a JIT's
 * noise         lines that are neither
 * name          a symbol as the name of a frame
 * payload       fields of a tracepoint
 * stack         frames of the open sample, as ids
 * memo          raw text of a frame -> frame ids
 * deferred      samples whose user frames come in a later record
 * offcpu        --off-cpu: samples that wait for their thread to come back
 * switch        the payload of sched:sched_switch
 * compat        --compat=perl: all of that as stackcollapse-perf.pl has it
 * span          when the text starts and ends
 * recording     perf.data as the same samples, by way of collapse/perfdata
 */
#ifndef FG_COLLAPSE_PERF_STATE_H
#define FG_COLLAPSE_PERF_STATE_H

#include "collapse/perf/lines.h"
#include "collapse/perf/header.h"
#include "collapse/perf/memo.h"
#include "collapse/perf/options.h"
#include "collapse/perf/sample.h"
#include "collapse/perf/stack.h"
#include "collapse/sink.h"

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

struct perf {
	struct fg_sink *sink;
	const struct perf_options *options;
	perf_line_fn *line;
	perf_name_fn *name;

	/* what spans samples */
	struct perf_deferred *deferred;
	struct perf_offcpu *offcpu; /* NULL without --off-cpu */
	uint64_t votes[2]; /* on the order of chains: leaf first, root first */
	bool any_blank; /* a blank line ended a sample: chains were to be printed */
	struct fg_addr2line *addr2line; /* NULL without --inline */

	/* what was worked out before */
	struct perf_header_memo headers;
	struct fg_memo memo;
	struct perf_ids runs; /* of memo values: a length, then ids, root first */
	struct perf_unknown unknown;
	struct perf_by_dso by_dso;

	/* the sample that is open */
	struct perf_sample sample;
	struct perf_sample_texts texts;
	enum perf_fast fast;
	struct perf_srclines srclines;

	/* room for work */
	struct perf_ids run; /* the ids that `name` is making */
	struct fg_buf scratch; /* for the text of a name */
	struct fg_buf key; /* for the text of a memo entry */
};

#endif
