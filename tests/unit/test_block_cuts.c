/*
 * Where blocks of the input end has no effect: the golden inputs of every format, cut
 * anywhere, give the same lines and messages.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/support/collapse.h"

/* What is longer takes too long to cut everywhere. */
#define INPUT_MAX 65536
#define CUTS_MAX 60

static bool read_file(const char *folder, const char *name, struct fg_buf *b)
{
	struct fg_buf path = FG_BUF_INIT;
	char part[4096];
	size_t got;
	FILE *file;

	fg_buf_clear(b);
	fg_buf_addf(&path, "%s/%s", folder, name);
	file = fopen(fg_buf_cstr(&path), "rb");
	fg_buf_release(&path);
	if (!file)
		return false;
	while ((got = fread(part, 1, sizeof(part), file)) > 0)
		fg_buf_add(b, part, got);
	fclose(file);
	return true;
}

/* The arguments in a file, which may be absent; false where they need a shell. */
static bool read_arguments(const char *folder, const char *name, struct fg_buf *b)
{
	if (!read_file(folder, name, b))
		return true;
	for (size_t i = 0; i < b->len; i++) {
		if (strchr("'\"$\\", b->ptr[i]))
			return false;
		if (b->ptr[i] == '\n')
			b->ptr[i] = ' ';
	}
	return !fg_str_has_char(fg_buf_str(b), '%'); /* of the time, in regular files */
}

static void check_same(const struct collapsed *part, const struct collapsed *whole)
{
	assert_int_equal(part->status, whole->status);
	assert_str_is(fg_buf_str(&part->out.buf), fg_buf_str(&whole->out.buf));
	assert_str_is(fg_buf_str(&part->caught.text), fg_buf_str(&whole->caught.text));
}

static void check_cut(const struct fg_format *format, struct fg_str text,
		      struct collapse_how how, const struct collapsed *whole)
{
	struct collapsed part;

	collapse_format(format, text, how, &part);
	check_same(&part, whole);
	collapsed_release(&part);
}

/* Blocks of some sizes, and the first block ending at lines from start to end. */
static void check_text(const struct fg_format *format, struct fg_str text,
		       const char *arguments)
{
	static const size_t sizes[] = { 1, 7, 4096 };
	size_t step = text.len / CUTS_MAX + 1;
	struct collapsed whole;

	collapse_format(format, text, (struct collapse_how){ arguments, 0 }, &whole);
	for (size_t i = 0; i < COUNT_OF(sizes); i++)
		check_cut(format, text, (struct collapse_how){ arguments, sizes[i] },
			  &whole);
	for (size_t at = 0; at < text.len; at += step) {
		at += fg_str_find_char(fg_str_from_pos(text, at), '\n');
		check_cut(format, text, (struct collapse_how){ arguments, at + 1 },
			  &whole);
	}
	collapsed_release(&whole);
}

/*
 * A run of a case has `expected` or `expected.NAME`, and perhaps `args` or `args.NAME`.
 * Returns whether it was checked.
 */
static bool check_run(const struct fg_format *format, const char *folder,
		      const char *expected)
{
	struct fg_buf text = FG_BUF_INIT, arguments = FG_BUF_INIT, name = FG_BUF_INIT;
	bool usable;

	fg_buf_addf(&name, "args%s", expected + strlen("expected"));
	usable = read_file(folder, "input", &text) && text.len &&
		 text.len <= INPUT_MAX &&
		 read_arguments(folder, fg_buf_cstr(&name), &arguments);
	if (usable)
		check_text(format, fg_buf_str(&text), fg_buf_cstr(&arguments));
	fg_buf_release(&text);
	fg_buf_release(&arguments);
	fg_buf_release(&name);
	return usable;
}

/* Checks the runs in `folder` and in folders of it; returns how many there are. */
static size_t check_folder(const struct fg_format *format, const char *folder)
{
	DIR *dir = opendir(folder);
	struct fg_buf path = FG_BUF_INIT;
	const struct dirent *entry;
	size_t runs = 0;

	if (!dir)
		return 0;
	while ((entry = readdir(dir))) {
		if (!strncmp(entry->d_name, "expected", strlen("expected")))
			runs += check_run(format, folder, entry->d_name);
		if (strchr(entry->d_name, '.'))
			continue;
		fg_buf_clear(&path);
		fg_buf_addf(&path, "%s/%s", folder, entry->d_name);
		runs += check_folder(format, fg_buf_cstr(&path));
	}
	closedir(dir);
	fg_buf_release(&path);
	return runs;
}

static void goldens_can_be_cut_anywhere(void **state)
{
	struct fg_buf folder = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; fg_formats[i]; i++) {
		fg_buf_clear(&folder);
		fg_buf_addf(&folder, "tests/golden/collapse-%s", fg_formats[i]->name);
		assert_true(check_folder(fg_formats[i], fg_buf_cstr(&folder)) > 0);
	}
	fg_buf_release(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goldens_can_be_cut_anywhere),
	};

	return cmocka_run_group_tests_name("block_cuts", tests, NULL, NULL);
}
