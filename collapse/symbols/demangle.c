/* Demangles names: chooses the demangler, and keeps libiberty's within limits. */
#include "collapse/symbols/demangle.h"

#include <string.h>

#ifdef FG_HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/xalloc.h"

#define SHORT DMGL_NO_OPTS
#define FULL (DMGL_PARAMS | DMGL_ANSI)

/* ---- parameter packs */

/*
 * libiberty expands a parameter pack once for each of its parts. In a mangled name,
 * references share parts. We measure how many parts the demangler would visit, as if
 * each reference were a copy.
 */

/*
 * The most parts of an expansion. In names that compilers write, it has less than a
 * hundred.
 */
#define EXPANSION_MAX 4096

/*
 * The parts of a name are in one block. There are at most this many for each byte of
 * the name.
 */
#define PARTS_PER_BYTE 2

struct tree {
	const struct demangle_component *parts;
	size_t count;
	/* number of parts in and below each part; 0: not measured yet */
	uint32_t *sizes;
	const struct demangle_component **open; /* parts that are being measured */
	size_t depth, alloc;
	bool too_large;
};

static size_t index_of(const struct tree *t, const struct demangle_component *p)
{
	uintptr_t start = (uintptr_t)t->parts, at = (uintptr_t)p;

	return at < start ? SIZE_MAX : (at - start) / sizeof(*p);
}

/*
 * Finds the parts directly below a part: none, one or two. For kinds that the switch
 * does not list, the result may be data instead of parts.
 */
static void find_below(const struct demangle_component *p,
		       const struct demangle_component *below[2])
{
	below[0] = below[1] = NULL;
	switch (p->type) {
	case DEMANGLE_COMPONENT_NAME:
	case DEMANGLE_COMPONENT_OPERATOR:
	case DEMANGLE_COMPONENT_BUILTIN_TYPE:
	case DEMANGLE_COMPONENT_SUB_STD:
	case DEMANGLE_COMPONENT_CHARACTER:
	case DEMANGLE_COMPONENT_NUMBER:
	case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
	case DEMANGLE_COMPONENT_FUNCTION_PARAM:
	case DEMANGLE_COMPONENT_UNNAMED_TYPE:
		break;
	case DEMANGLE_COMPONENT_LAMBDA:
	case DEMANGLE_COMPONENT_DEFAULT_ARG:
		below[0] = p->u.s_unary_num.sub;
		break;
	case DEMANGLE_COMPONENT_EXTENDED_OPERATOR:
		below[0] = p->u.s_extended_operator.name;
		break;
	case DEMANGLE_COMPONENT_CTOR:
		below[0] = p->u.s_ctor.name;
		break;
	case DEMANGLE_COMPONENT_DTOR:
		below[0] = p->u.s_dtor.name;
		break;
	default:
		below[0] = p->u.s_binary.left;
		below[1] = p->u.s_binary.right;
	}
}

/*
 * Returns true if a part was measured, and sets *size. Otherwise opens it, so that it
 * is measured next. A part that is below itself counts 1, a missing part 0.
 */
static bool is_measured(struct tree *t, const struct demangle_component *p,
			uint32_t *size)
{
	size_t index = p ? index_of(t, p) : t->count;

	*size = index < t->count ? t->sizes[index] : 0;
	if (index >= t->count || *size)
		return true;
	t->sizes[index] = 1;
	FG_GROW(t->open, t->alloc, t->depth + 1);
	t->open[t->depth++] = p;
	return false;
}

/*
 * Returns true for a part that libiberty expands, such as "f(x)..." and "sizeof...(x)".
 */
static bool is_walked(const struct demangle_component *p)
{
	return p->type == DEMANGLE_COMPONENT_PACK_EXPANSION ||
	       p->type == DEMANGLE_COMPONENT_UNARY;
}

/* Measures the part that was opened last, if all parts below it are measured. */
static void measure_last(struct tree *t)
{
	const struct demangle_component *p = t->open[t->depth - 1], *below[2];
	uint32_t sizes[2], sum;

	find_below(p, below);
	if (!is_measured(t, below[0], &sizes[0]) ||
	    !is_measured(t, below[1], &sizes[1]))
		return;
	sum = 1 + sizes[0] + sizes[1];
	if (is_walked(p) && sum > EXPANSION_MAX)
		t->too_large = true;
	t->sizes[index_of(t, p)] = sum < EXPANSION_MAX ? sum : EXPANSION_MAX;
	t->depth--;
}

static bool may_have_packs(const char *mangled)
{
	return strstr(mangled, "Dp") || strstr(mangled, "sp") || strstr(mangled, "sZ");
}

