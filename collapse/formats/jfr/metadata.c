/* Reads the metadata event of a chunk. */
#include "collapse/formats/jfr/metadata.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

/* The largest number has this many digits. */
#define DIGITS_MAX 20

enum element { OTHER, CLASS, FIELD, ANNOTATION };

/* An element whose children are being read. */
struct level {
	enum element element;
	uint32_t left; /* children still to read */
	size_t index; /* index of the class or the field */
};

struct annotation {
	size_t field;
	uint64_t class_id;
	struct fg_str value;
};

struct parser {
	struct jfr_metadata *m;
	struct jfr_bytes *b;
	struct fg_str *strings;
	size_t string_count;
	struct level *levels;
	size_t depth;
	size_t levels_alloc;
	struct annotation *annotations;
	size_t annotation_count;
	size_t annotations_alloc;
};

void jfr_metadata_release(struct jfr_metadata *m)
{
	fg_arena_release(&m->text);
	free(m->classes);
	free(m->fields);
	fg_map_release(&m->by_id);
	memset(m, 0, sizeof(*m));
}

/* ---- strings and attributes */

static int read_strings(struct parser *p)
{
	uint32_t count = jfr_int(p->b);
	struct fg_buf text = FG_BUF_INIT;
	uint64_t key;

	if (count > jfr_left(p->b))
		return -1;
	p->strings = fg_xcalloc((size_t)count + 1, sizeof(*p->strings));
	p->string_count = count;
	for (size_t i = 0; i < count; i++) {
		fg_buf_clear(&text);
		jfr_read_string(p->b, &text, &key);
		p->strings[i] = fg_arena_copy(&p->m->text, fg_buf_str(&text));
	}
	fg_buf_release(&text);
	return p->b->bad ? -1 : 0;
}

static struct fg_str string(struct parser *p)
{
	uint32_t at = jfr_int(p->b);

	if (at < p->string_count)
		return p->strings[at];
	p->b->bad = true;
	return fg_str_of(NULL, 0);
}

/*
 * Returns the number that `s` is, or 0. Returns 0 for a longer string without reading
 * it, because any number of elements may share it.
 */
static uint64_t number_of(struct fg_str s)
{
	uint64_t value;

	return s.len > DIGITS_MAX || fg_str_u64(s, &value) ? 0 : value;
}

static bool is(struct fg_str s, const char *text)
{
	return fg_str_eq(s, fg_str_from(text));
}

/* ---- elements */

static size_t read_class(struct parser *p, uint32_t attributes)
{
	struct jfr_metadata *m = p->m;
	struct jfr_class *c;

	FG_GROW(m->classes, m->classes_alloc, m->class_count + 1);
	c = &m->classes[m->class_count];
	memset(c, 0, sizeof(*c));
	c->first_field = m->field_count;
	for (; attributes && !p->b->bad; attributes--) {
		struct fg_str key = string(p), value = string(p);

		if (is(key, "id"))
			c->id = number_of(value);
		else if (is(key, "name"))
			c->name = value;
	}
	return m->class_count++;
}

static size_t read_field(struct parser *p, uint32_t attributes)
{
	struct jfr_metadata *m = p->m;
	struct jfr_field *f;

	FG_GROW(m->fields, m->fields_alloc, m->field_count + 1);
	f = &m->fields[m->field_count];
	memset(f, 0, sizeof(*f));
	for (; attributes && !p->b->bad; attributes--) {
		struct fg_str key = string(p), value = string(p);

		if (is(key, "name"))
			f->name = value;
		else if (is(key, "class"))
			f->class_id = number_of(value);
		else if (is(key, "constantPool"))
			f->constant = is(value, "true");
		else if (is(key, "dimension"))
			f->array = number_of(value) > 0;
	}
	m->classes[m->class_count - 1].field_count++;
	return m->field_count++;
}

static void read_annotation(struct parser *p, uint32_t attributes, size_t field)
{
	struct annotation a = { .field = field };

	for (; attributes && !p->b->bad; attributes--) {
		struct fg_str key = string(p), value = string(p);

		if (is(key, "class"))
			a.class_id = number_of(value);
		else if (is(key, "value"))
			a.value = value;
	}
	FG_GROW(p->annotations, p->annotations_alloc, p->annotation_count + 1);
	p->annotations[p->annotation_count++] = a;
}

