/* Finds the hottest functions of a folded profile. */
#include "flame/hottest.h"

#include <stdlib.h>

#include "lib/base/reader.h"
#include "lib/base/utf8.h"
#include "lib/base/visible.h"
#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"

/* The longest name in the summary, in bytes, so that a line fits on the terminal. */
#define NAME_MAX_BYTES 64

/* Annotation of a frame that waits, folded(5). */
static const struct fg_str off_cpu = FG_STR_INIT("_[o]");

/* Returns true for functions of the scheduler: schedule, __schedule, io_schedule_... */
static bool is_scheduler(struct fg_str name)
{
	static const struct fg_str prefixes[] = { FG_STR_INIT("__"), FG_STR_INIT("io_"),
						  FG_STR_INIT("preempt_") };
	size_t i = 0;

	while (i < FG_COUNT_OF(prefixes))
		if (fg_str_cut_start(&name, prefixes[i]))
			i = 0;
		else
			i++;
	return fg_str_cut_start(&name, FG_STR("schedule")) &&
	       (!name.len || name.ptr[0] == '_');
}

/* Cuts the last frame off a stack and returns it. */
static struct fg_str cut_leaf(struct fg_str *stack)
{
	size_t at = fg_str_rfind_char(*stack, ';');
	struct fg_str leaf = at < stack->len ? fg_str_from_pos(*stack, at + 1) : *stack;

	*stack = fg_str_before(*stack, at < stack->len ? at : 0);
	return leaf;
}

void fg_hottest_add(struct fg_hottest *h, struct fg_str stack, double count)
{
	struct fg_str name;
	bool is_lone;
	uint32_t id;

	/* a semicolon at the end keeps a name that ends like a count apart from it */
	fg_str_cut_end(&stack, FG_STR(";"));
	name = cut_leaf(&stack);
	is_lone = !stack.len;
	if (fg_str_ends(name, off_cpu))
		h->waiting += count;
	while (h->waits && fg_str_has_char(stack, ';') && is_scheduler(name))
		name = cut_leaf(&stack);
	h->total += count;
	if (is_lone && !h->lone_frames)
		return;
	id = fg_intern(&h->names, fg_folded_without_annotation(name));
	FG_GROW(h->own, h->own_alloc, (size_t)id + 1);
	while (h->own_count <= id)
		h->own[h->own_count++] = 0;
	h->own[id] += count;
}

/* Returns true if name `a` comes before `b`: it has more, or is first by name. */
static bool is_hotter(const struct fg_hottest *h, uint32_t a, uint32_t b)
{
	if (h->own[a] > h->own[b] || h->own[a] < h->own[b])
		return h->own[a] > h->own[b];
	return fg_str_cmp(fg_intern_name(&h->names, a), fg_intern_name(&h->names, b)) <
	       0;
}

void fg_hottest_finish(struct fg_hottest *h)
{
	for (uint32_t id = 0; id < h->names.count; id++) {
		size_t at = h->hot_count;

		while (at && is_hotter(h, id, h->hot[at - 1]))
			at--;
		if (at == FG_HOTTEST_MAX)
			continue;
		h->hot_count += h->hot_count < FG_HOTTEST_MAX;
		for (size_t i = h->hot_count - 1; i > at; i--)
			h->hot[i] = h->hot[i - 1];
		h->hot[at] = id;
	}
}

int fg_hottest_read(struct fg_hottest *h, const char *file, struct fg_diag *diag)
{
	struct fg_reader *reader = fg_reader_open(&file, 1, diag);
	struct fg_folded folded;
	struct fg_place at;
	struct fg_str line;
	int status;

	while ((status = fg_reader_line(reader, &line, &at)) > 0)
		if (fg_folded_parse(line, &folded) == FG_FOLDED_STACK) {
			if (folded.columns == 2)
				fg_folded_join(&folded);
			fg_hottest_add(
				h, folded.stack,
				(double)folded.count[0].digits /
					(double)fg_pow10(folded.count[0].decimals));
		}
	fg_reader_close(reader);
	fg_hottest_finish(h);
	return status;
}

/* Appends a name, cut to fit on a line, but not within a character. */
static void add_name(struct fg_buf *line, struct fg_str name)
{
	struct fg_buf shown = FG_BUF_INIT;
	struct fg_str text;

	fg_add_visible(&shown, name);
	text = fg_buf_str(&shown);
	if (text.len > NAME_MAX_BYTES) {
		fg_buf_add_str(line, fg_utf8_within(text, NAME_MAX_BYTES - 2));
		fg_buf_add_str(line, FG_STR(".."));
	} else {
		fg_buf_add_str(line, text);
	}
	fg_buf_release(&shown);
}

bool fg_hottest_line(const struct fg_hottest *h, size_t n, struct fg_buf *line)
{
	double percent = h->total > 0 ? 100 / h->total : 0;

	fg_buf_clear(line);
	if (!(h->total > 0))
		return false;
	if (h->all_time && !n) {
		fg_buf_addf(line, "%6.1f %%  of all time is on a CPU, %.1f %% waiting",
			    (h->total - h->waiting) * percent, h->waiting * percent);
		return true;
	}
	n -= h->all_time;
	if (n >= h->hot_count)
		return false;
	fg_buf_addf(line, "%6.1f %%  ", h->own[h->hot[n]] * percent);
	add_name(line, fg_intern_name(&h->names, h->hot[n]));
	return true;
}

void fg_hottest_init(struct fg_hottest *h)
{
	memset(h, 0, sizeof(*h));
	fg_intern_init(&h->names);
}

void fg_hottest_release(struct fg_hottest *h)
{
	fg_intern_release(&h->names);
	free(h->own);
	memset(h, 0, sizeof(*h));
}
