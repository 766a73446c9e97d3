/* Tests of collapse/frames: frames of a text are worked out once and stay the same. */
#include <stdio.h>

#include "collapse/collapse.h"
#include "collapse/frames.h"
#include "tests/unit/support/support.h"

struct fixture {
	struct fg_diag diag;
	struct fg_collapse run;
	struct fg_frames frames;
	unsigned calls;
};

/* Adds a frame for each byte of the text. */
static void add(void *state, struct fg_str text)
{
	struct fixture *f = state;

	f->calls++;
	for (size_t i = 0; i < text.len; i++)
		fg_sink_frame(f->run.sink, fg_str_of(text.ptr + i, 1));
}

static void set_up(struct fixture *f)
{
	fg_diag_init(&f->diag, "test");
	fg_collapse_init(&f->run, fg_formats[0], "test");
	assert_int_equal(fg_collapse_check(&f->run, &f->diag), 0);
	fg_frames_init(&f->frames, f->run.sink, add, f);
	f->calls = 0;
}

static void tear_down(struct fixture *f)
{
	fg_frames_release(&f->frames);
	fg_collapse_release(&f->run);
}

/* Returns the frames of the stack, root first, and empties the stack. */
static void assert_frames(struct fixture *f, const char *text)
{
	struct fg_sink *s = f->run.sink;
	const uint32_t *ids = fg_stack_ids(fg_sink_stack(s));

	assert_int_equal(fg_stack_depth(fg_sink_stack(s)), strlen(text));
	for (size_t i = 0; text[i]; i++)
		assert_str_is(fg_intern_name(fg_sink_names(s), ids[i]),
			      fg_str_of(text + i, 1));
	fg_sink_clear(s);
}

static void test_frames_are_remembered(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_false(fg_frames_add_known(&f.frames, FG_STR("abc"), 0));
	assert_frames(&f, "");
	for (int round = 0; round < 3; round++) {
		fg_frames_add(&f.frames, FG_STR("abc"), 0);
		fg_frames_add(&f.frames, FG_STR("d"), 0);
		fg_frames_add(&f.frames, FG_STR(""), 0);
		fg_frames_add(&f.frames, FG_STR("ef"), 0);
		assert_frames(&f, "fedcba");
	}
	assert_int_equal(f.calls, 4);
	assert_true(fg_frames_add_known(&f.frames, FG_STR("abc"), 0));
	assert_frames(&f, "cba");
	tear_down(&f);
}

static void test_variants_are_apart(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	fg_frames_add(&f.frames, FG_STR("a"), 1);
	assert_false(fg_frames_add_known(&f.frames, FG_STR("a"), 0));
	assert_true(fg_frames_add_known(&f.frames, FG_STR("a"), 1));
	assert_frames(&f, "aa");
	tear_down(&f);
}

/* The memo has a limit. Texts beyond it give the same frames. */
static void test_texts_beyond_the_limit_are_worked_out_again(void **state)
{
	char text[16];
	struct fixture f;
	unsigned calls = 0;

	(void)state;
	set_up(&f);
	for (int i = 0; i < FG_MEMO_MAX; i++) {
		snprintf(text, sizeof(text), "%d", i);
		fg_frames_add(&f.frames, fg_str_from(text), 0);
		fg_sink_clear(f.run.sink);
	}
	calls = f.calls;
	for (int round = 0; round < 2; round++) {
		fg_frames_add(&f.frames, FG_STR("xy"), 0);
		assert_frames(&f, "yx");
	}
	assert_int_equal(f.calls, calls + 2);
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames_are_remembered),
		cmocka_unit_test(test_variants_are_apart),
		cmocka_unit_test(test_texts_beyond_the_limit_are_worked_out_again),
	};

	return cmocka_run_group_tests_name("frames", tests, NULL, NULL);
}