static void read_element(struct parser *p, const struct level *parent)
{
	struct fg_str name = string(p);
	uint32_t attributes = jfr_int(p->b);
	struct level level = { .element = OTHER };
	const struct jfr_metadata *m = p->m;

	if (is(name, "class")) {
		level.element = CLASS;
		level.index = read_class(p, attributes);
	} else if (is(name, "field") && parent && parent->element == CLASS &&
		   parent->index + 1 == m->class_count) {
		level.element = FIELD;
		level.index = read_field(p, attributes);
	} else if (is(name, "annotation") && parent && parent->element == FIELD &&
		   parent->index + 1 == m->field_count) {
		read_annotation(p, attributes, parent->index);
	} else {
		for (; attributes && !p->b->bad; attributes--) {
			string(p);
			string(p);
		}
	}
	level.left = jfr_int(p->b);
	FG_GROW(p->levels, p->levels_alloc, p->depth + 1);
	p->levels[p->depth++] = level;
}

static void read_tree(struct parser *p)
{
	read_element(p, NULL);
	while (p->depth && !p->b->bad) {
		struct level *top = &p->levels[p->depth - 1];

		if (top->left) {
			struct level parent = *top;

			top->left--;
			read_element(p, &parent);
		} else {
			p->depth--;
		}
	}
}

/* ---- units and ids */

static enum jfr_unit unit_of(struct fg_str annotation, struct fg_str value)
{
	static const struct {
		const char *annotation;
		const char *value;
		enum jfr_unit unit;
	} units[] = {
		{ "jdk.jfr.Timespan", "TICKS", JFR_TICKS },
		{ "jdk.jfr.Timespan", "NANOSECONDS", JFR_NANOSECONDS },
		{ "jdk.jfr.Timespan", "MICROSECONDS", JFR_MICROSECONDS },
		{ "jdk.jfr.Timespan", "MILLISECONDS", JFR_MILLISECONDS },
		{ "jdk.jfr.Timespan", "SECONDS", JFR_SECONDS },
		{ "jdk.jfr.DataAmount", "BYTES", JFR_BYTES },
		{ "jdk.jfr.DataAmount", "BITS", JFR_BITS },
	};

	for (size_t i = 0; i < FG_COUNT_OF(units); i++)
		if (is(annotation, units[i].annotation) && is(value, units[i].value))
			return units[i].unit;
	return is(annotation, "jdk.jfr.Timestamp") ||
			       is(annotation, "jdk.jfr.MemoryAddress") ?
		       JFR_NO_AMOUNT :
		       JFR_COUNT;
}

static void index_classes(struct jfr_metadata *m)
{
	for (size_t i = 0; i < m->class_count; i++) {
		const struct fg_map_key key = { m->classes[i].id, 0 };
		bool is_new;

		fg_map_add(&m->by_id, key, i, &is_new);
	}
}

static void read_units(struct parser *p)
{
	for (size_t i = 0; i < p->annotation_count; i++) {
		const struct annotation *a = &p->annotations[i];
		const struct jfr_class *c = jfr_metadata_class(p->m, a->class_id);
		enum jfr_unit unit = c ? unit_of(c->name, a->value) : JFR_COUNT;

		if (unit != JFR_COUNT)
			p->m->fields[a->field].unit = unit;
	}
}

int jfr_metadata_read(struct jfr_metadata *m, struct jfr_bytes *b)
{
	struct parser p = { .m = m, .b = b };
	int status = -1;

	jfr_metadata_release(m);
	jfr_skip_numbers(b, 3, 8); /* start, duration, id */
	if (!read_strings(&p))
		read_tree(&p);
	if (!b->bad && m->class_count) {
		index_classes(m);
		read_units(&p);
		status = 0;
	}
	free(p.strings);
	free(p.levels);
	free(p.annotations);
	return status;
}

const struct jfr_class *jfr_metadata_class(const struct jfr_metadata *m, uint64_t id)
{
	const size_t *index = fg_map_find(&m->by_id, (struct fg_map_key){ id, 0 });

	return index ? &m->classes[*index] : NULL;
}

const struct jfr_field *jfr_class_field(const struct jfr_class *c, struct fg_str name)
{
	for (size_t i = 0; i < c->field_count; i++)
		if (fg_str_eq(c->fields[i].name, name))
			return &c->fields[i];
	return NULL;
}
