/*
 * --inline and --lines: looks up which functions were inlined at the frames of a
 * sample, and their source lines.
 */
#include "collapse/formats/perf/text/inlined.h"

#include <stdlib.h>

#include "collapse/formats/perf/text/dso.h"
#include "collapse/formats/perf/text/name.h"
#include "collapse/formats/perf/text/stack.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/formats/perf/text/symbol.h"
#include "collapse/symbols/lookup.h"
#include "lib/base/xalloc.h"

enum held_kind {
	HELD_FRAME,
	/* a frame that perf marked "(inlined)"; the next frame has the same address */
	HELD_INLINED,
	HELD_SOURCE, /* a source line */
};

/* A frame or a source line that waits for the end of the sample. */
struct held {
	enum held_kind kind;
	bool in_kernel;
	struct fg_memo_value value;
	size_t pc, after_pc,
		/*
		 * offsets in perf_inlined.text: of the address, of the text after it,
		 * and of the end of that text
		 */
		end;
};

struct perf_inlined {
	struct held *list;
	size_t count, alloc;
	struct fg_buf text; /* the text of all held lines */
	struct fg_buf name; /* scratch */
};

struct perf_inlined *perf_inlined_new(void)
{
	return fg_xcalloc(1, sizeof(struct perf_inlined));
}

void perf_inlined_free(struct perf_inlined *n)
{
	if (!n)
		return;
	free(n->list);
	fg_buf_release(&n->text);
	fg_buf_release(&n->name);
	free(n);
}

bool perf_inlined_is_empty(const struct perf_inlined *n)
{
	return !n->count;
}

/* Adds a line to the list, with a copy of its text. */
static struct held *hold(struct perf_inlined *n, struct fg_str pc, struct fg_str rest)
{
	struct held *h;

	FG_GROW(n->list, n->alloc, n->count + 1);
	h = &n->list[n->count++];
	*h = (struct held){ .pc = n->text.len };
	fg_buf_add_str(&n->text, pc);
	h->after_pc = n->text.len;
	fg_buf_add_str(&n->text, rest);
	h->end = n->text.len;
	return h;
}

void perf_inlined_hold(struct perf_inlined *n, const struct perf_frame *f,
		       struct fg_memo_value value, bool in_kernel)
{
	struct held *h = hold(n, f->pc, f->after_pc);

	h->kind = f->dso_kind == PERF_DSO_INLINED ? HELD_INLINED : HELD_FRAME;
	h->value = value;
	h->in_kernel = in_kernel;
}

void perf_inlined_hold_source(struct perf_inlined *n, struct fg_str line)
{
	hold(n, FG_STR(""), line)->kind = HELD_SOURCE;
}

/* ---- looking up */

/*
 * Returns true if the frame `h` called the frame `other` next to it, so that the
 * address of `h` is just after a call. The kernel is entered without a call.
 */
static bool is_caller_of(const struct held *h, const struct held *other)
{
	return other && !(other->in_kernel && !h->in_kernel);
}

/* Returns the next frame that is not inlined, from `at` in steps of `step`, or NULL. */
static const struct held *frame_from(const struct perf_inlined *n, size_t at, int step)
{
	for (; at < n->count; at += (size_t)step)
		if (n->list[at].kind == HELD_FRAME)
			return &n->list[at];
	return NULL;
}

static struct fg_str text_of(const struct perf_inlined *n, size_t from, size_t to)
{
	return fg_str_from_pos(fg_str_before(fg_buf_str(&n->text), to), from);
}

/* Returns "main+0x2b", the symbol as perf prints it. */
static struct fg_str symbol_with_offset(const struct perf_frame *f)
{
	size_t len = f->symbol.len;

	while (len < f->after_pc.len && f->after_pc.ptr[len] != ' ')
		len++;
	return fg_str_before(f->after_pc, len);
}

