/*
 * Events of a recording: attributes, the table of ids, names where none were recorded.
 */
#include "collapse/perfdata/events.h"

#include <stdlib.h>

#include "lib/buf.h"
#include "lib/xalloc.h"

void fg_pd_events_init(struct fg_pd_events *e)
{
	memset(e, 0, sizeof(*e));
}

void fg_pd_events_release(struct fg_pd_events *e)
{
	free(e->list);
	fg_pd_index_release(&e->ids);
	fg_arena_release(&e->text);
	fg_pd_events_init(e);
}

/* Bits of one bit width lie the other way round where the high byte comes first. */
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

static struct fg_str known_name(const struct fg_pd_event *event)
{
	static const struct fg_str hardware[] = {
		FG_STR_INIT("cycles"),
		FG_STR_INIT("instructions"),
		FG_STR_INIT("cache-references"),
		FG_STR_INIT("cache-misses"),
		FG_STR_INIT("branches"),
		FG_STR_INIT("branch-misses"),
		FG_STR_INIT("bus-cycles"),
		FG_STR_INIT("stalled-cycles-frontend"),
		FG_STR_INIT("stalled-cycles-backend"),
		FG_STR_INIT("ref-cycles"),
	};
	static const struct fg_str software[] = {
		FG_STR_INIT("cpu-clock"),	 FG_STR_INIT("task-clock"),
		FG_STR_INIT("page-faults"),	 FG_STR_INIT("context-switches"),
		FG_STR_INIT("cpu-migrations"),	 FG_STR_INIT("minor-faults"),
		FG_STR_INIT("major-faults"),	 FG_STR_INIT("alignment-faults"),
		FG_STR_INIT("emulation-faults"), FG_STR_INIT("dummy"),
		FG_STR_INIT("bpf-output"),	 FG_STR_INIT("cgroup-switches"),
	};

	if (event->type == FG_PD_TYPE_HARDWARE && event->config < FG_COUNT_OF(hardware))
		return hardware[event->config];
	if (event->type == FG_PD_TYPE_SOFTWARE && event->config < FG_COUNT_OF(software))
		return software[event->config];
	return FG_STR("");
}

/* What perf calls an event whose name was not recorded, or not yet. */
static void name_by_number(struct fg_pd_events *e, struct fg_pd_event *event)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_buf_add_str(&text, known_name(event));
	if (!text.len && event->type == FG_PD_TYPE_TRACEPOINT)
		fg_buf_addf(&text, "tracepoint %llu",
			    (unsigned long long)event->config);
	else if (!text.len)
		fg_buf_addf(&text, "raw 0x%llx", (unsigned long long)event->config);
	fg_pd_events_name(e, event, fg_buf_str(&text));
	fg_buf_release(&text);
}

size_t fg_pd_events_add(struct fg_pd_events *e, struct fg_str attr)
{
	struct fg_pd_cursor c = fg_pd_cursor(attr);
	struct fg_pd_event *event;

	FG_GROW(e->list, e->alloc, e->count + 1);
	event = &e->list[e->count];
	memset(event, 0, sizeof(*event));
	event->type = fg_pd_u32(&c);
	fg_pd_skip(&c, 4);
	event->config = fg_pd_u64(&c);
	event->sample_period = fg_pd_u64(&c);
	event->sample_type = fg_pd_u64(&c);
	event->read_format = fg_pd_u64(&c);
	event->flags = in_order(fg_pd_u64(&c));
	fg_pd_skip(&c, 24);
	event->branch_sample_type = fg_pd_u64(&c);
	event->sample_regs_user = fg_pd_u64(&c);
	name_by_number(e, event);
	return e->count++;
}

void fg_pd_events_add_ids(struct fg_pd_events *e, size_t event, struct fg_str words)
{
	for (size_t at = 0; at + 8 <= words.len; at += 8) {
		uint64_t id = fg_pd_load64(words.ptr + at);

		if (!fg_pd_index_get(&e->ids, id))
			fg_pd_index_set(&e->ids, id, (uint32_t)event + 1);
	}
}

struct fg_pd_event *fg_pd_events_by_id(const struct fg_pd_events *e, uint64_t id)
{
	uint32_t event = fg_pd_index_get(&e->ids, id);

	return event ? &e->list[event - 1] : NULL;
}

void fg_pd_events_name(struct fg_pd_events *e, struct fg_pd_event *event,
		       struct fg_str name)
{
	if (name.len)
		event->name = fg_arena_copy(&e->text, name);
}

/* Each field of a sample before the one that is asked for is 8 bytes long. */
static size_t id_place(uint64_t sample_type, bool is_sample, size_t len)
{
	static const uint64_t before[] = { FG_PD_SAMPLE_IP, FG_PD_SAMPLE_TID,
					   FG_PD_SAMPLE_TIME, FG_PD_SAMPLE_ADDR };
	static const uint64_t after[] = { FG_PD_SAMPLE_STREAM_ID, FG_PD_SAMPLE_CPU };
	bool first = sample_type & FG_PD_SAMPLE_IDENTIFIER;
	size_t at = 0;

	if (is_sample) {
		for (size_t i = 0; !first && i < FG_COUNT_OF(before); i++)
			at += sample_type & before[i] ? 8 : 0;
		return at;
	}
	for (size_t i = 0; !first && i < FG_COUNT_OF(after); i++)
		at += sample_type & after[i] ? 8 : 0;
	return len >= at + 8 ? len - at - 8 : len;
}

const struct fg_pd_event *fg_pd_events_of(const struct fg_pd_events *e,
					  struct fg_str body, bool is_sample)
{
	const struct fg_pd_event *first = &e->list[0], *event;
	size_t at;

	if (e->count == 1 ||
	    !(first->sample_type & (FG_PD_SAMPLE_ID | FG_PD_SAMPLE_IDENTIFIER)) ||
	    (!is_sample && !fg_pd_event_has_flag(first, FG_PD_ATTR_SAMPLE_ID_ALL)))
		return first;
	at = id_place(first->sample_type, is_sample, body.len);
	if (at > body.len || body.len - at < 8)
		return first;
	event = fg_pd_events_by_id(e, fg_pd_load64(body.ptr + at));
	return event ? event : first;
}
