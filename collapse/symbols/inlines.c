/*
 * Finds inlined functions with libdw. From the tree of a compilation unit we keep only
 * functions and the ranges of their code.
 */
#include "collapse/symbols/inlines.h"

/* ---- paths, also without libdw */

/*
 * Cuts `folder` and the '/' after it off `path`. Returns false if the path is not below
 * the folder.
 */
static bool cut_folder(struct fg_str *path, struct fg_str folder)
{
	struct fg_str rest = *path;

	while (folder.len && folder.ptr[folder.len - 1] == '/')
		folder.len--;
	if (!folder.len || !fg_str_cut_start(&rest, folder) ||
	    !fg_str_cut_start(&rest, FG_STR("/")))
		return false;
	*path = rest;
	return true;
}

/*
 * Appends the parts of a path, without "." and with each ".." removing the part before
 * it. A ".." that has no part before it stays.
 */
static void add_parts(struct fg_buf *b, struct fg_str path)
{
	bool absolute = path.len && path.ptr[0] == '/';
	size_t start = b->len + absolute, floor = start;

	if (absolute)
		fg_buf_add_char(b, '/');
	while (path.len) {
		struct fg_str part = fg_str_cut(&path, '/');
		bool up = fg_str_eq(part, FG_STR(".."));
		struct fg_str made = fg_str_from_pos(fg_buf_str(b), floor);
		size_t last = fg_str_rfind_char(made, '/');

		if (!part.len || fg_str_eq(part, FG_STR(".")) ||
		    (up && absolute && !made.len))
			continue;
		if (up && made.len) {
			b->len = last < made.len ? floor + last :
				 floor > start	 ? floor - 1 :
						   floor;
			continue;
		}
		if (b->len > start)
			fg_buf_add_char(b, '/');
		fg_buf_add_str(b, part);
		if (up)
			floor = b->len + 1;
	}
}

struct fg_str fg_inlined_path(const struct fg_inlined *f, struct fg_buf *b)
{
	struct fg_str path = fg_str_from(f->file), folder = fg_str_from(f->folder);
	struct fg_buf full = FG_BUF_INIT, base = FG_BUF_INIT;
	size_t start = b->len;

	if (path.len && path.ptr[0] != '/' && folder.len) {
		fg_buf_add_str(&full, folder);
		fg_buf_add_char(&full, '/');
	}
	fg_buf_add_str(&full, path);
	add_parts(&base, folder);
	add_parts(b, fg_buf_str(&full));
	path = fg_str_from_pos(fg_buf_str(b), start);
	if (cut_folder(&path, fg_buf_str(&base))) {
		memmove(b->ptr + start, path.ptr, path.len);
		b->len = start + path.len;
	}
	fg_buf_release(&full);
	fg_buf_release(&base);
	return fg_str_from_pos(fg_buf_str(b), start);
}

#ifdef FG_HAVE_LIBDW
#include <dwarf.h>
#include <stdlib.h>

#include "collapse/symbols/dwarf.h"
#include "collapse/symbols/elffile.h"
#include "collapse/symbols/linetable.h"
#include "collapse/symbols/ranges.h"
#include "collapse/symbols/dwo.h"
#include "lib/base/buf.h"
#include "lib/base/xalloc.h"

#define NO_FUNCTION UINT32_MAX
/*
 * Before we read the tables of a file, we check that as much memory as the file has
 * bytes is free, but at most this much.
 */
#define FILE_SPARE ((size_t)64 << 20)
#define PATH_MOST 4096
/* The deepest nesting of blocks of code. */
#define DEPTH_MAX 1024

struct function {
	Dwarf_Off die;
	const char *name; /* NULL: unknown, or not looked up yet */
	uint32_t parent; /* the function it is inlined into, or NO_FUNCTION */
	bool asked; /* we have looked up the name */
};

struct unit {
	Dwarf_Off die;
	bool made; /* `functions` and `ranges` are filled in */
	struct fg_dwo_tree tree; /* zeroed if the tree is in the unit itself */
	struct function *functions;
	size_t count, alloc;
	struct fg_ranges ranges; /* ranges of the functions */
	enum { NOT_ASKED, READ, LEFT_OUT } lines;
};

