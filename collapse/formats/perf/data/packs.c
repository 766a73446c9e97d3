/*
 * How much the demangler would walk over: the tree of a name, in which parts that are
 * referred to are shared, is measured as if each reference were a copy.
 */
#include "collapse/formats/perf/data/packs.h"

#ifdef FG_HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

/* Parts of an expansion: what compilers make has less than a hundred. */
#define EXPANSION_MAX 4096

/* The parts of a name are in one block; so many times the name's length at most. */
#define PARTS_PER_BYTE 2

struct tree {
	const struct demangle_component *parts;
	size_t count;
	uint32_t *sizes; /* of each with all that is below it; 0: not known yet */
	const struct demangle_component **open; /* those that are being measured */
	size_t depth, alloc;
	bool too_large;
};

static size_t index_of(const struct tree *t, const struct demangle_component *p)
{
	uintptr_t start = (uintptr_t)t->parts, at = (uintptr_t)p;

	return at < start ? SIZE_MAX : (at - start) / sizeof(*p);
}

/* Kinds that are not known here have two parts, or something that is none. */
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
 * Whether a part is measured; if not, it is next. One below itself counts as one, and
 * one that is not there as nothing.
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

/* "f(x)..." and "sizeof...(x)", among other operators. */
static bool is_walked(const struct demangle_component *p)
{
	return p->type == DEMANGLE_COMPONENT_PACK_EXPANSION ||
	       p->type == DEMANGLE_COMPONENT_UNARY;
}

/* The part that was opened last, once what is below it is measured. */
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

bool fg_pd_packs_are_small(const char *name)
{
	/* "_GLOBAL__I_", for constructors run at the start, has a name behind it. */
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

#endif
