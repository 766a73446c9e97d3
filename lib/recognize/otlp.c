/* Profiles of OpenTelemetry: messages of Protocol Buffers, or JSON. */
#include "lib/base/sniff_kinds.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

bool otlp_is_framed(struct fg_str first_bytes)
{
	return fg_sniff_otlp_framed(first_bytes);
}

/*
 * A message may start with a line feed, but with none of these, nor does the length
 * before one, which would be half a gigabyte or more.
 */
bool otlp_is_json(struct fg_str first_bytes)
{
	return first_bytes.len &&
	       fg_str_has_char(FG_STR("{[ \xef"), first_bytes.ptr[0]);
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	if (otlp_is_json(first_bytes) &&
	    (fg_str_has(first_bytes, FG_STR("\"resourceProfiles\"")) ||
	     fg_str_has(first_bytes, FG_STR("\"mappingTable\""))))
		return FG_PROBE_YES;
	return fg_sniff_otlp(first_bytes) == FG_SNIFFED_YES ? FG_PROBE_YES :
							      FG_PROBE_NO;
}

const struct fg_kind fg_kind_otlp = {
	.name = "otlp",
	.input = "a profile of OpenTelemetry",
	.is_structured = true,
	.is_json = true,
	.is_binary = true,
	.probe = probe,
};
