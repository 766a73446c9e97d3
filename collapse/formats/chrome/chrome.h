/*
 * The state of collapse-chrome, and the functions that its files call in each other.
 *
 * event.c reads an event, and hands it to one of three readers, because a trace may
 * hold stacks in three ways: intervals that nest (spans.c), profiles of V8 (profile.c),
 * or samples that point into "stackFrames" (samples.c). Each keeps what it reads in
 * struct chrome. At the end of the file, chrome.c writes the stacks of one of the
 * three. gpu.c tells the work of a GPU from events of the CPU, and with --gpu it is
 * counted instead of them.
 */
#ifndef FG_COLLAPSE_FORMATS_CHROME_CHROME_H
#define FG_COLLAPSE_FORMATS_CHROME_CHROME_H

#include "lib/base/json.h"
#include "collapse/sums.h"
#include "collapse/v8.h"
#include "lib/base/intern.h"
#include "lib/base/map.h"
#include "lib/base/opts.h"

enum chrome_source {
	CHROME_AUTO,
	CHROME_EVENTS,
	CHROME_PROFILE,
	CHROME_SAMPLES,
};

struct chrome_options {
	int source; /* enum chrome_source */
	int is_ns;
	struct fg_opt_list cat;
	struct fg_opt_list detail;
	bool idle;
	bool gpu;
};

/* The id of an unknown name. */
#define CHROME_NO_NAME UINT32_MAX

enum chrome_kind {
	CHROME_WHOLE, /* an interval from .start to .end */
	/* A begin at .start; .end holds the id of the event's name in chrome.names. */
	CHROME_BEGIN,
	/*
	 * An end at .start; .name holds the id of the event's name. .end is 1 if --cat
	 * leaves out the event, so that its begin may be left out, too.
	 */
	CHROME_END,
	/*
	 * A time at which work was given to a GPU, with --gpu. It has no frame, because
	 * no event is there or --cat leaves it out.
	 */
	CHROME_MARK,
};

/* An interval, or one end of it. Times are in nanoseconds. */
struct chrome_span {
	int64_t start, end;
	uint32_t name; /* id of the frame; CHROME_NO_NAME if it is left out */
	uint32_t kind; /* enum chrome_kind */
};

struct chrome_thread {
	uint32_t process; /* id in chrome.pids */
	uint32_t tid; /* id in chrome.tids */
	uint32_t name; /* id in chrome.names, or CHROME_NO_NAME */
	bool has_ends; /* some spans are not CHROME_WHOLE */
	struct chrome_span *spans;
	size_t count, alloc;
	int64_t last; /* the time of its last event */
	/* with --gpu: 1 + the index of the first kernel that it launched, or 0 */
	uint32_t kernel_plus_1;
};

/* The place where an event ran, as its category says. */
enum chrome_category {
	CHROME_CAT_CPU, /* on the CPU, or unknown */
	CHROME_CAT_GPU, /* on a GPU */
	CHROME_CAT_KERNEL, /* on a GPU if its arguments name a device */
	CHROME_CAT_NEITHER, /* it spans other events, and counts with none */
	CHROME_CAT_OVERHEAD, /* on neither if it belongs to no process */
	CHROME_CAT_TRACE, /* on neither if it is the profiler's */
};

/* The id of a missing key; see chrome_gpu.keys. */
#define CHROME_NO_KEY UINT32_MAX

/* Work of a GPU: a kernel, or a copy of memory. */
struct chrome_kernel {
	int64_t start, end;
	uint32_t name; /* id of the frame */
	uint32_t thread; /* index in chrome.threads of its stream, then of its launch */
	/* keys that its launch may have, or CHROME_NO_KEY; .link is an id or a flow */
	uint32_t correlation, link;
	/* 1 + the index of its launch among the spans of `thread`, or 0 */
	uint32_t span_plus_1;
	uint32_t next_plus_1; /* 1 + the index of the thread's next kernel, or 0 */
};

