/* The frame on the header line of a sample without a call chain. */
#include "collapse/formats/perf/text/header_frame.h"

#include "collapse/formats/perf/text/frame.h"
#include "collapse/formats/perf/text/header.h"
#include "collapse/formats/perf/text/other_lines.h"

/* Whether `event` is a tracepoint's, "system:name", and no modifier follows. */
static bool is_tracepoint(struct fg_str event)
{
	struct fg_str name = event;
	struct fg_str system = fg_str_cut(&name, ':');
	bool modifier = true;

	if (!system.len || !name.len || fg_is_digit(system.ptr[0]) ||
	    fg_is_digit(name.ptr[0]))
		return false;
	for (size_t i = 0; i < system.len; i++)
		if (!fg_is_word(system.ptr[i]) && (!i || system.ptr[i] != '-'))
			return false;
	for (size_t i = 0; i < name.len; i++) {
		if (!fg_is_word(name.ptr[i]))
			return false;
		if (!fg_str_has_char(FG_STR("ukhGHpPDISVWebRX"), name.ptr[i]))
			modifier = false;
	}
	return !modifier && name.len > 1;
}

/* The last ')' that blanks and "HEX " follow, as between two frames; or 0. */
static size_t end_of_other_frame(struct fg_str text)
{
	for (size_t close = text.len; close-- > 0;) {
		size_t hex = close + 1;
		size_t end;

		if (text.ptr[close] != ')')
			continue;
		while (hex < text.len && text.ptr[hex] == ' ')
			hex++;
		end = hex + fg_str_span(fg_str_from_pos(text, hex), fg_is_lower_hex);
		if (end > hex && hex > close + 1 && end < text.len &&
		    text.ptr[end] == ' ')
			return close;
	}
	return 0;
}

/* Whether a frame may start at `at`: hexadecimal digits, one blank, a name. */
static bool is_frame_at(struct fg_str text, size_t at, size_t digits_min)
{
	size_t end;

	if (at && (fg_is_word(text.ptr[at - 1]) ||
		   fg_str_has_char(FG_STR("/.:+-"), text.ptr[at - 1])))
		return false;
	end = at + fg_str_span(fg_str_from_pos(text, at), fg_is_lower_hex);
	return end - at >= digits_min && end - at <= 16 && end + 1 < text.len &&
	       text.ptr[end] == ' ' && !fg_is_space(text.ptr[end + 1]);
}

/*
 * Drops what perf prints behind the frames of a header line: registers, branches, page
 * sizes, or an instruction whose tabs became blanks.
 */
static struct fg_str without_rest(struct fg_str text)
{
	size_t length = perf_frame_length(text), end = length;

	while (length) {
		struct fg_str next = fg_str_from_pos(text, end);
		size_t at = fg_str_spaces(next);

		length = at && is_frame_at(next, at, 1) ? perf_frame_length(next) : 0;
		end += length;
	}
	return end ? fg_str_before(text, end) : text;
}

/* How many digits an address at `at` has at least, as perf pads it to 16 columns. */
static size_t padded_digits(struct fg_str text, size_t at)
{
	size_t blanks;

	if (!fg_is_lower_hex(text.ptr[at]))
		return 16;
	blanks = at - fg_str_trim_right(fg_str_before(text, at)).len;
	return blanks == at || blanks > 15 ? 1 : 16 - blanks;
}

bool perf_frame_of_header(const struct perf_header *h, struct perf_frame *f)
{
	bool tracepoint = is_tracepoint(h->sample.event);
	struct fg_str text = h->rest;
	size_t at, first;

	/* a branch's `FROM => TO`: the sample is in FROM */
	if (!tracepoint)
		text = fg_str_before(text, fg_str_find(text, FG_STR(" => ")));
	text = perf_without_tail(text);
	if (text.len && text.ptr[text.len - 1] != ')')
		text = without_rest(text);
	at = perf_last_paren(text);
	if (at == text.len || text.ptr[text.len - 1] != ')')
		return false;
	first = end_of_other_frame(text);
	/* payloads and symbols hold short numbers: "add" is one */
	while (at-- > first) {
		size_t digits = padded_digits(text, at);

		if (tracepoint && digits < 8)
			digits = 8;
		if (is_frame_at(text, at, digits) &&
		    perf_frame_is(fg_str_from_pos(text, at), f)) {
			perf_frame_split(f);
			return f->dso_kind == PERF_DSO_GIVEN;
		}
	}
	return false;
}
