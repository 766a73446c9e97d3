/* /proc/kallsyms: addresses are in the symbols that are found for them. */
#include "collapse/perfdata/kallsyms.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fg_pd_kallsyms k;

	fg_buf_add(&text, (const char *)data, size);
	fg_pd_kallsyms_init(&k);
	k.reference = FG_STR("_text");
	k.reference_at = UINT64_C(0xffffffff81000000);
	fg_pd_kallsyms_parse(&k, &text);
	fuzz_symtab(&k.symtab);
	fg_pd_kallsyms_release(&k);
	fg_buf_release(&text);
	return 0;
}
