/*
 * Recognises Python's faulthandler: a header, and below it a frame.
 *
 *     Thread 0x00007f12 (most recent call first):
 *       File "/app/main.py", line 3 in work
 */
#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

/* Searches from the end, because the name of a file may contain `", line `, too. */
bool faulthandler_cut_file(struct fg_str *rest, struct fg_str *file)
{
	static const struct fg_str end = FG_STR_INIT("\", line ");

	for (size_t at = rest->len; at-- > 0;) {
		if (rest->ptr[at] != '"' ||
		    !fg_str_starts(fg_str_from_pos(*rest, at), end))
			continue;
		*file = fg_str_before(*rest, at);
		*rest = fg_str_from_pos(*rest, at + end.len);
		return true;
	}
	return false;
}

bool faulthandler_cut_start(struct fg_str *line)
{
	*line = fg_str_trim_left(*line);
	return fg_str_cut_start(line, FG_STR("File \""));
}

/*
 * Returns true for "Thread 0x00007f12:", the whole header in Python 3.3 and in older
 * packages.
 */
static bool is_old_header(struct fg_str line)
{
	struct fg_str rest = fg_str_trim_right(line);

	if (!fg_str_cut_start(&rest, FG_STR("Current thread 0x")) &&
	    !fg_str_cut_start(&rest, FG_STR("Thread 0x")))
		return false;
	return fg_str_cut_end(&rest, FG_STR(":")) && fg_str_all(rest, fg_is_lower_hex);
}

bool faulthandler_is_header(struct fg_str line)
{
	size_t at = fg_str_find(line, FG_STR(" (most recent call first"));

	if (at == line.len)
		return is_old_header(line);
	return fg_str_starts(line, FG_STR("Thread 0x")) ||
	       fg_str_starts(line, FG_STR("Current thread 0x")) ||
	       fg_str_starts(line, FG_STR("Stack")) ||
	       fg_str_starts(line, FG_STR("Traceback (most recent call first"));
}

size_t faulthandler_find_header(struct fg_str line)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("Current thread 0x"),
		FG_STR_INIT("Thread 0x"),
		FG_STR_INIT("Stack (most recent call first"),
		FG_STR_INIT("Traceback (most recent call first"),
	};

	for (size_t i = 0; i < FG_COUNT_OF(starts); i++) {
		size_t at = fg_str_find(line, starts[i]);

		if (at && at < line.len &&
		    faulthandler_is_header(fg_str_from_pos(line, at)))
			return at;
	}
	return line.len;
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	bool any_header = false;

	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n'), file;
		size_t at = faulthandler_find_header(line);

		any_header |= at < line.len || faulthandler_is_header(line);
		line = fg_str_from_pos(line, fg_str_find(line, FG_STR("File \"")));
		if (any_header && faulthandler_cut_start(&line) &&
		    faulthandler_cut_file(&line, &file) &&
		    fg_str_has(line, FG_STR(" in ")))
			return FG_PROBE_YES;
	}
	return any_header ? FG_PROBE_MAYBE : FG_PROBE_NO;
}

const struct fg_kind fg_kind_faulthandler = {
	.name = "faulthandler",
	.input = "the output of Python's faulthandler",
	.probe = probe,
};
