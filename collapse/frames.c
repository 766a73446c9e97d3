/* Keeps the frames of lines that were seen before. */
#include "collapse/frames.h"

#include <stdlib.h>

void fg_frames_init(struct fg_frames *f, struct fg_sink *sink,
		    void (*add)(void *state, struct fg_str text), void *state)
{
	*f = (struct fg_frames){ .stack = fg_sink_stack(sink),
				 .add = add,
				 .state = state };
	fg_memo_init(&f->memo);
}

void fg_frames_release(struct fg_frames *f)
{
	fg_memo_release(&f->memo);
	free(f->runs.items);
}

void fg_frames_add_run(struct fg_frames *f, struct fg_memo_value run)
{
	size_t count;
	const uint32_t *ids = fg_runs_get(&f->runs, &run, &count);

	while (count--)
		fg_stack_add_root(f->stack, ids[count]);
}

/*
 * Returns the memo value for the frames that were added since the stack had `depth`
 * frames.
 */
static struct fg_memo_value value_of(struct fg_frames *f, size_t depth)
{
	return fg_runs_add(&f->runs, fg_stack_ids(f->stack),
			   fg_stack_depth(f->stack) - depth);
}

void fg_frames_add(struct fg_frames *f, struct fg_str text, unsigned variant)
{
	const struct fg_memo_key key = fg_memo_key(&f->memo, text, variant);
	size_t depth = fg_stack_depth(f->stack);

	if (fg_frames_add_known(f, text, variant))
		return;
	f->add(f->state, text);
	if (fg_memo_has_room(&f->memo, &key))
		fg_memo_add(&f->memo, &key, value_of(f, depth));
}
