/* Keeps the stacks of a profile as folded text, and adds more. */
#include "library/profile.h"

#include <string.h>

#include "filterfolded/profile.h"
#include "lib/base/visible.h"
#include "lib/base/xalloc.h"
#include "library/memory.h"

/*
 * Waiting stacks are merged once they have at least this many bytes, and as many as the
 * merged ones.
 */
#define WAITING ((size_t)1 << 20)

/* The name of our own text in messages. */
#define OWN_TEXT "(profile)"

/* ---- life */

struct flamepipe_profile *flamepipe_new(void)
{
	size_t size = 0;
	struct flamepipe_profile *p = fg_kept_grow(NULL, &size, sizeof(*p));

	if (p)
		*p = (struct flamepipe_profile){ .settled = true };
	return p;
}

static void release_parts(struct flamepipe_profile *p)
{
	for (size_t i = 0; i < p->count; i++)
		fg_free(p->parts[i].bytes);
	p->count = 0;
	p->merged = 0;
	p->waiting = 0;
	p->open = false;
}

void flamepipe_free(struct flamepipe_profile *p)
{
	if (!p)
		return;
	release_parts(p);
	fg_free(p->parts);
	fg_free(p->described.bytes);
	fg_free(p);
}

void flamepipe_on_message(struct flamepipe_profile *p, flamepipe_message *message,
			  void *data)
{
	p->message = message;
	p->message_data = data;
}

/* ---- parts */

static struct fg_part *new_part(struct flamepipe_profile *p)
{
	struct fg_part *parts =
		fg_kept_grow(p->parts, &p->alloc, (p->count + 1) * sizeof(*parts));

	if (!parts)
		fg_out_of_memory();
	p->parts = parts;
	parts[p->count] = (struct fg_part){ NULL, 0, 0 };
	return &parts[p->count++];
}

struct fg_reader *fg_task_reader(struct fg_task *task, struct fg_str text)
{
	return fg_reader_open_memory(text, OWN_TEXT, &task->diag);
}

/* Returns false if a text has only header lines. */
static bool has_stacks(struct fg_str text)
{
	while (text.len)
		if (!fg_folded_is_comment(fg_str_cut(&text, '\n')))
			return true;
	return false;
}

static int read_parts(struct fg_task *task, const struct flamepipe_profile *p,
		      struct fg_profile *profile)
{
	for (size_t i = 0; i < p->count; i++) {
		struct fg_str text = fg_str_of(p->parts[i].bytes, p->parts[i].len);
		struct fg_reader *reader;
		int status;

		if (!has_stacks(text))
			continue;
		reader = fg_task_reader(task, text);
		status = fg_profile_add(profile, reader);
		fg_reader_close(reader);
		if (status)
			return -1;
	}
	return fg_profile_finish(profile);
}

int fg_task_text(struct fg_task *task, const struct flamepipe_profile *p,
		 struct fg_str *text, struct fg_buf *scratch)
{
	const struct fg_slicing_options none = { .no_slice = false };
	struct fg_slicing slicing;
	struct fg_profile profile;
	struct fg_out out;
	int status;

	*text = fg_str_of(NULL, 0);
	if (p->settled) {
		if (p->count)
			*text = fg_str_of(p->parts[0].bytes, p->parts[0].len);
		return 0;
	}
	if (!p->columns)
		return 0;
	fg_slicing_init(&slicing, &none, &task->diag);
	fg_profile_init(&profile, NULL, &slicing, &task->diag);
	fg_out_init_memory(&out);
	status = read_parts(task, p, &profile);
	if (!status)
		status = fg_profile_write(&profile, &out);
	fg_profile_release(&profile);
	fg_slicing_release(&slicing);
	*scratch = out.buf;
	*text = fg_buf_str(scratch);
	return status;
}