/* Returns ":main.c:12" at the end of a name, which --context adds. */
static struct fg_str context_of(struct fg_str name)
{
	size_t line = fg_str_rfind_char(name, ':');
	size_t file = fg_str_rfind_char(fg_str_before(name, line), ':');

	return fg_str_from_pos(name, file < line ? file : name.len);
}

/*
 * Adds the outermost function, into which all others are inlined, to p->run. It gets
 * the name of its symbol, like in a recording, because debug information may have
 * another name for it.
 */
static void add_outermost(struct perf *p, const struct perf_frame *f,
			  struct fg_memo_value value, struct fg_str name)
{
	struct fg_buf *b = &p->inlined->name;

	if (perf_symbol_is_none(f->symbol, f->dso)) {
		perf_name_inlined(p, f, name);
		return;
	}
	if (!p->options->context) {
		perf_run_add_value(p, value);
		return;
	}
	fg_buf_clear(b);
	fg_buf_add_str(b, f->symbol);
	fg_buf_replace(b, 0, ';', ':');
	fg_buf_add_str(b, context_of(name));
	perf_name_inlined(p, f, fg_buf_str(b));
}

/* Like add_functions(), for --lines: a place may follow each name. */
static void add_with_lines(struct perf *p, const struct perf_frame *f,
			   struct fg_memo_value value, struct fg_str names)
{
	for (bool outermost = true; names.len; outermost = false) {
		struct fg_str place = fg_str_cut(&names, ';');
		struct fg_str name = fg_str_cut(&place, FG_LOOKUP_PLACE);

		if (outermost)
			add_outermost(p, f, value, name);
		else
			perf_name_inlined(p, f, name);
		perf_note_skipped_after(p, f->symbol);
		perf_name_line(p, place);
		if (!p->options->inlined)
			return;
	}
}

/*
 * Adds the functions at the frame's address to p->run. Returns false if they are not
 * known; the caller adds the symbol then.
 */
static bool add_functions(struct perf *p, const struct perf_frame *f,
			  struct fg_memo_value value, bool returns)
{
	struct fg_lookup_query query = { .pc = f->pc,
					 .symbol = symbol_with_offset(f),
					 .dso = f->dso,
					 .returns = returns };
	struct fg_str names;

	if (f->dso_kind != PERF_DSO_GIVEN || perf_dso_is_jit(f->dso) || !f->dso.len ||
	    f->dso.ptr[0] == '[' ||
	    (!p->options->inlined && perf_symbol_is_none(f->symbol, f->dso)))
		return false;
	fg_buf_clear(&p->key);
	if (!fg_lookup_frame(p->lookup, &query, &p->key))
		return false;
	names = fg_buf_str(&p->key);
	if (p->options->lines) {
		add_with_lines(p, f, value, names);
	} else {
		add_outermost(p, f, value, fg_str_cut(&names, ';'));
		perf_name_inlined(p, f, names);
	}
	perf_note_skipped_after(p, f->symbol);
	return true;
}

void perf_inlined_push(struct perf *p, bool caller_first)
{
	struct perf_inlined *n = p->inlined;
	int towards_leaf = caller_first ? 1 : -1;

	for (size_t i = 0; i < n->count; i++) {
		const struct held *h = &n->list[i];
		struct perf_frame f = { .pc = text_of(n, h->pc, h->after_pc),
					.after_pc = text_of(n, h->after_pc, h->end) };
		const struct held *callee =
			frame_from(n, i + (size_t)towards_leaf, towards_leaf);

		if (h->kind == HELD_SOURCE) {
			perf_name_source_line(p, f.after_pc);
			continue;
		}
		perf_frame_split(&f);
		if (!add_functions(p, &f, h->value, is_caller_of(h, callee)))
			perf_run_add_value(p, h->value);
		if (caller_first)
			perf_run_reverse(p);
		perf_run_push(p);
	}
	n->count = 0;
	fg_buf_clear(&n->text);
}
