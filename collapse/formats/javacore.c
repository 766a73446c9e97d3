/*
 * Reads javacores, the dumps of OpenJ9 and of IBM's older virtual machines; see
 * writeThread() and writeFrame() in OpenJ9's runtime/rasdump/javadump.cpp.
 *
 *     3XMTHREADINFO      "pool-1-thread-7" J9VMThread:0x1AF00, ..., state:R, prio=5
 *     3XMTHREADINFO1            (native thread ID:0x71C, ..., vmstate:CW, ...)
 *     3XMTHREADINFO3           Java callstack:
 *     4XESTACKTRACE                at app/Service.compute(Service.java:42)
 *     5XESTACKTRACE                   (entered lock: app/Service@0xE1A8, ...)
 *     4XESTACKTRACE                at app/Service.run(Service.java:12(Compiled Code))
 *     3XMTHREADINFO3           Native callstack:
 *     4XENATIVESTACK               (0x00007F81A2C3 [libj9prt29.so+0x5dcd2])
 *
 * The tag at the start of each line says what it is. "state" is the state of the Java
 * thread. "vmstate" is what the virtual machine was doing with it, mostly waiting for
 * the end of the dump. Native stacks are those of the dump's own signal handler, too,
 * so we read only Java stacks.
 */
#include <stdlib.h>

#include "collapse/javathread.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

struct javacore {
	struct fg_sink *sink;
	struct fg_java_thread thread;
	bool has_state; /* a line has told the state of the thread */
	bool is_halted; /* the state is CW, which may mean waiting for the dump */

	/* the dump */
	struct fg_buf current; /* name and address of the thread that caused the dump */
	bool after_current; /* the next thread is that one */
	bool in_threads; /* in the section of the threads */
};

/* ---- threads */

/* Takes a thread that is halted for running, unless its first function waits. */
static void end_thread(struct javacore *j)
{
	if (j->thread.open && j->is_halted)
		fg_java_thread_runs(&j->thread);
	fg_java_thread_end(&j->thread);
	j->is_halted = false;
}

/*
 * Sets the state, "R" or "CW". Older virtual machines have no "vmstate". They call
 * threads CW that wait, and those that are only halted for the dump.
 */
static void set_state(struct javacore *j, struct fg_str state)
{
	j->has_state = true;
	if (fg_str_eq(state, FG_STR("R")))
		fg_java_thread_runs(&j->thread);
	else if (fg_str_eq(state, FG_STR("CW")))
		j->is_halted = true;
	else
		fg_java_thread_waits(&j->thread);
}

/* Returns the part of a line after a field's name, "state:". Its name is a word. */
static struct fg_str find_field(struct fg_str line, struct fg_str name)
{
	size_t at = fg_str_find(line, name);

	if (at == line.len || (at && fg_is_alpha(line.ptr[at - 1])))
		return FG_STR("");
	return fg_str_from_pos(line, at + name.len);
}

/* Reads "state:CW," or "state:CW)" in a header, which may be wrapped. */
static void read_state(struct javacore *j, struct fg_str line)
{
	struct fg_str state = find_field(line, FG_STR("state:"));
	size_t letters = fg_str_span(state, fg_is_alpha);

	if (letters && !j->has_state)
		set_state(j, fg_str_before(state, letters));
}

/* With "vmstate", the state is that of the Java thread, so CW means that it waits. */
static void read_vm_state(struct javacore *j, struct fg_str line)
{
	if (j->is_halted && find_field(line, FG_STR("vmstate:")).len) {
		j->is_halted = false;
		fg_java_thread_waits(&j->thread);
	}
}

/*
 * Returns true if the dump has listed this thread before, as the one that caused it.
 * Older virtual machines list it again among all threads.
 */
static bool is_again(struct javacore *j, struct fg_str header)
{
	if (!j->after_current)
		return j->current.len && fg_str_eq(fg_buf_str(&j->current), header);
	fg_buf_add_str(&j->current, header);
	j->after_current = false;
	return false;
}

/* Cuts the name in quotes off a header; it may have quotes itself. */
static bool cut_name(struct fg_str *header, struct fg_str *name)
{
	size_t end = fg_str_rfind_char(*header, '"');

	if (!fg_str_starts(*header, FG_STR("\"")) || !end)
		return false;
	*name = fg_str_of(header->ptr + 1, end - 1);
	*header = fg_str_from_pos(*header, end + 1);
	return true;
}

/* Starts a thread: `"NAME" J9VMThread:0x1AF00, ...` or `"NAME" (TID:0x1AF00, ...`. */
static bool start_thread(struct javacore *j, struct fg_str *header)
{
	struct fg_str name;

	end_thread(j);
	j->has_state = false;
	if (!cut_name(header, &name))
		return false;
	fg_java_thread_start(&j->thread, name.len ? name : FG_STR("virtual thread"));
	j->thread.slashes = true;
	return true;
}

