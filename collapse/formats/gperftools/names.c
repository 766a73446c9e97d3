/* Profiles of gperftools and jemalloc: names of addresses. */
#include "collapse/formats/gperftools/names.h"

#include <errno.h>
#include <stdlib.h>

#include "collapse/names.h"
#include "collapse/symbols/trusted.h"
#include "collapse/values.h"
#include "lib/base/visible.h"
#include "lib/base/xalloc.h"

void gperftools_names_init(struct gperftools_names *n, struct fg_sink *sink,
			   enum fg_inlines_detail detail)
{
	memset(n, 0, sizeof(*n));
	n->sink = sink;
	n->detail = detail;
	fg_intern_init(&n->paths);
}

void gperftools_names_release(struct gperftools_names *n)
{
	fg_lookup_free(n->lookup);
	fg_intern_release(&n->paths);
	fg_map_release(&n->known);
	fg_buf_release(&n->answer);
	fg_buf_release(&n->name);
	free(n->files);
	free(n->spans);
	free(n->ids);
}

void gperftools_names_start(struct gperftools_names *n,
			    const struct gperftools_profile *profile)
{
	n->profile = profile;
	n->span_count = n->id_count = 0;
	fg_map_clear(&n->known);
}

void gperftools_names_report(const struct gperftools_names *n)
{
	struct fg_buf text = FG_BUF_INIT;

	if (!n->missing)
		return;
	fg_buf_add_visible(&text, n->first_missing, FG_QUOTED_MAX);
	fg_warn(fg_sink_diag(n->sink), NULL,
		"%s was not found or cannot be read, so functions there have no names "
		"(one of %llu such files); run where the profile was recorded",
		fg_buf_cstr(&text), (unsigned long long)n->missing);
	fg_buf_release(&text);
}

/* ---- allocators */

/*
 * Returns true if a function is a part of an allocator, or of its interface: frames
 * below it tell how the allocator works, and all stacks have them.
 */
static bool is_allocator(struct fg_str function)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("operator new"),
		FG_STR_INIT("tcmalloc::"),
		FG_STR_INIT("tc_new"),
		FG_STR_INIT("_rjem_"), /* jemalloc in programs of Rust */
		FG_STR_INIT("__rust_alloc"),
		FG_STR_INIT("__rust_realloc"),
		FG_STR_INIT("__rustc::__rust_alloc"),
		FG_STR_INIT("__rustc::__rust_realloc"),
	};
	static const struct fg_str prefixes[] = {
		FG_STR_INIT("je_"),	     FG_STR_INIT("tc_"), FG_STR_INIT("__libc_"),
		FG_STR_INIT("__GI___libc_"), FG_STR_INIT("__"),
	};
	static const struct fg_str names[] = {
		FG_STR_INIT("malloc"),	      FG_STR_INIT("calloc"),
		FG_STR_INIT("realloc"),	      FG_STR_INIT("reallocarray"),
		FG_STR_INIT("memalign"),      FG_STR_INIT("posix_memalign"),
		FG_STR_INIT("aligned_alloc"), FG_STR_INIT("valloc"),
		FG_STR_INIT("pvalloc"),	      FG_STR_INIT("mallocx"),
		FG_STR_INIT("rallocx"),	      FG_STR_INIT("do_rallocx"),
		FG_STR_INIT("xallocx"),
	};

	if (fg_str_starts_any(function, starts, FG_COUNT_OF(starts)))
		return true;
	for (size_t i = 0; i < FG_COUNT_OF(prefixes); i++)
		if (fg_str_cut_start(&function, prefixes[i]))
			break;
	for (size_t i = 0; i < FG_COUNT_OF(names); i++)
		if (fg_str_eq(function, names[i]))
			return true;
	return false;
}

static bool is_allocator_file(struct fg_str path)
{
	struct fg_str name = fg_str_basename(path);

	return fg_str_starts(name, FG_STR("libjemalloc")) ||
	       fg_str_starts(name, FG_STR("libtcmalloc"));
}

/* ---- frames */

static void add_id(struct gperftools_names *n, uint32_t id)
{
	FG_GROW(n->ids, n->id_alloc, n->id_count + 1);
	n->ids[n->id_count++] = id;
}

/* Adds the frame of a function, which may have its place. Returns its plain name. */
static struct fg_str add_function(struct gperftools_names *n, struct fg_str text,
				  enum fg_inlines_detail detail)
{
	uint64_t line = 0;
	struct fg_str file = fg_lookup_cut_place(detail, &text, &line);

	fg_buf_clear(&n->name);
	fg_add_name(&n->name, text);
	add_id(n, fg_sink_name_at(n->sink, fg_buf_str(&n->name), file, line));
	return fg_buf_str(&n->name);
}

/* Reverses the ids from `first` on. */
static void reverse(struct gperftools_names *n, size_t first)
{
	for (size_t last = n->id_count; first + 1 < last; first++, last--) {
		uint32_t id = n->ids[first];

		n->ids[first] = n->ids[last - 1];
		n->ids[last - 1] = id;
	}
}

/*
 * Cuts off the address that pprof appends to a name, "main<0000000000001150>", if
 * other functions may have it, too.
 */
static struct fg_str cut_address(struct fg_str name)
{
	size_t at = fg_str_rfind_char(name, '<');
	struct fg_str address = fg_str_from_pos(name, at + 1);

	if (!fg_str_cut_end(&address, FG_STR(">")) || address.len < 8 ||
	    !fg_str_all(address, fg_is_lower_hex))
		return name;
	return fg_str_before(name, at);
}

