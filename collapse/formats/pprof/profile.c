/*
 * Reads the tables of a profile. Their rows come in any order, mixed with each other.
 */
#include "collapse/formats/pprof/profile.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

/* ---- ids */

/* If the largest id is more than this many times the number of rows, we use a map. */
#define SPARSE 4

static void ids_release(struct pprof_ids *t)
{
	free(t->ids);
	free(t->rows);
	fg_map_release(&t->sparse);
}

static void ids_add(struct pprof_ids *t, uint64_t id)
{
	if (t->count >= PPROF_NO_ROW)
		fg_size_overflow();
	FG_GROW(t->ids, t->alloc, t->count + 1);
	t->ids[t->count++] = id;
}

/* Makes an empty array for the rows, unless ids are too large. */
static void make_rows(struct pprof_ids *t)
{
	uint64_t max = 0;

	for (size_t i = 0; i < t->count; i++)
		if (t->ids[i] > max)
			max = t->ids[i];
	if (max / SPARSE > t->count)
		return;
	t->rows_alloc = (size_t)max + 1;
	t->rows = fg_xcalloc(t->rows_alloc, sizeof(*t->rows));
	for (size_t i = 0; i < t->rows_alloc; i++)
		t->rows[i] = PPROF_NO_ROW;
}

/* Makes the index. Call it after the last row. Returns how many ids are repeated. */
static size_t ids_index(struct pprof_ids *t)
{
	size_t twice = 0;

	make_rows(t);
	for (uint32_t row = 0; row < t->count; row++) {
		twice += pprof_ids_find(t, t->ids[row]) != PPROF_NO_ROW;
		if (t->rows)
			t->rows[t->ids[row]] = row;
		else
			fg_map_set(&t->sparse, t->ids[row], (size_t)row + 1);
	}
	return twice;
}

uint32_t pprof_ids_find(const struct pprof_ids *t, uint64_t id)
{
	if (t->rows)
		return id < t->rows_alloc ? t->rows[id] : PPROF_NO_ROW;
	return (uint32_t)fg_map_get(&t->sparse, id) - 1;
}

/* ---- tables */

void pprof_profile_release(struct pprof_profile *p)
{
	free(p->strings);
	free(p->types);
	ids_release(&p->mapping_ids);
	ids_release(&p->function_ids);
	ids_release(&p->location_ids);
	free(p->mappings);
	free(p->functions);
	free(p->locations);
	*p = (struct pprof_profile){ .strings = NULL };
}

struct fg_str pprof_string(const struct pprof_profile *p, uint64_t place)
{
	return place < p->string_count ? p->strings[place] : fg_str_of(NULL, 0);
}

/* ---- rows */

/* The highest number of the fields that read_numbers() reads. */
#define NUMBERS 5

/*
 * Reads the fields 1 to NUMBERS of a message that are numbers; the others become 0.
 * Counts a malformed message, and returns false for it: it does not become a row.
 */
static bool read_numbers(struct pprof_profile *p, struct fg_str message,
			 uint64_t numbers[NUMBERS + 1])
{
	struct fg_proto m = fg_proto_of(message);
	struct fg_proto_field f;

	memset(numbers, 0, (NUMBERS + 1) * sizeof(*numbers));
	while (fg_proto_next(&m, &f))
		if (f.tag % 8 == 0 && f.tag / 8 <= NUMBERS)
			numbers[f.tag / 8] = f.value;
	p->damaged += m.fault != FG_PROTO_WHOLE;
	return !m.fault;
}

static void add_type(struct pprof_profile *p, struct fg_str message)
{
	uint64_t numbers[NUMBERS + 1];

	/* adds malformed types, too, because samples refer to types by position */
	read_numbers(p, message, numbers);
	FG_GROW(p->types, p->type_alloc, p->type_count + 1);
	p->types[p->type_count++] = (struct pprof_type){ numbers[1], numbers[2] };
}

static void add_mapping(struct pprof_profile *p, struct fg_str message)
{
	uint64_t numbers[NUMBERS + 1];

	if (!read_numbers(p, message, numbers))
		return;
	FG_GROW(p->mappings, p->mapping_alloc, p->mapping_ids.count + 1);
	p->mappings[p->mapping_ids.count] = numbers[5];
	ids_add(&p->mapping_ids, numbers[1]);
}

static void add_function(struct pprof_profile *p, struct fg_str message)
{
	uint64_t numbers[NUMBERS + 1];

	if (!read_numbers(p, message, numbers))
		return;
	FG_GROW(p->functions, p->function_alloc, p->function_ids.count + 1);
	p->functions[p->function_ids.count] =
		(struct pprof_function){ numbers[2], numbers[3], numbers[4] };
	ids_add(&p->function_ids, numbers[1]);
}

static void add_location(struct pprof_profile *p, struct fg_str message)
{
	uint64_t numbers[NUMBERS + 1];

	if (!read_numbers(p, message, numbers))
		return;
	FG_GROW(p->locations, p->location_alloc, p->location_ids.count + 1);
	p->locations[p->location_ids.count] =
		(struct pprof_location){ message, 0, PPROF_UNREAD };
	ids_add(&p->location_ids, numbers[1]);
}

static void add_string(struct pprof_profile *p, struct fg_str s)
{
	/* only the first is empty, so another empty string starts a second profile */
	p->is_two = p->is_two || (p->string_count && !s.len);
	FG_GROW(p->strings, p->string_alloc, p->string_count + 1);
	p->strings[p->string_count++] = s;
}

/* ---- the message Profile */

static void add_field(struct pprof_profile *p, const struct fg_proto_field *f)
{
	switch (f->tag) {
	case FG_PROTO_BYTES(1):
		add_type(p, f->bytes);
		break;
	case FG_PROTO_BYTES(2):
		p->sample_count++;
		break;
	case FG_PROTO_BYTES(3):
		add_mapping(p, f->bytes);
		break;
	case FG_PROTO_BYTES(4):
		add_location(p, f->bytes);
		break;
	case FG_PROTO_BYTES(5):
		add_function(p, f->bytes);
		break;
	case FG_PROTO_BYTES(6):
		add_string(p, f->bytes);
		break;
	case FG_PROTO_NUMBER(7):
		p->drop_frames = f->value;
		break;
	case FG_PROTO_NUMBER(10):
		p->length = f->value <= INT64_MAX ? f->value : 0;
		break;
	case FG_PROTO_NUMBER(14):
		p->default_type = f->value;
		break;
	default:
		break;
	}
}

struct fg_proto pprof_profile_read(struct pprof_profile *p, struct fg_str bytes)
{
	struct fg_proto m = fg_proto_of(bytes);
	struct fg_proto_field f;
	size_t same = 0;

	while (fg_proto_next(&m, &f))
		add_field(p, &f);
	same += ids_index(&p->mapping_ids);
	same += ids_index(&p->function_ids);
	same += ids_index(&p->location_ids);
	p->is_two = p->is_two && same;
	return m;
}
