/* Reads the fields of samples. The layout depends on the options of their event. */
#include "collapse/formats/perf/data/record.h"

#define READ_TIME_ENABLED (1U << 0)
#define READ_TIME_RUNNING (1U << 1)
#define READ_ID (1U << 2)
#define READ_LOST (1U << 4)

/*
 * A value of enum perf_sample_regs_abi. The value 0 means that there are no registers.
 */
#define REGISTERS_ABI_32 1

/*
 * Reads the value of the event's counter, or the values of all counters of its group.
 * Times come before the values of a group, but between a single value and its id.
 */
static void read_values(struct fg_cursor *c, uint64_t format,
			struct fg_pd_sample *sample)
{
	size_t times = (format & READ_TIME_ENABLED ? 8 : 0) +
		       (format & READ_TIME_RUNNING ? 8 : 0);
	size_t each = 8 + (format & READ_ID ? 8 : 0) + (format & READ_LOST ? 8 : 0);
	bool is_group = format & FG_PD_READ_GROUP;
	uint64_t count = is_group ? fg_cursor_u64(c) : 1;

	if (is_group)
		fg_cursor_skip(c, times);
	else
		each += times;
	sample->id_at = is_group ? 8 : 8 + times;
	sample->value_size = each;
	sample->values = fg_cursor_bytes(c, count > fg_cursor_left(c) ? UINT64_MAX :
									count * each);
	if (!(format & READ_ID))
		sample->values.len = 0;
}

static void skip_branches(struct fg_cursor *c, uint64_t type)
{
	uint64_t count = fg_cursor_u64(c);
	uint64_t each = 24 + (type & FG_PD_BRANCH_COUNTERS ? 8 : 0);

	if (type & FG_PD_BRANCH_HW_INDEX)
		fg_cursor_skip(c, 8);
	fg_cursor_skip(c, count > fg_cursor_left(c) ? UINT64_MAX : count * each);
}

static uint64_t count_bits(uint64_t mask)
{
	uint64_t count = 0;

	for (; mask; mask &= mask - 1)
		count++;
	return count;
}

/*
 * Reads registers and the copy of the stack. After the copy comes how much of it was
 * used.
 */
static void read_stack(struct fg_cursor *c, const struct fg_pd_event *event,
		       struct fg_pd_sample *sample)
{
	uint64_t type = event->sample_type, abi = 0, size, used;

	if (type & FG_PD_SAMPLE_BRANCH_STACK)
		skip_branches(c, event->branch_sample_type);
	if (type & FG_PD_SAMPLE_REGS_USER)
		abi = fg_cursor_u64(c);
	sample->is_narrow = abi == REGISTERS_ABI_32;
	if (abi)
		sample->registers =
			fg_cursor_words(c, count_bits(event->sample_regs_user));
	size = fg_cursor_u64(c);
	if (!size)
		return;
	sample->stack = fg_cursor_bytes(c, size);
	used = fg_cursor_u64(c);
	sample->stack_goes_on = used >= sample->stack.len;
	if (used < sample->stack.len)
		sample->stack.len = (size_t)used;
}

/*
 * Reads a wait of perf record --off-cpu, from perf 6.16 on: the payload has the thread
 * that waited, the duration, and the call chain. perf's BPF program writes each long
 * wait when the wait ends. That sample belongs to the thread that runs then, and its
 * payload has tid before pid. perf adds up short waits and writes them at the end, with
 * pid before tid and with zeros around the payload.
 */
static bool read_wait(struct fg_pd_sample *sample)
{
	struct fg_cursor c = fg_cursor(sample->raw);
	bool by_perf = !sample->ip && !sample->pid && !sample->tid;
	int32_t first = (int32_t)fg_cursor_u32(&c), second = (int32_t)fg_cursor_u32(&c);

	sample->pid = by_perf ? first : second;
	sample->tid = by_perf ? second : first;
	sample->period = fg_cursor_u64(&c);
	sample->chain = fg_cursor_words(&c, fg_cursor_u64(&c));
	/* the first word is a PERF_CONTEXT_* marker, so the second one is the ip */
	if (sample->chain.len >= 16)
		sample->ip = fg_load64(sample->chain.ptr + 8);
	return !c.bad;
}

int fg_pd_sample_read(const struct fg_pd_event *event, struct fg_str body,
		      struct fg_pd_sample *sample)
{
	struct fg_cursor c = fg_cursor(body);
	uint64_t type = event->sample_type;

