/*
 * Recognises jstack and similar dumps of threads, and reads the header of a thread.
 *
 *     Full thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode):
 *
 *     "worker" #30 daemon prio=5 tid=0x7f4c nid=0x51 runnable [0x7f4c]
 *        java.lang.Thread.State: RUNNABLE
 *             at app.Main.work(Main.java:3)
 */
#include "lib/recognize/jstack.h"

#include "lib/base/line_prefix.h"
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

enum jstack_state jstack_header_state(struct fg_str state)
{
	return fg_str_starts(state, FG_STR("RUNNABLE")) ? JSTACK_RUNS : JSTACK_WAITS;
}

/* ---- HotSpot and others */

/*
 * Returns true if `rest`, which comes after a '"', is empty or starts with a field of a
 * header. Then the '"' ends the name.
 */
static bool starts_fields(struct fg_str rest)
{
	static const struct fg_str fields[] = {
		FG_STR_INIT(" ["),	 FG_STR_INIT(" daemon"),
		FG_STR_INIT(" prio="),	 FG_STR_INIT(" tid="),
		FG_STR_INIT(" nid="),	 FG_STR_INIT(" os_prio="),
		FG_STR_INIT(" virtual"), FG_STR_INIT(" cpu="),
		FG_STR_INIT(" id="),	 FG_STR_INIT(" Id="),
	};
	struct fg_str number = rest;

	if (fg_str_cut_start(&number, FG_STR(" #")))
		return number.len && fg_is_digit(number.ptr[0]);
	return !rest.len || fg_str_starts_any(rest, fields, FG_COUNT_OF(fields));
}

/*
 * Returns the offset of the '"' that ends the name. A name may contain quotes, so it is
 * the last one before a field. We do not search beyond ` user="`, because SAP quotes
 * the user, too.
 */
static size_t name_end(struct fg_str line)
{
	size_t end = 1 + fg_str_find_char(fg_str_from_pos(line, 1), '"'), at = end;
	size_t stop = fg_str_find(line, FG_STR(" user=\""));

	while (at < stop) {
		struct fg_str rest = fg_str_from_pos(line, at + 1);

		if (starts_fields(rest))
			end = at;
		at += 1 + fg_str_find_char(rest, '"');
	}
	return end;
}

/* Returns true if `text` has `word` before a blank, a comma, '[' or the end. */
static bool has_word(struct fg_str text, struct fg_str word)
{
	struct fg_str rest = fg_str_from_pos(text, fg_str_find(text, word) + word.len);

	return fg_str_has(text, word) &&
	       (!rest.len || fg_str_has_char(FG_STR(" ,["), rest.ptr[0]));
}

/* Reads JRockit's "alive, in native, waiting". */
static void read_alive(struct fg_str fields, struct jstack_header *h)
{
	static const struct fg_str waits[] = {
		FG_STR_INIT(", waiting"),   FG_STR_INIT(", parked"),
		FG_STR_INIT(", sleeping"),  FG_STR_INIT(", blocked"),
		FG_STR_INIT(", suspended"),
	};

	h->slashes = true;
	h->state = JSTACK_RUNS;
	for (size_t i = 0; i < FG_COUNT_OF(waits); i++)
		if (has_word(fields, waits[i]))
			h->state = JSTACK_WAITS;
}

/*
 * Returns true for "Id=7 RUNNABLE", "id=7 in RUNNABLE" and "id=7 state=RUNNABLE", which
 * programs print with ThreadMXBean.
 */
static bool runs_in_bean(struct fg_str fields)
{
	return (fg_str_has(fields, FG_STR(" Id=")) ||
		fg_str_has(fields, FG_STR(" id="))) &&
	       (has_word(fields, FG_STR(" RUNNABLE")) ||
		has_word(fields, FG_STR(" state=RUNNABLE")));
}

/*
 * Returns true for Android's "prio=5 tid=1 Runnable"; older versions have "RUNNABLE".
 */
static bool runs_in_android(struct fg_str fields)
{
	return fg_str_has(fields, FG_STR(" tid=")) &&
	       (has_word(fields, FG_STR(" Runnable")) ||
		has_word(fields, FG_STR(" RUNNABLE")));
}

/* Reads `"NAME" #30 ...`, but not `"NAME":`, which a report on deadlocks has. */
static bool read_quoted(struct fg_str line, struct jstack_header *h)
{
	struct fg_str fields;
	size_t end;

	if (!fg_str_starts(line, FG_STR("\"")))
		return false;
	end = name_end(line);
	fields = fg_str_trim_right(fg_str_from_pos(line, end + 1));
	if (end >= line.len || fg_str_eq(fields, FG_STR(":")))
		return false;
	h->name = fg_str_of(line.ptr + 1, end - 1);
	if (fg_str_has(fields, FG_STR(" idx=")) && has_word(fields, FG_STR(" alive")))
		read_alive(fields, h);
	else if (has_word(fields, FG_STR(" runnable")) || runs_in_bean(fields) ||
		 runs_in_android(fields))
		h->state = JSTACK_RUNS;
	return true;
}

/* ---- Thread.dump_to_file */

static bool is_numbered(struct fg_str line)
{
	size_t digits = fg_str_span(fg_str_from_pos(line, 1), fg_is_digit);

	return digits && line.ptr[0] == '#' &&
	       fg_str_starts(fg_str_from_pos(line, digits + 1), FG_STR(" \""));
}

