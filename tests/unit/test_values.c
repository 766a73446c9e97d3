/*
 * Tests of collapse/values: the value that is counted, owners of stacks, losses, units.
 */
#include <stdlib.h>

#include "collapse/values.h"
#include "lib/base/xalloc.h"
#include "tests/unit/support/collapse.h"
#include "tests/unit/support/support.h"

/*
 * A format of lines "THREAD FILE LINE COUNT TIME NAME", a stack of one frame each. The
 * thread "LONG" is named by LONG letters, and "LONGER" by one more from the same place.
 */
struct toy {
	struct fg_sink *sink;
	int chosen;
	struct fg_map long_texts;
};

#define LONG 2000
static char letters[LONG + 2]; /* 'x' */

static void close_toy(void *state)
{
	struct toy *t = state;

	fg_map_release(&t->long_texts);
	free(t);
}

static void *open_toy(struct fg_sink *sink, const struct fg_collapse *run)
{
	static const struct fg_value values[] = {
		{ FG_STR_INIT("count"), FG_STR_INIT("") },
		{ FG_STR_INIT("time"), FG_STR_INIT("ns") },
	};
	struct toy *t = fg_xcalloc(1, sizeof(*t));

	(void)run;
	memset(letters, 'x', LONG + 1);
	t->sink = sink;
	fg_sink_at(sink)->input = "toy";
	t->chosen = fg_sink_choose_value(sink, values, FG_COUNT_OF(values), 1);
	return t;
}

static struct fg_str label_of(const void *data, struct fg_str key)
{
	(void)data;
	return fg_str_eq(key, FG_STR("k")) ? FG_STR("v") : fg_str_of(NULL, 0);
}

static void read_line(struct toy *t, struct fg_str line)
{
	struct fg_owner owner = { .process = FG_STR("p"), .label = label_of };
	struct fg_str file, number;
	uint64_t at, values[2];

	owner.thread = fg_str_cut(&line, ' ');
	if (fg_str_starts(owner.thread, FG_STR("LONG"))) {
		owner.long_texts = &t->long_texts;
		owner.thread = fg_str_of(letters, LONG + (owner.thread.len > 4));
	}
	file = fg_str_cut(&line, ' ');
	if (!file.len || !fg_sink_wants_owner(t->sink, &owner))
		return;
	number = fg_str_cut(&line, ' ');
	if (fg_str_u64(number, &at))
		return;
	for (size_t i = 0; i < 2; i++) {
		number = fg_str_cut(&line, ' ');
		if (fg_str_u64(number, &values[i])) {
			fg_sink_lose_weight(t->sink, "odd values",
					    (struct fg_sum){ 7, 0 });
			return;
		}
	}
	fg_sink_add_owner(t->sink, &owner);
	fg_sink_frame_at(t->sink, line, file, at);
	fg_sink_add(t->sink, values[t->chosen]);
}

static int read_toy(void *state, struct fg_reader *reader, const struct fg_block *start)
{
	struct toy *t = state;
	struct fg_str bytes = start->bytes;

	(void)reader; /* the first block has everything */
	if (t->chosen < 0)
		return -1;
	while (bytes.len)
		read_line(t, fg_str_cut(&bytes, '\n'));
	return 0;
}

static enum fg_probe probe_toy(struct fg_str first_bytes)
{
	(void)first_bytes;
	return FG_PROBE_YES;
}

static const struct fg_kind toy_kind = {
	.name = "toy",
	.input = "a toy",
	.is_binary = true,
	.probe = probe_toy,
};

static const struct fg_format toy = {
	.kind = &toy_kind,
	.hints.not_found = "nothing",
	.has_values = true,
	.root = FG_ROOT_THREAD,
	.has_order = true,
	.open = open_toy,
	.read = read_toy,
	.close = close_toy,
};

static const char rows[] = "t1 /a/b.c 3 1 500 f\n"
			   "t2 b.c 0 2 600 Thread 7\n"
			   "t1 - 0 3 x g\n"
			   "t1 /a/b.c 3 1 400 f\n";

