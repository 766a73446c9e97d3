/* Reads folded stacks of one or two columns into a tree. */
#include "reportfolded/read.h"

#include "lib/profile/filter.h"
#include "lib/profile/folded_input.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/recognize.h"

struct reading {
	struct fg_columns *profile;
	struct fg_filter *filter; /* for --no-lines, or NULL */
	struct fg_folded_input lines;
};

static int add_stack(void *data, struct fg_folded *folded, const struct fg_place *at)
{
	struct reading *r = data;

	if (r->filter)
		fg_filter_text(r->filter, &folded->stack);
	return fg_folded_input_merge(&r->profile->tree, folded, at, r->lines.diag);
}

static int report_none(struct reading *r)
{
	struct fg_place at = { r->lines.no_count.at.input, 0 };

	return fg_error(r->lines.diag, at.input ? &at : NULL,
			"no stack counts found: %s", fg_folded_input_fault(&r->lines));
}

/*
 * Refuses input whose sections count different things, because these cannot be added.
 */
static int check_unit(const struct fg_unit *unit, struct fg_diag *diag)
{
	if (!unit->mixed_events && !unit->mixed_units)
		return 0;
	return fg_error(diag, NULL,
			"the input has several sections, whose %s differ: "
			"filter-folded --section NAME chooses one",
			unit->mixed_events ? "events" : "units");
}

int fg_report_read(struct fg_columns *p, bool no_lines, struct fg_reader *reader,
		   struct fg_diag *diag)
{
	const struct fg_filter_options options = { .no_lines = no_lines };
	struct reading r = { .profile = p };
	int status;

	fg_filter_new(&options, NULL, diag, &r.filter); /* cannot fail: no patterns */
	*p = (struct fg_columns){ 0 };
	fg_tree_init(&p->tree, FG_TREE_SORTED);
	fg_folded_input_init(&r.lines, diag, &p->unit, add_stack, &r);
	r.lines.guess = fg_recognize_guess;
	status = fg_folded_input_read(&r.lines, reader);
	if (!status)
		status = check_unit(&p->unit, diag);
	if (!status) {
		p->columns = r.lines.columns;
		fg_columns_finish(p);
		if (!p->totals[FG_BEFORE] && !p->totals[FG_AFTER])
			status = report_none(&r);
		else
			fg_folded_input_warn(&r.lines, "");
	}
	fg_filter_free(r.filter);
	fg_folded_input_release(&r.lines);
	return status;
}
