/* Profiles of pprof: Protocol Buffers, which have no mark at their start. */
#include "lib/base/sniff_kinds.h"
#include "lib/recognize/recognize.h"

static enum fg_probe probe(struct fg_str first_bytes)
{
	switch (fg_sniff_pprof(first_bytes)) {
	case FG_SNIFFED_YES:
		return FG_PROBE_YES;
	case FG_SNIFFED_MAYBE:
		return FG_PROBE_MAYBE;
	default:
		return FG_PROBE_NO;
	}
}

const struct fg_kind fg_kind_pprof = {
	.name = "pprof",
	.input = "a profile of pprof",
	.is_structured = true,
	.is_binary = true,
	.probe = probe,
};
