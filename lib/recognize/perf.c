/*
 * Recognises the output of perf script, and perf.data.
 *
 *     app  4242 [003] 58549.289091:     250000 cycles:
 *     	          401136 main+0x6 (/bin/app)
 *
 * A time stamp or the columns of a frame are enough. A header without a time stamp, and
 * a frame that lost its tab in a paste, count only if the frame comes right after the
 * header. The grammar reads far more of a header: collapse/formats/perf/text/header.c.
 */
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

bool perf_data_starts(struct fg_str first_bytes)
{
	/* the magic of today in both byte orders, then the one from before 2012 */
	static const struct fg_str magics[] = {
		FG_STR_INIT("PERFILE2"),
		FG_STR_INIT("2ELIFREP"),
		FG_STR_INIT("PERFFILE"),
		FG_STR_INIT("ELIFFREP"),
	};

	return fg_str_starts_any(first_bytes, magics, FG_COUNT_OF(magics));
}

/* ---- frames */

/* perf script's columns of an address: a tab, and 16 characters. */
#define ADDRESS_COLUMNS 17

/* Returns true if the line starts with an address in its columns. */
static bool is_address(struct fg_str line)
{
	struct fg_str columns =
		fg_str_from_pos(fg_str_before(line, ADDRESS_COLUMNS), 1);

	return line.len >= ADDRESS_COLUMNS && line.ptr[0] == '\t' &&
	       fg_str_all(fg_str_from_pos(columns, fg_str_spaces(columns)),
			  fg_is_lower_hex);
}

bool perf_is_indented_frame(struct fg_str line)
{
	return is_address(line) &&
	       fg_str_starts(fg_str_from_pos(line, ADDRESS_COLUMNS), FG_STR(" "));
}

bool perf_is_bare(struct fg_str first_bytes)
{
	bool any = false;

	while (first_bytes.len) {
		struct fg_str line = fg_str_cut(&first_bytes, '\n');
		struct fg_str address = fg_str_trim_right(line);

		if (fg_str_ends(address, FG_STR(":")))
			return false; /* the line ends in a time or an event */
		if (!fg_str_starts(line, FG_STR("\t")))
			continue;
		if (address.len != ADDRESS_COLUMNS || !is_address(address))
			return false;
		any = true;
	}
	return any;
}

/* ---- words of a header */

static bool is_no_space(char c)
{
	return !fg_is_space(c);
}

/* Cuts off the last word and the blanks before it. `s` must not end in blanks. */
static struct fg_str cut_last_word(struct fg_str *s)
{
	size_t length = fg_str_end_span(*s, is_no_space);
	struct fg_str word = fg_str_from_pos(*s, s->len - length);

	*s = fg_str_trim_right(fg_str_before(*s, s->len - length));
	return word;
}

static bool is_integer(struct fg_str word)
{
	fg_str_cut_start(&word, FG_STR("-"));
	return word.len && fg_str_all(word, fg_is_digit);
}

/* Returns true for "[003]". */
static bool is_cpu(struct fg_str word)
{
	return fg_str_cut_start(&word, FG_STR("[")) &&
	       fg_str_cut_end(&word, FG_STR("]")) && is_integer(word);
}

/* Returns true for "4242" and "4242/4243". */
static bool is_ids(struct fg_str word)
{
	struct fg_str tid = word, pid = fg_str_cut(&tid, '/');

	return is_integer(pid) && (pid.len == word.len || is_integer(tid));
}

/* Returns "app" for "app 4242 [003]", or a NULL string if there are no ids. */
static struct fg_str cut_ids(struct fg_str text)
{
	struct fg_str word = cut_last_word(&text);

	if (is_cpu(word))
		word = cut_last_word(&text);
	return is_ids(word) ? text : fg_str_of(NULL, 0);
}

/* ---- headers with a time stamp */

/*
 * Returns true if a time stamp ends at the ':' at `colon`. perf prints 6 or 9 decimals.
 * With `any`, other numbers of decimals are accepted, like simpleperf's
 * report_sample.py prints.
 */
