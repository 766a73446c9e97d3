/* Tests of collapse/counts: sums by stack, written in the byte order of their text. */
#include <stdlib.h>
#include <string.h>

#include "collapse/counts.h"
#include "lib/base/hash.h"
#include "tests/unit/support/support.h"

/* Names with bytes around ';', whose order changes with what follows them. */
static const struct fg_str names[] = {
	FG_STR_INIT("a"),  FG_STR_INIT("a-b"), FG_STR_INIT("a:b"), FG_STR_INIT("a<b"),
	FG_STR_INIT("ab"), FG_STR_INIT("a b"), FG_STR_INIT("a\0"), FG_STR_INIT("a\xff"),
	FG_STR_INIT(":"),  FG_STR_INIT("<"),   FG_STR_INIT("b"),   FG_STR_INIT("\x80"),
};

#define DEPTH_MAX 4
#define STACKS_MAX 400

/* The oracle: a simple table with the text of stacks, searched from start to end. */
struct oracle {
	struct fg_buf text[STACKS_MAX];
	uint64_t sum[STACKS_MAX];
	size_t count;
};

static struct oracle *oracle_new(void)
{
	struct oracle *o = calloc(1, sizeof(*o));

	assert_non_null(o);
	return o;
}

static void oracle_free(struct oracle *o)
{
	for (size_t i = 0; i < o->count; i++)
		fg_buf_release(&o->text[i]);
	free(o);
}

static void oracle_add(struct oracle *o, struct fg_str text, uint64_t n)
{
	size_t i = 0;

	while (i < o->count && !fg_str_eq(fg_buf_str(&o->text[i]), text))
		i++;
	if (i == o->count) {
		assert_true(i < STACKS_MAX);
		o->count++;
		fg_buf_add_str(&o->text[i], text);
	}
	o->sum[i] += n;
}

static int compare_texts(const void *a, const void *b)
{
	return fg_str_cmp(fg_buf_str(*(struct fg_buf *const *)a),
			  fg_buf_str(*(struct fg_buf *const *)b));
}

static void oracle_write(struct oracle *o, struct fg_buf *lines)
{
	struct fg_buf *order[STACKS_MAX];

	for (size_t i = 0; i < o->count; i++)
		order[i] = &o->text[i];
	qsort(order, o->count, sizeof(*order), compare_texts);
	for (size_t i = 0; i < o->count; i++) {
		fg_buf_add_str(lines, fg_buf_str(order[i]));
		fg_buf_addf(lines, " %llu\n",
			    (unsigned long long)o->sum[order[i] - o->text]);
	}
}

static void add(struct fg_counts *c, const uint32_t *ids, size_t depth, uint64_t n)
{
	fg_sum_add(&fg_counts_entry(c, ids, depth)->sum, n);
}

/* Adds a random stack and count to the table and to the oracle. */
static void add_random(struct random *random, struct fg_counts *c, struct fg_intern *t,
		       struct oracle *o)
{
	size_t depth = 1 + random_below(random, DEPTH_MAX);
	uint32_t ids[DEPTH_MAX];
	uint64_t n = random_below(random, 1000);
	struct fg_buf text = FG_BUF_INIT;

	for (size_t i = 0; i < depth; i++) {
		size_t kinds = i ? 3 : COUNT_OF(names);
		struct fg_str name = names[random_below(random, kinds)];

		ids[i] = fg_intern(t, name);
		if (i)
			fg_buf_add_char(&text, ';');
		fg_buf_add_str(&text, name);
	}
	add(c, ids, depth, n);
	oracle_add(o, fg_buf_str(&text), n);
	fg_buf_release(&text);
}