	memset(sample, 0, sizeof(*sample));
	sample->period = event->sample_period;
	if (type & FG_PD_SAMPLE_IDENTIFIER)
		fg_cursor_skip(&c, 8);
	if (type & FG_PD_SAMPLE_IP)
		sample->ip = fg_cursor_u64(&c);
	if (type & FG_PD_SAMPLE_TID) {
		sample->pid = (int32_t)fg_cursor_u32(&c);
		sample->tid = (int32_t)fg_cursor_u32(&c);
	}
	if (type & FG_PD_SAMPLE_TIME)
		sample->time = fg_cursor_u64(&c);
	if (type & FG_PD_SAMPLE_ADDR)
		fg_cursor_skip(&c, 8);
	if (type & FG_PD_SAMPLE_ID)
		fg_cursor_skip(&c, 8);
	if (type & FG_PD_SAMPLE_STREAM_ID)
		fg_cursor_skip(&c, 8);
	if (type & FG_PD_SAMPLE_CPU) {
		sample->cpu = fg_cursor_u32(&c);
		fg_cursor_skip(&c, 4);
	}
	if (type & FG_PD_SAMPLE_PERIOD)
		sample->period = fg_cursor_u64(&c);
	if (type & FG_PD_SAMPLE_READ)
		read_values(&c, event->read_format, sample);
	if (type & FG_PD_SAMPLE_CALLCHAIN)
		sample->chain = fg_cursor_words(&c, fg_cursor_u64(&c));
	if (type & FG_PD_SAMPLE_RAW)
		sample->raw = fg_cursor_bytes(&c, fg_cursor_u32(&c));
	if (type & FG_PD_SAMPLE_STACK_USER)
		read_stack(&c, event, sample);
	if (fg_pd_event_has_waits(event) && !read_wait(sample))
		return -1;
	return c.bad ? -1 : 0;
}

uint64_t fg_pd_time_of(const struct fg_pd_event *event, struct fg_str body,
		       bool is_sample)
{
	static const uint64_t before[] = { FG_PD_SAMPLE_IDENTIFIER, FG_PD_SAMPLE_IP,
					   FG_PD_SAMPLE_TID };
	static const uint64_t after[] = { FG_PD_SAMPLE_ID, FG_PD_SAMPLE_STREAM_ID,
					  FG_PD_SAMPLE_CPU, FG_PD_SAMPLE_IDENTIFIER };
	uint64_t type = event->sample_type;
	size_t at = 0;

	if (!(type & FG_PD_SAMPLE_TIME))
		return FG_PD_NO_TIME;
	if (is_sample) {
		for (size_t i = 0; i < FG_COUNT_OF(before); i++)
			at += type & before[i] ? 8 : 0;
		return body.len >= at + 8 ? fg_load64(body.ptr + at) : FG_PD_NO_TIME;
	}
	if (!fg_pd_event_has_flag(event, FG_PD_ATTR_SAMPLE_ID_ALL))
		return FG_PD_NO_TIME;
	for (size_t i = 0; i < FG_COUNT_OF(after); i++)
		at += type & after[i] ? 8 : 0;
	return body.len >= at + 8 ? fg_load64(body.ptr + body.len - at - 8) :
				    FG_PD_NO_TIME;
}

int fg_pd_origin_of(const struct fg_pd_event *event, struct fg_str body,
		    struct fg_pd_origin *origin)
{
	static const uint64_t fields[] = { FG_PD_SAMPLE_TID, FG_PD_SAMPLE_TIME,
					   FG_PD_SAMPLE_ID,  FG_PD_SAMPLE_STREAM_ID,
					   FG_PD_SAMPLE_CPU, FG_PD_SAMPLE_IDENTIFIER };
	uint64_t type = event->sample_type;
	size_t len = 0, cpu = type & FG_PD_SAMPLE_IDENTIFIER ? 16 : 8;

	if (!(type & FG_PD_SAMPLE_TID) ||
	    !fg_pd_event_has_flag(event, FG_PD_ATTR_SAMPLE_ID_ALL))
		return -1;
	for (size_t i = 0; i < FG_COUNT_OF(fields); i++)
		len += type & fields[i] ? 8 : 0;
	if (body.len < len)
		return -1;
	origin->pid = (int32_t)fg_load32(body.ptr + body.len - len);
	origin->tid = (int32_t)fg_load32(body.ptr + body.len - len + 4);
	origin->has_cpu = type & FG_PD_SAMPLE_CPU;
	origin->cpu = origin->has_cpu ? fg_load32(body.ptr + body.len - cpu) : 0;
	return 0;
}
