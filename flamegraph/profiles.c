/* Puts several profiles into one picture. */
#include "flamegraph/profiles.h"

#include "lib/base/utf8.h"

/*
 * The most characters of the note that names the other profiles in the static picture.
 */
#define NOTE_CHARS 100

static bool is_taken(const struct fg_graph *graphs, size_t count, struct fg_str name)
{
	for (size_t i = 0; i < count; i++)
		if (fg_str_eq(fg_buf_str(&graphs[i].profile.name), name))
			return true;
	return false;
}

/*
 * Names a profile by its event, or its unit, or both if an earlier one has the same
 * name.
 */
static void name_it(struct fg_graph *graphs, size_t nth)
{
	struct fg_graph *g = &graphs[nth];
	struct fg_str event = fg_buf_str(&g->unit.event);
	struct fg_str unit = fg_buf_str(&g->unit.unit);
	struct fg_buf *name = &g->profile.name;

	fg_buf_add_str(name, event.len ? event : unit.len ? unit : FG_STR("profile"));
	if (is_taken(graphs, nth, fg_buf_str(name)) && event.len && unit.len) {
		fg_buf_addf(name, " in ");
		fg_buf_add_str(name, unit);
	}
	if (is_taken(graphs, nth, fg_buf_str(name)))
		fg_buf_addf(name, " (%zu)", nth + 1);
}

void fg_profiles_init(struct fg_graph *graphs, size_t count)
{
	for (size_t i = 0; count > 1 && i < count; i++) {
		graphs[i].profile.nth = i;
		name_it(graphs, i);
	}
	if (count > 1) {
		graphs[0].profile.others = graphs + 1;
		graphs[0].profile.other_count = count - 1;
	}
}

void fg_profiles_check(struct fg_graph *first)
{
	struct fg_picture_profile *profile = &first->profile;
	bool all = first->data.bytes.len > 0;

	for (size_t i = 0; i < profile->other_count; i++)
		all = all && profile->others[i].data.bytes.len;
	if (all || !profile->other_count)
		return;
	fg_warn(first->diag, NULL,
		"the picture has only the first of %zu profiles, %s: the others cannot "
		"be shown without data",
		profile->other_count + 1, fg_buf_cstr(&profile->name));
	profile->other_count = 0;
}

bool fg_profiles_note(const struct fg_graph *first, struct fg_buf *text)
{
	struct fg_buf names = FG_BUF_INIT;
	struct fg_str shown;

	if (!first->profile.other_count)
		return false;
	for (size_t i = 0; i < first->profile.other_count; i++) {
		const struct fg_graph *g = &first->profile.others[i];

		fg_buf_add_str(&names, i ? FG_STR(", ") : FG_STR(""));
		fg_buf_add_str(&names, fg_buf_str(&g->profile.name));
		if (g->unit.unit.len && !fg_str_eq(fg_buf_str(&g->unit.unit),
						   fg_buf_str(&g->profile.name))) {
			fg_buf_add_str(&names, FG_STR(" ("));
			fg_buf_add_str(&names, fg_buf_str(&g->unit.unit));
			fg_buf_add_char(&names, ')');
		}
	}
	shown = fg_utf8_fitting(fg_buf_str(&names), NOTE_CHARS);
	fg_buf_add_str(text, fg_buf_str(&first->profile.name));
	fg_buf_add_str(text, FG_STR("; also in this file: "));
	fg_buf_add_str(text, shown);
	if (shown.len < names.len)
		fg_buf_add_str(text, FG_STR(".."));
	fg_buf_release(&names);
	return true;
}
