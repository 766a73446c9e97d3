/* Lines of a block, and the fast path for frame lines of the usual shape. */
#include <string.h>

#include "collapse/perf.h"

#if defined(__SSE2__) && !defined(FG_PLAIN_C)
#include <emmintrin.h>
#endif

/*
 * Nearly every line is `\t`, an address in 16 columns, ' ', a symbol, " (", a
 * DSO, ")\n". Such a line is one scan for its end and its " (", one hash of the
 * symbol and one look-up. All others go to the line function, byte by byte.
 * (See lib/reader.h: some bytes beyond the block may be read.)
 */

#define ADDRESS_COLUMNS 16
#define NAME_AT (1 + ADDRESS_COLUMNS + 1)

/* Where things are on a frame line, by one scan from the symbol on. */
struct scan {
	const char *end; /* the '\n' */
	const char *first; /* the ' ' of the first " (", or NULL */
	const char *last; /* of the last one */
};

#if defined(__SSE2__) && !defined(FG_PLAIN_C)

static inline unsigned bytes_equal(__m128i bytes, char c)
{
	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)));
}

static inline void scan_frame(const char *from, struct scan *s)
{
	s->first = s->last = NULL;
	for (const char *p = from;; p += 16) {
		__m128i here = _mm_loadu_si128((const __m128i *)p);
		__m128i before = _mm_loadu_si128((const __m128i *)(p - 1));
		unsigned newline = bytes_equal(here, '\n');
		unsigned paren = bytes_equal(here, '(') & bytes_equal(before, ' ');

		if (newline)
			paren &= (newline & -newline) - 1;
		if (paren) {
			s->last = p + (31 - __builtin_clz(paren)) - 1;
			if (!s->first)
				s->first = p + __builtin_ctz(paren) - 1;
		}
		if (newline) {
			s->end = p + __builtin_ctz(newline);
			return;
		}
	}
}

/* Whether 16 bytes are blanks, then at least one lower-case hex digit. */
static inline bool is_address(const char *p)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)p);
	unsigned blank = bytes_equal(bytes, ' ');
	__m128i digit = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('0' - 1)),
				      _mm_cmplt_epi8(bytes, _mm_set1_epi8('9' + 1)));
	__m128i letter = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('a' - 1)),
				       _mm_cmplt_epi8(bytes, _mm_set1_epi8('f' + 1)));
	unsigned hex = (unsigned)_mm_movemask_epi8(_mm_or_si128(digit, letter));

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

/* The frames of a symbol that is looked up with its DSO. */
static struct perf_memo_value look_up_with_dso(struct perf *p, struct fg_str symbol,
					       struct fg_str dso)
{
	struct perf_frame f = {
		.symbol = symbol,
		.dso = dso,
		.dso_kind = PERF_DSO_GIVEN,
	};

	if (p->options->compat != PERF_COMPAT_PERL)
		f.dso = perf_strip_dso_offset(dso);
	return perf_frames_of(p, &f, p->sample.variant);
}

/* A frame without a symbol; `text` is "[unknown] (DSO)". */
static struct perf_memo_value look_up_unknown(struct perf *p, struct fg_str text,
					      struct fg_str dso)
{
	unsigned variant = p->sample.variant | PERF_VARIANT_UNKNOWN;
	const struct perf_memo_slot *slot =
		perf_memo_find(&p->memo, text, variant, perf_memo_hash(text, variant));
	struct perf_memo_value value;

	if (slot)
		return (struct perf_memo_value){ slot->id, slot->flags };
	value = look_up_with_dso(p, FG_STR("[unknown]"), dso);
	perf_memo_add(&p->memo, text, variant, value);
	return value;
}

/* `symbol` and `dso` are where they are on the line. */
static inline struct perf_memo_value look_up(struct perf *p, struct fg_str symbol,
					     struct fg_str dso)
{
	unsigned variant = p->sample.variant;
	const struct perf_memo_slot *slot;

	if (symbol.len == 9 && !memcmp(symbol.ptr, "[unknown]", 9))
		return look_up_unknown(
			p,
			fg_str_of(symbol.ptr, (size_t)(dso.ptr - symbol.ptr) + dso.len),
			dso);
	if (perf_is_annotating(p))
		return look_up_with_dso(p, symbol, dso);
	slot = perf_memo_find(&p->memo, symbol, variant,
			      perf_memo_hash(symbol, variant));
	if (!slot || (slot->flags & PERF_MEMO_BY_DSO))
		return look_up_with_dso(p, symbol, dso);
	return (struct perf_memo_value){ slot->id, slot->flags };
}

static inline void note_frame(struct perf *p, const char *line, uint8_t flags)
{
	struct perf_sample *s = &p->sample;

	s->last.kernel = !memcmp(line + 1, "ffff", 4);
	s->last.entry = (flags & PERF_MEMO_ENTRY) != 0;
	if (!s->frames++) {
		s->indented = true;
		s->first = s->last;
	}
}

/*
 * Takes a line that starts with a tab as a frame of the open sample. Returns
 * its '\n', or NULL where it has not the usual shape.
 */
static inline const char *fast_frame(struct perf *p, const char *line)
{
	const char *name = line + NAME_AT;
	struct perf_memo_value value;
	struct scan s;
	const char *end;

	if (!is_address(line + 1) || name[-1] != ' ' || name[0] == '(' ||
	    fg_is_space(name[0]))
		return NULL;
	scan_frame(name, &s);
	if (!s.last || s.end[-1] != ')')
		return NULL;
	if (s.first != s.last && p->options->compat != PERF_COMPAT_PERL)
		return NULL;
	if (s.end - s.last == 10 && !memcmp(s.last, " (inlined)", 10) &&
	    p->options->compat != PERF_COMPAT_PERL)
		return NULL;
	end = symbol_end(name, s.last);
	if (end == name || (name[0] == '[' && p->options->addrs))
		return NULL;
	value = look_up(p, fg_str_of(name, (size_t)(end - name)),
			fg_str_of(s.last + 2, (size_t)(s.end - s.last - 3)));
	if (value.flags & PERF_MEMO_RUN)
		perf_push(p, value);
	else
		fg_stack_add_root(&p->stack, value.id);
	note_frame(p, line, value.flags);
	return s.end;
}

/* The same for a sample that is not kept. */
static inline const char *skip_frame(struct perf *p, const char *line, const char *stop)
{
	if (!is_address(line + 1) || line[NAME_AT - 1] != ' ')
		return NULL;
	if (!p->sample.frames++)
		p->sample.indented = true;
	return memchr(line + NAME_AT, '\n', (size_t)(stop - line) - NAME_AT);
}

static inline const char *try_fast(struct perf *p, const char *line, const char *stop)
{
	switch (p->frames) {
	case PERF_FRAMES_KEEP:
		return fast_frame(p, line);
	case PERF_FRAMES_SKIP:
		return skip_frame(p, line, stop);
	default:
		return NULL;
	}
}

void perf_block(struct perf *p, struct fg_str bytes)
{
	const char *line = bytes.ptr;
	const char *stop = bytes.ptr + bytes.len;

	while (line < stop) {
		const char *end = NULL;

		p->at.line++;
		if (*line == '\t' && stop - line > NAME_AT)
			end = try_fast(p, line, stop);
		if (!end) {
			end = *line == '\n' ? line :
					      memchr(line, '\n', (size_t)(stop - line));
			if (!end)
				end = stop;
			p->line(p, fg_str_of(line, (size_t)(end - line)));
		}
		line = end + 1;
	}
}
