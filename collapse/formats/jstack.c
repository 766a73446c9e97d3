/*
 * Reads thread dumps of a JVM: jstack, `jcmd PID Thread.print`, kill -3, jstack -F, and
 * the plain text of `jcmd PID Thread.dump_to_file`. See HotSpot's JavaThread::print_on,
 * vframe.cpp, sun.jvm.hotspot.tools.StackTrace and jdk.internal.vm.ThreadDumper.
 *
 *     "worker-12" #30 daemon prio=5 os_prio=0 tid=0x7f01 nid=0x43 runnable [0x7f4c]
 *        java.lang.Thread.State: RUNNABLE
 *     	at com.example.Service.compute(java.base@17/Service.java:42)
 *     	- locked <0x00000000f802f628> (a java.lang.Object)
 *
 * A thread ends at an empty line. But editors add more empty lines, programs log in
 * between, terminals wrap lines, and log files put a prefix before them. Much of this
 * file is about that.
 */
#include <stdlib.h>

#include "collapse/javathread.h"
#include "lib/recognize/jstack.h"
#include "lib/base/line_prefix.h"
#include "lib/base/xalloc.h"

/*
 * The kind of the lines since the last frame or state of the thread. The stack
 * continues after empty lines, because some editors put one below each line. It also
 * continues after other lines, which a program may have logged in between, but not
 * after both kinds.
 */
enum gap { NO_GAP, OTHER_LINE, EMPTY_LINE };

struct jstack {
	struct fg_sink *sink;
	struct fg_java_thread thread;
	enum gap gap;
	struct fg_line_prefix prefix; /* the text that a log puts before each line */
	struct fg_buf part; /* the start of a function that was wrapped */

	/* the thread */
	struct fg_buf header; /* first line of the thread; emptied at the next line */
	bool bare_frames; /* see struct jstack_header */
	bool prefixed; /* its lines have a prefix */

	/* the input */
	bool any_blank; /* an empty line has ended a stack */
	bool by_vm; /* a virtual machine itself has printed the dump */
};

static void *open_jstack(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct jstack *j = fg_xcalloc(1, sizeof(*j));

	j->sink = sink;
	fg_java_thread_init(&j->thread, sink, run);
	return j;
}

static void close_jstack(void *state)
{
	struct jstack *j = state;

	fg_java_thread_release(&j->thread);
	fg_line_prefix_release(&j->prefix);
	fg_buf_release(&j->header);
	fg_buf_release(&j->part);
	free(j);
}

/* ---- frames */

/* Adds the frame of a function that is complete. */
static void end_part(struct jstack *j)
{
	if (j->part.len)
		fg_java_thread_add(&j->thread, fg_buf_str(&j->part));
	fg_buf_clear(&j->part);
}

/* Adds a line to the function, which is complete at its ')': lines may be wrapped. */
static void add_part(struct jstack *j, struct fg_str text)
{
	fg_buf_add_str(&j->part, text);
	if (fg_str_has_char(text, ')'))
		end_part(j);
}

/* ---- threads */

static void end_thread(struct jstack *j)
{
	end_part(j);
	fg_java_thread_end(&j->thread);
}

static void set_state(struct jstack *j, enum jstack_state state)
{
	if (state == JSTACK_RUNS)
		fg_java_thread_runs(&j->thread);
	else if (state == JSTACK_WAITS)
		fg_java_thread_waits(&j->thread);
}

static void start_thread(struct jstack *j, struct fg_str name)
{
	end_part(j);
	fg_java_thread_start(&j->thread, name);
	j->prefixed = j->bare_frames = false;
	j->gap = NO_GAP;
}

/* Starts a thread if the line is its header. Returns false if not. */
static bool read_header(struct jstack *j, struct fg_str line)
{
	struct jstack_header h;

	if (!jstack_header_read(line, &h))
		return false;
	start_thread(j, h.name);
	set_state(j, h.state);
	j->bare_frames = h.bare_frames;
	j->by_vm |= h.bare_frames;
	j->thread.slashes = h.slashes;
	j->thread.numbered = h.numbered;
	fg_buf_clear(&j->header);
	fg_buf_add_str(&j->header, line);
	return true;
}

/*
 * Reads `Mounted virtual thread "NAME" #29`: ends its carrier, and starts the virtual
 * thread, which runs.
 */
