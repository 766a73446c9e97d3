/*
 * Thread dumps of a JVM: jstack, `jcmd PID Thread.print`, kill -3, and the plain text
 * of `jcmd PID Thread.dump_to_file`; see HotSpot's JavaThread::print_on, vframe.cpp,
 * and jdk.internal.vm.ThreadDumper.
 *
 *     "worker-12" #30 daemon prio=5 os_prio=0 tid=0x7f01 nid=0x43 runnable [0x7f4c]
 *        java.lang.Thread.State: RUNNABLE
 *     	at com.example.Service.compute(java.base@17/Service.java:42)
 *     	- locked <0x00000000f802f628> (a java.lang.Object)
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/jstack/frame.h"
#include "collapse/sink.h"
#include "lib/optrows.h"
#include "lib/utf8.h"
#include "lib/xalloc.h"

#define OPTIONS struct options
struct options {
	bool all_states;
	int no_tname;
	int tid;
	int shorten;
	int lines;
};

static const struct fg_opt rows[] = {
	SECTION("Threads"),
	FLAG("all-states", all_states,
	     "count all threads, not only those that are running"),
	SET("include-tname", no_tname, false,
	    "the thread's name as root frame (default)", .older = true),
	SET("no-include-tname", no_tname, true, "no root frame", .older = true),
	SET("include-tid", tid, true, "leave the number at the end of the name",
	    .older = true),
	SET("no-include-tid", tid, false, "pool-1-thread-7 is pool-1-thread (default)",
	    .older = true),

	SECTION("Frames"),
	SET("shorten-pkgs", shorten, true,
	    "the first letters of packages: j.n.Socket.read", .older = true),
	SET("no-shorten-pkgs", shorten, false, "packages as they are (default)",
	    .older = true),
	SET("lines", lines, true, "show functions with their lines: Main.run:42"),
	SET("no-lines", lines, false, "one frame for a function (default)"),
	FG_OPT_END,
};

struct jstack {
	struct fg_sink *sink;
	const struct options *options;
	unsigned show; /* bits of enum jstack_show */
	struct fg_buf name; /* of the thread */
	struct fg_buf frame; /* room for one */
	bool open; /* within a thread */
	bool known; /* its state was told */
	bool counts; /* it does so far */
	bool any_frame;
};

static void *open_jstack(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct jstack *j = fg_xcalloc(1, sizeof(*j));
	const struct options *o = run->own;

	j->sink = sink;
	j->options = o;
	j->show = (o->shorten ? JSTACK_SHORT : 0) | (o->lines ? JSTACK_LINES : 0);
	return j;
}

static void close_jstack(void *state)
{
	struct jstack *j = state;

	fg_buf_release(&j->name);
	fg_buf_release(&j->frame);
	free(j);
}

/* ---- threads */

static void add_root(struct jstack *j)
{
	struct fg_str name = fg_buf_str(&j->name);
	size_t digits = fg_str_end_span(name, fg_is_digit);

	if (j->options->no_tname)
		return;
	if (!j->options->tid && digits && digits + 1 < name.len &&
	    name.ptr[name.len - digits - 1] == '-')
		name = fg_str_before(name, name.len - digits - 1);
	fg_sink_root(j->sink, name);
}

static void end_thread(struct jstack *j)
{
	struct fg_tally *tally = &j->sink->tally;

	if (j->open && j->any_frame && j->counts && j->known) {
		add_root(j);
		fg_sink_add(j->sink, 1);
	} else if (j->open && j->any_frame) {
		tally->samples++;
		tally->ignored++;
		tally->deselected++;
	}
	fg_sink_clear(j->sink);
	j->open = false;
}

static void start_thread(struct jstack *j, struct fg_str name)
{
	end_thread(j);
	fg_buf_clear(&j->name);
	fg_buf_add_str(&j->name, name);
	j->open = true;
	j->known = j->options->all_states;
	j->counts = j->options->all_states || !jstack_is_vm_thread(name);
	j->any_frame = false;
}

static void set_state(struct jstack *j, struct fg_str state)
{
	j->known = true;
	if (!j->options->all_states && !fg_str_starts(state, FG_STR("RUNNABLE")))
		j->counts = false;
}

/* Where the name's last '"' is: before a field of the header, or at its end. */
static size_t name_end(struct fg_str line)
{
	static const struct fg_str fields[] = {
		FG_STR_INIT(" #"),	  FG_STR_INIT(" ["),	FG_STR_INIT(" daemon"),
		FG_STR_INIT(" prio="),	  FG_STR_INIT(" tid="), FG_STR_INIT(" nid="),
		FG_STR_INIT(" os_prio="),
	};

	size_t end = 1 + fg_str_find_char(fg_str_from_pos(line, 1), '"'), at = end;

	while (at < line.len) {
		struct fg_str rest = fg_str_from_pos(line, at + 1);

		if (!rest.len || fg_str_starts_any(rest, fields, FG_COUNT_OF(fields)))
			end = at;
		at += 1 + fg_str_find_char(rest, '"');
	}
	return end;
}

