/*
 * Looks up functions at addresses of files. The files that were used last stay open,
 * and all answers are kept.
 */
#include "collapse/symbols/lookup.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collapse/symbols/byname.h"
#include "collapse/symbols/demangle.h"
#include "collapse/symbols/locate.h"
#include "lib/base/intern.h"
#include "lib/base/longnames.h"
#include "lib/base/xalloc.h"

/* Files that are open at the same time; each takes a descriptor or two. */
#define OPEN_MAX_DSOS 64

struct dso {
	struct fg_dso file;
	struct fg_byname names;
	/* the file cannot be used: there was a warning, and lookups find nothing */
	bool lost;
	bool warned; /* we warned that some of its answers are missing */
	uint64_t used; /* value of fg_lookup.clock at the last use */
};

struct answer {
	struct fg_str names; /* the outermost first; empty if none is known */
	bool placed; /* the file has code at that address */
};

struct fg_lookup {
	struct fg_diag *diag;
	enum fg_inlines_detail detail;
	bool failed; /* some DSO could not be read completely; there was a warning */
	bool warned; /* we warned that a library is missing */
	struct fg_locate_places places;
	struct fg_arena text;
	struct fg_intern dso_names;
	struct dso **dsos; /* indexed by the id of the name */
	size_t dsos_alloc;
	size_t open_count;
	uint64_t clock; /* counts uses of DSOs */
	struct fg_intern keys; /* DSO id and address, as bytes */
	struct answer *answers; /* indexed by the id of the key */
	size_t answers_alloc;
	struct fg_buf made; /* scratch for the names of an answer */
	struct fg_buf name; /* scratch for one of these names */
	size_t long_paths; /* total bytes of long paths; see fg_long_names_add() */
};

struct fg_lookup *fg_lookup_new(enum fg_inlines_detail detail, struct fg_diag *diag)
{
	struct fg_lookup *l = fg_xcalloc(1, sizeof(*l));

	l->diag = diag;
	l->detail = detail;
	fg_locate_places_init(&l->places, NULL);
	fg_arena_init(&l->text);
	fg_intern_init(&l->dso_names);
	fg_intern_init(&l->keys);
	return l;
}

void fg_lookup_free(struct fg_lookup *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->dso_names.count; i++) {
		fg_dso_unload(&l->dsos[i]->file);
		fg_byname_release(&l->dsos[i]->names);
	}
	free(l->dsos);
	free(l->answers);
	fg_intern_release(&l->dso_names);
	fg_intern_release(&l->keys);
	fg_locate_places_release(&l->places);
	fg_buf_release(&l->made);
	fg_buf_release(&l->name);
	fg_arena_release(&l->text);
	free(l);
}

bool fg_lookup_failed(const struct fg_lookup *l)
{
	return l && l->failed;
}

/* ---- files */

bool fg_lookup_is_file(struct fg_str dso)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("["),	FG_STR_INIT("//anon"),
		FG_STR_INIT("/memfd:"), FG_STR_INIT("anon_inode:"),
		FG_STR_INIT("/SYSV"),	FG_STR_INIT("/dev/zero"),
	};

	return dso.len && !fg_str_eq(dso, FG_STR("inlined")) &&
	       !fg_str_starts_any(dso, starts, FG_COUNT_OF(starts));
}

/*
 * Warns that functions of a DSO "are not shown", or "are shown" if `what` says "not
 * all". `what` is the reason and which functions these are; `cure` is what the user can
 * do about it, or "".
 */
static void warn(struct fg_lookup *l, const struct dso *d, const char *what,
		 const char *cure)
{
	struct fg_buf name = FG_BUF_INIT;

	fg_buf_add_visible(&name, d->file.name, FG_QUOTED_MAX);
	fg_warn(l->diag, NULL, "%s: %s%s are %sshown%s", fg_buf_cstr(&name), what,
		l->detail == FG_INLINES_PATHS ? " and source lines" : "",
		d->lost ? "not " : "", cure);
	fg_buf_release(&name);
}

