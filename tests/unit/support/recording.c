/* Makes recordings of perf for a test, and reads them. */
#include "tests/unit/support/recording.h"

#include "tests/unit/support/support.h"

#define ATTR_SIZE 128
#define FILE_HEADER 104
#define INHERIT 1
#define ENABLE_ON_EXEC 12
#define SAMPLE_ID_ALL 18
#define USE_CLOCKID 25
#define CONTEXT_SWITCH 26

void put16(struct fg_buf *b, uint16_t n)
{
	fg_buf_add(b, (const char *)&n, sizeof(n));
}

void put32(struct fg_buf *b, uint32_t n)
{
	fg_buf_add(b, (const char *)&n, sizeof(n));
}

void put64(struct fg_buf *b, uint64_t n)
{
	fg_buf_add(b, (const char *)&n, sizeof(n));
}

/*
 * Puts a string with one to eight zero bytes at its end, so that its size is a multiple
 * of 8.
 */
static void put_text(struct fg_buf *b, const char *text)
{
	size_t len = strlen(text);

	fg_buf_add(b, text, len);
	do
		fg_buf_add_char(b, '\0');
	while (++len % 8);
}

void recording_init(struct recording *r)
{
	static const struct recorded_event event = { .type = 1,
						     .sample_period = 250000,
						     .sample_type = RECORDED_FIELDS,
						     .id = 7,
						     .name = "cpu-clock" };

	memset(r, 0, sizeof(*r));
	r->time = 1000;
	r->id = event.id;
	recording_add_event(r, &event);
}

void recording_release(struct recording *r)
{
	fg_buf_release(&r->records);
	fg_buf_release(&r->build_ids);
	fg_buf_release(&r->files[0]);
	fg_buf_release(&r->files[1]);
	fg_buf_release(&r->whole);
}

void recording_add_event(struct recording *r, const struct recorded_event *event)
{
	assert_true(r->event_count < RECORDED_EVENTS_MAX);
	r->events[r->event_count++] = *event;
}

static void put_record(struct fg_buf *to, uint32_t type, uint16_t misc,
		       struct fg_str body)
{
	put32(to, type);
	put16(to, misc);
	put16(to, (uint16_t)(body.len + 8));
	fg_buf_add_str(to, body);
}

void recording_put(struct recording *r, uint32_t type, uint16_t misc,
		   struct fg_str body)
{
	put_record(&r->records, type, misc, body);
}

/*
 * Puts a record with the end that all records of the kernel except samples have: tid,
 * time, cpu, identifier.
 */
static void put_kernel_record(struct recording *r, uint32_t type, uint16_t misc,
			      struct fg_buf *body)
{
	put32(body, 1);
	put32(body, 1);
	put64(body, r->time);
	put64(body, 0);
	put64(body, r->id);
	recording_put(r, type, misc, fg_buf_str(body));
	fg_buf_release(body);
	if (r->time)
		r->time += 1000;
}

static void put_comm(struct recording *r, uint16_t misc, uint32_t tid, const char *name)
{
	struct fg_buf body = FG_BUF_INIT;

	put32(&body, tid);
	put32(&body, tid);
	put_text(&body, name);
	put_kernel_record(r, 3, misc, &body);
}

void recording_comm(struct recording *r, uint32_t tid, const char *name)
{
	put_comm(r, 0, tid, name);
}

void recording_exec(struct recording *r, uint32_t tid, const char *name)
{
	put_comm(r, 0x2000, tid, name);
}

static void put_task(struct recording *r, uint32_t type, const uint32_t ids[4])
{
	struct fg_buf body = FG_BUF_INIT;

	for (size_t i = 0; i < 4; i++)
		put32(&body, ids[i]);
	put64(&body, r->time);
	put_kernel_record(r, type, 0, &body);
}

void recording_fork(struct recording *r, uint32_t ppid, uint32_t pid, uint32_t tid)
{
	put_task(r, 7, (const uint32_t[]){ pid, ppid, tid, ppid });
}

void recording_exit(struct recording *r, uint32_t pid)
{
	put_task(r, 4, (const uint32_t[]){ pid, 1, pid, 1 });
}

void recording_map(struct recording *r, const struct recorded_map *map)
{
	struct fg_buf body = FG_BUF_INIT;

	put32(&body, map->pid);
	put32(&body, map->pid);
	put64(&body, map->start);
	put64(&body, map->len);
	put64(&body, map->pgoff);
	fg_buf_add(&body, (char[4]){ (char)map->build_id.len }, 4);
	fg_buf_add_str(&body, map->build_id);
	for (size_t i = map->build_id.len; i < 20; i++)
		fg_buf_add_char(&body, '\0');
	if (map->generation)
		memcpy(body.ptr + body.len - 8, &map->generation, 8);
	put32(&body, map->prot);
	put32(&body, 2);
	put_text(&body, map->name);
	put_kernel_record(r, 10,
			  (uint16_t)(map->misc | (map->build_id.len ? 1U << 14 : 0)),
			  &body);
}

