/* Delivers samples: finds their frames and hands them to the sink, if it wants them. */
#include "collapse/formats/perf/data/reading.h"

#include "lib/base/xalloc.h"

/* Markers in a chain: the space of the next addresses (enum perf_callchain_context). */
#define CONTEXT_HYPERVISOR ((uint64_t)-32)
#define CONTEXT_KERNEL ((uint64_t)-128)
#define CONTEXT_USER ((uint64_t)-512)

/* A recorded sample and its event. */
struct recorded {
	const struct fg_pd_event *event;
	struct fg_pd_sample sample;
	unsigned cpumode;
};

/* State of looking up the frames of a chain. */
struct chain {
	struct fg_pd_reading *r;
	struct fg_pd_maps *kernel, *user;
	/* mappings in which we look up the next entries; NULL: none */
	struct fg_pd_maps *maps;
	enum fg_pd_pc pc; /* kind of address of the next entry */
	/* the kernel found the callers in user space by frame pointers */
	bool by_frame_pointers;
	bool fleeting; /* a frame has no name yet, but may get one later */
	bool troubled; /* a frame has no name, though a file would have it */
};

static bool is_context(uint64_t entry)
{
	return entry >= FG_PD_CONTEXT_FIRST;
}

static void enter(struct chain *chain, uint64_t context)
{
	chain->maps = context == CONTEXT_KERNEL ? chain->kernel :
		      context == CONTEXT_USER	? chain->user :
						  NULL;
	chain->pc = FG_PD_PC_RUNS;
}

/*
 * Counts the current sample for the DSO of a frame that lacks its name, but only once.
 */
static void count_trouble(struct fg_pd_reading *r, const struct fg_pd_frame *frame)
{
	struct fg_dso *dso = &r->dsos.list[frame->dso_index];
	uint64_t sample = r->pd->tally.samples;

	if (dso->last_sample == sample)
		return;
	dso->last_sample = sample;
	dso->touched++;
	if (r->unnamed_sample != sample)
		r->pd->tally.unnamed++;
	r->unnamed_sample = sample;
}

/*
 * Hands out the frame `id`, one of the frames at `place`. There are several if
 * functions are inlined there.
 */
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

/*
 * Notes the innermost frame in user space for leaves.c, which checks if the frame has a
 * frame pointer.
 */
static void judge_leaf(struct fg_pd_reading *r, const struct fg_pd_place *place)
{
	if (!r->leaves)
		r->leaves = fg_pd_leaves_new(&r->dsos);
	fg_pd_leaves_add(r->leaves, place, &r->resolver.frames[place->frame]);
}

/* Counts a sample in a file that is here, but was stripped of its symbols. */
static void count_nameless(struct fg_pd_reading *r, uint32_t id)
{
	const struct fg_pd_frame *frame = &r->resolver.frames[id];
	struct fg_dso *dso = &r->dsos.list[frame->dso_index];

	if (id && !frame->named && dso->kind == FG_DSO_FILE &&
	    dso->trouble == FG_DSO_NO_TROUBLE)
		dso->nameless++;
}

/* Hands out the frames of an address. Returns the frame's id. */
static uint32_t hand_out(struct chain *chain, uint64_t pc)
{
	struct fg_pd_reading *r = chain->r;
	struct fg_pd_place place = fg_pd_resolve(&r->resolver, chain->maps, pc);
	struct fg_pd_frames frames = { &place.frame, 1 };

	if (chain->pc == FG_PD_PC_RUNS && chain->by_frame_pointers &&
	    chain->maps == chain->user)
		judge_leaf(r, &place);
	if (r->pd->debug && r->resolver.frames[place.frame].named)
		frames = fg_pd_expand(&r->expander, &place, chain->pc);
	for (size_t i = 0; i < frames.count; i++)
		hand_out_frame(r, pc, &place, frames.list[i]);
	chain->fleeting |= !fg_pd_resolve_is_final(&r->resolver, place.frame);
	chain->troubled |= r->resolver.frames[place.frame].troubled;
	return place.frame;
}

/*
 * Returns true if an entry is neither an address nor a known marker, like in perf. Also
 * prefetches data for looking up the addresses.
 */
