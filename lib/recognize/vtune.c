/* Recognises VTune's top-down table by its header, "Function Stack,CPU Time,...". */
#include <string.h>

#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

char vtune_delimiter(struct fg_str line)
{
	static const struct fg_str heads[] = { FG_STR_INIT("Function Stack"),
					       FG_STR_INIT("\"Function Stack\"") };

	for (size_t i = 0; i < FG_COUNT_OF(heads); i++)
		if (fg_str_starts(line, heads[i]) && line.len > heads[i].len &&
		    strchr(",\t;|", line.ptr[heads[i].len]))
			return line.ptr[heads[i].len];
	return 0;
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);

	while (rest.len)
		if (vtune_delimiter(fg_str_cut(&rest, '\n')))
			return FG_PROBE_YES;
	return FG_PROBE_NO;
}

const struct fg_kind fg_kind_vtune = {
	.name = "vtune",
	.input = "a top-down table of VTune",
	.probe = probe,
};
