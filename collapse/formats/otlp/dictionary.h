/*
 * The dictionary of a message: the tables of strings, functions, stacks and so on that
 * all of its profiles share. It may come after the profiles. Other messages refer to a
 * row by its place; place 0 means no row.
 */
#ifndef FG_COLLAPSE_OTLP_DICTIONARY_H
#define FG_COLLAPSE_OTLP_DICTIONARY_H

#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/protobuf.h"

enum otlp_table {
	OTLP_MAPPINGS = 1, /* these are the field numbers of ProfilesDictionary */
	OTLP_LOCATIONS,
	OTLP_FUNCTIONS,
	OTLP_LINKS,
	OTLP_STRINGS,
	OTLP_ATTRIBUTES,
	OTLP_STACKS,
	OTLP_TABLES
};

struct otlp_rows {
	struct fg_str *items; /* messages or strings, which point into the input */
	size_t count;
	size_t alloc;
};

/*
 * A row that is read once, because many others refer to it. Numbers are places of
 * strings.
 */
struct otlp_function {
	uint64_t name, system_name, file;
};

struct otlp_attribute {
	uint64_t key;
	struct fg_proto_field value; /* from otlp_value() */
};

/* A zeroed struct is empty. */
struct otlp_dictionary {
	struct otlp_rows tables[OTLP_TABLES];

	/* indexed by place; filled by otlp_dictionary_index() */
	struct otlp_function *functions;
	struct otlp_attribute *attributes;
	uint64_t *mappings; /* places of their file names */
};

void otlp_dictionary_release(struct otlp_dictionary *d);

/* Adds the rows of a message ProfilesDictionary, which must stay valid. */
enum fg_proto_fault otlp_dictionary_read(struct otlp_dictionary *d,
					 struct fg_str message);

/*
 * Reads the functions, attributes and mappings, which many rows refer to. Call it after
 * otlp_dictionary_read().
 */
void otlp_dictionary_index(struct otlp_dictionary *d);

/* Returns a row. Its .ptr is NULL for place 0, and if the table is shorter. */
struct fg_str otlp_row(const struct otlp_dictionary *d, enum otlp_table table,
		       uint64_t place);

/* Returns the number in field `field` of a message, or 0 if it is missing. */
uint64_t otlp_number(struct fg_str message, unsigned field);

/*
 * Returns the value in a message AnyValue. Its .tag is 0 if the message is empty.
 * The message may be long, so read it once for all that share it.
 */
struct fg_proto_field otlp_value(struct fg_str message);

/*
 * Returns the text of a value from otlp_value(). It may be stored in `scratch`. Its
 * .ptr is NULL if there is no value.
 */
struct fg_str otlp_value_text(const struct otlp_dictionary *d,
			      const struct fg_proto_field *value,
			      struct fg_buf *scratch);

#endif
