/* Recognises lines of perf script that are neither headers nor frames. */
#include "collapse/formats/perf/text/other_lines.h"

#include "collapse/formats/perf/text/frame.h"
#include "collapse/formats/perf/text/header.h"

/* ---- lines after a chain, in place of the blank line */

/* Returns true for a page size: "12K", "4M", "N/A". */
static bool is_page_size(struct fg_str word)
{
	size_t digits = fg_str_span(word, fg_is_digit);

	if (fg_str_eq(word, FG_STR("N/A")))
		return true;
	return digits && digits + 1 == word.len &&
	       fg_str_has_char(FG_STR("KMG"), word.ptr[digits]);
}

/* Returns true for registers, " AX:0x1f ...", and branches, "0x55d0/0x55e4/P/-/-/1". */
static bool is_registers_or_branches(struct fg_str line)
{
	struct fg_str s = fg_str_trim_left(line);
	struct fg_str word = fg_str_cut(&s, ' ');
	struct fg_str value = word;
	struct fg_str name = fg_str_cut(&value, ':');

	if (fg_str_starts(word, FG_STR("0x")))
		return fg_str_has(word, FG_STR("/0x"));
	return s.ptr && name.len && fg_is_alpha(name.ptr[0]) &&
	       fg_str_starts(value, FG_STR("0x")) && value.len > 2 &&
	       fg_is_lower_hex(value.ptr[2]);
}

/* Returns true for an address and page sizes, "1f00 4K 2M", or sizes alone, " 4K". */
static bool is_address_or_sizes(struct fg_str line)
{
	struct fg_str s = line;
	struct perf_frame f;

	if (perf_frame_is(s, &f))
		s = f.after_pc;
	else if (s.len && s.ptr[0] == ' ')
		return is_page_size(
			fg_str_before(fg_str_from_pos(s, 1),
				      fg_str_find_char(fg_str_from_pos(s, 1), ' ')));
	else
		return false;
	while (s.len)
		if (!is_page_size(fg_str_cut(&s, ' ')))
			return false;
	return true;
}

/* Returns true for "P", "MN" or "-": how well a branch was predicted. */
static bool is_prediction(struct fg_str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!fg_str_has_char(FG_STR("PMN-"), s.ptr[i]))
			return false;
	return s.len == 1 || s.len == 2;
}

/*
 * Returns true for "main+0x20/bake+0x0/P/-/-/1": from, to, predicted, in transaction,
 * abort, cycles. Symbols may hold anything, so we search for the flags after them.
 */
static bool has_branch_flags(struct fg_str line)
{
	while (line.len) {
		struct fg_str rest = line;
		struct fg_str word = fg_str_cut(&rest, '/');

		if (is_prediction(word) && rest.len >= 5 && rest.ptr[1] == '/' &&
		    rest.ptr[3] == '/' && fg_is_digit(rest.ptr[4]) &&
		    fg_str_has_char(FG_STR("X-"), rest.ptr[0]) &&
		    fg_str_has_char(FG_STR("A-"), rest.ptr[2]))
			return true;
		line = rest;
	}
	return false;
}

bool perf_is_tail(struct fg_str line)
{
	return fg_str_starts(line, FG_STR("\t\t")) || /* a disassembled instruction */
	       /* simpleperf's report_sample.py --show_tracing_data */
	       fg_str_starts(line, FG_STR("\ttracing data:")) ||
	       fg_str_starts(line, FG_STR(" ABI:")) ||
	       fg_str_starts(line, FG_STR(" ilen: ")) ||
	       fg_str_starts(line, FG_STR(" insn:")) ||
	       fg_str_starts(line, FG_STR(" \t IPC: ")) || has_branch_flags(line) ||
	       is_registers_or_branches(line) || is_address_or_sizes(line);
}

