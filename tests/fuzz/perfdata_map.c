/* perf-PID.map: addresses are in the symbols that are found for them. */
#include "collapse/formats/perf/data/jitmap.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_pd_jitmap map = { .size = 0 };
	struct fg_pd_symtab t;

	fg_pd_symtab_init(&t, FG_PD_SYMTAB_JIT);
	fg_pd_jitmap_parse(&map, fg_str_of((const char *)data, size), &t);
	fg_pd_symtab_finish(&t);
	fuzz_symtab(&t);
	fg_pd_symtab_release(&t);
	fg_pd_jitmap_release(&map);
	return 0;
}
