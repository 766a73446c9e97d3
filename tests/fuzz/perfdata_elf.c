/* Fuzzes ELF files read with libelf: any bytes give symbols or none. */
#include <string.h>

#include "collapse/symbols/byname.h"
#include "collapse/symbols/elfsymbols.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/symbols.h"

struct found {
	const struct fg_elf *e;
	struct fg_byname names;
};

/* Checks that a symbol is found by the name that the file has for it. */
static void find(void *data, const char *name, uint64_t address)
{
	struct found *found = data;
	struct fg_buf symbol = FG_BUF_INIT;

	(void)address;
	fg_buf_addf(&symbol, "%.300s+0x1", name);
	if (strlen(name) < 300 && *name && !strchr(name, '+'))
		fuzz_check(fg_byname_find(&found->names, found->e, fg_buf_str(&symbol),
					  &address),
			   "a symbol has a place");
	fg_buf_release(&symbol);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_elf *e = fg_elf_open_image(fg_str_of((const char *)data, size));
	struct fg_build_id id;
	struct fg_symtab t;
	struct fg_str link;
	struct found found = { .e = NULL };
	uint64_t address;

	if (!e)
		return 0;
	id = fg_elf_build_id(e);
	fuzz_check(id.len <= FG_BUILD_ID_MAX, "a build id fits");
	link = fg_elf_debug_link(e);
	fuzz_check(!fg_str_has_char(link, '\0'), "the name of a file has no NUL");
	fg_symtab_init(&t, FG_SYMTAB_ELF);
	fg_elf_symbols(e, e, &t);
	fg_symtab_finish(&t);
	fuzz_symtab(&t);
	fg_symtab_release(&t);
	found.e = e;
	fg_elf_each_name(e, find, &found);
	fg_byname_find(&found.names, e, FG_STR("no such name+0x1"), &address);
	fg_byname_release(&found.names);
	fg_elf_close(e);
	return 0;
}
