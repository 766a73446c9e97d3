/*
 * Fuzzes jitdumps: code and its symbols are inside the file, lines have names, and a
 * file that grows has the same code as one that is read when it is complete.
 */
#include "collapse/symbols/jitdump.h"
#include "lib/base/io.h"
#include "tests/fuzz/file.h"
#include "tests/fuzz/symbols.h"

/* Places where a file is cut that is read in two parts. */
#define CUTS 4

static struct fg_jitdump *open_dump(const struct fuzz_file *file, struct fg_symtab *t)
{
	struct fg_jitdump *j = fg_jitdump_open(fg_io_open(file->path.ptr));

	fg_symtab_init(t, FG_SYMTAB_JIT);
	fg_jitdump_read(j, t);
	return j;
}

static void check_code(struct fg_jitdump *j, struct fg_symtab *t, size_t size)
{
	for (size_t i = 0; i < j->count; i++) {
		const struct fg_jitdump_code *code = &j->codes[i];
		const struct fg_symbol *s = fg_symtab_find(t, code->at).symbol;
		struct fg_jitdump_line line;

		fuzz_check(code->size && code->start + code->size >= code->start,
			   "code is not empty and does not wrap around");
		fuzz_check(code->at < size, "code is in the file");
		fuzz_check(code->number == i, "code is in the order of the file");
		if (s && fg_jitdump_line(j, s, code->at + code->size / 2, &line))
			fuzz_check(*line.file && line.line > 0, "a line has a file");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str bytes = fg_str_of((const char *)data, size);
	size_t cut = size * (1 + fuzz_choice(&bytes, CUTS - 1)) / CUTS;
	struct fg_jitdump *whole, *parts;
	struct fg_symtab t, other;
	struct fuzz_file file;

	cut = cut < bytes.len ? cut : bytes.len;
	fuzz_file_make(&file, "jit-1.dump", fg_str_before(bytes, cut));
	parts = open_dump(&file, &other);
	fuzz_file_append(&file, fg_str_from_pos(bytes, cut));
	whole = open_dump(&file, &t);
	fg_jitdump_read(parts, &other);
	fg_symtab_finish(&other);
	fg_symtab_finish(&t);
	fuzz_symtab(&t);
	check_code(whole, &t, bytes.len);
	fuzz_check(parts->count == whole->count && other.count == t.count,
		   "a file that grows has as much code");
	fg_jitdump_close(parts);
	fg_jitdump_close(whole);
	fg_symtab_release(&other);
	fg_symtab_release(&t);
	fuzz_file_remove(&file);
	return 0;
}
