/*
 * The tables that all profiles of an input share: its dictionary, a message that may
 * come after them. Rows are referred to by their places; row 0 of each table is none.
 */
#ifndef FG_COLLAPSE_OTLP_DICTIONARY_H
#define FG_COLLAPSE_OTLP_DICTIONARY_H

#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/protobuf.h"

enum otlp_table {
	OTLP_MAPPINGS = 1, /* the numbers of the dictionary's members */
	OTLP_LOCATIONS,
	OTLP_FUNCTIONS,
	OTLP_LINKS,
	OTLP_STRINGS,
	OTLP_ATTRIBUTES,
	OTLP_STACKS,
	OTLP_TABLES
};

struct otlp_rows {
	struct fg_str *items; /* messages, or strings; they point into the input */
	size_t count;
	size_t alloc;
};

/* Places of strings, and the like: a row that many refer to is read once. */
struct otlp_function {
	uint64_t name, system_name, file;
};

struct otlp_attribute {
	uint64_t key;
	struct fg_proto_field value; /* see otlp_value() */
};

/* A zeroed struct is empty. */
struct otlp_dictionary {
	struct otlp_rows tables[OTLP_TABLES];

	/* made by otlp_dictionary_index, by place */
	struct otlp_function *functions;
	struct otlp_attribute *attributes;
	uint64_t *mappings; /* their files */
};

void otlp_dictionary_release(struct otlp_dictionary *d);

/* Adds what a message Dictionary has. */
enum fg_proto_fault otlp_dictionary_read(struct otlp_dictionary *d,
					 struct fg_str message);

/* After the last message: reads the rows that many refer to. */
void otlp_dictionary_index(struct otlp_dictionary *d);

/* A row; .ptr is NULL for none, and where the table does not have it. */
struct fg_str otlp_row(const struct otlp_dictionary *d, enum otlp_table table,
		       uint64_t place);

/* The member of a message that is a number; 0 where it has none. */
uint64_t otlp_number(struct fg_str message, unsigned field);

/*
 * What a message AnyValue has: its last member that is a value, with .tag 0 where it
 * has none. The message may be long, and is read once for all that share it.
 */
struct fg_proto_field otlp_value(struct fg_str message);

/* The text of that, perhaps made in `room`; .ptr is NULL where there is none. */
struct fg_str otlp_value_text(const struct otlp_dictionary *d,
			      const struct fg_proto_field *value, struct fg_buf *room);

#endif
