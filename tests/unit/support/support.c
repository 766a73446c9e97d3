/* Shared by the unit tests: see support.h. */
#define _XOPEN_SOURCE 700 /* for nftw */
#include "tests/unit/support/support.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void is_skipped(void **data)
{
	(void)data;
	skip();
}

int skip_without(const char *library)
{
	char name[64];
	const struct CMUnitTest tests[] = {
		{ .name = name, .test_func = is_skipped },
	};

	snprintf(name, sizeof(name), "no %s", library);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

static void fail_with(struct fg_str got, struct fg_str want, const char *file, int line)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_buf_add_visible(&text, got, 2000);
	print_error("got:    '%s'\n", fg_buf_cstr(&text));
	fg_buf_clear(&text);
	fg_buf_add_visible(&text, want, 2000);
	print_error("wanted: '%s'\n", fg_buf_cstr(&text));
	fg_buf_release(&text);
	_fail(file, line);
}

void check_str(struct fg_str got, struct fg_str want, const char *file, int line)
{
	if (got.len != want.len || (want.len && memcmp(got.ptr, want.ptr, want.len)))
		fail_with(got, want, file, line);
}

void check_has(struct fg_str got, const char *part, const char *file, int line)
{
	size_t len = strlen(part);

	for (size_t at = 0; at + len <= got.len; at++)
		if (!memcmp(got.ptr + at, part, len))
			return;
	fail_with(got, fg_str_of(part, len), file, line);
}

static void catch (void *data, const char *message)
{
	struct fg_buf *text = data;

	fg_buf_add(text, message, strlen(message));
	fg_buf_add_char(text, '\n');
}

void caught_init(struct caught *c)
{
	fg_buf_init(&c->text);
	fg_diag_init(&c->diag, "prog");
	c->diag.sink = catch;
	c->diag.sink_data = &c->text;
}

void caught_release(struct caught *c)
{
	fg_buf_release(&c->text);
}

static void read_all(int fd, struct fg_buf *text)
{
	char bytes[512];
	ssize_t got;

	while ((got = read(fd, bytes, sizeof(bytes))) > 0)
		fg_buf_add(text, bytes, (size_t)got);
}

int run_apart(void (*run)(void), struct fg_buf *errors)
{
	int ends[2], status;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		run();
		_exit(0);
	}
	close(ends[1]);
	read_all(ends[0], errors);
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void folder_init(struct folder *f)
{
	const char *tmp = getenv("TMPDIR");

	fg_buf_init(&f->name);
	fg_buf_addf(&f->name, "%s/flamepipe-unit-XXXXXX", tmp ? tmp : "/tmp");
	f->path = strdup(fg_buf_cstr(&f->name));
	assert_non_null(f->path);
	assert_non_null(mkdtemp(f->path));
}

static int remove_one(const char *path, const struct stat *st, int kind,
		      struct FTW *place)
{
	(void)st;
	(void)kind;
	(void)place;
	return remove(path);
}

void folder_release(struct folder *f)
{
	assert_int_equal(nftw(f->path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
	free(f->path);
	fg_buf_release(&f->name);
}

const char *folder_path(struct folder *f, const char *name)
{
	fg_buf_clear(&f->name);
	fg_buf_addf(&f->name, "%s/%s", f->path, name);
	return fg_buf_cstr(&f->name);
}

/* Makes the folders that a file in the folder needs. */
static void make_folders(struct folder *f, const char *name)
{
	for (const char *slash = strchr(name, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		fg_buf_clear(&f->name);
		fg_buf_addf(&f->name, "%s/%.*s", f->path, (int)(slash - name), name);
		mkdir(fg_buf_cstr(&f->name), 0700);
	}
}

const char *folder_write(struct folder *f, const char *name, struct fg_str bytes)
{
	const char *path;
	FILE *file;

	make_folders(f, name);
	path = folder_path(f, name);
	file = fopen(path, "wb");
	assert_non_null(file);
	if (bytes.len)
		assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, file), bytes.len);
	assert_int_equal(fclose(file), 0);
	return path;
}

bool file_read(const char *path, struct fg_buf *b)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	fg_buf_clear(b);
	if (fd < 0)
		return false;
	read_all(fd, b);
	close(fd);
	return true;
}

bool is_little_endian(void)
{
	const uint16_t one = 1;
	unsigned char first;

	memcpy(&first, &one, 1);
	return first;
}

uint64_t random_next(struct random *r)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return r->state;
}

size_t random_below(struct random *r, size_t limit)
{
	return (size_t)((random_next(r) >> 11) % limit);
}

void random_bytes(struct random *r, struct fg_buf *b, size_t len,
		  struct fg_str alphabet)
{
	while (len--)
		fg_buf_add_char(b, alphabet.len ?
					   alphabet.ptr[random_below(r, alphabet.len)] :
					   (char)random_below(r, 256));
}
