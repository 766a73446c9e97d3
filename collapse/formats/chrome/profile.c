/*
 * Reads profiles of V8, which come in chunks. Chunks of one profile share pid and id:
 *
 *     {"ph": "P", "name": "Profile", "pid": 1, "tid": 2, "id": "0x1",
 *      "args": {"data": {"startTime": 1000}}}
 *     {"ph": "P", "name": "ProfileChunk", "pid": 1, "tid": 3, "id": "0x1",
 *      "args": {"data": {"cpuProfile": {"nodes": [...], "samples": [2, 2, 3]},
 *                        "timeDeltas": [0, 125, 125]}}}
 *
 * An older "CpuProfile" event holds a whole profile. collapse/v8.h reads the nodes.
 */
#include <stdlib.h>

#include "collapse/formats/chrome/chrome.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

/* Times are in microseconds; we keep picoseconds. */
#define PS_SHIFT 6

/* ---- reading */

static struct fg_v8 *v8_of(struct chrome *c)
{
	if (!c->event.v8) {
		c->event.v8 = fg_xcalloc(1, sizeof(*c->event.v8));
		fg_v8_init(c->event.v8, c->sink);
	}
	return c->event.v8;
}

/* Reads a member that both "data" and "cpuProfile" may have. */
static void read_member(struct chrome *c, struct fg_json *j)
{
	struct chrome_event *e = &c->event;
	struct fg_str name = j->text;

	/* rspack writes timeDeltas twice in a chunk */
	if (fg_str_eq(name, FG_STR("timeDeltas")) && !v8_of(c)->delta_count)
		fg_v8_read_deltas(v8_of(c), j);
	else if (fg_str_eq(name, FG_STR("startTime")))
		e->has_start = chrome_read_sum(j, PS_SHIFT, &e->start);
	else if (fg_str_eq(name, FG_STR("endTime")))
		e->has_end = chrome_read_sum(j, PS_SHIFT, &e->end);
	else
		fg_json_skip(j, fg_json_next(j));
}

static void read_cpu_profile(struct chrome *c, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_OBJECT))
		return;
	while (fg_json_more(j, &kind))
		if (fg_str_eq(j->text, FG_STR("nodes")))
			fg_v8_read_nodes(v8_of(c), j);
		else if (fg_str_eq(j->text, FG_STR("samples")))
			fg_v8_read_samples(v8_of(c), j);
		else
			read_member(c, j);
}

void chrome_read_data(struct chrome *c, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_OBJECT))
		return;
	while (fg_json_more(j, &kind))
		if (fg_str_eq(j->text, FG_STR("cpuProfile")))
			read_cpu_profile(c, j);
		else
			read_member(c, j);
}

/*
 * Returns the index of the event's profile. Profiles differ in process or id. A whole
 * profile has no id, so each event with one is a new profile.
 */
static uint32_t profile_of(struct chrome *c, bool is_whole)
{
	const uint32_t number = (uint32_t)c->profile_count;
	uint32_t id;

	fg_buf_clear(&c->text);
	fg_buf_add_str(&c->text, fg_str_of((const char *)&c->event.process,
					   sizeof(c->event.process)));
	fg_buf_add_str(&c->text, fg_buf_str(&c->id));
	if (is_whole) {
		fg_buf_add_char(&c->text, '\0');
		fg_buf_add_str(&c->text,
			       fg_str_of((const char *)&number, sizeof(number)));
	}
	id = fg_intern(&c->profile_keys, fg_buf_str(&c->text));
	if (id == c->profile_count) {
		FG_GROW(c->profiles, c->profile_alloc, c->profile_count + 1);
		c->profiles[c->profile_count++] = (struct chrome_profile){ 0 };
	}
	return id;
}

static void take_chunk(struct chrome *c, uint32_t profile)
{
	struct chrome_event *e = &c->event;
	struct chrome_chunk chunk = {
		.v8 = e->v8,
		.profile = profile,
		.at = e->at.ns,
		.start = e->start,
		.end = e->end,
		.has_start = e->has_start,
		.has_end = e->has_end,
	};

	e->v8 = NULL;
	FG_GROW(c->chunks, c->chunk_alloc, c->chunk_count + 1);
	c->chunks[c->chunk_count++] = chunk;
	if (!c->has_profile && c->options->source == CHROME_AUTO)
		chrome_drop_spans(c);
	c->has_profile = true;
}

