/* Turns a chunk's stack traces and threads into frames of the sink. */
#ifndef FG_JFR_FRAMES_H
#define FG_JFR_FRAMES_H

#include "collapse/formats/jfr/constants.h"
#include "collapse/function.h"

struct jfr_frames {
	struct fg_sink *sink;
	const struct jfr_constants *constants;
	struct fg_map names; /* frame id, by method, line and type of frame */
	struct fg_intern places; /* the same, by where a method's texts are */
	uint32_t *by_place;
	size_t by_place_alloc;
	uint64_t name_room; /* bytes of texts that are still read for names */
	uint64_t nameless; /* methods for which there was none */
	struct fg_map natives; /* whether it is no Java method, by type of frame */
	struct fg_map stacks; /* index of the stack, by class and key */
	struct jfr_known_stack *known;
	size_t known_count, known_alloc;
	uint32_t *ids; /* of the frames of stacks that are known, leaf first */
	size_t id_count, ids_alloc;
	size_t unread; /* bytes that are still read for stacks */
	struct fg_frame_budget room;
	struct fg_buf name, class, method, descriptor;
	bool srcline;
};

enum jfr_stack {
	JFR_STACK_NONE,
	JFR_STACK_MISSING,
	JFR_STACK_WHOLE,
	JFR_STACK_CUT,
	JFR_STACK_BEYOND, /* no frame is added: they would be too many */
};

/* A struct is ready with `sink` set and the rest zeroed; start each chunk below. */
void jfr_frames_release(struct jfr_frames *f);

/* Starts a chunk of so many bytes, with its constants; none was nameless so far. */
void jfr_frames_start(struct jfr_frames *f, const struct jfr_constants *constants,
		      uint64_t size);

/* Adds the frames of the stack trace with this key, leaf first. */
enum jfr_stack jfr_frames_add(struct jfr_frames *f, const struct jfr_field *stack,
			      uint64_t key);

/*
 * The name of a thread, of a field that has a class; empty if it has none. Valid until
 * the next call.
 */
struct fg_str jfr_frames_thread(struct jfr_frames *f, const struct jfr_field *thread,
				uint64_t key);

#endif
