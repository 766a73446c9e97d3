/* Tests of the hottest functions in flame's summary. */
#include "flame/hottest.h"
#include "tests/unit/support/support.h"

struct stacks {
	bool waits, all_time, lone_frames;
	const char *text; /* folded stacks */
	const char *want; /* the lines of the summary */
};

static void check(const struct stacks *row)
{
	struct folder folder;
	struct fg_hottest h;
	struct caught c;
	struct fg_buf line = FG_BUF_INIT, all = FG_BUF_INIT;

	folder_init(&folder);
	caught_init(&c);
	fg_hottest_init(&h);
	h.waits = row->waits;
	h.all_time = row->all_time;
	h.lone_frames = row->lone_frames;
	assert_int_equal(
		fg_hottest_read(&h, folder_write(&folder, "x", fg_str_from(row->text)),
				&c.diag),
		0);
	for (size_t n = 0; fg_hottest_line(&h, n, &line); n++) {
		fg_buf_add_str(&all, fg_buf_str(&line));
		fg_buf_add_char(&all, '\n');
	}
	assert_str_is(fg_buf_str(&all), fg_str_from(row->want));
	assert_str(fg_buf_str(&c.text), "");
	fg_hottest_release(&h);
	fg_buf_release(&line);
	fg_buf_release(&all);
	caught_release(&c);
	folder_release(&folder);
}

#define A50 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void test_summaries(void **state)
{
	static const struct stacks table[] = {
		{ .text = "", .want = "" },
		{ .text = "a;b 0\n", .want = "" },
		/* the fifth and sixth are equal, so the name decides */
		{ .text = "a;x y 10\na;b 20\nb;c;x y 30\na;e 4\na;d 5\na;f 6\na;g 5\n"
			  "a 20\n",
		  .want = "  40.0 %  x y\n  20.0 %  b\n   6.0 %  f\n   5.0 %  d\n"
			  "   5.0 %  g\n" },
		{ .lone_frames = true,
		  .text = "a;b 1\na 3\n",
		  .want = "  75.0 %  a\n  25.0 %  b\n" },
		{ .text = "a;b 1.5\na;c 4.5\n", .want = "  75.0 %  c\n  25.0 %  b\n" },
		{ .text = "# unit: ns\na;Thread 7; 50\n# b;c 30\n#d;e 15\nf 2; 5\n",
		  .want = "  50.0 %  Thread 7\n  30.0 %  c\n  15.0 %  e\n" },
		{ .text = "a;b_[k] 1\na;b 1\n", .want = " 100.0 %  b\n" },
		{ .text = "a;b\033[2J 1\n", .want = " 100.0 %  b\\x1b[2J\n" },
		{ .waits = true,
		  .text = "a;read;io_schedule;schedule;__schedule 6\na;schedule 2\n"
			  "a;poll;schedule_timeout 2\n",
		  .want = "  60.0 %  read\n  20.0 %  poll\n  20.0 %  schedule\n" },
		{ .text = "a;read;schedule 2\na;reschedule 1\n",
		  .want = "  66.7 %  schedule\n  33.3 %  reschedule\n" },
		{ .waits = true,
		  .all_time = true,
		  .text = "a;read;schedule_[k];__schedule_[o] 6\na;f;[waiting]_[o] 1\n"
			  "a;f_[k] 3\n",
		  .want = "  30.0 %  of all time is on a CPU, 70.0 % waiting\n"
			  "  60.0 %  read\n  30.0 %  f\n  10.0 %  [waiting]\n" },
		{ .text = "a;" A50 "12345678901234 1\n",
		  .want = " 100.0 %  " A50 "12345678901234\n" },
		{ .text = "a;" A50 "123456789012345 1\n",
		  .want = " 100.0 %  " A50 "123456789012..\n" },
		{ .text = "a;" A50 "12345678901\303\251\303\251 1\n",
		  .want = " 100.0 %  " A50 "12345678901..\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++)
		check(&table[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_summaries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
