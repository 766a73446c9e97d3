/* Stacks looked up by their frames, for profiles that are not sorted. */
#include "difffolded/table.h"

#include <stdlib.h>
#include <string.h>

#include "lib/xalloc.h"

void fg_table_init(struct fg_table *t)
{
	memset(t, 0, sizeof(*t));
	fg_intern_init(&t->names);
	fg_counts_init(&t->counts, 2);
}

void fg_table_release(struct fg_table *t)
{
	fg_intern_release(&t->names);
	fg_counts_release(&t->counts);
	fg_buf_release(&t->last.text);
	free(t->last.ids);
	free(t->last.ends);
	fg_table_init(t);
}

/* Shortens the last stack to the frames, with their ';', that `stack` starts with. */
static void keep_common(struct fg_table_frames *f, struct fg_str stack)
{
	size_t common = fg_str_common(fg_buf_str(&f->text), stack);
	size_t depth = f->depth;

	while (depth && f->ends[depth - 1] >= common)
		depth--;
	f->depth = depth;
	f->text.len = common;
}

static void set_frames(struct fg_table *t, struct fg_str stack)
{
	struct fg_table_frames *f = &t->last;
	size_t at;

	keep_common(f, stack);
	fg_buf_add_str(&f->text, fg_str_from_pos(stack, f->text.len));
	at = f->depth ? f->ends[f->depth - 1] + 1 : 0;
	for (;;) {
		struct fg_str rest = fg_str_from_pos(stack, at);
		struct fg_str frame = fg_str_cut(&rest, ';');

		FG_GROW(f->ids, f->ids_alloc, f->depth + 1);
		FG_GROW(f->ends, f->ends_alloc, f->depth + 1);
		at += frame.len;
		f->ends[f->depth] = at;
		f->ids[f->depth++] = fg_intern(&t->names, frame);
		if (at++ == stack.len)
			break;
	}
}

void fg_table_add(struct fg_table *t, struct fg_str stack, unsigned column,
		  struct fg_count n)
{
	set_frames(t, stack);
	fg_counts_add(&t->counts, t->last.ids, t->last.depth, column, n);
}
