/* Opens the events for each thread and processor, and the ring buffers. */
#define _GNU_SOURCE /* for syscall */
#include "record/counters.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "lib/base/xalloc.h"

/*
 * Flags of struct perf_event_attr by number, because the system's header may be older
 * than the kernel and lack the last ones.
 */
#define FLAG(n) (UINT64_C(1) << (n))
#define FLAG_MMAP FLAG(8)
#define FLAG_COMM FLAG(9)
#define FLAG_TASK FLAG(13)
#define FLAG_MMAP_DATA FLAG(17)
#define FLAG_EXCLUDE_GUEST FLAG(20)
#define FLAG_MMAP2 FLAG(23)
#define FLAG_COMM_EXEC FLAG(24)
#define FLAG_CONTEXT_SWITCH FLAG(26)
#define FLAG_NAMESPACES FLAG(28)
#define FLAG_KSYMBOL FLAG(29)
#define FLAG_BPF_EVENT FLAG(30)
#define FLAG_CGROUP FLAG(32)
#define FLAG_BUILD_ID FLAG(34)
#define SAMPLE_CGROUP (UINT64_C(1) << 21)
#define READ_LOST (UINT64_C(1) << 4)

/* Fields of the sample_id that ends a record. Each has 8 bytes. */
#define TRAILER                                                                        \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

#define CAP_BIT_IPC_LOCK 14

/* Offset of the flags, which follow read_format. */
#define FLAGS_AT (offsetof(struct perf_event_attr, read_format) + 8)

/* Something that older kernels do not know; they refuse it with EINVAL. */
struct feature {
	uint64_t flags; /* flags of the event that brings the records about tasks */
	uint64_t sample; /* in sample_type */
	uint64_t read; /* in read_format */
};

/* The newest first: that is the order in which we do without them. */
static const struct feature features[] = {
	{ 0, 0, READ_LOST }, /* Linux 6.0 */
	{ FLAG_BUILD_ID, 0, 0 }, /* 5.12 */
	{ FLAG_CGROUP, SAMPLE_CGROUP, 0 }, /* 5.7, with CONFIG_CGROUP_PERF */
	{ FLAG_BPF_EVENT, 0, 0 }, /* 5.1 */
	{ FLAG_KSYMBOL, 0, 0 }, /* 5.1 */
	{ FLAG_NAMESPACES, 0, 0 }, /* 4.12 */
	{ FLAG_COMM_EXEC, 0, 0 }, /* 3.16 */
	{ FLAG_MMAP2, 0, 0 }, /* 3.16 */
	{ FLAG_EXCLUDE_GUEST, 0, 0 }, /* 3.2, and PMUs that cannot do it */
};

/*
 * Returns the registers of user space that the kernel copies for the unwinder: those
 * that perf record chooses.
 */
static uint64_t user_registers(void)
{
#if defined(__x86_64__)
	return 0xff0fff;
#elif defined(__i386__) || defined(__arm__)
	return 0xffff;
#elif defined(__aarch64__) || defined(__loongarch__)
	return UINT64_C(0x1ffffffff);
#elif defined(__riscv)
	return UINT64_C(0xffffffff);
#elif defined(__s390__)
	return UINT64_C(0x3ffffffff);
#elif defined(__powerpc__)
	return (UINT64_C(1) << 45) - 1;
#else
	return 0;
#endif
}

/* ---- attributes */

static uint64_t in_order(uint64_t flags)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	uint64_t turned = 0;

	for (unsigned i = 0; i < 64; i++)
		turned |= (flags >> i & 1) << (63 - i);
	return turned;
#else
	return flags;
#endif
}

static void change_flags(struct perf_event_attr *a, uint64_t set, uint64_t clear)
{
	uint64_t flags;

	memcpy(&flags, (char *)a + FLAGS_AT, sizeof(flags));
	flags = (flags & ~in_order(clear)) | in_order(set);
	memcpy((char *)a + FLAGS_AT, &flags, sizeof(flags));
}