/* Warns that the file of a DSO cannot be used. Later lookups in it find nothing. */
static void give_up_on(struct fg_lookup *l, struct dso *d)
{
	struct fg_buf path = FG_BUF_INIT;
	const char *what = "is not an ELF file, so its inlined functions", *cure = "";

	fg_buf_add_str(&path, d->file.path);
	d->lost = true;
	if (d->file.inflates) {
		what = "becomes too large when it is unpacked, so its inlined "
		       "functions";
	} else if (d->file.trouble == FG_DSO_MISSING) {
		what = "was not found, so its inlined functions";
		cure = "; run where the profile was recorded";
	} else if (d->file.trouble == FG_DSO_TOO_MANY) {
		what = "cannot be opened, so its inlined functions";
		cure = "; raise the limit on open files (ulimit -n)";
	} else if (access(fg_buf_cstr(&path), R_OK)) {
		what = "cannot be read, so its inlined functions";
		cure = "; run as a user who may read it";
	}
	warn(l, d, what, cure);
	l->failed |= d->file.inflates;
	fg_buf_release(&path);
}

static void close_oldest(struct fg_lookup *l)
{
	struct dso *oldest = NULL;

	for (size_t i = 0; i < l->dso_names.count; i++) {
		struct dso *d = l->dsos[i];

		if (d->file.loaded && (!oldest || d->used < oldest->used))
			oldest = d;
	}
	if (oldest) {
		fg_dso_unload(&oldest->file);
		l->open_count--;
	}
}

/* Opens the file of a DSO. Returns false, after a warning, if it cannot be used. */
static bool open_dso(struct fg_lookup *l, struct dso *d)
{
	struct fg_dso *file = &d->file;

	d->used = ++l->clock;
	if (file->loaded || d->lost)
		return !d->lost;
	while (l->open_count >= OPEN_MAX_DSOS)
		close_oldest(l);
	fg_locate(file, &l->places);
	while (file->trouble == FG_DSO_TOO_MANY && l->open_count) {
		close_oldest(l);
		fg_dso_unload(file);
		fg_locate(file, &l->places);
	}
	if (!file->runtime) {
		give_up_on(l, d);
		return false;
	}
	fg_symtab_finish(&file->symtab);
	fg_locate_inlines(file, &l->places);
	file->loaded = true;
	l->open_count++;
	return true;
}

static struct dso *dso_of(struct fg_lookup *l, struct fg_str name, uint32_t *id)
{
	size_t known = l->dso_names.count;
	struct dso *d;

	*id = fg_intern(&l->dso_names, name);
	if (*id < known)
		return l->dsos[*id];
	d = fg_arena_alloc(&l->text, sizeof(*d));
	memset(d, 0, sizeof(*d));
	d->file.name = fg_intern_name(&l->dso_names, *id);
	d->file.path = d->file.name;
	d->file.kind = FG_DSO_FILE;
	fg_symtab_init(&d->file.symtab, FG_SYMTAB_ELF);
	FG_GROW(l->dsos, l->dsos_alloc, l->dso_names.count);
	l->dsos[*id] = d;
	if (fg_str_has_char(name, '\0')) {
		d->file.trouble = FG_DSO_MISSING;
		give_up_on(l, d);
	}
	return d;
}

/* ---- answers */

/* Appends a name or a file. A ';' in it becomes ':', because ';' separates frames. */
static void add_part(struct fg_buf *b, struct fg_str part)
{
	size_t start = b->len;

	fg_buf_add_str(b, part);
	fg_buf_replace(b, start, ';', ':');
	fg_buf_replace(b, start, '\n', ' ');
}

/* Appends the demangled name, or the name itself if that would be too long. */
static void add_name(struct fg_lookup *l, const char *name)
{
	fg_buf_clear(&l->name);
	if (fg_demangle_fully(name, &l->name) == FG_DEMANGLED)
		add_part(&l->made, fg_buf_str(&l->name));
	else
		add_part(&l->made, fg_str_from(name));
}

static void add_symbol(struct fg_lookup *l, const struct fg_symbol *symbol)
{
	add_name(l, symbol->name);
	if (symbol->flags & FG_SYMBOL_PLT)
		fg_buf_add_str(&l->made, FG_STR("@plt"));
}

/*
 * Appends the path and the line, if they are known. Returns false if the budget for
 * long paths is spent.
 */
