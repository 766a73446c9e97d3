/* Recognises a call tree of Visual Studio by its header, "Level,Function Name,...". */
#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

bool vsprof_is_header(struct fg_str line)
{
	return fg_str_cut_start(&line, FG_STR("Level")) && line.len &&
	       !fg_is_word(line.ptr[0]) &&
	       fg_str_starts(fg_str_from_pos(line, 1), FG_STR("Function Name"));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	return vsprof_is_header(fg_str_trim_left(fg_utf8_skip_mark(first_bytes))) ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_vsprof = {
	.name = "vsprof",
	.input = "a call tree of Visual Studio",
	.probe = probe,
};
