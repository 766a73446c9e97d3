/*
 * Reads the maps that bpftrace prints, if their key has kstack or ustack, as text or
 * JSON; see "Map Printing" and "Stack Modes" in its reference guide. JSON has a record
 * on each line, or is indented by jq.
 *
 *     @cpu[
 *         tcp_sendmsg+1
 *         entry_SYSCALL_64_after_hwframe+99
 *     ,
 *         __send+79
 *         main+20
 *     , curl]: 5
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/formats/bpftrace/key.h"
#include "collapse/collapse.h"
#include "lib/base/line_prefix.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

#define OPTIONS struct options
struct options {
	bool offsets;
	bool count;
	const char *map;
};

static const struct fg_opt rows[] = {
	SECTION("Maps"),
	TEXT("map", map, "NAME", "fold this map only (default: all)"),
	FLAG("count", count, "weigh stats() by their count, not by their total"),
	FLAG("offsets", offsets, "show functions with their offsets: main+20"),
	FG_OPT_END,
};

struct bpftrace {
	struct fg_sink *sink;
	struct bpftrace_key key;
	struct fg_line_prefix prefix;
	enum { BETWEEN, IN_KEY, IN_HISTOGRAM } stage;
	struct fg_place at; /* line at which the histogram starts */
	bool any_count; /* the histogram has a row */
	bool too_large; /* the sum of the histogram's rows overflows */
	struct bpftrace_value sum;
	struct bpftrace_record record; /* an open record of JSON on several lines */
};

static void called_as(struct fg_collapse *run, const char *name)
{
	struct options *o = run->own;

	o->offsets = !strcmp(name, "stackcollapse-bpftrace.pl");
}

static void *open_bpftrace(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct bpftrace *b = fg_xcalloc(1, sizeof(*b));
	const struct options *o = run->own;

	b->sink = sink;
	bpftrace_key_init(&b->key, sink);
	b->key.offsets = o->offsets;
	b->key.map = o->map;
	b->key.weight = o->count ? FG_STR("count ") : FG_STR("total ");
	return b;
}

static void close_bpftrace(void *state)
{
	struct bpftrace *b = state;

	bpftrace_key_release(&b->key);
	fg_line_prefix_release(&b->prefix);
	fg_buf_release(&b->record.text);
	free(b);
}

/* ---- text */

/* Reads the value of an entry: a number or "count N, average A, total T". */
static bool read_value(const struct bpftrace *b, struct fg_str text,
		       struct bpftrace_value *value)
{
	if (fg_str_starts(text, FG_STR("count "))) {
		text = fg_str_from_pos(text, fg_str_find(text, b->key.weight));
		text = fg_str_cut(&text, ',');
		text = fg_str_from_pos(text, b->key.weight.len);
	}
	return bpftrace_value_read(text, value);
}

static void read_key(struct bpftrace *b, struct fg_str line)
{
	struct fg_str text = line, value;
	bool is_frame = b->key.in_stack && line.len && fg_is_blank(line.ptr[0]);
	bool last = !is_frame && bpftrace_cut_value(&line, &value);
	struct bpftrace_value weight;

	bpftrace_key_line(&b->key, line, last);
	b->stage = last ? BETWEEN : IN_KEY;
	if (!last)
		return;
	if (!value.len) {
		b->stage = IN_HISTOGRAM;
		b->at = *fg_sink_at(b->sink);
		b->any_count = b->too_large = false;
		b->sum = (struct bpftrace_value){ 0, false };
	} else if (read_value(b, value, &weight)) {
		bpftrace_key_add(&b->key, weight);
	} else {
		fg_sink_malformed(b->sink, text);
	}
}

/* Reads "[2, 4)    3 |@@@    |", a row of a histogram. */
static bool read_bucket(struct bpftrace *b, struct fg_str line)
{
	struct fg_str bar = fg_str_trim_right(line), head = fg_str_cut(&bar, '|');
	uint64_t n;

	head = fg_str_trim_right(head);
	head = fg_str_from_pos(head, head.len - fg_str_end_span(head, fg_is_digit));
	if (!line.len || !strchr("[(<", line.ptr[0]) ||
	    !fg_str_ends(bar, FG_STR("|")) || fg_str_u64(head, &n))
		return false;
	b->too_large |= !bpftrace_add(&b->sum.amount, n);
	b->any_count = true;
	return true;
}

