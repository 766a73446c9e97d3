/* Reads a frame line of perf script: address, symbol with offset, DSO. */
#include "collapse/formats/perf/text/frame.h"

/*
 * perf's sample__fprintf_callchain() (tools/perf/util/evsel_fprintf.c) prints
 *
 *     \t    55d0c0ffee00 main+0x2b (/usr/bin/app)
 *
 * Both symbol and DSO may hold spaces and parentheses, balanced or not. So we find the
 * place between them by several hints, the most reliable one first (dso_paren).
 */

static const struct fg_str unknown = FG_STR_INIT("[unknown]");

/*
 * Returns true if a space follows the address, or a tab, which simpleperf's
 * report_sample.py prints. perf prints a tab before an instruction, "401136\tmov
 * (%rax)"; its parentheses are not a DSO.
 */
static bool follows_address(struct fg_str line, size_t at)
{
	if (line.ptr[at] != '\t')
		return line.ptr[at] == ' ';
	return line.ptr[line.len - 1] == ')' &&
	       (line.ptr[0] != '\t' || fg_str_has(line, FG_STR(" (/")) ||
		fg_str_has(line, FG_STR(" ([")));
}

bool perf_frame_is(struct fg_str line, struct perf_frame *f)
{
	size_t start = 0, end;

	while (start < line.len && fg_is_space(line.ptr[start]))
		start++;
	end = start + fg_str_span(fg_str_from_pos(line, start), fg_is_lower_hex);
	if (end == start || end - start > 16)
		return false;
	if (end < line.len && !follows_address(line, end))
		return false;
	f->pc = fg_str_of(line.ptr + start, end - start);
	f->after_pc = fg_str_of(NULL, 0);
	if (end < line.len)
		f->after_pc = fg_str_from_pos(line, end + 1);
	return true;
}

struct fg_str perf_strip_offset(struct fg_str symbol)
{
	size_t digits = fg_str_end_span(symbol, fg_is_lower_hex);
	struct fg_str rest = fg_str_before(symbol, symbol.len - digits);

	return digits && fg_str_cut_end(&rest, FG_STR("+0x")) ? rest : symbol;
}

/* Returns the index of the " (" in the first "+0x2b (", or text.len. */
static size_t paren_after_offset(struct fg_str text)
{
	size_t at = 0;

	for (;;) {
		size_t end;

		at += fg_str_find(fg_str_from_pos(text, at), FG_STR("+0x"));
		if (at >= text.len)
			return text.len;
		end = at + 3 +
		      fg_str_span(fg_str_from_pos(text, at + 3), fg_is_lower_hex);
		if (end > at + 3 &&
		    fg_str_starts(fg_str_from_pos(text, end), FG_STR(" (")))
			return end;
		at += 3;
	}
}

/* Returns the index of the '(' that balances the ')' at the end, or text.len. */
static size_t balancing_paren(struct fg_str text)
{
	size_t depth = 0;

	for (size_t at = text.len; at-- > 0;) {
		if (text.ptr[at] == ')')
			depth++;
		else if (text.ptr[at] == '(' && --depth == 0)
			return at;
	}
	return text.len;
}

size_t perf_last_paren(struct fg_str text)
{
	for (size_t at = text.len; at-- > 1;)
		if (text.ptr[at] == '(' && text.ptr[at - 1] == ' ')
			return at - 1;
	return text.len;
}

/* Returns the index of the " (" before the DSO, or text.len if perf printed no DSO. */
static size_t dso_paren(struct fg_str text)
{
	size_t at = paren_after_offset(text);
	size_t open;

	if (at < text.len)
		return at;
	if (fg_str_starts(text, FG_STR("[unknown] (")))
		return unknown.len;
	open = balancing_paren(text);
	if (open < text.len && open && text.ptr[open - 1] == ' ')
		return open - 1;
	at = fg_str_find(text, FG_STR(" (/"));
	if (at == text.len)
		at = fg_str_find(text, FG_STR(" (["));
	if (at < text.len)
		return at;
	/* "f(void (*)(int))" ends in its parameters */
	return open < text.len ? text.len : perf_last_paren(text);
}