static bool is_time_stamp(struct fg_str line, size_t colon, bool any)
{
	struct fg_str left = fg_str_before(line, colon);
	size_t decimals = fg_str_end_span(left, fg_is_digit), seconds;

	if (colon + 1 < line.len && !fg_is_space(line.ptr[colon + 1]))
		return false;
	left.len -= decimals;
	if ((any ? !decimals : decimals != 6 && decimals != 9) ||
	    !fg_str_cut_end(&left, FG_STR(".")))
		return false;
	seconds = fg_str_end_span(left, fg_is_digit);
	left.len -= seconds;
	return seconds && (!left.len || fg_is_space(left.ptr[left.len - 1]));
}

/*
 * Returns the offset of the first ':' that has a space or the end after it, or s.len.
 */
static size_t find_colon(struct fg_str s)
{
	size_t at = 0;

	while (at < s.len) {
		at += fg_str_find_char(fg_str_from_pos(s, at), ':');
		if (at + 1 >= s.len || fg_is_space(s.ptr[at + 1]))
			break;
		at++;
	}
	return at;
}

/*
 * Returns true for "app 4242 [003] 100.5: 1 cycles:". The time may have any number of
 * decimals, but the ids and the event must be there.
 */
static bool is_other_header(struct fg_str line)
{
	size_t colon = find_colon(line);
	struct fg_str left = fg_str_before(line, colon);
	struct fg_str right = fg_str_trim_left(fg_str_from_pos(line, colon + 1));

	if (colon == line.len || !is_time_stamp(line, colon, true))
		return false;
	cut_last_word(&left);
	if (!cut_ids(left).ptr)
		return false;
	right = fg_str_trim_left(
		fg_str_from_pos(right, fg_str_span(right, fg_is_digit)));
	return right.len && right.ptr[0] != ':' && right.ptr[0] != '(' &&
	       find_colon(right) < right.len;
}

/* Returns false for source code of --fields +srccode, like "|12  return x;". */
static bool is_header(struct fg_str line)
{
	if (!line.len || line.ptr[0] == '\t' || line.ptr[0] == '|')
		return false;
	for (size_t at = fg_str_find_char(line, ':'); at < line.len;
	     at += 1 + fg_str_find_char(fg_str_from_pos(line, at + 1), ':'))
		if (is_time_stamp(line, at, false))
			return true;
	return is_other_header(line);
}

static bool is_sure(struct fg_str line)
{
	fg_str_cut_end(&line, FG_STR("\r"));
	return fg_str_eq(fg_str_trim_right(line), FG_STR("# ========")) ||
	       perf_is_indented_frame(line) || is_header(line);
}

/* ---- lines that count together */

/*
 * Returns true for a header without a time: "app 4242 cycles:", "app 4242 [003] 250000
 * cycles:".
 */
static bool may_be_header(struct fg_str line)
{
	struct fg_str left = fg_str_trim_right(line);
	struct fg_str event = cut_last_word(&left), period;

	if (event.len < 2 || !fg_str_ends(event, FG_STR(":")) || event.ptr[0] == '[' ||
	    event.ptr[0] == '(')
		return false;
	if (fg_str_trim(cut_ids(left)).len)
		return true;
	period = cut_last_word(&left);
	return is_integer(period) && fg_str_trim(cut_ids(left)).len;
}

/* Returns true for a frame without its columns: "401136 main+0x6 (/bin/app)". */
static bool may_be_frame(struct fg_str line)
{
	struct fg_str text = fg_str_trim(line);
	size_t digits = fg_str_span(text, fg_is_lower_hex);

	return digits > 3 && digits <= 16 && digits < text.len &&
	       fg_is_blank(text.ptr[digits]) && fg_str_ends(text, FG_STR(")")) &&
	       (fg_str_has(text, FG_STR(" (/")) || fg_str_has(text, FG_STR(" ([")));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	bool after_header = false;

	if (perf_data_starts(first_bytes))
		return FG_PROBE_YES;
	while (first_bytes.len) {
		struct fg_str line = fg_str_cut(&first_bytes, '\n');
		bool indented = fg_str_starts(line, FG_STR("\t "));

		if (is_sure(line) || ((after_header || indented) && may_be_frame(line)))
			return FG_PROBE_YES;
		after_header = may_be_header(line);
	}
	return FG_PROBE_NO;
}

const struct fg_kind fg_kind_perf = {
	.name = "perf",
	.input = "the output of perf script",
	.data = "perf's binary data",
	.is_data = perf_data_starts,
	.probe = probe,
};
