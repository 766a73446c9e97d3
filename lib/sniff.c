/* Files that are given to us by mistake, told by their first bytes. */
#include "lib/sniff.h"

struct magic {
	struct fg_str start;
	const char *message;
};

static const struct magic magics[] = {
	{ FG_STR_INIT("PERFILE2"),
	  "this is perf's binary data: run `perf script` on it first" },
	{ FG_STR_INIT("\x1f\x8b"), "this is gzip data: decompress it with zcat first" },
	{ FG_STR_INIT("\x28\xb5\x2f\xfd"),
	  "this is zstd data: decompress it with zstdcat first" },
	{ FG_STR_INIT("\xfd"
		      "7zXZ"),
	  "this is xz data: decompress it with xzcat first" },
	{ FG_STR_INIT("<?xml"), "this is an SVG or another XML file" },
	{ FG_STR_INIT("<svg"), "this is an SVG file" },
	{ FG_STR_INIT("<!DOCTYPE"), "this is an HTML or SVG file" },
	{ FG_STR_INIT("<html"), "this is an HTML file" },
	{ FG_STR_INIT("{"), "this is JSON" },
	{ FG_STR_INIT("\x7f"
		      "ELF"),
	  "this is a program, not its profile" },
};

const char *fg_sniff(struct fg_str first_bytes)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++)
		if (fg_str_starts(first_bytes, magics[i].start))
			return magics[i].message;
	return NULL;
}