static bool has_flag(const struct perf_event_attr *a, uint64_t flag)
{
	uint64_t flags;

	memcpy(&flags, (const char *)a + FLAGS_AT, sizeof(flags));
	return flags & in_order(flag);
}

static void set_rate(struct fg_event *event, const struct fg_counters_plan *plan)
{
	const struct fg_record_options *o = plan->options;
	struct perf_event_attr *a = &event->attr;
	bool by_default = !o->freq && !o->period;

	if (event->has_rate)
		return;
	if (o->period || (by_default && a->type == PERF_TYPE_TRACEPOINT)) {
		a->sample_period = o->period ? o->period : 1;
		return;
	}
	a->freq = 1;
	a->sample_freq = plan->freq;
}

static void set_callers(struct perf_event_attr *a, const struct fg_record_options *o)
{
	if (o->callers == FG_CALLERS_NONE)
		return;
	a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (o->callers != FG_CALLERS_DWARF)
		return;
	a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	a->sample_regs_user = user_registers();
	a->sample_stack_user = o->copy;
	/* the chain has only the part in the kernel; the copy has the rest */
	a->exclude_callchain_user = 1;
}

/*
 * Returns true if samples have the cgroup of their thread. It tells containers apart; a
 * command has our own.
 */
static bool has_cgroups(const struct fg_counters_plan *plan)
{
	return plan->may_all && plan->target != FG_TARGET_COMMAND;
}

/* Makes an event bring the records about tasks. */
static void set_tracking(struct perf_event_attr *a, const struct fg_counters_plan *plan)
{
	uint64_t flags = FLAG_MMAP | FLAG_COMM | FLAG_TASK | FLAG_MMAP2 |
			 FLAG_COMM_EXEC | FLAG_BUILD_ID | FLAG_KSYMBOL | FLAG_BPF_EVENT;

	/* the tables for unwinding are in mappings of data */
	if (plan->options->callers == FG_CALLERS_DWARF)
		flags |= FLAG_MMAP_DATA;
	if (plan->may_all)
		flags |= FLAG_NAMESPACES;
	if (has_cgroups(plan))
		flags |= FLAG_CGROUP;
	if (plan->options->switches)
		flags |= FLAG_CONTEXT_SWITCH;
	change_flags(a, flags, 0);
}

static void set_attribute(const struct fg_counters *c, size_t index,
			  const struct fg_counters_plan *plan)
{
	struct fg_event *event = &c->events->list[index];
	struct perf_event_attr *a = &event->attr;
	bool last = index + 1 == c->events->count;

	a->sample_type =
		PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	if (c->events->count > 1)
		a->sample_type |= PERF_SAMPLE_IDENTIFIER;
	a->read_format = PERF_FORMAT_ID | READ_LOST;
	a->disabled = 1;
	a->sample_id_all = 1;
	/* runtimes note with this clock when they compile code */
	a->use_clockid = 1;
	a->clockid = CLOCK_MONOTONIC;
	a->inherit = plan->target != FG_TARGET_MACHINE;
	a->enable_on_exec = plan->target == FG_TARGET_COMMAND &&
			    (!plan->options->delay || (c->has_tracker && last));
	a->watermark = 1;
	if (c->has_tracker ? last : index == 0)
		set_tracking(a, plan);
	if (c->has_tracker && last) {
		a->sample_period = 1;
		return;
	}
	set_rate(event, plan);
	set_callers(a, plan->options);
	if (a->freq || a->type == PERF_TYPE_TRACEPOINT)
		a->sample_type |= PERF_SAMPLE_PERIOD;
	if (a->type == PERF_TYPE_TRACEPOINT)
		a->sample_type |= PERF_SAMPLE_RAW;
	if (has_cgroups(plan))
		a->sample_type |= SAMPLE_CGROUP;
}

size_t fg_counters_trailer(const struct fg_counters *c)
{
	uint64_t fields = c->events->list[0].attr.sample_type & TRAILER;
	size_t size = 0;

	for (; fields; fields &= fields - 1)
		size += 8;
	return size;
}

