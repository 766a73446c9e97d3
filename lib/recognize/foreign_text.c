/* Recognises text that no program here reads. */
#include <strings.h>

#include "lib/recognize/foreign.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

/* ---- text recognised by a line */

/*
 * Describes a line that starts with `start` and contains `has`. Blanks at the ends of
 * the line are ignored. In `start`, ' ' matches one or more blanks, '9' a number,
 * decimal or hexadecimal, and '$' the end of the line. The first row that matches
 * decides.
 */
struct mark {
	const char *message;
	struct fg_str start, has;
	/* the text is foreign even if lines further down look like a profile */
	bool sure;
};

#define MARK(message, start, has)                                    \
	{                                                            \
		message, FG_STR_INIT(start), FG_STR_INIT(has), false \
	}
#define SURE(message, start, has)                                   \
	{                                                           \
		message, FG_STR_INIT(start), FG_STR_INIT(has), true \
	}

#define JFR_PRINT                                           \
	"this is text that jfr print writes: collapse-jfr " \
	"reads the recording itself"
#define PPROF_REPORT                  \
	"this is a report of pprof: " \
	"go tool pprof -raw PROFILE | collapse-go folds the profile"
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
#define VTUNE                                                         \
	"this table of VTune has no stacks; only the top-down table " \
	"has them: see collapse-vtune(1)"

#define GOROUTINES                                                       \
	"these are goroutines as text, which no collapser reads: fetch " \
	"/debug/pprof/goroutine without ?debug=, and collapse-pprof folds it"
#define ASPROF                                           \
	"this is a summary that async-profiler prints: " \
	"asprof -o collapsed writes folded stacks"

#define CPROFILE_TEXT                                                               \
	"this is a table of Python's cProfile, which has no stacks: py-spy record " \
	"-f raw writes folded stacks"
#define FTRACE                                                                       \
	"this is a trace of ftrace's events; collapse-ftrace reads only the tracer " \
	"function_graph: perf record -g -e EVENT has the same events, with stacks"
#define SANITIZER "this is a report of a sanitizer, which is not a profile"
#define CRASH                                                             \
	"this is a crash report, the stacks of one moment: sample PID | " \
	"collapse-sample folds those of some seconds"
#define CALLS                                                                 \
	"these are system calls, which have no counts: flame --wall PROGRAM " \
	"shows what it waits for"

#define DOTNET_STACK                                                                  \
	"this is one dump of dotnet-stack: dotnet-trace collect --format Speedscope " \
	"records what collapse-speedscope reads"
#define SCHED                                                                       \
	"this is a table of perf sched: perf record -e sched:sched_switch -g, and " \
	"collapse-perf --off-cpu, show where threads wait"
#define LOCKS                                                                     \
	"this is a table of perf lock: perf record -e lock:contention_begin -g, " \
	"and collapse-perf, count the stacks that wait for locks"
#define PSTACK                                                                    \
	"this is one dump of pstack: dtrace -n 'profile-97 /pid == $target/ { "   \
	"@[ustack()] = count(); }' -p PID | collapse-dtrace folds those of some " \
	"seconds"
#define MPROF                                                                        \
	"this is mprof's table of memory over time, without stacks: memray records " \
	"what collapse-memray reads"
#define SYSTEM_TABLE                                                          \
	"this is a table about the whole system, which has no stacks: flame " \
	"-a records them"
#define JSTAT                                                               \
	"this is a table of jstat, which has no stacks: asprof -f app.jfr " \
	"PID records them for collapse-jfr"