static void start_mounted(struct jstack *j, struct fg_str rest)
{
	size_t end = fg_str_rfind_char(rest, '"');
	struct fg_str name = FG_STR("virtual thread");

	if (fg_str_starts(rest, FG_STR(" \"")) && end < rest.len && end > 2)
		name = fg_str_of(rest.ptr + 2, end - 2);
	start_thread(j, name);
	fg_java_thread_runs(&j->thread);
}

/* ---- lines */

/*
 * Cuts "at " off a line with a function, or the "- " of jstack -F. Returns false for
 * other lines.
 */
static bool cut_at(const struct jstack *j, struct fg_str *line)
{
	if (fg_str_has(*line, FG_STR(" @bci=")))
		return fg_str_cut_start(line, FG_STR("- "));
	return fg_str_cut_start(line, FG_STR("at ")) ||
	       (j->bare_frames && fg_str_has_char(*line, '(') &&
		fg_str_ends(fg_str_trim_right(*line), FG_STR(")")) &&
		!fg_str_starts(*line, FG_STR("-")) &&
		!fg_str_starts(*line, FG_STR("/")));
}

/* Reads a line of a thread. Ignores lines that say nothing about its stack. */
static void read_detail(struct jstack *j, struct fg_str line)
{
	enum gap gap = j->gap;

	end_part(j);
	fg_buf_clear(&j->header);
	j->gap = NO_GAP;
	if (cut_at(j, &line))
		add_part(j, line);
	else if (fg_str_cut_start(&line, FG_STR(JSTACK_STATE_LINE)))
		set_state(j, jstack_header_state(line));
	else if (fg_str_cut_start(&line, FG_STR("Carrying virtual thread")))
		fg_java_thread_leave_out(&j->thread);
	else if (fg_str_cut_start(&line, FG_STR("Mounted virtual thread")))
		start_mounted(j, line);
	else
		j->gap = gap;
}

/* Returns true if a line that is not indented belongs to a thread. */
static bool is_detail(struct fg_str line)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("- "),
		FG_STR_INIT("java.lang.Thread.State: "),
		FG_STR_INIT("Carrying virtual thread"),
		FG_STR_INIT("Mounted virtual thread"),
	};

	if (fg_str_cut_start(&line, FG_STR("at ")))
		return fg_str_find_char(line, '(') < fg_str_find_char(line, ' ');
	return fg_str_starts_any(line, starts, FG_COUNT_OF(starts));
}

/* Returns true for the characters of a class with its packages. */
static bool is_of_class(char c)
{
	return fg_is_word(c) || c == '.' || c == '$';
}

/*
 * Returns true for the class of an exception, which a stack may follow:
 * "com.example.Failure:" with a message after it, or "com.example.Failure" alone.
 */
static bool is_failure(struct fg_str word, bool is_alone)
{
	bool has_text = fg_str_cut_end(&word, FG_STR(":"));

	return (has_text || is_alone) && word.len && fg_is_alpha(word.ptr[0]) &&
	       fg_str_has_char(word, '.') && fg_str_all(word, is_of_class);
}

/*
 * Returns true if the stack of an exception may follow. The line may have a log's
 * prefix.
 */
static bool is_exception(struct fg_str line)
{
	struct fg_str rest = fg_str_trim(line);
	bool is_alone = !fg_str_has_char(rest, ' ');

	if (fg_str_has(line, FG_STR("Exception")) ||
	    fg_str_has(line, FG_STR("Error")) || fg_str_has(line, FG_STR("Throwable")))
		return true;
	while (rest.len)
		if (is_failure(fg_str_cut(&rest, ' '), is_alone))
			return true;
	return false;
}

/*
 * Returns true if the line continues the function in j->part. A function has spaces
 * only in "(...)".
 */
static bool is_rest(const struct jstack *j, struct fg_str line)
{
	struct fg_str s = fg_str_trim_right(line);

	if (!j->part.len)
		return false;
	return fg_str_has_char(fg_buf_str(&j->part), '(') ?
		       fg_str_ends(s, FG_STR(")")) || !fg_str_has_char(s, ' ') :
		       fg_str_find_char(s, ' ') >= fg_str_find_char(s, '(');
}

