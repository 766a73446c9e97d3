/* Names, by the demangler of GNU libiberty. */
#include "collapse/formats/perf/data/libiberty.h"

#ifdef FG_HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

#include "collapse/formats/perf/data/packs.h"

/* Longer names are not a compiler's, and may take the demangler very long. */
#define NAME_MAX_BYTES 65536

/* What is made of a name. */
struct plain {
	struct fg_buf *out;
	size_t start; /* where it is in there */
	jmp_buf too_long;
};

/*
 * The demangler can be stopped from here only. It hands out what it makes rather than
 * allocate it, and holds nothing then; a Rust name with letters beyond ASCII is lost.
 */
static void take(const char *bytes, size_t len, void *data)
{
	struct plain *plain = data;

	if (len > FG_PD_PLAIN_MAX - (plain->out->len - plain->start))
		longjmp(plain->too_long, 1);
	fg_buf_add(plain->out, bytes, len);
}

/* Names of Rust's older scheme are names of C++, too. */
enum fg_pd_demangled fg_pd_by_libiberty(const char *name, struct fg_buf *out)
{
	struct plain plain = { .out = out, .start = out->len };

	if (strlen(name) > NAME_MAX_BYTES || !fg_pd_packs_are_small(name))
		return FG_PD_NAME_TOO_LONG;
	if (setjmp(plain.too_long)) {
		out->len = plain.start;
		return FG_PD_NAME_TOO_LONG;
	}
	if (rust_demangle_callback(name, DMGL_NO_OPTS, take, &plain))
		return FG_PD_DEMANGLED;
	out->len = plain.start;
	if (cplus_demangle_v3_callback(name, DMGL_NO_OPTS, take, &plain))
		return FG_PD_DEMANGLED;
	out->len = plain.start;
	return FG_PD_NOT_MANGLED;
}

#endif
