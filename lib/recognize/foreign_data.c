/* Recognises binary data that no program here reads. */
#include "lib/base/protobuf.h"
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

#define MEMRAY                                                                       \
	"this is a recording of memray: collapse-memray reads the output of memray " \
	"transform csv FILE"

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
	{ FG_STR_INIT("\x04\x22\x4d\x18"),
	  "this is lz4 data: decompress it with lz4cat first" },
	{ FG_STR_INIT("PK\x03\x04"), "this is a zip archive: unpack it first" },
	{ FG_STR_INIT("goroutine profile: total "), PPROF_GO },
	{ FG_STR_INIT("threadcreate profile: total "), PPROF_GO },
	{ FG_STR_INIT("--- contention"), PPROF },
	{ FG_STR_INIT("--- mutex:"), PPROF },
	{ FG_STR_INIT("--- heap"), PPROF },
	{ FG_STR_INIT("--- growth"), PPROF },
	{ FG_STR_INIT("--- thread"), PPROF },
	/* Java's CPU profiles */
	{ FG_STR_INIT("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\1"), PPROF },
	{ FG_STR_INIT("\0\0\0\0\3\0\0\0\1"), PPROF },
	{ FG_STR_INIT("DTiJ"),
	  "this is a jitdump, code that a virtual machine compiled: perf inject --jit "
	  "adds its names to the recording" },
	{ FG_STR_INIT("memray\0"), MEMRAY },
	{ FG_STR_INIT("\x04\x08{"),
	  "this is a dump of Ruby, like stackprof's: stackprof --stackcollapse FILE "
	  "writes folded stacks" },
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
	{ FG_STR_INIT("\xf0\xe2\xc5\xc3\xe3\xc9\xd6\xd5"), /* "0SECTION" */
	  "this is a javacore in EBCDIC: convert it with iconv -f IBM-1047 -t UTF-8, "
	  "and collapse-javacore folds it" },
	{ FG_STR_INIT("JAVA PROFILE 1."),
	  "this is a profile or heap dump of HPROF, which no collapser reads" },
	{ FG_STR_INIT("SQLite format 3"),
	  "this is a database of SQLite, which no collapser reads" },
	{ FG_STR_INIT("\x17\x08\x44tracing"),
	  "this is a trace of trace-cmd: if its tracer is function_graph, trace-cmd "
	  "report | collapse-ftrace folds it; perf record -g records other stacks" },
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

bool fg_foreign_is_vmprof(struct fg_str s)
{
	static const struct fg_str four = FG_STR_INIT("\0\0\0\0\3\0\0\0");
	static const struct fg_str eight =
		FG_STR_INIT("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0");
	size_t word = fg_str_starts(s, four) ? 4 : fg_str_starts(s, eight) ? 8 : 0;

	return word && fg_str_starts(fg_str_from_pos(s, 5 * word), FG_STR("\5\0\6"));
}

/*
 * Recognises memray's recording that is compressed, which is the default: a frame of
 * lz4 that starts with literal bytes. Its header and the token before the bytes have 13
 * to 24 bytes.
 */
static bool is_memray(struct fg_str s)
{
	return fg_str_starts(s, FG_STR("\x04\x22\x4d\x18")) &&
	       fg_str_has(fg_str_before(s, 32), FG_STR("memray\0"));
}

/* Returns true for "rbspy02" and other versions, on a line of its own. */
static bool is_rbspy(struct fg_str s)
{
	static const struct fg_str name = FG_STR_INIT("rbspy");
	struct fg_str version = fg_str_from_pos(s, name.len);

	return fg_str_starts(s, name) && fg_str_span(version, fg_is_digit) == 2 &&
	       version.len > 2 && version.ptr[2] == '\n';
}

/* Returns true if the bytes have a character that text does not have. */
static bool has_control(struct fg_str s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.ptr[i] < ' ' && !fg_is_space(s.ptr[i]))
			return true;
	return false;
}

/*
 * Recognises a trace of Perfetto, which is a list of packets, each the member 1. pprof
 * and OpenTelemetry start with a member 1, too, but its members are others: a packet
 * has a number for the user (3), the time (8) or the writer (10), or a message for the
 * clocks (6), compressed packets (50) or a track (60).
 */
static bool is_perfetto(struct fg_str s)
{
	struct fg_proto trace = fg_proto_of(s), packet;
	struct fg_proto_field f;
	bool found = false;

	if (!fg_proto_next(&trace, &f) || f.tag != FG_PROTO_BYTES(1) ||
	    !has_control(f.bytes) ||
	    (trace.rest.len && !fg_str_starts(trace.rest, FG_STR("\n"))))
		return false;
	packet = fg_proto_of(f.bytes);
	while (fg_proto_next(&packet, &f))
		switch (f.tag) {
		case FG_PROTO_NUMBER(3):
		case FG_PROTO_NUMBER(8):
		case FG_PROTO_NUMBER(10):
		case FG_PROTO_BYTES(6):
		case FG_PROTO_BYTES(50):
		case FG_PROTO_BYTES(60):
			found = true;
		}
	return found && !packet.fault;
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
	if (fg_foreign_is_vmprof(first_bytes))
		return "this is a recording of vmprof, which no collapser reads: "
		       "vmprofconvert converts it for collapse-firefox";
	if (is_memray(first_bytes))
		return MEMRAY;
	if (is_rbspy(first_bytes))
		return "this is a recording of rbspy: rbspy report -f collapsed "
		       "-i FILE -o OUT writes folded stacks";
	if (is_perfetto(first_bytes))
		return "this is a trace of Perfetto, which no collapser reads: "
		       "traceconv json FILE OUT writes what collapse-chrome reads, "
		       "traceconv profile FILE --perf samples for collapse-pprof";
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
