/* Records in their turn: what they change, and the samples for whoever wants them. */
#include "collapse/perfdata/reading.h"

#include "lib/xalloc.h"

/* Entries of a chain from here on are no addresses (enum perf_callchain_context). */
#define CONTEXT_FIRST ((uint64_t)-4095)
#define CONTEXT_HYPERVISOR ((uint64_t)-32)
#define CONTEXT_KERNEL ((uint64_t)-128)
#define CONTEXT_USER ((uint64_t)-512)

#define PROT_EXEC_BIT 4U
#define KSYMBOL_UNREGISTER 1U

/* Where a frame is looked up. */
struct chain {
	struct fg_pd_reading *r;
	const struct fg_pd_maps *kernel, *user;
	const struct fg_pd_maps *maps; /* of the entries that come */
	enum fg_pd_pc pc; /* what the next entry is */
};

static bool is_context(uint64_t entry)
{
	return entry >= CONTEXT_FIRST;
}

static void enter(struct chain *chain, uint64_t context)
{
	chain->maps = context == CONTEXT_KERNEL ? chain->kernel :
		      context == CONTEXT_USER	? chain->user :
						  NULL;
	chain->pc = FG_PD_PC_RUNS;
}

/* Each sample is counted once for a DSO without names. */
static void count_trouble(struct fg_pd_reading *r, const struct fg_pd_frame *frame)
{
	struct fg_pd_dso *dso = &r->dsos.list[frame->dso_index];
	uint64_t sample = r->pd->tally.samples;

	if (dso->last_sample == sample)
		return;
	dso->last_sample = sample;
	dso->touched++;
	if (r->unnamed_sample != sample)
		r->pd->tally.unnamed++;
	r->unnamed_sample = sample;
}

/* A frame at a place; of several that are inlined there, one. */
static void hand_out_frame(struct fg_pd_reading *r, uint64_t pc,
			   const struct fg_pd_place *place, uint32_t id)
{
	const struct fg_pd_frame *known = &r->resolver.frames[id];
	const struct fg_perfdata_frame frame = {
		.pc = pc,
		.address = place->address,
		.offset = place->offset,
		.symbol = known->symbol,
		.dso = known->dso,
		.id = id,
		.source = known->source,
		.inlined = known->inlined,
	};

	if (known->troubled)
		count_trouble(r, known);
	r->pd->sink.frame(r->pd->sink.data, &frame);
}

static void hand_out(struct chain *chain, uint64_t pc)
{
	struct fg_pd_reading *r = chain->r;
	struct fg_pd_place place = fg_pd_resolve(&r->resolver, chain->maps, pc);
	struct fg_pd_frames frames = { &place.frame, 1 };

	if (r->pd->inlines && r->resolver.frames[place.frame].named)
		frames = fg_pd_expand(&r->expander, &place, chain->pc);
	for (size_t i = 0; i < frames.count; i++)
		hand_out_frame(r, pc, &place, frames.list[i]);
}

/* perf does not trust a chain with an entry that is neither an address nor known. */
static bool is_broken(struct fg_str words)
{
	for (size_t at = 0; at < words.len; at += 8) {
		uint64_t entry = fg_pd_load64(words.ptr + at);

		if (is_context(entry) && entry != CONTEXT_KERNEL &&
		    entry != CONTEXT_USER && entry != CONTEXT_HYPERVISOR)
			return true;
	}
	return false;
}

static void hand_out_chain(struct chain *chain, struct fg_str words)
{
	if (is_broken(words)) {
		chain->r->pd->tally.broken_chains++;
		return;
	}
	for (size_t at = 0; at < words.len; at += 8) {
		uint64_t entry = fg_pd_load64(words.ptr + at);

		if (is_context(entry)) {
			enter(chain, entry);
			continue;
		}
		hand_out(chain, entry);
		chain->pc = FG_PD_PC_RETURNS;
	}
}

