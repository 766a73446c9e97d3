/*
 * Recognises function graphs of ftrace, and reads their lines.
 *
 *      360.774522 |   1)   sh-4802    |  d..1 |   0.541 us    |    journal_dirty();
 *
 * All columns but the last are optional.
 */
#include "lib/recognize/ftrace.h"

#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

/* ---- columns */

/* Cuts the digits at the start. Returns false if there are none, or too many. */
static bool cut_number(struct fg_str *text, uint64_t *number)
{
	size_t digits = fg_str_span(*text, fg_is_digit);

	if (fg_str_u64(fg_str_before(*text, digits), number))
		return false;
	*text = fg_str_from_pos(*text, digits);
	return true;
}

/* Cuts " 1)" off the start. */
static bool cut_cpu(struct fg_str *text, uint64_t *cpu)
{
	struct fg_str rest = fg_str_trim_left(*text);
	uint64_t number;

	if (!cut_number(&rest, &number) || !fg_str_cut_start(&rest, FG_STR(")")))
		return false;
	*cpu = number;
	*text = fg_str_trim_left(rest);
	return true;
}

/* Reads the digits after the point of a number of microseconds. */
static uint64_t read_fraction(struct fg_str digits)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < 3; i++)
		ns = ns * 10 + (i < digits.len ? (uint64_t)(digits.ptr[i] - '0') : 0);
	return ns;
}

/* Reads "+ 12.300 us" or "!2485684 us". The mark says that it took long. */
static bool read_duration(struct fg_str text, uint64_t *ns)
{
	uint64_t us, fraction = 0;

	if (text.len && fg_str_has_char(FG_STR("+!#*@$"), text.ptr[0]))
		text = fg_str_trim_left(fg_str_from_pos(text, 1));
	if (!cut_number(&text, &us))
		return false;
	if (fg_str_cut_start(&text, FG_STR("."))) {
		size_t digits = fg_str_span(text, fg_is_digit);

		fraction = read_fraction(fg_str_before(text, digits));
		text = fg_str_from_pos(text, digits);
	}
	if (!fg_str_eq(text, FG_STR(" us")) || us > (UINT64_MAX - fraction) / 1000)
		return false;
	*ns = us * 1000 + fraction;
	return true;
}

/* Reads "sh-4711" or "<idle>-0". The kernel cuts the name, which may have any byte. */
static bool read_task(struct fg_str text, struct ftrace_task *task)
{
	size_t digits = fg_str_end_span(text, fg_is_digit);
	struct fg_str comm = fg_str_before(text, text.len - digits);
	uint64_t pid;

	if (fg_str_u64(fg_str_from_pos(text, comm.len), &pid) || pid > UINT32_MAX ||
	    !fg_str_cut_end(&comm, FG_STR("-")) || !comm.len)
		return false;
	*task = (struct ftrace_task){ comm, pid };
	return true;
}

static bool is_flag(char c)
{
	return c == '.' || c == '#' || fg_is_alpha(c) || fg_is_digit(c);
}

/* ---- functions */

/* Returns the name in "f [module]", or nothing for "= 0x0", "ret=0x0" and "<-g+0x1". */
static struct fg_str first_word(struct fg_str text)
{
	struct fg_str word = fg_str_before(text, fg_str_find_char(text, ' '));

	if (fg_str_starts(word, FG_STR("=")) || fg_str_starts(word, FG_STR("<-")) ||
	    fg_str_starts(word, FG_STR("ret=")) || fg_str_starts(word, FG_STR("*/")))
		return FG_STR("");
	return word;
}

/* Cuts the comment off "f(); [= 0x0]", with asterisks for the brackets. */
static struct fg_str cut_comment(struct fg_str text)
{
	size_t at = text.len;

	if (!fg_str_ends(text, FG_STR("*/")))
		return text;
	while (at && !fg_str_starts(fg_str_from_pos(text, at), FG_STR("/*")))
		at--;
	return fg_str_trim_right(fg_str_before(text, at));
}

/* Reads the last column, whose indent is the depth. */
static enum ftrace_kind read_function(struct fg_str text, struct ftrace_line *line)
{
	size_t spaces = fg_str_spaces(text);

	line->depth = spaces > 2 ? (spaces - 2) / 2 : 0;
	text = fg_str_trim(text);
	if (fg_str_starts(text, FG_STR("/*")))
		return FTRACE_OTHER;
	if (fg_str_cut_start(&text, FG_STR("}"))) {
		text = fg_str_trim_left(text);
		if (fg_str_cut_start(&text, FG_STR("/*")))
			line->name = first_word(fg_str_trim_left(text));
		return FTRACE_END;
	}
	text = cut_comment(text);
	line->name = first_word(fg_str_before(text, fg_str_find_char(text, '(')));
	if (!line->name.len || !fg_str_has_char(text, '('))
		return FTRACE_MALFORMED;
	if (fg_str_ends(text, FG_STR("{")))
		return FTRACE_BEGIN;
	return fg_str_ends(text, FG_STR(";")) ? FTRACE_WHOLE : FTRACE_MALFORMED;
}

/* ---- lines of the kernel */

/* Cuts off the time, "360.774522 |" or "12 us |", which comes before the CPU. */
static void cut_time(struct fg_str *text)
{
	struct fg_str rest = *text, after;
	uint64_t cpu;

	fg_str_cut(&rest, '|');
	after = rest;
	if (cut_cpu(&after, &cpu))
		*text = rest;
}

/*
 * Reads the columns up to the duration, which may be blank. Returns false if there is
 * another column before a function.
 */
