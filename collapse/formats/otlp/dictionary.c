/* Reads the dictionary of a message, and values of attributes. */
#include "collapse/formats/otlp/dictionary.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/xalloc.h"

void otlp_dictionary_release(struct otlp_dictionary *d)
{
	for (size_t i = 0; i < OTLP_TABLES; i++)
		free(d->tables[i].items);
	free(d->functions);
	free(d->attributes);
	free(d->mappings);
	memset(d, 0, sizeof(*d));
}

enum fg_proto_fault otlp_dictionary_read(struct otlp_dictionary *d,
					 struct fg_str message)
{
	struct fg_proto m = fg_proto_of(message);
	struct fg_proto_field f;

	while (fg_proto_next(&m, &f)) {
		struct otlp_rows *rows;

		if (f.tag % 8 != 2 || f.tag / 8 >= OTLP_TABLES)
			continue;
		rows = &d->tables[f.tag / 8];
		FG_GROW(rows->items, rows->alloc, rows->count + 1);
		rows->items[rows->count++] = f.bytes;
	}
	return m.fault;
}

struct fg_str otlp_row(const struct otlp_dictionary *d, enum otlp_table table,
		       uint64_t place)
{
	const struct otlp_rows *rows = &d->tables[table];

	return place && place < rows->count ? rows->items[place] : fg_str_of(NULL, 0);
}

uint64_t otlp_number(struct fg_str message, unsigned field)
{
	struct fg_proto m = fg_proto_of(message);
	struct fg_proto_field f;
	uint64_t number = 0;

	while (fg_proto_next(&m, &f))
		if (f.tag == FG_PROTO_NUMBER(field))
			number = f.value;
	return number;
}

static struct otlp_function read_function(struct fg_str message)
{
	return (struct otlp_function){ otlp_number(message, 1), otlp_number(message, 2),
				       otlp_number(message, 3) };
}

static struct otlp_attribute read_attribute(struct fg_str message)
{
	struct otlp_attribute attribute = { .key = otlp_number(message, 1) };
	struct fg_proto m = fg_proto_of(message);
	struct fg_proto_field f;

	while (fg_proto_next(&m, &f))
		if (f.tag == FG_PROTO_BYTES(2))
			attribute.value = otlp_value(f.bytes);
	return attribute;
}

void otlp_dictionary_index(struct otlp_dictionary *d)
{
	const struct otlp_rows *functions = &d->tables[OTLP_FUNCTIONS];
	const struct otlp_rows *attributes = &d->tables[OTLP_ATTRIBUTES];
	const struct otlp_rows *mappings = &d->tables[OTLP_MAPPINGS];

	d->functions = fg_xcalloc(functions->count, sizeof(*d->functions));
	for (size_t i = 0; i < functions->count; i++)
		d->functions[i] = read_function(functions->items[i]);
	d->attributes = fg_xcalloc(attributes->count, sizeof(*d->attributes));
	for (size_t i = 0; i < attributes->count; i++)
		d->attributes[i] = read_attribute(attributes->items[i]);
	d->mappings = fg_xcalloc(mappings->count, sizeof(*d->mappings));
	for (size_t i = 0; i < mappings->count; i++)
		d->mappings[i] = otlp_number(mappings->items[i], 4);
}

struct fg_proto_field otlp_value(struct fg_str message)
{
	struct fg_proto m = fg_proto_of(message);
	struct fg_proto_field f, value = { .tag = 0 };

	while (fg_proto_next(&m, &f))
		if (f.tag == FG_PROTO_BYTES(1) || f.tag == FG_PROTO_NUMBER(2) ||
		    f.tag == FG_PROTO_NUMBER(3) || f.tag == FG_PROTO_EIGHT(4) ||
		    f.tag == FG_PROTO_NUMBER(8))
			value = f;
	return value;
}

struct fg_str otlp_value_text(const struct otlp_dictionary *d,
			      const struct fg_proto_field *value,
			      struct fg_buf *scratch)
{
	double real;

	fg_buf_clear(scratch);
	switch (value->tag) {
	case FG_PROTO_BYTES(1):
		return value->bytes;
	case FG_PROTO_NUMBER(8):
		return otlp_row(d, OTLP_STRINGS, value->value);
	case FG_PROTO_NUMBER(2):
		fg_buf_addf(scratch, "%s", value->value ? "true" : "false");
		break;
	case FG_PROTO_NUMBER(3):
		fg_buf_addf(scratch, "%" PRId64, (int64_t)value->value);
		break;
	case FG_PROTO_EIGHT(4):
		memcpy(&real, &value->value, sizeof(real));
		fg_buf_addf(scratch, "%.15g", real);
		break;
	default:
		return fg_str_of(NULL, 0);
	}
	return fg_buf_str(scratch);
}