/* The user's half of a chain, which is not in the chain but in a copy of the stack. */
static void hand_out_stack(struct chain *chain, const struct fg_pd_event *event,
			   const struct fg_pd_sample *sample)
{
	struct fg_pd_reading *r = chain->r;
	const struct fg_pd_stack stack = {
		.maps = chain->user,
		.mask = event->sample_regs_user,
		.registers = sample->registers,
		.bytes = sample->stack,
	};
	size_t count;

	if (!sample->registers.len || !sample->stack.len)
		return;
	if (!r->unwinder) {
		r->unwinder = fg_pd_unwinder_new(&r->dsos);
		r->unwound = fg_xcalloc(FG_PD_UNWOUND_MAX, sizeof(*r->unwound));
	}
	count = fg_pd_unwind(r->unwinder, &stack, r->unwound);
	enter(chain, CONTEXT_USER);
	for (size_t i = 0; i < count; i++) /* callers' are in the call already */
		hand_out(chain, r->unwound[i]);
}

static unsigned what_is_there(const struct fg_pd_event *event)
{
	uint64_t type = event->sample_type;

	return (type & FG_PD_SAMPLE_TID ? FG_PERFDATA_HAS_TASK : 0) |
	       (type & FG_PD_SAMPLE_TIME ? FG_PERFDATA_HAS_TIME : 0) |
	       (type & FG_PD_SAMPLE_CPU ? FG_PERFDATA_HAS_CPU : 0) |
	       (type & FG_PD_SAMPLE_CALLCHAIN ? FG_PERFDATA_HAS_CHAIN : 0) |
	       (event->type == FG_PD_TYPE_TRACEPOINT ? FG_PERFDATA_IS_TRACEPOINT : 0);
}

static void hand_out_frames(struct fg_pd_reading *r, const struct fg_pd_event *event,
			    const struct fg_pd_sample *sample, unsigned cpumode)
{
	struct chain chain = { .r = r, .kernel = &r->tasks.kernel };

	chain.user = fg_pd_tasks_maps(&r->tasks, sample->pid);
	enter(&chain, cpumode == FG_PD_CPUMODE_KERNEL ? CONTEXT_KERNEL :
		      cpumode == FG_PD_CPUMODE_USER   ? CONTEXT_USER :
							0);
	if (event->sample_type & FG_PD_SAMPLE_CALLCHAIN)
		hand_out_chain(&chain, sample->chain);
	if (event->sample_type & FG_PD_SAMPLE_CALLCHAIN &&
	    event->sample_type & FG_PD_SAMPLE_STACK_USER)
		hand_out_stack(&chain, event, sample);
	else if (event->sample_type & FG_PD_SAMPLE_CALLCHAIN)
		return;
	else if (event->sample_type & FG_PD_SAMPLE_IP &&
		 event->type != FG_PD_TYPE_TRACEPOINT)
		hand_out(&chain, sample->ip);
}

/* A sample as it was recorded, and the event that it is of. */
struct recorded {
	const struct fg_pd_event *event;
	struct fg_pd_sample sample;
	unsigned cpumode;
};

/* The payload of a tracepoint's sample, valid until the next. */
static struct fg_str payload_of(struct fg_pd_reading *r, const struct recorded *s)
{
	fg_buf_clear(&r->payload);
	if (r->pd->payloads && s->event->type == FG_PD_TYPE_TRACEPOINT)
		fg_pd_tracing_payload(&r->tracing, s->event->config, s->sample.raw,
				      &r->payload);
	return fg_buf_str(&r->payload);
}

static void hand_out_sample(struct fg_pd_reading *r, const struct recorded *s)
{
	const struct fg_perfdata_sink *sink = &r->pd->sink;
	const struct fg_perfdata_sample out = {
		.comm = fg_pd_tasks_comm(&r->tasks, s->sample.tid),
		.event = s->event->name,
		.payload = payload_of(r, s),
		.time = s->sample.time,
		.period = s->sample.period,
		.pid = s->sample.pid,
		.tid = s->sample.tid,
		.cpu = s->sample.cpu,
		.has = what_is_there(s->event),
	};

	r->pd->tally.samples++;
	if (sink->sample(sink->data, &out))
		hand_out_frames(r, s->event, &s->sample, s->cpumode);
	sink->end(sink->data);
}

