/* Events of a recording: reads their attributes, keeps their ids and names. */
#include "collapse/formats/perf/data/events.h"

#include <stdlib.h>

#include "lib/base/buf.h"
#include "lib/base/xalloc.h"

/* An entry of a table, or an empty string if the number is too large. */
#define ENTRY(table, number) \
	((number) < FG_COUNT_OF(table) ? (table)[number] : FG_STR(""))

void fg_pd_events_init(struct fg_pd_events *e)
{
	memset(e, 0, sizeof(*e));
}

void fg_pd_events_release(struct fg_pd_events *e)
{
	free(e->list);
	fg_map_release(&e->ids);
	fg_arena_release(&e->text);
	fg_pd_events_init(e);
}

/* ---- names of events that were recorded without one */

/*
 * Returns the name of a hardware event. `config` is the low half of its config; the
 * high half is the type of core.
 */
static struct fg_str hardware_name(uint32_t config)
{
	static const struct fg_str names[] = {
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

	return ENTRY(names, config);
}

static struct fg_str software_name(uint64_t config)
{
	static const struct fg_str names[] = {
		FG_STR_INIT("cpu-clock"),	 FG_STR_INIT("task-clock"),
		FG_STR_INIT("page-faults"),	 FG_STR_INIT("context-switches"),
		FG_STR_INIT("cpu-migrations"),	 FG_STR_INIT("minor-faults"),
		FG_STR_INIT("major-faults"),	 FG_STR_INIT("alignment-faults"),
		FG_STR_INIT("emulation-faults"), FG_STR_INIT("dummy"),
		FG_STR_INIT("bpf-output"),	 FG_STR_INIT("cgroup-switches"),
	};