void recording_sample(struct recording *r, uint32_t pid, uint32_t tid,
		      const uint64_t *chain, size_t count)
{
	struct fg_buf body = FG_BUF_INIT;

	put64(&body, r->id);
	put64(&body, count > 1 ? chain[1] : 0);
	put32(&body, pid);
	put32(&body, tid);
	put64(&body, r->time);
	put64(&body, 3);
	put64(&body, 100);
	put64(&body, count);
	for (size_t i = 0; i < count; i++)
		put64(&body, chain[i]);
	recording_put(r, 9, 2, fg_buf_str(&body));
	fg_buf_release(&body);
	if (r->time)
		r->time += 1000;
}

void recording_round(struct recording *r)
{
	recording_put(r, 68, 0, FG_STR(""));
}

void recording_build_id(struct recording *r, uint16_t misc, const char *name,
			struct fg_str id)
{
	struct fg_buf body = FG_BUF_INIT;

	put32(&body, UINT32_MAX);
	fg_buf_add_str(&body, id);
	for (size_t i = id.len; i < 20; i++)
		fg_buf_add_char(&body, '\0');
	put32(&body, (uint32_t)id.len);
	put_text(&body, name);
	put_record(&r->build_ids, 0, (uint16_t)(misc | 1U << 15), fg_buf_str(&body));
	fg_buf_release(&body);
}

/*
 * Returns the flag number `bit` of an event. Flags are counted from the lowest bit on a
 * little-endian machine, and from the highest on others.
 */
static uint64_t flag(unsigned bit)
{
	const uint16_t one = 1;

	return UINT64_C(1) << (*(const unsigned char *)&one ? bit : 63 - bit);
}

static void put_attr(struct fg_buf *b, const struct recorded_event *e)
{
	size_t end = b->len + ATTR_SIZE;

	put32(b, e->type);
	put32(b, ATTR_SIZE);
	put64(b, e->config);
	put64(b, e->sample_period);
	put64(b, e->sample_type);
	put64(b, e->read_format);
	put64(b, flag(SAMPLE_ID_ALL) | (e->switches ? flag(CONTEXT_SWITCH) : 0) |
			 (e->inherited ? flag(INHERIT) : 0) |
			 (e->enable_on_exec ? flag(ENABLE_ON_EXEC) : 0) |
			 (e->monotonic ? flag(USE_CLOCKID) : 0));
	put64(b, 0);
	put64(b, 0);
	put64(b, 0);
	put64(b, e->branch_type);
	put64(b, e->registers);
	put32(b, e->copies);
	put32(b, e->monotonic ? 1 : 0); /* CLOCK_MONOTONIC */
	put64(b, 0);
	put32(b, 0);
	put16(b, e->max_stack);
	while (b->len < end)
		fg_buf_add_char(b, '\0');
}

static void put_event_desc(struct fg_buf *b, const struct recording *r)
{
	put32(b, (uint32_t)r->event_count);
	put32(b, ATTR_SIZE);
	for (size_t i = 0; i < r->event_count; i++) {
		const struct recorded_event *e = &r->events[i];
		const char *name = e->name ? e->name : "";

		put_attr(b, e);
		put32(b, e->id ? 1 : 0);
		put32(b, (uint32_t)(strlen(name) / 8 * 8 + 8));
		put_text(b, name);
		if (e->id)
			put64(b, e->id);
	}
}

/*
 * Puts the table of sections and the sections. The section of events is always there.
 */
static void put_features(struct fg_buf *b, const struct recording *r)
{
	struct fg_buf events = FG_BUF_INIT;
	const struct fg_buf *const sections[] = { &r->build_ids, &events, &r->files[0],
						  &r->files[1] };
	uint64_t at = b->len;

	put_event_desc(&events, r);
	for (size_t i = 0; i < COUNT_OF(sections); i++)
		at += sections[i]->len ? 16 : 0;
	for (size_t i = 0; i < COUNT_OF(sections); i++)
		if (sections[i]->len) {
			put64(b, at);
			put64(b, sections[i]->len);
			at += sections[i]->len;
		}
	for (size_t i = 0; i < COUNT_OF(sections); i++)
		fg_buf_add_str(b, fg_buf_str(sections[i]));
	fg_buf_release(&events);
}

struct fg_str recording_file(struct recording *r)
{
	struct fg_buf *b = &r->whole;
	uint64_t attrs = FILE_HEADER + 8 * r->event_count;
	uint64_t attrs_len = (ATTR_SIZE + 16) * r->event_count;

