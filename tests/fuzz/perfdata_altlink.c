/*
 * Fuzzes debug information that two files share (.gnu_debugaltlink). The input has
 * both, one after the other. Any bytes give inlined functions or none.
 */
#include "collapse/symbols/inlines.h"
#include "tests/fuzz/fuzz.h"

/* Returns where the second file starts, or the end. */
static size_t second_file(struct fg_str both)
{
	struct fg_str magic = FG_STR("\x7f"
				     "ELF");

	return 1 + fg_str_find(fg_str_from_pos(both, 1), magic);
}

static void look_up(const struct fg_elf *e, struct fg_inlines *in)
{
	struct fg_inlined list[FG_INLINES_MAX];
	uint64_t address;

	for (uint64_t offset = 0; in && offset < 0x2000; offset += 16) {
		size_t count = 0;

		if (fg_elf_address(e, offset, &address))
			count = fg_inlines_at(in, address, FG_INLINES_LINES, list);
		for (size_t i = 0; i < count; i++)
			fuzz_check(!list[i].name || strlen(list[i].name) < SIZE_MAX,
				   "names can be read");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str both = fg_str_of((const char *)data, size);
	size_t end = size ? second_file(both) : 0;
	struct fg_elf *e = fg_elf_open_image(fg_str_before(both, end));
	struct fg_elf *shared = fg_elf_open_image(fg_str_from_pos(both, end));
	struct fg_inlines *in = NULL;

	if (e) {
		struct fg_build_id id = fg_elf_shared_id(e);

		fuzz_check(id.len <= FG_BUILD_ID_MAX, "a build id fits");
	}
	if (e && fg_elf_has_debug(e))
		in = fg_inlines_open(e, shared);
	look_up(e, in);
	fg_inlines_close(in);
	fg_elf_close(shared);
	fg_elf_close(e);
	return 0;
}
