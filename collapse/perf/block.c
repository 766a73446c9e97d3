/* Lines of a block, and the fast path for frame lines of the usual shape. */
#include "collapse/perf/block.h"

#include <string.h>

#include "collapse/perf/perf.h"
#include "collapse/perf/name.h"

/*
 * Nearly every line is `\t`, an address in 16 columns, ' ', a symbol, " (", a
 * DSO, ")\n". Such a line is one scan for its end and its " (", one hash of the
 * symbol and one look-up. All others go to the line function, byte by byte.
 * (See lib/reader.h: some bytes beyond the block may be read.)
 */

#define ADDRESS_COLUMNS 16
#define NAME_AT (1 + ADDRESS_COLUMNS + 1)

static const struct fg_str unknown = FG_STR_INIT("[unknown]");

/* Where things are on a frame line, by one scan from the symbol on. */
struct scan {
	const char *end; /* the '\n' */
	const char *first; /* the ' ' of the first " (", or NULL */
	const char *last; /* of the last one */
};

#if defined(__SSE2__) && !defined(FG_PLAIN_C)

static inline __m128i equal(__m128i bytes, char c)
{
	return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
}

static inline void scan_frame(const char *from, struct scan *s)
{
	s->first = s->last = NULL;
	for (const char *p = from;; p += 16) {
		__m128i here = _mm_loadu_si128((const __m128i *)p);
		__m128i before = _mm_loadu_si128((const __m128i *)(p - 1));
		__m128i newline = equal(here, '\n');
		__m128i paren = _mm_and_si128(equal(here, '('), equal(before, ' '));
		unsigned parens, newlines;

		if (!_mm_movemask_epi8(_mm_or_si128(newline, paren)))
			continue;
		newlines = (unsigned)_mm_movemask_epi8(newline);
		parens = (unsigned)_mm_movemask_epi8(paren);
		if (newlines)
			parens &= (newlines & -newlines) - 1;
		if (parens) {
			s->last = p + (31 - __builtin_clz(parens)) - 1;
			if (!s->first)
				s->first = p + __builtin_ctz(parens) - 1;
		}
		if (newlines) {
			s->end = p + __builtin_ctz(newlines);
			return;
		}
	}
}

/* Which of 16 bytes are lower-case hex digits. */
static inline unsigned hex_digits(__m128i bytes)
{
	__m128i digit = _mm_xor_si128(bytes, _mm_set1_epi8('0'));
	__m128i letter = _mm_sub_epi8(bytes, _mm_set1_epi8('a'));
	__m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
	__m128i is_letter =
		_mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);

	return (unsigned)_mm_movemask_epi8(_mm_or_si128(is_digit, is_letter));
}

/* Whether 16 bytes are blanks, then at least one lower-case hex digit. */
static inline bool is_address(const char *p)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)p);
	unsigned blank = (unsigned)_mm_movemask_epi8(equal(bytes, ' '));
	unsigned hex = hex_digits(bytes);

	return (blank | hex) == 0xffff && !(blank & (blank + 1)) && hex;
}

#else

static inline void scan_frame(const char *from, struct scan *s)
{
	const char *p = from;

	s->first = s->last = NULL;
	for (; *p != '\n'; p++)
		if (*p == '(' && p[-1] == ' ') {
			s->last = p - 1;
			if (!s->first)
				s->first = p - 1;
		}
	s->end = p;
}

static inline bool is_address(const char *p)
{
	int i = 0;

	while (i < ADDRESS_COLUMNS - 1 && p[i] == ' ')
		i++;
	while (i < ADDRESS_COLUMNS && fg_is_lower_hex(p[i]))
		i++;
	return i == ADDRESS_COLUMNS;
}

#endif

/* The end of the symbol in from..to without "+0xHEX". */
static inline const char *symbol_end(const char *from, const char *to)
{
	const char *p = to;

	while (p > from && fg_is_lower_hex(p[-1]))
		p--;
	if (p == to || p - from < 3 || p[-1] != 'x' || p[-2] != '0' || p[-3] != '+')
		return to;
	return p - 3;
}

static inline struct fg_str printed_dso(const struct scan *s)
{
	return fg_str_of(s->last + 2, (size_t)(s->end - s->last - 3));
}

static struct fg_str dso_of(const struct perf *p, const struct scan *s)
{
	struct fg_str dso = printed_dso(s);

	return p->options->compat == FG_COMPAT_PERL ? dso :
							perf_strip_dso_offset(dso);
}

