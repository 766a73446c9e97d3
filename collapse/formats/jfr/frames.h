/* Turns a chunk's stack traces and threads into frames of the sink. */
#ifndef FG_JFR_FRAMES_H
#define FG_JFR_FRAMES_H

#include "collapse/formats/jfr/constants.h"
#include "collapse/sink.h"

struct jfr_frames {
	struct fg_sink *sink;
	const struct jfr_constants *constants;
	const struct jfr_metadata *metadata;
	struct fg_map names; /* frame id, by method, line and type of frame */
	struct fg_map natives; /* whether it is no Java method, by type of frame */
	struct fg_buf name, class, method, descriptor;
	bool srcline;
};

enum jfr_stack { JFR_STACK_NONE, JFR_STACK_MISSING, JFR_STACK_WHOLE, JFR_STACK_CUT };

/* A struct is ready with `sink` set and the rest zeroed; start each chunk below. */
void jfr_frames_release(struct jfr_frames *f);

/* Starts a chunk, with its constants and metadata. */
void jfr_frames_start(struct jfr_frames *f, const struct jfr_constants *constants,
		      const struct jfr_metadata *metadata);

/* Adds the frames of the stack trace with this key, leaf first. */
enum jfr_stack jfr_frames_add(struct jfr_frames *f, const struct jfr_field *stack,
			      uint64_t key);

/* A thread's name, valid until the next call; .ptr is NULL if it has none. */
struct fg_str jfr_frames_thread(struct jfr_frames *f, const struct jfr_field *thread,
				uint64_t key);

#endif
