/*
 * Takes recordings of perf apart and puts them together again, as a file or a stream.
 */
#include "tests/fuzz/mutate/perfdata.h"

#include "collapse/symbols/cursor.h"
#include "collapse/formats/perf/data/record.h"
#include "tests/fuzz/mutate/words.h"

#define MAGIC UINT64_C(0x32454c4946524550)
#define FILE_HEADER 104
#define STREAM_HEADER 16
#define FEATURES 256
#define FEATURE_TRACING_DATA 1
#define RECORD_MAX 65528

void parts_release(struct parts *p)
{
	fg_arena_release(&p->arena);
}

struct fg_str parts_keep(struct parts *p, struct fg_buf *body)
{
	struct fg_str kept = fg_arena_copy(&p->arena, fg_buf_str(body));

	fg_buf_release(body);
	return kept;
}

void parts_add(struct parts *p, const struct part *part)
{
	if (p->count < PARTS_MAX)
		p->list[p->count++] = *part;
}

/* ---- reading */

static void add_event(struct parts *p, struct fg_str body)
{
	size_t size = body.len >= 8 ? fg_load32(body.ptr + 4) : 0;

	if (size >= 64 && size <= body.len)
		parts_add(p, &(struct part){ .kind = PART_EVENT,
					     .body = fg_str_before(body, size),
					     .ids = fg_str_from_pos(body, size) });
}

static void read_records(struct parts *p, struct fg_str bytes)
{
	while (bytes.len >= 8) {
		size_t size = fg_load16(bytes.ptr + 6);
		struct part part = { .kind = PART_RECORD,
				     .type = fg_load32(bytes.ptr),
				     .misc = fg_load16(bytes.ptr + 4) };

		if (size < 8 || size > bytes.len)
			return;
		part.body = fg_str_of(bytes.ptr + 8, size - 8);
		bytes = fg_str_from_pos(bytes, size);
		if (part.type == FG_PD_HEADER_ATTR) {
			add_event(p, part.body);
			continue;
		}
		if (part.type == FG_PD_HEADER_FEATURE && part.body.len >= 8) {
			part.kind = PART_FEATURE;
			part.type = fg_load32(part.body.ptr) % FEATURES;
			part.body = fg_str_from_pos(part.body, 8);
		} else if (part.type == FG_PD_HEADER_TRACING_DATA && size == 12) {
			part.kind = PART_FEATURE;
			size = (size_t)fg_load32(part.body.ptr);
			part.type = FEATURE_TRACING_DATA;
			part.body = fg_str_before(bytes, size);
			bytes = fg_str_from_pos(bytes, (size + 7) / 8 * 8);
		}
		parts_add(p, &part);
	}
}

/* Returns the bytes of a section, as many as there are. */
static struct fg_str section(struct fg_cursor *c, struct fg_str all)
{
	uint64_t at = fg_cursor_u64(c), size = fg_cursor_u64(c);

	if (c->bad || at > all.len)
		return fg_str_of(all.ptr, 0);
	all = fg_str_from_pos(all, (size_t)at);
	return size < all.len ? fg_str_before(all, (size_t)size) : all;
}

static void read_events(struct parts *p, struct fg_str table, struct fg_str all,
			uint64_t entry_size)
{
	while (entry_size >= 80 && table.len >= entry_size) {
		struct fg_str entry = fg_str_before(table, (size_t)entry_size);
		struct fg_cursor c = fg_cursor(fg_str_from_pos(entry, entry.len - 16));

		parts_add(p,
			  &(struct part){ .kind = PART_EVENT,
					  .body = fg_str_before(entry, entry.len - 16),
					  .ids = section(&c, all) });
		table = fg_str_from_pos(table, (size_t)entry_size);
	}
}

static void read_file(struct parts *p, struct fg_str all)
{
	struct fg_cursor c = fg_cursor(fg_str_from_pos(all, 16)), table;
	uint64_t entry_size = fg_cursor_u64(&c), bits[FEATURES / 64];
	struct fg_str events = section(&c, all), records = section(&c, all);

	fg_cursor_skip(&c, 16);
	for (size_t i = 0; i < FG_COUNT_OF(bits); i++)
		bits[i] = fg_cursor_u64(&c);
	table = fg_cursor(
		fg_str_from_pos(all, (size_t)(records.ptr - all.ptr) + records.len));
	read_events(p, events, all, entry_size);
	for (unsigned i = 0; i < FEATURES; i++)
		if (bits[i / 64] >> i % 64 & 1 && !table.bad)
			parts_add(p, &(struct part){ .kind = PART_FEATURE,
						     .type = i,
						     .body = section(&table, all) });
	read_records(p, records);
}

bool parts_read(struct parts *p, struct fg_str recording)
{
	p->count = 0;
	if (recording.len < STREAM_HEADER || fg_load64(recording.ptr) != MAGIC)
		return false;
	p->is_stream = fg_load64(recording.ptr + 8) == STREAM_HEADER;
	if (p->is_stream)
		read_records(p, fg_str_from_pos(recording, STREAM_HEADER));
	else if (recording.len >= FILE_HEADER)
		read_file(p, recording);
	return true;
}