bool fg_counters_have_cgroups(const struct fg_counters *c)
{
	return c->events->list[0].attr.sample_type & SAMPLE_CGROUP;
}

/* ---- doing without */

/* Removes a feature from an event. Returns true if the event had it. */
static bool remove_feature(struct perf_event_attr *a, const struct feature *f)
{
	bool had = (f->flags && has_flag(a, f->flags)) ||
		   (a->sample_type & f->sample) || (a->read_format & f->read);

	change_flags(a, 0, f->flags);
	a->sample_type &= ~f->sample;
	a->read_format &= ~f->read;
	return had;
}

/* Removes the newest feature that is still used. Returns false if there is none. */
static bool do_without_feature(struct fg_counters *c)
{
	for (uint32_t i = 0; i < FG_COUNT_OF(features); i++) {
		bool had = false;

		if (c->missing >> i & 1)
			continue;
		for (size_t k = 0; k < c->events->count; k++)
			had |= remove_feature(&c->events->list[k].attr, &features[i]);
		c->missing |= UINT32_C(1) << i;
		if (had)
			return true;
	}
	return false;
}

/* Stops recording namespaces, which only root may. */
static bool do_without_namespaces(struct fg_counters *c)
{
	bool had = false;

	for (size_t i = 0; i < c->events->count; i++) {
		struct perf_event_attr *a = &c->events->list[i].attr;

		had |= has_flag(a, FLAG_NAMESPACES);
		change_flags(a, 0, FLAG_NAMESPACES);
	}
	return had;
}

/* Stops recording the kernel. Returns false if that would change nothing. */
static bool do_without_kernel(struct fg_counters *c, const struct fg_event *refused)
{
	if (refused->attr.exclude_kernel || refused->attr.exclude_user ||
	    refused->attr.type == PERF_TYPE_TRACEPOINT)
		return false;
	for (size_t i = 0; i < c->events->count; i++) {
		struct fg_event *event = &c->events->list[i];

		if (event->attr.exclude_kernel || event->attr.exclude_user ||
		    event->attr.type == PERF_TYPE_TRACEPOINT)
			continue;
		event->attr.exclude_kernel = 1;
		event->attr.exclude_hv = 1;
		fg_event_name_user(c->events, event);
	}
	c->without_kernel = true;
	return true;
}

/* Changes the events after a refusal. Returns false if there is nothing to change. */
static bool step_back(struct fg_counters *c, struct fg_event *event, int error)
{
	struct perf_event_attr *a = &event->attr;

	switch (error) {
	case EACCES:
	case EPERM:
		return do_without_namespaces(c) || do_without_kernel(c, event);
	case EINVAL:
	case EOPNOTSUPP:
	case ENOENT:
		if (event->most_precise && a->precise_ip) {
			a->precise_ip = (a->precise_ip - 1U) & 3U;
			return true;
		}
		return error == EINVAL && do_without_feature(c);
	case E2BIG:
		return do_without_feature(c);
	default:
		return false;
	}
}

/* ---- counters */

static int open_one(const struct perf_event_attr *attr, int task, int cpu)
{
	struct perf_event_attr copy = *attr;

	/* the kernel writes the size that it knows into the attribute, with E2BIG */
	return fg_io_move_up((int)syscall(SYS_perf_event_open, &copy, task, cpu, -1,
					  PERF_FLAG_FD_CLOEXEC));
}

static int refuse(struct fg_refusal *why, enum fg_refused refused, int error)
{
	why->refused = refused;
	why->error = error;
	return -1;
}

/*
 * Opens an event for one thread on one processor. Returns 0, 1 if the thread or the
 * processor has gone, or -1 with the refusal.
 */
