/*
 * What a chunk says of its types: the classes of events and values, and their fields.
 *
 * Nothing is assumed of ids or layouts: how long a value is, and where its fields are,
 * follows from the classes alone.
 */
#ifndef FG_JFR_METADATA_H
#define FG_JFR_METADATA_H

#include "collapse/formats/jfr/bytes.h"
#include "lib/base/map.h"
#include "lib/base/arena.h"

enum jfr_kind {
	JFR_STRUCT,
	JFR_BYTE,
	JFR_SHORT,
	JFR_CHAR,
	JFR_INT,
	JFR_LONG,
	JFR_FLOAT,
	JFR_DOUBLE,
	JFR_STRING,
};

/* What a field is of those that stacks and threads are read from, by its name. */
enum jfr_role {
	JFR_OTHER,
	JFR_TRUNCATED,
	JFR_FRAMES,
	JFR_METHOD,
	JFR_LINE,
	JFR_TYPE,
	JFR_NAME,
	JFR_DESCRIPTOR,
	JFR_JAVA_NAME,
	JFR_OS_NAME,
	JFR_ROLES,
};

/* What its annotations say that a field counts. */
enum jfr_unit {
	JFR_COUNT,
	JFR_TICKS,
	JFR_NANOSECONDS,
	JFR_MICROSECONDS,
	JFR_MILLISECONDS,
	JFR_SECONDS,
	JFR_BYTES,
	JFR_BITS,
	JFR_NO_AMOUNT, /* a point in time, an address */
};

struct jfr_class;

struct jfr_field {
	struct fg_str name;
	uint64_t class_id;
	const struct jfr_class *class; /* NULL where it is not known */
	bool constant; /* what is there is the key of a constant */
	bool array;
	enum jfr_role role;
	enum jfr_unit unit;
};

struct jfr_class {
	struct fg_str name;
	uint64_t id;
	enum jfr_kind kind;
	const struct jfr_field *fields;
	size_t field_count;
	size_t first_field; /* where they start in the array of all */

	/* worked out */
	unsigned depth; /* of structs in structs; 0: its values cannot be read */
	bool empty; /* its values have no bytes */
	size_t numbers; /* it is so many numbers and nothing else, or 0 */
	size_t stack; /* only numbers are before field `stack` - 1, its stack; or 0 */
};

struct jfr_metadata {
	struct fg_arena text;
	struct jfr_class *classes;
	size_t class_count;
	size_t classes_alloc;
	struct jfr_field *fields;
	size_t field_count;
	size_t fields_alloc;
	struct fg_map by_id;
};

/* A zeroed struct is empty. */
void jfr_metadata_release(struct jfr_metadata *m);

/* Reads the event, of which `b` is what follows its size and type: 0 or -1. */
int jfr_metadata_read(struct jfr_metadata *m, struct jfr_bytes *b);

/* NULL where there is none. */
const struct jfr_class *jfr_metadata_class(const struct jfr_metadata *m, uint64_t id);

/* The field of that name, or NULL. */
const struct jfr_field *jfr_class_field(const struct jfr_class *c, struct fg_str name);

/* Goes past a value of a class, or of a field. */
void jfr_skip_value(const struct jfr_class *c, struct jfr_bytes *b);
void jfr_skip_field(const struct jfr_field *f, struct jfr_bytes *b);

/* The bytes of a number of that kind. */
unsigned jfr_width(enum jfr_kind kind);

#endif
