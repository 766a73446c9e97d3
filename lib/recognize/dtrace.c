/*
 * Recognises dtrace and bcc: frames, and below them a count or a table.
 *
 *               libc.so.1`read+0xa
 *               bash`main+0x40
 *                 7
 */
#include "lib/recognize/dtrace.h"

#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

/*
 * Cuts `start` and the hexadecimal digits after it off the end of `text`. Returns false
 * if `text` does not end like that.
 */
static bool cut_number(struct fg_str *text, struct fg_str start)
{
	struct fg_str rest =
		fg_str_before(*text, text->len - fg_str_end_span(*text, fg_is_hex));
	bool cuts = rest.len < text->len && fg_str_cut_end(&rest, start);

	if (cuts)
		*text = rest;
	return cuts;
}

/* Returns true for "main+0x1f" and "main+0x1f/0x30". */
static bool has_offset(struct fg_str text)
{
	cut_number(&text, FG_STR("/0x"));
	return cut_number(&text, FG_STR("+0x"));
}

/*
 * Returns true for "0x1f", "main+0x1f", "libc`main" and "std::sort", because keys do
 * not look like these.
 */
bool dtrace_is_frame(struct fg_str text)
{
	struct fg_str word = fg_str_before(text, fg_str_find_char(text, ' '));
	uint64_t address;

	return fg_str_has_char(word, '`') || !fg_str_0x(text, &address) ||
	       has_offset(text) || fg_str_has(text, FG_STR("::"));
}

bool dtrace_is_table_head(struct fg_str text)
{
	return fg_str_starts(text, FG_STR("value ")) &&
	       fg_str_has(text, FG_STR("- Distribution -"));
}

struct fg_str dtrace_key_before_number(struct fg_str text)
{
	size_t digits = fg_str_end_span(text, fg_is_digit);
	struct fg_str key = fg_str_before(text, text.len - digits);
	bool is_key =
		digits && fg_str_ends(key, FG_STR("  ")) && !dtrace_is_frame(text);

	return fg_str_before(fg_str_trim_right(key), is_key ? key.len : 0);
}

static bool is_probe_char(char c)
{
	return fg_is_word(c) || c == '$' || c == '.' || c == '-' || c == ':';
}

bool dtrace_is_probe(struct fg_str text)
{
	size_t cpu = fg_str_span(text, fg_is_digit), id;
	struct fg_str rest = fg_str_trim_left(fg_str_from_pos(text, cpu));

	id = fg_str_span(rest, fg_is_digit);
	rest = fg_str_trim_left(fg_str_from_pos(rest, id));
	return cpu && id && fg_str_has_char(rest, ':') &&
	       fg_str_all(rest, is_probe_char);
}

/* Returns true for the header "CPU     ID                    FUNCTION:NAME". */
static bool is_columns(struct fg_str text)
{
	return fg_str_starts(text, FG_STR("CPU ")) &&
	       fg_str_ends(text, FG_STR(" FUNCTION:NAME"));
}

/* Makes "main" of "b'main'", which an older bcc prints under Python 3. */
static struct fg_str unquote(struct fg_str name)
{
	bool is_quoted = name.len > 3 && fg_str_starts(name, FG_STR("b'")) &&
			 fg_str_ends(name, FG_STR("'"));

	return is_quoted ? fg_str_of(name.ptr + 2, name.len - 3) : name;
}

/* Returns the length of " (18235)" at the end, or 0. `brackets` is "()" or "[]". */
static size_t pid_at_end(struct fg_str text, const char brackets[2])
{
	struct fg_str inner = fg_str_before(text, text.len - (text.len > 0));
	size_t digits = fg_str_end_span(inner, fg_is_digit);
	struct fg_str name = fg_str_before(inner, inner.len - digits);
	bool is_pid = digits && fg_str_ends(text, fg_str_of(brackets + 1, 1)) &&
		      fg_str_ends(name, fg_str_of(brackets, 1));

	name = fg_str_before(name, name.len - is_pid);
	return is_pid && fg_str_ends(name, FG_STR(" ")) ? text.len + 1 - name.len : 0;
}

