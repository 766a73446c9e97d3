/* Profiles that no program here reads, recognised by a line of their text. */
#include "lib/base/sniff.h"

#include "lib/base/sniff_kinds.h"

/*
 * A line that has it all. In `start`, of a line without the blanks at its ends, a blank
 * is any blanks, 9 a number, decimal or not, and $ the end. The first row decides.
 */
struct mark {
	const char *message;
	struct fg_str start, has;
};

#define MARK(message, start, has)                             \
	{                                                     \
		message, FG_STR_INIT(start), FG_STR_INIT(has) \
	}

#define GPROF                                                \
	"this is the output of gprof, which has no stacks: " \
	"flame -- PROGRAM records them"
#define V8                                                                       \
	"this is a log of node --prof, which no collapser reads: "               \
	"flame -- node --perf-basic-prof --interpreted-frames-native-stack APP " \
	"records stacks"
#define UFTRACE                           \
	"this is the output of uftrace: " \
	"uftrace dump --flame-graph prints folded stacks"
#define VTUNE                                                        \
	"this is no top-down table of VTune, the only one that has " \
	"stacks: see collapse-vtune(1)"

#define GOROUTINES                                                              \
	"these are goroutines as text, which no collapser reads: of a server, " \
	"/debug/pprof/goroutine without ?debug= is a profile, which "           \
	"collapse-pprof folds"
#define ASPROF                                           \
	"this is a summary that async-profiler prints: " \
	"asprof -o collapsed writes folded stacks"

static const struct mark marks[] = {
	MARK(FG_SNIFF_JFR_PRINT, "jdk.", " {"),
	MARK(FG_SNIFF_JFR_PRINT, "stackTrace = [$", ""),
	MARK(GPROF, "Flat profile:$", ""),
	MARK(GPROF, "Each sample counts as ", " seconds."),
	MARK("this is the output of perf stat, which has no stacks: "
	     "flame -- PROGRAM records them",
	     "Performance counter stats for ", ""),
	MARK("this is the output of perf annotate, which has no stacks: use that of "
	     "perf script",
	     "Percent |", "Disassembly of "),
	MARK(FG_SNIFF_SIMPLEPERF, "Event: ", " (type "),
	MARK("this is one dump of py-spy: py-spy record -f raw writes folded stacks",
	     "Python v9", " ("),
	MARK(V8, "v8-version,", ""),
	MARK(V8, "Statistical profiling result from ", ""),
	MARK(FG_SNIFF_PPROF_REPORT, "Showing nodes accounting for ", ""),
	MARK(GOROUTINES, "goroutine 9 [", ""),
	MARK(ASPROF, "--- ", " profile ---"),
	MARK(ASPROF, "--- 9 ", "%), "),
	MARK(ASPROF, "[9] ", " self: "),
	MARK("this is a report of spindump, which no collapser reads: "
	     "sample PID | collapse-sample",
	     "Data Source: ", "tackshots"),
	MARK(UFTRACE, "# DURATION ", "FUNCTION"),
	MARK(UFTRACE, "# Function Call Graph for ", ""),
	MARK(VTUNE, "Function,CPU Time", ""),
	MARK(VTUNE, "Function\tCPU Time", ""),
	MARK("this is the contents of a trace of xctrace: export its table "
	     "time-profile, see collapse-xctrace(1)",
	     "<trace-toc", ""),
	MARK("this is a trace of ftrace, which no collapser reads: perf record -g "
	     "records stacks",
	     "# tracer: ", ""),
	MARK("this is a heap profile of GHC: +RTS -p writes a report that "
	     "collapse-ghcprof reads",
	     "JOB \"", ""),
	MARK("these are backtraces of lldb, which no collapser reads: "
	     "sample PID | collapse-sample",
	     "* thread #9", ""),
};

/* Whether `line` starts as `pattern` says, see struct mark. */
static bool starts_as(struct fg_str line, struct fg_str pattern)
{
	for (size_t i = 0; i < pattern.len; i++) {
		char c = pattern.ptr[i];
		size_t len = c == ' ' ? fg_str_span(line, fg_is_blank) :
			     c == '9' ? fg_str_span(line, fg_is_hex) :
			     c == '$' ? !line.len :
					line.len && line.ptr[0] == c;

		if (!len)
			return false;
		line = fg_str_from_pos(line, len);
	}
	return true;
}

const char *fg_sniff_line(struct fg_str line)
{
	struct fg_str text = fg_str_trim(line);

	for (size_t i = 0; i < FG_COUNT_OF(marks); i++)
		if (starts_as(text, marks[i].start) && fg_str_has(text, marks[i].has))
			return marks[i].message;
	return NULL;
}
