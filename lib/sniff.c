/* Files that are given to us by mistake, recognised by their first bytes. */
#include "lib/sniff.h"

struct magic {
	struct fg_str start;
	const char *message;
	bool binary;
};

/* In either order of bytes. */
static const char utf_16[] =
	"this is UTF-16 text: convert it with iconv -f UTF-16 -t UTF-8 first";

static const struct magic magics[] = {
	{ FG_STR_INIT("PERFILE2"),
	  "this is perf's binary data: run `perf script` on it first", true },
	{ FG_STR_INIT("\x1f\x8b"), "this is gzip data: decompress it with zcat first",
	  true },
	{ FG_STR_INIT("\x28\xb5\x2f\xfd"),
	  "this is zstd data: decompress it with zstdcat first", true },
	{ FG_STR_INIT("\xfd"
		      "7zXZ"),
	  "this is xz data: decompress it with xzcat first", true },
	{ FG_STR_INIT("\xff\xfe"), utf_16, false },
	{ FG_STR_INIT("\xfe\xff"), utf_16, false },
	{ FG_STR_INIT("<?xml"), "this is an SVG or another XML file", false },
	{ FG_STR_INIT("<svg"), "this is an SVG file", false },
	{ FG_STR_INIT("<!DOCTYPE"), "this is an HTML or SVG file", false },
	{ FG_STR_INIT("<html"), "this is an HTML file", false },
	{ FG_STR_INIT("{"), "this is JSON", false },
	{ FG_STR_INIT("\x7f"
		      "ELF"),
	  "this is a program, not its profile", true },
};

static const struct magic *find_magic(struct fg_str first_bytes)
{
	for (size_t i = 0; i < FG_COUNT_OF(magics); i++)
		if (fg_str_starts(first_bytes, magics[i].start))
			return &magics[i];
	return NULL;
}

const char *fg_sniff(struct fg_str first_bytes)
{
	const struct magic *magic = find_magic(first_bytes);

	return magic ? magic->message : NULL;
}

const char *fg_sniff_binary(struct fg_str first_bytes)
{
	const struct magic *magic = find_magic(first_bytes);

	return magic && magic->binary ? magic->message : NULL;
}
