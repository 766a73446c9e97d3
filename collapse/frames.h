/*
 * Works out the frames of a line once, although a profiler prints it again and again.
 *
 *     fg_frames_init(&frames, sink, add_frames_of_text, state);
 *     fg_frames_add(&frames, line, 0);
 *
 * The grammar's function turns a line into frames on the sink's stack. Their ids are
 * kept in a memo (collapse/memo.h) under the text of the line, up to a limit.
 */
#ifndef FG_COLLAPSE_FRAMES_H
#define FG_COLLAPSE_FRAMES_H

#include "collapse/memo.h"
#include "collapse/sink.h"

struct fg_frames {
	struct fg_stack *stack; /* the stack of the sink */
	void (*add)(void *state, struct fg_str text);
	void *state;

	/* private */
	struct fg_memo memo;
	struct fg_runs runs;
};

/*
 * `add` must add the frames of a text to the sink's stack, leaf first, by
 * fg_sink_frame(). Sink and state are borrowed.
 */
void fg_frames_init(struct fg_frames *f, struct fg_sink *sink,
		    void (*add)(void *state, struct fg_str text), void *state);
void fg_frames_release(struct fg_frames *f);

/*
 * Adds the frames of a text to the stack. `variant`, up to 255, stands for everything
 * else that these frames depend on.
 */
void fg_frames_add(struct fg_frames *f, struct fg_str text, unsigned variant);

/* Adds the frames of a memo value that is a run. Used by fg_frames_add_known(). */
void fg_frames_add_run(struct fg_frames *f, struct fg_memo_value run);

/* Adds the frames of a text if they are in the memo; else returns false. */
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