/* ---- writing */

static void put_record(struct fg_buf *to, const struct part *part)
{
	struct fg_str body = fg_str_before(part->body, RECORD_MAX - 8);

	put32(to, part->type);
	put16(to, part->misc);
	put16(to, (uint16_t)(body.len + 8));
	fg_buf_add_str(to, body);
}

/* Puts an event or a feature as a record, or a record unchanged. */
static void put_in_stream(struct fg_buf *to, const struct part *part)
{
	struct part record = { .kind = PART_RECORD, .type = FG_PD_HEADER_ATTR };
	struct fg_buf body = FG_BUF_INIT;

	if (part->kind == PART_RECORD) {
		put_record(to, part);
		return;
	}
	if (part->kind == PART_EVENT) {
		fg_buf_add_str(&body, part->body);
		fg_buf_add_str(&body, part->ids);
	} else if (part->type == FEATURE_TRACING_DATA) {
		record.type = FG_PD_HEADER_TRACING_DATA;
		put32(&body, (uint32_t)part->body.len);
	} else {
		record.type = FG_PD_HEADER_FEATURE;
		put64(&body, part->type);
		fg_buf_add_str(&body, part->body);
	}
	record.body = fg_buf_str(&body);
	put_record(to, &record);
	if (record.type == FG_PD_HEADER_TRACING_DATA)
		fg_buf_add_str(to, part->body);
	while (record.type == FG_PD_HEADER_TRACING_DATA && to->len % 8)
		fg_buf_add_char(to, '\0');
	fg_buf_release(&body);
}

/* Puts the events. All attributes of a file are as long as the longest. */
static void put_events(struct fg_buf *to, const struct parts *p, size_t size)
{
	uint64_t ids_at = FILE_HEADER;

	for (size_t i = 0; i < p->count; i++)
		if (p->list[i].kind == PART_EVENT)
			fg_buf_add_str(to, p->list[i].ids);
	for (size_t i = 0; i < p->count; i++) {
		const struct part *part = &p->list[i];

		if (part->kind != PART_EVENT)
			continue;
		fg_buf_add_str(to, part->body);
		for (size_t k = part->body.len; k < size; k++)
			fg_buf_add_char(to, '\0');
		put64(to, ids_at);
		put64(to, part->ids.len);
		ids_at += part->ids.len;
	}
}

/* Returns the first feature of that number. */
static const struct part *feature_of(const struct parts *p, unsigned number)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->list[i].kind == PART_FEATURE && p->list[i].type == number)
			return &p->list[i];
	return NULL;
}

static void put_features(struct fg_buf *to, const struct parts *p)
{
	uint64_t at = to->len;

	for (unsigned i = 0; i < FEATURES; i++)
		at += feature_of(p, i) ? 16 : 0;
	for (unsigned i = 0; i < FEATURES; i++) {
		const struct part *feature = feature_of(p, i);

		if (!feature)
			continue;
		put64(to, at);
		put64(to, feature->body.len);
		at += feature->body.len;
	}
	for (unsigned i = 0; i < FEATURES; i++)
		if (feature_of(p, i))
			fg_buf_add_str(to, feature_of(p, i)->body);
}

static void put_header(struct fg_buf *to, const struct parts *p, size_t attr_size)
{
	uint64_t ids = 0, events = 0, records = 0, bits[FEATURES / 64] = { 0 };

	for (size_t i = 0; i < p->count; i++) {
		const struct part *part = &p->list[i];

		if (part->kind == PART_EVENT) {
			ids += part->ids.len;
			events++;
		} else if (part->kind == PART_FEATURE) {
			bits[part->type / 64] |= UINT64_C(1) << part->type % 64;
		} else {
			records += fg_str_before(part->body, RECORD_MAX - 8).len + 8;
		}
	}
	put64(to, MAGIC);
	put64(to, FILE_HEADER);
	put64(to, attr_size + 16);
	put64(to, FILE_HEADER + ids);
	put64(to, events * (attr_size + 16));
	put64(to, FILE_HEADER + ids + events * (attr_size + 16));
	put64(to, records);
	put64(to, 0);
	put64(to, 0);
	for (size_t i = 0; i < FG_COUNT_OF(bits); i++)
		put64(to, bits[i]);
}

void parts_write(const struct parts *p, struct fg_buf *to)
{
	size_t attr_size = 64;

	if (p->is_stream) {
		put64(to, MAGIC);
		put64(to, STREAM_HEADER);
		for (size_t i = 0; i < p->count; i++)
			put_in_stream(to, &p->list[i]);
		return;
	}
	for (size_t i = 0; i < p->count; i++)
		if (p->list[i].kind == PART_EVENT && p->list[i].body.len > attr_size)
			attr_size = p->list[i].body.len;
	put_header(to, p, attr_size);
	put_events(to, p, attr_size);
	for (size_t i = 0; i < p->count; i++)
		if (p->list[i].kind == PART_RECORD)
			put_record(to, &p->list[i]);
	put_features(to, p);
}