	fg_buf_clear(b);
	put64(b, UINT64_C(0x32454c4946524550));
	put64(b, FILE_HEADER);
	put64(b, ATTR_SIZE + 16);
	put64(b, attrs);
	put64(b, attrs_len);
	put64(b, attrs + attrs_len);
	put64(b, r->records.len);
	put64(b, 0);
	put64(b, 0);
	put64(b, 1U << 12 | (r->build_ids.len ? 1U << 2 : 0));
	put64(b, 0);
	put64(b, (r->files[0].len ? 1 : 0) | (r->files[1].len ? 1U << 4 : 0));
	put64(b, 0);
	for (size_t i = 0; i < r->event_count; i++)
		put64(b, r->events[i].id);
	for (size_t i = 0; i < r->event_count; i++) {
		put_attr(b, &r->events[i]);
		put64(b, FILE_HEADER + 8 * i);
		put64(b, r->events[i].id ? 8 : 0);
	}
	fg_buf_add_str(b, fg_buf_str(&r->records));
	put_features(b, r);
	return fg_buf_str(b);
}

struct fg_str recording_stream(struct recording *r)
{
	struct fg_buf *b = &r->whole, body = FG_BUF_INIT;

	fg_buf_clear(b);
	put64(b, UINT64_C(0x32454c4946524550));
	put64(b, 16);
	for (size_t i = 0; i < r->event_count; i++) {
		fg_buf_clear(&body);
		put_attr(&body, &r->events[i]);
		if (r->events[i].id)
			put64(&body, r->events[i].id);
		put_record(b, 64, 0, fg_buf_str(&body));
	}
	fg_buf_clear(&body);
	put64(&body, 12);
	put_event_desc(&body, r);
	put_record(b, 80, 0, fg_buf_str(&body));
	fg_buf_add_str(b, fg_buf_str(&r->records));
	put_record(b, 68, 0, FG_STR("")); /* perf record ends a stream with it */
	fg_buf_release(&body);
	return fg_buf_str(b);
}

static bool hear_sample(void *data, const struct fg_perfdata_sample *s)
{
	struct fg_buf *text = data;

	fg_buf_add_str(text, s->comm);
	fg_buf_addf(text, " %d/%d", (int)s->pid, (int)s->tid);
	if (s->has & FG_PERFDATA_HAS_TIME)
		fg_buf_addf(text, " %llu", (unsigned long long)s->time);
	fg_buf_add_char(text, ' ');
	fg_buf_add_str(text, s->event);
	fg_buf_addf(text, " %llu", (unsigned long long)s->period);
	return true;
}

static void hear_frame(void *data, const struct fg_perfdata_frame *f)
{
	struct fg_buf *text = data;

	fg_buf_add_char(text, ' ');
	fg_buf_add_str(text, f->symbol);
	fg_buf_addf(text, "+%llx", (unsigned long long)f->offset);
	if (f->source.len)
		fg_buf_add_char(text, ' ');
	fg_buf_add_str(text, f->source);
	fg_buf_add_char(text, '(');
	fg_buf_add_str(text, f->dso);
	fg_buf_add_char(text, ')');
}

static void hear_end(void *data)
{
	fg_buf_add_char(data, '\n');
}

int recording_read_from(struct fg_perfdata *pd, struct fg_buf *text)
{
	struct caught caught;
	int status;

	caught_init(&caught);
	pd->name = "perf.data";
	pd->diag = &caught.diag;
	pd->sink = (struct fg_perfdata_sink){
		.sample = hear_sample,
		.frame = hear_frame,
		.end = hear_end,
		.data = text,
	};
	status = fg_perfdata_read(pd);
	fg_buf_add_str(text, fg_buf_str(&caught.text));
	caught_release(&caught);
	return status;
}

int recording_read(struct fg_str bytes, const char *cache, struct fg_buf *text,
		   struct fg_perfdata_tally *tally)
{
	struct fg_perfdata pd = {
		.fd = -1,
		.head = bytes,
		.debug_folder = cache ? cache : "/nonexistent",
	};
	int status = recording_read_from(&pd, text);

	if (tally)
		*tally = pd.tally;
	return status;
}

void recording_at(struct recording *r, uint32_t pid, uint64_t address)
{
	const uint64_t chain[] = { RECORDED_USER, address };

	recording_sample(r, pid, pid, chain, COUNT_OF(chain));
}

int recorded_set_up(void **data)
{
	static struct recorded recorded;

	recording_init(&recorded.r);
	fg_buf_init(&recorded.text);
	*data = &recorded;
	return 0;
}

int recorded_tear_down(void **data)
{
	struct recorded *s = *data;

	recording_release(&s->r);
	fg_buf_release(&s->text);
	return 0;
}