/* A sample for each member of the group whose counter has grown. */
static void hand_out_members(struct fg_pd_reading *r, const struct recorded *leader)
{
	const struct fg_pd_sample *sample = &leader->sample;

	for (size_t at = 0; at < sample->values.len; at += sample->value_size) {
		uint64_t value = fg_pd_load64(sample->values.ptr + at);
		uint64_t id = fg_pd_load64(sample->values.ptr + at + 8);
		struct recorded member = *leader;

		member.event = fg_pd_events_by_id(&r->events, id);
		member.sample.period = fg_pd_counters_growth(&r->counters, id, value);
		if (member.event && member.sample.period)
			hand_out_sample(r, &member);
	}
}

static int deliver_sample(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct recorded s = {
		.event = fg_pd_events_of(&r->events, record->body, true),
		.cpumode = record->misc & FG_PD_MISC_CPUMODE,
	};

	if (fg_pd_sample_read(s.event, record->body, &s.sample)) {
		r->pd->tally.damaged++;
		return 0;
	}
	if (s.cpumode == FG_PD_CPUMODE_GUEST_KERNEL ||
	    s.cpumode == FG_PD_CPUMODE_GUEST_USER)
		return fg_pd_refuse(r,
				    "samples of virtual machines are among the others");
	if (s.sample.values.len)
		hand_out_members(r, &s);
	else
		hand_out_sample(r, &s);
	return 0;
}

/* What MMAP and MMAP2 have in common, and what the DSO has to know. */
struct mapping {
	struct fg_pd_mapped mapped;
	struct fg_pd_map map;
	uint64_t pgoff;
};

/*
 * The kernel's own: its first mapping says where a symbol was, for finding the others.
 */
static void map_kernel(struct fg_pd_reading *r, struct mapping *m)
{
	static const struct fg_str core = FG_STR_INIT("[kernel.kallsyms]");
	struct fg_pd_kallsyms *k = &r->dsos.kallsyms;

	m->mapped.is_kernel = true;
	m->map.shift = 0;
	/*
	 * Code that is used while the kernel starts is not in what it says that it has.
	 */
	if (fg_str_starts(m->mapped.name, core) || m->map.end == m->map.start)
		m->map.end = UINT64_MAX;
	if (fg_str_starts(m->mapped.name, core) && m->mapped.name.len > core.len &&
	    m->pgoff && !k->reference.len) {
		k->reference = fg_arena_copy(&r->dsos.text,
					     fg_str_from_pos(m->mapped.name, core.len));
		k->reference_at = m->pgoff;
	}
	m->map.dso = fg_pd_dsos_of(&r->dsos, &m->mapped);
	fg_pd_tasks_map_kernel(&r->tasks, &m->map);
}

static void map_user(struct fg_pd_reading *r, struct mapping *m)
{
	const struct fg_pd_dso *dso;

	m->map.dso = fg_pd_dsos_of(&r->dsos, &m->mapped);
	dso = &r->dsos.list[m->map.dso];
	if (fg_pd_dso_is_absolute(dso))
		m->map.shift = 0;
	else
		m->map.shift =
			(dso->kind == FG_PD_DSO_VDSO ? 0 : m->pgoff) - m->map.start;
	fg_pd_tasks_map(&r->tasks, m->mapped.pid, &m->map);
}

