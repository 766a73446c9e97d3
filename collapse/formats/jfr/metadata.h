/*
 * The metadata of a chunk: the classes of its events and values, and their fields.
 *
 * It is a tree of elements with attributes, like XML, and in XML it would be:
 *
 *     <root>
 *       <metadata>
 *         <class id="101" name="jdk.ExecutionSample" superType="jdk.jfr.Event">
 *           <field name="startTime" class="7">
 *             <annotation class="30" value="TICKS"/>
 *           </field>
 *           <field name="stackTrace" class="26" constantPool="true"/>
 *         ...
 *
 * We rely on no fixed ids or layouts: the length of a value and the place of its fields
 * follow from the classes alone (layout.h).
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

/* The fields of stack traces and threads that we read, by their names. */
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

/* The unit of a field, from its annotation. */
enum jfr_unit {
	JFR_COUNT,
	JFR_TICKS,
	JFR_NANOSECONDS,
	JFR_MICROSECONDS,
	JFR_MILLISECONDS,
	JFR_SECONDS,
	JFR_BYTES,
	JFR_BITS,
	JFR_NO_AMOUNT, /* the field is no amount but a point in time or an address */
};

struct jfr_class;

struct jfr_field {
	struct fg_str name;
	uint64_t class_id;
	const struct jfr_class *class; /* NULL if unknown */
	bool constant; /* values hold the key of a constant */
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
	size_t first_field; /* index in struct jfr_metadata.fields */

	/* set by jfr_layout_work_out() */
	unsigned depth; /* number of nested structs; 0 if its values cannot be read */
	bool empty; /* its values have no bytes */
	size_t numbers; /* the number of its fields if all are numbers, or 0 */
	/* index plus 1 of "stackTrace", if only numbers precede it; or 0 */
	size_t stack;
};

struct jfr_metadata {
	struct fg_arena text;
	struct jfr_class *classes;
	size_t class_count;
	size_t classes_alloc;
	struct jfr_field *fields;
	size_t field_count;
	size_t fields_alloc;
	struct fg_map by_id; /* index in `classes`, by id */
};

/* A zeroed struct is empty. */
void jfr_metadata_release(struct jfr_metadata *m);

/* Reads a metadata event; `b` starts after its size and type. Returns 0 or -1. */
int jfr_metadata_read(struct jfr_metadata *m, struct jfr_bytes *b);

/* Returns the class with this id, or NULL. */
const struct jfr_class *jfr_metadata_class(const struct jfr_metadata *m, uint64_t id);

/* Returns the field with this name, or NULL. */
const struct jfr_field *jfr_class_field(const struct jfr_class *c, struct fg_str name);

#endif
