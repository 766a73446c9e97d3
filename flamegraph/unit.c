/* The unit and the event of a profile, from the header lines of folded text. */
#include "flamegraph/unit.h"

void fg_unit_release(struct fg_unit *u)
{
	fg_buf_release(&u->unit);
	fg_buf_release(&u->event);
}

/* Profiles that are read together may count different things. */
static void take(struct fg_buf *kept, bool *mixed, struct fg_str value)
{
	value = fg_str_trim(value);
	if (!value.len || *mixed)
		return;
	if (!kept->len)
		fg_buf_add_str(kept, value);
	if (fg_str_eq(fg_buf_str(kept), value))
		return;
	*mixed = true;
	fg_buf_clear(kept);
}

bool fg_unit_read(struct fg_unit *u, struct fg_str line)
{
	struct fg_str unit = FG_STR("# unit:"), event = FG_STR("# event:");

	if (!line.len || line.ptr[0] != '#' || fg_str_has_char(line, ';'))
		return false;
	if (fg_str_starts(line, unit))
		take(&u->unit, &u->mixed_units, fg_str_from_pos(line, unit.len));
	else if (fg_str_starts(line, event))
		take(&u->event, &u->mixed_events, fg_str_from_pos(line, event.len));
	else
		return false;
	return true;
}

const char *fg_unit_name(struct fg_unit *u, const struct fg_graph_options *o)
{
	return o->unit ? o->unit : fg_buf_cstr(&u->unit);
}

const char *fg_unit_event(struct fg_unit *u)
{
	return fg_buf_cstr(&u->event);
}

const char *fg_unit_word(struct fg_unit *u, const struct fg_graph_options *o)
{
	const char *unit = fg_unit_name(u, o);

	if (o->countname)
		return o->countname;
	return *unit ? unit : "samples";
}
