/* Counts the threads of a dump that a Java virtual machine prints. */
#include "collapse/javathread.h"

#include "collapse/java.h"
#include "lib/base/optrows.h"

#define OPTIONS struct fg_java_options

const struct fg_opt fg_java_rows[] = {
	SECTION("Threads"),
	FLAG("all-states", all_states,
	     "count all threads, not only those that are running"),
	SET("include-tname", no_tname, false,
	    "the thread's name as root frame (default)", .older = true),
	SET("no-include-tname", no_tname, true, "no root frame", .older = true),
	SET("include-tid", tid, true, "keep the number at the end of the thread's name",
	    .older = true),
	SET("no-include-tid", tid, false,
	    "show pool-1-thread-7 as pool-1-thread (default)", .older = true),

	SECTION("Frames"),
	SET("shorten-pkgs", shorten, true,
	    "show the first letters of packages: j.n.Socket.read", .older = true),
	SET("no-shorten-pkgs", shorten, false, "show packages as they are (default)",
	    .older = true),
	SET("lines", lines, true, "functions with file and line: NAME:FILE:LINE"),
	SET("no-lines", lines, false, "one frame for a function (default)"),

	/* Getopt::Long also accepts these negations */
	SET("noinclude-tname", no_tname, true, NULL),
	SET("noinclude-tid", tid, false, NULL),
	SET("noshorten-pkgs", shorten, false, NULL),
	FG_OPT_END,
};

void fg_java_thread_init(struct fg_java_thread *t, struct fg_sink *sink,
			 const struct fg_collapse *run)
{
	const struct fg_java_options *o = run->own;

	*t = (struct fg_java_thread){
		.sink = sink,
		.options = o,
		.show = (o->shorten ? FG_JAVA_SHORT : 0) |
			(o->lines ? FG_JAVA_LINES : 0),
	};
}

void fg_java_thread_release(struct fg_java_thread *t)
{
	fg_buf_release(&t->name);
	fg_buf_release(&t->text);
	fg_buf_release(&t->frame);
}

void fg_java_thread_start(struct fg_java_thread *t, struct fg_str name)
{
	fg_java_thread_end(t);
	fg_buf_clear(&t->name);
	fg_buf_add_str(&t->name, name);
	t->open = true;
	t->running = t->options->all_states;
	t->counts = t->options->all_states || !fg_java_is_vm_thread(name);
	t->any_frame = t->after_leaf = t->numbered = false;
	t->truncated = t->slashes = false;
}

void fg_java_thread_runs(struct fg_java_thread *t)
{
	t->running = true;
}

void fg_java_thread_waits(struct fg_java_thread *t)
{
	t->counts &= t->options->all_states;
}

void fg_java_thread_leave_out(struct fg_java_thread *t)
{
	t->counts = false;
}

/* ---- frames */

/*
 * Returns "java/lang/Object.wait(Native Method)" with dots, like others print it. Keeps
 * the '/' before the number of a hidden class: "a/b/X$$Lambda/0x0ff1.run".
 */
static struct fg_str with_dots(struct fg_java_thread *t, struct fg_str text)
{
	struct fg_str function = fg_str_before(text, fg_str_find_char(text, '('));
	size_t number = fg_java_hidden_number(function);

	fg_buf_clear(&t->text);
	fg_buf_add_str(&t->text, text);
	for (size_t i = 0; i < function.len; i++)
		if (t->text.ptr[i] == '/' && i != number)
			t->text.ptr[i] = '.';
	return fg_buf_str(&t->text);
}

void fg_java_thread_add(struct fg_java_thread *t, struct fg_str text)
{
	bool is_leaf = !t->any_frame;

	if (t->slashes)
		text = with_dots(t, text);
	if (!t->options->all_states && ((is_leaf && fg_java_is_wait(text)) ||
					(t->after_leaf && fg_java_waits_below(text))))
		t->counts = false;
	t->any_frame = true;
	t->after_leaf = is_leaf;
	if (!t->counts)
		return;
	fg_buf_clear(&t->frame);
	fg_java_add_function(&t->frame, text, t->show);
	fg_sink_frame(t->sink, fg_buf_str(&t->frame));
}

/* ---- the end of a thread */

/*
 * Returns the name without the number at its end: "pool-1-thread" for
 * "pool-1-thread-7", "WebContainer" for "WebContainer : 7".
 */
static struct fg_str cut_number(struct fg_str name)
{
	size_t digits = fg_str_end_span(name, fg_is_digit);
	struct fg_str rest = fg_str_before(name, name.len - digits);

	if (!digits || !(fg_str_cut_end(&rest, FG_STR(" : ")) ||
			 fg_str_cut_end(&rest, FG_STR("-"))))
		return name;
	return rest.len ? rest : name;
}

static void add_root(struct fg_java_thread *t)
{
	struct fg_str name = fg_buf_str(&t->name);

	if (t->options->no_tname)
		return;
	if (!t->options->tid && t->numbered)
		name = fg_str_before(name, fg_str_find_char(name, ' '));
	else if (!t->options->tid)
		name = cut_number(name);
	fg_sink_root(t->sink, name);
}

void fg_java_thread_end(struct fg_java_thread *t)
{
	if (t->open && t->any_frame && t->counts && t->running) {
		add_root(t);
		fg_sink_tally(t->sink)->truncated += t->truncated;
		fg_sink_add(t->sink, 1);
	} else if (t->open && t->any_frame) {
		fg_sink_skip(t->sink, FG_SKIP_LEFT_OUT, 1);
	}
	fg_sink_clear(t->sink);
	t->open = false;
}
