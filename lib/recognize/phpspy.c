/*
 * Recognises the stacks that phpspy prints, by the first frame and what follows it:
 *
 *     0 usleep <internal>:-1
 *     1 <main> /app/index.php:3
 */
#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

bool phpspy_read_frame(struct fg_str text, struct phpspy_frame *frame)
{
	struct fg_str rest = text, depth = fg_str_cut(&rest, ' '), number;
	size_t colon;

	frame->function = fg_str_cut(&rest, ' ');
	colon = fg_str_rfind_char(rest, ':');
	frame->file = fg_str_before(rest, colon);
	number = fg_str_from_pos(rest, colon + 1);
	frame->line = 0;
	if (!frame->function.len || !frame->file.len ||
	    !fg_str_all(depth, fg_is_digit) || fg_str_u64(depth, &frame->depth))
		return false;
	if (!fg_str_eq(frame->file, FG_STR("<internal>")))
		return !fg_str_u64(number, &frame->line);
	frame->file = FG_STR("");
	return fg_str_eq(number, FG_STR("-1"));
}

/* Returns true if the file cannot be anything else than one of PHP. */
static bool is_php(const struct phpspy_frame *frame)
{
	return !frame->file.len || fg_str_starts(frame->file, FG_STR("/")) ||
	       fg_str_has(frame->file, FG_STR(".php"));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes), line;
	struct phpspy_frame frame;

	do
		line = fg_str_trim(fg_str_cut(&rest, '\n'));
	while (rest.len && (!line.len || line.ptr[0] == '#'));
	if (!phpspy_read_frame(line, &frame) || frame.depth || !is_php(&frame))
		return FG_PROBE_NO;
	line = fg_str_trim(fg_str_cut(&rest, '\n'));
	if (!line.len || line.ptr[0] == '#')
		return FG_PROBE_YES;
	return phpspy_read_frame(line, &frame) && frame.depth == 1 && is_php(&frame) ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_phpspy = {
	.name = "phpspy",
	.input = "the output of phpspy",
	.is_structured = true,
	.probe = probe,
};
