/*
 * Reads perf.data, the recording of `perf record`, and delivers its samples with the
 * names of their frames.
 *
 * A sample has the same header values, symbols and DSOs as in the text of `perf
 * script`, but perf is not needed. The input is a file or the stream of `perf record -o
 * -`. Records are delivered in the order of time, like in perf.
 *
 *     struct fg_perfdata pd = { .fd = fd, .head = head, .name = "perf.data",
 *                               .diag = diag, .sink = callbacks };
 *     status = fg_perfdata_read(&pd);
 *
 * Formats: tools/perf/Documentation/perf.data-file-format.txt and
 * include/uapi/linux/perf_event.h of Linux.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_PERFDATA_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_PERFDATA_H

#include "lib/base/diag.h"
#include "lib/base/str.h"

/* Flags for the fields that a sample has. All other fields are 0. */
enum fg_perfdata_has {
	FG_PERFDATA_HAS_TASK = 1, /* pid and tid */
	FG_PERFDATA_HAS_TIME = 2,
	FG_PERFDATA_HAS_CPU = 4,
	/* recorded with -g; the chain may still be empty */
	FG_PERFDATA_HAS_CHAIN = 8,
	FG_PERFDATA_IS_TRACEPOINT = 16, /* it has no period in perf script */
};

/* A sample. Its strings are valid during the call. */
struct fg_perfdata_sample {
	/* name of the thread, like in perf script; ":TID" if unknown */
	struct fg_str comm;
	struct fg_str event; /* name of the event, with modifiers */
	struct fg_str payload; /* fields of a tracepoint, "name=value name=value" */
	uint64_t time; /* in nanoseconds */
	uint64_t period;
	int32_t pid, tid; /* -1: the thread had already ended */
	uint32_t cpu;
	unsigned has; /* enum fg_perfdata_has */
};

/* A frame. Its strings are valid until fg_perfdata_read() returns. */
struct fg_perfdata_frame {
	uint64_t pc;
	/* the pc as an address in the DSO or, for a file, as an offset in it */
	uint64_t address;
	/* bytes from the start of the symbol to the pc; 0 if unknown */
	uint64_t offset;
	struct fg_str symbol; /* "[unknown]" if it has no name */
	struct fg_str dso; /* the DSO, like in perf script; "[unknown]" if unknown */
	uint32_t id; /* a number from 0 on; equal frames share it */
	struct fg_str source; /* "FILE:LINE" if wanted and known */
	bool inlined; /* the function is inlined into the next frame */
};

/* A change of a thread. */
enum fg_perfdata_change {
	FG_PERFDATA_IN, /* the thread starts to run on a CPU */
	FG_PERFDATA_OUT, /* the thread leaves the CPU because it waits */
	FG_PERFDATA_PREEMPTED, /* the thread leaves the CPU but could go on running */
	FG_PERFDATA_BEGINS,
	FG_PERFDATA_NAMED,
	FG_PERFDATA_ENDS,
};

struct fg_perfdata_thread {
	enum fg_perfdata_change change;
	struct fg_str comm; /* name after the change; valid during the call */
	int32_t pid, tid;
	uint32_t cpu; /* valid if `has` says so */
	unsigned has; /* FG_PERFDATA_HAS_CPU or 0 */
	uint64_t time; /* 0: the thread was there before the recording */
};

/* Callbacks. Their arguments are valid until they return. */
struct fg_perfdata_sink {
	/*
	 * Called for each sample. Returns true if its frames are wanted. Otherwise we
	 * do not look them up.
	 */
	bool (*sample)(void *data, const struct fg_perfdata_sample *sample);

	/* Called for each wanted frame of the sample, the leaf first. */
	void (*frame)(void *data, const struct fg_perfdata_frame *frame);

	/*
	 * Called with the ids of the remaining frames, up to the root, if the thread's
	 * last sample had the same ones there. May be NULL; frame() is called for these
	 * frames then.
	 */
	void (*callers)(void *data, const uint32_t *ids, size_t count);

	/* Called after each sample, even if its frames were not wanted. */
	void (*end)(void *data);

	/* Called when a thread is switched, forked, renamed or ended. May be NULL. */
	void (*thread)(void *data, const struct fg_perfdata_thread *thread);

	/*
	 * Called if perf record -k chose the clock of the samples: that clock showed
	 * `time` at `start`, which is in nanoseconds since 1970. May be NULL.
	 */
	void (*clock)(void *data, uint64_t time, uint64_t start);

	/*
	 * Called with the command line of perf record, with a space after each
	 * argument. May be NULL.
	 */
	void (*cmdline)(void *data, struct fg_str words);

	/*
	 * Called with the name of the program that perf record started, if it started
	 * one. May be NULL.
	 */
	void (*program)(void *data, struct fg_str comm);

	/*
	 * Called after a sample. Returns true to end reading, which then fails without
	 * a message. May be NULL.
	 */
	bool (*stops)(void *data);

	void *data; /* first argument of these functions */
};

/* The uses of debug information. */
enum fg_perfdata_debug {
	FG_PERFDATA_INLINES = 1, /* inlined functions get frames */
	/* frames get lines, with file names, or with the paths of fg_inlined_path() */
	FG_PERFDATA_LINES = 2,
	FG_PERFDATA_PATHS = 4,
};

/* Counts of the samples, and of missing or malformed data. */
struct fg_perfdata_tally {
	uint64_t samples;
	uint64_t lost; /* events that did not fit into the kernel's buffer */
	/* samples that were lost; only newer versions of perf record it */
	uint64_t lost_samples;
	uint64_t damaged; /* records that are shorter than their contents */
	/* samples whose chain is malformed, so that we drop it, like perf */
	uint64_t broken_chains;
	/* samples with unnamed frames because a file is missing or was changed */
	uint64_t unnamed;
	bool switches; /* the recording has context switches */
	uint64_t impossible; /* periods that the counters cannot have counted */
	uint64_t small_copies; /* samples whose copy of the stack was too small */
	/* samples that lack their outermost callers; includes small_copies */
	uint64_t truncated;
	uint64_t frameless; /* samples in functions without a frame pointer */
	bool cut; /* the input is cut short, or perf record did not end normally */
};

struct fg_perfdata {
	int fd; /* file to read from after `head`; -1: `head` is the whole input */
	const char *name; /* name of the input, for messages */
	struct fg_str head; /* bytes that were already read from `fd` */
	const char *debug_folder; /* perf's cache of binaries; NULL: ~/.debug */
	int helper; /* from fg_elsewhere_start(); 0: not needed */
	bool no_symbols; /* open no binaries: frames have a DSO but no symbol */
	bool payloads; /* convert the payloads of tracepoints to text */
	unsigned debug; /* enum fg_perfdata_debug */
	struct fg_diag *diag;
	struct fg_perfdata_sink sink;
	struct fg_perfdata_tally tally; /* set by fg_perfdata_read() */
};

/*
 * Reads the recording to its end and calls the functions of the sink. Warns of missing
 * data, once for each kind. Returns 0, or -1 after reporting, if the input cannot be
 * read or only perf script can understand it; then the samples delivered so far are not
 * a usable profile.
 */
int fg_perfdata_read(struct fg_perfdata *pd);

#endif
