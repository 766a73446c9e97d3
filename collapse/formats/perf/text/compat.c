/* --compat=perl: writes what stackcollapse-perf.pl would write, byte for byte. */
#include "collapse/formats/perf/text/compat.h"

#include <string.h>

#include "collapse/formats/perf/text/dso.h"
#include "collapse/formats/perf/text/name.h"
#include "collapse/formats/perf/text/stack.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/symbols/lookup.h"

/*
 * The Perl script takes lines apart with regular expressions, which search from the
 * left and back off if they fail. The functions here find the same parts. They are
 * separate from our own readers (header.c, frame.c), because what the script gets wrong
 * is part of its behaviour.
 */

/* ---- header: comm, then ids */

struct ids {
	struct fg_str comm, pid, tid;
};

static size_t skip_spaces(struct fg_str s, size_t at)
{
	while (at < s.len && fg_is_space(s.ptr[at]))
		at++;
	return at;
}

static size_t skip_digits(struct fg_str s, size_t at)
{
	return at + fg_str_span(fg_str_from_pos(s, at), fg_is_digit);
}

/* Reads "  123 " or "  123/124 " at `at`. */
static bool read_ids_at(struct fg_str s, size_t at, struct ids *ids)
{
	size_t start = skip_spaces(s, at);
	size_t end = skip_digits(s, start);
	size_t second = end;

	if (start == at || end == start)
		return false;
	while (second < s.len && s.ptr[second] == '/')
		second++;
	ids->pid = fg_str_of(s.ptr + start, end - start);
	end = skip_digits(s, second);
	ids->tid = fg_str_of(s.ptr + second, end - second);
	return end < s.len && fg_is_space(s.ptr[end]);
}

/*
 * Reads "app 123/124 ". The comm is the shortest text of two bytes or more that ids
 * follow.
 */
static bool read_comm_and_ids(struct fg_str line, struct ids *ids)
{
	if (!line.len || fg_is_space(line.ptr[0]))
		return false;
	for (size_t end = 2; end < line.len; end++) {
		if (!fg_is_space(line.ptr[end]))
			continue;
		if (read_ids_at(line, end, ids)) {
			ids->comm = fg_str_before(line, end);
			return true;
		}
		/* read_ids_at() skips these spaces, so it fails at each of them */
		end = skip_spaces(line, end) - 1;
	}
	return false;
}

/* ---- event: ": PERIOD EVENT:" at the end of the line */

struct event {
	struct fg_str period; /* empty if missing */
	struct fg_str name;
};

static bool read_event(struct fg_str line, struct event *e)
{
	struct fg_str s = fg_str_trim_right(line);
	size_t start = s.len, before, digits;

	while (start && !fg_is_space(s.ptr[start - 1]))
		start--;
	if (s.len - start < 2 || s.ptr[s.len - 1] != ':' || !start)
		return false;
	e->name = fg_str_of(s.ptr + start, s.len - start - 1);
	e->period = fg_str_of(NULL, 0);
	for (before = start; before && fg_is_space(s.ptr[before - 1]);)
		before--;
	if (before && s.ptr[before - 1] == ':')
		return true;
	digits = before - fg_str_end_span(fg_str_before(s, before), fg_is_digit);
	e->period = fg_str_of(s.ptr + digits, before - digits);
	while (digits && fg_is_space(s.ptr[digits - 1]))
		digits--;
	return e->period.len && digits && s.ptr[digits - 1] == ':';
}

/*
 * Sets the root frame: the comm, followed by "-PID" with --pid, or by "-PID/TID" with
 * --tid.
 */
