/*
 * The records: their types, and the fields of samples.
 *
 * Types below 64 are records of the kernel: enum perf_event_type in
 * include/uapi/linux/perf_event.h. Types from 64 on are perf's own: enum
 * perf_user_event_type in tools/lib/perf/include/perf/event.h.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_RECORD_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_RECORD_H

#include "collapse/formats/perf/data/events.h"

enum fg_pd_record_type {
	FG_PD_MMAP = 1,
	FG_PD_LOST = 2,
	FG_PD_COMM = 3,
	FG_PD_EXIT = 4,
	FG_PD_FORK = 7,
	FG_PD_SAMPLE = 9,
	FG_PD_MMAP2 = 10,
	FG_PD_AUX = 11,
	FG_PD_LOST_SAMPLES = 13,
	FG_PD_SWITCH = 14,
	FG_PD_SWITCH_CPU_WIDE = 15,
	FG_PD_KSYMBOL = 17,
	FG_PD_CALLCHAIN_DEFERRED = 22,
	FG_PD_FIRST_OF_PERF = 64,
	FG_PD_HEADER_ATTR = 64,
	FG_PD_HEADER_TRACING_DATA = 66,
	FG_PD_HEADER_BUILD_ID = 67,
	FG_PD_FINISHED_ROUND = 68,
	FG_PD_AUXTRACE_INFO = 70,
	FG_PD_AUXTRACE = 71,
	FG_PD_EVENT_UPDATE = 78,
	FG_PD_TIME_CONV = 79,
	FG_PD_HEADER_FEATURE = 80,
	FG_PD_COMPRESSED = 81,
	FG_PD_COMPRESSED2 = 83,
	FG_PD_SIMPLEPERF_TRACING_DATA = 32777, /* written on Android */
};

/* Bits of misc. */
#define FG_PD_MISC_CPUMODE 7U
#define FG_PD_MISC_DATA (1U << 13) /* in MMAP: not executable */
#define FG_PD_MISC_SWITCH_OUT (1U << 13) /* in SWITCH: the thread leaves */
#define FG_PD_MISC_SWITCH_OUT_PREEMPT (1U << 14) /* in SWITCH: it could go on running */
/* in COMM: the thread has started another program */
#define FG_PD_MISC_COMM_EXEC (1U << 13)
/* in FORK: the thread was there before the recording */
#define FG_PD_MISC_FORK_EXEC (1U << 13)
#define FG_PD_MISC_BUILD_ID (1U << 14) /* in MMAP2: it has a build id */
/* in tables of build ids: the entry has the size of the id */
#define FG_PD_MISC_BUILD_ID_SIZE (1U << 15)
#define FG_PD_MISC_LOST_SAMPLES_BPF \
	(1U << 15) /* in LOST_SAMPLES: a filter dropped them */

enum fg_pd_cpumode {
	FG_PD_CPUMODE_UNKNOWN = 0,
	FG_PD_CPUMODE_KERNEL = 1,
	FG_PD_CPUMODE_USER = 2,
	FG_PD_CPUMODE_HYPERVISOR = 3,
	FG_PD_CPUMODE_GUEST_KERNEL = 4,
	FG_PD_CPUMODE_GUEST_USER = 5,
};

/* The fields of a sample that we use. A field that was not recorded is 0. */
struct fg_pd_sample {
	uint64_t ip;
	uint64_t time;
	uint64_t period;
	int32_t pid, tid;
	uint32_t cpu;
	struct fg_str chain; /* the call chain: words of 8 bytes, the leaf first */
	struct fg_str raw; /* the payload, such as the fields of a tracepoint */
	struct fg_str values; /* values and ids of counters; empty: not recorded */
	/* registers in user space: words of 8 bytes; empty: not recorded */
	struct fg_str registers;
	bool is_narrow; /* the registers are those of a 32-bit program */
	struct fg_str stack; /* a copy of the stack */
	bool stack_goes_on; /* the stack may be longer than the copy */
	size_t value_size; /* bytes of an entry of `values` */
	size_t id_at; /* offset of the counter's id in an entry; the value is at 0 */
};

/* The time of a record that has none. We deliver such a record at once. */
#define FG_PD_NO_TIME UINT64_MAX

/* Reads a sample. Returns 0, or -1, without a message, if it is too short. */
int fg_pd_sample_read(const struct fg_pd_event *event, struct fg_str body,
		      struct fg_pd_sample *sample);

/* Returns the time of a record of `event`, or FG_PD_NO_TIME. */
uint64_t fg_pd_time_of(const struct fg_pd_event *event, struct fg_str body,
		       bool is_sample);

/* The thread and CPU of a record that is not a sample. */
struct fg_pd_origin {
	int32_t pid, tid;
	uint32_t cpu;
	bool has_cpu;
};

/*
 * Finds the thread and CPU of a record. Returns 0, or -1 if the record has no thread.
 */
int fg_pd_origin_of(const struct fg_pd_event *event, struct fg_str body,
		    struct fg_pd_origin *origin);

#endif
