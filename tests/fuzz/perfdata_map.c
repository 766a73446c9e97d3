/*
 * Fuzzes perf-PID.map: an address is inside the symbol that is found for it, and a file
 * that grows has the same symbols as one that is read when it is complete.
 */
#include "collapse/symbols/jitmap.h"
#include "lib/base/io.h"
#include "tests/fuzz/file.h"
#include "tests/fuzz/symbols.h"

/*
 * Places where a file that is read in two parts is cut. 0: no cut, it is read from
 * memory.
 */
#define CUTS 4

static void read_in_parts(struct fg_jitmap *map, struct fg_str text, size_t cut,
			  struct fg_symtab *t)
{
	struct fuzz_file file;

	fuzz_file_make(&file, "map", fg_str_before(text, cut));
	fuzz_check(!fg_jitmap_read(map, fg_io_open(file.path.ptr), true, t),
		   "a file of ours can be read");
	fuzz_check(map->size <= cut, "no more is read than there is");
	fuzz_file_append(&file, fg_str_from_pos(text, cut));
	fuzz_check(!fg_jitmap_read(map, fg_io_open(file.path.ptr), false, t),
		   "a file that has grown can be read");
	fuzz_check(map->size == text.len, "all is read in the end");
	fuzz_file_remove(&file);
}

static void check_same(struct fg_symtab *a, struct fg_symtab *b)
{
	fuzz_check(a->count == b->count, "there are as many symbols");
	for (size_t i = 0; i < a->count; i++) {
		const struct fg_symbol *s = fg_symtab_find(a, a->items[i].key).symbol;
		const struct fg_symbol *other =
			fg_symtab_find(b, a->items[i].key).symbol;

		fuzz_check(!s == !other, "both have a symbol there");
		if (s)
			fuzz_check_equal(fg_symbol_name(s), fg_symbol_name(other),
					 "it has the same name");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str text = fg_str_of((const char *)data, size);
	unsigned cut = fuzz_choice(&text, CUTS);
	struct fg_jitmap map = { .size = 0 }, parts = { .size = 0 };
	struct fg_symtab t, other;

	fg_symtab_init(&t, FG_SYMTAB_JIT);
	fg_jitmap_parse(&map, text, &t);
	fg_symtab_finish(&t);
	fuzz_symtab(&t);
	if (cut) {
		fg_symtab_init(&other, FG_SYMTAB_JIT);
		read_in_parts(&parts, text, text.len * cut / CUTS, &other);
		fg_symtab_finish(&other);
		check_same(&t, &other);
		fg_symtab_release(&other);
		fg_jitmap_release(&parts);
	}
	fg_symtab_release(&t);
	fg_jitmap_release(&map);
	return 0;
}
