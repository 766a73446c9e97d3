/* Delivers records, sorted by time: updates tasks and mappings, passes samples on. */
#include "collapse/formats/perf/data/reading.h"

#include <stdlib.h>

#include "lib/base/count.h"
#include "lib/base/xalloc.h"

#define PROT_EXEC_BIT 4U
#define PROT_ALL 7U /* all bits of a protection that the kernel sets */
#define KERNEL_HALF (UINT64_C(1) << 63) /* this bit is set in addresses of the kernel */
#define PROT_COMPILED 0x4000U /* simpleperf's flag for code that a runtime compiled */
#define KSYMBOL_UNREGISTER 1U

/* The fields of a record of type MMAP or MMAP2. */
struct mapping {
	struct fg_dso_mapped mapped;
	struct fg_pd_map map;
	uint64_t pgoff;
};

/*
 * Maps the kernel or a module. The kernel's own mapping has the name and the address of
 * a symbol. From them we compute the addresses of all other symbols.
 */
static void map_kernel(struct fg_pd_reading *r, struct mapping *m)
{
	static const struct fg_str core = FG_STR_INIT("[kernel.kallsyms]");
	struct fg_kallsyms *k = &r->dsos.kallsyms;

	m->mapped.is_kernel = true;
	m->mapped.base = m->map.start;
	m->map.shift = 0;
	m->map.dso = fg_dsos_of(&r->dsos, &m->mapped);
	if (!fg_str_starts(m->mapped.name, core)) {
		fg_pd_tasks_map_kernel(&r->tasks, &m->map);
		return;
	}
	/*
	 * The kernel's own mapping gets everything up to the last address, because the
	 * record leaves out the code that runs while the kernel starts.
	 */
	m->map.end = UINT64_MAX;
	fg_pd_tasks_map_core(&r->tasks, &m->map);
	if (m->mapped.name.len > core.len && m->pgoff && !k->reference.len) {
		k->reference = fg_arena_copy(&r->dsos.text,
					     fg_str_from_pos(m->mapped.name, core.len));
		k->reference_at = m->pgoff;
	}
}

/*
 * Returns true if code that a runtime compiles may be in such a mapping. It is recorded
 * again whenever the runtime changes what it may do with its memory.
 */
static bool is_for_code(const struct fg_dso *dso)
{
	return dso->kind == FG_DSO_JIT || dso->kind == FG_DSO_NAMED ||
	       fg_str_starts(dso->name, FG_STR("/memfd:"));
}

static void map_user(struct fg_pd_reading *r, struct mapping *m)
{
	const struct fg_dso *dso;

	m->mapped.birth = fg_pd_tasks_birth(&r->tasks, m->mapped.pid);
	m->mapped.base = m->pgoff;
	m->map.dso = fg_dsos_of(&r->dsos, &m->mapped);
	dso = &r->dsos.list[m->map.dso];
	if (dso->kind == FG_DSO_DUMP) {
		const struct fg_pd_jit jit = { .pid = m->mapped.pid,
					       .dso = m->map.dso,
					       .mapped = m->mapped.identity.time };

		fg_pd_jits_add(&r->jits, &jit);
		return;
	}
	if (r->jits.count && !is_for_code(dso))
		fg_pd_tasks_unmap_code(&r->tasks, m->mapped.pid, &m->map);
	if (fg_dso_is_absolute(dso))
		m->map.shift = 0;
	else
		m->map.shift = (dso->kind == FG_DSO_VDSO ? 0 : m->pgoff) - m->map.start;
	fg_pd_tasks_map(&r->tasks, m->mapped.pid, &m->map);
}

/*
 * Returns the mode of a mapping: kernel or user. Because of a bug, perf 7.3 inject -B
 * writes GUEST_USER for each mapping that it finds by a sample in the kernel. We treat
 * such mappings as the host's. That is safe, because we refuse a recording at the first
 * sample in a guest.
 */
static enum fg_pd_cpumode mode_of(unsigned cpumode, uint64_t start)
{
	switch (cpumode) {
	case FG_PD_CPUMODE_GUEST_USER:
		return start & KERNEL_HALF ? FG_PD_CPUMODE_KERNEL : FG_PD_CPUMODE_USER;
	case FG_PD_CPUMODE_UNKNOWN:
		return FG_PD_CPUMODE_USER;
	default:
		return cpumode;
	}
}

