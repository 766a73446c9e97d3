/*
 * Works out where the values of a class end, and skips them.
 *
 * A value may hold others, but not one of its own class. We also reject classes whose
 * values have no bytes and would still take long to read.
 */
#include "collapse/formats/jfr/layout.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

/* The deepest nesting of structs; the JDK needs 4. */
#define DEPTH_MAX 32U

static const struct {
	struct fg_str name;
	enum jfr_kind kind;
} kinds[] = {
	{ FG_STR_INIT("boolean"), JFR_BYTE },
	{ FG_STR_INIT("byte"), JFR_BYTE },
	{ FG_STR_INIT("short"), JFR_SHORT },
	{ FG_STR_INIT("char"), JFR_CHAR },
	{ FG_STR_INIT("int"), JFR_INT },
	{ FG_STR_INIT("long"), JFR_LONG },
	{ FG_STR_INIT("float"), JFR_FLOAT },
	{ FG_STR_INIT("double"), JFR_DOUBLE },
	{ FG_STR_INIT("java.lang.String"), JFR_STRING },
};

static const struct fg_str roles[JFR_ROLES] = {
	[JFR_TRUNCATED] = FG_STR_INIT("truncated"),
	[JFR_FRAMES] = FG_STR_INIT("frames"),
	[JFR_METHOD] = FG_STR_INIT("method"),
	[JFR_LINE] = FG_STR_INIT("lineNumber"),
	[JFR_TYPE] = FG_STR_INIT("type"),
	[JFR_NAME] = FG_STR_INIT("name"),
	[JFR_DESCRIPTOR] = FG_STR_INIT("descriptor"),
	[JFR_JAVA_NAME] = FG_STR_INIT("javaName"),
	[JFR_OS_NAME] = FG_STR_INIT("osName"),
};

/*
 * A class may have at most this many fields without bytes. They cost time, and the JDK
 * writes no such field.
 */
#define EMPTY_MAX 16

/* A class that is being worked out. */
struct step {
	size_t class;
	size_t next; /* the first of its fields that has not been checked yet */
};

struct work {
	struct jfr_metadata *m;
	unsigned char *seen; /* true if the class was visited; indexed by class */
	struct step *steps;
	size_t depth;
};

static enum jfr_kind kind_of(struct fg_str name)
{
	for (size_t i = 0; i < FG_COUNT_OF(kinds); i++)
		if (fg_str_eq(name, kinds[i].name))
			return kinds[i].kind;
	return JFR_STRUCT;
}

static enum jfr_role role_of(struct fg_str name)
{
	for (size_t i = 1; i < FG_COUNT_OF(roles); i++)
		if (fg_str_eq(name, roles[i]))
			return (enum jfr_role)i;
	return JFR_OTHER;
}

/* Returns true if values of the field are a single number. */
static bool is_number(const struct jfr_field *f)
{
	return !f->array && (f->constant || (f->class && f->class->kind >= JFR_SHORT &&
					     f->class->kind <= JFR_LONG));
}

/* Sets the kinds of classes, and the roles and classes of fields. */
static void resolve(struct jfr_metadata *m)
{
	static const struct jfr_field none;

	for (size_t i = 0; i < m->class_count; i++) {
		struct jfr_class *c = &m->classes[i];

		c->kind = kind_of(c->name);
		c->fields = m->fields ? m->fields + c->first_field : &none;
	}
	for (size_t i = 0; m->fields && i < m->field_count; i++) {
		struct jfr_field *f = &m->fields[i];

		f->class = jfr_metadata_class(m, f->class_id);
		f->role = role_of(f->name);
	}
}

/* Returns the index plus 1 of the stack trace, if only numbers precede it, or 0. */
static size_t find_stack(const struct jfr_class *c)
{
	for (size_t i = 0; i < c->field_count && is_number(&c->fields[i]); i++)
		if (c->fields[i].constant &&
		    fg_str_eq(c->fields[i].name, FG_STR("stackTrace")))
			return i + 1;
	return 0;
}

/*
 * Sets the other members of a class, which depend on its fields. Call it for the
 * classes of all fields first.
 */
static void conclude(struct jfr_class *c)
{
	unsigned depth = 1;
	size_t numbers = 0, empty = 0;

	c->empty = c->kind == JFR_STRUCT;
	for (size_t i = 0; i < c->field_count; i++) {
		const struct jfr_field *f = &c->fields[i];

		numbers += is_number(f);
		if (f->constant || f->array)
			c->empty = false;
		if (f->constant)
			continue;
		if (!f->class || !f->class->depth || f->class->depth >= DEPTH_MAX)
			return; /* `depth` stays 0: values cannot be read */
		if (f->class->depth >= depth)
			depth = f->class->depth + 1;
		if (!f->class->empty)
			c->empty = false;
		else if (!f->array && ++empty > EMPTY_MAX)
			return;
	}
	c->depth = depth;
	c->stack = find_stack(c);
	c->numbers = numbers == c->field_count ? numbers : 0;
}

