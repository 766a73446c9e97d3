/* Finds and reads source files without leaving the folders that the user names. */
#include "lib/profile/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "lib/base/xalloc.h"

/* Names in a message, at most. */
#define TOLD 5

#define READ_SIZE ((size_t)1 << 16)

int fg_sources_open(struct fg_sources *s, const char *const *folders, size_t count,
		    struct fg_diag *diag)
{
	static const char *const here[] = { "." };

	*s = (struct fg_sources){ .diag = diag };
	fg_intern_init(&s->missing);
	s->folders = count ? folders : here;
	s->fds = fg_xcalloc(count ? count : 1, sizeof(*s->fds));
	for (size_t i = 0; i < (count ? count : 1); i++) {
		s->fds[i] = fg_io_move_up(
			open(s->folders[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC));
		if (s->fds[i] < 0)
			return fg_error(diag, NULL, "--source-dir '%s': %s",
					s->folders[i], strerror(errno));
		s->count++;
	}
	return 0;
}

void fg_sources_forget(struct fg_sources *s)
{
	fg_buf_clear(&s->path);
	fg_buf_clear(&s->found);
	fg_buf_clear(&s->text);
	s->lines = 0;
}

void fg_sources_release(struct fg_sources *s)
{
	for (size_t i = 0; i < s->count; i++)
		close(s->fds[i]);
	free(s->fds);
	fg_intern_release(&s->missing);
	fg_buf_release(&s->path);
	fg_buf_release(&s->found);
	fg_buf_release(&s->text);
	free(s->ends);
	*s = (struct fg_sources){ .count = 0 };
}

/* ---- opening a file below a folder */

/* Why a file was not opened. */
enum refusal { MISSING, LINK, NOT_REGULAR, KERNEL, TOO_LARGE, FAILED };

struct attempt {
	enum refusal refusal;
	int error; /* errno of FAILED */
};

static int refuse(struct attempt *a, enum refusal refusal)
{
	a->error = errno;
	if (refusal == FAILED && (errno == ENOENT || errno == ENOTDIR))
		refusal = MISSING;
	a->refusal = refusal;
	return -1;
}

/*
 * Opens the folder or file `name` in the folder `at`. It must not be a link. Closes
 * `at`. Returns a descriptor or -1.
 */
static int step(int at, const char *name, bool is_last, struct attempt *a)
{
	int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW;
	struct stat st;
	int fd = -1;

	/*
	 * we look before we open, because opening a device may have side effects, and
	 * once more afterwards, because somebody may have replaced the file
	 */
	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW))
		refuse(a, FAILED);
	else if (S_ISLNK(st.st_mode))
		refuse(a, LINK);
	else if (!is_last && !S_ISDIR(st.st_mode))
		refuse(a, MISSING);
	else if (is_last && !S_ISREG(st.st_mode))
		refuse(a, NOT_REGULAR);
	else if (fg_io_is_of_kernel(at))
		refuse(a, KERNEL);
	else if (is_last && (uint64_t)st.st_size > FG_SOURCE_MAX)
		refuse(a, TOO_LARGE);
	else {
		flags |= is_last ? O_NONBLOCK | O_NOCTTY : O_DIRECTORY;
		fd = openat(at, name, flags);
		if (fd < 0)
			refuse(a, FAILED);
	}
	close(at);
	return fd;
}

/*
 * Opens a file below a folder, component by component. Returns its descriptor or -1.
 * `name` has no "..", no "." and no empty component.
 */
static int open_below(int folder, struct fg_str name, struct attempt *a)
{
	int fd = fcntl(folder, F_DUPFD_CLOEXEC, 3);
	struct fg_buf part = FG_BUF_INIT;
	struct stat st;

	*a = (struct attempt){ MISSING, 0 };
	while (fd >= 0 && name.len) {
		fg_buf_clear(&part);
		fg_buf_add_str(&part, fg_str_cut(&name, '/'));
		fd = step(fd, fg_buf_cstr(&part), !name.len, a);
	}
	fg_buf_release(&part);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || fg_io_is_of_kernel(fd)) {
		close(fd);
		return refuse(a, NOT_REGULAR);
	}
	return fd;
}

/* ---- reading */

static int read_text(struct fg_sources *s, int fd, struct attempt *a)
{
	ssize_t n;

	do {
		fg_buf_reserve(&s->text, READ_SIZE);
		n = fg_io_read(fd, s->text.ptr + s->text.len, READ_SIZE);
		if (n > 0)
			s->text.len += (size_t)n;
	} while (n > 0 && s->text.len <= FG_SOURCE_MAX);
	if (n < 0)
		return refuse(a, FAILED);
	return s->text.len > FG_SOURCE_MAX ? refuse(a, TOO_LARGE) : 0;
}

static void find_lines(struct fg_sources *s)
{
	struct fg_str rest = fg_buf_str(&s->text);

	while (rest.len) {
		fg_str_cut(&rest, '\n');
		FG_GROW(s->ends, s->ends_alloc, s->lines + 1);
		s->ends[s->lines++] = s->text.len - rest.len;
	}
}

static bool read_below(struct fg_sources *s, size_t folder, struct fg_str name,
		       struct attempt *a)
{
	struct fg_str shown = fg_str_from(s->folders[folder]);
	int fd = open_below(s->fds[folder], name, a);
	int status;

	if (fd < 0)
		return false;
	status = read_text(s, fd, a);
	close(fd);
	if (status) {
		fg_buf_clear(&s->text);
		return false;
	}
	if (!fg_str_eq(shown, FG_STR("."))) {
		fg_buf_add_str(&s->found, shown);
		if (!fg_str_ends(shown, FG_STR("/")))
			fg_buf_add_char(&s->found, '/');
	}
	fg_buf_add_str(&s->found, name);
	find_lines(s);
	return true;
}

