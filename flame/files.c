/* Checks the files that flame reads and writes. */
#define _XOPEN_SOURCE 700 /* for realpath() */
#include "flame/files.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/io.h"

/* An SVG file has its first element within this many bytes. */
#define PICTURE_START 4096

#define READ_SIZE ((size_t)16 * 1024)

/* ---- inputs */

void fg_file_start(const char *name, size_t size, struct fg_buf *bytes)
{
	int fd = fg_io_open(name);
	ssize_t got = 1;

	if (fd < 0)
		return;
	while (size && got > 0) {
		size_t part = size < READ_SIZE ? size : READ_SIZE;

		fg_buf_reserve(bytes, part);
		got = fg_io_read(fd, bytes->ptr + bytes->len, part);
		if (got > 0) {
			bytes->len += (size_t)got;
			size -= (size_t)got;
		}
	}
	close(fd);
}

bool fg_file_starts(const char *name, struct fg_str prefix)
{
	struct fg_buf bytes = FG_BUF_INIT;
	bool starts;

	fg_file_start(name, prefix.len, &bytes);
	starts = fg_str_eq(fg_buf_str(&bytes), prefix);
	fg_buf_release(&bytes);
	return starts;
}

bool fg_file_reads_once(const char *name)
{
	static const struct fg_str open[] = { FG_STR_INIT("/dev/fd/"),
					      FG_STR_INIT("/proc/self/fd/") };
	struct stat st;

	return !strcmp(name, "-") || !strcmp(name, "/dev/stdin") ||
	       fg_str_starts_any(fg_str_from(name), open, FG_COUNT_OF(open)) ||
	       (!stat(name, &st) && S_ISFIFO(st.st_mode));
}

bool fg_file_is_recording(const char *name)
{
	return !fg_file_reads_once(name) && (fg_file_starts(name, FG_STR("PERFILE2")) ||
					     fg_file_starts(name, FG_STR("2ELIFREP")));
}

bool fg_file_is_picture(const char *name)
{
	struct fg_buf bytes = FG_BUF_INIT;
	struct fg_str rest, mark = FG_STR("<svg");
	bool found = false;

	if (fg_file_reads_once(name))
		return false;
	fg_file_start(name, PICTURE_START, &bytes);
	rest = fg_buf_str(&bytes);
	while (!found && rest.len > mark.len) {
		rest = fg_str_from_pos(rest, fg_str_find(rest, mark));
		found = rest.len > mark.len &&
			(rest.ptr[mark.len] == '>' || fg_is_space(rest.ptr[mark.len]));
		rest = fg_str_from_pos(rest, mark.len);
	}
	fg_buf_release(&bytes);
	return found;
}

/* Appends the name of the user that we run as, or the number. */
static void add_user(struct fg_buf *text)
{
	const struct passwd *user = getpwuid(geteuid());

	if (user)
		fg_buf_addf(text, "%s", user->pw_name);
	else
		fg_buf_addf(text, "%lu", (unsigned long)geteuid());
}

int fg_check_input(const char *name, struct fg_diag *diag)
{
	const struct fg_place at = { name, 0 };
	struct fg_buf cure = FG_BUF_INIT;
	struct stat st;
	int error;

	if (!strcmp(name, "-"))
		return 0;
	if (!stat(name, &st) && S_ISDIR(st.st_mode))
		return fg_error(diag, &at, "cannot be read: it is a folder");
	if (!access(name, R_OK))
		return 0;
	error = errno;
	if (!access(name, F_OK)) {
		fg_buf_add_str(&cure, FG_STR(": sudo chown "));
		add_user(&cure);
		fg_buf_addf(&cure, " %s", name);
	}
	fg_error(diag, &at, "cannot be read: %s%s", strerror(error),
		 fg_buf_cstr(&cure));
	fg_buf_release(&cure);
	return -1;
}

/* ---- outputs */

/* Sets `folder` to the folder of a file, with a slash at its end. */
static void set_folder(struct fg_buf *folder, const char *name)
{
	struct fg_str path = fg_str_from(name);
	size_t slash = fg_str_rfind_char(path, '/');

	fg_buf_clear(folder);
	fg_buf_add_str(folder, slash < path.len ? fg_str_before(path, slash + 1) :
						  FG_STR("./"));
}

/*
 * Checks that the file `path`, which messages call `name`, can be created. We create
 * another file to find out, because a file system may be read-only or a quota used up.
 */
