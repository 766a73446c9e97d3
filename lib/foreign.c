/* Which collapser reads a profile that is not folded, by a table of marks. */
#include "lib/foreign.h"

#include "lib/folded.h"
#include "lib/utf8.h"

/* Bytes that are looked at. */
#define HEAD_MAX 4096

/*
 * A line that has it all. In `start`, of a line without the blanks at its ends, a blank
 * is any blanks, 9 a number, decimal or not, and $ the end. The first row decides that
 * some line fits.
 */
struct mark {
	const char *message;
	struct fg_str start, has, end;
};

#define MARK(what, name, start, has, end)                                      \
	{                                                                      \
		"this is " what ": pipe it through collapse-" name " first",   \
			FG_STR_INIT(start), FG_STR_INIT(has), FG_STR_INIT(end) \
	}

static const struct mark marks[] = {
	MARK("the output of xctrace export", "xctrace", "<trace-query-result", "", ""),
	MARK("the output of bpftrace", "bpftrace", "{\"type\":", "", ""),
	MARK("a top-down table of VTune", "vtune", "Function Stack", "", ""),
	MARK("a top-down table of VTune", "vtune", "\"Function Stack\"", "", ""),
	MARK("a call tree of Visual Studio", "vsprof", "Level", "Function Name", ""),
	MARK("the report of sample", "sample", "Analysis of sampling ", "", ""),
	MARK("the report of sample", "sample", "Call graph:$", "", ""),
	MARK("a profiling report of GHC", "ghcprof", "COST CENTRE ", "%alloc", ""),
	MARK("the output of pprof -raw", "go", "PeriodType: ", "", ""),
	MARK("the output of pprof -raw", "go", "Samples:$", "", ""),
	MARK("a call tree of Instruments", "instruments", "", "\t", "Symbol Name"),
	MARK("a call tree of Instruments", "instruments", "", "\t", "Symbol Names"),
	MARK("the output of bpftrace", "bpftrace", "Attaching 9 probe", "", ""),
	MARK("the output of bpftrace", "bpftrace", "@[", "", ""),
	MARK("the output of bpftrace", "bpftrace", "@", "[", "["),
	MARK("the output of bpftrace", "bpftrace", "@", "[", ","),
	MARK("the output of jstack", "jstack", "Full thread dump ", "", ""),
	MARK("the output of jstack", "jstack", "java.lang.Thread.State: ", "", ""),
	MARK("the output of jstack", "jstack", "#9 \"", "", ""),
	MARK("the output of Python's faulthandler", "faulthandler", "",
	     "(most recent call first)", ""),
	MARK("the output of eu-stack", "elfutils", "TID 9:$", "", ""),
	MARK("the output of eu-stack", "elfutils", "PID 9 - ", "", ""),
	MARK("the output of gdb", "gdb", "Thread 9 (", "", ""),
	MARK("the output of gdb", "gdb", "#0 0x9 in ", "(", ""),
	MARK("the output of eu-stack", "elfutils", "#0 0x9 ", "", ""),
	MARK("the output of gdb", "gdb", "#0 ", " (", ""),
	MARK("the output of pmcstat", "pmc", "9.9% [9] ", "", ""),
	MARK("the output of SystemTap", "stap", "0x9 : ", "", ""),
	MARK("the output of dtrace", "dtrace", "CPU ID FUNCTION:NAME", "", ""),
	MARK("the output of dtrace", "dtrace", "value -", " Distribution -", ""),
	MARK("the output of dtrace", "dtrace", "", "`", "+0x9"),
};

static bool is_hex(char c)
{
	return fg_hex_digit(c) < 16;
}

/* Whether `line` starts as `pattern` says, see struct mark. */
static bool starts_as(struct fg_str line, struct fg_str pattern)
{
	for (size_t i = 0; i < pattern.len; i++) {
		char c = pattern.ptr[i];
		size_t len = c == ' ' ? fg_str_span(line, fg_is_blank) :
			     c == '9' ? fg_str_span(line, is_hex) :
			     c == '$' ? !line.len :
					line.len && line.ptr[0] == c;

		if (!len)
			return false;
		line = fg_str_from_pos(line, len);
	}
	return true;
}

/* The same of its end, in which only 9 has a meaning. */
static bool ends_as(struct fg_str line, struct fg_str pattern)
{
	if (fg_str_cut_end(&pattern, FG_STR("9"))) {
		size_t digits = fg_str_end_span(line, is_hex);

		if (!digits)
			return false;
		line = fg_str_before(line, line.len - digits);
	}
	return fg_str_ends(line, pattern);
}

static bool has_mark(struct fg_str line, const struct mark *mark)
{
	struct fg_str text = fg_str_trim(line);
	struct fg_folded folded;

	return starts_as(text, mark->start) && fg_str_has(text, mark->has) &&
	       ends_as(text, mark->end) &&
	       fg_folded_parse(line, &folded) != FG_FOLDED_STACK;
}

/* Its lines that are whole, up to the first stack of several frames. */
static struct fg_str head_of(struct fg_str first_bytes)
{
	struct fg_str head = fg_str_before(first_bytes, HEAD_MAX), rest;

	while (head.len < first_bytes.len && head.len && head.ptr[head.len - 1] != '\n')
		head.len--;
	rest = head;
	while (rest.len) {
		size_t before = head.len - rest.len;
		struct fg_folded folded;

		if (fg_folded_parse(fg_str_cut(&rest, '\n'), &folded) ==
			    FG_FOLDED_STACK &&
		    fg_str_has_char(folded.stack, ';'))
			return fg_str_before(head, before);
	}
	return head;
}

const char *fg_foreign(struct fg_str first_bytes)
{
	struct fg_str head = head_of(fg_utf8_skip_mark(first_bytes));

	for (size_t i = 0; i < FG_COUNT_OF(marks); i++) {
		struct fg_str rest = head;

		while (rest.len)
			if (has_mark(fg_str_cut(&rest, '\n'), &marks[i]))
				return marks[i].message;
	}
	return NULL;
}