struct fg_inlines {
	struct fg_dwarf *debug, *shared;
	Dwarf *dwarf; /* belongs to `debug` */
	struct unit *units;
	size_t count, alloc;
	struct fg_ranges ranges; /* ranges of the units */
	size_t ranges_left; /* budget: a file has no more ranges than bytes */
	struct fg_dwo split;
	/* number of units whose tree is in a file that cannot be read */
	size_t elsewhere;
	struct fg_linetable_left lines_left;
	bool inflates;
};

bool fg_inlines_are_here(void)
{
	return true;
}

/*
 * Adds the ranges of a DIE's code, whose addresses count from `from`. Leaves out code
 * at address 0, where linkers leave code that they drop.
 */
static void add_ranges(struct fg_inlines *in, Dwarf_Die *die, uint64_t from,
		       struct fg_ranges *to, uint32_t of)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while (in->ranges_left &&
	       (at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		in->ranges_left--;
		if (from + start)
			fg_ranges_add(to, from + start, from + end, of);
	}
}

static void list_units(struct fg_inlines *in)
{
	Dwarf_Off at = 0, next;
	size_t header;

	while (!dwarf_nextcu(in->dwarf, at, &next, &header, NULL, NULL, NULL)) {
		Dwarf_Die die;

		if (next <= at || in->count >= FG_NO_RANGE)
			break;
		if (dwarf_offdie(in->dwarf, at + header, &die)) {
			FG_GROW(in->units, in->alloc, in->count + 1);
			in->units[in->count] =
				(struct unit){ .die = dwarf_dieoffset(&die) };
			add_ranges(in, &die, 0, &in->ranges, (uint32_t)in->count++);
		}
		at = next;
	}
	fg_ranges_finish(&in->ranges);
}

static struct fg_dwarf *open_dwarf(const struct fg_elf *e)
{
	struct fg_dwarf_source sections[FG_DEBUG_SECTIONS];

	fg_dwarf_find(e, "", sections);
	return fg_dwarf_open(e, sections);
}

struct fg_inlines *fg_inlines_open(const struct fg_elf *debug,
				   const struct fg_elf *shared)
{
	struct fg_inlines *in = fg_xcalloc(1, sizeof(*in));
	size_t size = fg_elf_size(debug);

	in->ranges_left = size;
	in->debug = open_dwarf(debug);
	if (in->debug && shared)
		in->shared = open_dwarf(shared);
	if (!in->debug || (shared && !in->shared)) {
		int error = errno;

		fg_inlines_close(in);
		errno = error;
		return NULL;
	}
	in->dwarf = in->debug->dwarf;
	if (in->shared)
		dwarf_setalt(in->dwarf, in->shared->dwarf);
	fg_dwo_init(&in->split, debug);
	/* compressed sections are unpacked by now */
	fg_xalloc_spare(FG_DWARF_SPARE + (size < FILE_SPARE ? size : FILE_SPARE));
	in->lines_left = fg_linetable_left(in->dwarf, size);
	list_units(in);
	return in;
}

void fg_inlines_close(struct fg_inlines *in)
{
	if (!in)
		return;
	for (size_t i = 0; i < in->count; i++) {
		fg_dwarf_close(in->units[i].tree.dwarf);
		free(in->units[i].functions);
		fg_ranges_release(&in->units[i].ranges);
	}
	free(in->units);
	fg_ranges_release(&in->ranges);
	fg_dwarf_close(in->debug);
	fg_dwarf_close(in->shared);
	fg_dwo_release(&in->split);
	free(in);
}

/* ---- the table of a unit */

/* A place in the tree of a unit. */
struct level {
	Dwarf_Die die;
	uint32_t inside; /* index of the function around it, or NO_FUNCTION */
};

struct walk {
	struct fg_inlines *in;
	struct unit *unit;
	Dwarf *dwarf; /* the file with the tree */
	struct level *levels;
	size_t depth, alloc;
	/*
	 * offset of the last DIE; the next one must be after it, or this is not a tree
	 */
	Dwarf_Off last;
};