/* Adds the next inner function of a span. Notes if it is an allocator. */
static void add_inner(struct gperftools_names *n, struct fg_str text,
		      enum fg_inlines_detail detail, struct gperftools_span *span)
{
	size_t outer = n->id_count - span->first;
	struct fg_str name = add_function(n, text, detail);

	if (span->outer > outer && is_allocator(name))
		span->outer = outer;
}

/* Adds the functions of "main--inlined", an entry of the profile's own table. */
static void add_symbol(struct gperftools_names *n, struct fg_str text,
		       struct gperftools_span *span)
{
	while (text.len) {
		struct fg_str name =
			fg_str_before(text, fg_str_find(text, FG_STR("--")));

		text = fg_str_from_pos(text, name.len + 2);
		add_inner(n, cut_address(name), FG_INLINES_NAMES, span);
	}
	reverse(n, span->first);
}

/* Returns true if the file can be opened and is an ELF file. */
static bool is_usable(struct gperftools_names *n, struct fg_str path)
{
	struct fg_elf *e;
	bool usable;
	int fd;

	if (!fg_elf_is_here())
		return true; /* the lookup warns that it cannot read it */
	if (fg_str_has_char(path, '\0'))
		return false;
	fg_buf_clear(&n->answer);
	fg_buf_add_str(&n->answer, path);
	fd = fg_trusted_open(fg_buf_cstr(&n->answer), FG_TRUST_ANY_OWNER);
	e = fd < 0 ? NULL : fg_elf_open(fd);
	usable = e || errno == EFBIG; /* the lookup warns of those */
	fg_elf_close(e);
	return usable;
}

static bool has_file(struct gperftools_names *n, struct fg_str path)
{
	size_t known = n->paths.count;
	uint32_t id = fg_intern(&n->paths, path);
	struct gperftools_file *f;

	if (id == known) {
		FG_GROW(n->files, n->files_alloc, n->paths.count);
		f = &n->files[id];
		f->path = fg_intern_name(&n->paths, id);
		f->state =
			is_usable(n, f->path) ? GPERFTOOLS_USABLE : GPERFTOOLS_MISSING;
		if (f->state == GPERFTOOLS_MISSING && !n->missing++)
			n->first_missing = f->path;
	}
	return n->files[id].state == GPERFTOOLS_USABLE;
}

/* Adds the functions at an address of a file. Returns false if none is known. */
static bool add_functions(struct gperftools_names *n,
			  const struct gperftools_mapping *m, uint64_t address,
			  struct gperftools_span *span)
{
	uint64_t offset = address - m->start;
	struct fg_str rest;

	if (!fg_str_starts(m->path, FG_STR("/")) || !fg_lookup_is_file(m->path) ||
	    !has_file(n, m->path) || offset > UINT64_MAX - m->offset)
		return false;
	if (!n->lookup)
		n->lookup = fg_lookup_new(n->detail, fg_sink_diag(n->sink));
	fg_buf_clear(&n->answer);
	if (!fg_lookup_offset(n->lookup, m->path, offset + m->offset, &n->answer))
		return false;
	rest = fg_buf_str(&n->answer);
	while (rest.len)
		add_inner(n, fg_str_cut(&rest, ';'), n->detail, span);
	reverse(n, span->first);
	return true;
}

/* Adds a frame without a function: "[libx.so]", or the address. */
static void add_nameless(struct gperftools_names *n, const struct gperftools_mapping *m,
			 uint64_t address)
{
	fg_buf_clear(&n->name);
	if (m && m->path.len) {
		struct fg_str name = fg_str_basename(m->path);
		bool bare = fg_str_starts(name, FG_STR("["));

		fg_buf_add_str(&n->name, bare ? FG_STR("") : FG_STR("["));
		fg_buf_add_str(&n->name, name);
		fg_buf_add_str(&n->name, bare ? FG_STR("") : FG_STR("]"));
	} else {
		fg_buf_addf(&n->name, "0x%llx", (unsigned long long)address);
	}
	add_id(n, fg_sink_name(n->sink, fg_buf_str(&n->name)));
}

/* Returns the text of the profile's own table, or an empty one. */
static struct fg_str symbol_of(const struct gperftools_profile *p, uint64_t address)
{
	const size_t *found =
		fg_map_find(&p->symbol_of, (struct fg_map_key){ address, 0 });

	return found ? p->symbols[*found] : FG_STR("");
}

static void find(struct gperftools_names *n, uint64_t address,
		 struct gperftools_span *span)
{
	const struct gperftools_mapping *m =
		gperftools_find_mapping(n->profile, address);
	struct fg_str symbol = symbol_of(n->profile, address);

	/* pprof takes 1 off addresses before it writes them, and off that of a leaf */
	if (!symbol.len)
		symbol = symbol_of(n->profile, address + 1);
	if (!symbol.len)
		symbol = symbol_of(n->profile, address - 1);
	if (symbol.len) {
		add_symbol(n, symbol, span);
		return;
	}
	if (m && is_allocator_file(m->path))
		span->outer = 0;
	if (!m || !add_functions(n, m, address, span))
		add_nameless(n, m, address);
}

const struct gperftools_span *gperftools_names_of(struct gperftools_names *n,
						  uint64_t address)
{
	bool is_new;
	size_t at = *fg_map_add(&n->known, (struct fg_map_key){ address, 0 },
				n->span_count, &is_new);

	if (is_new) {
		struct gperftools_span span = { .first = n->id_count,
						.outer = SIZE_MAX };

		find(n, address, &span);
		span.count = n->id_count - span.first;
		if (span.outer > span.count)
			span.outer = span.count;
		FG_GROW(n->spans, n->span_alloc, n->span_count + 1);
		n->spans[n->span_count++] = span;
	}
	return &n->spans[at];
}