void fg_task_replace(struct fg_task *task, struct fg_buf *text, unsigned columns)
{
	struct flamepipe_profile *p = task->p;

	if (!p->parts)
		new_part(p);
	release_parts(p);
	p->parts[0] =
		(struct fg_part){ fg_call_keep(text->ptr), text->len, text->alloc };
	p->count = 1;
	p->merged = p->parts[0].len;
	p->settled = true;
	p->columns = columns;
	fg_buf_init(text);
}

int fg_task_settle(struct fg_task *task, struct fg_str *text)
{
	struct flamepipe_profile *p = task->p;
	struct fg_buf scratch = FG_BUF_INIT;

	if (fg_task_text(task, p, text, &scratch))
		return -1;
	if (!p->settled && p->columns)
		fg_task_replace(task, &scratch, p->columns);
	return 0;
}

/* Merges the waiting parts once they are as large as the merged one. */
static int settle_if_large(struct fg_task *task)
{
	struct flamepipe_profile *p = task->p;
	struct fg_str text;

	if (p->settled || p->waiting < WAITING || p->waiting < p->merged)
		return 0;
	return fg_task_settle(task, &text);
}

static int check_columns(struct fg_task *task, unsigned columns)
{
	if (!columns || !task->p->columns || task->p->columns == columns)
		return FLAMEPIPE_OK;
	fg_error(&task->diag, NULL,
		 "a differential profile cannot be merged with others");
	return FLAMEPIPE_INVALID;
}

int fg_task_add(struct fg_task *task, struct fg_buf *text, unsigned columns)
{
	struct flamepipe_profile *p = task->p;
	struct fg_part *part;

	if (check_columns(task, columns))
		return FLAMEPIPE_INVALID;
	if (settle_if_large(task))
		return FLAMEPIPE_FAILED;
	part = new_part(p);
	*part = (struct fg_part){ fg_call_keep(text->ptr), text->len, text->alloc };
	p->waiting += sizeof(*part) + text->alloc;
	fg_buf_init(text);
	p->open = false;
	p->settled = false;
	if (columns)
		p->columns = columns;
	return FLAMEPIPE_OK;
}

static int merge(struct fg_task *task)
{
	const struct flamepipe_profile *from = task->data;
	struct fg_buf scratch = FG_BUF_INIT;
	struct fg_str text;

	if (fg_task_text(task, from, &text, &scratch))
		return FLAMEPIPE_FAILED;
	if (text.ptr && !scratch.ptr)
		fg_buf_add_str(&scratch, text);
	return scratch.len ? fg_task_add(task, &scratch, from->columns) : FLAMEPIPE_OK;
}

int flamepipe_merge(struct flamepipe_profile *p, const struct flamepipe_profile *from)
{
	struct fg_task task = { .work = merge, .data = from };

	return fg_task_run(&task, p, "flamepipe");
}

/* ---- stacks one by one */

static void append(struct fg_part *part, struct fg_str text)
{
	char *bytes = fg_kept_grow(part->bytes, &part->alloc,
				   fg_size_add(part->len, text.len));

	if (!bytes)
		fg_out_of_memory();
	memcpy(bytes + part->len, text.ptr, text.len);
	part->bytes = bytes;
	part->len += text.len;
}

/*
 * Appends the header lines for the next stack if they are new, or if a new part starts,
 * because each part is read by itself.
 */
static void add_described(const struct flamepipe_profile *p, struct fg_buf *lines)
{
	if (!p->open || !p->has_described)
		fg_buf_add_str(lines, fg_str_of(p->described.bytes, p->described.len));
}

/* Adds lines to the last part if that is open for more stacks, else to a new one. */
static void add_lines(struct flamepipe_profile *p, const struct fg_buf *lines)
{
	append(p->open ? &p->parts[p->count - 1] : new_part(p), fg_buf_str(lines));
	p->open = true;
	p->settled = false;
	p->waiting += lines->len;
}

struct stack {
	const char *const *frames;
	size_t depth;
	uint64_t count;
};

