/* Fuzzes demangling, one name a line: the result is no longer than allowed. */
#include "collapse/symbols/demangle.h"
#include "tests/fuzz/fuzz.h"

/* Demangles a copy, so that reading beyond its NUL is detected. */
static void demangle(struct fg_str name)
{
	struct fg_buf out = FG_BUF_INIT;
	char *copy = malloc(name.len + 1);
	enum fg_demangled status;

	if (!copy)
		abort();
	if (name.len)
		memcpy(copy, name.ptr, name.len);
	copy[name.len] = '\0';
	status = fg_demangle(copy, &out);
	fuzz_check(status == FG_DEMANGLED || !out.len,
		   "only what is demangled has a plain name");
	fuzz_check(out.len <= FG_DEMANGLED_MAX || out.len <= name.len,
		   "a plain name is not too long");
	free(copy);
	fg_buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str rest = fg_str_of((const char *)data, size);

	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');

		demangle(fg_str_before(line, fg_str_find_char(line, '\0')));
	}
	return 0;
}