/*
 * Reads a line that does not look like one of a thread. It may be the rest of a wrapped
 * header or function, or end the thread.
 */
static void read_other(struct jstack *j, struct fg_str line)
{
	struct jstack_header h;

	if (is_rest(j, line)) {
		add_part(j, line);
		return;
	}
	end_part(j);
	j->by_vm |= fg_str_starts(line, FG_STR(JSTACK_VM_LINE));
	if (line.ptr[0] != '"' && line.ptr[0] != '#')
		fg_sink_set_unended(j->sink, false); /* the thread ended before it */
	if (j->gap == EMPTY_LINE || line.ptr[0] == '"' || is_exception(line) ||
	    fg_str_starts(line, FG_STR(JSTACK_VM_LINE))) {
		end_thread(j);
		return;
	}
	j->gap = OTHER_LINE;
	if (!j->thread.open || !j->header.len ||
	    fg_str_ends(fg_str_trim_right(fg_buf_str(&j->header)), FG_STR("]")))
		return; /* the header is complete: it ends in "[0x7f4c]" */
	if (fg_str_ends(fg_buf_str(&j->header), FG_STR(",")))
		fg_buf_add_char(&j->header, ' '); /* JRockit wraps between words */
	fg_buf_add_str(&j->header, line);
	if (jstack_header_read(fg_buf_str(&j->header), &h))
		set_state(j, h.state);
	fg_buf_clear(&j->header);
}

static void read_empty(struct jstack *j)
{
	end_part(j);
	fg_buf_clear(&j->header);
	j->any_blank |= j->thread.open && j->thread.any_frame;
	if (j->gap == OTHER_LINE && j->thread.any_frame)
		end_thread(j);
	j->gap = EMPTY_LINE;
}

/*
 * Looks for a header after a prefix of a log, which all lines of the thread then have.
 */
static void find_prefix(struct jstack *j, struct fg_str line)
{
	size_t at = jstack_header_find(line);

	if (at < line.len && fg_line_prefix_set(&j->prefix, line, at))
		end_thread(j);
}

static void read_line(void *state, struct fg_str line)
{
	struct jstack *j = state;
	struct fg_str text;

	find_prefix(j, line);
	if (fg_line_prefix_cut(&j->prefix, &line)) {
		j->prefixed = j->thread.open;
	} else if (j->prefixed) { /* another program has logged this line in between */
		read_header(j, line);
		return;
	}
	text = fg_str_trim_left(line);
	if (!text.len)
		read_empty(j);
	else if (fg_is_blank(line.ptr[0]) || is_detail(line)) {
		if (j->thread.open)
			read_detail(j, text);
	} else if (!read_header(j, line)) {
		read_other(j, line);
	}
}

/*
 * Ends the thread, and warns if the dump may be cut short. A virtual machine prints an
 * empty line after each stack; if the last stack lacks it, the dump may be cut. But
 * editors and other programs drop that line, so we only warn if a virtual machine has
 * printed the dump and another stack has such a line.
 */
static void end_input(void *state)
{
	struct jstack *j = state;

	if (j->thread.open && j->thread.any_frame && !j->gap && j->any_blank &&
	    j->by_vm && !fg_sink_is_unended(j->sink))
		fg_sink_warn_cut(j->sink, "the last thread, unlike others, does not "
					  "end in an empty line");
	end_thread(j);
	j->any_blank = j->by_vm = false;
	fg_buf_clear(&j->prefix.text);
}

/* ---- the format */

const struct fg_format fg_format_jstack = {
	.kind = &fg_kind_jstack,
	.summary =
		"Reads thread dumps of Java, one or many, as jstack prints them, and\n"
		"writes folded stacks of the threads that were running.",
	.footer = "Example:\n"
		  "  for i in $(seq 60); do jstack $PID; sleep 1; done |\n"
		  "    collapse-jstack | flamegraph > flame.svg",
	.hints = { .empty = "did jstack fail?",
		   .not_found = "no thread with a stack was found: is this the output "
				"of jstack?",
		   .left_out = "no thread was running: --all-states counts those that "
			       "wait" },
	.rows = fg_java_rows,
	.options_size = sizeof(struct fg_java_options),
	.open = open_jstack,
	.line = read_line,
	.end_input = end_input,
	.close = close_jstack,
};
