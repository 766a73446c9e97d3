/*
 * The events of a recording: their attributes, ids and names.
 *
 * The attributes of an event define the layout of its samples, and of the end of all
 * other records (struct perf_event_attr in include/uapi/linux/perf_event.h).
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_EVENTS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_EVENTS_H

#include "collapse/symbols/cursor.h"
#include "lib/base/map.h"
#include "lib/base/arena.h"
#include "lib/base/buf.h"

/* Bits of sample_type. */
#define FG_PD_SAMPLE_IP (UINT64_C(1) << 0)
#define FG_PD_SAMPLE_TID (UINT64_C(1) << 1)
#define FG_PD_SAMPLE_TIME (UINT64_C(1) << 2)
#define FG_PD_SAMPLE_ADDR (UINT64_C(1) << 3)
#define FG_PD_SAMPLE_READ (UINT64_C(1) << 4)
#define FG_PD_SAMPLE_CALLCHAIN (UINT64_C(1) << 5)
#define FG_PD_SAMPLE_ID (UINT64_C(1) << 6)
#define FG_PD_SAMPLE_CPU (UINT64_C(1) << 7)
#define FG_PD_SAMPLE_PERIOD (UINT64_C(1) << 8)
#define FG_PD_SAMPLE_STREAM_ID (UINT64_C(1) << 9)
#define FG_PD_SAMPLE_RAW (UINT64_C(1) << 10)
#define FG_PD_SAMPLE_BRANCH_STACK (UINT64_C(1) << 11)
#define FG_PD_SAMPLE_REGS_USER (UINT64_C(1) << 12)
#define FG_PD_SAMPLE_STACK_USER (UINT64_C(1) << 13)
#define FG_PD_SAMPLE_IDENTIFIER (UINT64_C(1) << 16)
#define FG_PD_SAMPLE_AUX (UINT64_C(1) << 20)

/* Bits of read_format. */
#define FG_PD_READ_GROUP (UINT64_C(1) << 3)

/* Bits of branch_sample_type. */
#define FG_PD_BRANCH_CALL_STACK (UINT64_C(1) << 11)
#define FG_PD_BRANCH_HW_INDEX (UINT64_C(1) << 17)
#define FG_PD_BRANCH_COUNTERS (UINT64_C(1) << 19)

/* Numbers of the bits in `flags`, in the order of the kernel's bit fields. */
#define FG_PD_ATTR_INHERIT 1
#define FG_PD_ATTR_EXCLUDE_USER 4
#define FG_PD_ATTR_EXCLUDE_KERNEL 5
#define FG_PD_ATTR_EXCLUDE_HV 6
#define FG_PD_ATTR_ENABLE_ON_EXEC 12
#define FG_PD_ATTR_PRECISE 15 /* two bits wide */
#define FG_PD_ATTR_SAMPLE_ID_ALL 18
#define FG_PD_ATTR_EXCLUDE_HOST 19
#define FG_PD_ATTR_EXCLUDE_GUEST 20
#define FG_PD_ATTR_USE_CLOCKID 25
#define FG_PD_ATTR_CONTEXT_SWITCH 26

/* Values of type. */
#define FG_PD_TYPE_HARDWARE 0
#define FG_PD_TYPE_SOFTWARE 1
#define FG_PD_SOFTWARE_CPU_CLOCK 0 /* a value of config, like the next two */
#define FG_PD_SOFTWARE_TASK_CLOCK 1
#define FG_PD_SOFTWARE_BPF_OUTPUT 10
#define FG_PD_TYPE_TRACEPOINT 2
#define FG_PD_TYPE_CACHE 3
#define FG_PD_TYPE_BREAKPOINT 5

struct fg_pd_event {
	/*
	 * the recorded name; until we have read it, a name made from the attributes
	 */
	struct fg_str name;
	bool unnamed; /* no recorded name was read so far */
	uint32_t type;
	uint64_t config;
	uint64_t sample_period;
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t flags;
	uint32_t breakpoint_type;
	/* address of a breakpoint event; other types have more of the config here */
	uint64_t breakpoint_address;
	uint64_t branch_sample_type;
	uint64_t sample_regs_user;
	uint32_t sample_stack_user; /* bytes of the stack that each sample copies */
	int32_t clock; /* the clock of its times, if it has FG_PD_ATTR_USE_CLOCKID */
	uint16_t sample_max_stack; /* most frames of a chain; 0: the kernel's limit */
};

struct fg_pd_events {
	struct fg_pd_event *list;
	size_t count, alloc;
	struct fg_map ids; /* from the id of an event to its index plus 1 */
	struct fg_arena text;
};

void fg_pd_events_init(struct fg_pd_events *e);
void fg_pd_events_release(struct fg_pd_events *e);

/*
 * Reads the attribute of an event, which may be shorter or longer than in our version
 * of Linux, and appends the event. Missing fields are 0. Returns its index. Cannot
 * fail.
 */
size_t fg_pd_events_add(struct fg_pd_events *e, struct fg_str attr);

/*
 * Appends the name that perf makes from the attributes of an event without a recorded
 * name, such as "cycles:ppH".
 */
void fg_pd_event_describe(const struct fg_pd_event *event, struct fg_buf *text);

/* Returns true if some event starts counting when the program of perf record starts. */
bool fg_pd_events_start_with_program(const struct fg_pd_events *e);

/*
 * Adds the ids of an event, 8 bytes each. If two events have the same id, the first
 * keeps it.
 */
void fg_pd_events_add_ids(struct fg_pd_events *e, size_t event, struct fg_str words);

/* Returns the event of an id, or NULL. */
struct fg_pd_event *fg_pd_events_by_id(const struct fg_pd_events *e, uint64_t id);

/*
 * The longest name of an event, in bytes; it has all terms of the event. We need a
 * limit because the name is compared for each sample. The size of a record is no limit,
 * because in a file the names are not in records.
 */
#define FG_PD_EVENT_NAME_MAX 4096

/*
 * Names an event with a copy of `name`. Ignores a name that is empty or longer than
 * FG_PD_EVENT_NAME_MAX.
 */
void fg_pd_events_name(struct fg_pd_events *e, struct fg_pd_event *event,
		       struct fg_str name);

static inline bool fg_pd_event_has_flag(const struct fg_pd_event *event, unsigned bit)
{
	return event->flags >> bit & 1;
}

/*
 * Returns true if the samples of an event are waits (perf record --off-cpu). The
 * payload has their thread, duration and chain.
 */
bool fg_pd_event_has_waits(const struct fg_pd_event *event);

/* Returns true if the samples of an event have call chains. */
static inline bool fg_pd_event_has_chain(const struct fg_pd_event *event)
{
	return event->sample_type & FG_PD_SAMPLE_CALLCHAIN ||
	       fg_pd_event_has_waits(event);
}

/*
 * Returns the event of a record, by the id in it, or the first event if it has none.
 * Samples have the id in another place than other records. There must be an event.
 */
const struct fg_pd_event *fg_pd_events_of(const struct fg_pd_events *e,
					  struct fg_str body, bool is_sample);

#endif
