/* Recognises memray transform csv by its header, "allocator,num_allocations,...". */
#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

bool memray_is_header(struct fg_str line)
{
	return fg_str_starts(line, FG_STR("allocator,num_allocations,"));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	return memray_is_header(fg_str_trim_left(fg_utf8_skip_mark(first_bytes))) ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_memray = {
	.name = "memray",
	.is_structured = true,
	.input = "a table of memray",
	.probe = probe,
};