struct fg_str perf_without_tail(struct fg_str text)
{
	static const struct fg_str markers[] = {
		FG_STR_INIT(" ilen: "),	  FG_STR_INIT(" insn:"), FG_STR_INIT("\t\t"),
		FG_STR_INIT(" \t IPC: "), FG_STR_INIT(" ABI:"),
	};

	for (size_t i = 0; i < FG_COUNT_OF(markers); i++)
		text = fg_str_before(text, fg_str_find(text, markers[i]));
	return fg_str_trim_right(text);
}

/* ---- lines between samples, or within them */

static bool starts_with_number(struct fg_str s, char after)
{
	size_t digits = fg_str_span(s, fg_is_digit);

	return digits && digits < s.len && s.ptr[digits] == after;
}

bool perf_is_source_code(struct fg_str line)
{
	return line.len && line.ptr[0] == '|' &&
	       starts_with_number(fg_str_from_pos(line, 1), ' ');
}

bool perf_is_record(struct fg_str line)
{
	return fg_str_starts(line, FG_STR("PERF_RECORD_")) ||
	       fg_str_has(line, FG_STR(" PERF_RECORD_")) ||
	       fg_str_has(line, FG_STR("\tmetric: "));
}

/*
 * Returns true for "app 4242 [003] 100.000001: PERF_RECORD_SWITCH IN", which reads like
 * a header.
 */
bool perf_is_timed_record(const struct perf_header *h, struct fg_str line)
{
	static const struct fg_str record = FG_STR_INIT("PERF_RECORD_");

	return fg_str_starts(h->sample.event, record) ||
	       fg_str_starts(h->after_event, record) ||
	       fg_str_has(h->after_event, FG_STR(" PERF_RECORD_")) ||
	       (fg_str_eq(h->sample.event, FG_STR("metric")) && perf_is_record(line));
}

/* Returns 42 for "PERF_RECORD_LOST lost 42". */
uint64_t perf_lost_events(struct fg_str record)
{
	static const struct fg_str lost = FG_STR_INIT(" lost ");
	size_t at = fg_str_find(record, lost);
	struct fg_str number = fg_str_trim(fg_str_from_pos(record, at + lost.len));
	uint64_t events = 0;

	if (fg_str_has(record, FG_STR("PERF_RECORD_LOST")) && at < record.len)
		fg_str_u64(number, &events);
	return events;
}

/* Reads "DEFERRED CALLCHAIN [cookie: 1f]". */
bool perf_read_cookie(struct fg_str line, uint64_t *cookie)
{
	static const struct fg_str start = FG_STR_INIT("DEFERRED CALLCHAIN [cookie: ");
	size_t at = fg_str_find(line, start);
	struct fg_str rest = fg_str_from_pos(line, at + start.len);

	*cookie = 0;
	fg_str_hex(fg_str_before(rest, fg_str_span(rest, fg_is_lower_hex)), cookie);
	return at < line.len;
}

bool perf_is_remark(struct fg_str line)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("BPF output"),
		FG_STR_INIT("BPF string"),
		FG_STR_INIT("Old bytes:"),
		FG_STR_INIT("New bytes:"),
		FG_STR_INIT("instruction trace error"),
	};
	struct fg_str s = fg_str_trim_left(line);

	if (perf_is_source_code(line))
		return true;
	if (s.len == line.len)
		return false;
	if (fg_str_starts_any(s, starts, FG_COUNT_OF(starts)))
		return true;
	if (fg_str_starts(s, FG_STR("entry ")))
		return starts_with_number(fg_str_from_pos(s, 6), ':');
	if (fg_str_has(s, FG_STR(" error type ")) && fg_str_has(s, FG_STR(" code ")))
		return true;
	return fg_str_span(s, fg_is_lower_hex) == 4 && s.len > 4 && s.ptr[4] == ':';
}

bool perf_header_starts(struct fg_str line, struct perf_header_memo *memo,
			struct perf_header *h)
{
	return line.len && line.ptr[0] != '\t' && perf_header_timed(line, memo, h) &&
	       (h->sample.tid.known || !perf_is_source_code(line));
}
