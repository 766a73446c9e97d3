/* Chooses and widens slices of time, and puts recordings on one clock. */
#include "filterfolded/slicing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "filterfolded/prune.h"
#include "lib/base/xalloc.h"

/* ---- options */

static int read_time(const char *text, const char *option, uint64_t *ns,
		     struct fg_diag *diag)
{
	if (!text || !fg_slice_read_time(fg_str_from(text), ns))
		return 0;
	return fg_error(diag, NULL,
			"%s takes a time since the start, 1.5 or 1500ms, not '%s'",
			option, text);
}

int fg_slicing_init(struct fg_slicing *s, const struct fg_slicing_options *o,
		    struct fg_diag *diag)
{
	memset(s, 0, sizeof(*s));
	s->diag = diag;
	s->drops = o->no_slice;
	s->has_range = o->from || o->to;
	s->wants_slices = s->has_range || o->slice || o->no_slice;
	s->to = UINT64_MAX;
	fg_slicing_turn(s, 0);
	if (read_time(o->from, "--from", &s->from, diag) ||
	    read_time(o->to, "--to", &s->to, diag))
		return -1;
	if (s->from >= s->to)
		return fg_error(diag, NULL, "--from has to be before --to");
	if (o->slice && o->no_slice)
		return fg_error(diag, NULL,
				"--slice and --no-slice cannot be combined");
	if (o->slice && fg_slice_read_width(fg_str_from(o->slice), &s->width))
		return fg_error(diag, NULL,
				"--slice takes a time such as 500us, 20ms or 1s, "
				"not '%s'",
				o->slice);
	return 0;
}

/* ---- sections */

static struct fg_slicing_section *now(struct fg_slicing *s)
{
	return &s->sections[s->section];
}

void fg_slicing_turn(struct fg_slicing *s, size_t section)
{
	while (s->count <= section) {
		FG_GROW(s->sections, s->alloc, s->count + 1);
		s->sections[s->count++] = (struct fg_slicing_section){ .count = 0 };
	}
	s->section = section;
	s->is_current = false;
	if (s->has_pending)
		s->recording = s->pending;
	s->has_pending = false;
}

void fg_slicing_choose(struct fg_slicing *s, size_t section)
{
	struct fg_slicing_section first = s->sections[0];

	s->sections[0] = s->sections[section];
	s->sections[section] = first;
	while (s->count > 1)
		free(s->sections[--s->count].recordings);
	s->section = 0;
}

void fg_slicing_release(struct fg_slicing *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->sections[i].recordings);
	free(s->sections);
	fg_buf_release(&s->text);
}

/* ---- recordings */

static int report_width(const struct fg_slicing *s, uint64_t wide, uint64_t narrow,
			const struct fg_place *at)
{
	struct fg_buf text = FG_BUF_INIT;
	int status;

	fg_buf_add_str(&text, FG_STR("slices of "));
	fg_slice_add_width(&text, wide);
	fg_buf_add_str(&text, FG_STR(" are not a multiple of slices of "));
	fg_slice_add_width(&text, narrow);
	status = fg_error(s->diag, at, "%s", fg_buf_cstr(&text));
	fg_buf_release(&text);
	return status;
}

void fg_slicing_start_input(struct fg_slicing *s)
{
	s->recording = (struct fg_slicing_recording){ .header = { .width = 0 } };
	s->has_pending = s->is_current = false;
}

void fg_slicing_header(struct fg_slicing *s, struct fg_str line,
		       const struct fg_place *at)
{
	struct fg_slicing_recording pending =
		s->has_pending ? s->pending : s->recording;

	switch (fg_slice_read(&pending.header, line)) {
	case FG_SLICE_OTHER:
		return;
	case FG_SLICE_WRONG:
		fg_warn(s->diag, at, "this header line is malformed and ignored");
		return;
	case FG_SLICE_WIDTH:
		pending.at = *at;
		break;
	case FG_SLICE_START:
		break;
	}
	s->pending = pending;
	s->has_pending = true;
}

void fg_slicing_end_input(struct fg_slicing *s, const char *input)
{
	for (size_t i = 0; i < s->count; i++) {
		struct fg_slicing_section *section = &s->sections[i];

		if (section->has_without && !section->has_with && !section->lacking)
			section->lacking = input;
		section->has_without = section->has_with = false;
	}
}

const char *fg_slicing_lacking(const struct fg_slicing *s, size_t section)
{
	return s->wants_slices ? s->sections[section].lacking : NULL;
}

