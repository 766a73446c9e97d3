/*
 * Recognises massif by its first lines, or those of heaptrack_print -M.
 *
 *     desc: --massif-out-file=massif.out
 *     cmd: ./app
 *     time_unit: i
 */
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));
	struct fg_str desc = fg_str_cut(&rest, '\n');

	if (fg_str_starts(desc, FG_STR("#-----------")) && /* heaptrack_print -M */
	    fg_str_starts(rest, FG_STR("snapshot=")))
		return FG_PROBE_YES;
	if (!fg_str_starts(desc, FG_STR("desc: ")))
		return FG_PROBE_NO;
	if (fg_str_has(desc, FG_STR("--massif-out-file")))
		return FG_PROBE_YES;
	return fg_str_starts(rest, FG_STR("cmd: ")) &&
			       fg_str_has(fg_str_before(rest, 4096),
					  FG_STR("\ntime_unit: ")) ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_massif = {
	.name = "massif",
	.is_structured = true,
	.input = "a profile of massif",
	.probe = probe,
};
