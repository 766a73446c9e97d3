/* Makes frames of functions, for profiles that have tables of functions. */
#include "collapse/function.h"

#include <stdint.h>

#include "collapse/sink_internal.h"

/*
 * A name of at least this length is looked up by its address instead of its bytes. Many
 * functions may share one long name, and many locations one function, so hashing its
 * bytes each time would take too long.
 */
#define LONG_NAME 256

/*
 * Appends "[libx.so]" for a path. A name in brackets, such as [vdso], stays as it is.
 */
static void add_binary(struct fg_buf *b, struct fg_str path)
{
	struct fg_str name = fg_str_basename(fg_str_trim(path));

	if (!name.len)
		return;
	if (name.ptr[0] == '[')
		fg_buf_add_str(b, name);
	else
		fg_buf_addf(b, "[%.*s]", (int)name.len, name.ptr);
}

void fg_function_frames_release(struct fg_function_frames *t)
{
	fg_map_release(&t->known);
}

static uint32_t new_frame(struct fg_sink *s, const struct fg_function *f,
			  struct fg_str name, struct fg_str file)
{
	struct fg_buf text = FG_BUF_INIT;
	uint32_t id;

	if (!name.len) {
		add_binary(&text, f->binary);
		name = fg_buf_str(&text);
	}
	id = fg_sink_name_at(s, name, file, f->line);
	fg_buf_release(&text);
	return id;
}

uint32_t fg_function_frame(struct fg_function_frames *t, const struct fg_function *f)
{
	bool mangled = t->names == FG_FUNCTION_SYSTEM_NAMES;
	struct fg_str name = mangled ? f->system_name : f->name;
	struct fg_str from, file = FG_STR("");
	struct fg_map_key key;
	size_t *known;
	bool is_new;

	if (!name.len)
		name = mangled ? f->name : f->system_name;
	from = name.len ? name : f->binary;
	if (f->file.len && fg_sink_shows_file(t->sink, name) &&
	    fg_sink_charge_name(t->sink, from.len + f->file.len, FG_LONG_LINES))
		file = f->file;
	if (from.len < LONG_NAME || file.len)
		return new_frame(t->sink, f, name, file);
	key = (struct fg_map_key){ (uintptr_t)from.ptr, from.len * 2 + !name.len };
	known = fg_map_add(&t->known, key, 0, &is_new);
	if (is_new)
		*known = new_frame(t->sink, f, name, file);
	return (uint32_t)*known;
}

/* ---- locations */

#define FRAMES_MIN 65536
#define BYTES_PER_DEEPEST 2

struct fg_frame_budget fg_frame_budget_of(size_t size, unsigned per_byte)
{
	return (struct fg_frame_budget){ (uint64_t)size * per_byte + FRAMES_MIN,
					 size / BYTES_PER_DEEPEST + FRAMES_MIN };
}

bool fg_frame_budget_add(struct fg_frame_budget *budget, struct fg_stack *stack,
			 const uint32_t *frames, size_t count)
{
	if (count > budget->left || count + fg_stack_depth(stack) > budget->deepest)
		return false;
	budget->left -= count;
	for (size_t i = 0; i < count; i++)
		fg_stack_add_root(stack, frames[i]);
	return true;
}