static struct fg_str name_of(const char *frame)
{
	return frame && *frame ? fg_str_from(frame) : FG_STR("[unknown]");
}

/*
 * Appends a name or the value of a header line, with ':' for each ';', which would end
 * the name or make a stack of the header line.
 */
static void add_name(struct fg_buf *line, struct fg_str name)
{
	size_t start = line->len;

	fg_add_visible(line, name);
	fg_buf_replace(line, start, ';', ':');
}

static int add_stack(struct fg_task *task)
{
	const struct stack *s = task->data;
	struct fg_buf line = FG_BUF_INIT;
	size_t leaf = 0;

	if (check_columns(task, 1))
		return FLAMEPIPE_INVALID;
	if (settle_if_large(task))
		return FLAMEPIPE_FAILED;
	add_described(task->p, &line);
	for (size_t i = 0; i < s->depth; i++) {
		if (i)
			fg_buf_add_char(&line, ';');
		leaf = line.len;
		add_name(&line, name_of(s->frames[i]));
	}
	if (fg_folded_needs_semicolon(fg_str_from_pos(fg_buf_str(&line), leaf),
				      s->depth == 1))
		fg_buf_add_char(&line, ';');
	fg_buf_add_char(&line, ' ');
	fg_buf_add_u64(&line, s->count);
	fg_buf_add_char(&line, '\n');
	add_lines(task->p, &line);
	task->p->columns = 1;
	task->p->has_described = true;
	return FLAMEPIPE_OK;
}

int flamepipe_add(struct flamepipe_profile *p, const char *const *frames, size_t depth,
		  uint64_t count)
{
	const struct stack stack = { frames, depth, count };
	struct fg_task task = { .work = add_stack, .data = &stack };

	return depth ? fg_task_run(&task, p, "flamepipe") : FLAMEPIPE_INVALID;
}

static bool is_one_of(const char *const *words, const char *word)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words;
}

/* Returns true for a header line that tells which profile the stacks belong to. */
static bool names_profile(struct fg_str line)
{
	return fg_str_starts(line, FG_STR("# event:")) ||
	       fg_str_starts(line, FG_STR("# unit:"));
}

/* Returns true if a header line starts a new description, like in folded text. */
static bool starts_anew(const struct flamepipe_profile *p, struct fg_str line)
{
	struct fg_str rest = fg_str_of(p->described.bytes, p->described.len);
	struct fg_str key = fg_str_before(line, fg_str_find_char(line, ':'));

	if (p->has_described)
		return true;
	while (names_profile(line) && rest.len)
		if (fg_str_starts(fg_str_cut(&rest, '\n'), key))
			return true;
	return false;
}

static int describe(struct fg_task *task)
{
	static const char *const keys[] = { "event", "unit", "sample-weight", "command",
					    NULL };
	const char *const *pair = task->data;
	struct flamepipe_profile *p = task->p;
	struct fg_part *described = &p->described;
	struct fg_buf line = FG_BUF_INIT;
	bool anew;

	if (!is_one_of(keys, pair[0])) {
		fg_error(&task->diag, NULL,
			 "only event, unit, sample-weight and command can be "
			 "described, not '%s'",
			 pair[0]);
		return FLAMEPIPE_INVALID;
	}
	fg_buf_addf(&line, "# %s: ", pair[0]);
	add_name(&line, fg_str_from(pair[1]));
	fg_buf_add_char(&line, '\n');
	anew = starts_anew(p, fg_buf_str(&line));
	append(described, fg_buf_str(&line));
	p->has_described = false;
	if (anew) {
		memcpy(described->bytes, line.ptr, line.len);
		described->len = line.len;
	}
	return FLAMEPIPE_OK;
}

int flamepipe_describe(struct flamepipe_profile *p, const char *key, const char *value)
{
	const char *const pair[] = { key, value };
	struct fg_task task = { .work = describe, .data = pair };

	return fg_task_run(&task, p, "flamepipe");
}
