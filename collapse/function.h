/*
 * Functions as profiles with tables have them: by several names, of a source file and
 * of a program or library, all of which may be missing; and how many frames may come of
 * the locations that are made of them.
 */
#ifndef FG_COLLAPSE_FUNCTION_H
#define FG_COLLAPSE_FUNCTION_H

#include "collapse/stack.h"
#include "collapse/values.h"
#include "lib/base/map.h"

/* What is not known is empty or 0. */
struct fg_function {
	struct fg_str name;
	struct fg_str system_name; /* mangled */
	struct fg_str file;
	uint64_t line;
	struct fg_str binary; /* the path of its program or library */
};

/* Which of the names is shown where there are both. */
enum fg_function_names { FG_FUNCTION_NAMES, FG_FUNCTION_SYSTEM_NAMES };

/* The frames of functions, whose texts stay where they are as long as this is used. */
struct fg_function_frames {
	struct fg_sink *sink;
	enum fg_function_names names;
	struct fg_map known; /* private; zeroed at first */
};

/* Forgets the texts; the frames stay the sink's. */
void fg_function_frames_release(struct fg_function_frames *t);

/* The id of its frame: "[libx.so]" without names, "[unknown]" without anything. */
uint32_t fg_function_frame(struct fg_function_frames *t, const struct fg_function *f);

/*
 * A location may have many inlined functions, and be in many stacks: a small profile
 * could stand for any number of frames.
 */
struct fg_frame_room {
	uint64_t left; /* frames that all stacks may still have */
	size_t deepest; /* frames that one may have, as it is in memory as a whole */
};

/* For a profile of `size` bytes, for each of which there may be `per_byte` frames. */
struct fg_frame_room fg_frame_room_of(size_t size, unsigned per_byte);

/* Adds a location's frames, leaf first; false, and none is, where there is no room. */
bool fg_frame_room_add(struct fg_frame_room *room, struct fg_stack *stack,
		       const uint32_t *frames, size_t count);

#endif