static bool is_function(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* Returns true for tags that can contain functions, or blocks with functions. */
static bool may_hold_functions(int tag)
{
	switch (tag) {
	case DW_TAG_compile_unit:
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_interface_type:
		return true;
	default:
		return false;
	}
}

/*
 * Adds a function if it has code, and returns its index. Otherwise returns the index of
 * the function that its children are in: `inside` if it is inlined, else NO_FUNCTION.
 */
static uint32_t note_function(struct walk *w, Dwarf_Die *die, uint32_t inside)
{
	struct unit *unit = w->unit;
	uint32_t index = (uint32_t)unit->count;
	size_t before = unit->ranges.count;
	bool is_inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;

	if (index == NO_FUNCTION)
		return inside;
	add_ranges(w->in, die, unit->tree.base, &unit->ranges, index);
	if (unit->ranges.count == before)
		return is_inlined ? inside : NO_FUNCTION;
	FG_GROW(unit->functions, unit->alloc, unit->count + 1);
	unit->functions[unit->count++] =
		(struct function){ .die = dwarf_dieoffset(die),
				   .parent = is_inlined ? inside : NO_FUNCTION };
	return index;
}

/*
 * Enters a DIE: adds a level for it. Refuses a DIE that is not after all DIEs seen so
 * far.
 */
static bool enter(struct walk *w, const Dwarf_Die *die, uint32_t inside)
{
	Dwarf_Off at = dwarf_dieoffset((Dwarf_Die *)(uintptr_t)die);

	if (at <= w->last || w->depth >= DEPTH_MAX)
		return false;
	w->last = at;
	FG_GROW(w->levels, w->alloc, w->depth + 1);
	w->levels[w->depth++] = (struct level){ *die, inside };
	return true;
}

/*
 * Finds the next sibling of a DIE. Returns false if there is none. *behind is the
 * offset at which the DIE and its children end; 0: unknown, and then libdw walks over
 * all the children to find it. If there is no sibling, sets *behind to the end of the
 * parent, or leaves it if that is unknown.
 */
static bool next_of(struct walk *w, Dwarf_Die *die, Dwarf_Off *behind, Dwarf_Die *next)
{
	Dwarf_Die end = *die;
	int status;

	if (*behind) {
		if (!dwarf_offdie(w->dwarf, *behind, next) || next->cu != die->cu)
			return false;
		if (*(unsigned char *)next->addr)
			return true;
		++*behind;
		return false;
	}
	memset(next, 0, sizeof(*next));
	status = dwarf_siblingof(die, next);
	end.addr = next->addr;
	if (status == 1 && end.addr)
		*behind = dwarf_dieoffset(&end) + 1;
	return !status;
}

/* Visits the DIE of the last level, and moves on to the next DIE. */
static void step(struct walk *w)
{
	struct level *now = &w->levels[w->depth - 1];
	uint32_t inside = now->inside;
	int tag = dwarf_tag(&now->die);
	Dwarf_Off behind = 0;
	Dwarf_Die next;

	if (is_function(tag))
		inside = note_function(w, &now->die, inside);
	if (may_hold_functions(tag) && !dwarf_child(&now->die, &next) &&
	    enter(w, &next, inside))
		return;
	while (w->depth) {
		now = &w->levels[--w->depth];
		inside = now->inside;
		if (next_of(w, &now->die, &behind, &next) && enter(w, &next, inside))
			return;
	}
}

static const char *text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, name, &attribute) ? fg_dwarf_text(&attribute) : NULL;
}

/*
 * Returns the name of the file with the tree of a skeleton, or NULL. In that case,
 * *is_malformed is true if there is a name that cannot be read.
 */
static const char *name_of_tree(Dwarf_Die *die, bool *is_malformed)
{
	static const unsigned names[] = { DW_AT_dwo_name, DW_AT_GNU_dwo_name };
	const char *name = NULL;

	*is_malformed = false;
	for (size_t i = 0; i < FG_COUNT_OF(names) && !name; i++) {
		name = text_of(die, names[i]);
		*is_malformed |= !name && dwarf_hasattr(die, names[i]);
	}
	return name;
}

/*
 * Opens the tree of a unit if it is in another file. Returns false if that cannot be
 * read.
 */
