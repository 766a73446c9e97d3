/*
 * Shared by the tests of collapse/addr2line: tools that the test makes, and looking up
 * with them.
 */
#include "tests/unit/support/addr2line.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

const char good_script[] =
	"echo \"start $* $LC_ALL\" >> $log\n"
	"while read -r address; do\n"
	"	echo \"asked $address\" >> $log\n"
	"	printf '%s\\nin;ner\\na;b.c:1 (discriminator 3)\\nouter\\nb.c:9\\n' "
	"$address\n"
	"done\n";

const char lost_script[] =
	"while read -r address; do\n"
	"	if [ $address = 0x104 ]; then printf '%s\\nfound\\nf.c:1\\n' $address\n"
	"	else printf '%s\\n??\\n??:0\\n' $address; fi\n"
	"done\n";

size_t count_open_fds(void)
{
	size_t count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

int addr2line_setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	const char *path = getenv("PATH");

	assert_non_null(f);
	f->fds = count_open_fds();
	folder_init(&f->folder);
	folder_init(&f->bin);
	caught_init(&f->caught);
	f->a = fg_addr2line_new(false, &f->caught.diag);
	f->path_before = strdup(path ? path : "");
	*state = f;
	return 0;
}

int addr2line_teardown(void **state)
{
	struct fixture *f = *state;
	sigset_t pending;

	fg_addr2line_free(f->a);
	assert_int_equal(count_open_fds(), f->fds);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	sigpending(&pending);
	assert_int_equal(sigismember(&pending, SIGPIPE), 0);
	setenv("PATH", f->path_before, 1);
	free(f->path_before);
	fg_buf_release(&f->names);
	fg_buf_release(&f->file);
	caught_release(&f->caught);
	folder_release(&f->bin);
	folder_release(&f->folder);
	free(f);
	return 0;
}

void with_context(struct fixture *f)
{
	fg_addr2line_free(f->a);
	f->a = fg_addr2line_new(true, &f->caught.diag);
}

bool look_up(struct fixture *f, const char *pc, const char *symbol, const char *dso)
{
	struct fg_addr2line_query q = { .pc = fg_str_from(pc),
					.symbol = fg_str_from(symbol),
					.dso = fg_str_from(dso) };

	fg_buf_clear(&f->names);
	return fg_addr2line_frames(f->a, &q, &f->names);
}

/* Returns the contents of a file, valid until the next call. */
static struct fg_str file_of(struct fixture *f, const char *path)
{
	file_read(path, &f->file);
	return fg_buf_str(&f->file);
}

size_t occurrences(struct fg_str text, const char *part)
{
	size_t count = 0;

	for (;;) {
		size_t at = fg_str_find(text, fg_str_from(part));

		if (at == text.len)
			return count;
		count++;
		text = fg_str_from_pos(text, at + 1);
	}
}

static void put_first_in_path(struct fixture *f)
{
	struct fg_buf path = FG_BUF_INIT;

	fg_buf_addf(&path, "%s:%s", f->bin.path, f->path_before);
	setenv("PATH", fg_buf_cstr(&path), 1);
	fg_buf_release(&path);
}

void fake_tool(struct fixture *f, const char *name, const char *script)
{
	struct fg_buf text = FG_BUF_INIT;
	const char *path;

	fg_buf_addf(&text, "#!/bin/sh\nlog='%s/log'\n%s", f->folder.path, script);
	path = folder_write(&f->bin, name, fg_buf_str(&text));
	assert_int_equal(chmod(path, 0700), 0);
	fg_buf_release(&text);
	put_first_in_path(f);
}

struct fg_str log_of(struct fixture *f)
{
	return file_of(f, folder_path(&f->folder, "log"));
}

const char *plain_file(struct fixture *f, const char *name)
{
	return folder_write(&f->folder, name, FG_STR("text\n"));
}
