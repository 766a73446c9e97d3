/* Generates events and records of perf that fit each other. */
#include "tests/fuzz/mutate/perfdata.h"

#include "collapse/formats/perf/data/events.h"
#include "collapse/formats/perf/data/record.h"
#include "tests/fuzz/mutate/words.h"

#define X86_REGISTERS UINT64_C(0xff0fff)
#define ARM64_REGISTERS UINT64_C(0x1ffffffff)
#define KERNEL_AT UINT64_C(0xffffffff81000000)
#define USER_AT UINT64_C(0x400000)
#define BOTTOM_OF_STACK UINT64_C(0x7ffe0000)

/*
 * The fields of usual recordings: identifier, ip, tid, time, cpu, period, call chain.
 */
#define USUAL UINT64_C(0x101a7)

/* ---- events */

struct part parts_make_event(struct parts *p)
{
	struct random *r = &p->random;
	struct part part = { .kind = PART_EVENT };
	struct fg_buf b = FG_BUF_INIT, ids = FG_BUF_INIT;
	uint64_t type = USUAL, some = random_next(r);

	for (unsigned bit = 0; bit < 21; bit++)
		if (random_one_in(r, bit == 16 || bit > 17 ? 200 : 6))
			type ^= UINT64_C(1) << bit;
	put32(&b, (uint32_t)random_below(r, 6));
	put32(&b, PART_ATTR_SIZE);
	put64(&b, random_number(r)); /* config */
	put64(&b, random_number(r)); /* period */
	put64(&b, type);
	put64(&b, random_below(r, 32)); /* read_format */
	put64(&b, (random_one_in(r, 12) ? 0 : 1U << FG_PD_ATTR_SAMPLE_ID_ALL) |
			  (some & random_next(r) & 0x1f8070));
	put32(&b, 0);
	put32(&b, (uint32_t)random_below(r, 8)); /* kind of breakpoint */
	put64(&b, USER_AT);
	put64(&b, 0);
	put64(&b, random_one_in(r, 4) ? random_next(r) & 0xa0000 : 0);
	put64(&b, random_one_in(r, 2) ? X86_REGISTERS :
		  random_one_in(r, 2) ? ARM64_REGISTERS :
					random_next(r) & 0xffff);
	while (b.len < PART_ATTR_SIZE)
		fg_buf_add_char(&b, '\0');
	for (size_t i = random_below(r, 4); i > 0; i--)
		put64(&ids, random_below(r, 8));
	part.body = parts_keep(p, &b);
	part.ids = parts_keep(p, &ids);
	return part;
}

/* Returns one of the events, or zeros if there are none. */
static struct fg_pd_event some_event(struct parts *p, uint64_t *id)
{
	struct fg_pd_events events;
	struct fg_pd_event event = { .sample_type = 0 };
	size_t seen = 0;

	fg_pd_events_init(&events);
	for (size_t i = 0; i < p->count; i++) {
		const struct part *part = &p->list[i];

		if (part->kind != PART_EVENT || random_below(&p->random, ++seen))
			continue;
		fg_pd_events_add(&events, part->body);
		event = events.list[events.count - 1];
		*id = part->ids.len >= 8 ? fg_load64(part->ids.ptr) : 0;
	}
	fg_pd_events_release(&events);
	return event;
}

/* ---- samples */

static uint64_t next_time(struct parts *p)
{
	/* Some are out of order, or have no time. */
	if (random_one_in(&p->random, 16))
		return random_number(&p->random);
	p->time += random_below(&p->random, 1000000);
	return p->time;
}

static void put_chain(struct parts *p, struct fg_buf *b)
{
	static const uint64_t contexts[] = { (uint64_t)-512, (uint64_t)-128,
					     (uint64_t)-32, (uint64_t)-2048 };
	size_t count = random_below(&p->random, 9);

	put64(b, random_one_in(&p->random, 64) ? random_number(&p->random) : count);
	for (size_t i = 0; i < count; i++) {
		size_t n = random_below(&p->random, 12);

		if (i == 0 || n == 0)
			put64(b, contexts[random_below(
					 &p->random,
					 random_one_in(&p->random, 9) ? 4 : 2)]);
		else
			put64(b, (n == 1 ? KERNEL_AT : USER_AT) + n * 16);
	}
}

static void put_task(struct parts *p, struct fg_buf *b)
{
	uint32_t pid = (uint32_t)random_below(&p->random, 4) - 1;

	put32(b, pid);
	put32(b, random_one_in(&p->random, 3) ? pid + 1 : pid);
}

