/* Stacks and threads of a chunk, as frames of the sink. */
#ifndef FG_JFR_FRAMES_H
#define FG_JFR_FRAMES_H

#include "collapse/formats/jfr/constants.h"
#include "collapse/sink.h"

struct jfr_frames {
	struct fg_sink *sink;
	const struct jfr_constants *constants;
	const struct jfr_metadata *metadata;
	struct fg_map names; /* of method, line and kind: the frame's id */
	struct fg_map natives; /* of a type of frame: whether it is no method of Java */
	struct fg_buf name, class, method, descriptor;
	bool srcline;
};

enum jfr_stack { JFR_STACK_NONE, JFR_STACK_MISSING, JFR_STACK_WHOLE, JFR_STACK_CUT };

/* A zeroed struct with the first two members is ready. */
void jfr_frames_release(struct jfr_frames *f);

/* Constants and metadata are others from now on. */
void jfr_frames_start(struct jfr_frames *f, const struct jfr_constants *constants,
		      const struct jfr_metadata *metadata);

/* Adds the frames of the stack of that key, leaf first. */
enum jfr_stack jfr_frames_add(struct jfr_frames *f, const struct jfr_field *stack,
			      uint64_t key);

/* The name of a thread, valid until the next call; .ptr NULL where it has none. */
struct fg_str jfr_frames_thread(struct jfr_frames *f, const struct jfr_field *thread,
				uint64_t key);

#endif
