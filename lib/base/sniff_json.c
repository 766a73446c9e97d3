/* Whose JSON it is, by the names of its members. */
#include "lib/base/sniff_kinds.h"

#define BPFTRACE "this is the output of bpftrace: use collapse-bpftrace"
#define CHROME "this is a trace as Chrome records it: use collapse-chrome"
#define OTLP "this is a profile of OpenTelemetry: use collapse-otlp"
#define FIREFOX "this is a profile of Firefox or samply: use collapse-firefox"

/* JSON that has `member`, and `other` if that is not empty. The first row decides. */
static const struct kind {
	struct fg_str member, other;
	const char *message;
} kinds[] = {
	{ FG_STR_INIT("\"traceEvents\""), FG_STR_INIT(""), CHROME },
	{ FG_STR_INIT("\"ph\""), FG_STR_INIT("\"pid\""), CHROME },
	{ FG_STR_INIT("\"_CpuProfileTimeline\""), FG_STR_INIT(""), CHROME },
	{ FG_STR_INIT("speedscope.app/"), FG_STR_INIT(""),
	  "this is a profile for speedscope: use collapse-speedscope" },
	{ FG_STR_INIT("\"callFrame\""), FG_STR_INIT(""),
	  "this is a profile of V8: use collapse-cpuprofile" },
	{ FG_STR_INIT("\"dhatFileVersion\""), FG_STR_INIT(""),
	  "this is a profile of DHAT: use collapse-dhat" },
	{ FG_STR_INIT("\"recording\""), FG_STR_INIT("\"instrumentTypes\""),
	  "this is a recording of Safari: speedscope exports it as what "
	  "collapse-speedscope reads" },
	{ FG_STR_INIT("\"recording\""), FG_STR_INIT("\"events\""),
	  "this is a recording of Java Flight Recorder as JSON: use collapse-jfr" },
	{ FG_STR_INIT("\"threadDump\""), FG_STR_INIT(""),
	  "this is a dump of threads as JSON: write it without -format=json and pipe "
	  "it through collapse-jstack" },
	{ FG_STR_INIT("\"threadName\""), FG_STR_INIT("\"threadState\""),
	  "these are threads as JSON: Spring's actuator writes text for "
	  "curl -H 'Accept: text/plain', which collapse-jstack reads" },
	{ FG_STR_INIT("\"resourceProfiles\""), FG_STR_INIT(""), OTLP },
	{ FG_STR_INIT("\"mappingTable\""), FG_STR_INIT("\"dictionary\""), OTLP },
	{ FG_STR_INIT("\"linux-perf-json-version\""), FG_STR_INIT(""),
	  "this is perf data as JSON: collapse-perf reads the recording itself" },
	{ FG_STR_INIT("\"missed_samples\""), FG_STR_INIT(""),
	  "this is JSON of stackprof: use collapse-stackprof" },
	{ FG_STR_INIT("\"cost_centres\""), FG_STR_INIT(""),
	  "this is a report of GHC as JSON: +RTS -p writes one that collapse-ghcprof "
	  "reads" },
	{ FG_STR_INIT("\"root_frame\""), FG_STR_INIT("\"sample_count\""),
	  "this is JSON of pyinstrument: use collapse-pyinstrument" },
	{ FG_STR_INIT("\"frame_records\""), FG_STR_INIT("\"sample_count\""),
	  "this is a session of pyinstrument: pyinstrument --load FILE -r json makes "
	  "of it what collapse-pyinstrument reads" },
	{ FG_STR_INIT("\"flamebearer\""), FG_STR_INIT(""),
	  "this is a flame graph of Pyroscope: it exports pprof, too, which "
	  "collapse-pprof reads" },
	{ FG_STR_INIT("\"type\": \"attached_probes\""), FG_STR_INIT(""), BPFTRACE },
	{ FG_STR_INIT("\"type\": \"map\""), FG_STR_INIT("\"@"), BPFTRACE },
	{ FG_STR_INIT("\"preprocessedProfileVersion\""), FG_STR_INIT(""), FIREFOX },
	{ FG_STR_INIT("\"meta\""), FG_STR_INIT("\"interval\""), FIREFOX },
	{ FG_STR_INIT("\"meta\""), FG_STR_INIT("\"categories\""), FIREFOX },
	{ FG_STR_INIT("\"libs\""), FG_STR_INIT("\"breakpadId\""), FIREFOX },
};

static bool is_json(struct fg_str first_bytes)
{
	struct fg_str rest = first_bytes;

	if (fg_str_starts(rest, FG_STR("[")))
		rest = fg_str_trim_left(fg_str_from_pos(rest, 1));
	return fg_str_starts(rest, FG_STR("{")) &&
	       fg_str_starts(fg_str_trim_left(fg_str_from_pos(rest, 1)), FG_STR("\""));
}

const char *fg_sniff_json(struct fg_str first_bytes)
{
	if (!is_json(first_bytes))
		return NULL;
	for (size_t i = 0; i < FG_COUNT_OF(kinds); i++)
		if (fg_str_has(first_bytes, kinds[i].member) &&
		    (!kinds[i].other.len || fg_str_has(first_bytes, kinds[i].other)))
			return kinds[i].message;
	return FG_SNIFF_JSON;
}
