/* The words for what a profile counts, by its header and the options. */
#include "flamegraph/unit.h"

const char *fg_unit_name(struct fg_unit *u, const struct fg_graph_options *o)
{
	return o->unit ? o->unit : fg_buf_cstr(&u->unit);
}

const char *fg_unit_event(struct fg_unit *u)
{
	return fg_buf_cstr(&u->event);
}

const char *fg_unit_sample_weight(struct fg_unit *u)
{
	return fg_buf_cstr(&u->sample_weight);
}

const char *fg_unit_word(struct fg_unit *u, const struct fg_graph_options *o)
{
	const char *unit = fg_unit_name(u, o);

	if (o->countname)
		return o->countname;
	return *unit ? unit : "samples";
}
