/*
 * Reads files of callgrind and cachegrind, which Xdebug, yappi, stackprof, rbspy and
 * pprof -callgrind write, too. See valgrind's manual, Callgrind Format Specification.
 *
 *     events: Ir Dr
 *     ob=(1) /bin/app
 *     fl=(1) a.c
 *     fn=(1) main
 *     16 20 3           line 16 of main itself: 20 Ir, 3 Dr
 *     cfn=(2) f         main calls f, which is "(2)" from here on
 *     calls=1 50        once; f is at line 50
 *     16 400 80         the call, with all calls further down: 400 Ir, 80 Dr
 *
 * Positions may be several numbers, +N, -N or *. We skip them.
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/formats/callgrind/state.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"

static const char *const unfold_choices[] = {
	[AUTO] = "auto",
	[CALLERS] = "callers",
	[GRAPH] = "graph",
	[FLAT] = "flat",
	NULL,
};

#define OPTIONS struct options
static const struct fg_opt rows[] = {
	SECTION("Call paths"),
	TEXT("unfold", unfold, "HOW",
	     "auto (default), callers, graph (an estimate) or flat"),
	TEXT("limit", limit, "PERCENT",
	     "with graph: do not split paths below this share (default 0.01)"),
	FLAG("dso", dso, "show functions as function@object"),
	FG_OPT_END,
};

/* ---- a profile */

static void start_profile(struct callgrind *c)
{
	callgrind_profile_init(&c->profile);
	for (size_t i = 0; i < TABLES; i++)
		fg_intern_init(&c->tables[i].numbers);
	c->any = c->has_function = c->has_object = c->has_file = c->has_totals = false;
	c->creator = OTHER;
	c->positions = 1;
	c->column = 0;
	c->factor = 1;
	c->place.object = c->place.file = fg_intern(&c->profile.names, FG_STR(""));
	c->callee_name = c->place.object;
	c->callee_place = c->place;
	c->expect = COSTS;
	c->file_sum = (struct fg_sum){ 0, 0 };
}

static void release_profile(struct callgrind *c)
{
	callgrind_profile_release(&c->profile);
	for (size_t i = 0; i < TABLES; i++)
		fg_intern_release(&c->tables[i].numbers);
}

static void *open_callgrind(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct callgrind *c = fg_xcalloc(1, sizeof(*c));

	c->sink = sink;
	c->options = run->own;
	c->weight = run->samples.weight;
	c->lines = run->samples.srcline;
	callgrind_paths_init(&c->paths, fg_sink_names(sink));
	start_profile(c);
	return c;
}

static void close_callgrind(void *state)
{
	struct callgrind *c = state;

	release_profile(c);
	callgrind_paths_release(&c->paths);
	for (size_t i = 0; i < TABLES; i++)
		free(c->tables[i].names);
	free(c->events);
	fg_buf_release(&c->event_line);
	fg_buf_release(&c->event);
	free(c);
}

/*
 * Compares the sum that the file states with ours. Reports a difference: with a warning
 * if it is more than 1 %, else with a note.
 */
static void compare_sums(const struct callgrind *c)
{
	const struct fg_place at = { fg_sink_at(c->sink)->input, 0 };
	struct fg_sum stated = fg_sum_mul(c->file_sum, c->factor);
	struct fg_sum sum = { 0, 0 }, more, less;
	struct fg_buf text = FG_BUF_INIT;

	for (size_t i = 0; i < c->profile.function_index.count; i++)
		fg_sum_add_sum(&sum, c->profile.functions[i].own);
	more = fg_sum_less(sum, stated);
	less = fg_sum_less(stated, sum);
	fg_sum_add_sum(&more, less); /* one of the two is 0 */
	if (fg_sum_is_zero(stated) || fg_sum_is_zero(more))
		return;
	fg_buf_add_sum(&text, sum, 0);
	fg_buf_addf(&text, ", but the file states a total of ");
	fg_buf_add_sum(&text, stated, 0);
	(fg_sum_is_zero(fg_sum_less(stated, fg_sum_mul(more, 100))) ?
		 fg_warn :
		 fg_note)(fg_sink_diag(c->sink), &at, "all functions together cost %s",
			  fg_buf_cstr(&text));
	fg_buf_release(&text);
}

static const char estimate[] =
	"call paths are an estimate: callgrind --separate-callers=20 records real "
	"ones, --unfold flat shows none";