/* ---- the names that are tried */

/*
 * Appends the components of a path to `clean`, with one '/' between them and without
 * ".". If the path has "..", keeps only what comes after the last one. Takes '\' for a
 * separator if the path has no '/', and drops the letter of a drive.
 */
static void clean_path(struct fg_str path, struct fg_buf *clean)
{
	char separator = fg_str_has_char(path, '/') ? '/' : '\\';

	while (path.len) {
		struct fg_str part = fg_str_cut(&path, separator);

		if (!part.len || fg_str_eq(part, FG_STR(".")))
			continue;
		if (part.len == 2 && part.ptr[1] == ':' && !clean->len)
			continue;
		if (fg_str_eq(part, FG_STR(".."))) {
			fg_buf_clear(clean);
			continue;
		}
		if (clean->len)
			fg_buf_add_char(clean, '/');
		fg_buf_add_str(clean, part);
	}
}

/* The names that were tried for a path, for a message. */
struct tried {
	struct fg_buf text;
	size_t count;
	struct attempt worst; /* the first reason other than MISSING */
	struct fg_buf worst_name;
};

static void note(struct tried *t, const struct fg_sources *s, size_t folder,
		 struct fg_str name, const struct attempt *a)
{
	struct fg_buf *to = &t->text;

	if (a->refusal != MISSING && t->worst.refusal == MISSING) {
		t->worst = *a;
		fg_buf_add_visible(&t->worst_name, name, FG_QUOTED_MAX);
	}
	if (t->count++ >= TOLD)
		return;
	fg_buf_add_str(to, t->count > 1 ? FG_STR(", '") : FG_STR("'"));
	fg_buf_add_visible(to, fg_str_from(s->folders[folder]), FG_QUOTED_MAX);
	fg_buf_add_char(to, '/');
	fg_buf_add_visible(to, name, FG_QUOTED_MAX);
	fg_buf_add_char(to, '\'');
}

static void add_reason(const struct tried *t, struct fg_buf *text)
{
	static const char *const reasons[] = {
		[LINK] = "there is a link on the way, which is not followed",
		[NOT_REGULAR] = "it is not a regular file",
		[KERNEL] = "it is a file of the kernel",
		[TOO_LARGE] = "it is larger than 16 MiB",
	};

	if (t->worst.refusal == MISSING)
		return;
	fg_buf_addf(text, "; '%.*s': %s", (int)t->worst_name.len, t->worst_name.ptr,
		    t->worst.refusal == FAILED ? strerror(t->worst.error) :
						 reasons[t->worst.refusal]);
}

static void report(const struct fg_sources *s, struct fg_str path,
		   const struct tried *t)
{
	struct fg_buf name = FG_BUF_INIT, more = FG_BUF_INIT;

	fg_buf_add_visible(&name, path, FG_QUOTED_MAX);
	if (t->count > TOLD)
		fg_buf_addf(&more, " and %zu more", t->count - TOLD);
	add_reason(t, &more);
	if (t->count)
		fg_warn(s->diag, NULL,
			"no source of '%s' (--source-dir names its folder): tried "
			"%.*s%s",
			fg_buf_cstr(&name), (int)t->text.len, t->text.ptr,
			fg_buf_cstr(&more));
	else
		fg_warn(s->diag, NULL, "no source of '%s': that is no name of a file",
			fg_buf_cstr(&name));
	fg_buf_release(&name);
	fg_buf_release(&more);
}

/* Tries a path without its first components, one fewer each time. */
static bool try_all(struct fg_sources *s, struct fg_str clean, struct tried *t)
{
	struct attempt a;

	while (clean.len && t->count < FG_SOURCE_TRIES) {
		for (size_t i = 0; i < s->count; i++) {
			if (read_below(s, i, clean, &a))
				return true;
			note(t, s, i, clean, &a);
		}
		fg_str_cut(&clean, '/');
	}
	return false;
}

bool fg_sources_read(struct fg_sources *s, struct fg_str path)
{
	struct tried tried = { .count = 0 };
	struct fg_buf clean = FG_BUF_INIT;
	size_t before = s->missing.count;
	bool found;

	if (s->path.len && fg_str_eq(fg_buf_str(&s->path), path))
		return true;
	fg_sources_forget(s);
	clean_path(path, &clean);
	found = !fg_str_has_char(path, '\0') && try_all(s, fg_buf_str(&clean), &tried);
	if (found) {
		fg_buf_add_str(&s->path, path);
	} else if (fg_intern(&s->missing, path) == before &&
		   before < FG_SOURCE_MESSAGES) {
		report(s, path, &tried);
	}
	fg_buf_release(&tried.text);
	fg_buf_release(&tried.worst_name);
	fg_buf_release(&clean);
	return found;
}

void fg_sources_end(const struct fg_sources *s)
{
	if (s->missing.count > FG_SOURCE_MESSAGES)
		fg_warn(s->diag, NULL, "no source of %zu more files",
			s->missing.count - FG_SOURCE_MESSAGES);
}

struct fg_str fg_sources_line(const struct fg_sources *s, uint32_t number)
{
	size_t start, end;

	if (!number || number > s->lines)
		return fg_str_of(NULL, 0);
	start = number > 1 ? s->ends[number - 2] : 0;
	end = s->ends[number - 1];
	if (end > start && s->text.ptr[end - 1] == '\n')
		end--;
	if (end > start && s->text.ptr[end - 1] == '\r')
		end--;
	return fg_str_of(s->text.ptr + start, end - start);
}