static void set_root(struct perf *p, const struct ids *ids)
{
	struct perf_sample *s = &p->sample;
	bool has_tid = ids->tid.len && !fg_str_eq(ids->tid, FG_STR("0"));
	const struct fg_samples_options *o = p->samples;
	struct fg_buf *b = &p->scratch;

	fg_buf_clear(b);
	fg_buf_add_str(b, ids->comm);
	if (o->tid || o->pid) {
		fg_buf_add_char(b, '-');
		fg_buf_add_str(b, has_tid ? ids->pid : FG_STR("?"));
	}
	if (o->tid) {
		fg_buf_add_char(b, '/');
		fg_buf_add_str(b, has_tid ? ids->tid : ids->pid);
	}
	for (size_t i = 0; i < b->len; i++)
		if (b->ptr[i] == ' ')
			b->ptr[i] = '_';
	perf_run_add(p, fg_buf_str(b));
	s->perl_root = perf_run_end(p);
	s->stage = PERF_OPEN;
	s->variant =
		fg_str_starts(fg_buf_str(b), FG_STR("java")) ? PERF_VARIANT_JAVA : 0;
}

static void header(struct perf *p, const struct ids *ids, struct fg_str line)
{
	struct perf_sample *s = &p->sample;
	uint64_t period = 1;
	struct event e;

	p->tally->samples++;
	fg_sink_saw_header(p->sink);
	if (read_event(line, &e)) {
		if (!fg_events_keep(p->events, e.name)) {
			p->tally->ignored++;
			return;
		}
		if (e.period.len && !fg_str_eq(e.period, FG_STR("0")) &&
		    fg_str_u64(e.period, &period))
			period = UINT64_MAX;
	}
	s->weight = period;
	set_root(p, ids);
	p->fast = p->options->srcline || p->lookup ? PERF_FAST_NONE : PERF_FAST_KEEP;
}

/* ---- frame: "PC SYMBOL (DSO)" */

static bool read_frame(struct fg_str line, struct perf_frame *f)
{
	size_t word = skip_spaces(line, 0);
	size_t close = fg_str_rfind_char(line, ')');
	size_t paren = perf_last_paren(fg_str_before(line, close));
	size_t end = word, start;

	if (close == line.len || paren == close)
		return false;
	while (end < line.len && fg_is_word(line.ptr[end]))
		end++;
	start = skip_spaces(line, end);
	if (start >= paren)
		start = paren ? paren - 1 : 0;
	if (end == word || start < word + 1)
		return false;
	f->pc = fg_str_of(line.ptr + word, (start < end ? start : end) - word);
	f->after_pc = fg_str_of(line.ptr + start, paren - start);
	f->dso = fg_str_of(line.ptr + paren + 2, close - paren - 2);
	f->dso_kind = PERF_DSO_GIVEN;
	f->symbol = perf_strip_offset(f->after_pc);
	return true;
}

static bool starts_with_map(struct fg_str s)
{
	size_t end = skip_digits(s, 5);

	return fg_str_starts(s, FG_STR("perf-")) && end > 5 &&
	       fg_str_starts(fg_str_from_pos(s, end + 1), FG_STR("map"));
}

/*
 * Returns true for a DSO that the script does not ask for inlined functions: a perf
 * map, the kernel, or something in brackets.
 */
static bool has_no_debug_info(struct fg_str dso)
{
	size_t open = fg_str_find_char(dso, '[');
	size_t close = open + fg_str_find_char(fg_str_from_pos(dso, open), ']');

	if (close < dso.len && close > open + 1)
		return true;
	for (size_t i = 0; i < dso.len; i++)
		if (dso.ptr[i] == 'p' && starts_with_map(fg_str_from_pos(dso, i)))
			return true;
	return fg_str_has(dso, FG_STR("kernel."));
}

/* Returns true if the name has ".(" and later ").". */
static bool looks_like_go(struct fg_str name)
{
	size_t open = fg_str_find(name, FG_STR(".("));

	return fg_str_has(fg_str_from_pos(name, open + 2), FG_STR(")."));
}

