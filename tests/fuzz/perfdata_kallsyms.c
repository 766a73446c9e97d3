/* Fuzzes /proc/kallsyms: an address is inside the symbol that is found for it. */
#include "collapse/symbols/kallsyms.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/symbols.h"

static void symbol_at(struct fg_kallsyms *k, uint64_t address)
{
	const struct fg_symbol *s = fg_kallsyms_find(k, address).symbol;

	if (s)
		fuzz_check(address >= s->start && address < s->end,
			   "an address is in its symbol");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_kallsyms k;

	fg_kallsyms_init(&k);
	k.reference = FG_STR("_text");
	k.reference_at = UINT64_C(0xffffffff81000000);
	fg_kallsyms_parse(&k, fg_str_of((const char *)data, size));
	symbol_at(&k, k.reference_at);
	symbol_at(&k, k.reference_at + 4096);
	symbol_at(&k, fg_kallsyms_end(&k) - 1);
	symbol_at(&k, UINT64_C(0xffffffffc0000000));
	symbol_at(&k, UINT64_MAX);
	fuzz_symtab(&k.rest);
	fg_kallsyms_release(&k);
	return 0;
}