/* Returns the time of a record that is not a sample, or 0 if it is not known. */
static uint64_t time_of(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	const struct fg_pd_event *event =
		fg_pd_events_of(&r->events, record->body, false);
	uint64_t time = fg_pd_time_of(event, record->body, false);

	return time == FG_PD_NO_TIME ? 0 : time;
}

/*
 * Returns the end of a mapping. Like in perf, a mapping that does not fit into 64 bits
 * is empty.
 */
static uint64_t end_of(uint64_t start, uint64_t len)
{
	return len > UINT64_MAX - start ? start : start + len;
}

/*
 * Returns the build id of a mapping's file, from the field `file` of the record. It is
 * empty if the field has a device and an inode instead. The flag alone does not tell:
 * while another perf records build ids, kernels may also set it for devices and inodes.
 * But after a build id, the field has only zeros.
 */
static struct fg_str build_id_of(const struct fg_pd_record *record, struct fg_str file)
{
	size_t len = file.len ? (unsigned char)file.ptr[0] : 0;
	struct fg_str rest = fg_str_from_pos(file, 4);

	if (!(record->misc & FG_PD_MISC_BUILD_ID) || len > rest.len)
		return fg_str_of(NULL, 0);
	for (size_t i = len; i < rest.len; i++)
		if (rest.ptr[i])
			return fg_str_of(NULL, 0);
	return fg_str_before(rest, len);
}

static void deliver_mmap(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_cursor c = fg_cursor(record->body);
	struct mapping m = { .mapped.pid = (int32_t)fg_cursor_u32(&c) };
	enum fg_pd_cpumode mode;
	uint64_t len;
	uint32_t prot;

	m.mapped.executable = !(record->misc & FG_PD_MISC_DATA);
	m.map.is_data = !m.mapped.executable;
	fg_cursor_skip(&c, 4);
	m.map.start = fg_cursor_u64(&c);
	mode = mode_of(record->misc & FG_PD_MISC_CPUMODE, m.map.start);
	len = fg_cursor_u64(&c);
	m.map.end = end_of(m.map.start, len);
	m.pgoff = fg_cursor_u64(&c);
	if (record->type == FG_PD_MMAP2) {
		struct fg_str file = fg_cursor_bytes(&c, 24),
			      id = build_id_of(record, file);

		fg_build_id_set(&m.mapped.build_id, id);
		if (file.len && !id.len) {
			m.mapped.identity.device = fg_load64(file.ptr);
			m.mapped.identity.inode = fg_load64(file.ptr + 8);
		}
		prot = fg_cursor_u32(&c);
		m.mapped.executable = prot & PROT_EXEC_BIT;
		/* perf inject -j writes the mode of a file instead of a protection */
		m.map.is_data = prot <= PROT_ALL && !m.mapped.executable;
		m.mapped.is_compiled = prot & PROT_COMPILED;
		fg_cursor_skip(&c, 4);
	}
	m.mapped.name = fg_cursor_rest_text(&c);
	m.mapped.identity.time = time_of(r, record);
	if (c.bad)
		r->pd->tally.damaged++;
	else if (mode == FG_PD_CPUMODE_KERNEL)
		map_kernel(r, &m);
	else if (mode == FG_PD_CPUMODE_USER)
		map_user(r, &m);
}

/* Tells the sink about a change of a thread, if it wants to know. */
static void report_change(struct fg_pd_reading *r, const struct fg_pd_record *record,
			  enum fg_perfdata_change change, int32_t tid)
{
	const struct fg_perfdata_thread thread = {
		.change = change,
		.comm = fg_pd_tasks_comm(&r->tasks, tid),
		.pid = -1,
		.tid = tid,
		.time = time_of(r, record),
	};

	if (r->pd->sink.thread)
		r->pd->sink.thread(r->pd->sink.data, &thread);
}

/*
 * Tells the sink the name of the program that perf record started. It is the first
 * program that starts, because nothing is recorded before it.
 */