static const struct mark marks[] = {
	MARK(JFR_PRINT, "jdk.", " {"),
	MARK(JFR_PRINT, "stackTrace = [$", ""),
	SURE(GPROF, "Flat profile:$", ""),
	SURE(GPROF, "index % time self children called name", ""),
	MARK(GPROF, "Each sample counts as ", " seconds."),
	MARK("this is the output of perf stat, which has no stacks: "
	     "flame -- PROGRAM records them",
	     "Performance counter stats for ", ""),
	MARK("this is the output of perf annotate, which has no stacks: use that of "
	     "perf script",
	     "Percent |", "Disassembly of "),
	MARK("this is a dump of a recording by perf report -D: give the recording "
	     "itself to collapse-perf",
	     "0x9", "]: event: "),
	MARK(FG_FOREIGN_SIMPLEPERF, "Event: ", " (type "),
	MARK("this is one dump of py-spy: py-spy record -f raw writes folded stacks",
	     "Python v9", " ("),
	MARK(V8, "v8-version,", ""),
	MARK(V8, "Statistical profiling result from ", ""),
	MARK(PPROF_REPORT, "Showing nodes accounting for ", ""),
	MARK(GOROUTINES, "goroutine 9 [", ""),
	MARK(ASPROF, "--- ", " profile ---"),
	MARK(ASPROF, "--- 9 ", "%), "),
	MARK(ASPROF, "[9] ", " self: "),
	MARK("this is a report of spindump, which no collapser reads: "
	     "sample PID | collapse-sample",
	     "Data Source: ", "tackshots"),
	MARK(UFTRACE, "# DURATION ", "FUNCTION"),
	MARK(UFTRACE, "# Function Call Graph for ", ""),
	MARK(UFTRACE, "Total time Self time Calls Function$", ""),
	MARK(VTUNE, "Function,CPU Time", ""),
	MARK(VTUNE, "Function\tCPU Time", ""),
	SURE("this is the contents of a trace of xctrace: export its table "
	     "time-profile, see collapse-xctrace(1)",
	     "<trace-toc", ""),
	SURE(FTRACE, "# tracer: ", ""),
	MARK(SANITIZER, "==9==ERROR: ", "Sanitizer: "),
	MARK(SANITIZER, "==9==WARNING: ", "Sanitizer: "),
	MARK(SANITIZER, "WARNING: ThreadSanitizer: ", ""),
	SURE(CRASH, "Incident Identifier: ", ""),
	SURE(CRASH, "Thread 9 Crashed:", ""),
	SURE(CRASH, "Exception Type: EXC_", ""),
	MARK(CPROFILE_TEXT, "9 function calls ", " seconds"),
	MARK("this is a tree that pyinstrument prints: pyinstrument -r json writes "
	     "what collapse-pyinstrument reads",
	     "_ ._ __/__ _ _ _ _ _/_ Recorded: ", ""),
	MARK(CALLS, "execve(\"", ") = "),
	MARK(CALLS, "9.9 ( 9.9 ms): ", ""), /* perf trace */
	MARK(CALLS, "? ( ): ", ""),
	SURE("this is the output of bcc's memleak, which no collapser reads: heaptrack "
	     "records the same for collapse-heaptrack",
	     "9 bytes in 9 allocations from stack", ""),
	SURE("this is a table of bcc's funccount: stackcount prints stacks, which "
	     "collapse-dtrace reads",
	     "FUNC COUNT$", ""),
	MARK("this is a report of callgrind_annotate: give the file that it was made "
	     "from to collapse-callgrind",
	     "Profile data file '", ""),
	MARK("this is a report of ms_print: give the file that it was made from to "
	     "collapse-massif",
	     "Massif arguments: ", ""),
	MARK("this is a log of memcheck: valgrind --xtree-leak=yes writes what "
	     "collapse-callgrind reads",
	     "==9== Memcheck, ", ""),
	MARK("this is a heap profile of GHC: +RTS -p writes a report that "
	     "collapse-ghcprof reads",
	     "JOB \"", ""),
	SURE("this is a trace of Xdebug as HTML: xdebug.trace_format=1 writes what "
	     "collapse-xdebug reads",
	     "<table class='xdebug-trace'", ""),
	SURE(DOTNET_STACK, "Thread (0x9):$", ""),
	SURE(SCHED, "time cpu task name wait time ", "sch delay"),
	SURE(SCHED, "Task | Runtime ms |", ""),
	SURE(LOCKS, "contended total wait max wait avg wait ", ""),
	SURE(LOCKS, "Name acquired contended ", " wait"),
	SURE(PSTACK, "-----------------", " lwp# "),
	MARK(MPROF, "MEM 9.9 9.9$", ""),
	SURE(SYSTEM_TABLE, "procs ---", "-memory---"),
	MARK(SYSTEM_TABLE, "Linux ", " CPU)"),
	SURE(JSTAT, "S0C S1C ", ""),
	SURE(JSTAT, "S0 S1 E O ", ""),
	SURE("these are backtraces of lldb, which no collapser reads: "
	     "sample PID | collapse-sample",
	     "* thread #9", ""),
};

/* Returns true if `line` starts like `pattern`, which struct mark explains. */
static bool starts_like(struct fg_str line, struct fg_str pattern)
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

