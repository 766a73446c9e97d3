/* Fuzzes ELF files read with libelf: any bytes give symbols or none. */
#include "collapse/symbols/elfsymbols.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_elf *e = fg_elf_open_image(fg_str_of((const char *)data, size));
	struct fg_build_id id;
	struct fg_symtab t;
	struct fg_str link;

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
	fg_elf_close(e);
	return 0;
}
