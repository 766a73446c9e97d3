/* Sets up a comparison of two folded profiles, and releases it. */
#include "difffolded/diff.h"

#include <stdlib.h>
#include <string.h>

void fg_diff_init(struct fg_diff *d, struct fg_diff_options options,
		  struct fg_diag *diag)
{
	memset(d, 0, sizeof(*d));
	d->options = options;
	d->diag = diag;
}

void fg_diff_release(struct fg_diff *d)
{
	for (size_t i = 0; i < d->other_count; i++)
		fg_diff_release(&d->others[i]);
	free(d->others);
	fg_sections_release(&d->sections[FG_BEFORE]);
	fg_sections_release(&d->sections[FG_AFTER]);
	fg_merge_release(&d->merge);
	fg_diff_roots_release(&d->roots);
	free(d->pile.lines);
	fg_buf_release(&d->pile.text);
	fg_buf_release(&d->ignored.message);
	fg_buf_release(&d->messages.text);
	fg_buf_release(&d->shown);
	fg_buf_release(&d->stripped);
	fg_buf_release(&d->rooted);
	fg_buf_release(&d->closed);
	fg_unit_release(&d->units[0]);
	fg_unit_release(&d->units[1]);
	fg_diff_init(d, d->options, d->diag);
}
