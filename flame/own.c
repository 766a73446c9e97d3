/* Finds our programs, and others on PATH. */
#include "flame/own.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/child.h"

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* Is called for each program of a name on PATH. Returns true if it is the one. */
typedef bool accept_program(const char *path);

/*
 * Appends the path of the first program of this name on PATH that is accepted. Returns
 * false if there is none.
 */
static bool search_path(const char *name, accept_program *accepts, struct fg_buf *path)
{
	struct fg_str rest = fg_str_from(getenv("PATH"));
	size_t start = path->len;

	while (rest.len) {
		struct fg_str folder = fg_str_cut(&rest, ':');

		path->len = start;
		fg_buf_add_str(path, folder.len ? folder : FG_STR("."));
		fg_buf_addf(path, "/%s", name);
		if (accepts(fg_buf_cstr(path) + start))
			return true;
	}
	path->len = start;
	return false;
}

bool fg_find_program(const char *name, struct fg_buf *path)
{
	if (!strchr(name, '/'))
		return *name && search_path(name, is_program, path);
	if (access(name, F_OK))
		return false;
	fg_buf_addf(path, "%s", name);
	return true;
}

/* Returns true for a program of flamepipe, whose --version says so. */
static bool is_ours(const char *path)
{
	const char *const args[] = { path, "--version", NULL };
	const struct fg_ask ask = { .args = args };
	struct fg_buf answer = FG_BUF_INIT;
	struct fg_str text;
	bool ours;

	if (!is_program(path))
		return false;
	fg_ask(&ask, &answer);
	text = fg_buf_str(&answer);
	ours = fg_str_cut_start(&text, fg_str_basename(fg_str_from(path))) &&
	       fg_str_starts(text, FG_STR(" (flamepipe) "));
	fg_buf_release(&answer);
	return ours;
}

int fg_find_own(const char *name, struct fg_buf *path, struct fg_diag *diag)
{
	struct fg_buf folder = FG_BUF_INIT;
	size_t start = path->len;
	int status = 0;

	if (fg_child_own_folder(&folder)) {
		fg_buf_add_str(path, fg_buf_str(&folder));
		fg_buf_addf(path, "/%s", name);
	}
	if (path->len == start || !is_program(fg_buf_cstr(path) + start)) {
		path->len = start;
		if (!search_path(name, is_ours, path))
			status = fg_error(diag, NULL,
					  "%s of flamepipe is neither in %s nor on "
					  "PATH: install it beside %s",
					  name, fg_buf_cstr(&folder), diag->program);
	}
	fg_buf_release(&folder);
	return status;
}

bool fg_is_on_path(const char *path)
{
	struct fg_str name = fg_str_basename(fg_str_from(path));
	struct fg_buf found = FG_BUF_INIT;
	struct stat a, b;
	bool same;

	same = fg_find_program(name.ptr, &found) && !stat(fg_buf_cstr(&found), &a) &&
	       !stat(path, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
	fg_buf_release(&found);
	return same;
}
