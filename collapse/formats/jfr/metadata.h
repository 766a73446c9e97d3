/*
 * The metadata of a chunk: the classes of its events and values, and their fields.
 *
 * No id or layout is taken for granted: a value's length and the place of its fields
 * follow from the classes alone.
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

/* The fields that stack traces and threads are read from, told by their names. */
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

/* What a field counts, by its annotations. */
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
	const struct jfr_class *class; /* NULL if it is not known */
	bool constant; /* events hold the key of a constant */
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
	size_t first_field; /* index of its first field in the array of all */

	/* set by jfr_layout_work_out() */
	unsigned depth; /* of nested structs; 0 if its values cannot be read */
	bool empty; /* its values have no bytes */
	size_t numbers; /* how many numbers its values are, or 0 if not only numbers */
	size_t stack; /* index plus 1 of its stack, if only numbers precede it; or 0 */
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

/* Reads a metadata event; `b` is what follows its size and type. Returns 0 or -1. */
int jfr_metadata_read(struct jfr_metadata *m, struct jfr_bytes *b);

/* The class with this id, or NULL. */
const struct jfr_class *jfr_metadata_class(const struct jfr_metadata *m, uint64_t id);

/* The field with this name, or NULL. */
const struct jfr_field *jfr_class_field(const struct jfr_class *c, struct fg_str name);

/* Skips a value of a class, or of a field. */
void jfr_skip_value(const struct jfr_class *c, struct jfr_bytes *b);
void jfr_skip_field(const struct jfr_field *f, struct jfr_bytes *b);

/* The size in bytes of a number of this kind. */
unsigned jfr_width(enum jfr_kind kind);

#endif
