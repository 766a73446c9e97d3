/* Demangling: which demangler knows a name. */
#include "collapse/formats/perf/data/demangle.h"

/* "camlModule__function_12": "__" stands for a dot, "$28" for the byte 0x28. */
static enum fg_pd_demangled by_ocaml(const char *name, struct fg_buf *out)
{
	struct fg_str rest = fg_str_from(name);

	if (!fg_str_starts(rest, FG_STR("caml")) || rest.len < 5 || rest.ptr[4] < 'A' ||
	    rest.ptr[4] > 'Z')
		return FG_PD_NOT_MANGLED;
	for (size_t i = 4; i < rest.len; i++) {
		char c = rest.ptr[i];

		if (c == '_' && rest.ptr[i + 1] == '_') {
			fg_buf_add_char(out, '.');
			i++;
		} else if (c == '$' && fg_hex_digit(rest.ptr[i + 1]) < 16 &&
			   fg_hex_digit(rest.ptr[i + 2]) < 16) {
			fg_buf_add_char(out, (char)(fg_hex_digit(rest.ptr[i + 1]) * 16 +
						    fg_hex_digit(rest.ptr[i + 2])));
			i += 2;
		} else {
			fg_buf_add_char(out, c);
		}
	}
	return FG_PD_DEMANGLED;
}

enum fg_pd_demangled fg_pd_demangle(const char *name, struct fg_buf *out)
{
	/* Nothing else is mangled, and the demangler takes its time to say so. */
	if (name[0] != '_' && name[0] != 'c')
		return FG_PD_NOT_MANGLED;
	return name[0] == '_' ? fg_pd_by_libiberty(name, out) : by_ocaml(name, out);
}