static bool is_broken(const struct chain *chain, struct fg_str words)
{
	const struct fg_pd_maps *maps = chain->maps;

	for (size_t at = 0; at < words.len; at += 8) {
		uint64_t entry = fg_load64(words.ptr + at);

		if (!is_context(entry))
			fg_pd_resolve_soon(&chain->r->resolver, maps, entry);
		else if (entry == CONTEXT_KERNEL)
			maps = chain->kernel;
		else if (entry == CONTEXT_USER)
			maps = chain->user;
		else if (entry != CONTEXT_HYPERVISOR)
			return true;
	}
	return false;
}

/*
 * Hands out the last `count` frames of the thread's last chain, which the new chain
 * has, too.
 */
static void hand_out_callers(struct fg_pd_reading *r, const struct fg_pd_chain *last,
			     size_t count)
{
	const uint32_t *ids = last->frames + last->from.words.len / 8 - count;

	r->pd->sink.callers(r->pd->sink.data, ids, count);
	for (size_t i = 0; last->troubled && i < count; i++)
		if (r->resolver.frames[ids[i]].troubled)
			count_trouble(r, &r->resolver.frames[ids[i]]);
}

/*
 * Hands out the frames of a chain without those that it shares with the last chain.
 * Stores their ids in `ids`, unless it is NULL.
 */
static void hand_out_words(struct chain *chain, struct fg_str words, uint32_t *ids)
{
	for (size_t i = 0; i < words.len / 8; i++) {
		uint64_t entry = fg_load64(words.ptr + 8 * i);
		uint32_t id = 0;

		if (is_context(entry)) {
			enter(chain, entry);
		} else {
			id = hand_out(chain, entry);
			if (chain->pc == FG_PD_PC_RUNS && chain->maps == chain->user)
				count_nameless(chain->r, id);
			chain->pc = FG_PD_PC_RETURNS;
		}
		if (ids)
			ids[i] = id;
	}
}

static void hand_out_chain(struct chain *chain, const struct fg_pd_sample *sample,
			   struct fg_str comm)
{
	struct fg_pd_reading *r = chain->r;
	struct fg_pd_chain *last = NULL;
	struct fg_pd_coming coming = {
		.lane = { sample->tid, chain->kernel->id,
			  chain->user ? chain->user->id : 0, comm.ptr },
		.words = sample->chain,
	};
	struct fg_str new = sample->chain;
	size_t shared = 0;

	if (r->pd->sink.callers && !r->pd->debug) {
		last = fg_pd_callers_of(&r->callers, sample->tid);
		shared = fg_pd_chain_shares(last, &coming);
		new.len -= 8 * shared;
	}
	if (is_broken(chain, new)) {
		r->pd->tally.broken_chains++;
		return;
	}
	hand_out_words(chain, new,
		       last ? fg_pd_chain_set(last, &coming, shared) : NULL);
	if (!last)
		return;
	if (shared)
		hand_out_callers(r, last, shared);
	last->troubled |= chain->troubled;
	if (chain->fleeting)
		fg_pd_chain_forget(last);
}

/* Puts the addresses of a copied stack into r->unwound. Returns how many. */
static size_t unwind(struct fg_pd_reading *r, const struct fg_pd_stack *stack)
{
	if (!r->unwinder) {
		r->unwinder = fg_pd_unwinder_new(&r->dsos);
		r->unwound = fg_xcalloc(FG_PD_UNWOUND_MAX, sizeof(*r->unwound));
	}
	r->leaf_only += !fg_pd_stack_is_unwound(stack);
	return fg_pd_unwind(r->unwinder, stack, r->unwound);
}

/*
 * Hands out the frames in user space, which we find in a copy of the stack. On an
 * unknown machine we do not know the numbers of registers, so only the address of the
 * sample is known.
 */
static void hand_out_stack(struct chain *chain, const struct recorded *s)
{
	struct fg_pd_reading *r = chain->r;
	const struct fg_pd_sample *sample = &s->sample;
	const struct fg_pd_stack stack = {
		.maps = chain->user,
		.machine = fg_pd_machine_of(r->machine, s->event->sample_regs_user),
		.is_narrow = sample->is_narrow,
		.mask = s->event->sample_regs_user,
		.registers = sample->registers,
		.bytes = sample->stack,
		.goes_on = sample->stack_goes_on,
	};
	uint32_t id;
	size_t count;

	if (!sample->registers.len || !sample->stack.len)
		return;
	enter(chain, CONTEXT_USER);
	if (!stack.machine) {
		r->leaf_only++;
		if (s->cpumode == FG_PD_CPUMODE_USER)
			hand_out(chain, sample->ip);
		return;
	}
	count = unwind(r, &stack);
	fg_pd_ends_note_copy(&r->ends, s->event->sample_stack_user,
			     fg_pd_unwind_lacks_bytes(r->unwinder));
	/* the addresses of callers are already in the call */
	for (size_t i = 0; i < count; i++) {
		id = hand_out(chain, r->unwound[i]);
		if (!i)
			count_nameless(r, id);
	}
}

