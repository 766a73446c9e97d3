/*
 * Reads perf.data, the recording of `perf record`: samples, with frames that have
 * names.
 *
 * It has the same header values, symbols and DSOs as the text of `perf script`, without
 * perf script. It reads files, and the stream of `perf record -o -`, and delivers
 * records in the order of time, like perf.
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

/* Fields that a sample has. Others are 0 in the struct. */
enum fg_perfdata_has {
	FG_PERFDATA_HAS_TASK = 1, /* pid and tid */
	FG_PERFDATA_HAS_TIME = 2,
	FG_PERFDATA_HAS_CPU = 4,
	/* recorded with -g; the chain may be empty all the same */
	FG_PERFDATA_HAS_CHAIN = 8,
	FG_PERFDATA_IS_TRACEPOINT = 16, /* perf script prints no period */
};

/* Strings are valid during the call. */
struct fg_perfdata_sample {
	struct fg_str comm; /* like perf script prints it; ":TID" if it is not known */
	struct fg_str event; /* the name, with modifiers */
	struct fg_str payload; /* fields of a tracepoint, "name=value name=value" */
	uint64_t time; /* in nanoseconds */
	uint64_t period;
	int32_t pid, tid; /* -1: the task was gone already */
	uint32_t cpu;
	unsigned has; /* enum fg_perfdata_has */
};

/* Strings are valid until the reading ends. */
struct fg_perfdata_frame {
	uint64_t pc;
	/* the pc in its DSO; in a file, the offset. perf prints it */
	uint64_t address;
	/* bytes from the start of the symbol to the pc; 0: not known */
	uint64_t offset;
	struct fg_str symbol; /* "[unknown]" if it has no name */
	/* like perf script prints it; "[unknown]" if it is not known */
	struct fg_str dso;
	uint32_t id; /* 0, 1, 2, ...: stands for this symbol and DSO */
	struct fg_str source; /* "FILE:LINE" with FG_PERFDATA_LINES, if known */
	bool inlined; /* into the next frame */
};

/* A change of a thread. */
enum fg_perfdata_change {
	FG_PERFDATA_IN, /* it starts to run on a CPU */
	FG_PERFDATA_OUT, /* it leaves the CPU, to wait */
	FG_PERFDATA_PREEMPTED, /* it has to leave the CPU */
	FG_PERFDATA_BEGINS,
	FG_PERFDATA_NAMED,
	FG_PERFDATA_ENDS,
};

struct fg_perfdata_thread {
	enum fg_perfdata_change change;
	struct fg_str comm; /* after the change; borrowed like that of a sample */
	int32_t pid, tid;
	uint32_t cpu; /* if `has` has it */
	unsigned has; /* FG_PERFDATA_HAS_CPU */
	uint64_t time; /* 0: it was there before the recording */
};

/* Callbacks. Their arguments are valid until they return. */
struct fg_perfdata_sink {
	/*
	 * A sample. Returns true if its frames are wanted; only then they are looked
	 * up.
	 */
	bool (*sample)(void *data, const struct fg_perfdata_sample *sample);

	/* A wanted frame, the leaf first. */
	void (*frame)(void *data, const struct fg_perfdata_frame *frame);

	/*
	 * The rest of the frames, if another sample of that comm had them before. NULL:
	 * pass them one by one.
	 */
	void (*callers)(void *data, const uint32_t *ids, size_t count);

	/* The end of a sample, also if its frames were not wanted. */
	void (*end)(void *data);

	/* A thread was switched, forked, renamed or ended. May be NULL. */
	void (*thread)(void *data, const struct fg_perfdata_thread *thread);

	/*
	 * The clock of samples showed `time` at `start`, in nanoseconds since 1970, if
	 * perf record -k chose the clock. May be NULL.
	 */
	void (*clock)(void *data, uint64_t time, uint64_t start);

	/* The arguments of perf, with a space after each. May be NULL. */
	void (*cmdline)(void *data, struct fg_str words);

	/*
	 * Another program runs in a thread for the first time, in a recording that
	 * began with the program that perf record started. May be NULL.
	 */
	void (*program)(void *data, struct fg_str comm);

	/*
	 * Called after a sample. Returns true to end reading, which then fails without
	 * a message. May be NULL.
	 */
	bool (*stops)(void *data);

	void *data; /* for these functions */
};

/* Tells how inlined functions become frames. */
enum fg_perfdata_inlines {
	FG_PERFDATA_NO_INLINES,
	FG_PERFDATA_INLINES,
	FG_PERFDATA_LINES, /* with their source lines */
};

/* Counts of the samples, and of everything that was missing. */
struct fg_perfdata_tally {
	uint64_t samples;
	uint64_t lost; /* events that did not fit into the kernel's buffer */
	/* lost samples among these; only newer perfs record how many */
	uint64_t lost_samples;
	uint64_t damaged; /* records that are shorter than they should be */
	uint64_t broken_chains; /* samples whose chain perf would not trust either */
	/* samples with frames that a missing or changed file would name */
	uint64_t unnamed;
	bool switches; /* perf record was to record context switches */
	uint64_t impossible; /* periods that the counters cannot have counted */
	uint64_t small_copies; /* samples whose stack was longer than its copy */
	bool cut; /* the input ends in the middle, or was never closed */
};

struct fg_perfdata {
	int fd; /* at the end of `head`; -1: `head` is all there is */
	const char *name; /* name of the input, for messages */
	struct fg_str head; /* the bytes that were read already */
	const char *debug_folder; /* perf's cache of binaries; NULL: ~/.debug */
	int helper; /* from fg_elsewhere_start(); 0: not needed */
	bool no_symbols; /* open no files: frames have only their DSO */
	bool payloads; /* pass the payloads of tracepoints */
	enum fg_perfdata_inlines inlines;
	struct fg_diag *diag;
	struct fg_perfdata_sink sink;
	struct fg_perfdata_tally tally; /* set by reading */
};

/*
 * Reads the recording to its end and hands out its samples. Warns of missing data, once
 * for each kind. Returns 0, or -1 after reporting, if the input cannot be read or only
 * perf script can understand it; the samples so far are then no profile.
 */
int fg_perfdata_read(struct fg_perfdata *pd);

#endif
