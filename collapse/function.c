/* Functions as profiles with tables have them: what their frames are called. */
#include "collapse/function.h"

/* "[libx.so]" of a path; names in brackets, such as [vdso], have them. */
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

uint32_t fg_function_frame(struct fg_sink *s, const struct fg_function *f,
			   enum fg_function_names names)
{
	bool mangled = names == FG_FUNCTION_SYSTEM_NAMES;
	struct fg_str name = mangled ? f->system_name : f->name;
	struct fg_buf text = FG_BUF_INIT;
	uint32_t id;

	if (!name.len)
		name = mangled ? f->name : f->system_name;
	if (!name.len) {
		add_binary(&text, f->binary);
		name = fg_buf_str(&text);
	}
	id = fg_sink_name_at(s, name, f->file, f->line);
	fg_buf_release(&text);
	return id;
}

/* ---- locations */

#define FRAMES_MIN 65536
#define BYTES_PER_DEEPEST 2

struct fg_frame_room fg_frame_room_of(size_t size, unsigned per_byte)
{
	return (struct fg_frame_room){ (uint64_t)size * per_byte + FRAMES_MIN,
				       size / BYTES_PER_DEEPEST + FRAMES_MIN };
}

bool fg_frame_room_add(struct fg_frame_room *room, struct fg_stack *stack,
		       const uint32_t *frames, size_t count)
{
	if (count > room->left || count + fg_stack_depth(stack) > room->deepest)
		return false;
	room->left -= count;
	for (size_t i = 0; i < count; i++)
		fg_stack_add_root(stack, frames[i]);
	return true;
}
