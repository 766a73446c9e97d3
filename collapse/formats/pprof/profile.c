/* The tables of a profile, which all may come in any order, mixed with each other. */
#include "collapse/formats/pprof/profile.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

void pprof_profile_release(struct pprof_profile *p)
{
	free(p->strings);
	free(p->types);
	pprof_ids_release(&p->mapping_ids);
	pprof_ids_release(&p->function_ids);
	pprof_ids_release(&p->location_ids);
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

/* The most members of a message that are numbers to be read. */
#define NUMBERS 5

/*
 * Reads the members 1, 2 and so on of a message, those that are numbers; others are 0.
 * A message that is not whole is no row, and counted.
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

	read_numbers(p, message, numbers); /* it is one of the values in any case */
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
	pprof_ids_add(&p->mapping_ids, numbers[1]);
}

static void add_function(struct pprof_profile *p, struct fg_str message)
{
	uint64_t numbers[NUMBERS + 1];

	if (!read_numbers(p, message, numbers))
		return;
	FG_GROW(p->functions, p->function_alloc, p->function_ids.count + 1);
	p->functions[p->function_ids.count] =
		(struct pprof_function){ numbers[2], numbers[3], numbers[4] };
	pprof_ids_add(&p->function_ids, numbers[1]);
}

static void add_location(struct pprof_profile *p, struct fg_str message)
{
	uint64_t numbers[NUMBERS + 1];

	if (!read_numbers(p, message, numbers))
		return;
	FG_GROW(p->locations, p->location_alloc, p->location_ids.count + 1);
	p->locations[p->location_ids.count] =
		(struct pprof_location){ message, 0, PPROF_UNREAD };
	pprof_ids_add(&p->location_ids, numbers[1]);
}

static void add_string(struct pprof_profile *p, struct fg_str s)
{
	/* only the first is empty, so that another starts a profile */
	p->twice = p->twice || (p->string_count && !s.len);
	FG_GROW(p->strings, p->string_alloc, p->string_count + 1);
	p->strings[p->string_count++] = s;
}

/* ---- all */

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
	same += pprof_ids_index(&p->mapping_ids);
	same += pprof_ids_index(&p->function_ids);
	same += pprof_ids_index(&p->location_ids);
	p->twice = p->twice && same;
	return m;
}