static void check_random(struct random *random)
{
	struct fg_counts_format format = { .style = FG_COUNTS_EXACT };
	struct oracle *oracle = oracle_new();
	struct fg_intern t;
	struct fg_counts c;
	struct fg_out out;
	struct fg_buf want = FG_BUF_INIT;

	fg_intern_init(&t);
	fg_counts_init(&c);
	fg_out_init_memory(&out);
	for (size_t n = random_below(random, 300); n > 0; n--)
		add_random(random, &c, &t, oracle);
	assert_int_equal(fg_counts_write(&c, &t, &format, &out), oracle->count);
	oracle_write(oracle, &want);
	assert_str_is(fg_buf_str(&out.buf), fg_buf_str(&want));
	fg_buf_release(&want);
	fg_out_close(&out);
	fg_counts_release(&c);
	fg_intern_release(&t);
	oracle_free(oracle);
}

static void test_random_stacks(void **state)
{
	struct random random = { 59 };

	(void)state;
	for (int i = 0; i < 300; i++)
		check_random(&random);
}

/* A table of few stacks by hand, and its lines. */
struct small {
	struct fg_intern names;
	struct fg_counts counts;
	struct fg_out out;
};

static void small_init(struct small *s)
{
	fg_intern_init(&s->names);
	fg_counts_init(&s->counts);
	fg_out_init_memory(&s->out);
}

static void small_release(struct small *s)
{
	fg_out_close(&s->out);
	fg_counts_release(&s->counts);
	fg_intern_release(&s->names);
}

/* Adds a stack of one frame. */
static void small_add(struct small *s, const char *name, uint64_t n)
{
	uint32_t id = fg_intern(&s->names, fg_str_from(name));

	add(&s->counts, &id, 1, n);
}

static struct fg_str small_write(struct small *s, struct fg_counts_format format)
{
	fg_buf_clear(&s->out.buf);
	fg_counts_write(&s->counts, &s->names, &format, &s->out);
	return fg_buf_str(&s->out.buf);
}

static const struct fg_counts_format exact = { .style = FG_COUNTS_EXACT };
static const struct fg_counts_format perl = { .style = FG_COUNTS_PERL };

/* A path finds its own entry again, and no other. */
static void test_paths(void **state)
{
	const char *const deep = "abcabcabcabcabcabcabcabc";
	struct fg_path path;
	struct small s;

	(void)state;
	small_init(&s);
	fg_path_init(&path);
	for (int turn = 0; turn < 2; turn++) {
		path.depth = 0;
		fg_sum_add(&fg_counts_entry_of_path(&s.counts, &path)->sum, 1);
		for (const char *c = deep; *c; c++) {
			uint32_t id = fg_intern(&s.names, fg_str_of(c, 1));

			fg_path_push(&path, id);
			fg_counts_expect_path(&s.counts, &path);
			fg_sum_add(&fg_counts_entry_of_path(&s.counts, &path)->sum, 1);
		}
	}
	path.depth = 2;
	fg_path_push(&path, fg_intern(&s.names, FG_STR("b")));
	fg_sum_add(&fg_counts_entry_of_path(&s.counts, &path)->sum, 5);
	assert_int_equal(s.counts.count, strlen(deep) + 2);
	assert_true(fg_str_starts(small_write(&s, exact),
				  FG_STR(" 2\na 2\na;b 2\na;b;b 5\na;b;c 2\n")));
	fg_path_release(&path);
	small_release(&s);
}

static void test_an_empty_table(void **state)
{
	struct small s;

	(void)state;
	small_init(&s);
	assert_str(small_write(&s, exact), "");
	small_release(&s);
	fg_counts_release(&s.counts);
}

static void test_a_stack_without_frames(void **state)
{
	struct small s;

	(void)state;
	small_init(&s);
	add(&s.counts, NULL, 0, 3);
	add(&s.counts, NULL, 0, 4);
	small_add(&s, "a", 1);
	assert_str(small_write(&s, exact), " 7\na 1\n");
	for (const char *name = "zyxwvutsrqponmlkjihgfedcb"; *name; name++)
		small_add(&s, name, 1);
	assert_true(
		fg_str_starts(small_write(&s, exact), FG_STR(" 7\na 1\nb 1\ncb 1\n")));
	small_release(&s);
}