static bool open_tree(struct fg_inlines *in, struct unit *unit)
{
	const char *file, *folder;
	Dwarf_Die die;
	bool is_malformed;

	if (!dwarf_offdie(in->dwarf, unit->die, &die))
		return false;
	file = name_of_tree(&die, &is_malformed);
	if (!file && !is_malformed)
		return true;
	folder = text_of(&die, DW_AT_comp_dir);
	if (file &&
	    fg_dwo_open(&in->split, &die, folder ? folder : "", file, &unit->tree))
		return true;
	in->elsewhere++;
	return false;
}

/* Finds the DIE that is the root of a unit's tree. */
static bool find_tree(const struct fg_inlines *in, const struct unit *unit,
		      Dwarf **dwarf, Dwarf_Die *die)
{
	const struct fg_dwarf *other = unit->tree.dwarf;

	*dwarf = other ? other->dwarf : in->dwarf;
	return dwarf_offdie(*dwarf, other ? unit->tree.unit : unit->die, die);
}

static void make_table(struct fg_inlines *in, struct unit *unit)
{
	struct walk w = { .in = in, .unit = unit };
	Dwarf_Die die, child;

	unit->made = true;
	if (open_tree(in, unit) && find_tree(in, unit, &w.dwarf, &die) &&
	    !dwarf_child(&die, &child))
		enter(&w, &child, NO_FUNCTION);
	while (w.depth)
		step(&w);
	free(w.levels);
	fg_ranges_finish(&unit->ranges);
}

size_t fg_inlines_elsewhere(const struct fg_inlines *in)
{
	return in->elsewhere;
}

bool fg_inlines_inflate(const struct fg_inlines *in)
{
	return in->inflates;
}

/* ---- lookup */

static const char *name_of(Dwarf_Die *die)
{
	static const unsigned names[] = { DW_AT_linkage_name, DW_AT_MIPS_linkage_name,
					  DW_AT_name };
	Dwarf_Attribute attribute;

	for (size_t i = 0; i < FG_COUNT_OF(names); i++)
		if (dwarf_attr_integrate(die, names[i], &attribute))
			return fg_dwarf_text(&attribute);
	return NULL;
}

/*
 * Returns the name of a function. Looks it up only once, because a function has many
 * addresses, each perhaps with many callers.
 */
static const char *name_of_function(struct function *function, Dwarf_Die *die)
{
	if (!function->asked)
		function->name = name_of(die);
	function->asked = true;
	return function->name;
}

/*
 * Returns the path or, unless paths are wanted, the file name in it. Returns NULL for a
 * path that is too long to be real, because each line would repeat it.
 */
static const char *file_of(const char *path, enum fg_inlines_detail detail)
{
	const char *slash;

	if (!path || strnlen(path, PATH_MOST) == PATH_MOST)
		return NULL;
	slash = detail == FG_INLINES_PATHS ? NULL : strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;

	if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &number))
		return 0;
	return number;
}

/*
 * Returns true if the lines of a unit may be read. They are left out if the line tables
 * would take too much memory.
 */
static bool has_lines(struct fg_inlines *in, struct unit *unit, Dwarf_Die *die,
		      Dwarf_Die *tree)
{
	struct fg_linetable_left *left = &in->lines_left;
	Dwarf_Word at = number_of(die, DW_AT_stmt_list);

	if (unit->lines != NOT_ASKED)
		return unit->lines == READ;
	if (fg_linetable_may_be_read(left, in->dwarf, die, at) &&
	    (!unit->tree.dwarf ||
	     fg_linetable_may_be_read(left, unit->tree.dwarf->dwarf, tree, 0)))
		unit->lines = READ;
	else
		unit->lines = LEFT_OUT;
	in->inflates |= unit->lines == LEFT_OUT;
	return unit->lines == READ;
}

/*
 * Sets the file and line of the code at an address, which is in the innermost function.
 */
static void find_line(struct fg_inlined *f, Dwarf_Die *unit, uint64_t address,
		      enum fg_inlines_detail detail)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);

	f->file = line ? file_of(dwarf_linesrc(line, NULL, NULL), detail) : NULL;
	if (f->file && dwarf_lineno(line, &f->line))
		f->file = NULL;
}