static void unfold(struct callgrind *c)
{
	const struct fg_place at = { fg_sink_at(c->sink)->input, 0 };
	enum unfold how = c->options->how;
	const char *fault;

	if (how == AUTO)
		how = c->profile.has_callers	  ? CALLERS :
		      c->profile.call_index.count ? GRAPH :
						    FLAT;
	if (how == FLAT) {
		callgrind_profile_unfold_flat(&c->profile, &c->paths);
	} else if (how == CALLERS) {
		callgrind_profile_unfold_callers(&c->profile, c->sink, &c->paths);
	} else {
		fault = callgrind_profile_unfold_graph(&c->profile, c->sink,
						       c->options->least, &c->paths);
		if (fault)
			fg_sink_set_fault(c->sink, fault);
		else
			fg_warn(fg_sink_diag(c->sink), &at, "%s", estimate);
	}
}

/* The message if there are costs but no stacks. */
static const char no_costs[] = "all costs of that event are 0: --weight list prints "
			       "the other events";

static void end_profile(struct callgrind *c)
{
	const struct callgrind_shown shown = {
		c->options->dso,
		c->lines,
		c->creator == CALLGRIND,
		c->factor,
	};

	if (c->any && !c->failed) {
		fg_sink_set_cause(c->sink, c->any_costs ? no_costs : NULL);
		callgrind_profile_complete(&c->profile, c->sink, shown);
		compare_sums(c);
		unfold(c);
	}
	release_profile(c);
	callgrind_paths_write(&c->paths, c->sink);
	start_profile(c);
}

/* ---- lines */

static bool is_position(char first)
{
	return fg_is_digit(first) || first == '+' || first == '-' || first == '*';
}

/* Reads "key: value" or "key=value". Returns false if the line is malformed. */
static bool read_entry(struct callgrind *c, struct fg_str line)
{
	size_t letters = fg_str_span(line, fg_is_alpha);
	struct fg_str key = fg_str_before(line, letters);
	struct fg_str value = fg_str_trim(fg_str_from_pos(line, letters + 1));
	bool had_calls = c->expect == CALL_COSTS, known;

	if (!letters || letters == line.len)
		return false;
	if (line.ptr[letters] == ':') {
		if (fg_str_eq(key, FG_STR("version")))
			end_profile(c);
		else
			callgrind_read_header(c, key, value);
		return true;
	}
	if (line.ptr[letters] != '=')
		return false;
	c->expect = COSTS;
	known = callgrind_read_assignment(c, key, value);
	c->any = c->any || known;
	return known && !had_calls; /* "calls=" must be followed by costs */
}

static void read_line(void *state, struct fg_str line)
{
	struct callgrind *c = state;
	bool is_costs, good;

	line = fg_str_trim(line);
	if (!line.len || line.ptr[0] == '#' || c->failed)
		return;
	is_costs = is_position(line.ptr[0]);
	good = is_costs ? callgrind_read_costs(c, line) : read_entry(c, line);
	c->any_costs |= is_costs && good;
	if (!good)
		fg_sink_malformed(c->sink, line);
}

static void end_input(void *state)
{
	struct callgrind *c = state;

	if (c->expect != COSTS)
		fg_sink_warn_cut(c->sink, "the last call has no costs");
	else if (c->creator == YAPPI)
		/* yappi writes no line feed at the end */
		fg_sink_set_unended(c->sink, false);
	end_profile(c);
}

/* ---- the format */

static int check(struct fg_collapse *run, struct fg_diag *diag)
{
	static const struct fg_count least = { 1, 2 };
	struct options *o = run->own;
	int how = o->unfold ? fg_opt_choose(unfold_choices, o->unfold, "unfold", diag) :
			      AUTO;

	if (how < 0)
		return -1;
	if (run->samples.lines)
		return fg_error(diag, NULL,
				"--lines does not work here: the cost of a function "
				"would be divided among its lines, and the profile "
				"does not say which of them was called from where");
	o->how = (enum unfold)how;
	o->least = least;
	if (o->limit && (fg_count_parse(fg_str_from(o->limit), &o->least) ||
			 o->least.digits > 100 * fg_pow10(o->least.decimals)))
		return fg_error(diag, NULL, "--limit takes a percentage from 0 to 100");
	return 0;
}

const struct fg_format fg_format_callgrind = {
	.kind = &fg_kind_callgrind,
	.summary =
		"Reads what callgrind, cachegrind, Xdebug and others write in their\n"
		"format, and writes folded stacks.",
	.footer = "Example:\n"
		  "  valgrind --tool=callgrind --separate-callers=20 ./app\n"
		  "  collapse-callgrind callgrind.out.* | flamegraph > flame.svg",
	.hints = { .empty = "did valgrind fail? With --separate-threads one file of "
			    "several is empty",
		   .not_found = "no costs were found: is this a file of callgrind?" },
	.has_values = true,
	.rows = rows,
	.options_size = sizeof(struct options),
	.check = check,
	.open = open_callgrind,
	.line = read_line,
	.end_input = end_input,
	.close = close_callgrind,
};