/* Returns the length of a name up to its parameters, like the script cuts it. */
static size_t compat_name_length(struct fg_str name)
{
	size_t at = 0;

	if (looks_like_go(name))
		return name.len;
	for (;; at++) {
		at += fg_str_find_char(fg_str_from_pos(name, at), '(');
		if (at >= name.len)
			return name.len;
		if (!fg_str_starts(fg_str_from_pos(name, at + 1),
				   FG_STR("anonymous namespace)")))
			return at;
	}
}

/* Puts one part of a symbol, without parameters and quotes, into p->scratch. */
static void tidy(struct perf *p, struct fg_str part, unsigned variant)
{
	struct fg_buf *b = &p->scratch;
	size_t to = 0;

	fg_buf_clear(b);
	fg_buf_add_str(b, fg_str_before(part, compat_name_length(part)));
	for (size_t i = 0; i < b->len; i++)
		if (b->ptr[i] != '"' && b->ptr[i] != '\'')
			b->ptr[to++] = b->ptr[i] == ';' ? ':' : b->ptr[i];
	b->len = to;
	if ((variant & PERF_VARIANT_JAVA) && b->len && b->ptr[0] == 'L' &&
	    fg_str_has_char(fg_buf_str(b), '/')) {
		memmove(b->ptr, b->ptr + 1, b->len - 1);
		b->len--;
	}
}

static void annotate(struct perf *p, bool is_inlined, unsigned variant)
{
	struct fg_buf *b = &p->scratch;

	if (is_inlined) {
		if (!fg_str_has(fg_buf_str(b), FG_STR("_[i]")))
			fg_buf_add_str(b, FG_STR("_[i]"));
	} else if (variant & PERF_VARIANT_KERNEL) {
		fg_buf_add_str(b, FG_STR("_[k]"));
	} else if (variant & PERF_VARIANT_JIT) {
		if (!fg_str_has(fg_buf_str(b), FG_STR("_[j]")))
			fg_buf_add_str(b, FG_STR("_[j]"));
	}
}

/*
 * Sets *name to "[libc.so.6]", with --addrs to "[libc.so.6 <7f12>]", or to "[unknown]".
 */
static void make_unknown(struct perf *p, const struct perf_frame *f,
			 struct fg_buf *name)
{
	bool known = !fg_str_eq(f->dso, FG_STR("[unknown]"));

	fg_buf_clear(name);
	fg_buf_add_char(name, '[');
	fg_buf_add_str(name, known ? fg_str_basename(f->dso) : FG_STR("unknown"));
	if (p->options->addrs) {
		fg_buf_add_str(name, FG_STR(" <"));
		fg_buf_add_str(name, f->pc);
		fg_buf_add_char(name, '>');
	}
	fg_buf_add_char(name, ']');
}

void perf_compat_name(struct perf *p, const struct perf_frame *f, unsigned variant)
{
	struct fg_str rest = f->symbol;
	struct fg_buf unknown = FG_BUF_INIT;
	bool is_first = true, is_unknown = false;

	/* Perl's split drops empty parts at the end */
	while (fg_str_cut_end(&rest, FG_STR("->")))
		;
	p->srclines.due = 0;
	while (rest.len) {
		size_t at = fg_str_find(rest, FG_STR("->"));
		struct fg_str part = fg_str_before(rest, at);

		rest = fg_str_from_pos(rest, at + 2);
		if (fg_str_eq(part, FG_STR("[unknown]"))) {
			make_unknown(p, f, &unknown);
			part = fg_buf_str(&unknown);
			is_unknown |= fg_str_eq(f->dso, FG_STR("[unknown]"));
		}
		tidy(p, part, variant);
		annotate(p, !is_first, variant);
		perf_run_add(p, fg_buf_str(&p->scratch));
		p->srclines.due += p->options->srcline && !is_unknown;
		is_first = false;
	}
	fg_buf_release(&unknown);
}

/* ---- --srcline: a row with the source line follows every frame */

