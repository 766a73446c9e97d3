/*
 * Frames of functions from profiles that have tables of functions and locations, like
 * pprof and OTLP. A function may have several names, a source file and a binary, and
 * any of these may be missing.
 */
#ifndef FG_COLLAPSE_FUNCTION_H
#define FG_COLLAPSE_FUNCTION_H

#include "collapse/stack.h"
#include "collapse/values.h"
#include "lib/base/map.h"

/* A function of the profile. Unknown fields are empty or 0. */
struct fg_function {
	struct fg_str name;
	struct fg_str system_name; /* the mangled name */
	struct fg_str file;
	uint64_t line;
	struct fg_str binary; /* path of the program or library */
};

/* Chooses the name to show if a function has both names. */
enum fg_function_names { FG_FUNCTION_NAMES, FG_FUNCTION_SYSTEM_NAMES };

/*
 * Makes frames of functions. The strings of the functions must not move before the
 * release.
 */
struct fg_function_frames {
	struct fg_sink *sink;
	enum fg_function_names names;
	struct fg_map known; /* private; zeroed at first */
};

/* Forgets the strings. The frames stay valid, because the sink owns them. */
void fg_function_frames_release(struct fg_function_frames *t);

/*
 * Returns the id of the function's frame. A function without a name gets "[libx.so]"
 * for its binary, or "[unknown]" if it has no binary either.
 */
uint32_t fg_function_frame(struct fg_function_frames *t, const struct fg_function *f);

/*
 * The number of frames that a profile may still have. A location may have many inlined
 * functions and be in many stacks, so a small profile could stand for any number of
 * frames.
 */
struct fg_frame_budget {
	uint64_t left; /* frames left for all stacks */
	/*
	 * the most frames of one stack; limited because a stack is in memory as a whole
	 */
	size_t deepest;
};

/*
 * Returns the budget of a profile of `size` bytes: `per_byte` frames for each byte, and
 * a constant number more.
 */
struct fg_frame_budget fg_frame_budget_of(size_t size, unsigned per_byte);

/*
 * Adds a location's frames to the stack, leaf first. Adds none and returns false if the
 * budget is spent.
 */
bool fg_frame_budget_add(struct fg_frame_budget *budget, struct fg_stack *stack,
			 const uint32_t *frames, size_t count);

#endif
