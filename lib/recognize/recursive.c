/*
 * Recognises folded stacks. Never sure, because some lines of a profile look like them.
 */
#include "lib/profile/folded.h"
#include "lib/recognize/recognize.h"

static enum fg_probe probe(struct fg_str first_bytes)
{
	return fg_folded_is_text(first_bytes) ? FG_PROBE_MAYBE : FG_PROBE_NO;
}

const struct fg_kind fg_kind_recursive = {
	.name = "recursive",
	.input = "folded stacks",
	.probe = probe,
};
