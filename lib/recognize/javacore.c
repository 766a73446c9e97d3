/*
 * Recognises javacores, dumps of OpenJ9 and of IBM's older virtual machines, by the
 * tags at the start of their lines.
 *
 *     0SECTION       TITLE subcomponent dump routine
 *     3XMTHREADINFO      "main" J9VMThread:0x1AF00, ..., state:R, prio=5
 *     4XESTACKTRACE                at app/Main.work(Main.java:3)
 */
#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

static bool is_quote(char c)
{
	return fg_is_blank(c) || c == '>';
}

struct fg_str javacore_skip_quote(struct fg_str line)
{
	return fg_str_from_pos(line, fg_str_span(line, is_quote));
}

static bool is_line(struct fg_str line)
{
	static const struct fg_str tags[] = {
		FG_STR_INIT("0SECTION "),
		FG_STR_INIT("1XMTHDINFO "),
		FG_STR_INIT("3XMTHREADINFO "),
		FG_STR_INIT("4XESTACKTRACE "),
	};

	return fg_str_starts_any(javacore_skip_quote(line), tags, FG_COUNT_OF(tags));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);

	while (rest.len)
		if (is_line(fg_str_cut(&rest, '\n')))
			return FG_PROBE_YES;
	return FG_PROBE_NO;
}

const struct fg_kind fg_kind_javacore = {
	.name = "javacore",
	.input = "a javacore of OpenJ9",
	.probe = probe,
};
