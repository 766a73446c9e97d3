/* Recognises binary data that no program here reads. */
#include "lib/recognize/foreign.h"

/* Most of pprof's older formats need the program for the names of functions. */
#define PPROF                          \
	"this is a profile of pprof: " \
	"go tool pprof -raw PROGRAM FILE | collapse-go folds it"

#define PPROF_GO                                                          \
	"this is a profile of Go as text: fetch it without ?debug=, and " \
	"collapse-pprof folds it"

#define CPROFILE                                                \
	"this is a profile of Python's cProfile, which has no " \
	"stacks: py-spy record -f raw writes folded stacks"

#define PROGRAM "this is a program, not its profile: flame -- PROGRAM records one"

static const struct magic {
	struct fg_str start;
	const char *message;
} magics[] = {
	{ FG_STR_INIT("\x1f\x8b"), "this is gzip data: decompress it with zcat first" },
	{ FG_STR_INIT("\x28\xb5\x2f\xfd"),
	  "this is zstd data: decompress it with zstdcat first" },
	{ FG_STR_INIT("\xfd"
		      "7zXZ"),
	  "this is xz data: decompress it with xzcat first" },
	{ FG_STR_INIT("BZh"), "this is bzip2 data: decompress it with bzcat first" },
	{ FG_STR_INIT("PK\x03\x04"), "this is a zip archive: unpack it first" },
	{ FG_STR_INIT("heap profile: "), PPROF },
	{ FG_STR_INIT("goroutine profile: total "), PPROF_GO },
	{ FG_STR_INIT("threadcreate profile: total "), PPROF_GO },
	{ FG_STR_INIT("--- contention"), PPROF },
	{ FG_STR_INIT("--- mutex:"), PPROF },
	{ FG_STR_INIT("--- heap"), PPROF },
	{ FG_STR_INIT("--- growth"), PPROF },
	{ FG_STR_INIT("--- thread"), PPROF },
	{ FG_STR_INIT("--- symbol\nbinary="), PPROF },
	{ FG_STR_INIT("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0"), PPROF },
	{ FG_STR_INIT("\0\0\0\0\3\0\0\0"), PPROF },
	{ FG_STR_INIT("DTiJ"),
	  "this is a jitdump, code that a virtual machine compiled: perf inject --jit "
	  "adds its names to the recording" },
	{ FG_STR_INIT("memray\0"),
	  "this is a recording of memray: collapse-memray reads the output of memray "
	  "transform csv FILE" },
	{ FG_STR_INIT("\x04\x08{"),
	  "this is a dump of Ruby, like stackprof's: stackprof --stackcollapse FILE "
	  "writes folded stacks" },
	{ FG_STR_INIT("heap_v2/"),
	  "this is a heap profile of jemalloc: jeprof --collapsed PROGRAM FILE writes "
	  "folded stacks" },
	{ FG_STR_INIT("MOJ"),
	  "this is a recording of austin: mojo2austin FILE OUT writes folded stacks" },
	{ FG_STR_INIT("{)\3"), CPROFILE },
	{ FG_STR_INIT("{\xa9\3"), CPROFILE },
	{ FG_STR_INIT("\xfb)\3"), CPROFILE },
	{ FG_STR_INIT("\xfb\xa9\3"), CPROFILE },
	{ FG_STR_INIT("gmon"), "this is gprof's binary data, which has no stacks: "
			       "flame -- PROGRAM records them" },
	{ FG_STR_INIT("\xdc\xdfJSLB"),
	  "this is a profile of samply as JSLB, which no collapser reads: samply "
	  "record -o FILE.json.gz writes JSON, which collapse-firefox reads" },
	{ FG_STR_INIT("SIMPLEPERF"), FG_FOREIGN_SIMPLEPERF },
	{ FG_STR_INIT("Nettrace"), "this is a trace of .NET, which no collapser reads: "
				   "dotnet-trace convert --format Speedscope FILE" },
	{ FG_STR_INIT("JAVA PROFILE 1."),
	  "this is a profile or heap dump of HPROF, which no collapser reads" },
	{ FG_STR_INIT("SQLite format 3"),
	  "this is a database of SQLite, which no collapser reads" },
	{ FG_STR_INIT("\x17\x08\x44tracing"),
	  "this is a trace of trace-cmd, which no collapser reads: perf record -g "
	  "records stacks" },
	/* lines of a script may look like stacks and counts */
	{ FG_STR_INIT("#!/"), PROGRAM },
	{ FG_STR_INIT("\x89PNG"), "this is a picture" },
	{ FG_STR_INIT("%PDF-"), "this is a PDF" },
};

/* ---- more than the first bytes */

/* Returns true for "go 1.22 trace" and other versions. */
static bool is_go_trace(struct fg_str s)
{
	return fg_str_starts(s, FG_STR("go 1.")) &&
	       fg_str_has(fg_str_before(s, 16), FG_STR(" trace\0"));
}

/*
 * Recognises vmprof of PyPy and CPython. Like older profiles of pprof, it starts with
 * five words of four or eight bytes each; but then comes a header of its own.
 */
static bool is_vmprof(struct fg_str s)
{
	static const struct fg_str four = FG_STR_INIT("\0\0\0\0\3\0\0\0");
	static const struct fg_str eight =
		FG_STR_INIT("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0");
	size_t word = fg_str_starts(s, four) ? 4 : fg_str_starts(s, eight) ? 8 : 0;

	return word && fg_str_starts(fg_str_from_pos(s, 5 * word), FG_STR("\5\0\6"));
}

/*
 * Returns true for an ELF file that is a core dump: its type, two bytes in either order
 * at offset 16, is 4.
 */
static bool is_core(struct fg_str s)
{
	return s.len > 17 && s.ptr[16] + s.ptr[17] == 4;
}

static const char *elf_message(struct fg_str s)
{
	return is_core(s) ? "this is a core dump: gdb -batch -ex 'thread apply all bt' "
			    "PROGRAM FILE | collapse-gdb" :
			    PROGRAM;
}

/* tar's magic comes after the name, mode, owner and times of the first file. */
#define TAR_MAGIC 257

const char *fg_foreign_magic(struct fg_str first_bytes)
{
	if (is_vmprof(first_bytes))
		return "this is a recording of vmprof, which no collapser reads: "
		       "vmprofconvert converts it for collapse-firefox";
	for (size_t i = 0; i < FG_COUNT_OF(magics); i++)
		if (fg_str_starts(first_bytes, magics[i].start))
			return magics[i].message;
	if (fg_str_starts(fg_str_from_pos(first_bytes, TAR_MAGIC), FG_STR("ustar")))
		return "this is a tar archive: unpack it first";
	if (fg_str_starts(first_bytes, FG_STR("\x7f"
					      "ELF")))
		return elf_message(first_bytes);
	if (is_go_trace(first_bytes))
		return "this is an execution trace of Go: go tool trace -pprof=sched "
		       "FILE writes a profile for pprof";
	return NULL;
}
