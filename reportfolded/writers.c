/* Helpers of the formats that a profile is exported to. */
#include "reportfolded/writers.h"

#include <stdlib.h>

struct fg_str fg_export_frames(struct fg_export_frames *f, const struct fg_stacks *s)
{
	size_t depth = fg_stacks_depth(s);

	FG_GROW(f->ends, f->alloc, depth);
	f->text.len = s->kept ? f->ends[s->kept - 1] : 0;
	for (size_t i = s->kept; i < depth; i++) {
		if (i)
			fg_buf_add_char(&f->text, ',');
		f->add(f->data, fg_stacks_node(s, i), &f->text);
		f->ends[i] = f->text.len;
	}
	return fg_buf_str(&f->text);
}

void fg_export_frames_release(struct fg_export_frames *f)
{
	fg_buf_release(&f->text);
	free(f->ends);
}

void fg_export_add_title(const struct fg_export *e, const struct fg_value *value,
			 unsigned column, struct fg_buf *title)
{
	fg_buf_add_str(title, fg_buf_str(&value->name));
	if (e->values.columns == 2)
		fg_buf_add_str(title, column == FG_BEFORE ? FG_STR(" (before)") :
							    FG_STR(" (after)"));
}
