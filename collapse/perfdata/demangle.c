/*
 * Demangling, by the demangler of GNU libiberty.
 *
 * It is the one that perf uses, so names come out the same; it knows Rust's two schemes
 * as well as C++, and can leave parameters out, which __cxa_demangle of the C++
 * run-time library cannot. Its licence permits linking with anything. Without it names
 * stay mangled.
 */
#include "collapse/perfdata/demangle.h"

#include <stdlib.h>

#ifdef FG_HAVE_LIBIBERTY
#include <libiberty/demangle.h>

/* Names that take the demangler long are none that a compiler has made. */
#define NAME_MAX_BYTES 65536

static bool by_libiberty(const char *name, struct fg_buf *out)
{
	char *plain;

	if (strlen(name) > NAME_MAX_BYTES)
		return false;
	plain = cplus_demangle(name, DMGL_NO_OPTS);
	if (!plain)
		return false;
	fg_buf_add_str(out, fg_str_from(plain));
	free(plain);
	return true;
}
#else
static bool by_libiberty(const char *name, struct fg_buf *out)
{
	(void)name;
	(void)out;
	return false;
}
#endif

/* "camlModule__function_12": "__" stands for a dot, "$28" for the byte 0x28. */
static bool by_ocaml(const char *name, struct fg_buf *out)
{
	struct fg_str rest = fg_str_from(name);

	if (!fg_str_starts(rest, FG_STR("caml")) || rest.len < 5 || rest.ptr[4] < 'A' ||
	    rest.ptr[4] > 'Z')
		return false;
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
	return true;
}

bool fg_pd_demangle(const char *name, struct fg_buf *out)
{
	/* Nothing else is mangled, and the demangler takes its time to say so. */
	if (name[0] != '_' && name[0] != 'c')
		return false;
	return name[0] == '_' ? by_libiberty(name, out) : by_ocaml(name, out);
}