static bool packs_are_small(const char *name)
{
	/*
	 * A name may follow a prefix like "_GLOBAL__I_", for constructors that run at
	 * the start.
	 */
	const char *mangled = strstr(name, "_Z");
	struct tree t = { .count = 0 };
	void *block = NULL;
	const struct demangle_component *root;
	uint32_t size;

	if (!mangled || !may_have_packs(mangled))
		return true;
	root = cplus_demangle_v3_components(mangled, DMGL_NO_OPTS, &block);
	if (!root)
		return true;
	t.parts = block;
	t.count = fg_size_mul(strlen(mangled), PARTS_PER_BYTE);
	t.sizes = fg_xcalloc(t.count, sizeof(*t.sizes));
	is_measured(&t, root, &size);
	while (t.depth)
		measure_last(&t);
	free(t.sizes);
	free(t.open);
	free(block);
	return !t.too_large;
}

/* ---- C++ and Rust */

/*
 * The longest name that we demangle. Longer names do not come from a compiler, and may
 * take very long.
 */
#define NAME_MAX_BYTES 65536

/* One name that is being demangled. `data` of take(). */
struct plain {
	struct fg_buf *out;
	size_t start; /* its start in `out` */
	jmp_buf too_long;
};

/*
 * Receives a part of the output. Only here can we stop the demangler, because it holds
 * no memory at that moment, except for a Rust name with letters beyond ASCII, which
 * leaks.
 */
static void take(const char *bytes, size_t len, void *data)
{
	struct plain *plain = data;

	if (len > FG_DEMANGLED_MAX - (plain->out->len - plain->start))
		longjmp(plain->too_long, 1);
	fg_buf_add(plain->out, bytes, len);
}

/* Names of Rust's older scheme are also valid names of C++, so we try Rust first. */
static enum fg_demangled by_libiberty(const char *name, int options, struct fg_buf *out)
{
	struct plain plain = { .out = out, .start = out->len };

	if (strlen(name) > NAME_MAX_BYTES || !packs_are_small(name))
		return FG_DEMANGLED_TOO_LONG;
	if (setjmp(plain.too_long)) {
		out->len = plain.start;
		return FG_DEMANGLED_TOO_LONG;
	}
	if (rust_demangle_callback(name, options, take, &plain))
		return FG_DEMANGLED;
	out->len = plain.start;
	if (cplus_demangle_v3_callback(name, options, take, &plain))
		return FG_DEMANGLED;
	out->len = plain.start;
	return FG_NOT_MANGLED;
}

#else

#define SHORT 0
#define FULL 0

static enum fg_demangled by_libiberty(const char *name, int options, struct fg_buf *out)
{
	(void)name;
	(void)options;
	(void)out;
	return FG_NOT_MANGLED;
}

#endif

/* ---- other languages */

/*
 * Demangles a name like "camlModule__function_12": "__" stands for a dot, "$28" for the
 * byte 0x28.
 */
static enum fg_demangled by_ocaml(const char *name, struct fg_buf *out)
{
	struct fg_str rest = fg_str_from(name);

	if (!fg_str_starts(rest, FG_STR("caml")) || rest.len < 5 || rest.ptr[4] < 'A' ||
	    rest.ptr[4] > 'Z')
		return FG_NOT_MANGLED;
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
	return FG_DEMANGLED;
}

/*
 * Demangles a name like "Ljava/lang/Object;hash(I)V", which is java.lang.Object.hash.
 * An agent in Java writes such names into a jitdump, and perf inject copies them into
 * the files that it makes from the jitdump.
 */
static enum fg_demangled by_java(const char *name, struct fg_buf *out)
{
	struct fg_str method = fg_str_from_pos(fg_str_from(name), 1);
	struct fg_str class = fg_str_cut(&method, ';');

	method = fg_str_before(method, fg_str_find_char(method, '('));
	if (!fg_str_has_char(class, '/') || !method.len || !strchr(name, ')') ||
	    fg_str_has_char(method, ';'))
		return FG_NOT_MANGLED;
	for (size_t i = 0; i < class.len; i++)
		fg_buf_add_char(out, class.ptr[i] == '/' ? '.' : class.ptr[i]);
	fg_buf_add_char(out, '.');
	fg_buf_add_str(out, method);
	return FG_DEMANGLED;
}

enum fg_demangled fg_demangle(const char *name, struct fg_buf *out)
{
	switch (name[0]) {
	case '_':
		return by_libiberty(name, SHORT, out);
	case 'c':
		return by_ocaml(name, out);
	case 'L':
		return by_java(name, out);
	default:
		return FG_NOT_MANGLED; /* asking the demangler would be slow */
	}
}

enum fg_demangled fg_demangle_fully(const char *name, struct fg_buf *out)
{
	return name[0] == '_' ? by_libiberty(name, FULL, out) : FG_NOT_MANGLED;
}