/* Puts a payload of 64 bytes, or one for a wait: a task, a time and a chain. */
static void put_raw(struct parts *p, struct fg_buf *b)
{
	struct fg_buf raw = FG_BUF_INIT;

	if (random_one_in(&p->random, 3)) {
		put_task(p, &raw);
		put64(&raw, random_number(&p->random));
		put_chain(p, &raw);
	}
	while (raw.len < 60)
		put32(&raw, (uint32_t)random_next(&p->random) & 0x1f001f);
	put32(b, (uint32_t)raw.len);
	fg_buf_add_str(b, fg_buf_str(&raw));
	fg_buf_release(&raw);
}

static void put_values(struct parts *p, struct fg_buf *b, uint64_t format)
{
	bool group = format & FG_PD_READ_GROUP;
	size_t count = group ? random_below(&p->random, 4) : 1;
	size_t times = (format & 1) + (format >> 1 & 1);
	size_t each = 1 + (format >> 2 & 1) + (format >> 4 & 1);

	if (group)
		put64(b, count);
	for (size_t i = 0; i < times + count * each; i++)
		put64(b, random_below(&p->random, 8));
}

static void put_stack(struct parts *p, struct fg_buf *b, const struct fg_pd_event *e)
{
	uint64_t abi = random_below(&p->random, 3);
	size_t size = 8 * random_below(&p->random, 64);

	if (e->sample_type & FG_PD_SAMPLE_BRANCH_STACK) {
		size_t count = random_below(&p->random, 3);

		put64(b, count);
		if (e->branch_sample_type & FG_PD_BRANCH_HW_INDEX)
			put64(b, 0);
		count *= e->branch_sample_type & FG_PD_BRANCH_COUNTERS ? 4 : 3;
		while (count--)
			put64(b, USER_AT);
	}
	if (e->sample_type & FG_PD_SAMPLE_REGS_USER) {
		put64(b, abi);
		for (uint64_t mask = abi ? e->sample_regs_user : 0; mask;
		     mask &= mask - 1)
			put64(b, random_one_in(&p->random, 2) ? BOTTOM_OF_STACK :
								USER_AT + 16);
	}
	put64(b, size);
	for (size_t i = 0; i < size; i += 8)
		put64(b, random_one_in(&p->random, 3) ?
				 USER_AT + random_below(&p->random, 512) :
				 BOTTOM_OF_STACK + i);
	if (size)
		put64(b,
		      random_one_in(&p->random, 8) ? random_number(&p->random) : size);
}

static void put_sample(struct parts *p, struct fg_buf *b)
{
	uint64_t id = 0;
	const struct fg_pd_event e = some_event(p, &id);
	uint64_t type = e.sample_type;

	if (type & FG_PD_SAMPLE_IDENTIFIER)
		put64(b, id);
	if (type & FG_PD_SAMPLE_IP)
		put64(b, USER_AT + 16 * random_below(&p->random, 64));
	if (type & FG_PD_SAMPLE_TID)
		put_task(p, b);
	if (type & FG_PD_SAMPLE_TIME)
		put64(b, next_time(p));
	if (type & FG_PD_SAMPLE_ADDR)
		put64(b, USER_AT);
	if (type & FG_PD_SAMPLE_ID)
		put64(b, id);
	if (type & FG_PD_SAMPLE_STREAM_ID)
		put64(b, id);
	if (type & FG_PD_SAMPLE_CPU)
		put64(b, random_below(&p->random, 4));
	if (type & FG_PD_SAMPLE_PERIOD)
		put64(b, random_number(&p->random));
	if (type & FG_PD_SAMPLE_READ)
		put_values(p, b, e.read_format);
	if (type & FG_PD_SAMPLE_CALLCHAIN)
		put_chain(p, b);
	if (type & FG_PD_SAMPLE_RAW)
		put_raw(p, b);
	if (type & FG_PD_SAMPLE_STACK_USER)
		put_stack(p, b, &e);
}

/* Puts the end of all records of the kernel except samples. */
static void put_origin(struct parts *p, struct fg_buf *b)
{
	uint64_t id = 0;
	const struct fg_pd_event e = some_event(p, &id);
	uint64_t type = e.sample_type;

	if (type & FG_PD_SAMPLE_TID)
		put_task(p, b);
	if (type & FG_PD_SAMPLE_TIME)
		put64(b, next_time(p));
	if (type & FG_PD_SAMPLE_ID)
		put64(b, id);
	if (type & FG_PD_SAMPLE_STREAM_ID)
		put64(b, id);
	if (type & FG_PD_SAMPLE_CPU)
		put64(b, random_below(&p->random, 4));
	if (type & FG_PD_SAMPLE_IDENTIFIER)
		put64(b, id);
}