/* Whether the line that was scanned is one that only the line function can read. */
static inline bool is_unusual(const struct perf *p, const struct scan *s)
{
	if (!s->last || s->end[-1] != ')')
		return true;
	if (p->options->compat == FG_COMPAT_PERL)
		return false;
	/* what else is in parentheses may be parameters, or "inlined" */
	return s->first != s->last || (s->last[2] != '/' && s->last[2] != '[');
}

/* A frame without a symbol; `text` is "[unknown] (DSO)". */
static struct perf_memo_value look_up_unknown(struct perf *p, struct fg_str text,
					      struct fg_str dso)
{
	struct perf_memo_key key = perf_memo_key(&p->memo, text, PERF_VARIANT_UNKNOWN);
	const struct perf_memo_entry *entry = perf_memo_find(&p->memo, &key);
	struct perf_frame f = { .symbol = FG_STR("[unknown]"), .dso = dso };
	struct perf_memo_value value;

	if (entry)
		return perf_memo_value(entry);
	f.dso_kind = PERF_DSO_GIVEN;
	value = perf_frames_of(p, &f, p->sample.variant);
	perf_memo_add(&p->memo, &key, value);
	return value;
}

/* --addrs: a frame without a symbol that shows its address. */
static struct perf_memo_value look_up_address(struct perf *p, const char *name,
					      const struct scan *s)
{
	struct perf_frame f = {
		.pc = fg_str_trim_left(
			fg_str_of(name - 1 - ADDRESS_COLUMNS, ADDRESS_COLUMNS)),
		.symbol = unknown,
		.dso = dso_of(p, s),
		.dso_kind = PERF_DSO_GIVEN,
	};

	return perf_frames_of(p, &f, p->sample.variant);
}

static const char *unknown_frame(struct perf *p, const char *name,
				 struct perf_memo_value *value)
{
	struct perf_unknown *u = &p->unknown;
	struct fg_str text;
	struct scan s;

	scan_frame(name, &s);
	if (is_unusual(p, &s) || s.last != name + unknown.len)
		return NULL;
	if (p->options->addrs) {
		*value = look_up_address(p, name, &s);
		return s.end;
	}
	text = fg_str_of(name, (size_t)(s.end - name));
	*value = look_up_unknown(p, text, dso_of(p, &s));
	if (text.len >= 16 && text.len < sizeof(u->line) &&
	    !(value->flags & PERF_MEMO_RUN)) {
		u->len = text.len + 1;
		u->value = *value;
		memcpy(u->line, name, sizeof(u->line)); /* there is padding */
	}
	return s.end;
}

/* Whether the text from `name` on is the last frame without a symbol again. */
static inline bool is_same_unknown(const struct perf_unknown *u, const char *name)
{
	for (size_t at = 0; at + 16 < u->len; at += 16)
		if (!perf_same_16(u->line + at, name + at))
			return false;
	return perf_same_16(u->line + u->len - 16, name + u->len - 16);
}

/*
 * The end of the line where it is the last frame without a symbol again, or NULL. Whole
 * libraries lack symbols, so most frames without one are in the same DSO as the one
 * before.
 */
static inline const char *same_unknown(const struct perf *p, const char *line,
				       struct perf_memo_value *value)
{
	const struct perf_unknown *u = &p->unknown;

	if (!u->len || !is_same_unknown(u, line + NAME_AT) || !is_address(line + 1) ||
	    line[NAME_AT - 1] != ' ')
		return NULL;
	*value = u->value;
	return line + NAME_AT + u->len - 1;
}

/* A symbol whose frames depend on the DSO, or one that is new. */
static struct perf_memo_value look_up_with_dso(struct perf *p,
					       const struct perf_memo_key *key,
					       const struct perf_memo_entry *entry,
					       const struct scan *s)
{
	struct perf_frame f = {
		.symbol = key->text,
		.dso = dso_of(p, s),
		.dso_kind = PERF_DSO_GIVEN,
	};

	if (perf_options_annotate(p->options))
		return perf_frames_of(p, &f, key->variant);
	return perf_frames_of_key(p, &f, key, entry);
}

/* Whether the DSO is a JIT's: most are the one of the last name that asked. */
static bool is_jitted(struct perf *p, const struct scan *s)
{
	struct perf_last_dso *last = &p->last_dso;
	struct fg_str dso = printed_dso(s);

	if (!fg_str_eq(fg_buf_str(&last->text), dso)) {
		fg_buf_clear(&last->text);
		fg_buf_add_str(&last->text, dso);
		last->is_jit = perf_dso_is_jit(dso_of(p, s));
	}
	return last->is_jit;
}