static void end_entry(struct bpftrace *b)
{
	if (b->stage == IN_KEY) {
		fg_sink_skip(b->sink, FG_SKIP_DROPPED, 1);
	} else if (b->stage == IN_HISTOGRAM && b->any_count && !b->too_large) {
		bpftrace_key_add(&b->key, b->sum);
	} else if (b->stage == IN_HISTOGRAM) {
		fg_sink_malformed_at(b->sink, b->at, FG_STR("]:"));
	}
	b->stage = BETWEEN;
	fg_sink_clear(b->sink);
}

/* Reads "Lost N events". */
static bool read_lost(struct fg_str line, uint64_t *lost)
{
	return fg_str_starts(line, FG_STR("Lost ")) &&
	       fg_str_cut_end(&line, FG_STR(" events")) &&
	       !fg_str_u64(fg_str_from_pos(line, 5), lost);
}

static void read_line(void *state, struct fg_str line)
{
	struct bpftrace *b = state;
	struct fg_str rest;
	uint64_t lost;
	size_t name;

	line = fg_line_skip_interrupt(line);
	name = b->stage == IN_KEY ? 0 : bpftrace_quote_length(line);

	if (name)
		fg_line_prefix_set(&b->prefix, line, name);
	fg_line_prefix_cut(&b->prefix, &line);
	name = bpftrace_map_length(line);
	rest = fg_str_from_pos(line, name);
	if (bpftrace_starts_key(line)) {
		end_entry(b);
		bpftrace_key_start(&b->key, fg_str_before(line, name));
		read_key(b, fg_str_from_pos(rest, 1));
		return;
	}
	if (b->stage == IN_KEY) {
		read_key(b, line);
		return;
	}
	if (bpftrace_record_line(&b->record, &b->key, line))
		return;
	if (b->stage == IN_HISTOGRAM && read_bucket(b, line))
		return;
	end_entry(b);
	if (name && fg_str_starts(rest, FG_STR(": ")))
		fg_sink_skip(b->sink, FG_SKIP_NO_STACK, 1);
	else if (fg_str_starts(line, FG_STR("{\"type\":")))
		bpftrace_json_line(&b->key, line);
	else if (read_lost(line, &lost))
		fg_sink_skip(b->sink, FG_SKIP_LOST, lost);
}

static void end_input(void *state)
{
	struct bpftrace *b = state;

	end_entry(b);
	if (b->record.text.len)
		fg_sink_skip(b->sink, FG_SKIP_DROPPED, 1);
	fg_buf_clear(&b->record.text);
	fg_buf_clear(&b->prefix.text);
}

/* ---- the format */

const struct fg_format fg_format_bpftrace = {
	.kind = &fg_kind_bpftrace,
	.summary =
		"Reads the maps with stacks that bpftrace prints, text or JSON, and\n"
		"writes folded stacks.",
	.footer = "Example:\n"
		  "  bpftrace -e 'profile:hz:99 { @[ustack, comm] = count(); }' |\n"
		  "    collapse-bpftrace | flamegraph > flame.svg",
	.hints = { .empty = "did bpftrace fail?",
		   .not_found = "no map with stacks was found: is this the output of "
				"bpftrace?",
		   .no_chain = "use kstack or ustack in the key of a map",
		   .left_out = "all stacks were left out by --map",
		   .lost = "give it larger buffers, such as "
			   "BPFTRACE_PERF_RB_PAGES=1024",
		   .shrunk = "their values add up to less than 0" },
	.rows = rows,
	.options_size = sizeof(struct options),
	.called_as = called_as,
	.open = open_bpftrace,
	.line = read_line,
	.end_input = end_input,
	.close = close_bpftrace,
};
