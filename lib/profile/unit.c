/* Reads and writes the header lines that say what a profile counts. */
#include "lib/profile/unit.h"

#include <stddef.h>

#include "lib/base/visible.h"

/* The header lines in the order in which they are written. */
static const struct field {
	struct fg_str start;
	size_t value; /* offset of the value in struct fg_unit */
	size_t mixed; /* offset of the bool that tells if values were mixed */
} fields[] = {
#define FIELD(key, value, mixed)                                            \
	{                                                                   \
		FG_STR_INIT("# " key ":"), offsetof(struct fg_unit, value), \
			offsetof(struct fg_unit, mixed)                     \
	}
	FIELD("event", event, mixed_events),
	FIELD("unit", unit, mixed_units),
	FIELD("totals", totals, mixed_totals),
	FIELD("sample-weight", sample_weight, mixed_weights),
	FIELD("command", command, mixed_commands),
#undef FIELD
};

static const struct fg_str quality = FG_STR_INIT("# quality:");

static struct fg_buf *value_of(struct fg_unit *u, const struct field *f)
{
	return (struct fg_buf *)((char *)u + f->value);
}

static const struct fg_buf *known_value(const struct fg_unit *u, const struct field *f)
{
	return (const struct fg_buf *)((const char *)u + f->value);
}

void fg_unit_release(struct fg_unit *u)
{
	for (size_t i = 0; i < FG_COUNT_OF(fields); i++)
		fg_buf_release(value_of(u, &fields[i]));
}

/*
 * Sets a value. If the field has another value already, empties it and marks it as
 * mixed.
 */
static void take(struct fg_unit *u, const struct field *f, struct fg_str value)
{
	struct fg_buf *kept = value_of(u, f), shown = FG_BUF_INIT;
	bool *mixed = (bool *)((char *)u + f->mixed);

	value = fg_visible(fg_str_trim(value), &shown);
	if (!kept->len && !*mixed) {
		fg_buf_add_str(kept, value);
	} else if (value.len && !fg_str_eq(fg_buf_str(kept), value)) {
		*mixed = true;
		fg_buf_clear(kept);
	}
	fg_buf_release(&shown);
}

bool fg_unit_read(struct fg_unit *u, struct fg_str line)
{
	if (!line.len || line.ptr[0] != '#' || fg_str_has_char(line, ';'))
		return false;
	for (size_t i = 0; i < FG_COUNT_OF(fields); i++)
		if (fg_str_starts(line, fields[i].start)) {
			take(u, &fields[i], fg_str_from_pos(line, fields[i].start.len));
			return true;
		}
	if (!fg_str_cut_start(&line, quality))
		return false;
	fg_quality_read(&u->quality, line);
	return true;
}

void fg_unit_take(struct fg_unit *u, struct fg_str unit, struct fg_str event)
{
	struct fg_unit from = { .mixed_units = false };

	fg_buf_add_str(&from.unit, unit);
	fg_buf_add_str(&from.event, event);
	fg_unit_take_all(u, &from);
	fg_unit_release(&from);
}

void fg_unit_take_all(struct fg_unit *u, const struct fg_unit *from)
{
	for (size_t i = 0; i < FG_COUNT_OF(fields); i++)
		take(u, &fields[i], fg_buf_str(known_value(from, &fields[i])));
	fg_quality_add(&u->quality, &from->quality);
}

void fg_unit_add(const struct fg_unit *u, struct fg_buf *lines)
{
	for (size_t i = 0; i < FG_COUNT_OF(fields); i++) {
		const struct fg_buf *value = known_value(u, &fields[i]);

		if (!value->len)
			continue;
		fg_buf_add_str(lines, fields[i].start);
		fg_buf_add_char(lines, ' ');
		fg_buf_add_str(lines, fg_buf_str(value));
		fg_buf_add_char(lines, '\n');
	}
	fg_quality_add_line(&u->quality, lines);
}
