/*
 * Recognises Java Flight Recorder: "FLR" and a NUL, or the JSON of jfr print --json,
 * {"recording": {"events": [...
 */
#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

/* "events" comes within this many bytes. */
#define JSON_START 64

bool jfr_is_json(struct fg_str s)
{
	s = fg_str_trim_left(fg_utf8_skip_mark(s));
	if (!fg_str_cut_start(&s, FG_STR("{")))
		return false;
	s = fg_str_trim_left(s);
	if (!fg_str_cut_start(&s, FG_STR("\"recording\"")))
		return false;
	return fg_str_has(fg_str_before(s, JSON_START), FG_STR("\"events\""));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	return fg_str_starts(first_bytes, FG_STR("FLR\0")) || jfr_is_json(first_bytes) ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_jfr = {
	.name = "jfr",
	.is_structured = true,
	.input = "a recording of Java Flight Recorder",
	.is_json = true,
	.is_binary = true,
	.probe = probe,
};