static void report_program(struct fg_pd_reading *r, struct fg_str comm)
{
	bool is_first = !r->any_program;

	r->any_program = true;
	if (is_first && r->pd->sink.program &&
	    fg_pd_events_start_with_program(&r->events))
		r->pd->sink.program(r->pd->sink.data, comm);
}

static void deliver_comm(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_cursor c = fg_cursor(record->body);
	int32_t tid;

	fg_cursor_skip(&c, 4);
	tid = (int32_t)fg_cursor_u32(&c);
	if (c.bad)
		r->pd->tally.damaged++;
	else
		fg_pd_tasks_name(&r->tasks, tid, fg_cursor_rest_text(&c));
	if (c.bad)
		return;
	report_change(r, record, FG_PERFDATA_NAMED, tid);
	if (record->misc & FG_PD_MISC_COMM_EXEC)
		report_program(r, fg_pd_tasks_comm(&r->tasks, tid));
}

/* ---- closing binaries */

/*
 * Closes the binaries of processes that have ended. Otherwise a recording that runs for
 * days would open more and more. Some programs start again and again, so we close only
 * binaries that were not used since the last time we closed some.
 */

/* Bytes of binaries that we may open before we look for some to close. */
#define ADDED_MAX ((size_t)64 << 20)

/*
 * Checking a mapping or a DSO costs about as much as reading this many bytes of a
 * binary.
 */
#define COST 16

static bool can_go(const struct fg_dso *dso)
{
	return dso->kind == FG_DSO_FILE || dso->kind == FG_DSO_JIT ||
	       dso->kind == FG_DSO_DUMP;
}

static void forget(struct fg_pd_reading *r, uint32_t index)
{
	fg_pd_unwinder_forget(r->unwinder, index);
	fg_pd_leaves_forget(r->leaves, index);
	fg_pd_resolver_keep(&r->resolver, index);
	fg_dso_unload(&r->dsos.list[index]);
}

static void forget_gone(struct fg_pd_reading *r)
{
	struct fg_dsos *d = &r->dsos;
	size_t left = 0, kept = 0;
	bool *used;

	if (d->size < ADDED_MAX || d->size < r->forget_at)
		return;
	used = fg_xcalloc(d->count, sizeof(*used));
	fg_pd_tasks_mark(&r->tasks, used);
	fg_pd_expander_forget_texts(&r->expander);
	for (size_t i = 0; i < d->loaded_count; i++) {
		uint32_t index = d->loaded[i];
		struct fg_dso *dso = &d->list[index];

		if (used[index] || dso->asked || !can_go(dso)) {
			d->loaded[kept++] = index;
			left += fg_dso_size(dso);
		} else {
			forget(r, index);
		}
		dso->asked = false;
	}
	free(used);
	d->loaded_count = kept;
	d->size = left;
	r->forget_at = left + ADDED_MAX + (r->tasks.map_count + kept) * COST;
}

/* ---- records */

static void deliver_task(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_cursor c = fg_cursor(record->body);
	struct fg_pd_fork fork = { .was_there = record->misc & FG_PD_MISC_FORK_EXEC };

	fork.pid = (int32_t)fg_cursor_u32(&c);
	fork.ppid = (int32_t)fg_cursor_u32(&c);
	fork.tid = (int32_t)fg_cursor_u32(&c);
	fork.ptid = (int32_t)fg_cursor_u32(&c);
	if (c.bad) {
		r->pd->tally.damaged++;
		return;
	}
	if (record->type == FG_PD_FORK) {
		/* a child has the code that its parent had */
		if (r->jits.count && fork.pid != fork.ppid)
			fg_pd_jits_map_until(&r->jits, fork.ppid, time_of(r, record));
		fg_pd_tasks_fork(&r->tasks, &fork);
	}
	report_change(r, record,
		      record->type == FG_PD_FORK ? FG_PERFDATA_BEGINS :
						   FG_PERFDATA_ENDS,
		      fork.tid);
	if (record->type != FG_PD_EXIT)
		return;
	fg_pd_tasks_exit(&r->tasks, fork.pid, fork.tid);
	forget_gone(r);
}

