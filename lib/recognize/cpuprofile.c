/*
 * Recognises V8's CPU and heap profiles: JSON that starts with a V8 profile's first
 * members, or has "callFrame" but not "ph". Traces of Chrome may have both.
 */
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

static enum fg_probe probe(struct fg_str first_bytes)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("{\"head\":"),
		FG_STR_INIT("{\"nodes\":[{\"id\":"),
	};
	struct fg_str bytes = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));
	struct fg_buf packed = FG_BUF_INIT;
	bool found;

	for (size_t i = 0; i < bytes.len && packed.len < 64; i++)
		if (!fg_is_space(bytes.ptr[i]))
			fg_buf_add_char(&packed, bytes.ptr[i]);
	found = fg_str_starts_any(fg_buf_str(&packed), starts, FG_COUNT_OF(starts));
	fg_buf_release(&packed);
	if (!fg_str_starts(bytes, FG_STR("{")))
		return FG_PROBE_NO;
	found |= fg_str_has(bytes, FG_STR("\"callUID\"")); /* v8-profiler */
	found |= fg_str_has(bytes, FG_STR("\"callFrame\"")) &&
		 !fg_str_has(bytes, FG_STR("\"ph\""));
	return found ? FG_PROBE_YES : FG_PROBE_NO;
}

const struct fg_kind fg_kind_cpuprofile = {
	.name = "cpuprofile",
	.is_structured = true,
	.input = "a profile of V8",
	.is_json = true,
	.probe = probe,
};
