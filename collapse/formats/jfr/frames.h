/*
 * Turns the stack traces and threads of a chunk into frames of the sink.
 *
 *     jfr_frames_start(f, constants, size);
 *     found = jfr_frames_add(f, event->stack, sample->stack);
 *
 * Each stack, method and text is decoded once, because any number of samples, frames
 * and methods may share it.
 */
#ifndef FG_JFR_FRAMES_H
#define FG_JFR_FRAMES_H

#include "collapse/formats/jfr/constants.h"
#include "collapse/formats/jfr/name.h"
#include "collapse/function.h"

struct jfr_frames {
	struct fg_sink *sink;
	const struct jfr_constants *constants;

	/* names */
	struct fg_map names; /* frame id, by method, line and type of frame */
	struct fg_intern places; /* methods, by the addresses of their texts */
	uint32_t *by_place; /* frame ids, indexed by the id in `places` */
	size_t by_place_alloc;
	uint64_t name_budget; /* bytes of text that may still be read for names */
	uint64_t nameless; /* methods and threads for which the budget was spent */
	struct fg_map natives; /* true for native code, by type of frame */

	/* stacks */
	struct fg_map stacks; /* index in `known`, by class and key */
	struct jfr_known_stack *known;
	size_t known_count, known_alloc;
	uint32_t *ids; /* frames of the known stacks, leaf first */
	size_t id_count, ids_alloc;
	size_t stack_budget; /* bytes that may still be read for stacks */
	struct fg_frame_budget frame_budget;

	struct fg_buf name, class, method, descriptor; /* scratch */
	enum jfr_lines lines;
};

enum jfr_stack {
	JFR_STACK_NONE, /* the event has no stack */
	JFR_STACK_MISSING, /* the recording lacks the stack trace of the event */
	JFR_STACK_WHOLE,
	JFR_STACK_CUT, /* the profiler or we left out callers */
	JFR_STACK_BEYOND, /* a budget is spent, so no frame is added */
};

/* Frees the memory. Before the first use, set `sink` and zero the rest. */
void jfr_frames_release(struct jfr_frames *f);

/* Starts a chunk of `size` bytes, with its constants. */
void jfr_frames_start(struct jfr_frames *f, const struct jfr_constants *constants,
		      uint64_t size);

/* Adds the frames of the stack trace with this key, leaf first. */
enum jfr_stack jfr_frames_add(struct jfr_frames *f, const struct jfr_field *stack,
			      uint64_t key);

/*
 * Returns the name of a thread, which is empty if unknown and valid until the next
 * call. The field must have a class.
 */
struct fg_str jfr_frames_thread(struct jfr_frames *f, const struct jfr_field *thread,
				uint64_t key);

#endif