static int add_counter(struct fg_counters *c, struct fg_counter counter, int task,
		       int cpu, struct fg_refusal *why)
{
	struct fg_event *event = &c->events->list[counter.event];

	for (;;) {
		int error;

		counter.fd = open_one(&event->attr, task, cpu);
		if (counter.fd >= 0)
			break;
		error = errno;
		if (step_back(c, event, error))
			continue;
		why->event = event->name;
		why->is_hardware = fg_event_is_hardware(event);
		why->is_tracepoint = event->attr.type == PERF_TYPE_TRACEPOINT;
		why->pid = task;
		refuse(why, FG_REFUSED_OPEN, error);
		if ((error == ESRCH && task > 0) || (error == ENODEV && c->count))
			return 1;
		return -1;
	}
	FG_GROW(c->list, c->alloc, c->count + 1);
	c->list[c->count++] = counter;
	return 0;
}

static bool has_number(const struct fg_numbers *n, int number)
{
	for (size_t i = 0; i < n->count; i++)
		if (n->list[i] == number)
			return true;
	return false;
}

/* Returns true if an event is to be opened for a processor. */
static bool is_wanted(const struct fg_counters *c, size_t event, int cpu,
		      const struct fg_counters_plan *plan)
{
	const struct fg_numbers *own = &c->events->list[event].cpus;
	const struct fg_numbers *chosen = &plan->options->cpus;

	if (own->count && !has_number(own, cpu))
		return false;
	if (!chosen->count || (c->has_tracker && event + 1 == c->events->count))
		return true;
	return has_number(chosen, cpu);
}

/* Opens all events for one processor. Returns 0, or -1 with the refusal. */
static int add_processor(struct fg_counters *c, int cpu, size_t ring,
			 const struct fg_counters_plan *plan, struct fg_refusal *why)
{
	static const int all = -1;
	bool machine = plan->target == FG_TARGET_MACHINE;
	const int *tasks = machine ? &all : plan->tasks->list;
	size_t count = machine ? 1 : plan->tasks->count;

	for (uint32_t event = 0; event < c->events->count; event++) {
		if (!is_wanted(c, event, cpu, plan))
			continue;
		for (size_t i = 0; i < count; i++) {
			struct fg_counter counter = { .event = event,
						      .ring = (uint32_t)ring };

			if (add_counter(c, counter, tasks[i], cpu, why) < 0)
				return -1;
		}
	}
	return 0;
}

/*
 * Asks the kernel for the ids. Each event needs at least one, which its name refers to.
 * Returns 0, or -1 with the refusal.
 */
static int ask_ids(struct fg_counters *c, struct fg_refusal *why)
{
	bool all = c->events->count > 1;

	for (size_t i = 0; i < c->count && (all || i == 0); i++)
		if (ioctl(c->list[i].fd, PERF_EVENT_IOC_ID, &c->list[i].id)) {
			why->event = c->events->list[c->list[i].event].name;
			return refuse(why, FG_REFUSED_OPEN, errno);
		}
	return 0;
}

/* ---- rings */

static uint64_t locked_memory_limit(void)
{
	struct rlimit limit;

	if (fg_capabilities() >> CAP_BIT_IPC_LOCK & 1)
		return UINT64_MAX;
	if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	return limit.rlim_cur;
}

static uint64_t first_size(const struct fg_counters *c,
			   const struct fg_record_options *o)
{
	int kilobytes = fg_kernel_setting("perf_event_mlock_kb");
	struct fg_ring_limits limits = {
		.page = (uint64_t)sysconf(_SC_PAGESIZE),
		.memlock = locked_memory_limit(),
		.count = c->ring_count,
	};

	limits.mlock = limits.page + ((uint64_t)512 << 10);
	if (kilobytes >= 0)
		limits.mlock = (uint64_t)kilobytes << 10;
	return fg_ring_size(&limits, o->ring, o->callers == FG_CALLERS_DWARF);
}