static int check_folder(const char *name, const char *path, struct fg_diag *diag)
{
	struct fg_buf folder = FG_BUF_INIT, tried = FG_BUF_INIT;
	struct stat st;
	int status = 0, fd;

	set_folder(&folder, path);
	if (stat(fg_buf_cstr(&folder), &st) || !S_ISDIR(st.st_mode)) {
		status = fg_error(diag, NULL,
				  "%s cannot be written: there is no folder %s", name,
				  fg_buf_cstr(&folder));
	} else {
		fg_buf_addf(&tried, "%s.flame.XXXXXX", fg_buf_cstr(&folder));
		fg_buf_add_char(&tried, '\0');
		fd = mkstemp(tried.ptr);
		if (fd < 0)
			status = fg_error(
				diag, NULL,
				"%s cannot be written: no file can be made in %s", name,
				fg_buf_cstr(&folder));
		else if (!close(fd))
			unlink(tried.ptr);
	}
	fg_buf_release(&folder);
	fg_buf_release(&tried);
	return status;
}

static bool is_standard_output(const char *name)
{
	return !strcmp(name, "-") || !strcmp(name, "/dev/stdout") ||
	       !strcmp(name, "/dev/fd/1") || !strcmp(name, "/proc/self/fd/1");
}

/* Returns true for the name of a file that is open already, like /dev/stderr. */
static bool is_open_file(const char *name, const struct stat *st)
{
	return S_ISREG(st->st_mode) &&
	       (!strncmp(name, "/dev/", 5) || !strncmp(name, "/proc/", 6));
}

/* Checks a file that exists. Its folder matters because the file is replaced. */
static int check_existing(const char *name, const struct stat *st,
			  enum fg_output_kind kind, struct fg_diag *diag)
{
	char *real;
	int status;

	if (S_ISDIR(st->st_mode))
		return fg_error(diag, NULL, "%s cannot be written: it is a folder",
				name);
	if (kind == FG_OUTPUT_RECORDING)
		return S_ISREG(st->st_mode) ? check_folder(name, name, diag) : 0;
	if (is_open_file(name, st))
		return 0;
	if (access(name, W_OK))
		return fg_error(diag, NULL, "%s cannot be written", name);
	if (!S_ISREG(st->st_mode))
		return 0;
	real = realpath(name, NULL);
	status = check_folder(name, real ? real : name, diag);
	free(real);
	return status;
}

int fg_check_output(const char *name, enum fg_output_kind kind, struct fg_diag *diag)
{
	struct stat st;

	if (!name)
		return 0;
	if (kind != FG_OUTPUT_PICTURE && is_standard_output(name))
		return fg_error(diag, NULL,
				"%s cannot be written: only the picture goes to "
				"standard output, with -o -",
				name);
	if (!strcmp(name, "-"))
		return 0;
	if (!stat(name, &st))
		return check_existing(name, &st, kind, diag);
	return check_folder(name, name, diag);
}

static bool is_same(const char *a, const char *b)
{
	struct stat first, second;

	return !stat(a, &first) && !stat(b, &second) && first.st_dev == second.st_dev &&
	       first.st_ino == second.st_ino;
}

/* Returns true for names of the same file, which need not exist. */
static bool is_same_file(const char *a, const char *b)
{
	struct fg_buf folder_a = FG_BUF_INIT, folder_b = FG_BUF_INIT;
	bool same = !strcmp(a, b) || is_same(a, b);

	if (!same && access(a, F_OK) &&
	    fg_str_eq(fg_str_basename(fg_str_from(a)),
		      fg_str_basename(fg_str_from(b)))) {
		set_folder(&folder_a, a);
		set_folder(&folder_b, b);
		same = is_same(fg_buf_cstr(&folder_a), fg_buf_cstr(&folder_b));
	}
	fg_buf_release(&folder_a);
	fg_buf_release(&folder_b);
	return same;
}

int fg_check_apart(const char *name, const char *const *others, size_t count,
		   struct fg_diag *diag)
{
	struct stat st;

	if (!name || !strcmp(name, "-") || (!stat(name, &st) && !S_ISREG(st.st_mode)))
		return 0;
	for (size_t i = 0; i < count; i++)
		if (others[i] && is_same_file(name, others[i]))
			return fg_error(diag, NULL,
					"%s cannot be written: another option has that "
					"file, too",
					name);
	return 0;
}
