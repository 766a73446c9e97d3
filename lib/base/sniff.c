/* Files that are given to us by mistake, recognised by their first bytes. */
#include "lib/base/sniff.h"

#include <strings.h>

#include "lib/base/sniff_kinds.h"

/* In either order of bytes. */
static const char utf_16[] =
	"this is UTF-16 text: convert it with iconv -f UTF-16 -t UTF-8 first";

static const char utf_16_le[] =
	"this is UTF-16 text: convert it with iconv -f UTF-16LE -t UTF-8 first";

static const char utf_16_be[] =
	"this is UTF-16 text: convert it with iconv -f UTF-16BE -t UTF-8 first";

static const char bare[] =
	"this is the output of perf script without symbols: leave out -F, or add sym "
	"to it";

/* Files that a reader may know, or that have no line of a profile. */
static const struct magic {
	struct fg_str start;
	const char *message;
} magics[] = {
	{ FG_STR_INIT("<?xml"), "this is an XML file" },
	{ FG_STR_INIT("<!DOCTYPE"), "this is an XML file" },
	{ FG_STR_INIT("{"), FG_SNIFF_JSON },
};

static const char svg[] =
	"this is an SVG file: if it is a flame graph, flamegraph --extract prints its "
	"stacks";

static const char html[] =
	"this is an HTML file: if it is a flame graph of async-profiler, jfrconv "
	"writes its folded stacks";

/* HTML may begin without the tags that can be left out; letter case is the same. */
static bool is_html(struct fg_str first_bytes)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("<!DOCTYPE html"),
		FG_STR_INIT("<html"),
		FG_STR_INIT("<head>"),
		FG_STR_INIT("<meta "),
	};
	struct fg_str s = fg_str_trim_left(first_bytes);

	for (size_t i = 0; i < FG_COUNT_OF(starts); i++)
		if (s.len >= starts[i].len &&
		    !strncasecmp(s.ptr, starts[i].ptr, starts[i].len))
			return true;
	return false;
}

static const char *find_magic(struct fg_str first_bytes)
{
	if (fg_str_starts(first_bytes, FG_STR("<")) &&
	    fg_str_has(first_bytes, FG_STR("<svg")))
		return svg;
	for (size_t i = 0; i < FG_COUNT_OF(magics); i++)
		if (fg_str_starts(first_bytes, magics[i].start))
			return magics[i].message;
	return NULL;
}

/* Whether there are stacks between the rows of a table, as of -g folded,count. */
static bool has_stacks(struct fg_str rest)
{
	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');
		size_t digits = fg_str_span(line, fg_is_digit);

		if (digits && digits + 1 < line.len && line.ptr[digits] == ' ' &&
		    !fg_is_space(line.ptr[digits + 1]))
			return true;
	}
	return false;
}

/* Whether one of the comments at the start is the head of a table of perf report's. */
static bool is_report(struct fg_str first_bytes)
{
	struct fg_str all = first_bytes;

	while (first_bytes.len) {
		struct fg_str line = fg_str_cut(&first_bytes, '\n');

		if (line.len && (line.ptr[0] != '#' || fg_str_has_char(line, ';')))
			break; /* no comment, see folded(5) */
		if (fg_str_starts(line, FG_STR("# Overhead ")) ||
		    fg_str_starts(line, FG_STR("# Children ")) ||
		    (fg_str_starts(line, FG_STR("# Samples: ")) &&
		     fg_str_has(line, FG_STR(" of event"))))
			return !has_stacks(all);
	}
	return false;
}

/* perf script's columns of an address: a tab, and 16 characters. */
#define ADDRESS_COLUMNS 17

/* An address by itself, or one with a name behind it. */
static bool is_address(struct fg_str line)
{
	struct fg_str columns =
		fg_str_from_pos(fg_str_before(line, ADDRESS_COLUMNS), 1);

	return line.len >= ADDRESS_COLUMNS && line.ptr[0] == '\t' &&
	       fg_str_all(fg_str_from_pos(columns, fg_str_spaces(columns)),
			  fg_is_lower_hex);
}

bool fg_sniff_perf_frame(struct fg_str line)
{
	return is_address(line) &&
	       fg_str_starts(fg_str_from_pos(line, ADDRESS_COLUMNS), FG_STR(" "));
}

/*
 * Whether perf script printed addresses without symbols and nothing of the samples, as
 * with -F comm,ip. Then the digits of some are all decimal, which a count is, too.
 */
static bool is_bare(struct fg_str first_bytes)
{
	bool any = false;

	while (first_bytes.len) {
		struct fg_str line = fg_str_cut(&first_bytes, '\n');
		struct fg_str address = fg_str_trim_right(line);

		if (fg_str_ends(address, FG_STR(":")))
			return false; /* a time or an event */
		if (!fg_str_starts(line, FG_STR("\t")))
			continue;
		if (address.len != ADDRESS_COLUMNS || !is_address(address))
			return false;
		any = true;
	}
	return any;
}

/* pprof -traces has a head of some lines, and what looks like frames of perf script. */
#define TRACES_HEAD 1024

static bool is_traces(struct fg_str first_bytes)
{
	return fg_str_has(fg_str_before(first_bytes, TRACES_HEAD),
			  FG_STR("\n-----------+-----"));
}

/* Whether each second byte from `at` on is NUL, and no other: Latin text in UTF-16. */
static bool is_half_nul(struct fg_str bytes, size_t at)
{
	size_t count = bytes.len < 64 ? bytes.len : 64;

	for (size_t i = 0; i < count; i++)
		if ((i % 2 == at) != !bytes.ptr[i])
			return false;
	return count >= 8;
}

static const char *sniff_utf_16(struct fg_str first_bytes)
{
	if (fg_str_starts(first_bytes, FG_STR("\xff\xfe")) ||
	    fg_str_starts(first_bytes, FG_STR("\xfe\xff")))
		return utf_16;
	if (is_half_nul(first_bytes, 1))
		return utf_16_le;
	return is_half_nul(first_bytes, 0) ? utf_16_be : NULL;
}

const char *fg_sniff_refused(struct fg_str first_bytes, bool reads_json)
{
	const char *message = sniff_utf_16(first_bytes);

	if (!message)
		message = fg_sniff_binary(first_bytes);
	if (!message && !reads_json)
		message = fg_sniff_json(first_bytes);
	if (!message && is_html(first_bytes))
		message = html;
	if (!message && is_report(first_bytes))
		message = FG_SNIFF_PERF_REPORT;
	if (!message && is_traces(first_bytes))
		message = FG_SNIFF_PPROF_REPORT;
	if (!message)
		message = fg_sniff_text(first_bytes);
	return message || !is_bare(first_bytes) ? message : bare;
}

const char *fg_sniff(struct fg_str first_bytes)
{
	const char *message = fg_sniff_refused(first_bytes, false);

	return message ? message : find_magic(first_bytes);
}
