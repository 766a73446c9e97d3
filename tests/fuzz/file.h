/*
 * A folder with one file, perhaps in folders of its own, and perhaps another beside it,
 * for parsers that open files themselves.
 */
#ifndef FG_TESTS_FUZZ_FILE_H
#define FG_TESTS_FUZZ_FILE_H

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "tests/fuzz/fuzz.h"

struct fuzz_file {
	struct fg_buf folder, path, other;
};

static inline void fuzz_file_put(struct fg_buf *path, const char *mode,
				 struct fg_str text)
{
	FILE *file = fopen(fg_buf_cstr(path), mode);

	if (!file)
		abort();
	if (text.len && fwrite(text.ptr, 1, text.len, file) != text.len)
		abort();
	if (fclose(file))
		abort();
}

static inline void fuzz_file_make(struct fuzz_file *f, const char *name,
				  struct fg_str text)
{
	const char *tmp = getenv("TMPDIR");

	memset(f, 0, sizeof(*f));
	fg_buf_addf(&f->folder, "%s/flamepipe-fuzz-XXXXXX", tmp ? tmp : "/tmp");
	fg_buf_cstr(&f->folder);
	if (!mkdtemp(f->folder.ptr))
		abort();
	fg_buf_addf(&f->path, "%s/%s", f->folder.ptr, name);
	fg_buf_cstr(&f->path);
	for (size_t i = strlen(f->folder.ptr) + 1; i < f->path.len; i++)
		if (f->path.ptr[i] == '/') {
			f->path.ptr[i] = '\0';
			if (mkdir(f->path.ptr, 0700))
				abort();
			f->path.ptr[i] = '/';
		}
	fuzz_file_put(&f->path, "wb", text);
}

static inline void fuzz_file_append(struct fuzz_file *f, struct fg_str text)
{
	fuzz_file_put(&f->path, "ab", text);
}

/* Adds another file beside the first. */
static inline void fuzz_file_add(struct fuzz_file *f, const char *name,
				 struct fg_str text)
{
	struct fg_str path = fg_buf_str(&f->path);

	fg_buf_add_str(&f->other, fg_str_before(path, fg_str_rfind_char(path, '/')));
	fg_buf_addf(&f->other, "/%s", name);
	fuzz_file_put(&f->other, "wb", text);
}

static inline void fuzz_file_remove(struct fuzz_file *f)
{
	if (f->other.len)
		unlink(fg_buf_cstr(&f->other));
	unlink(fg_buf_cstr(&f->path));
	for (size_t i = f->path.len; i-- > f->folder.len;)
		if (f->path.ptr[i] == '/') {
			f->path.ptr[i] = '\0';
			rmdir(f->path.ptr);
		}
	fg_buf_release(&f->other);
	fg_buf_release(&f->path);
	fg_buf_release(&f->folder);
}

#endif