static unsigned what_is_there(const struct fg_pd_event *event)
{
	uint64_t type = event->sample_type;

	return (type & FG_PD_SAMPLE_TID ? FG_PERFDATA_HAS_TASK : 0) |
	       (type & FG_PD_SAMPLE_TIME ? FG_PERFDATA_HAS_TIME : 0) |
	       (type & FG_PD_SAMPLE_CPU ? FG_PERFDATA_HAS_CPU : 0) |
	       (fg_pd_event_has_chain(event) ? FG_PERFDATA_HAS_CHAIN : 0) |
	       (event->type == FG_PD_TYPE_TRACEPOINT ? FG_PERFDATA_IS_TRACEPOINT : 0);
}

static void hand_out_frames(struct fg_pd_reading *r, const struct recorded *s,
			    struct fg_str comm)
{
	const struct fg_pd_event *event = s->event;
	const struct fg_pd_sample *sample = &s->sample;
	struct chain chain = { .r = r, .kernel = &r->tasks.kernel };

	if (r->jits.count)
		fg_pd_jits_map_until(&r->jits, sample->pid,
				     event->sample_type & FG_PD_SAMPLE_TIME ?
					     sample->time :
					     UINT64_MAX);
	chain.user = fg_pd_tasks_maps(&r->tasks, sample->pid);
	chain.by_frame_pointers = event->sample_type & FG_PD_SAMPLE_CALLCHAIN &&
				  !(event->sample_type & FG_PD_SAMPLE_STACK_USER);
	enter(&chain, s->cpumode == FG_PD_CPUMODE_KERNEL ? CONTEXT_KERNEL :
		      s->cpumode == FG_PD_CPUMODE_USER	 ? CONTEXT_USER :
							   0);
	if (fg_pd_event_has_chain(event)) {
		fg_pd_ends_note_chain(&r->ends, sample->chain, event->sample_max_stack);
		hand_out_chain(&chain, sample, comm);
	}
	if (event->sample_type & FG_PD_SAMPLE_CALLCHAIN &&
	    event->sample_type & FG_PD_SAMPLE_STACK_USER)
		hand_out_stack(&chain, s);
	else if (fg_pd_event_has_chain(event))
		return;
	else if (event->sample_type & FG_PD_SAMPLE_IP &&
		 event->type != FG_PD_TYPE_TRACEPOINT)
		hand_out(&chain, sample->ip);
}

/*
 * Returns the payload of a tracepoint's sample as text. It is valid until the next
 * call.
 */
static struct fg_str payload_of(struct fg_pd_reading *r, const struct recorded *s)
{
	fg_buf_clear(&r->payload);
	if (r->pd->payloads && s->event->type == FG_PD_TYPE_TRACEPOINT)
		fg_pd_tracing_payload(&r->tracing, s->event->config, s->sample.raw,
				      &r->payload);
	return fg_buf_str(&r->payload);
}

/*
 * Returns the name of an event. If a tracepoint was recorded without one, the
 * description of its fields has it.
 */
static struct fg_str name_of(const struct fg_pd_reading *r,
			     const struct fg_pd_event *event)
{
	struct fg_str name = FG_STR("");

	if (event->unnamed && event->type == FG_PD_TYPE_TRACEPOINT)
		name = fg_pd_tracing_name(&r->tracing, event->config);
	return name.len ? name : event->name;
}