/* An event of the CPU that gave work to a GPU, or the start of a flow. */
struct chrome_launch {
	uint32_t thread; /* index in chrome.threads */
	uint32_t
		span_plus_1; /* 1 + an index in its spans; 0 if no launch has the key */
};

/* The end of a flow, which belongs to an event of the same thread. */
struct chrome_arrival {
	int64_t at;
	uint32_t thread, key;
	/* it belongs to the event around it, not to the next one */
	bool is_inside;
};

/* The work of GPUs in a file, with --gpu. */
struct chrome_gpu {
	/*
	 * What a launch and its kernels have in common: "c" and a correlation, "e" and
	 * an external id, or "f", the category and the id of a flow.
	 */
	struct fg_intern keys;
	struct chrome_launch *launches; /* by key */
	size_t launch_count, launch_alloc;
	struct chrome_kernel *kernels;
	size_t kernel_count, kernel_alloc;
	struct chrome_arrival *arrivals;
	size_t arrival_count, arrival_alloc;
};

/* The part of a V8 profile that one event holds. */
struct chrome_chunk {
	struct fg_v8 *v8;
	uint32_t profile; /* index in chrome.profiles */
	int64_t at; /* time of the event, in nanoseconds */
	struct fg_sum start, end; /* times of the whole profile, in picoseconds */
	bool has_start, has_end;
};

struct chrome_profile {
	uint32_t thread;
	struct fg_sum start; /* in picoseconds */
	bool has_start;
	bool has_thread;
};

/* An element of "samples", or an event that is a sample. */
struct chrome_sample {
	uint32_t tid; /* id in chrome.tids */
	uint32_t row; /* the leaf, in chrome.rows */
	struct fg_sum weight;
	bool has_time;
	uint64_t time; /* in nanoseconds */
};

struct chrome_time {
	int64_t ns;
	int64_t ps; /* in picoseconds; only set if `has_ps` */
	bool known;
	/* `ps` is the time in picoseconds, because it has fractions of a nanosecond */
	bool has_ps;
};

/* The event that is being read. */
struct chrome_event {
	char phase;
	bool is_sum; /* a total of many events, which clang writes */
	bool left_out; /* --cat does not name any of its categories */
	enum chrome_category category;
	bool has_device; /* its arguments name a device, a stream or a correlation */
	bool is_inside; /* "bp": "e" */
	uint32_t correlation, external; /* in chrome_gpu.keys, or CHROME_NO_KEY */
	uint32_t name, process, tid;
	struct chrome_time at, duration;
	uint32_t args_name;
	uint64_t line; /* line number in chrome.file; 0 if unknown */
	struct fg_v8 *v8;
	struct fg_sum start, end;
	bool has_start, has_end;
};

struct chrome {
	struct fg_sink *sink;
	const struct chrome_options *options;
	struct fg_sums sums;

	/* ---- valid for one file */

	struct fg_intern names, pids, tids, thread_keys;
	/* frame ids, indexed by the id in `names`; CHROME_NO_NAME until needed */
	uint32_t *frames_by_name;
	size_t frame_count, frame_alloc;
	uint32_t *process_names;
	size_t process_count, process_alloc;
	/* Names like "tid-7" of threads and processes without one, as ids in `names` */
	struct fg_map id_names;
	struct fg_map long_texts; /* see struct fg_owner */
	struct chrome_thread *threads;
	size_t thread_count, thread_alloc;
	bool has_frames; /* the file has stackFrames */
	bool has_samples; /* the file has "samples" */
	bool has_spans;
	/* the file has a profile, so --source=auto does not keep spans */
	bool has_profile;

	/*
	 * a file had an asynchronous event, an interval of the CPU, or one of a GPU,
	 * even if it was not kept
	 */
	bool any_asynchronous, any_span, any_gpu;
	uint64_t gpu_left_out; /* GPU events of this file that are not counted */