/* The DIEs of a unit. */
struct dies {
	Dwarf_Die *unit, *tree;
};

/*
 * Sets the file and line at which a function calls `callee`, which is inlined into it.
 * The file is in the list of the tree or, if that has no list, of the unit.
 */
static void find_call(struct fg_inlined *f, const struct dies *d, Dwarf_Die *callee,
		      enum fg_inlines_detail detail)
{
	Dwarf_Word file = number_of(callee, DW_AT_call_file);
	Dwarf_Word line = number_of(callee, DW_AT_call_line);
	Dwarf_Files *files;
	size_t count;

	if ((dwarf_getsrcfiles(d->tree, &files, &count) &&
	     dwarf_getsrcfiles(d->unit, &files, &count)) ||
	    file >= count || line > INT32_MAX)
		return;
	f->file = file_of(dwarf_filesrc(files, file, NULL, NULL), detail);
	f->line = (int)line;
}

static struct unit *unit_at(struct fg_inlines *in, uint64_t address)
{
	uint32_t index = fg_ranges_find(&in->ranges, address);

	if (index == FG_NO_RANGE)
		return NULL;
	if (!in->units[index].made)
		make_table(in, &in->units[index]);
	return &in->units[index];
}

size_t fg_inlines_at(struct fg_inlines *in, uint64_t address,
		     enum fg_inlines_detail detail, struct fg_inlined *list)
{
	struct unit *unit;
	uint32_t i;
	Dwarf_Die unit_die, tree, die, callee;
	const struct dies dies = { &unit_die, &tree };
	const char *folder = NULL;
	Dwarf *dwarf;
	bool with_lines;
	size_t count = 0;

	fg_xalloc_spare(FG_DWARF_SPARE);
	unit = unit_at(in, address);
	i = unit ? fg_ranges_find(&unit->ranges, address) : FG_NO_RANGE;
	if (!unit || (i == FG_NO_RANGE && detail != FG_INLINES_PATHS) ||
	    !dwarf_offdie(in->dwarf, unit->die, &unit_die) ||
	    !find_tree(in, unit, &dwarf, &tree))
		return 0;
	with_lines =
		detail != FG_INLINES_NAMES && has_lines(in, unit, &unit_die, &tree);
	if (with_lines && detail == FG_INLINES_PATHS)
		folder = text_of(&unit_die, DW_AT_comp_dir);
	if (i == FG_NO_RANGE) {
		list[0] = (struct fg_inlined){ .folder = folder };
		if (with_lines)
			find_line(&list[0], &unit_die, address, detail);
		return list[0].file != NULL;
	}
	while (i != NO_FUNCTION && count < FG_INLINES_MAX) {
		struct function *function = &unit->functions[i];
		struct fg_inlined *f = &list[count];

		if (!dwarf_offdie(dwarf, function->die, &die))
			return 0;
		*f = (struct fg_inlined){ .name = name_of_function(function, &die),
					  .folder = folder };
		if (with_lines && !count)
			find_line(f, &unit_die, address, detail);
		else if (with_lines)
			find_call(f, &dies, &callee, detail);
		callee = die;
		count++;
		i = function->parent;
	}
	return i == NO_FUNCTION ? count : 0;
}

#else

bool fg_inlines_are_here(void)
{
	return false;
}

struct fg_inlines *fg_inlines_open(const struct fg_elf *debug,
				   const struct fg_elf *shared)
{
	(void)debug;
	(void)shared;
	return NULL;
}

void fg_inlines_close(struct fg_inlines *in)
{
	(void)in;
}

size_t fg_inlines_at(struct fg_inlines *in, uint64_t address,
		     enum fg_inlines_detail detail, struct fg_inlined *list)
{
	(void)in;
	(void)address;
	(void)detail;
	(void)list;
	return 0;
}

size_t fg_inlines_elsewhere(const struct fg_inlines *in)
{
	(void)in;
	return 0;
}

bool fg_inlines_inflate(const struct fg_inlines *in)
{
	(void)in;
	return false;
}

#endif
