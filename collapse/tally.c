/* What became of the input: counts, and the first line that was not understood. */
#include "collapse/tally.h"

#include <stdlib.h>

void fg_tally_release(struct fg_tally *t)
{
	fg_buf_release(&t->odd_text);
	free(t->losses);
}

void fg_tally_odd_line(struct fg_tally *t, struct fg_place at, struct fg_str line,
		       struct fg_diag *diag)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_buf_add_visible(&text, line, FG_QUOTED_MAX);
	if (!t->odd_lines++) {
		t->odd_place = at;
		fg_buf_add_str(&t->odd_text, fg_buf_str(&text));
	}
	fg_note(diag, &at, "not understood: '%s'", fg_buf_cstr(&text));
	fg_buf_release(&text);
}