/* ---- stacks */

static bool is_same(const struct fg_slicing_recording *a,
		    const struct fg_slicing_recording *b)
{
	const struct fg_slice_header *g = &a->header, *h = &b->header;

	return g->width == h->width && g->has_start == h->has_start &&
	       (!g->has_start || g->start == h->start);
}

/*
 * Makes the recording that the header lines describe the current one of its section.
 * Looks for it only in the first and the last place: comparing with all recordings
 * would take quadratic time, and a duplicate does no harm.
 */
static void enter(struct fg_slicing *s)
{
	struct fg_slicing_section *section = now(s);

	s->is_current = true;
	section->current = 0;
	if (section->count && is_same(&section->recordings[0], &s->recording))
		return;
	section->current = section->count - 1;
	if (section->count &&
	    is_same(&section->recordings[section->current], &s->recording))
		return;
	FG_GROW(section->recordings, section->alloc, section->count + 1);
	section->recordings[section->count] = s->recording;
	section->current = section->count++;
}

void fg_slicing_cut(struct fg_slicing *s, struct fg_str *stack)
{
	uint64_t ns;

	s->whole = *stack;
	s->frame.len = 0;
	if (!s->recording.header.width || !fg_slice_cut(stack, &ns)) {
		now(s)->without_slice++;
		now(s)->has_without = true;
		return;
	}
	if (!s->is_current)
		enter(s);
	now(s)->has_with = true;
	s->rest = *stack;
	s->frame = fg_str_before(s->whole, fg_str_find_char(s->whole, ';'));
}

/*
 * The place of a slice on the common clock is only known at the end. Until then, slices
 * of all recordings except the first have the number of their recording in front,
 * "@2:@1.500", so that the tree does not merge them with others. read_frame() reads
 * this number.
 */
struct fg_str fg_slicing_join(struct fg_slicing *s, struct fg_str stack)
{
	size_t recording = now(s)->current;

	if (!s->frame.len || (s->drops && !s->has_range))
		return stack;
	if (!recording && stack.ptr == s->rest.ptr && stack.len == s->rest.len)
		return s->whole;
	fg_buf_clear(&s->text);
	if (recording)
		fg_buf_addf(&s->text, "@%zu:", recording);
	fg_buf_add_str(&s->text, s->frame);
	if (stack.len) {
		fg_buf_add_char(&s->text, ';');
		fg_buf_add_str(&s->text, stack);
	}
	return fg_buf_str(&s->text);
}

/* ---- one clock for all */

/* Finds the earliest start in all sections. */
static void find_start(struct fg_slicing *s)
{
	size_t with_start = 0, count = 0;

	for (size_t i = 0; i < s->count; i++)
		for (size_t j = 0; j < s->sections[i].count; j++) {
			const struct fg_slice_header *h =
				&s->sections[i].recordings[j].header;

			count++;
			if (!h->has_start)
				continue;
			if (!with_start++ || h->start < s->start)
				s->start = h->start;
		}
	s->has_start = with_start > 0;
	if (with_start && with_start < count)
		fg_warn(s->diag, NULL,
			"only some recordings have a line '# start:': the others are "
			"treated as if they had started with the earliest");
}

/*
 * Sets the width of a section's slices to that of --slice or of its widest recording.
 * Returns 0, or -1 after reporting a recording whose width does not divide it.
 */
static int find_width(const struct fg_slicing *s, struct fg_slicing_section *section)
{
	section->width = s->width;
	for (size_t i = 0; i < section->count; i++)
		if (section->recordings[i].header.width > section->width)
			section->width = section->recordings[i].header.width;
	for (size_t i = 0; i < section->count; i++) {
		const struct fg_slicing_recording *r = &section->recordings[i];

		/* a recording without a width has no slices and is not here */
		if (r->header.width && section->width % r->header.width)
			return report_width(s, section->width, r->header.width,
					    section->width == s->width ? &r->at : NULL);
	}
	if (s->width && s->width < section->width)
		return report_width(s, s->width, section->width, NULL);
	return 0;
}

/*
 * Reads the recording and the time of a first frame. Returns false if it is not a
 * slice.
 */
static bool read_frame(const struct fg_slicing_section *section, struct fg_str name,
		       size_t *recording, uint64_t *ns)
{
	struct fg_str number = name, rest = name;
	uint64_t index = 0;

	*recording = 0;
	if (fg_slice_cut(&rest, ns))
		return true;
	fg_str_cut_start(&number, FG_STR("@"));
	rest = number;
	number = fg_str_cut(&rest, ':');
	if (number.len == name.len || fg_str_u64(number, &index) ||
	    index >= section->count)
		return false;
	*recording = (size_t)index;
	return fg_slice_cut(&rest, ns);
}

