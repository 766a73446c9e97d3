/* Files that are given to us by mistake, recognised by their first bytes. */
#include "lib/sniff.h"

struct magic {
	struct fg_str start;
	const char *message;
	bool refused;
};

/* In either order of bytes. */
static const char utf_16[] =
	"this is UTF-16 text: convert it with iconv -f UTF-16 -t UTF-8 first";

static const char json[] =
	"this is JSON: have the program that wrote it write folded stacks";

static const char report[] =
	"this is the output of perf report: use that of perf script";

static const struct magic magics[] = {
	{ FG_STR_INIT("PERFILE2"),
	  "this is perf's binary data: give it to collapse-perf first", true },
	{ FG_STR_INIT("\x1f\x8b"), "this is gzip data: decompress it with zcat first",
	  true },
	{ FG_STR_INIT("\x28\xb5\x2f\xfd"),
	  "this is zstd data: decompress it with zstdcat first", true },
	{ FG_STR_INIT("\xfd"
		      "7zXZ"),
	  "this is xz data: decompress it with xzcat first", true },
	{ FG_STR_INIT("BZh"), "this is bzip2 data: decompress it with bzcat first",
	  true },
	{ FG_STR_INIT("\xff\xfe"), utf_16, false },
	{ FG_STR_INIT("\xfe\xff"), utf_16, false },
	{ FG_STR_INIT("<?xml"), "this is an SVG or another XML file", false },
	{ FG_STR_INIT("<svg"), "this is an SVG file", false },
	{ FG_STR_INIT("<!DOCTYPE"), "this is an HTML or SVG file", false },
	{ FG_STR_INIT("<html"), "this is an HTML file", false },
	{ FG_STR_INIT("{"), json, false },
	{ FG_STR_INIT("\x7f"
		      "ELF"),
	  "this is a program, not its profile: flame -- PROGRAM records one", true },
};

static const struct magic *find_magic(struct fg_str first_bytes)
{
	for (size_t i = 0; i < FG_COUNT_OF(magics); i++)
		if (fg_str_starts(first_bytes, magics[i].start))
			return &magics[i];
	return NULL;
}

/* Whether JSON starts with these bytes, or a name of a frame that starts alike. */
static bool is_json(struct fg_str first_bytes)
{
	struct fg_str rest = first_bytes;

	if (fg_str_starts(rest, FG_STR("[")))
		rest = fg_str_trim_left(fg_str_from_pos(rest, 1));
	return fg_str_starts(rest, FG_STR("{")) &&
	       fg_str_starts(fg_str_trim_left(fg_str_from_pos(rest, 1)), FG_STR("\""));
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

		if (line.len && line.ptr[0] != '#')
			break;
		if (fg_str_starts(line, FG_STR("# Overhead ")) ||
		    fg_str_starts(line, FG_STR("# Children ")) ||
		    (fg_str_starts(line, FG_STR("# Samples: ")) &&
		     fg_str_has(line, FG_STR(" of event"))))
			return !has_stacks(all);
	}
	return false;
}

const char *fg_sniff_refused(struct fg_str first_bytes, bool reads_json)
{
	const struct magic *magic = find_magic(first_bytes);

	if (magic && magic->refused)
		return magic->message;
	if (!reads_json && is_json(first_bytes))
		return json;
	return is_report(first_bytes) ? report : NULL;
}

const char *fg_sniff(struct fg_str first_bytes)
{
	const struct magic *magic = find_magic(first_bytes);

	return magic ? magic->message : fg_sniff_refused(first_bytes, false);
}
