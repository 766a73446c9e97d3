/* Recognises JSON that no program here reads, by the names of its members. */
#include "lib/recognize/foreign.h"

/* Matches JSON with `member` and, unless empty, `other`. The first match decides. */
static const struct row {
	struct fg_str member, other;
	const char *message;
} rows[] = {
	{ FG_STR_INIT("\"recording\""), FG_STR_INIT("\"instrumentTypes\""),
	  "this is a recording of Safari: import it into speedscope, and export it "
	  "for collapse-speedscope" },
	{ FG_STR_INIT("\"threadDump\""), FG_STR_INIT(""),
	  "this is a dump of threads as JSON: write it without -format=json and pipe "
	  "it through collapse-jstack" },
	{ FG_STR_INIT("\"threadName\""), FG_STR_INIT("\"threadState\""),
	  "these are threads as JSON: Spring's actuator writes text for "
	  "curl -H 'Accept: text/plain', which collapse-jstack reads" },
	{ FG_STR_INIT("\"linux-perf-json-version\""), FG_STR_INIT(""),
	  "this is perf data as JSON: collapse-perf reads the recording itself" },
	{ FG_STR_INIT("\"cost_centres\""), FG_STR_INIT(""),
	  "this is a report of GHC as JSON: +RTS -p writes one that collapse-ghcprof "
	  "reads" },
	{ FG_STR_INIT("\"profileJSON\""), FG_STR_INIT(""),
	  "this is a profile of Cleopatra, of Firefox before 2016: load it into the "
	  "Firefox Profiler, and save it there for collapse-firefox" },
	{ FG_STR_INIT("\"flamebearer\""), FG_STR_INIT(""),
	  "this is a flame graph of Pyroscope: it exports pprof, too, which "
	  "collapse-pprof reads" },
};

bool fg_foreign_is_json(struct fg_str first_bytes)
{
	struct fg_str rest = first_bytes;

	if (fg_str_starts(rest, FG_STR("[")))
		rest = fg_str_trim_left(fg_str_from_pos(rest, 1));
	return fg_str_starts(rest, FG_STR("{")) &&
	       fg_str_starts(fg_str_trim_left(fg_str_from_pos(rest, 1)), FG_STR("\""));
}

const char *fg_foreign_json(struct fg_str json)
{
	for (size_t i = 0; i < FG_COUNT_OF(rows); i++)
		if (fg_str_has(json, rows[i].member) &&
		    (!rows[i].other.len || fg_str_has(json, rows[i].other)))
			return rows[i].message;
	return FG_FOREIGN_JSON;
}