/* Returns the next unseen class among the fields of the top class, or SIZE_MAX. */
static size_t next_class(struct work *w)
{
	struct step *top = &w->steps[w->depth - 1];
	const struct jfr_class *c = &w->m->classes[top->class];

	while (top->next < c->field_count) {
		const struct jfr_field *f = &c->fields[top->next++];

		if (!f->constant && f->class &&
		    !w->seen[(size_t)(f->class - w->m->classes)])
			return (size_t)(f->class - w->m->classes);
	}
	return SIZE_MAX;
}

void jfr_layout_work_out(struct jfr_metadata *m)
{
	struct work w = { .m = m };

	resolve(m);
	w.seen = fg_xcalloc(m->class_count, 1);
	w.steps = fg_xcalloc(m->class_count, sizeof(*w.steps));
	for (size_t i = 0; i < m->class_count; i++) {
		size_t class = i;

		if (w.seen[i])
			continue;
		do {
			if (class != SIZE_MAX) {
				w.seen[class] = 1;
				w.steps[w.depth++] = (struct step){ class, 0 };
			} else {
				/*
				 * A class that contains itself meets its own depth of 0
				 * here. So its values cannot be read.
				 */
				conclude(&m->classes[w.steps[--w.depth].class]);
			}
			class = w.depth ? next_class(&w) : SIZE_MAX;
		} while (w.depth);
	}
	free(w.seen);
	free(w.steps);
}

/* ---- values */

unsigned jfr_width(enum jfr_kind kind)
{
	static const unsigned char widths[] = {
		[JFR_BYTE] = 1, [JFR_SHORT] = 2, [JFR_CHAR] = 2,   [JFR_INT] = 4,
		[JFR_LONG] = 8, [JFR_FLOAT] = 4, [JFR_DOUBLE] = 8, [JFR_STRING] = 0,
	};

	return widths[kind];
}

/* Skips `count` values of a class that is not a struct. */
static void skip_simple(enum jfr_kind kind, uint32_t count, struct jfr_bytes *b)
{
	switch (kind) {
	case JFR_BYTE:
	case JFR_FLOAT:
	case JFR_DOUBLE:
		jfr_skip_bytes(b, (uint64_t)count * jfr_width(kind));
		return;
	case JFR_SHORT:
	case JFR_CHAR:
	case JFR_INT:
	case JFR_LONG:
		jfr_skip_numbers(b, count, jfr_width(kind));
		return;
	case JFR_STRING:
		for (; count && !b->bad; count--)
			jfr_skip_string(b);
		return;
	case JFR_STRUCT:
		return;
	}
}

/* An array of structs that is being skipped. */
struct nest {
	const struct jfr_class *class;
	uint32_t left; /* structs left, including the current one */
	size_t next; /* index of the next field of the current struct */
};

/*
 * Skips `count` values. If their fields must be walked, sets *nest instead and returns
 * 1.
 */
static size_t enter(const struct jfr_class *c, uint32_t count, struct jfr_bytes *b,
		    struct nest *nest)
{
	if (!c || !c->depth) {
		jfr_fail(b);
		return 0;
	}
	if (c->kind != JFR_STRUCT) {
		skip_simple(c->kind, count, b);
		return 0;
	}
	if (c->empty || !count)
		return 0;
	if (count > jfr_left(b)) { /* each value has at least one byte */
		jfr_fail(b);
		return 0;
	}
	if (c->numbers && !b->fixed) {
		jfr_skip_numbers(b, (uint64_t)count * c->numbers, 0);
		return 0;
	}
	*nest = (struct nest){ c, count, 0 };
	return 1;
}

static void skip_values(const struct jfr_class *c, uint32_t count, struct jfr_bytes *b)
{
	struct nest nests[DEPTH_MAX + 1];
	size_t depth = enter(c, count, b, &nests[0]);

	while (depth && !b->bad) {
		struct nest *top = &nests[depth - 1];
		const struct jfr_field *f;

		if (top->next == top->class->field_count) {
			top->next = 0;
			if (!--top->left)
				depth--;
			continue;
		}
		f = &top->class->fields[top->next++];
		count = f->array ? jfr_int(b) : 1;
		if (f->constant)
			jfr_skip_numbers(b, count, 8);
		else
			depth += enter(f->class, count, b, &nests[depth]);
	}
}

void jfr_skip_value(const struct jfr_class *c, struct jfr_bytes *b)
{
	skip_values(c, 1, b);
}

void jfr_skip_field(const struct jfr_field *f, struct jfr_bytes *b)
{
	uint32_t count = f->array ? jfr_int(b) : 1;

	if (f->constant)
		jfr_skip_numbers(b, count, 8);
	else
		skip_values(f->class, count, b);
}