/*
 * Sets *ns to the start of a first frame's wide slice on the common clock, and
 * *is_slice to false if the frame is no slice. Returns false if its stacks are to be
 * dropped.
 */
static bool place(struct fg_slicing *s, struct fg_str name, uint64_t *ns,
		  bool *is_slice)
{
	const struct fg_slicing_section *section = now(s);
	const struct fg_slice_header *h;
	uint64_t shift = 0;
	size_t recording;

	*is_slice = read_frame(section, name, &recording, ns);
	if (!*is_slice)
		return !s->has_range;
	h = &section->recordings[recording].header;
	if (h->has_start)
		shift = h->start - s->start;
	/* prevents an overflow; times that late are nonsense anyway */
	if (*ns > UINT64_MAX - h->width || *ns + h->width > UINT64_MAX - shift)
		*ns = UINT64_MAX - h->width - shift;
	*ns += shift;
	if (*ns >= s->to || (s->from > *ns && s->from - *ns >= h->width))
		return false;
	/* a slice belongs to the wide one that its middle is in */
	*ns += h->width / 2;
	*ns -= *ns % section->width;
	return true;
}

/* Finds the form in which slices are written. The last slice needs the longest text. */
static void find_shape(struct fg_slicing *s, const struct fg_tree *t)
{
	uint64_t last = 0, ns;
	bool is_slice;

	for (uint32_t i = t->nodes[0].first; i != FG_TREE_NONE; i = t->nodes[i].next)
		if (place(s, fg_intern_name(&t->names, t->nodes[i].name), &ns,
			  &is_slice) &&
		    is_slice && ns > last)
			last = ns;
	now(s)->shape = fg_slice_shape(now(s)->width, last);
}

/* Renames a first frame to its final slice. Called by fg_prune_first_frames(). */
static bool rename_slice(void *data, struct fg_str name, struct fg_buf *text)
{
	struct fg_slicing *s = data;
	bool is_slice;
	uint64_t ns;

	if (!place(s, name, &ns, &is_slice))
		return false;
	if (!is_slice)
		fg_buf_add_str(text, name);
	else if (!s->drops)
		fg_slice_add_frame(text, now(s)->shape, ns);
	return true;
}

/*
 * Returns true if the first frames of a section need no new names: there are no slices,
 * or they were cut off already, or all slices are from one recording that keeps its
 * width and start.
 */
static bool is_final(const struct fg_slicing *s,
		     const struct fg_slicing_section *section)
{
	const struct fg_slice_header *first;

	if (!section->count || (s->drops && !s->has_range))
		return true;
	first = &section->recordings[0].header;
	return section->count == 1 && !s->has_range && section->width == first->width &&
	       (!first->has_start || first->start == s->start);
}

static void warn_of_others(const struct fg_slicing *s)
{
	uint64_t others = 0;

	for (size_t i = 0; i < s->count; i++)
		if (s->sections[i].count)
			others += s->sections[i].without_slice;
	if (others && !s->drops)
		fg_warn(s->diag, NULL, "%llu stack%s no slice of time%s",
			(unsigned long long)others, others == 1 ? " has" : "s have",
			!s->has_range ? "" :
			others == 1   ? " and is left out" :
					" and are left out");
}

int fg_slicing_finish(struct fg_slicing *s, struct fg_tree *trees)
{
	for (size_t i = 0; i < s->count; i++)
		if (find_width(s, &s->sections[i]))
			return -1;
	find_start(s);
	warn_of_others(s);
	for (s->section = 0; s->section < s->count; s->section++) {
		if (is_final(s, now(s)))
			continue;
		find_shape(s, &trees[s->section]);
		fg_prune_first_frames(&trees[s->section], rename_slice, s);
	}
	s->section = 0;
	return 0;
}

bool fg_slicing_any(const struct fg_slicing *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->sections[i].count && !s->drops)
			return true;
	return false;
}

void fg_slicing_add_header(const struct fg_slicing *s, size_t section,
			   struct fg_buf *lines)
{
	const struct fg_slice_header h = { .width = s->sections[section].width,
					   .has_start = s->has_start,
					   .start = s->start };

	if (s->sections[section].count && !s->drops)
		fg_slice_add_header(lines, &h);
}