static void test_sums_beyond_64_bits(void **state)
{
	struct small s;

	(void)state;
	small_init(&s);
	small_add(&s, "a", UINT64_MAX);
	assert_str(small_write(&s, perl), "a 18446744073709551615\n");
	small_add(&s, "a", 1);
	assert_str(small_write(&s, exact), "a 18446744073709551616\n");
	assert_str(small_write(&s, perl), "a 1.84467440737096e+19\n");
	small_add(&s, "a", UINT64_MAX);
	small_add(&s, "a", UINT64_MAX);
	small_add(&s, "b", 5);
	assert_str(small_write(&s, exact), "a 55340232221128654846\nb 5\n");
	assert_str(small_write(&s, perl), "a 5.53402322211287e+19\nb 5\n");
	small_release(&s);
}

static void test_zero(void **state)
{
	struct small s;

	(void)state;
	small_init(&s);
	small_add(&s, "a", 0);
	assert_str(small_write(&s, perl), "a 0\n");
	small_release(&s);
}

static bool keep(void *data, struct fg_str stack)
{
	struct fg_buf *asked = data;

	fg_buf_add_str(asked, stack);
	fg_buf_add_char(asked, ',');
	return !fg_str_starts(stack, FG_STR("a"));
}

/* Frames shared with a line that was left out must still be written. */
static void test_keeping(void **state)
{
	struct fg_counts_format format = { .keep = keep };
	uint32_t stacks[][2] = { { 0, 1 }, { 0, 2 }, { 3, 1 }, { 3, 2 } };
	struct fg_buf asked = FG_BUF_INIT;
	struct small s;

	(void)state;
	small_init(&s);
	format.data = &asked;
	for (uint32_t i = 0; i < 4; i++)
		fg_intern(&s.names, fg_str_of(&"axyb"[i], 1));
	for (size_t i = 0; i < COUNT_OF(stacks); i++)
		add(&s.counts, stacks[i], 2, 1);
	assert_int_equal(fg_counts_write(&s.counts, &s.names, &format, &s.out), 2);
	assert_str(fg_buf_str(&s.out.buf), "b;x 1\nb;y 1\n");
	assert_str(fg_buf_str(&asked), "a;x,a;y,b;x,b;y,");
	fg_buf_release(&asked);
	small_release(&s);
}

/* Writes lines of megabytes in pieces, among short ones. */
static void test_long_lines(void **state)
{
	static const struct {
		const char *stack; /* a letter a frame; the name of 'n' is long */
		uint64_t sum;
	} lines[] = { { "xn", 1 },  { "xnn", 2 }, { "xnny", 3 },
		      { "xnx", 4 }, { "xy", 5 },  { "nnnnn", 6 } };
	struct fg_counts_step steps[COUNT_OF(lines)];
	struct fg_buf name = FG_BUF_INIT, expected = FG_BUF_INIT;
	struct small s;

	(void)state;
	small_init(&s);
	while (name.len < 700000)
		fg_buf_add_str(&name, FG_STR("namespaces::"));
	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		uint32_t ids[8], depth = 0;

		fg_buf_add_str(&expected, FG_STR("first"));
		for (const char *c = lines[i].stack; *c; c++) {
			struct fg_str frame =
				*c == 'n' ? fg_buf_str(&name) : fg_str_of(c, 1);

			ids[depth++] = fg_intern(&s.names, frame);
			fg_buf_add_char(&expected, ';');
			fg_buf_add_str(&expected, frame);
		}
		fg_buf_addf(&expected, " %d\n", (int)lines[i].sum);
		add(&s.counts, ids, depth, 1);
		steps[i] = (struct fg_counts_step){ (uint32_t)i, { lines[i].sum, 0 } };
	}
	fg_counts_write_steps(&(struct fg_counts_steps){ &s.counts, steps,
							 COUNT_OF(steps),
							 FG_STR("first") },
			      &s.names, &exact, &s.out);
	assert_true(fg_str_eq(fg_buf_str(&s.out.buf), fg_buf_str(&expected)));
	fg_buf_release(&expected);
	fg_buf_release(&name);
	small_release(&s);
}

