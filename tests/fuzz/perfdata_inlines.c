/*
 * Fuzzes debug information read with libdw: any bytes give inlined functions or none.
 */
#include "collapse/symbols/inlines.h"
#include "tests/fuzz/fuzz.h"

static void look_up(struct fg_inlines *in, uint64_t address)
{
	struct fg_inlined list[FG_INLINES_MAX];
	size_t count = fg_inlines_at(in, address, FG_INLINES_LINES, list);

	fuzz_check(count <= FG_INLINES_MAX, "functions fit");
	for (size_t i = 0; i < count; i++)
		fuzz_check(!list[i].name || strlen(list[i].name) < SIZE_MAX,
			   "names can be read");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_elf *e = fg_elf_open_image(fg_str_of((const char *)data, size));
	struct fg_inlines *in =
		e && fg_elf_has_debug(e) ? fg_inlines_open(e, NULL) : NULL;
	uint64_t address;

	for (uint64_t offset = 0; in && offset < 0x400; offset += 16)
		if (fg_elf_address(e, offset, &address))
			look_up(in, address);
	fg_inlines_close(in);
	fg_elf_close(e);
	return 0;
}
