/* Frames by the text that they are made of: what is worked out once. */
#include "collapse/frames.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

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
	free(f->runs);
}

void fg_frames_add_run(struct fg_frames *f, uint32_t run)
{
	uint32_t count = f->runs[run];

	for (uint32_t i = 1; i <= count; i++)
		fg_stack_add_root(f->stack, f->runs[run + i]);
}

/* What to remember: the frames that are on the stack beyond `depth`. */
static struct fg_memo_value value_of(struct fg_frames *f, size_t depth)
{
	const uint32_t *ids = fg_stack_ids(f->stack);
	size_t count = fg_stack_depth(f->stack) - depth;
	struct fg_memo_value value = { (uint32_t)f->runs_count, 1 };

	if (count == 1)
		return (struct fg_memo_value){ ids[0], 0 };
	if (f->runs_count + count >= UINT32_MAX)
		fg_size_overflow(); /* offsets are 32 bits wide */
	FG_GROW(f->runs, f->runs_alloc, f->runs_count + count + 1);
	f->runs[f->runs_count++] = (uint32_t)count;
	while (count--)
		f->runs[f->runs_count++] = ids[count];
	return value;
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