struct fg_str dtrace_bcc_comm(struct fg_str text, bool *sure)
{
	bool is_row = fg_str_starts(text, FG_STR("-  "));
	size_t pid = pid_at_end(text, is_row ? "()" : "[]");
	struct fg_str comm = fg_str_before(text, pid ? text.len - pid : 0);

	*sure = is_row && pid;
	return unquote(is_row ? fg_str_trim_left(fg_str_from_pos(comm, 1)) : comm);
}

/* Returns true for a process of bcc, "-                tar (18235)". */
static bool is_process(struct fg_str text)
{
	bool sure;

	return dtrace_bcc_comm(text, &sure).len && sure;
}

/* bcc's option -v puts an address in 16 columns before the name. */
#define ADDRESS_COLUMNS 16

struct fg_str dtrace_bcc_name(struct fg_str text)
{
	struct fg_str columns = fg_str_before(text, ADDRESS_COLUMNS + 1);
	struct fg_str address = fg_str_trim_right(columns);
	bool has_address = columns.len > ADDRESS_COLUMNS && address.len < columns.len &&
			   fg_str_all(address, fg_is_lower_hex);

	return unquote(fg_str_from_pos(text, has_address ? columns.len : 0));
}

/* Returns true for a time, "21:46:08". */
static bool is_time(struct fg_str text)
{
	bool good = text.len == 8;

	for (size_t i = 0; good && i < text.len; i++)
		good = i % 3 == 2 ? text.ptr[i] == ':' : fg_is_digit(text.ptr[i]);
	return good;
}

/*
 * Another first line is "Sampling at 49 Hertz of all threads by user + kernel stack for
 * 5 secs."
 */
bool dtrace_is_bcc_head(struct fg_str text)
{
	return (fg_str_starts(text, FG_STR("Tracing ")) ||
		fg_str_starts(text, FG_STR("Sampling "))) &&
	       (fg_str_ends(text, FG_STR("... Hit Ctrl-C to end.")) ||
		fg_str_ends(text, FG_STR(" secs.")));
}

bool dtrace_is_head(struct fg_str text)
{
	return fg_str_starts(text, FG_STR("dtrace: ")) || is_columns(text) ||
	       dtrace_is_bcc_head(text) || is_time(text) ||
	       fg_str_eq(text, FG_STR("Detaching...")) ||
	       fg_str_has(text, FG_STR("dtrace -")) || fg_str_eq(text, FG_STR("^C"));
}

/*
 * Returns false for bytes that other texts, and frames of other profilers, have around
 * the name.
 */
static bool is_sure_frame_char(char c)
{
	return !fg_str_has_char(FG_STR(" \t\":,;{}[]"), c);
}

/* Returns true for "libc`main", but not for Markdown's `a word` or ```fences```. */
static bool is_sure_frame(struct fg_str text)
{
	size_t tick = fg_str_find_char(text, '`');
	struct fg_str name = fg_str_from_pos(text, tick);

	return fg_str_all(text, is_sure_frame_char) && dtrace_is_frame(text) &&
	       (!name.len || (tick && name.len > 1 &&
			      !fg_str_has_char(fg_str_from_pos(name, 1), '`')));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	bool any_frame = false, any_name = false, any_weight = false;

	while (fg_str_has_char(rest, '\n')) {
		struct fg_str text = fg_str_trim(fg_str_cut(&rest, '\n'));

		if (fg_str_starts(text, FG_STR("0x")) &&
		    fg_str_has(text, FG_STR(" : ")))
			return FG_PROBE_NO; /* this is a frame of SystemTap */
		if (is_sure_frame(text) || is_columns(text) ||
		    dtrace_is_bcc_head(text) || is_process(text)) {
			any_frame = true;
			any_name |= fg_str_has_char(text, '`');
		}
		any_weight |= any_frame && (fg_str_all(text, fg_is_digit) ||
					    dtrace_is_table_head(text));
	}
	return any_weight ? FG_PROBE_YES : any_name ? FG_PROBE_MAYBE : FG_PROBE_NO;
}

const struct fg_kind fg_kind_dtrace = {
	.name = "dtrace",
	.input = "the output of dtrace or bcc",
	.probe = probe,
};
