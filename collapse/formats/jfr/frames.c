/* Turns the stack traces and threads of a chunk into frames of the sink. */
#include "collapse/formats/jfr/frames.h"

#include <stdlib.h>

#include "collapse/formats/jfr/layout.h"
#include "lib/base/xalloc.h"

/* We read at most this many frames of a stack. The JDK writes at most 2048. */
#define FRAMES_MAX 16384

/*
 * We add at most this many frames for each byte of the chunk. Many threads may have the
 * same stack, and if order matters, it is added again for each sample.
 */
#define FRAMES_PER_BYTE 256

/*
 * We read at most NAMES_PER_BYTE bytes of names for each byte of the chunk, plus
 * NAMES_SPARE for small chunks. Without a limit, any number of methods could share a
 * class with a long name.
 */
#define NAMES_PER_BYTE 16
#define NAMES_SPARE (UINT64_C(1) << 20)

/* A stack whose frames have been named. */
struct jfr_known_stack {
	size_t first, count; /* its frames in jfr_frames.ids */
	enum jfr_stack found;
};

void jfr_frames_release(struct jfr_frames *f)
{
	fg_map_release(&f->names);
	fg_intern_release(&f->places);
	free(f->by_place);
	fg_map_release(&f->natives);
	fg_map_release(&f->stacks);
	free(f->known);
	free(f->ids);
	fg_buf_release(&f->name);
	fg_buf_release(&f->class);
	fg_buf_release(&f->method);
	fg_buf_release(&f->descriptor);
}

void jfr_frames_start(struct jfr_frames *f, const struct jfr_constants *constants,
		      uint64_t size)
{
	f->constants = constants;
	fg_map_clear(&f->names);
	fg_intern_release(&f->places);
	fg_map_clear(&f->natives);
	fg_map_clear(&f->stacks);
	f->known_count = f->id_count = 0;
	f->stack_budget = constants->bytes.len;
	f->nameless = 0;
	f->name_budget = size < UINT64_MAX / NAMES_PER_BYTE - NAMES_SPARE ?
				 size * NAMES_PER_BYTE + NAMES_SPARE :
				 UINT64_MAX;
	f->frame_budget = fg_frame_budget_of(size < SIZE_MAX ? (size_t)size : SIZE_MAX,
					     FRAMES_PER_BYTE);
}

/* ---- names */

/* Reads the text of a member into `text`, and returns it. */
static struct fg_str read_text(const struct jfr_frames *f,
			       const struct jfr_member *member, struct fg_buf *text)
{
	fg_buf_clear(text);
	jfr_text(f->constants, member, text);
	return fg_buf_str(text);
}

/* Reads the texts of a method. Returns the id of its frame. */
static uint32_t name_method(struct jfr_frames *f,
			    const struct jfr_member members[JFR_ROLES],
			    struct jfr_method *method)
{
	uint64_t read = 0;

	fg_buf_clear(&f->name);
	if (f->name_budget) {
		method->descriptor =
			read_text(f, &members[JFR_DESCRIPTOR], &f->descriptor);
		method->class = read_text(f, &members[JFR_TYPE], &f->class);
		method->name = read_text(f, &members[JFR_NAME], &f->method);
		read = (uint64_t)method->descriptor.len + method->class.len +
		       method->name.len;
	}
	if (read < f->name_budget) {
		f->name_budget -= read;
		jfr_add_name(&f->name, method, f->lines);
	} else {
		f->name_budget = 0;
		f->nameless++;
	}
	return fg_sink_name(f->sink, fg_buf_str(&f->name));
}

/*
 * Like name_method(), but names methods only once if their texts have the same
 * addresses. Any number of methods may share texts, which may be long.
 */
static uint32_t name_by_place(struct jfr_frames *f,
			      const struct jfr_member members[JFR_ROLES],
			      struct jfr_method *method)
{
	const uint64_t place[] = {
		(uintptr_t)jfr_text_at(f->constants, &members[JFR_DESCRIPTOR]),
		(uintptr_t)jfr_text_at(f->constants, &members[JFR_TYPE]),
		(uintptr_t)jfr_text_at(f->constants, &members[JFR_NAME]),
		f->lines ? (uint32_t)method->line : 0,
		method->frame_type.len,
	};
	size_t known = f->places.count;
	uint32_t id =
		fg_intern(&f->places, fg_str_of((const char *)place, sizeof(place)));

	if (id == known) {
		FG_GROW(f->by_place, f->by_place_alloc, known + 1);
		f->by_place[id] = name_method(f, members, method);
	}
	return f->by_place[id];
}

/* ---- frames */

/* One frame of a stack trace. Fields are NULL if the frame lacks them. */
struct frame {
	const struct jfr_field *method;
	uint64_t method_key; /* key of the method, if it is a constant */
	struct jfr_bytes method_at; /* bytes of the method, if it is not a constant */
	const struct jfr_field *type;
	uint64_t type_key;
	int32_t line;
};

static void read_frame(const struct jfr_class *class, struct jfr_bytes *b,
		       struct frame *frame)
{
	*frame = (struct frame){ .line = -1 };
	for (size_t i = 0; i < class->field_count && !b->bad; i++) {
		const struct jfr_field *f = &class->fields[i];
		enum jfr_role role = f->array ? JFR_OTHER : f->role;

		if (role == JFR_METHOD) {
			frame->method = f;
			frame->method_at = *b;
			if (f->constant)
				frame->method_key = jfr_long(b);
			else
				jfr_skip_field(f, b);
		} else if (role == JFR_TYPE && f->constant) {
			frame->type = f;
			frame->type_key = jfr_long(b);
		} else if (role == JFR_LINE && !f->constant && f->class &&
			   f->class->kind == JFR_INT) {
			frame->line = (int32_t)jfr_int(b);
		} else {
			jfr_skip_field(f, b);
		}
	}
}