static inline const char *named_frame(struct perf *p, const char *name,
				      struct perf_memo_value *value)
{
	static const struct perf_memo_value none = { 0, PERF_MEMO_NOT_YET };
	const struct perf_memo_entry *entry = NULL;
	struct perf_memo_key key;
	const char *end;
	struct scan s;

	scan_frame(name, &s);
	if (is_unusual(p, &s))
		return NULL;
	end = symbol_end(name, s.last);
	if (end == name)
		return NULL;
	key = perf_memo_key(&p->memo, fg_str_of(name, (size_t)(end - name)),
			    p->sample.variant);
	if (!perf_options_annotate(p->options))
		entry = perf_memo_find(&p->memo, &key);
	*value = entry ? perf_memo_value(entry) : none;
	if (value->flags & PERF_MEMO_BY_KIND)
		*value = p->by_kind.items[value->id].of[is_jitted(p, &s)];
	if (value->flags & (PERF_MEMO_BY_DSO | PERF_MEMO_NOT_YET))
		*value = look_up_with_dso(p, &key, entry, &s);
	return s.end;
}

/*
 * Takes a line that starts with a tab as a frame of the open sample. Returns
 * its '\n', or NULL where it has not the usual shape.
 */
static inline const char *usual_frame(struct perf *p, const char *line,
				      struct perf_memo_value *value)
{
	const char *name = line + NAME_AT;

	if (!is_address(line + 1) || name[-1] != ' ' || name[0] == '(' ||
	    fg_is_space(name[0]))
		return NULL;
	if (!memcmp(name, "[unknown] (", unknown.len + 2))
		return unknown_frame(p, name, value);
	if (name[0] == '[' && p->options->addrs)
		return NULL;
	return named_frame(p, name, value);
}

static inline struct perf_end_frame end_frame(const char *line, uint8_t flags)
{
	return (struct perf_end_frame){ !memcmp(line + 1, "ffff", 4), flags };
}

static bool has_kernel_dso(const struct perf *p, const char *line)
{
	struct scan s;

	scan_frame(line + NAME_AT, &s);
	return perf_dso_is_kernel(dso_of(p, &s));
}

/* Takes frames of the open sample; returns the first line that is none. */
static const char *take_frames(struct perf *p, const char *line, const char *stop)
{
	struct perf_sample *s = &p->sample;
	struct fg_stack *stack = &p->sink->stack;
	uint64_t frames = s->frames;
	const char *last = NULL;
	struct perf_memo_value value;

	while (stop - line > NAME_AT && *line == '\t') {
		const char *end = same_unknown(p, line, &value);

		if (!end)
			end = usual_frame(p, line, &value);
		if (!end)
			break;
		if (value.flags & PERF_MEMO_RUN)
			perf_push(p, value);
		else
			fg_stack_add_root(stack, value.id);
		if (frames < 2)
			perf_sample_note_frame(s, frames, end_frame(line, value.flags));
		frames++;
		last = line;
		line = end + 1;
	}
	if (!last)
		return line;
	s->indented |= !s->frames;
	p->sink->at.line += frames - s->frames;
	s->frames = frames;
	s->last = end_frame(last, value.flags);
	if (s->last.kernel && !s->first.kernel)
		s->last.kernel = has_kernel_dso(p, last);
	return line;
}

/* The same for a sample that is not kept. */
static const char *skip_frames(struct perf *p, const char *line, const char *stop)
{
	while (stop - line > NAME_AT && *line == '\t') {
		const char *end;

		if (!is_address(line + 1) || line[NAME_AT - 1] != ' ')
			break;
		end = memchr(line + NAME_AT, '\n', (size_t)(stop - line) - NAME_AT);
		if (!end)
			break;
		if (!p->sample.frames++)
			p->sample.indented = true;
		p->sink->at.line++;
		line = end + 1;
	}
	return line;
}

void perf_block(struct perf *p, struct fg_str bytes)
{
	const char *line = bytes.ptr;
	const char *stop = bytes.ptr + bytes.len;

	while (line < stop) {
		const char *end;

		if (*line == '\t') {
			if (p->fast == PERF_FAST_KEEP)
				line = take_frames(p, line, stop);
			else if (p->fast == PERF_FAST_SKIP)
				line = skip_frames(p, line, stop);
			if (line >= stop)
				break;
		}
		p->sink->at.line++;
		end = *line == '\n' ? line : memchr(line, '\n', (size_t)(stop - line));
		if (!end)
			end = stop;
		p->line(p, fg_str_of(line, (size_t)(end - line)));
		line = end + 1;
	}
}
