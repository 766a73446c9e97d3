/*
 * What is nearly a golden input, or a recording of tests/data, is read as before: each
 * is changed in a place, by a byte that is missing, added, another or one more or less,
 * and what comes of that is compared with what came of it when tests/data/near was
 * written.
 *
 * The files there have a line for each input, and in it two hexadecimal digits for each
 * TOGETHER changes: a hash of lines, messages and status. Inputs without a line are not
 * tried. Where a change of what is read is meant, BLESS=1 writes the files again, as
 * `make bless` does, and shows some of what is read otherwise.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/formats/perf/data/elf.h"
#include "tests/unit/support/collapse.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/recording.h"

/* What is longer takes too long; perf has as many goldens as all others together. */
#define INPUT_MAX 8192
#define TOGETHER 4
#define PAIRS 12
#define PAIRS_OF_PERF 4
#define PAIRS_OF_RECORDINGS 100
#define SHOWN_MAX 3

struct near {
	const struct fg_format *format; /* NULL: recordings */
	struct fg_str known; /* the file */
	struct fg_buf lines; /* as the file should be */
	size_t shown;
};

struct input {
	const char *name;
	struct fg_str text;
	const char *arguments;
	size_t pairs; /* of digits */
};

/* Without those that other programs have a part in; false where a shell is needed. */
static bool read_arguments(const char *folder, const char *name, struct fg_buf *b)
{
	if (!golden_read(folder, name, b))
		return true;
	for (size_t i = 0; i < b->len; i++) {
		if (strchr("'\"$\\%", b->ptr[i]))
			return false;
		if (b->ptr[i] == '\n')
			b->ptr[i] = ' ';
	}
	return !fg_str_has(fg_buf_str(b), FG_STR("--inline")) &&
	       !fg_str_has(fg_buf_str(b), FG_STR("--symbols")) &&
	       !fg_str_has(fg_buf_str(b), FG_STR("--split"));
}

/* A copy of `text` that is changed in one place. */
static void change(struct random *random, struct fg_str text, struct fg_buf *to)
{
	static const struct fg_str bytes =
		FG_STR_INIT(" \n\t\r0159-+.;:,()[]{}\"'/@#<>=_aZ\\%\x80\xff\0");
	size_t at = random_below(random, text.len);
	char other = bytes.ptr[random_below(random, bytes.len)];
	size_t kind = random_below(random, 16);

	fg_buf_clear(to);
	fg_buf_add_str(to, fg_str_before(text, at));
	if (kind == 0) /* the input ends here */
		return;
	if (kind < 5)
		fg_buf_add_char(to, other);
	else if (kind < 8)
		fg_buf_add_char(to, (char)(text.ptr[at] + 1));
	else if (kind < 11)
		fg_buf_add_char(to, (char)(text.ptr[at] - 1));
	if (kind >= 14) {
		fg_buf_add_char(to, other);
		fg_buf_add_char(to, text.ptr[at]);
	}
	fg_buf_add_str(to, fg_str_from_pos(text, at + 1));
}

static void hash(uint32_t *sum, struct fg_str text)
{
	for (size_t i = 0; i < text.len; i++)
		*sum = (*sum ^ (unsigned char)text.ptr[i]) * UINT32_C(16777619);
	*sum = (*sum ^ (uint32_t)text.len) * UINT32_C(16777619);
}

/* What comes of an input: lines, messages and how it ended. */
static void read_input(const struct near *n, struct fg_str text, const char *arguments,
		       struct fg_buf *result)
{
	struct collapsed got;
	int status;

	fg_buf_clear(result);
	if (!n->format) {
		struct fg_perfdata pd = { .fd = -1, .head = text, .no_symbols = true };

		status = recording_hear(&pd, result);
	} else {
		collapse_format(n->format, text, (struct collapse_how){ arguments, 0 },
				&got);
		fg_buf_add_str(result, fg_buf_str(&got.out.buf));
		fg_buf_add_str(result, fg_buf_str(&got.caught.text));
		status = got.status;
		collapsed_release(&got);
	}
	fg_buf_addf(result, "status %d\n", status ? 1 : 0);
}

/* The digits of a run in the file; empty where it has none. */
static struct fg_str find_known(struct fg_str file, const char *name)
{
	while (file.len) {
		struct fg_str line = fg_str_cut(&file, '\n');

		if (fg_str_eq(fg_str_cut(&line, '\t'), fg_str_from(name)))
			return line;
	}
	return file;
}

/* Two digits, which stand for some changes of the input. */
static void check_pair(struct near *n, const struct input *in, struct random *random,
		       const char *known)
{
	struct fg_buf changed = FG_BUF_INIT, result = FG_BUF_INIT, all = FG_BUF_INIT;
	uint32_t sum = UINT32_C(2166136261);
	char digits[3];

	for (size_t i = 0; i < TOGETHER; i++) {
		change(random, in->text, &changed);
		read_input(n, fg_buf_str(&changed), in->arguments, &result);
		hash(&sum, fg_buf_str(&result));
		fg_buf_add_str(&all, fg_buf_str(&changed));
		fg_buf_addf(&all, "\n---- is read as:\n");
		fg_buf_add_str(&all, fg_buf_str(&result));
	}
	snprintf(digits, sizeof(digits), "%02x",
		 (unsigned)((sum ^ sum >> 16 ^ sum >> 8 ^ sum >> 24) & 0xff));
	fg_buf_addf(&n->lines, "%s", digits);
	if (known && memcmp(known, digits, 2) != 0 && n->shown++ < SHOWN_MAX)
		print_error("%s: one of these is read otherwise:\n%.*s", in->name,
			    (int)all.len, all.ptr);
	fg_buf_release(&changed);
	fg_buf_release(&result);
	fg_buf_release(&all);
}