static bool is_native(struct jfr_frames *f, const struct frame *frame)
{
	bool is_new;
	size_t *known;

	if (!frame->type)
		return false;
	known = fg_map_add(&f->natives, (struct fg_map_key){ frame->type_key, 0 },
			   false, &is_new);
	if (is_new) {
		fg_buf_clear(&f->name);
		jfr_constant_text(f->constants, frame->type, frame->type_key, &f->name);
		*known = jfr_is_native(fg_buf_str(&f->name));
	}
	return *known;
}

static uint32_t name_frame(struct jfr_frames *f, const struct frame *frame, bool native)
{
	struct jfr_member members[JFR_ROLES] = { { .field = NULL } };
	struct jfr_method method = { .line = frame->line };
	struct jfr_bytes at = frame->method_at;

	if (native)
		method.frame_type = FG_STR("C++");
	if (frame->method && frame->method->class &&
	    (!frame->method->constant ||
	     jfr_constants_find(f->constants, frame->method->class_id,
				frame->method_key, &at)))
		jfr_members(frame->method->class, at, JFR_SHARED_MAX, members);
	return name_by_place(f, members, &method);
}

/* Like name_frame(), but remembers its results for methods that are constants. */
static uint32_t known_name(struct jfr_frames *f, const struct frame *frame)
{
	bool native = is_native(f, frame), is_new;
	uint64_t line = f->lines ? (uint32_t)frame->line : 0;
	struct fg_map_key key = { frame->method_key, line << 1 | native };
	size_t *known;

	if (!frame->method || !frame->method->constant)
		return name_frame(f, frame, native);
	known = fg_map_add(&f->names, key, 0, &is_new);
	if (is_new)
		*known = name_frame(f, frame, native);
	return (uint32_t)*known;
}

/* ---- stacks */

/*
 * Adds frames to f->ids. Returns false if it left some out because they are too many.
 */
static bool add_frames(struct jfr_frames *f, const struct jfr_field *frames,
		       struct jfr_bytes *b)
{
	struct frame frame;
	uint32_t count = jfr_int(b), left = count < FRAMES_MAX ? count : FRAMES_MAX;

	for (; left && !b->bad; left--) {
		read_frame(frames->class, b, &frame);
		if (b->bad)
			break;
		FG_GROW(f->ids, f->ids_alloc, f->id_count + 1);
		f->ids[f->id_count++] = known_name(f, &frame);
	}
	return count <= FRAMES_MAX;
}

/* Decodes a stack trace: adds its frames to f->ids. */
static enum jfr_stack read_stack(struct jfr_frames *f, const struct jfr_field *stack,
				 uint64_t key)
{
	struct jfr_member members[JFR_ROLES], *frames = &members[JFR_FRAMES];
	const struct jfr_field *cut;
	struct jfr_bytes at;
	size_t read;

	if (!jfr_constants_find(f->constants, stack->class_id, key, &at))
		return key ? JFR_STACK_MISSING : JFR_STACK_NONE;
	/*
	 * the budget is needed because stacks can overlap if types change within a
	 * chunk
	 */
	if (!f->stack_budget)
		return JFR_STACK_BEYOND;
	read = jfr_members(stack->class, at, f->stack_budget, members);
	f->stack_budget -= read < f->stack_budget ? read : f->stack_budget;
	if (!frames->field || !frames->field->array || frames->field->constant ||
	    !frames->field->class || frames->field->class->empty)
		return JFR_STACK_MISSING;
	if (!add_frames(f, frames->field, &frames->at))
		return JFR_STACK_CUT;
	cut = members[JFR_TRUNCATED].field;
	return cut && cut->class && cut->class->kind == JFR_BYTE && !cut->constant &&
			       !cut->array && jfr_byte(&members[JFR_TRUNCATED].at) ?
		       JFR_STACK_CUT :
		       JFR_STACK_WHOLE;
}

enum jfr_stack jfr_frames_add(struct jfr_frames *f, const struct jfr_field *stack,
			      uint64_t key)
{
	struct jfr_known_stack *known;
	bool is_new;
	size_t index;

	if (!stack || !stack->class)
		return stack && key ? JFR_STACK_MISSING : JFR_STACK_NONE;
	index = *fg_map_add(&f->stacks, (struct fg_map_key){ stack->class_id, key },
			    f->known_count, &is_new);
	if (is_new) {
		FG_GROW(f->known, f->known_alloc, f->known_count + 1);
		known = &f->known[f->known_count++];
		known->first = f->id_count;
		known->found = read_stack(f, stack, key);
		known->count = f->id_count - known->first;
	}
	known = &f->known[index];
	if (known->count &&
	    !fg_frame_budget_add(&f->frame_budget, fg_sink_stack(f->sink),
				 f->ids + known->first, known->count))
		return JFR_STACK_BEYOND;
	return known->found;
}

struct fg_str jfr_frames_thread(struct jfr_frames *f, const struct jfr_field *thread,
				uint64_t key)
{
	struct jfr_member members[JFR_ROLES];
	struct jfr_bytes at;

	fg_buf_clear(&f->name);
	if (!f->name_budget) {
		f->nameless++;
		return fg_buf_str(&f->name);
	}
	if (jfr_constants_find(f->constants, thread->class_id, key, &at)) {
		jfr_members(thread->class, at, JFR_SHARED_MAX, members);
		jfr_text(f->constants, &members[JFR_JAVA_NAME], &f->name);
		if (!f->name.len)
			jfr_text(f->constants, &members[JFR_OS_NAME], &f->name);
	}
	f->name_budget -= f->name.len < f->name_budget ? f->name.len : f->name_budget;
	return fg_buf_str(&f->name);
}
