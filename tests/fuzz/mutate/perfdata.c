/*
 * Mutations of recordings of perf: records, attributes of events and sections are
 * added, changed, moved and compressed, in a file or a stream that stays consistent.
 * Input that is not a recording is left to libFuzzer, except when it may become one.
 */
#include "tests/fuzz/mutate/perfdata.h"

#include "collapse/formats/perf/data/record.h"
#include "tests/fuzz/mutate/words.h"

#define MADE_MAX 40

static void make_some(struct parts *p, size_t count)
{
	struct part part;

	while (count--) {
		if (!p->count || random_one_in(&p->random, 24))
			part = parts_make_event(p);
		else if (random_one_in(&p->random, 12))
			part = parts_make_feature(p);
		else
			part = parts_make_record(p);
		parts_add(p, &part);
	}
}

static void move(struct parts *p, size_t from, size_t to)
{
	struct part part = p->list[from];

	if (from < to)
		memmove(p->list + from, p->list + from + 1, (to - from) * sizeof(part));
	else
		memmove(p->list + to + 1, p->list + to, (from - to) * sizeof(part));
	p->list[to] = part;
}

/* Puts bytes as a zstd frame with one uncompressed block. */
static void put_frame(struct fg_buf *to, struct fg_str bytes)
{
	uint32_t block = (uint32_t)bytes.len << 3 | 1;

	put32(to, 0xfd2fb528);
	fg_buf_add_char(to, (char)0xa0); /* a length of 4 bytes follows */
	put32(to, (uint32_t)bytes.len);
	fg_buf_add(
		to,
		(const char[]){ (char)block, (char)(block >> 8), (char)(block >> 16) },
		3);
	fg_buf_add_str(to, bytes);
}

/* Compresses one or more records that follow each other into one or two records. */
static void compress(struct parts *p, size_t first)
{
	struct parts some = { .is_stream = true };
	struct fg_buf plain = FG_BUF_INIT, packed = FG_BUF_INIT;
	struct part record = { .kind = PART_RECORD, .type = FG_PD_COMPRESSED };
	size_t end = first, cut;

	while (end < p->count && end < first + 8 && p->list[end].kind == PART_RECORD)
		parts_add(&some, &p->list[end++]);
	if (end == first)
		return;
	parts_write(&some, &plain);
	put_frame(&packed, fg_str_from_pos(fg_buf_str(&plain), 16));
	cut = random_one_in(&p->random, 3) ? random_below(&p->random, packed.len) : 0;
	fg_buf_release(&plain);
	record.body = parts_keep(p, &packed);
	memmove(p->list + first + 1, p->list + end,
		(p->count - end) * sizeof(*p->list));
	p->count -= end - first - 1;
	p->list[first] = record;
	p->list[first].body = fg_str_from_pos(record.body, cut);
	if (!cut || p->count == PARTS_MAX)
		return;
	record.body = fg_str_before(record.body, cut);
	parts_add(p, &record);
	move(p, p->count - 1, first);
}

static void change_bytes(struct parts *p, struct part *part)
{
	bool ids = part->kind == PART_EVENT && random_one_in(&p->random, 3);
	struct fg_str *bytes = ids ? &part->ids : &part->body;
	struct fg_buf changed = FG_BUF_INIT;
	uint32_t size;

	random_bytes(&changed, *bytes);
	if (part->kind == PART_EVENT && !ids) {
		while (changed.len < 64)
			fg_buf_add_char(&changed, '\0');
		size = (uint32_t)changed.len;
		memcpy(changed.ptr + 4, &size, sizeof(size));
	}
	*bytes = parts_keep(p, &changed);
}

/* Changes a number in a word, like a length, a time, an id or a flag. */
static void change_word(struct parts *p, struct part *part)
{
	struct fg_buf changed = FG_BUF_INIT;
	uint64_t number = random_number(&p->random);
	size_t len = random_one_in(&p->random, 2) ? 4 : 8;

	if (part->body.len < 8)
		return;
	fg_buf_add_str(&changed, part->body);
	memcpy(changed.ptr + random_below(&p->random, changed.len / len) * len, &number,
	       len);
	part->body = parts_keep(p, &changed);
}

static void change(struct parts *p)
{
	size_t i = random_below(&p->random, p->count);
	struct part *part = &p->list[i];

	switch (random_below(&p->random, 12)) {
	case 0:
		memmove(part, part + 1, (--p->count - i) * sizeof(*part));
		break;
	case 1:
		parts_add(p, part);
		move(p, p->count - 1, i);
		break;
	case 2:
		move(p, i, random_below(&p->random, p->count));
		break;
	case 3:
		compress(p, i);
		break;
	case 4:
		p->is_stream = !p->is_stream;
		break;
	case 5:
		part->misc ^= (uint16_t)(1U << random_below(&p->random, 16));
		break;
	case 6:
	case 7:
		change_bytes(p, part);
		break;
	case 8:
		change_word(p, part);
		break;
	default:
		make_some(p, 1);
		move(p, p->count - 1, i);
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned seed)
{
	struct parts p = { .time = 1000, .random = { seed } };
	struct fg_str input = fg_str_of((const char *)data, size);
	struct fg_buf whole = FG_BUF_INIT;

	random_next(&p.random);
	random_cut_choice(&p.random, &input, &whole);
	if (random_one_in(&p.random, 12) ||
	    (!parts_read(&p, input) && !random_one_in(&p.random, 12))) {
		fg_buf_release(&whole);
		return LLVMFuzzerMutate(data, size, max_size);
	}
	if (!p.count || random_one_in(&p.random, 16)) {
		p.count = 0;
		p.is_stream = random_one_in(&p.random, 2);
		make_some(&p, 1 + random_below(&p.random, MADE_MAX));
	}
	for (size_t i = random_below(&p.random, 4); i > 0 && p.count; i--)
		change(&p);
	parts_write(&p, &whole);
	parts_release(&p);
	return random_hand_over(&whole, data, max_size);
}