	struct chrome_event event;
	struct fg_buf id; /* "id" of the event */
	struct fg_buf frame; /* stack frame of the event, "sf" */
	struct fg_buf file; /* file of the event's function, which py-spy writes */
	struct fg_buf *details; /* arguments of the event that --detail names */
	struct fg_buf flow; /* with --gpu: the category of the event */
	struct fg_buf text; /* scratch */

	struct fg_intern profile_keys;
	struct chrome_profile *profiles;
	size_t profile_count, profile_alloc;
	struct chrome_chunk *chunks;
	size_t chunk_count, chunk_alloc;

	struct fg_intern frame_ids;
	struct fg_rows rows; /* "stackFrames"; a row is an index in `frame_ids` */
	struct chrome_sample *samples;
	size_t sample_count, sample_alloc;

	struct chrome_gpu gpu;
};

/* ---- threads.c */

/* Returns the index of a thread. Adds the thread if it is new. */
uint32_t chrome_thread_of(struct chrome *c, uint32_t process, uint32_t tid);

/* Frees the spans of all threads. */
void chrome_drop_spans(struct chrome *c);

/* Returns the owner of the stacks of a thread. */
struct fg_owner chrome_owner(struct chrome *c, const struct chrome_thread *thread);

/*
 * Reads a number in units of 10^-shift. Returns false if it is less than 0 or not a
 * number.
 */
bool chrome_read_sum(struct fg_json *j, int shift, struct fg_sum *sum);

/* ---- event.c */

/* Reads an event after its '{'. Returns false if the input ends in it. */
bool chrome_read_event(struct chrome *c, struct fg_json *j);

/* Adds an interval to a thread. `last` is the time of the thread's last event. */
void chrome_add_span(struct chrome_thread *thread, const struct chrome_span *span,
		     int64_t last);

/* ---- gpu.c */

void chrome_start_gpu(struct chrome *c);
void chrome_release_gpu(struct chrome *c);

/* Returns what a category says about where its events ran. */
enum chrome_category chrome_category_of(struct fg_str category);

/* Returns where the current event, which is an interval, ran: CPU, GPU or NEITHER. */
enum chrome_category chrome_side(const struct chrome *c);

/*
 * Reads the value of an argument with the name j->text if --gpu needs it. Returns false
 * if not.
 */
bool chrome_read_link(struct chrome *c, struct fg_json *j);

/* Keeps the current event of a GPU, which ends at `end` and has the frame `name`. */
void chrome_take_kernel(struct chrome *c, int64_t end, uint32_t name);

/*
 * With --gpu, notes that the current event may have launched kernels. It is the newest
 * interval of the thread, unless --cat leaves it out.
 */
void chrome_take_launch(struct chrome *c, uint32_t thread);

/* With --gpu, keeps the current event, which is the start or the end of a flow. */
void chrome_take_flow(struct chrome *c);

/* Finds the launch of each kernel, and adds the kernel to the thread of the launch. */
void chrome_link_kernels(struct chrome *c);

/* ---- spans.c */

/* Counts the self time of the events of all threads, and frees the events. */
void chrome_write_spans(struct chrome *c);

/* ---- samples.c */

/* Reads the value of "samples". */
void chrome_read_samples(struct chrome *c, struct fg_json *j);

/* Reads the value of "stackFrames". */
void chrome_read_frames(struct chrome *c, struct fg_json *j);

/* Keeps the current event, which is a sample. */
void chrome_take_sample(struct chrome *c);
void chrome_write_samples(struct chrome *c);

/* ---- profile.c */

/* Reads the value of "data" in the arguments of an event. */
void chrome_read_data(struct chrome *c, struct fg_json *j);

/* Keeps the part of a profile that the current event holds, if any. */
void chrome_take_data(struct chrome *c);
void chrome_write_profiles(struct chrome *c, enum fg_v8_weight weight);
void chrome_release_profiles(struct chrome *c);

#endif
