/* ELF files as libelf is used on them: any bytes give symbols or none. */
#include "collapse/formats/perf/data/elfsymbols.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_pd_elf *e = fg_pd_elf_open_image(fg_str_of((const char *)data, size));
	struct fg_pd_build_id id;
	struct fg_pd_symtab t;
	struct fg_str link;

	if (!e)
		return 0;
	id = fg_pd_elf_build_id(e);
	fuzz_check(id.len <= FG_PD_BUILD_ID_MAX, "a build id fits");
	link = fg_pd_elf_debug_link(e);
	fuzz_check(!fg_str_has_char(link, '\0'), "the name of a file has no NUL");
	fg_pd_symtab_init(&t, FG_PD_SYMTAB_ELF);
	fg_pd_elf_symbols(e, e, &t);
	fg_pd_symtab_finish(&t);
	fuzz_symtab(&t);
	fg_pd_symtab_release(&t);
	fg_pd_elf_close(e);
	return 0;
}