static void expect_of(const char *input, const char *arguments, const char *lines)
{
	struct collapsed result;

	collapse_format(&toy, fg_str_from(input), (struct collapse_how){ arguments, 0 },
			&result);
	assert_str_is(fg_buf_str(&result.out.buf), fg_str_from(lines));
	collapsed_release(&result);
}

static void expect(const char *arguments, const char *lines)
{
	expect_of(rows, arguments, lines);
}

static void one_value_is_counted(void **state)
{
	(void)state;
	expect("-q", "t1;f 900\nt2;Thread_7 600\n");
	expect("-q --weight count", "t1;f 2\nt2;Thread_7 2\n");
	expect("-q --weight list", "count\ntime ns (default)\n");
	expect("-q --weight size", "");
	expect("-q --header",
	       "# event: time\n# unit: ns\n# quality: stacks=3 malformed=1\n"
	       "t1;f 900\nt2;Thread_7 600\n");
	expect("-q --time-order", "t1;f 900\nt2;Thread_7 600\n");
	expect("-q --time-order --root none", "f 500\nThread_7 600\nf 400\n");
}

static void stacks_have_owners(void **state)
{
	(void)state;
	expect("-q --root none", "Thread_7 600\nf 900\n");
	expect("-q --root process --root thread", "p;t1;f 900\np;t2;Thread_7 600\n");
	expect("-q --root label:k --root label:l",
	       "k=v;l=?;Thread_7 600\nk=v;l=?;f 900\n");
	expect("-q --thread *2", "t2;Thread_7 600\n");
	expect("-q --thread none", "");
	expect("-q --srcline", "t1;f:b.c:3 900\nt2;Thread 7:b.c 600\n");
}

static void long_names_of_owners_are_told_apart(void **state)
{
	static const char long_rows[] = "LONG - 0 1 500 f\n"
					"LONGER - 0 1 30 f\n"
					"LONG - 0 1 400 g\n"
					"LONGER - 0 1 6 f\n";
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	fg_buf_addf(&b, "%.*s;f 500\n%.*s;g 400\n%s;f 36\n", LONG, letters, LONG,
		    letters, letters);
	expect_of(long_rows, "-q", fg_buf_cstr(&b));
	fg_buf_clear(&b);
	fg_buf_addf(&b, "--root none -q --thread %s", letters);
	expect_of(long_rows, fg_buf_cstr(&b), "f 36\n");
	fg_buf_release(&b);
}

static void losses_are_named(void **state)
{
	struct collapsed result;

	(void)state;
	collapse_format(&toy, fg_str_from(rows), (struct collapse_how){ "", 0 },
			&result);
	assert_int_equal(result.status, 0);
	assert_has(fg_buf_str(&result.caught.text), "odd values (1, 7 ns)\n");
	collapsed_release(&result);
	collapse_format(&toy, fg_str_from(rows), (struct collapse_how){ "--strict", 0 },
			&result);
	assert_int_not_equal(result.status, 0);
	collapsed_release(&result);
}

static void expect_scale(const char *unit, uint64_t factor, const char *name)
{
	struct fg_unit_scale scale = fg_unit_scale(fg_str_from(unit));

	assert_int_equal(scale.factor, factor);
	assert_str_is(scale.unit, fg_str_from(name));
}

static void units_are_ns_and_bytes(void **state)
{
	(void)state;
	expect_scale("nanoseconds", 1, "ns");
	expect_scale("Milliseconds", 1000000, "ns");
	expect_scale("s", 1000000000, "ns");
	expect_scale("kb", 1024, "bytes");
	expect_scale("bytes", 1, "bytes");
	expect_scale("bs", 1, "bs");
	expect_scale("objects", 1, "objects");
	expect_scale("", 1, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_value_is_counted),
		cmocka_unit_test(stacks_have_owners),
		cmocka_unit_test(long_names_of_owners_are_told_apart),
		cmocka_unit_test(losses_are_named),
		cmocka_unit_test(units_are_ns_and_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