/* ---- other records */

static void put_map(struct parts *p, struct fg_buf *b, struct part *part)
{
	bool of_kernel = random_one_in(&p->random, 3);

	part->misc = (uint16_t)(of_kernel ? 1 : random_below(&p->random, 2) * 2);
	put_task(p, b);
	put64(b, (of_kernel ? KERNEL_AT : USER_AT) & ~(uint64_t)0xfff);
	put64(b, random_one_in(&p->random, 6) ? random_number(&p->random) : 0x4000);
	put64(b, random_one_in(&p->random, 2) ? 0 : 0x1000);
	if (part->type == FG_PD_MMAP2) {
		bool has_id = random_one_in(&p->random, 2);

		part->misc |= has_id ? FG_PD_MISC_BUILD_ID : 0;
		put32(b, has_id ? 20 : 8);
		fg_buf_add(b, parts_build_id(p), 20);
		put32(b, random_one_in(&p->random, 5) ? 1 : 5);
		put32(b, 2);
	} else if (random_one_in(&p->random, 4)) {
		part->misc |= FG_PD_MISC_DATA;
	}
	put_text(b, parts_word(p));
}

static void put_others(struct parts *p, struct fg_buf *b, struct part *part)
{
	switch (part->type) {
	case FG_PD_MMAP:
	case FG_PD_MMAP2:
		put_map(p, b, part);
		break;
	case FG_PD_COMM:
		put_task(p, b);
		put_text(b, parts_word(p));
		break;
	case FG_PD_FORK:
	case FG_PD_EXIT:
		put_task(p, b);
		put_task(p, b);
		put64(b, p->time);
		break;
	case FG_PD_KSYMBOL:
		put64(b, KERNEL_AT + 4096 * random_below(&p->random, 4));
		put32(b, 4096);
		put32(b, (uint32_t)random_below(&p->random, 2) << 16 | 1);
		put_text(b, parts_word(p));
		break;
	case FG_PD_SWITCH:
	case FG_PD_SWITCH_CPU_WIDE:
		part->misc = (uint16_t)(random_below(&p->random, 8) << 13);
		if (part->type == FG_PD_SWITCH_CPU_WIDE)
			put_task(p, b);
		break;
	default:
		put64(b, random_below(&p->random, 8));
		put64(b, random_number(&p->random));
	}
	put_origin(p, b);
}

struct part parts_make_record(struct parts *p)
{
	static const unsigned char types[] = {
		FG_PD_MMAP,
		FG_PD_LOST,
		FG_PD_COMM,
		FG_PD_EXIT,
		FG_PD_FORK,
		FG_PD_MMAP2,
		FG_PD_LOST_SAMPLES,
		FG_PD_SWITCH,
		FG_PD_SWITCH_CPU_WIDE,
		FG_PD_KSYMBOL,
		FG_PD_FINISHED_ROUND,
		FG_PD_EVENT_UPDATE,
		FG_PD_FORK,
		FG_PD_HEADER_BUILD_ID,
		FG_PD_AUX,
	};
	struct part part = { .kind = PART_RECORD, .type = FG_PD_SAMPLE };
	struct fg_buf b = FG_BUF_INIT;

	if (random_one_in(&p->random, 2))
		part.type = types[random_below(&p->random, FG_COUNT_OF(types))];
	if (random_one_in(&p->random, 100))
		part.type = (uint32_t)random_below(&p->random, 96);
	if (part.type == FG_PD_SAMPLE) {
		part.misc =
			(uint16_t)(1 +
				   random_below(&p->random,
						random_one_in(&p->random, 32) ? 5 : 2));
		put_sample(p, &b);
	} else if (part.type == FG_PD_EVENT_UPDATE) {
		put64(&b, random_one_in(&p->random, 4) ? 1 : 2);
		put64(&b, random_below(&p->random, 8));
		put_text(&b, parts_word(p));
	} else if (part.type == FG_PD_HEADER_BUILD_ID) {
		part.misc = (uint16_t)(2 + (1U << 15));
		parts_put_build_id(p, &b);
	} else if (part.type != FG_PD_FINISHED_ROUND) {
		put_others(p, &b, &part);
	}
	part.body = parts_keep(p, &b);
	return part;
}
