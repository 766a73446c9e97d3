/* Walks the goldens of a collapser, folder by folder. */
#include "tests/unit/support/golden.h"

#include <dirent.h>
#include <string.h>

#include "tests/unit/support/support.h"

struct visit {
	bool (*call)(const struct golden_run *run, void *data);
	void *data;
	size_t count;
};

bool golden_read(const char *folder, const char *name, struct fg_buf *b)
{
	struct fg_buf path = FG_BUF_INIT;
	bool is_there;

	fg_buf_addf(&path, "%s/%s", folder, name);
	is_there = file_read(fg_buf_cstr(&path), b);
	fg_buf_release(&path);
	return is_there;
}

bool golden_arguments(const struct golden_run *run, const char *const *except,
		      struct fg_buf *b)
{
	if (!golden_read(run->folder, run->args, b))
		return true;
	for (size_t i = 0; i < b->len; i++) {
		if (strchr("'\"$\\", b->ptr[i]))
			return false;
		if (b->ptr[i] == '\n')
			b->ptr[i] = ' ';
	}
	for (; *except; except++)
		if (fg_str_has(fg_buf_str(b), fg_str_from(*except)))
			return false;
	return true;
}

static void visit_run(struct visit *v, const char *folder, const char *expected)
{
	struct fg_buf args = FG_BUF_INIT;

	fg_buf_addf(&args, "args%s", expected + strlen("expected"));
	v->count += v->call(
		&(struct golden_run){ folder, fg_buf_cstr(&args), expected }, v->data);
	fg_buf_release(&args);
}

static void visit_folder(struct visit *v, const char *folder)
{
	DIR *dir = opendir(folder);
	struct fg_buf path = FG_BUF_INIT;
	const struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		if (!strncmp(entry->d_name, "expected", strlen("expected")))
			visit_run(v, folder, entry->d_name);
		if (strchr(entry->d_name, '.'))
			continue;
		fg_buf_clear(&path);
		fg_buf_addf(&path, "%s/%s", folder, entry->d_name);
		visit_folder(v, fg_buf_cstr(&path));
	}
	closedir(dir);
	fg_buf_release(&path);
}

size_t golden_visit_program(const char *program,
			    bool (*visit)(const struct golden_run *run, void *data),
			    void *data)
{
	struct visit v = { visit, data, 0 };
	struct fg_buf folder = FG_BUF_INIT;

	fg_buf_addf(&folder, "tests/golden/%s", program);
	visit_folder(&v, fg_buf_cstr(&folder));
	fg_buf_release(&folder);
	return v.count;
}

size_t golden_visit(const char *format,
		    bool (*visit)(const struct golden_run *run, void *data), void *data)
{
	struct fg_buf program = FG_BUF_INIT;
	size_t count;

	fg_buf_addf(&program, "collapse-%s", format);
	for (size_t i = 0; i < program.len; i++)
		if (program.ptr[i] == '_')
			program.ptr[i] = '-';
	count = golden_visit_program(fg_buf_cstr(&program), visit, data);
	fg_buf_release(&program);
	return count;
}
