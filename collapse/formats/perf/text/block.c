/* Reads a block line by line, with a fast path for frame lines of the usual shape. */
#include "collapse/formats/perf/text/block.h"

#include <string.h>

#include "collapse/formats/perf/text/dso.h"
#include "collapse/formats/perf/text/name.h"
#include "collapse/formats/perf/text/stack.h"
#include "collapse/formats/perf/text/state.h"

/*
 * Nearly every line is a frame of this shape, with the address in 16 columns:
 *
 *     "\t    55d0c0ffee00 main+0x2b (/usr/bin/app)\n"
 *
 * Such a line takes one scan for its end and its " (", one hash of the symbol and one
 * lookup. All other lines go to p->line, which reads them byte by byte. The scan may
 * read some bytes beyond the block; lib/base/reader.h allows it.
 */

#define ADDRESS_COLUMNS 16
#define NAME_AT (1 + ADDRESS_COLUMNS + 1)

/* The places that one scan of a frame line finds. The scan starts at the symbol. */
struct scan {
	const char *end; /* the '\n' */
	const char *first; /* the ' ' of the first " (", or NULL */
	const char *last; /* the ' ' of the last " (", or NULL */
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

/* Returns a mask of 16 bits: a bit is set if its byte is a lower-case hex digit. */
static inline unsigned hex_digits(__m128i bytes)
{
	__m128i digit = _mm_xor_si128(bytes, _mm_set1_epi8('0'));
	__m128i letter = _mm_sub_epi8(bytes, _mm_set1_epi8('a'));
	__m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
	__m128i is_letter =
		_mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);

	return (unsigned)_mm_movemask_epi8(_mm_or_si128(is_digit, is_letter));
}

/* Returns true for an address, padded with spaces to 16 columns: "    55d0c0ffee00". */
static inline bool is_address(const char *p)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)p);
	unsigned spaces = (unsigned)_mm_movemask_epi8(equal(bytes, ' '));
	unsigned hex = hex_digits(bytes);

	return (spaces | hex) == 0xffff && !(spaces & (spaces + 1)) && hex;
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

/*
 * Returns the end of the symbol between `from` and `to`, without an offset such as
 * "+0x2b".
 */
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

	return p->options->compat == FG_COMPAT_PERL ? dso : perf_strip_dso_offset(dso);
}

/* Returns true if only p->line can read the scanned line. */
static inline bool is_unusual(const struct perf *p, const struct scan *s)
{
	if (!s->last || s->end[-1] != ')')
		return true;
	if (p->options->compat == FG_COMPAT_PERL)
		return false;
	/* other parentheses may be parameters, or "(inlined)" */
	return s->first != s->last || (s->last[2] != '/' && s->last[2] != '[');
}

/* Returns true if the line, from `name` on, equals the last line without a symbol. */
static inline bool is_same_unknown(const struct perf_unknown *u, const char *name)
{
	for (size_t at = 0; at + 16 < u->len; at += 16)
		if (!fg_memo_same_16(u->line + at, name + at))
			return false;
	return fg_memo_same_16(u->line + u->len - 16, name + u->len - 16);
}

/*
 * A fast path for "\t    7f1a2b3c4d5e [unknown] (/lib/libx.so)\n": if the last line
 * without a symbol had the same DSO, sets *value to its frames and returns the '\n'.
 * Otherwise returns NULL. Whole libraries lack symbols, so most such lines come several
 * times in a row.
 */
static inline const char *same_unknown(const struct perf *p, const char *line,
				       struct fg_memo_value *value)
{
	const struct perf_unknown *u = &p->unknown;

	if (!u->len || !is_same_unknown(u, line + NAME_AT) || !is_address(line + 1) ||
	    line[NAME_AT - 1] != ' ')
		return NULL;
	*value = u->value;
	return line + NAME_AT + u->len - 1;
}

/*
 * Returns the frames of a symbol that is not in the memo, or whose frames depend on the
 * DSO.
 */
