/*
 * Recognises the output of pmcstat -G -G by a row.
 *
 *      100.0%  [7447]      zio_compress_data
 */
#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

static bool is_percent_char(char c)
{
	return fg_is_digit(c) || c == '.';
}

bool pmc_read_row(struct fg_str line, struct pmc_row *row)
{
	struct fg_str rest = fg_str_trim_left(line);
	size_t percent = fg_str_span(rest, is_percent_char), digits;

	row->indent = (size_t)(rest.ptr - line.ptr);
	rest = fg_str_from_pos(rest, percent);
	if (!percent || !fg_str_cut_start(&rest, FG_STR("% ")))
		return false;
	rest = fg_str_trim_left(rest);
	if (!fg_str_cut_start(&rest, FG_STR("[")))
		return false;
	digits = fg_str_span(rest, fg_is_digit);
	if (fg_str_u64(fg_str_before(rest, digits), &row->count))
		return false;
	rest = fg_str_from_pos(rest, digits);
	if (!fg_str_cut_start(&rest, FG_STR("]")))
		return false;
	row->name = fg_str_trim(rest);
	return row->name.len > 0;
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	struct pmc_row row;

	while (fg_str_has_char(rest, '\n'))
		if (pmc_read_row(fg_str_cut(&rest, '\n'), &row))
			return FG_PROBE_YES;
	return pmc_read_row(rest, &row) ? FG_PROBE_MAYBE : FG_PROBE_NO;
}

const struct fg_kind fg_kind_pmc = {
	.name = "pmc",
	.input = "the output of pmcstat -G",
	.probe = probe,
};
