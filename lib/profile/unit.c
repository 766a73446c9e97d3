/* What a profile counts, from the header lines of folded text. */
#include "lib/profile/unit.h"

#include "lib/base/visible.h"

void fg_unit_release(struct fg_unit *u)
{
	fg_buf_release(&u->unit);
	fg_buf_release(&u->event);
	fg_buf_release(&u->sample_weight);
	fg_buf_release(&u->command);
}

/* Profiles that are read together may count different things. */
static void take(struct fg_buf *kept, bool *mixed, struct fg_str value)
{
	struct fg_buf shown = FG_BUF_INIT;

	value = fg_visible(fg_str_trim(value), &shown);
	if (!kept->len && !*mixed) {
		fg_buf_add_str(kept, value);
	} else if (value.len && !fg_str_eq(fg_buf_str(kept), value)) {
		*mixed = true;
		fg_buf_clear(kept);
	}
	fg_buf_release(&shown);
}

void fg_unit_take(struct fg_unit *u, struct fg_str unit, struct fg_str event)
{
	take(&u->unit, &u->mixed_units, unit);
	take(&u->event, &u->mixed_events, event);
}

bool fg_unit_read(struct fg_unit *u, struct fg_str line)
{
	struct fg_str unit = FG_STR("# unit:"), event = FG_STR("# event:");
	struct fg_str weight = FG_STR(FG_UNIT_WEIGHT);
	struct fg_str command = FG_STR(FG_UNIT_COMMAND);

	if (!line.len || line.ptr[0] != '#' || fg_str_has_char(line, ';'))
		return false;
	if (fg_str_starts(line, unit))
		take(&u->unit, &u->mixed_units, fg_str_from_pos(line, unit.len));
	else if (fg_str_starts(line, event))
		take(&u->event, &u->mixed_events, fg_str_from_pos(line, event.len));
	else if (fg_str_starts(line, weight))
		take(&u->sample_weight, &u->mixed_weights,
		     fg_str_from_pos(line, weight.len));
	else if (fg_str_starts(line, command))
		take(&u->command, &u->mixed_commands,
		     fg_str_from_pos(line, command.len));
	else
		return false;
	return true;
}

static void add_line(const char *key, const struct fg_buf *value, struct fg_buf *lines)
{
	if (!value->len)
		return;
	fg_buf_addf(lines, "# %s: ", key);
	fg_buf_add_str(lines, fg_buf_str(value));
	fg_buf_add_char(lines, '\n');
}

void fg_unit_add(const struct fg_unit *u, struct fg_buf *lines)
{
	add_line("event", &u->event, lines);
	add_line("unit", &u->unit, lines);
	add_line("sample-weight", &u->sample_weight, lines);
	add_line("command", &u->command, lines);
}
