/* Recognises pyinstrument: JSON with "sample_count" and "root_frame". */
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str bytes = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));

	return fg_str_starts(bytes, FG_STR("{")) &&
			       fg_str_has(bytes, FG_STR("\"sample_count\"")) &&
			       (fg_str_has(bytes, FG_STR("\"root_frame\"")) ||
				fg_str_has(bytes, FG_STR("\"frame_records\""))) ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_pyinstrument = {
	.name = "pyinstrument",
	.is_structured = true,
	.input = "JSON of pyinstrument",
	.is_json = true,
	.probe = probe,
};