/* Adds more stacks than the table has slots for, several times over. */
static void test_many_stacks(void **state)
{
	enum { STACKS = 20000 };
	struct fg_sum total = { 0, 0 };
	struct fg_counts c;

	(void)state;
	fg_counts_init(&c);
	for (uint32_t round = 1; round <= 2; round++)
		for (uint32_t i = 0; i < STACKS; i++) {
			const uint32_t ids[3] = { i / 100, i % 100, i };
			struct fg_counts_entry *entry =
				fg_counts_entry(&c, ids, i % 3 + 1);

			assert_int_equal(entry->depth, i % 3 + 1);
			assert_memory_equal(entry->ids, ids,
					    entry->depth * sizeof(*ids));
			fg_sum_add(&entry->sum, 1);
		}
	for (size_t i = 0; i < c.count; i++) {
		assert_true(c.entries[i].sum.low >= 2);
		fg_sum_add_sum(&total, c.entries[i].sum);
	}
	assert_int_equal(total.low, 2 * STACKS);
	fg_counts_release(&c);
}

static void add_many(struct small *s, struct random *random, size_t count)
{
	while (s->counts.count < count) {
		uint64_t n = random_below(random, 1000);
		uint32_t ids[12];
		size_t depth = random_below(random, COUNT_OF(ids) + 1);

		for (size_t i = 0; i < depth; i++)
			ids[i] = fg_intern(&s->names,
					   names[random_below(random, i + 1)]);
		add(&s->counts, ids, depth, n);
	}
}

/* Returns the number of lines. */
static size_t check_ascending(struct fg_str lines)
{
	struct fg_str last = { NULL, 0 };
	size_t count = 0;

	while (lines.len) {
		struct fg_str line = fg_str_cut(&lines, '\n');
		struct fg_str text = fg_str_before(line, fg_str_rfind_char(line, ' '));

		assert_true(!last.ptr || fg_str_cmp(last, text) < 0);
		last = text;
		count++;
	}
	return count;
}

static void test_many_lines_are_in_order(void **state)
{
	struct random random = { 17 };

	(void)state;
	for (size_t count = 1000; count < 20000; count = count * 3 / 2) {
		struct small s;

		small_init(&s);
		add_many(&s, &random, count);
		assert_int_equal(check_ascending(small_write(&s, exact)), count);
		small_release(&s);
	}
}

static void test_decimals(void **state)
{
	const struct fg_counts_format format = { .decimals = 2 };
	const struct fg_counts_format whole = { .decimals = 2, .whole = true };
	struct small s;

	(void)state;
	small_init(&s);
	small_add(&s, "a", 1250);
	small_add(&s, "b", 100);
	small_add(&s, "c", 1);
	assert_str(small_write(&s, format), "a 12.5\nb 1\nc 0.01\n");
	assert_str(small_write(&s, whole), "a 13\nb 1\n");
	small_release(&s);
}

/* Stacks with equal hashes are still different stacks. */
static void test_colliding_stacks(void **state)
{
	uint32_t ids[4] = { 0 };
	struct fg_counts c;
	uint64_t start;

	(void)state;
	fg_counts_init(&c);
	start = FG_HASH_K1 ^ c.seed;
	memcpy(ids, &start, sizeof(start));
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 600; i++) {
			ids[3] = i;
			assert_int_equal(
				fg_hash_bytes((const char *)ids, sizeof(ids), c.seed),
				0);
			fg_counts_entry(&c, ids, 4);
		}
	assert_int_equal(c.count, 600);
	fg_counts_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_stacks),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_an_empty_table),
		cmocka_unit_test(test_a_stack_without_frames),
		cmocka_unit_test(test_sums_beyond_64_bits),
		cmocka_unit_test(test_zero),
		cmocka_unit_test(test_keeping),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_many_stacks),
		cmocka_unit_test(test_many_lines_are_in_order),
		cmocka_unit_test(test_decimals),
		cmocka_unit_test(test_colliding_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