static void hand_out_sample(struct fg_pd_reading *r, const struct recorded *s)
{
	const struct fg_perfdata_sink *sink = &r->pd->sink;
	const struct fg_perfdata_sample out = {
		.comm = fg_pd_tasks_comm(&r->tasks, s->sample.tid),
		.event = name_of(r, s->event),
		.payload = payload_of(r, s),
		.time = s->sample.time,
		.period = s->sample.period,
		.pid = s->sample.pid,
		.tid = s->sample.tid,
		.cpu = s->sample.cpu,
		.has = what_is_there(s->event),
	};

	r->pd->tally.samples++;
	if (!r->period.first)
		r->period.first = out.time;
	r->period.last = out.time;
	if (sink->sample(sink->data, &out))
		hand_out_frames(r, s, out.comm);
	sink->end(sink->data);
}

/* ---- samples that hold values of counters */

/*
 * perf takes the time of a sample a moment before it reads its counters, and a virtual
 * machine may stand still in between. So a counter of time may seem to run a bit too
 * fast.
 */
#define SLACK_NS UINT64_C(100000000)

static bool counts_time(const struct fg_pd_event *event)
{
	return event->type == FG_PD_TYPE_SOFTWARE &&
	       (event->config == FG_PD_SOFTWARE_CPU_CLOCK ||
		event->config == FG_PD_SOFTWARE_TASK_CLOCK);
}

/*
 * Returns true if a counter cannot have grown like this. No counter falls. A counter
 * belongs to one thread or one processor, so one that counts time cannot count more
 * time than has elapsed. Counters of other events, and the first reading of any
 * counter, have no such limit.
 */
static bool is_impossible(const struct fg_pd_event *event,
			  const struct fg_pd_growth *growth)
{
	uint64_t elapsed = growth->elapsed;

	return growth->fell ||
	       (counts_time(event) && elapsed != UINT64_MAX && growth->by > elapsed &&
		growth->by - elapsed > elapsed / 4 + SLACK_NS);
}

/*
 * Counts an impossible period. Describes the first one in r->impossible, as an example.
 */
static void note_impossible(struct fg_pd_reading *r, const struct recorded *s,
			    const struct fg_pd_growth *growth)
{
	struct fg_buf *text = &r->impossible;

	if (r->pd->tally.impossible++)
		return;
	fg_buf_add_char(text, '"');
	fg_buf_add_visible(text, s->event->name, FG_QUOTED_MAX);
	fg_buf_addf(text, "\" of thread %d ", (int)s->sample.tid);
	if (growth->fell)
		fg_buf_addf(text, "fell from %llu to %llu",
			    (unsigned long long)growth->from,
			    (unsigned long long)growth->by);
	else
		fg_buf_addf(text, "counted %llu ns within %llu ns",
			    (unsigned long long)growth->by,
			    (unsigned long long)growth->elapsed);
}

/*
 * Hands out a sample for each counter that has grown, because all counters of a group
 * are read whenever the leader samples. An inherited counter has its own value in each
 * thread.
 */
static void hand_out_counters(struct fg_pd_reading *r, const struct recorded *leader)
{
	const struct fg_pd_sample *sample = &leader->sample;
	bool per_thread = leader->event->sample_type & FG_PD_SAMPLE_TID &&
			  fg_pd_event_has_flag(leader->event, FG_PD_ATTR_INHERIT);
	struct fg_pd_count now = { .time = sample->time };

	if (per_thread) {
		now.tid = sample->tid;
		now.birth = fg_pd_tasks_thread_birth(&r->tasks, sample->tid);
	}
	for (size_t at = 0; at < sample->values.len; at += sample->value_size) {
		const char *value = sample->values.ptr + at;
		struct recorded member = *leader;
		struct fg_pd_growth growth;

		now.value = fg_load64(value);
		now.id = fg_load64(value + sample->id_at);
		growth = fg_pd_counters_read(&r->counters, &now);
		member.event = fg_pd_events_by_id(&r->events, now.id);
		member.sample.period = growth.by;
		if (!member.event)
			continue;
		if (is_impossible(member.event, &growth))
			note_impossible(r, &member, &growth);
		if (growth.by)
			hand_out_sample(r, &member);
	}
}

int fg_pd_deliver_sample(struct fg_pd_reading *r, const struct fg_pd_record *record)
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
		return fg_pd_refuse(r, "it has samples of virtual machines");
	if (s.sample.values.len)
		hand_out_counters(r, &s);
	else
		hand_out_sample(r, &s);
	return r->pd->sink.stops && r->pd->sink.stops(r->pd->sink.data) ? -1 : 0;
}