/* Unmaps the BPF program that was loaded at an address. Leaves other code there. */
static void unload(struct fg_pd_reading *r, uint64_t start)
{
	const struct fg_pd_map *found = fg_pd_maps_find(&r->tasks.kernel, start);
	struct fg_pd_map map;

	if (!found || r->dsos.list[found->dso].kind != FG_DSO_BPF)
		return;
	map = *found;
	fg_pd_tasks_unmap_kernel(&r->tasks, &map);
}

/* Maps code that was loaded into the kernel, like a BPF program, or unmaps it. */
static void deliver_ksymbol(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_cursor c = fg_cursor(record->body);
	struct fg_pd_map map = { .start = fg_cursor_u64(&c) };
	uint16_t flags;
	struct fg_str name;

	map.end = end_of(map.start, fg_cursor_u32(&c));
	fg_cursor_skip(&c, 2); /* the type of code */
	flags = fg_cursor_u16(&c);
	name = fg_cursor_rest_text(&c);
	if (c.bad) {
		r->pd->tally.damaged++;
	} else if (flags & KSYMBOL_UNREGISTER) {
		unload(r, map.start);
	} else {
		map.dso = fg_dsos_bpf(&r->dsos, name, map.start);
		fg_pd_tasks_map_kernel(&r->tasks, &map);
	}
}

static void deliver_lost(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_cursor c = fg_cursor(record->body);

	fg_cursor_skip(&c, 8);
	r->pd->tally.lost = fg_count_add(r->pd->tally.lost, fg_cursor_u64(&c));
}

/* Counts the lost samples of one counter, but not those that a filter dropped. */
static void deliver_lost_samples(struct fg_pd_reading *r,
				 const struct fg_pd_record *record)
{
	struct fg_cursor c = fg_cursor(record->body);
	uint64_t *lost = &r->pd->tally.lost_samples;

	if (!(record->misc & FG_PD_MISC_LOST_SAMPLES_BPF))
		*lost = fg_count_add(*lost, fg_cursor_u64(&c));
}

/* Tells the sink that a thread leaves a CPU or comes to one. */
static void deliver_switch(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	const struct fg_pd_event *event =
		fg_pd_events_of(&r->events, record->body, false);
	struct fg_perfdata_thread thread = { .time = time_of(r, record) };
	struct fg_pd_origin origin;

	if (!r->pd->sink.thread || !thread.time ||
	    fg_pd_origin_of(event, record->body, &origin))
		return;
	thread.change =
		!(record->misc & FG_PD_MISC_SWITCH_OUT)	     ? FG_PERFDATA_IN :
		record->misc & FG_PD_MISC_SWITCH_OUT_PREEMPT ? FG_PERFDATA_PREEMPTED :
							       FG_PERFDATA_OUT;
	thread.comm = fg_pd_tasks_comm(&r->tasks, origin.tid);
	thread.pid = origin.pid;
	thread.tid = origin.tid;
	thread.cpu = origin.cpu;
	thread.has = origin.has_cpu ? FG_PERFDATA_HAS_CPU : 0;
	r->pd->sink.thread(r->pd->sink.data, &thread);
}

int fg_pd_deliver(void *data, const struct fg_pd_record *record)
{
	struct fg_pd_reading *r = data;

	switch (record->type) {
	case FG_PD_SAMPLE:
		return fg_pd_deliver_sample(r, record);
	case FG_PD_MMAP:
	case FG_PD_MMAP2:
		deliver_mmap(r, record);
		break;
	case FG_PD_COMM:
		deliver_comm(r, record);
		break;
	case FG_PD_FORK:
	case FG_PD_EXIT:
		deliver_task(r, record);
		break;
	case FG_PD_SWITCH:
	case FG_PD_SWITCH_CPU_WIDE:
		deliver_switch(r, record);
		break;
	case FG_PD_KSYMBOL:
		deliver_ksymbol(r, record);
		break;
	case FG_PD_LOST:
		deliver_lost(r, record);
		break;
	case FG_PD_LOST_SAMPLES:
		deliver_lost_samples(r, record);
		break;
	default:
		break;
	}
	return 0;
}
