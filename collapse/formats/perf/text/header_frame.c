/*
 * Finds the frame on the header line of a sample without a call chain:
 *
 *     app 4242 [003] 100.000001: 250000 cycles:  55d0c0ffee00 main+0x2b (/usr/bin/app)
 */
#include "collapse/formats/perf/text/header_frame.h"

#include "collapse/formats/perf/text/frame.h"
#include "collapse/formats/perf/text/header.h"
#include "collapse/formats/perf/text/other_lines.h"

/*
 * Returns true for a tracepoint, "sched:sched_switch", whose payload may look like a
 * frame; false for "cycles:ppp", in which a modifier follows the ':'.
 */
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

/*
 * Returns the index of the last ')' after which another frame starts, like the first
 * ')' in "work+0x16 (/bin/app) 401136 main+0x6 (/bin/app)". Returns 0 if there is only
 * one frame.
 */
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

/*
 * Returns true if a frame may start at `at`: an address of `digits_min` digits or more,
 * one space, a name.
 */
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
 * Returns `text` without registers, branches, page sizes, or an instruction whose tabs
 * became spaces, which perf prints after the frames of a header line.
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

/*
 * Returns the least number of digits that an address at `at` may have. perf pads it to
 * 16 columns, so fewer spaces before it mean more digits.
 */
static size_t padded_digits(struct fg_str text, size_t at)
{
	size_t spaces;

	if (!fg_is_lower_hex(text.ptr[at]))
		return 16;
	spaces = at - fg_str_trim_right(fg_str_before(text, at)).len;
	return spaces == at || spaces > 15 ? 1 : 16 - spaces;
}

bool perf_frame_of_header(const struct perf_header *h, struct perf_frame *f)
{
	bool tracepoint = is_tracepoint(h->sample.event);
	struct fg_str text = h->after_event;
	size_t at, first;

	/* "FROM => TO" is a branch; the sample was taken in FROM */
	if (!tracepoint)
		text = fg_str_before(text, fg_str_find(text, FG_STR(" => ")));
	text = perf_without_tail(text);
	if (text.len && text.ptr[text.len - 1] != ')')
		text = without_rest(text);
	at = perf_last_paren(text);
	if (at == text.len || text.ptr[text.len - 1] != ')')
		return false;
	first = end_of_other_frame(text);
	/* "add" is a hexadecimal number, too, so short ones are not addresses */
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