static const struct mark *find_mark(struct fg_str line)
{
	struct fg_str text = fg_str_trim(line);

	for (size_t i = 0; i < FG_COUNT_OF(marks); i++)
		if (starts_like(text, marks[i].start) && fg_str_has(text, marks[i].has))
			return &marks[i];
	return NULL;
}

const char *fg_foreign_line(struct fg_str line)
{
	const struct mark *mark = find_mark(line);

	return mark ? mark->message : NULL;
}

/* ---- text that looks like a profile in part */

/* We search this many first lines for marks. */
#define HEAD_LINES 64

static bool is_flag_char(char c)
{
	return c == '.' || c == '#' || fg_is_alpha(c) || fg_is_digit(c);
}

/*
 * Returns true for the flags and the time stamp of ftrace, "d..2. 58549.289091: ...".
 */
static bool has_flags(struct fg_str rest)
{
	size_t flags = fg_str_span(rest, is_flag_char), seconds;
	struct fg_str word = fg_str_before(rest, flags);

	rest = fg_str_trim_left(fg_str_from_pos(rest, flags));
	seconds = fg_str_span(rest, fg_is_digit);
	rest = fg_str_from_pos(rest, seconds);
	return flags >= 4 && flags <= 6 && !fg_is_digit(word.ptr[0]) && seconds &&
	       fg_str_starts(rest, FG_STR("."));
}

/*
 * Returns true for a task of ftrace, "kworker/0:1-41", or "sh-12 (   11)" with the
 * process. perf has " 41" for "-41".
 */
static bool is_task(struct fg_str task)
{
	size_t digits;

	if (fg_str_ends(task, FG_STR(")")))
		task = fg_str_trim_right(
			fg_str_before(task, fg_str_rfind_char(task, '(')));
	digits = fg_str_end_span(task, fg_is_digit);
	return digits &&
	       fg_str_ends(fg_str_before(task, task.len - digits), FG_STR("-"));
}

/*
 * Returns true for "<idle>-0 [003] d..2. 58549.289091: sched_switch: ...". The header
 * of a stack has "<stack trace" instead of the flags. A line with neither may come from
 * perf of 2010, so it does not count.
 */
static bool is_ftrace(struct fg_str line)
{
	size_t cpu = fg_str_find(line, FG_STR(" ["));
	struct fg_str task = fg_str_trim(fg_str_before(line, cpu));
	struct fg_str rest = fg_str_from_pos(line, cpu + 2);
	size_t digits = fg_str_span(rest, fg_is_digit);

	rest = fg_str_from_pos(rest, digits);
	if (digits < 3 || !fg_str_starts(rest, FG_STR("] ")) || !is_task(task))
		return false;
	rest = fg_str_trim_left(fg_str_from_pos(rest, 2));
	return fg_str_has(rest, FG_STR(" <stack trace")) || has_flags(rest);
}

/*
 * Returns true for "main;work 5". The search ends there, because only lines above the
 * stacks can be marks.
 */
static bool may_be_stack(struct fg_str line)
{
	struct fg_str text = fg_str_trim_right(line);
	size_t digits = fg_str_end_span(text, fg_is_digit);

	return digits && fg_str_has_char(text, ';') &&
	       fg_str_ends(fg_str_before(text, text.len - digits), FG_STR(" "));
}

static const char *find_lines(struct fg_str first_bytes)
{
	struct fg_str rest = first_bytes;
	bool any_ftrace = false;

	if (fg_kind_ftrace.probe(first_bytes) == FG_PROBE_YES)
		return NULL;
	for (size_t i = 0; i < HEAD_LINES && rest.len; i++) {
		struct fg_str line = fg_str_cut(&rest, '\n');
		const struct mark *mark = find_mark(line);

		if (mark && mark->sure)
			return mark->message;
		if (perf_is_indented_frame(line) || may_be_stack(line))
			return NULL;
		any_ftrace |= is_ftrace(line);
	}
	return any_ftrace ? FTRACE : NULL;
}

/* ---- text recognised by more than a line */

static const char html[] =
	"this is an HTML file, but not a flame graph of async-profiler: have the "
	"program that wrote it write folded stacks";

static const char heat_map[] =
	"this is a heat map of async-profiler: collapse-jfr reads the recording that "
	"it was made of";

static const char bare[] =
	"this is the output of perf script without symbols: leave out -F, or add sym "
	"to it";