/*
 * Returns the length of `text` up to the ')' that closes the '(' at `open`, or 0 if
 * there is none.
 */
static size_t length_to_close(struct fg_str text, size_t open)
{
	size_t depth = 0;

	for (size_t at = open; at < text.len; at++) {
		depth += text.ptr[at] == '(';
		if (text.ptr[at] == ')' && !--depth)
			return at + 1;
	}
	return 0;
}

/*
 * In "work+0x16 (/bin/app) main+0x4/work+0x10/P/-/-/5" the frame is 20 bytes long.
 * Other frames may follow, so we take the first text that looks like a DSO.
 */
size_t perf_frame_length(struct fg_str text)
{
	size_t at = paren_after_offset(text);
	size_t path = fg_str_find(text, FG_STR(" (/"));
	size_t bracket = fg_str_find(text, FG_STR(" (["));

	at = path < at ? path : at;
	at = bracket < at ? bracket : at;
	return length_to_close(text, at + 1);
}

/*
 * Returns true for "(/bin/x)": an old perf printed the DSO alone if it knew no symbol.
 * A symbol may start with a parenthesis, too: "(anonymous namespace)::f (/bin/x)".
 */
static bool has_no_symbol(struct fg_str text)
{
	size_t at;

	if (text.ptr[0] != '(' || paren_after_offset(text) < text.len ||
	    fg_str_starts(text, FG_STR("(anonymous namespace)::")))
		return false;
	at = balancing_paren(text);
	return at == 0 || at == text.len || text.ptr[at - 1] != ' ';
}

struct fg_str perf_strip_dso_offset(struct fg_str dso)
{
	struct fg_str plain = perf_strip_offset(dso);

	if (!plain.len || plain.ptr[plain.len - 1] == '+')
		return dso;
	return plain;
}

static void set_dso(struct perf_frame *f, size_t start, size_t end)
{
	f->dso = perf_strip_dso_offset(fg_str_of(f->after_pc.ptr + start, end - start));
	if (!f->dso.len)
		f->dso = unknown; /* perf of 2011 prints "()" */
	f->dso_kind = PERF_DSO_GIVEN;
}

/* Like dso_paren(), for a line whose end was cut off: "main+0x2b (/usr/b". */
static size_t cut_dso_paren(struct fg_str text)
{
	size_t at = paren_after_offset(text);
	size_t depth = 0;

	if (at == text.len)
		at = fg_str_find(text, FG_STR(" (/"));
	if (at == text.len)
		at = fg_str_find(text, FG_STR(" (["));
	for (size_t i = at; i < text.len; i++) {
		depth += text.ptr[i] == '(';
		depth -= text.ptr[i] == ')' && depth;
	}
	return depth ? at : text.len;
}

void perf_frame_split(struct perf_frame *f)
{
	struct fg_str text = f->after_pc;
	size_t at;

	f->symbol = text;
	f->dso = unknown;
	f->dso_kind = PERF_DSO_ABSENT;
	if (fg_str_cut_end(&f->symbol, FG_STR(" (inlined)"))) {
		f->dso_kind = PERF_DSO_INLINED;
	} else if (text.len && text.ptr[text.len - 1] == ')') {
		at = dso_paren(text);
		if (has_no_symbol(text)) {
			f->symbol = fg_str_of(text.ptr, 0);
			set_dso(f, 1, text.len - 1);
		} else if (at < text.len) {
			f->symbol = fg_str_before(text, at);
			set_dso(f, at + 2, text.len - 1);
		}
	} else if (text.len) {
		f->symbol = fg_str_before(text, cut_dso_paren(text));
	}
	f->symbol = perf_strip_offset(f->symbol);
}