/* Reads a header. An "Anonymous native thread" has no stack in Java. */
static void read_header(struct javacore *j, struct fg_str header, struct fg_str line)
{
	struct fg_str fields = header;

	if (start_thread(j, &fields)) {
		if (is_again(j, header))
			fg_java_thread_leave_out(&j->thread);
		read_state(j, fields);
	} else if (!fg_str_starts(header, FG_STR("Anonymous native thread"))) {
		fg_sink_malformed(j->sink, line);
	}
}

/*
 * Reads the header of an unmounted virtual thread, which waits, or its second line,
 * "Type: Carrier, ...". The dump lists the virtual thread on that carrier elsewhere.
 */
static void read_virtual(struct javacore *j, struct fg_str text, struct fg_str line)
{
	if (fg_str_starts(text, FG_STR("Type: Carrier")))
		fg_java_thread_leave_out(&j->thread);
	else if (fg_str_starts(text, FG_STR("Type: ")))
		fg_java_thread_waits(&j->thread);
	else if (!start_thread(j, &text))
		fg_sink_malformed(j->sink, line);
}

/* ---- lines */

/* Adds "at app/Service.run(Service.java:12(Compiled Code))". */
static void read_frame(struct javacore *j, struct fg_str text, struct fg_str line)
{
	if (!j->thread.open || !fg_str_cut_start(&text, FG_STR("at "))) {
		fg_sink_malformed(j->sink, line);
		return;
	}
	text = fg_str_before(text, fg_str_find(text, FG_STR("(Compiled Code)")));
	text = fg_str_before(text, fg_str_find(text, FG_STR("(Bytecode PC:")));
	fg_java_thread_add(&j->thread, fg_str_trim(text));
}

static void read_section(struct javacore *j, struct fg_str text)
{
	end_thread(j);
	j->in_threads = fg_str_starts(text, FG_STR("THREADS ")) ||
			fg_str_starts(text, FG_STR("XM "));
	j->after_current = false;
	fg_buf_clear(&j->current);
}

/* Reads the line that starts with `tag`, which is followed by `text`. */
static void read_tagged(struct javacore *j, struct fg_str tag, struct fg_str text,
			struct fg_str line)
{
	if (fg_str_eq(tag, FG_STR("4XESTACKTRACE"))) {
		read_frame(j, text, line);
	} else if (fg_str_eq(tag, FG_STR("3XMTHREADINFO"))) {
		read_header(j, text, line);
	} else if (fg_str_eq(tag, FG_STR("3XMTHREADINFO1"))) {
		read_vm_state(j, text);
	} else if (fg_str_starts(tag, FG_STR("3XMVTHDINFO"))) {
		read_virtual(j, text, line);
	} else if (fg_str_eq(tag, FG_STR("4XESTACKERR")) && j->thread.open) {
		fg_java_thread_add(&j->thread, FG_STR("[truncated]"));
		j->thread.truncated = true;
	} else if (fg_str_eq(tag, FG_STR("1XMCURTHDINFO"))) {
		j->after_current = true;
	} else if (fg_str_eq(tag, FG_STR("0SECTION"))) {
		read_section(j, text);
	} else if (fg_str_eq(tag, FG_STR("NULL")) &&
		   fg_str_starts(text, FG_STR("--------------------"))) {
		end_thread(j);
		j->in_threads = false;
	}
}

static void read_line(void *state, struct fg_str line)
{
	struct javacore *j = state;
	struct fg_str text = javacore_skip_quote(fg_utf8_skip_mark(line));
	size_t tag = fg_str_span(text, fg_is_word);

	if (tag && (fg_is_digit(text.ptr[0]) || text.ptr[0] == 'N'))
		read_tagged(j, fg_str_before(text, tag),
			    fg_str_trim(fg_str_from_pos(text, tag)), line);
	else if (j->thread.open)
		read_state(j, text); /* the rest of a header that was wrapped */
}

static void end_input(void *state)
{
	struct javacore *j = state;

	if (j->in_threads)
		fg_sink_warn_cut(j->sink, "it ends within the threads");
	read_section(j, FG_STR(""));
}

/* ---- the format */

static void *open_javacore(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct javacore *j = fg_xcalloc(1, sizeof(*j));

	j->sink = sink;
	fg_java_thread_init(&j->thread, sink, run);
	return j;
}

static void close_javacore(void *state)
{
	struct javacore *j = state;

	fg_java_thread_release(&j->thread);
	fg_buf_release(&j->current);
	free(j);
}

const struct fg_format fg_format_javacore = {
	.kind = &fg_kind_javacore,
	.summary =
		"Reads javacores, one or many, as OpenJ9 and IBM's Java write them,\n"
		"and writes folded stacks of the threads that were running.",
	.footer = "Example: collapse-javacore javacore.*.txt | flamegraph > flame.svg",
	.hints = { .empty = "did Java fail to write the dump?",
		   .not_found = "no thread with a stack was found: is this a javacore?",
		   .left_out = "no thread was running: --all-states counts those that "
			       "wait" },
	.rows = fg_java_rows,
	.options_size = sizeof(struct fg_java_options),
	.open = open_javacore,
	.line = read_line,
	.end_input = end_input,
	.close = close_javacore,
};