/*
 * Adds the frames of a symbol to the stack. p->key has the text of the first `done` of
 * them with their source lines; p->run has all of them, without source lines.
 */
static void end_of_srclines(struct perf *p, size_t done)
{
	struct fg_buf *b = &p->key;
	bool any = p->run.count > 0;

	for (size_t i = done; i < p->run.count; i++) {
		if (i)
			fg_buf_add_char(b, ';');
		fg_buf_add_str(b, fg_intern_name(p->names, p->run.items[i]));
	}
	p->run.count = 0;
	if (any)
		perf_run_add(p, fg_buf_str(b));
	perf_push(p, perf_run_end(p));
	p->srclines.next = 0;
}

/* Handles a row with the source line of the next frame: "  main.c:12". */
static void srcline(struct perf *p, struct fg_str line)
{
	struct fg_buf *b = &p->key;
	struct fg_str text;

	fg_buf_clear(&p->scratch);
	perf_add_unbracketed(&p->scratch, line);
	text = fg_str_trim(fg_buf_str(&p->scratch));
	if (p->srclines.next)
		fg_buf_add_char(b, ';');
	fg_buf_add_str(b, fg_intern_name(p->names, p->run.items[p->srclines.next++]));
	if (text.len) {
		fg_buf_add_char(b, ':');
		fg_buf_add_str(b, text);
	}
	if (!--p->srclines.due)
		end_of_srclines(p, p->srclines.next);
}

static void frame_with_srcline(struct perf *p, const struct perf_frame *f)
{
	p->name(p, f, perf_variant_of_dso(p->options, f->dso, p->sample.variant));
	fg_buf_clear(&p->key);
	p->srclines.next = 0;
	if (!p->srclines.due)
		end_of_srclines(p, 0);
}

/* ---- lines */

/* Adds the functions at the frame's address. Returns false if none is known. */
static bool add_inlined(struct perf *p, const struct perf_frame *f)
{
	struct fg_lookup_query query = { .pc = f->pc,
					 .symbol = f->after_pc,
					 .dso = f->dso };

	if (!p->lookup || has_no_debug_info(f->dso))
		return false;
	fg_buf_clear(&p->scratch);
	if (!fg_lookup_frame(p->lookup, &query, &p->scratch))
		return false;
	perf_run_add(p, fg_buf_str(&p->scratch));
	perf_push(p, perf_run_end(p));
	return true;
}

static void frame(struct perf *p, const struct perf_frame *f)
{
	if (p->sample.stage == PERF_BETWEEN || add_inlined(p, f))
		return;
	if (f->symbol.len && f->symbol.ptr[0] == '(')
		return;
	if (p->options->srcline)
		frame_with_srcline(p, f);
	else
		perf_push(p, perf_frames_of(p, f, p->sample.variant));
}

/* Counts the sample. The comm is a part of its chain, because it may hold a ';'. */
static void end_of_sample(struct perf *p)
{
	static const struct fg_roots no_roots = { .count = 0 };
	struct perf_sample *s = &p->sample;

	if (s->stage == PERF_BETWEEN)
		return;
	p->tally->kept++;
	p->tally->chains += fg_stack_depth(p->stack) > 0;
	perf_push(p, s->perl_root);
	fg_sink_count(p->sink, &no_roots, s->weight);
	fg_stack_clear(p->stack);
	s->stage = PERF_BETWEEN;
	p->fast = PERF_FAST_SKIP;
}

void perf_compat_line(struct perf *p, struct fg_str line)
{
	struct perf_frame f;
	struct ids ids;

	if (p->srclines.due)
		srcline(p, line);
	else if (line.len && line.ptr[0] == '#')
		return;
	else if (!line.len)
		end_of_sample(p);
	else if (read_comm_and_ids(line, &ids))
		header(p, &ids, line);
	else if (read_frame(line, &f))
		frame(p, &f);
	else
		fg_sink_malformed(p->sink, line);
}