static bool add_place(struct fg_lookup *l, const struct fg_inlined *f)
{
	struct fg_str path;

	if (!f || !f->file || f->line <= 0)
		return true;
	fg_buf_clear(&l->name);
	path = fg_inlined_path(f, &l->name);
	if (!fg_long_names_add(&l->long_paths, path.len))
		return false;
	fg_buf_add_char(&l->made, FG_LOOKUP_PLACE);
	add_part(&l->made, path);
	fg_buf_addf(&l->made, ":%d", f->line);
	return true;
}

/*
 * Appends ":FILE:LINE" if lines are wanted. An unknown file is "??", an unknown line
 * "?".
 */
static void add_line(struct fg_lookup *l, struct dso *d, const struct fg_inlined *f)
{
	if (l->detail == FG_INLINES_PATHS && !add_place(l, f))
		d->file.inflates = true;
	if (l->detail != FG_INLINES_LINES)
		return;
	fg_buf_add_char(&l->made, ':');
	add_part(&l->made, fg_str_from(f && f->file ? f->file : "??"));
	if (f && f->file && f->line)
		fg_buf_addf(&l->made, ":%d", f->line);
	else
		fg_buf_add_str(&l->made, FG_STR(":?"));
}

static const struct fg_symbol *symbol_at(struct fg_dso *file, uint64_t address)
{
	uint64_t offset;

	if (!fg_elf_offset(file->runtime, address, &offset))
		return NULL;
	return fg_symtab_find(&file->symtab, offset).symbol;
}

/*
 * Warns once if answers of a DSO are incomplete because some of its file was not read.
 */
static void check_complete(struct fg_lookup *l, struct dso *d)
{
	struct fg_dso *file = &d->file;

	file->inflates |= file->inlines && fg_inlines_inflate(file->inlines);
	fg_dso_check(file);
	if (d->warned || (!file->inflates && file->trouble == FG_DSO_NO_TROUBLE))
		return;
	d->warned = l->failed = true;
	warn(l, d,
	     file->inflates ? "would take too much memory to read as a whole, so not "
			      "all of its inlined functions" :
			      "could not be read to its end, so not all of its inlined "
			      "functions",
	     "");
}

static bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/*
 * Returns true if the symbol has a better name than the debug information. For some
 * templates of C++, only the symbol has the linker name.
 */
static bool is_better(const struct fg_symbol *symbol, const char *name)
{
	return symbol && (!name || (is_mangled(symbol->name) && !is_mangled(name)));
}

static struct answer ask(struct fg_lookup *l, struct dso *d, uint64_t address)
{
	struct fg_dso *file = &d->file;
	struct fg_inlined list[FG_INLINES_MAX];
	const struct fg_symbol *symbol;
	size_t count = 0;

	if (!open_dso(l, d))
		return (struct answer){ .placed = false };
	if (file->inlines)
		count = fg_inlines_at(file->inlines, address, l->detail, list);
	symbol = symbol_at(file, address);
	if (!count && !symbol) {
		check_complete(l, d);
		return (struct answer){ .placed = false };
	}
	fg_buf_clear(&l->made);
	if (!count) {
		add_symbol(l, symbol);
		add_line(l, d, NULL);
	}
	for (size_t i = count; i; i--) {
		if (i < count)
			fg_buf_add_char(&l->made, ';');
		if (i == count && is_better(symbol, list[i - 1].name))
			add_symbol(l, symbol);
		else if (list[i - 1].name)
			add_name(l, list[i - 1].name);
		else
			fg_buf_add_str(&l->made, FG_STR("??"));
		add_line(l, d, &list[i - 1]);
	}
	check_complete(l, d);
	return (struct answer){ fg_arena_copy(&l->text, fg_buf_str(&l->made)), true };
}

static struct answer answer_of(struct fg_lookup *l, struct dso *d, uint32_t id,
			       uint64_t address)
{
	char key[sizeof(id) + sizeof(address)];
	size_t known = l->keys.count;
	uint32_t at;

	memcpy(key, &id, sizeof(id));
	memcpy(key + sizeof(id), &address, sizeof(address));
	at = fg_intern(&l->keys, fg_str_of(key, sizeof(key)));
	if (at == known) {
		FG_GROW(l->answers, l->answers_alloc, l->keys.count);
		l->answers[at] = ask(l, d, address);
	}
	return l->answers[at];
}