static void deliver_mmap(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_pd_cursor c = fg_pd_cursor(record->body);
	unsigned cpumode = record->misc & FG_PD_MISC_CPUMODE;
	struct mapping m = { .mapped.pid = (int32_t)fg_pd_u32(&c) };
	uint64_t len;

	m.mapped.executable = !(record->misc & FG_PD_MISC_DATA);
	fg_pd_skip(&c, 4);
	m.map.start = fg_pd_u64(&c);
	len = fg_pd_u64(&c);
	m.map.end = len > UINT64_MAX - m.map.start ? UINT64_MAX : m.map.start + len;
	m.pgoff = fg_pd_u64(&c);
	if (record->type == FG_PD_MMAP2) {
		struct fg_str file = fg_pd_bytes(&c, 24);

		m.mapped.executable = fg_pd_u32(&c) & PROT_EXEC_BIT;
		fg_pd_skip(&c, 4);
		if (record->misc & FG_PD_MISC_BUILD_ID && file.len &&
		    (unsigned char)file.ptr[0] <= FG_PD_BUILD_ID_MAX)
			fg_pd_build_id_set(
				&m.mapped.build_id,
				fg_str_of(file.ptr + 4, (unsigned char)file.ptr[0]));
	}
	m.mapped.name = fg_pd_rest_text(&c);
	if (c.bad)
		r->pd->tally.damaged++;
	else if (cpumode == FG_PD_CPUMODE_KERNEL)
		map_kernel(r, &m);
	else if (cpumode == FG_PD_CPUMODE_USER || cpumode == FG_PD_CPUMODE_UNKNOWN)
		map_user(r, &m);
}

static void deliver_comm(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_pd_cursor c = fg_pd_cursor(record->body);
	int32_t tid;

	fg_pd_skip(&c, 4);
	tid = (int32_t)fg_pd_u32(&c);
	if (c.bad)
		r->pd->tally.damaged++;
	else
		fg_pd_tasks_name(&r->tasks, tid, fg_pd_rest_text(&c));
}

static void deliver_task(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_pd_cursor c = fg_pd_cursor(record->body);
	struct fg_pd_fork fork = { .was_there = record->misc & FG_PD_MISC_FORK_EXEC };

	fork.pid = (int32_t)fg_pd_u32(&c);
	fork.ppid = (int32_t)fg_pd_u32(&c);
	fork.tid = (int32_t)fg_pd_u32(&c);
	fork.ptid = (int32_t)fg_pd_u32(&c);
	if (c.bad)
		r->pd->tally.damaged++;
	else if (record->type == FG_PD_FORK)
		fg_pd_tasks_fork(&r->tasks, &fork);
	else if (fork.pid == fork.tid)
		fg_pd_tasks_exit(&r->tasks, fork.pid);
}

/* A program that was loaded into the kernel, or taken out of it. */
static void deliver_ksymbol(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_pd_cursor c = fg_pd_cursor(record->body);
	struct fg_pd_map map = { .start = fg_pd_u64(&c) };
	uint32_t len = fg_pd_u32(&c), flags = fg_pd_u32(&c) >> 16;
	struct fg_str name = fg_pd_rest_text(&c);

	map.end = map.start > UINT64_MAX - len ? UINT64_MAX : map.start + len;
	if (c.bad) {
		r->pd->tally.damaged++;
	} else if (flags & KSYMBOL_UNREGISTER) {
		fg_pd_tasks_unmap_kernel(&r->tasks, map.start, map.end);
	} else {
		map.dso = fg_pd_dsos_bpf(&r->dsos, name, map.start);
		fg_pd_tasks_map_kernel(&r->tasks, &map);
	}
}

static void deliver_lost(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_pd_cursor c = fg_pd_cursor(record->body);

	if (record->type == FG_PD_LOST)
		fg_pd_skip(&c, 8);
	r->pd->tally.lost += fg_pd_u64(&c);
}

/* A thread leaves a CPU or comes to one; only the latter is of use. */
static void deliver_switch(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	const struct fg_pd_event *event =
		fg_pd_events_of(&r->events, record->body, false);
	uint64_t time = fg_pd_time_of(event, record->body, false);
	int32_t tid;

	if (r->pd->sink.switched_in && !(record->misc & FG_PD_MISC_SWITCH_OUT) &&
	    time != FG_PD_NO_TIME && !fg_pd_tid_of(event, record->body, &tid))
		r->pd->sink.switched_in(r->pd->sink.data, tid, time);
}

int fg_pd_deliver(void *data, const struct fg_pd_record *record)
{
	struct fg_pd_reading *r = data;

	switch (record->type) {
	case FG_PD_SAMPLE:
		return deliver_sample(r, record);
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
	case FG_PD_LOST_SAMPLES:
		deliver_lost(r, record);
		break;
	default:
		break;
	}
	return 0;
}
