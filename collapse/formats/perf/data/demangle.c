/* Demangling: which demangler knows a name. */
#include "collapse/formats/perf/data/demangle.h"

#include <string.h>

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

/*
 * "Ljava/lang/Object;hash(I)V", as a Java agent names a method in the files that perf
 * inject makes of a jitdump, is java.lang.Object.hash.
 */
static enum fg_pd_demangled by_java(const char *name, struct fg_buf *out)
{
	struct fg_str method = fg_str_from_pos(fg_str_from(name), 1);
	struct fg_str class = fg_str_cut(&method, ';');

	method = fg_str_before(method, fg_str_find_char(method, '('));
	if (!fg_str_has_char(class, '/') || !method.len || !strchr(name, ')') ||
	    fg_str_has_char(method, ';'))
		return FG_PD_NOT_MANGLED;
	for (size_t i = 0; i < class.len; i++)
		fg_buf_add_char(out, class.ptr[i] == '/' ? '.' : class.ptr[i]);
	fg_buf_add_char(out, '.');
	fg_buf_add_str(out, method);
	return FG_PD_DEMANGLED;
}

enum fg_pd_demangled fg_pd_demangle(const char *name, struct fg_buf *out)
{
	switch (name[0]) {
	case '_':
		return fg_pd_by_libiberty(name, out);
	case 'c':
		return by_ocaml(name, out);
	case 'L':
		return by_java(name, out);
	default:
		return FG_PD_NOT_MANGLED; /* the demangler takes its time to say so */
	}
}
