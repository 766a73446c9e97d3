/*
 * The frames of a line that a profiler prints again and again, worked out once.
 *
 * A grammar says how a text becomes frames; the ids of those that it adds to the sink's
 * stack are remembered under the text, in a memo, which has an end.
 */
#ifndef FG_COLLAPSE_FRAMES_H
#define FG_COLLAPSE_FRAMES_H

#include "collapse/memo.h"
#include "collapse/sink.h"

struct fg_frames {
	struct fg_stack *stack; /* the sink's */
	void (*add)(void *state, struct fg_str text);
	void *state;

	/* private */
	struct fg_memo memo;
	struct fg_runs runs;
};

/*
 * `add` adds the frames of a text to the sink's stack, leaf first, by fg_sink_frame.
 * Both sink and state are borrowed.
 */
void fg_frames_init(struct fg_frames *f, struct fg_sink *sink,
		    void (*add)(void *state, struct fg_str text), void *state);
void fg_frames_release(struct fg_frames *f);

/*
 * Adds the frames of a text, and remembers them. The variant, up to 255, is what else
 * they depend on.
 */
void fg_frames_add(struct fg_frames *f, struct fg_str text, unsigned variant);

/* Adds a run of frames; for fg_frames_add_known. */
void fg_frames_add_run(struct fg_frames *f, struct fg_memo_value run);

/* Adds the frames of a text if it is remembered; whether it was. */
static inline bool fg_frames_add_known(struct fg_frames *f, struct fg_str text,
				       unsigned variant)
{
	const struct fg_memo_key key = fg_memo_key(&f->memo, text, variant);
	const struct fg_memo_entry *entry = fg_memo_find(&f->memo, &key);

	if (!entry)
		return false;
	if (entry->flags)
		fg_frames_add_run(f, fg_memo_value(entry));
	else
		fg_stack_add_root(f->stack, entry->id);
	return true;
}

#endif