/*
 * Warns once if this program was built without libdw or libelf. Returns false without
 * libelf.
 */
static bool has_libraries(struct fg_lookup *l)
{
	if (!l->warned && !fg_inlines_are_here())
		fg_warn(l->diag, NULL,
			"this program is built without %s, so it cannot look up %s; "
			"install the development files of elfutils and build it again",
			fg_elf_is_here() ? "libdw" : "libelf",
			fg_elf_is_here() ? "inlined functions" :
					   "functions in binaries");
	l->warned = true;
	return fg_elf_is_here();
}

bool fg_lookup_address(struct fg_lookup *l, struct fg_str dso, uint64_t address,
		       struct fg_buf *names)
{
	struct answer answer;
	struct dso *d;
	uint32_t id;

	if (!has_libraries(l) || !fg_lookup_is_file(dso))
		return false;
	d = dso_of(l, dso, &id);
	answer = answer_of(l, d, id, address);
	fg_buf_add_str(names, answer.names);
	return answer.names.len > 0;
}

bool fg_lookup_offset(struct fg_lookup *l, struct fg_str dso, uint64_t offset,
		      struct fg_buf *names)
{
	uint64_t address;
	struct dso *d;
	uint32_t id;

	if (!has_libraries(l) || !fg_lookup_is_file(dso))
		return false;
	d = dso_of(l, dso, &id);
	return open_dso(l, d) && fg_elf_address(d->file.runtime, offset, &address) &&
	       fg_lookup_address(l, dso, address, names);
}

struct fg_str fg_lookup_cut_place(enum fg_inlines_detail detail, struct fg_str *name,
				  uint64_t *line)
{
	struct fg_str place = *name, file;
	size_t at;

	if (detail == FG_INLINES_NAMES)
		return FG_STR("");
	if (detail == FG_INLINES_PATHS) {
		*name = fg_str_cut(&place, FG_LOOKUP_PLACE);
		at = fg_str_rfind_char(place, ':');
		file = fg_str_before(place, at);
	} else {
		at = fg_str_rfind_char(place, ':');
		*name = fg_str_before(place, at);
		*name = fg_str_before(*name, fg_str_rfind_char(*name, ':'));
		file = fg_str_from_pos(fg_str_before(place, at), name->len + 1);
	}
	return fg_str_u64(fg_str_from_pos(place, at + 1), line) ? FG_STR("") : file;
}

/*
 * Returns the address to look up. A call can be the last instruction of a function, or
 * of code that was inlined. So for a return address we look up the byte before it,
 * which is in the call. We look up the start of a function itself: there is no call
 * before it, but a signal handler returns there.
 */
static uint64_t call_at(const struct fg_lookup_query *q, uint64_t address)
{
	bool calls = q->returns && address && !fg_str_ends(q->symbol, FG_STR("+0x0"));

	return address - calls;
}

/* Finds the symbol of a query in the file of its DSO. */
static bool find_symbol(struct fg_lookup *l, struct dso *d, struct fg_str symbol,
			uint64_t *address)
{
	bool found;

	if (!open_dso(l, d))
		return false;
	found = fg_byname_find(&d->names, d->file.elf, symbol, address);
	if (d->names.too_many && !d->warned) {
		d->file.inflates = true;
		check_complete(l, d);
	}
	return found;
}

bool fg_lookup_frame(struct fg_lookup *l, const struct fg_lookup_query *q,
		     struct fg_buf *names)
{
	struct answer answer;
	uint64_t address;
	struct dso *d;
	uint32_t id;

	if (!fg_lookup_is_file(q->dso) || !has_libraries(l) ||
	    (fg_str_0x(q->pc, &address) && fg_str_hex(q->pc, &address)))
		return false;
	d = dso_of(l, q->dso, &id);
	answer = answer_of(l, d, id, call_at(q, address));
	if (!answer.placed && find_symbol(l, d, q->symbol, &address))
		answer = answer_of(l, d, id, call_at(q, address));
	fg_buf_add_str(names, answer.names);
	return answer.names.len > 0;
}
