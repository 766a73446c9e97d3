/* Folded text through a filter: frames are looked up where the line before differs. */
#include <stdlib.h>
#include <string.h>

#include "lib/filter_state.h"
#include "lib/xalloc.h"

void fg_filter_text_release(struct fg_filter_line *line)
{
	fg_buf_release(&line->text);
	fg_buf_release(&line->changed);
	free(line->ids);
	free(line->ends);
	free(line->out);
	memset(line, 0, sizeof(*line));
}

/* Keeps the frames that the stack shares with the one before; where the next starts. */
static size_t keep_common(struct fg_filter_line *line, struct fg_str stack)
{
	size_t common = fg_str_common(fg_buf_str(&line->text), stack);

	while (line->depth && line->ends[line->depth - 1] > common)
		line->depth--;
	if (line->depth && line->ends[line->depth - 1] == common &&
	    stack.len > common && stack.ptr[common] != ';')
		line->depth--;
	line->text.len = common;
	fg_buf_add_str(&line->text, fg_str_from_pos(stack, common));
	return line->depth ? line->ends[line->depth - 1] + 1 : 0;
}

static void read_frames(struct fg_filter *f, struct fg_str stack)
{
	struct fg_filter_line *line = &f->text;
	size_t start = keep_common(line, stack);

	if (!stack.len)
		line->depth = 0;
	/* an empty frame that is the leaf starts where the stack ends */
	while (start < stack.len || (start && start == stack.len)) {
		struct fg_str rest = fg_str_from_pos(stack, start);
		struct fg_str frame = fg_str_before(rest, fg_str_find_char(rest, ';'));

		FG_GROW(line->ids, line->ids_alloc, line->depth + 1);
		FG_GROW(line->ends, line->ends_alloc, line->depth + 1);
		line->ids[line->depth] = fg_intern(f->names, frame);
		line->ends[line->depth++] = start + frame.len;
		start += frame.len + 1;
	}
}

/* The text of other frames than the line has. */
static struct fg_str text_of(struct fg_filter *f, const struct fg_filter_stack *s)
{
	struct fg_buf *text = &f->text.changed;

	fg_buf_clear(text);
	for (size_t i = 0; i < s->depth; i++) {
		if (i)
			fg_buf_add_char(text, ';');
		fg_buf_add_str(text, fg_intern_name(f->names, s->ids[i]));
	}
	return fg_buf_str(text);
}

bool fg_filter_text(struct fg_filter *f, struct fg_str *stack)
{
	struct fg_filter_line *line = &f->text;
	struct fg_filter_stack s;

	if (!fg_filter_options_change(f->options))
		return fg_filter_keeps(f, *stack);
	read_frames(f, *stack);
	FG_GROW(line->out, line->out_alloc, line->depth + 1);
	if (line->depth)
		memcpy(line->out, line->ids, line->depth * sizeof(*line->out));
	s = (struct fg_filter_stack){ line->out, line->depth, 0, 0 };
	if (!fg_filter_stack(f, &s))
		return false;
	if (s.depth != line->depth ||
	    (s.depth && memcmp(s.ids, line->ids, s.depth * sizeof(*s.ids)) != 0))
		*stack = text_of(f, &s);
	return fg_filter_keeps(f, *stack);
}