static bool read_columns(struct fg_str *text, struct ftrace_line *line)
{
	while (fg_str_has_char(*text, '|')) {
		struct fg_str rest = *text;
		struct fg_str column = fg_str_trim(fg_str_cut(&rest, '|'));

		*text = rest;
		line->timed = read_duration(column, &line->ns);
		if (line->timed || !column.len)
			return true;
		if (!read_task(column, &line->task) && !fg_str_all(column, is_flag))
			return false;
	}
	return false;
}

/* Returns true for "==========>" and "<==========", around an interrupt. */
static bool is_arrow(struct fg_str column)
{
	return fg_str_has(column, FG_STR("====="));
}

static enum ftrace_kind read_kernel(struct fg_str text, struct ftrace_line *line)
{
	cut_time(&text);
	cut_cpu(&text, &line->cpu);
	if (is_arrow(text))
		return FTRACE_OTHER;
	return read_columns(&text, line) ? read_function(text, line) : FTRACE_MALFORMED;
}

/* Reads " 0)   sh-4711  =>  <idle>-0". */
static bool read_switch(struct fg_str text, struct ftrace_line *line)
{
	size_t arrow;

	if (!cut_cpu(&text, &line->cpu))
		return false;
	arrow = fg_str_find(text, FG_STR(" => "));
	return arrow < text.len &&
	       read_task(fg_str_trim(fg_str_before(text, arrow)), &line->from) &&
	       read_task(fg_str_trim(fg_str_from_pos(text, arrow + 4)), &line->task);
}

/* Reads "CPU:1 [LOST 12 EVENTS]" of the kernel, or "CPU:1 [12 EVENTS DROPPED]". */
static bool read_lost(struct fg_str text, uint64_t *count)
{
	if (!fg_str_cut_start(&text, FG_STR("CPU:")) ||
	    !fg_str_has(text, FG_STR("EVENTS")))
		return false;
	text = fg_str_from_pos(text, fg_str_find_char(text, '[') + 1);
	fg_str_cut_start(&text, FG_STR("LOST "));
	if (!cut_number(&text, count))
		*count = 1;
	return true;
}

/* ---- lines of trace-cmd */

/*
 * Reads "sh-72 [000] 79209.265551:", the text before "funcgraph_entry:". Flags may be
 * between the CPU and the time.
 */
static void read_prefix(struct fg_str text, struct ftrace_line *line)
{
	size_t bracket = fg_str_rfind_char(text, '[');
	struct fg_str cpu = fg_str_from_pos(text, bracket + 1);

	if (cut_number(&cpu, &line->cpu))
		read_task(fg_str_trim(fg_str_before(text, bracket)), &line->task);
}

static enum ftrace_kind read_trace_cmd(struct fg_str text, struct ftrace_line *line)
{
	struct fg_str rest = text, column;

	fg_str_cut(&rest, ':'); /* after "funcgraph_entry" or "funcgraph_exit" */
	column = fg_str_trim(fg_str_cut(&rest, '|'));
	line->timed = read_duration(column, &line->ns);
	return line->timed || !column.len ? read_function(rest, line) :
					    FTRACE_MALFORMED;
}

/* Returns true for an event of trace-cmd, "sh-72 [000] 79209.265551: sched_switch:". */
static bool is_event(struct fg_str text)
{
	size_t at = fg_str_find(text, FG_STR(" ["));
	struct fg_str cpu = fg_str_from_pos(text, at + 2);
	uint64_t number;

	return at < text.len && cut_number(&cpu, &number) &&
	       fg_str_starts(cpu, FG_STR("] "));
}

/* ---- any line */

/* Returns true for lines around the functions that say nothing about them. */
static bool is_other(struct fg_str text)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("#"),     FG_STR_INIT("---"),  FG_STR_INIT("=> "),
		FG_STR_INIT("cpus="), FG_STR_INIT("CPU "), FG_STR_INIT("version = "),
	};

	return !text.len || fg_str_starts_any(text, starts, FG_COUNT_OF(starts));
}

static enum ftrace_kind read_any(struct fg_str text, struct ftrace_line *line)
{
	struct fg_str trimmed = fg_str_trim(text);
	size_t bar = fg_str_find_char(text, '|');
	size_t event = fg_str_find(fg_str_before(text, bar), FG_STR("funcgraph_e"));

	if (fg_str_starts(trimmed, FG_STR("# tracer: ")))
		return FTRACE_START;
	if (is_other(trimmed))
		return FTRACE_OTHER;
	if (event < bar) {
		read_prefix(fg_str_before(text, event), line);
		return read_trace_cmd(fg_str_from_pos(text, event), line);
	}
	if (bar == text.len && read_switch(text, line))
		return FTRACE_SWITCH;
	if (read_lost(trimmed, &line->ns))
		return FTRACE_LOST;
	if (is_event(text))
		return FTRACE_OTHER;
	return read_kernel(text, line);
}

enum ftrace_kind ftrace_line_read(struct fg_str text, struct ftrace_line *line)
{
	*line = (struct ftrace_line){ .name = FG_STR_INIT("") };
	line->kind = read_any(text, line);
	return line->kind;
}

/* ---- the probe */

static bool is_sure(struct fg_str text)
{
	struct ftrace_line line;

	if (ftrace_line_read(text, &line) == FTRACE_START)
		return fg_str_has(text, FG_STR("function_graph"));
	return line.kind <= FTRACE_END && line.timed;
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);

	while (rest.len)
		if (is_sure(fg_str_trim_right(fg_str_cut(&rest, '\n'))))
			return FG_PROBE_YES;
	return FG_PROBE_NO;
}

const struct fg_kind fg_kind_ftrace = {
	.name = "ftrace",
	.input = "a function graph of ftrace",
	.probe = probe,
};