	return ENTRY(names, config);
}

/*
 * Appends the cache, the operation and its result: "L1-dcache-loads",
 * "dTLB-store-misses".
 */
static void add_cache_name(uint64_t config, struct fg_buf *text)
{
	static const struct fg_str caches[] = {
		FG_STR_INIT("L1-dcache"), FG_STR_INIT("L1-icache"),
		FG_STR_INIT("LLC"),	  FG_STR_INIT("dTLB"),
		FG_STR_INIT("iTLB"),	  FG_STR_INIT("branch"),
		FG_STR_INIT("node"),
	};
	static const struct fg_str one[] = { FG_STR_INIT("load"), FG_STR_INIT("store"),
					     FG_STR_INIT("prefetch") };
	static const struct fg_str all[] = { FG_STR_INIT("loads"),
					     FG_STR_INIT("stores"),
					     FG_STR_INIT("prefetches") };
	uint64_t cache = config & 0xff, what = config >> 8 & 0xff,
		 misses = config >> 16;

	if (cache >= FG_COUNT_OF(caches) || what >= FG_COUNT_OF(one) || misses > 1)
		return;
	fg_buf_add_str(text, caches[cache]);
	fg_buf_add_char(text, '-');
	fg_buf_add_str(text, misses ? one[what] : all[what]);
	if (misses)
		fg_buf_add_str(text, FG_STR("-misses"));
}

/* Appends a name like "mem:0x601040:rw". */
static void add_breakpoint(const struct fg_pd_event *event, struct fg_buf *text)
{
	static const char kinds[] = { 'r', 'w', 'x' };

	fg_buf_addf(text, "mem:0x%llx:", (unsigned long long)event->breakpoint_address);
	for (size_t i = 0; i < FG_COUNT_OF(kinds); i++)
		if (event->breakpoint_type >> i & 1)
			fg_buf_add_char(text, kinds[i]);
}

/* Appends letters[0] if `first` is true, and letters[1] if `second` is true. */
static void add_places(struct fg_buf *text, bool first, bool second,
		       const char *letters)
{
	if (first)
		fg_buf_add_char(text, letters[0]);
	if (second)
		fg_buf_add_char(text, letters[1]);
}

/*
 * Appends modifiers like ":kuhppHG". Leaves out what is perf's default: to count
 * everywhere but in guests or, if there are other modifiers, also in guests.
 */
static void add_modifiers(const struct fg_pd_event *event, struct fg_buf *text)
{
	bool no_user = fg_pd_event_has_flag(event, FG_PD_ATTR_EXCLUDE_USER);
	bool no_kernel = fg_pd_event_has_flag(event, FG_PD_ATTR_EXCLUDE_KERNEL);
	bool no_hypervisor = fg_pd_event_has_flag(event, FG_PD_ATTR_EXCLUDE_HV);
	bool no_host = fg_pd_event_has_flag(event, FG_PD_ATTR_EXCLUDE_HOST);
	bool no_guest = fg_pd_event_has_flag(event, FG_PD_ATTR_EXCLUDE_GUEST);
	unsigned precise = event->flags >> FG_PD_ATTR_PRECISE & 3;
	bool some = no_user || no_kernel || no_hypervisor;
	size_t colon = text->len;

	fg_buf_add_char(text, ':');
	if (some) {
		add_places(text, !no_kernel, !no_user, "ku");
		add_places(text, !no_hypervisor, false, "h-");
	}
	for (unsigned i = 0; i < precise; i++)
		fg_buf_add_char(text, 'p');
	if (no_host || no_guest == (some || precise))
		add_places(text, !no_host, !no_guest, "HG");
	if (text->len == colon + 1)
		text->len = colon;
}

void fg_pd_event_describe(const struct fg_pd_event *event, struct fg_buf *text)
{
	size_t start = text->len;

	if (event->type == FG_PD_TYPE_TRACEPOINT) {
		fg_buf_addf(text, "tracepoint %llu", (unsigned long long)event->config);
		return;
	}
	if (event->type == FG_PD_TYPE_HARDWARE)
		fg_buf_add_str(text, hardware_name((uint32_t)event->config));
	else if (event->type == FG_PD_TYPE_SOFTWARE)
		fg_buf_add_str(text, software_name(event->config));
	else if (event->type == FG_PD_TYPE_CACHE)
		add_cache_name(event->config, text);
	else if (event->type == FG_PD_TYPE_BREAKPOINT)
		add_breakpoint(event, text);
	if (text->len == start)
		fg_buf_addf(text, "raw 0x%llx", (unsigned long long)event->config);
	add_modifiers(event, text);
}

/* ---- events and ids */

/*
 * Returns the flags with the first bit field in bit 0. On big-endian machines, the
 * kernel stores that field in the highest bit.
 */
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

size_t fg_pd_events_add(struct fg_pd_events *e, struct fg_str attr)
{
	struct fg_cursor c = fg_cursor(attr);
	struct fg_buf text = FG_BUF_INIT;
	struct fg_pd_event *event;

	FG_GROW(e->list, e->alloc, e->count + 1);
	event = &e->list[e->count];
	memset(event, 0, sizeof(*event));
	event->type = fg_cursor_u32(&c);
	fg_cursor_skip(&c, 4);
	event->config = fg_cursor_u64(&c);
	event->sample_period = fg_cursor_u64(&c);
	event->sample_type = fg_cursor_u64(&c);
	event->read_format = fg_cursor_u64(&c);
	event->flags = in_order(fg_cursor_u64(&c));
	fg_cursor_skip(&c, 4);
	event->breakpoint_type = fg_cursor_u32(&c);
	event->breakpoint_address = fg_cursor_u64(&c);
	fg_cursor_skip(&c, 8);
	event->branch_sample_type = fg_cursor_u64(&c);
	event->sample_regs_user = fg_cursor_u64(&c);
	event->sample_stack_user = fg_cursor_u32(&c);
	event->clock = (int32_t)fg_cursor_u32(&c);
	fg_cursor_skip(&c, 12); /* registers in interrupts, and watermarks */
	event->sample_max_stack = fg_cursor_u16(&c);
	fg_pd_event_describe(event, &text);
	event->name = fg_arena_copy(&e->text, fg_buf_str(&text));
	event->unnamed = true;
	fg_buf_release(&text);
	return e->count++;
}

bool fg_pd_events_start_with_program(const struct fg_pd_events *e)
{
	for (size_t i = 0; i < e->count; i++)
		if (fg_pd_event_has_flag(&e->list[i], FG_PD_ATTR_ENABLE_ON_EXEC))
			return true;
	return false;
}

void fg_pd_events_add_ids(struct fg_pd_events *e, size_t event, struct fg_str words)
{
	for (size_t at = 0; at + 8 <= words.len; at += 8) {
		uint64_t id = fg_load64(words.ptr + at);

		if (!fg_map_get(&e->ids, id))
			fg_map_set(&e->ids, id, event + 1);
	}
}

struct fg_pd_event *fg_pd_events_by_id(const struct fg_pd_events *e, uint64_t id)
{
	size_t event = fg_map_get(&e->ids, id);

	return event ? &e->list[event - 1] : NULL;
}

void fg_pd_events_name(struct fg_pd_events *e, struct fg_pd_event *event,
		       struct fg_str name)
{
	if (!name.len || name.len > FG_PD_EVENT_NAME_MAX)
		return;
	event->name = fg_arena_copy(&e->text, name);
	event->unnamed = false;
}

/*
 * Returns the offset of the event's id in the body of a record. Each field before or
 * after the id has 8 bytes.
 */
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

bool fg_pd_event_has_waits(const struct fg_pd_event *event)
{
	return event->type == FG_PD_TYPE_SOFTWARE &&
	       event->config == FG_PD_SOFTWARE_BPF_OUTPUT &&
	       event->sample_type & FG_PD_SAMPLE_RAW &&
	       !(event->sample_type & FG_PD_SAMPLE_CALLCHAIN) &&
	       fg_str_starts(event->name, FG_STR("offcpu-time"));
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
	event = fg_pd_events_by_id(e, fg_load64(body.ptr + at));
	return event ? event : first;
}