void chrome_take_data(struct chrome *c)
{
	struct chrome_event *e = &c->event;
	struct fg_str name = fg_intern_name(&c->names, e->name);
	bool is_whole = fg_str_eq(name, FG_STR("CpuProfile"));
	bool starts = fg_str_eq(name, FG_STR("Profile"));
	bool is_part = e->v8 && fg_str_eq(name, FG_STR("ProfileChunk"));
	uint32_t id = 0;

	if (c->options->source == CHROME_EVENTS || c->options->source == CHROME_SAMPLES)
		return;
	if (is_whole || starts || is_part)
		id = profile_of(c, is_whole);
	if (is_whole || starts) {
		uint32_t thread = chrome_thread_of(c, e->process, e->tid);
		struct chrome_profile *p = &c->profiles[id];

		p->thread = thread;
		p->has_thread = true;
		p->has_start = e->has_start;
		p->start = e->start;
	}
	if (e->v8 && (is_whole || is_part))
		take_chunk(c, id);
	else if (e->v8)
		fg_v8_release(e->v8);
	free(e->v8);
	e->v8 = NULL;
}

/* ---- writing */

static int compare_chunks(const void *context, uint32_t a, uint32_t b)
{
	const struct chrome_chunk *chunks = context;

	if (chunks[a].profile != chunks[b].profile)
		return chunks[a].profile < chunks[b].profile ? -1 : 1;
	if (chunks[a].at != chunks[b].at)
		return chunks[a].at < chunks[b].at ? -1 : 1;
	return a < b ? -1 : a > b;
}

/*
 * Returns the thread of a profile. If no event started the profile, its id is used as
 * the thread id.
 */
static uint32_t thread_of(struct chrome *c, uint32_t profile)
{
	struct fg_str id = fg_intern_name(&c->profile_keys, profile);
	uint32_t process;

	if (c->profiles[profile].has_thread)
		return c->profiles[profile].thread;
	memcpy(&process, id.ptr, sizeof(process));
	return chrome_thread_of(
		c, process, fg_intern(&c->tids, fg_str_from_pos(id, sizeof(process))));
}

/* Returns the time from start to end in picoseconds, or 0 if it is unknown. */
static int64_t length_of(const struct fg_sum *start, const struct fg_sum *end)
{
	struct fg_sum length;

	if (!start || !end)
		return 0;
	length = fg_sum_less(*end, *start);
	return length.high || length.low > INT64_MAX ? 0 : (int64_t)length.low;
}

static void write_profile(struct chrome *c, uint32_t profile, struct fg_v8 *v8,
			  struct fg_v8_how *how)
{
	const struct chrome_profile *p = &c->profiles[profile];
	uint32_t thread = thread_of(c, profile);
	struct fg_owner owner = chrome_owner(c, &c->threads[thread]);

	how->idle = c->options->idle;
	how->microseconds = !c->options->is_ns;
	if (p->has_start)
		how->start = p->start;
	if (fg_sink_wants_owner(c->sink, &owner))
		fg_v8_write(v8, how, &owner);
}

/*
 * Returns when a profile starts, or NULL if that is unknown. Prefers the first chunk,
 * because its time is from the same clock as the end, and because in traces of rspack
 * the "Profile" event has 0.
 */
static const struct fg_sum *start_of(const struct chrome *c,
				     const struct chrome_chunk *first)
{
	const struct chrome_profile *p = &c->profiles[first->profile];

	if (first->has_start)
		return &first->start;
	return p->has_start ? &p->start : NULL;
}

void chrome_write_profiles(struct chrome *c, enum fg_v8_weight weight)
{
	uint32_t *order = fg_xcalloc(c->chunk_count, sizeof(*order));

	for (uint32_t i = 0; i < c->chunk_count; i++)
		order[i] = i;
	fg_sort(order, c->chunk_count, compare_chunks, c->chunks);
	for (size_t i = 0, next; i < c->chunk_count; i = next) {
		uint32_t profile = c->chunks[order[i]].profile;
		const struct fg_sum *start = start_of(c, &c->chunks[order[i]]);
		const struct fg_sum *end = NULL;
		struct fg_v8_how how = { .weight = weight };
		struct fg_v8 all;

		fg_v8_init(&all, c->sink);
		for (next = i;
		     next < c->chunk_count && c->chunks[order[next]].profile == profile;
		     next++) {
			struct chrome_chunk *chunk = &c->chunks[order[next]];

			fg_v8_append(&all, chunk->v8);
			if (chunk->has_end)
				end = &chunk->end;
		}
		how.duration = length_of(start, end);
		write_profile(c, profile, &all, &how);
		fg_v8_release(&all);
	}
	free(order);
}

void chrome_release_profiles(struct chrome *c)
{
	for (size_t i = 0; i < c->chunk_count; i++) {
		fg_v8_release(c->chunks[i].v8);
		free(c->chunks[i].v8);
	}
	free(c->chunks);
	free(c->profiles);
	fg_intern_release(&c->profile_keys);
	c->chunks = NULL;
	c->profiles = NULL;
	c->chunk_count = c->chunk_alloc = c->profile_count = c->profile_alloc = 0;
}