bool fg_foreign_is_html(struct fg_str first_bytes)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("<!DOCTYPE html"),
		FG_STR_INIT("<html"),
		FG_STR_INIT("<head>"),
		FG_STR_INIT("<meta "),
	};
	struct fg_str s = fg_str_trim_left(first_bytes);

	for (size_t i = 0; i < FG_COUNT_OF(starts); i++)
		if (s.len >= starts[i].len &&
		    !strncasecmp(s.ptr, starts[i].ptr, starts[i].len))
			return true;
	return false;
}

/*
 * Returns true if there are folded stacks between the rows, like with perf report -g
 * folded,count.
 */
static bool has_stacks(struct fg_str rest)
{
	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');
		size_t digits = fg_str_span(line, fg_is_digit);

		if (digits && digits + 1 < line.len && line.ptr[digits] == ' ' &&
		    !fg_is_space(line.ptr[digits + 1]))
			return true;
	}
	return false;
}

/*
 * Returns true if a comment at the start is the header of a table of perf report, and
 * the table has no folded stacks.
 */
static bool is_report(struct fg_str first_bytes)
{
	struct fg_str all = first_bytes;

	while (first_bytes.len) {
		struct fg_str line = fg_str_cut(&first_bytes, '\n');

		if (line.len && (line.ptr[0] != '#' || fg_str_has_char(line, ';')))
			break; /* not a comment, see folded(5) */
		if (fg_str_starts(line, FG_STR("# Overhead ")) ||
		    fg_str_starts(line, FG_STR("# Children ")) ||
		    (fg_str_starts(line, FG_STR("# Samples: ")) &&
		     fg_str_has(line, FG_STR(" of event"))))
			return !has_stacks(all);
	}
	return false;
}

/*
 * The header of pprof -traces has fewer bytes than this. The lines after it look like
 * perf's frames.
 */
#define TRACES_HEAD 1024

/*
 * Returns true for pstack of Solaris if the process has one thread, so that there is no
 * line about threads:
 *
 *     4242:   /usr/bin/app -v
 *      fe99a254 read     (5, fe8f2000, 400) + 8
 *      08051234 main (1, 8047d98) + 160
 */
static bool is_pstack(struct fg_str first_bytes)
{
	struct fg_str rest = first_bytes;
	struct fg_str head = fg_str_cut(&rest, '\n');
	struct fg_str frame = fg_str_trim(fg_str_cut(&rest, '\n'));
	size_t digits = fg_str_span(head, fg_is_digit);
	size_t address = fg_str_span(frame, fg_is_lower_hex);
	size_t arguments = fg_str_rfind_char(frame, '(');

	if (!digits || !fg_str_starts(fg_str_from_pos(head, digits), FG_STR(":\t")) ||
	    address < 8 || !fg_str_starts(fg_str_from_pos(frame, address), FG_STR(" ")))
		return false;
	frame = fg_str_from_pos(frame, arguments);
	return fg_str_ends(frame, FG_STR(")")) || fg_str_has(frame, FG_STR(") + "));
}

static bool is_traces(struct fg_str first_bytes)
{
	return fg_str_has(fg_str_before(first_bytes, TRACES_HEAD),
			  FG_STR("\n-----------+-----"));
}

const char *fg_foreign_text(struct fg_str first_bytes)
{
	const char *message;

	if (fg_foreign_is_html(first_bytes))
		return fg_str_has(first_bytes, FG_STR(FG_ASPROF_HEAT_MAP)) ? heat_map :
									     html;
	if (is_report(first_bytes))
		return FG_FOREIGN_PERF_REPORT;
	if (is_traces(first_bytes))
		return PPROF_REPORT;
	if (is_pstack(first_bytes))
		return PSTACK;
	message = find_lines(first_bytes);
	return message || !perf_is_bare(first_bytes) ? message : bare;
}

/* ---- markup */

static const char svg[] =
	"this is an SVG file: if it is a flame graph, flamegraph --extract prints its "
	"stacks";

const char *fg_foreign_markup(struct fg_str first_bytes)
{
	if (fg_str_starts(first_bytes, FG_STR("<")) &&
	    fg_str_has(first_bytes, FG_STR("<svg")))
		return svg;
	if (fg_str_starts(first_bytes, FG_STR("<?xml")) ||
	    fg_str_starts(first_bytes, FG_STR("<!DOCTYPE")))
		return "this is an XML file";
	return fg_str_starts(first_bytes, FG_STR("{")) ? FG_FOREIGN_JSON : NULL;
}