/*
 * Reads `#30 "NAME" virtual ...`. All threads of JDK 21 count as running, because it
 * does not print their state.
 */
static bool read_numbered(struct fg_str line, struct jstack_header *h)
{
	struct fg_str rest;
	size_t quote, end;
	bool is_virtual;

	if (!is_numbered(line))
		return false;
	quote = fg_str_find_char(line, '"') + 1;
	end = fg_str_rfind_char(line, '"');
	if (end < quote)
		return false;
	h->name = fg_str_of(line.ptr + quote, end - quote);
	rest = fg_str_trim(fg_str_from_pos(line, end + 1));
	is_virtual = fg_str_starts_part(rest, FG_STR("virtual"), ' ');
	if (is_virtual)
		fg_str_cut(&rest, ' ');
	if (!h->name.len)
		h->name = is_virtual ? FG_STR("virtual thread") : FG_STR("thread");
	h->state = rest.len ? jstack_header_state(rest) : JSTACK_RUNS;
	h->bare_frames = true;
	return true;
}

/* ---- jstack -F */

/*
 * Reads "Thread 2113: (state = IN_NATIVE)". The state BLOCKED stands for every kind of
 * waiting.
 */
static bool read_attached(struct fg_str line, struct jstack_header *h)
{
	static const struct fg_str running[] = {
		FG_STR_INIT("IN_JAVA"),
		FG_STR_INIT("IN_NATIVE"),
		FG_STR_INIT("IN_VM"),
	};
	struct fg_str rest = line;

	if (!fg_str_cut_start(&rest, FG_STR("Thread ")))
		return false;
	fg_str_cut_start(&rest, FG_STR("t@"));
	rest = fg_str_from_pos(rest, fg_str_span(rest, fg_is_digit));
	h->name = fg_str_before(line, line.len - rest.len);
	if (!fg_str_cut_start(&rest, FG_STR(": (state = ")))
		return false;
	h->numbered = true;
	h->state = fg_str_starts_any(rest, running, FG_COUNT_OF(running)) ?
			   JSTACK_RUNS :
			   JSTACK_WAITS;
	return true;
}

/* ---- any header */

bool jstack_header_read(struct fg_str line, struct jstack_header *h)
{
	*h = (struct jstack_header){ .state = JSTACK_UNKNOWN };
	return read_quoted(line, h) || read_numbered(line, h) || read_attached(line, h);
}

static bool is_header_at(struct fg_str line, size_t at)
{
	struct jstack_header h;

	return at && at < line.len && jstack_header_read(fg_str_from_pos(line, at), &h);
}

size_t jstack_header_find(struct fg_str line)
{
	size_t at = fg_str_find_char(line, '"');
	struct fg_str rest = fg_str_from_pos(line, at);

	if (is_header_at(line, at) &&
	    (fg_str_has(rest, FG_STR(" prio=")) || fg_str_has(rest, FG_STR(" tid="))))
		return at;
	at = fg_str_find(line, FG_STR("Thread "));
	if (is_header_at(line, at))
		return at;
	at = fg_str_find_char(line, '#');
	rest = fg_str_trim(fg_str_before(line, at));
	if (is_header_at(line, at) && (!rest.len || fg_str_ends(rest, FG_STR(">"))))
		return at;
	return line.len;
}

/* ---- the probe */

/* Returns true if a line below the header of a thread is a frame. */
static bool is_frame_below(const struct jstack_header *h, struct fg_str line)
{
	struct fg_str text = fg_str_trim_left(line);

	if (!fg_str_has_char(text, '(') || text.len == line.len)
		return false;
	return fg_str_starts(text, FG_STR("at ")) ||
	       fg_str_has(text, FG_STR(" @bci=")) ||
	       (h->bare_frames && fg_str_starts(line, FG_STR("      ")));
}

/*
 * Returns false for a name in quotes without a field of jstack, because other texts
 * have such lines, too.
 */
static bool is_sure(struct fg_str line, const struct jstack_header *h)
{
	return line.ptr[0] != '"' || h->state == JSTACK_RUNS ||
	       fg_str_has(line, FG_STR(" tid="));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	struct fg_line_prefix prefix = { .words = 0 };
	struct jstack_header h, last = { .bare_frames = false };
	enum fg_probe found = FG_PROBE_NO;

	while (rest.len && found != FG_PROBE_YES) {
		struct fg_str line = fg_str_cut(&rest, '\n');
		size_t at = jstack_header_find(line);

		if (at < line.len)
			fg_line_prefix_set(&prefix, line, at);
		fg_line_prefix_cut(&prefix, &line);
		if (line.len && jstack_header_read(line, &h) && is_sure(line, &h)) {
			last = h;
			found = FG_PROBE_MAYBE;
		}
		if (fg_str_starts(fg_str_trim_left(line), FG_STR(JSTACK_STATE_LINE)) ||
		    fg_str_starts(line, FG_STR(JSTACK_VM_LINE)) ||
		    fg_str_starts(line, FG_STR("===== FULL THREAD DUMP =")) ||
		    (found == FG_PROBE_MAYBE && is_frame_below(&last, line)))
			found = FG_PROBE_YES;
	}
	fg_line_prefix_release(&prefix);
	return found;
}

const struct fg_kind fg_kind_jstack = {
	.name = "jstack",
	.input = "the output of jstack",
	.probe = probe,
};