static void check_input(struct near *n, const struct input *in)
{
	struct fg_str known = find_known(n->known, in->name);
	struct random random;
	uint32_t seed = 1;

	if (!known.len && !getenv("BLESS"))
		return;
	hash(&seed, fg_str_from(in->name));
	random.state = seed | 1;
	fg_buf_addf(&n->lines, "%s\t", in->name);
	for (size_t i = 0; i < in->pairs; i++)
		check_pair(n, in, &random,
			   known.len >= 2 * (i + 1) ? known.ptr + 2 * i : NULL);
	fg_buf_add_char(&n->lines, '\n');
}

/* Whether the run was tried: a struct golden_visit. */
static bool check_run(const struct golden_run *run, void *data)
{
	struct near *n = data;
	struct fg_buf text = FG_BUF_INIT, arguments = FG_BUF_INIT, name = FG_BUF_INIT;
	bool usable = golden_read(run->folder, "input", &text) && text.len &&
		      text.len <= INPUT_MAX &&
		      !fg_str_starts(fg_buf_str(&text), FG_STR("\x1f\x8b")) &&
		      read_arguments(run->folder, run->args, &arguments);

	if (usable) {
		fg_buf_addf(&name, "%s%s", run->folder + strlen("tests/golden/"),
			    run->args + strlen("args"));
		check_input(n, &(struct input){ fg_buf_cstr(&name), fg_buf_str(&text),
						fg_buf_cstr(&arguments),
						n->format == &fg_format_perf ?
							PAIRS_OF_PERF :
							PAIRS });
	}
	fg_buf_release(&text);
	fg_buf_release(&arguments);
	fg_buf_release(&name);
	return usable;
}

static int compare_lines(const void *a, const void *b)
{
	return fg_str_cmp(*(const struct fg_str *)a, *(const struct fg_str *)b);
}

/* Folders are visited in no order. */
static void sort_lines(struct fg_buf *text)
{
	struct fg_str rest = fg_buf_str(text), lines[4096];
	struct fg_buf sorted = FG_BUF_INIT;
	size_t count = 0;

	while (rest.len) {
		assert_true(count < COUNT_OF(lines));
		lines[count++] = fg_str_cut(&rest, '\n');
	}
	qsort(lines, count, sizeof(*lines), compare_lines);
	for (size_t i = 0; i < count; i++) {
		fg_buf_add_str(&sorted, lines[i]);
		fg_buf_add_char(&sorted, '\n');
	}
	fg_buf_release(text);
	*text = sorted;
}

/* Compares what is read with the file, or writes it. */
static void end(struct near *n, const char *path)
{
	struct fg_str text;

	sort_lines(&n->lines);
	text = fg_buf_str(&n->lines);
	if (getenv("BLESS")) {
		FILE *file = fopen(path, "wb");

		assert_non_null(file);
		assert_int_equal(fwrite(text.ptr, 1, text.len, file), text.len);
		assert_int_equal(fclose(file), 0);
	} else if (n->shown) {
		fail_msg("%s: %zu pairs of digits are others", path, n->shown);
	} else {
		assert_true(text.len > 0);
	}
	fg_buf_release(&n->lines);
}

/* That of xctrace is XML, of which versions of libxml2 say different things. */
static void what_is_nearly_a_golden_input_is_read_as_before(void **state)
{
	struct fg_buf known = FG_BUF_INIT;
	struct near n = { .lines = FG_BUF_INIT };

	(void)state;
	golden_read("tests/data/near", "goldens", &known);
	n.known = fg_buf_str(&known);
	for (size_t i = 0; fg_formats[i]; i++) {
		n.format = fg_formats[i];
		if (n.format != &fg_format_xctrace)
			golden_visit(n.format->kind->name, check_run, &n);
	}
	end(&n, "tests/data/near/goldens");
	fg_buf_release(&known);
}

/* Of those that need libelf only. */
static void what_is_nearly_a_recording_is_read_as_before(void **state)
{
	static const char *const names[] = { "frames.data",   "fork.data",
					     "fields.data",   "events.data",
					     "flat.data",     "switch.data",
					     "mmap-ids.data", "pipe.stream" };
	struct fg_buf known = FG_BUF_INIT, bytes = FG_BUF_INIT;
	struct near n = { .lines = FG_BUF_INIT };

	(void)state;
	/* They are of a machine whose low byte comes first. */
	if (!fg_pd_elf_is_here() || !*(const unsigned char *)&(uint16_t){ 1 })
		skip();
	golden_read("tests/data/near", "recordings", &known);
	n.known = fg_buf_str(&known);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		assert_true(golden_read("tests/data/perfdata", names[i], &bytes));
		check_input(&n, &(struct input){ names[i], fg_buf_str(&bytes), "",
						 PAIRS_OF_RECORDINGS });
	}
	end(&n, "tests/data/near/recordings");
	fg_buf_release(&known);
	fg_buf_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_nearly_a_golden_input_is_read_as_before),
		cmocka_unit_test(what_is_nearly_a_recording_is_read_as_before),
	};

	return cmocka_run_group_tests_name("near_goldens", tests, NULL, NULL);
}