/* Maps a ring for each processor, of the given size. Returns 0, or an errno. */
static int map_rings(struct fg_counters *c)
{
	int error = 0;

	for (size_t i = 0; i < c->count && !error; i++) {
		struct fg_ring *ring = &c->rings[c->list[i].ring];

		if (!ring->page)
			error = fg_ring_map(ring, c->list[i].fd, c->ring_size);
	}
	for (size_t i = 0; i < c->ring_count && error; i++)
		fg_ring_unmap(&c->rings[i]);
	return error;
}

/* Redirects the records of all counters to the rings. Returns 0, or an errno. */
static int share_rings(struct fg_counters *c)
{
	int owner = -1;

	for (size_t i = 0; i < c->count; i++) {
		if (i == 0 || c->list[i].ring != c->list[i - 1].ring)
			owner = c->list[i].fd;
		else if (ioctl(c->list[i].fd, PERF_EVENT_IOC_SET_OUTPUT, owner))
			return errno;
	}
	return 0;
}

/*
 * Maps the rings. If there is not so much memory that may be locked, it tries again
 * with smaller ones.
 */
static int make_rings(struct fg_counters *c, const struct fg_record_options *o,
		      struct fg_refusal *why)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	int error;

	c->ring_size = first_size(c, o);
	error = map_rings(c);
	while ((error == EPERM || error == ENOMEM) && c->ring_size > page) {
		c->ring_size /= 2;
		error = map_rings(c);
	}
	if (!error)
		error = share_rings(c);
	return error ? refuse(why, FG_REFUSED_RING, error) : 0;
}

/* ---- the whole */

int fg_counters_open(struct fg_counters *c, struct fg_events *events,
		     const struct fg_counters_plan *plan, struct fg_refusal *why)
{
	const struct fg_numbers *cpus = plan->online;

	memset(c, 0, sizeof(*c));
	c->events = events;
	c->has_tracker = plan->target == FG_TARGET_MACHINE || plan->options->delay;
	if (c->has_tracker)
		fg_events_add_tracker(events);
	for (size_t i = 0; i < events->count; i++)
		set_attribute(c, i, plan);
	c->ring_count = cpus->count;
	c->rings = fg_xcalloc(c->ring_count, sizeof(*c->rings));
	for (size_t i = 0; i < cpus->count; i++)
		if (add_processor(c, cpus->list[i], i, plan, why))
			return -1;
	if (!c->count)
		return -1; /* all threads have ended: `why` has the last refusal */
	c->counts_lost = events->list[0].attr.read_format & READ_LOST;
	if (ask_ids(c, why))
		return -1;
	return make_rings(c, plan->options, why);
}

void fg_counters_close(struct fg_counters *c)
{
	for (size_t i = 0; i < c->ring_count; i++)
		fg_ring_unmap(&c->rings[i]);
	for (size_t i = 0; i < c->count; i++)
		close(c->list[i].fd);
	free(c->rings);
	free(c->list);
	memset(c, 0, sizeof(*c));
}

static bool is_tracker(const struct fg_counters *c, const struct fg_counter *counter)
{
	return c->has_tracker && counter->event + 1 == c->events->count;
}

static int start(const struct fg_counters *c, bool tracker)
{
	for (size_t i = 0; i < c->count; i++)
		if (is_tracker(c, &c->list[i]) == tracker &&
		    ioctl(c->list[i].fd, PERF_EVENT_IOC_ENABLE, 0))
			return errno;
	return 0;
}

int fg_counters_start_tracker(const struct fg_counters *c)
{
	return start(c, true);
}

int fg_counters_start(const struct fg_counters *c)
{
	return start(c, false);
}

void fg_counters_stop(const struct fg_counters *c)
{
	for (size_t i = 0; i < c->count; i++)
		ioctl(c->list[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

uint64_t fg_counter_lost(const struct fg_counters *c, const struct fg_counter *counter)
{
	/* the value, the id, and the number of lost records */
	uint64_t values[3] = { 0, 0, 0 };

	if (!c->counts_lost ||
	    read(counter->fd, values, sizeof(values)) != (ssize_t)sizeof(values))
		return 0;
	return values[2];
}