static struct fg_memo_value look_up_with_dso(struct perf *p,
					     const struct fg_memo_key *key,
					     const struct fg_memo_entry *entry,
					     const struct scan *s)
{
	struct perf_frame f = {
		.pc = fg_str_trim_left(fg_str_of(key->text.ptr - 1 - ADDRESS_COLUMNS,
						 ADDRESS_COLUMNS)),
		.symbol = key->text,
		.dso = dso_of(p, s),
		.dso_kind = PERF_DSO_GIVEN,
	};

	return perf_frames_of_key(p, &f, key, entry);
}

/*
 * Returns true if the symbol was last seen in this DSO, which is true of most symbols.
 */
static inline bool is_in_same_dso(const struct perf_by_dso *d, uint32_t id,
				  const struct scan *s)
{
	uint32_t dso = d->last[id].dso;

	return dso != UINT32_MAX && fg_str_eq(d->dsos.names[dso], printed_dso(s));
}

/*
 * Remembers the text from `name` to `end`, "[unknown] (/lib/libx.so)", for the next
 * line.
 */
static void note_unknown(struct perf_unknown *u, const char *name, const char *end,
			 struct fg_memo_value value)
{
	size_t len = (size_t)(end + 1 - name);

	if (len <= 16 || len > sizeof(u->line) || (value.flags & FG_MEMO_RUN))
		return;
	u->len = len;
	u->value = value;
	/* the block is padded, so all these bytes can be read */
	memcpy(u->line, name, sizeof(u->line));
}

/*
 * Sets *value to the frames of a line of the usual shape, and returns the position of
 * its '\n'. Returns NULL for any other line.
 */
static inline const char *usual_frame(struct perf *p, const char *line,
				      struct fg_memo_value *value)
{
	const char *name = line + NAME_AT, *end;
	const struct fg_memo_entry *entry;
	struct fg_memo_key key;
	struct scan s;

	if (!is_address(line + 1) || name[-1] != ' ' || name[0] == '(' ||
	    fg_is_space(name[0]))
		return NULL;
	scan_frame(name, &s);
	if (is_unusual(p, &s))
		return NULL;
	end = symbol_end(name, s.last);
	if (end == name)
		return NULL;
	key = fg_memo_key(&p->memo, fg_str_of(name, (size_t)(end - name)),
			  p->sample.variant);
	entry = fg_memo_find(&p->memo, &key);
	if (entry && !(entry->flags & PERF_MEMO_BY_DSO)) {
		*value = fg_memo_value(entry);
		return s.end;
	}
	if (entry && is_in_same_dso(&p->by_dso, entry->id, &s)) {
		*value = p->by_dso.last[entry->id].value;
		return s.end;
	}
	*value = look_up_with_dso(p, &key, entry, &s);
	if (fg_str_eq(key.text, FG_STR("[unknown]")) && !p->options->addrs)
		note_unknown(&p->unknown, name, s.end, *value);
	return s.end;
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

/*
 * Adds the frames of lines of the usual shape to the open sample. Returns the first
 * line that has another shape, or `stop`.
 */
static const char *take_frames(struct perf *p, const char *line, const char *stop)
{
	struct perf_sample *s = &p->sample;
	struct fg_stack *stack = p->stack;
	uint64_t frames = s->frames;
	const char *last = NULL;
	struct fg_memo_value value;

	while (stop - line > NAME_AT && *line == '\t') {
		const char *end = same_unknown(p, line, &value);

		if (!end)
			end = usual_frame(p, line, &value);
		if (!end)
			break;
		if (value.flags & FG_MEMO_RUN)
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
	p->at->line += frames - s->frames;
	s->frames = frames;
	s->last = end_frame(last, value.flags);
	if (s->last.kernel && !s->first.kernel)
		s->last.kernel = has_kernel_dso(p, last);
	return line;
}

/* Like take_frames(), but only counts the lines, for a sample that is not kept. */
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
		p->at->line++;
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
		p->at->line++;
		end = *line == '\n' ? line : memchr(line, '\n', (size_t)(stop - line));
		if (!end)
			end = stop;
		p->line(p, fg_str_of(line, (size_t)(end - line)));
		line = end + 1;
	}
}