/* `"NAME" #30 ...`; but `"NAME":` begins a part of the report on deadlocks. */
static bool read_header(struct jstack *j, struct fg_str line)
{
	size_t end;

	if (!fg_str_starts(line, FG_STR("\"")))
		return false;
	end = name_end(line);
	if (end >= line.len ||
	    fg_str_eq(fg_str_trim_right(fg_str_from_pos(line, end + 1)), FG_STR(":")))
		return false;
	start_thread(j, fg_str_of(line.ptr + 1, end - 1));
	return true;
}

static bool is_dump_header(struct fg_str line)
{
	size_t digits = fg_str_span(fg_str_from_pos(line, 1), fg_is_digit);

	return digits && line.ptr[0] == '#' &&
	       fg_str_starts(fg_str_from_pos(line, digits + 1), FG_STR(" \""));
}

/* `#30 "NAME" virtual RUNNABLE 2026-11-22T04:51:14Z`; JDK 21 has no state and time. */
static bool read_dump_header(struct jstack *j, struct fg_str line)
{
	struct fg_str name, rest;
	size_t quote, end;
	bool is_virtual;

	if (!is_dump_header(line))
		return false;
	quote = fg_str_find_char(line, '"') + 1;
	end = fg_str_rfind_char(line, '"');
	if (end < quote)
		return false;
	name = fg_str_of(line.ptr + quote, end - quote);
	rest = fg_str_trim(fg_str_from_pos(line, end + 1));
	is_virtual = fg_str_starts_part(rest, FG_STR("virtual"), ' ');
	if (is_virtual)
		fg_str_cut(&rest, ' ');
	if (!name.len)
		name = is_virtual ? FG_STR("virtual thread") : FG_STR("thread");
	start_thread(j, name);
	set_state(j, rest.len ? rest : FG_STR("RUNNABLE"));
	return true;
}

/* `Mounted virtual thread "NAME" #29`: it runs, and its carrier is done. */
static void start_mounted(struct jstack *j, struct fg_str rest)
{
	size_t end = fg_str_rfind_char(rest, '"');
	struct fg_str name = FG_STR("virtual thread");

	if (fg_str_starts(rest, FG_STR(" \"")) && end < rest.len && end > 2)
		name = fg_str_of(rest.ptr + 2, end - 2);
	start_thread(j, name);
	j->known = true;
}

/* ---- frames */

static void add_frame(struct jstack *j, struct fg_str text)
{
	bool is_leaf = !j->any_frame;

	j->any_frame = true;
	if (is_leaf && !j->options->all_states && jstack_is_wait(text))
		j->counts = false;
	if (!j->counts)
		return;
	fg_buf_clear(&j->frame);
	jstack_add_function(&j->frame, text, j->show);
	fg_sink_frame(j->sink, fg_buf_str(&j->frame));
}

/* ---- lines */

static const struct fg_str state_line = FG_STR_INIT("java.lang.Thread.State: ");

/* An indented line of a thread; what is not known says nothing of its stack. */
static void read_detail(struct jstack *j, struct fg_str line)
{
	if (fg_str_cut_start(&line, FG_STR("at ")))
		add_frame(j, line);
	else if (fg_str_cut_start(&line, state_line))
		set_state(j, line);
	else if (fg_str_cut_start(&line, FG_STR("Carrying virtual thread")))
		j->counts = false;
	else if (fg_str_cut_start(&line, FG_STR("Mounted virtual thread")))
		start_mounted(j, line);
}

static void read_line(void *state, struct fg_str line)
{
	struct jstack *j = state;
	struct fg_str text = fg_str_trim_left(line);

	if (!text.len) {
		if (j->any_frame)
			end_thread(j);
	} else if (fg_is_blank(line.ptr[0])) {
		if (j->open)
			read_detail(j, text);
	} else if (!read_header(j, line) && !read_dump_header(j, line)) {
		end_thread(j);
	}
}

static void end_input(void *state)
{
	end_thread(state);
}

/* ---- the format */

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	bool any_header = false;

	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');
		struct fg_str text = fg_str_trim_left(line);

		any_header |= is_dump_header(line);
		if (fg_str_starts(text, state_line) ||
		    fg_str_starts(line, FG_STR("Full thread dump ")) ||
		    (any_header && fg_str_starts(line, FG_STR("    at ")) &&
		     fg_str_has_char(line, '(')))
			return FG_PROBE_YES;
	}
	return any_header ? FG_PROBE_MAYBE : FG_PROBE_NO;
}

const struct fg_format fg_format_jstack = {
	.name = "jstack",
	.input = "the output of jstack",
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
	.rows = rows,
	.options_size = sizeof(struct options),
	.probe = probe,
	.open = open_jstack,
	.line = read_line,
	.end_input = end_input,
	.close = close_jstack,
};
