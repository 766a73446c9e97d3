/*
 * perf.data, as `perf record` writes it: its samples, with frames that have names.
 *
 * A second source of what the text of `perf script` says, without perf script: the same
 * header values, and the same symbols and DSOs. Read are files, and the stream that
 * `perf record -o -` writes; records in the order of time, as perf delivers them.
 *
 * Formats: tools/perf/Documentation/perf.data-file-format.txt and
 * include/uapi/linux/perf_event.h of Linux.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_PERFDATA_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_PERFDATA_H

#include "lib/base/diag.h"
#include "lib/base/str.h"

/* What a sample has; what it has not is 0 in the struct. */
enum fg_perfdata_has {
	FG_PERFDATA_HAS_TASK = 1, /* pid and tid */
	FG_PERFDATA_HAS_TIME = 2,
	FG_PERFDATA_HAS_CPU = 4,
	FG_PERFDATA_HAS_CHAIN = 8, /* recorded with -g; it may be empty all the same */
	FG_PERFDATA_IS_TRACEPOINT = 16, /* perf script prints no period of these */
};

/* Strings are valid while the call lasts. */
struct fg_perfdata_sample {
	struct fg_str comm; /* as perf script prints it: ":TID" where none is known */
	struct fg_str event; /* its name, with modifiers */
	struct fg_str payload; /* of a tracepoint: fields, "name=value name=value" */
	uint64_t time; /* in nanoseconds */
	uint64_t period;
	int32_t pid, tid; /* -1: the task was gone already */
	uint32_t cpu;
	unsigned has; /* enum fg_perfdata_has */
};

/* Strings are valid until the reading ends. */
struct fg_perfdata_frame {
	uint64_t pc;
	/* the pc in its DSO, of a file the offset in it: what perf prints */
	uint64_t address;
	/* of the pc from the start of the symbol; 0 where that is unknown */
	uint64_t offset;
	struct fg_str symbol; /* "[unknown]" where it has no name */
	/* as perf script prints it; "[unknown]" where there is none */
	struct fg_str dso;
	uint32_t id; /* 0, 1, 2, ...: a number that stands for this symbol and DSO */
	struct fg_str source; /* "FILE:LINE" with FG_PERFDATA_LINES, where known */
	bool inlined; /* into the frame that comes next */
};

/* What becomes of a thread. */
enum fg_perfdata_change {
	FG_PERFDATA_IN, /* it comes to a CPU */
	FG_PERFDATA_OUT, /* it leaves it, to wait */
	FG_PERFDATA_PREEMPTED, /* it has to leave it */
	FG_PERFDATA_BEGINS,
	FG_PERFDATA_NAMED,
	FG_PERFDATA_ENDS,
};

struct fg_perfdata_thread {
	enum fg_perfdata_change change;
	struct fg_str comm; /* from now on, borrowed as that of a sample */
	int32_t pid, tid;
	uint32_t cpu; /* where `has` says so */
	unsigned has; /* FG_PERFDATA_HAS_CPU */
	uint64_t time; /* 0: it is of what was there before the recording */
};

/* Who gets them. */
struct fg_perfdata_sink {
	/* A sample: whether its frames are wanted, which are looked up only then. */
	bool (*sample)(void *data, const struct fg_perfdata_sample *sample);

	/* The frames that were wanted, the leaf first. */
	void (*frame)(void *data, const struct fg_perfdata_frame *frame);

	/*
	 * The rest of the frames, which another sample of that comm had before; NULL
	 * where they are wanted one by one.
	 */
	void (*callers)(void *data, const uint32_t *ids, size_t count);

	/* The end of a sample, whether its frames were wanted or not. */
	void (*end)(void *data);

	/* A thread of which a record of its own says something; may be NULL. */
	void (*thread)(void *data, const struct fg_perfdata_thread *thread);

	/*
	 * The clock of samples showed `time` when it was `start`, in nanoseconds since
	 * 1970: where perf record -k was told which clock. May be NULL.
	 */
	void (*clock)(void *data, uint64_t time, uint64_t start);

	/* The words of perf's command line, with a blank after each; may be NULL. */
	void (*cmdline)(void *data, struct fg_str words);

	/*
	 * Another program runs in a thread, for the first time, of a recording that
	 * began with the program that perf record started; may be NULL.
	 */
	void (*program)(void *data, struct fg_str comm);

	/*
	 * Whether reading is to end, after a sample, and to fail without a message; may
	 * be NULL.
	 */
	bool (*stops)(void *data);

	void *data; /* for these functions */
};

/* Whether functions that a compiler inlined are frames of their own. */
enum fg_perfdata_inlines {
	FG_PERFDATA_NO_INLINES,
	FG_PERFDATA_INLINES,
	FG_PERFDATA_LINES, /* the same, and frames have their source lines */
};

/* What was there and what was missing. */
struct fg_perfdata_tally {
	uint64_t samples;
	uint64_t lost; /* events that the kernel had no room for in the buffer */
	uint64_t lost_samples; /* those of them that were samples; newer perfs say */
	uint64_t damaged; /* records that hold less than they say */
	uint64_t broken_chains; /* samples whose chain perf would not trust either */
	/* samples with frames that a missing or changed file would name */
	uint64_t unnamed;
	bool switches; /* records of switches were asked for */
	uint64_t impossible; /* periods that the counters cannot have counted */
	uint64_t small_copies; /* samples whose stack was longer than its copy */
	bool cut; /* the input ends in the middle, or was never closed */
};

struct fg_perfdata {
	int fd; /* at the end of `head`; -1: `head` is all there is */
	const char *name; /* of the input, for messages */
	struct fg_str head; /* what was read from it already */
	const char *debug_folder; /* perf's cache of binaries; NULL: ~/.debug */
	int helper; /* of fg_elsewhere_start(); 0: none is needed */
	bool no_symbols; /* open no files: frames have their DSO only */
	bool payloads; /* samples of tracepoints have them */
	enum fg_perfdata_inlines inlines;
	struct fg_diag *diag;
	struct fg_perfdata_sink sink;
	struct fg_perfdata_tally tally; /* set by reading */
};

/*
 * Reads the recording to its end and hands out its samples. What is missing is said in
 * warnings, a line for each kind. Returns 0, or -1 after reporting: where the input
 * cannot be read, or where only perf script can say what it means; what was handed out
 * until then is no profile.
 */
int fg_perfdata_read(struct fg_perfdata *pd);

#endif
