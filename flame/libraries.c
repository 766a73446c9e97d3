/* Finds the libraries of programs and processes. */
#include "flame/libraries.h"

#include <stdlib.h>
#include <unistd.h>

#include "flame/files.h"
#include "lib/base/child.h"

/* ldd prints "	libz.so.1 => /lib/libz.so.1 (0x00007f0123456000)". */
static void add_line(struct fg_str line, struct fg_args *libraries)
{
	size_t start = fg_str_find_char(line, '/');
	size_t end = fg_str_rfind_char(line, '(');

	if (start < end && end < line.len && line.ptr[end - 1] == ' ')
		fg_args_addf(libraries, "%.*s", (int)(end - 1 - start),
			     line.ptr + start);
}

void fg_libraries_of_program(const char *path, struct fg_args *libraries)
{
	const char *const args[] = { "ldd", path, NULL };
	const struct fg_ask ask = { .args = args };
	struct fg_buf answer = FG_BUF_INIT;
	struct fg_str rest;

	fg_ask(&ask, &answer);
	rest = fg_buf_str(&answer);
	while (rest.len)
		add_line(fg_str_cut(&rest, '\n'), libraries);
	fg_buf_release(&answer);
}

static bool has(const struct fg_args *files, const char *name)
{
	for (size_t i = 0; i < files->count; i++)
		if (!strcmp(files->items[i], name))
			return true;
	return false;
}

/* A line of maps is "5581-5582 r-xp 00002000 fe:01 1234   /usr/bin/app". */
static void add_mapping(long pid, struct fg_str line, struct fg_args *files)
{
	struct fg_str path = fg_str_from_pos(line, fg_str_find_char(line, '/'));
	struct fg_buf name = FG_BUF_INIT;

	fg_str_cut(&line, ' ');
	if (line.len > 2 && line.ptr[2] == 'x' && path.len) {
		fg_buf_addf(&name, "/proc/%ld/root", pid);
		fg_buf_add_str(&name, path);
		if (!has(files, fg_buf_cstr(&name)))
			fg_args_add(files, fg_buf_cstr(&name));
	}
	fg_buf_release(&name);
}

void fg_code_of_process(long pid, struct fg_args *files)
{
	struct fg_buf name = FG_BUF_INIT, maps = FG_BUF_INIT;
	struct fg_str rest;

	fg_buf_addf(&name, "/proc/%ld/maps", pid);
	fg_file_start(fg_buf_cstr(&name), SIZE_MAX, &maps);
	rest = fg_buf_str(&maps);
	while (rest.len)
		add_mapping(pid, fg_str_cut(&rest, '\n'), files);
	fg_buf_release(&name);
	fg_buf_release(&maps);
}

bool fg_program_of_process(long pid, struct fg_buf *path)
{
	struct fg_buf link = FG_BUF_INIT;
	char target[4096];
	ssize_t len;

	fg_buf_addf(&link, "/proc/%ld/exe", pid);
	len = readlink(fg_buf_cstr(&link), target, sizeof(target));
	if (len > 0)
		fg_buf_addf(path, "/proc/%ld/root%.*s", pid, (int)len, target);
	fg_buf_release(&link);
	return len > 0;
}

void fg_libraries_of_process(long pid, struct fg_args *libraries)
{
	struct fg_args files = FG_ARGS_INIT;
	struct fg_buf program = FG_BUF_INIT;

	fg_program_of_process(pid, &program);
	fg_code_of_process(pid, &files);
	for (size_t i = 0; i < files.count; i++)
		if (strcmp(files.items[i], fg_buf_cstr(&program)) != 0)
			fg_args_add(libraries, files.items[i]);
	fg_args_release(&files);
	fg_buf_release(&program);
}

int fg_each_pid(const char *pids, int (*each)(void *data, long pid), void *data)
{
	struct fg_str rest = fg_str_from(pids);
	int status = 0;

	while (rest.len && !status) {
		struct fg_buf number = FG_BUF_INIT;

		fg_buf_add_str(&number, fg_str_cut(&rest, ','));
		status = each(data, strtol(fg_buf_cstr(&number), NULL, 10));
		fg_buf_release(&number);
	}
	return status;
}
