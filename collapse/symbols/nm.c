/*
 * The symbols of a DSO, read from nm as far as they are asked for.
 *
 * https://sourceware.org/binutils/docs/binutils/nm.html
 */
#include "collapse/symbols/nm.h"

#include <string.h>

#define SYMBOLS_MAX ((size_t)512 << 20)
#define ARGS_MAX 5

void fg_nm_init(struct fg_nm *nm, struct fg_nm_tool *tool, const struct fg_dsofile *dso)
{
	memset(nm, 0, sizeof(*nm));
	nm->tool = tool;
	nm->dso = dso;
}

void fg_nm_release(struct fg_nm *nm)
{
	fg_symbols_release(&nm->linker);
	fg_symbols_release(&nm->demangled);
	fg_symbols_release(&nm->bare);
}

/* "ADDRESS LETTER NAME"; undefined symbols have blanks for an address. */
static void add_line(struct fg_nm *nm, struct fg_str line, enum fg_nm_names kind)
{
	size_t digits = fg_str_find_char(line, ' ');
	struct fg_str name = fg_str_from_pos(line, digits + 3);
	struct fg_str bare;
	uint64_t address;

	if (!name.len || line.ptr[digits + 2] != ' ' ||
	    fg_str_hex(fg_str_before(line, digits), &address) < 0)
		return;
	if (kind == NAMES_LINKER) {
		fg_nm_symbols_add(&nm->linker, name, address);
		return;
	}
	fg_nm_symbols_add(&nm->demangled, name, address);
	bare = fg_symbol_without_parameters(
		fg_str_before(name, fg_str_find_char(name, '@')));
	fg_nm_symbols_add(&nm->bare, fg_symbol_without_type(bare), address);
}

enum fg_reading fg_nm_read(struct fg_nm *nm, struct fg_child *child,
			   enum fg_nm_names kind)
{
	enum fg_reading reading;
	struct fg_str line;

	while ((reading = fg_child_line(child, &line)) == READ_LINE)
		add_line(nm, line, kind);
	return reading;
}

static int start(struct fg_nm *nm, enum fg_nm_names kind, struct fg_child *child)
{
	const char *args[ARGS_MAX];
	size_t n = 0;

	args[n++] = "nm";
	if (kind == NAMES_DEMANGLED)
		args[n++] = "-C";
	if (nm->dynamic)
		args[n++] = "-D";
	args[n++] = nm->dso->path;
	args[n] = NULL;
	return fg_children_start(nm->tool->children, child, args);
}

static void warn_of_missing(struct fg_nm_tool *tool, int error)
{
	tool->missing = true;
	fg_warn(tool->diag, NULL,
		"nm cannot be run, so inlined functions of shared libraries "
		"are not shown; %s",
		fg_child_is_missing(error) ?
			"install binutils" :
			"raise the limits on files and processes (ulimit)");
}

/* Warns and gives up on nm for this DSO. */
static void give_up_on(struct fg_nm *nm, enum fg_reading reading)
{
	nm->lost = true;
	nm->tool->failed = true;
	fg_dsofile_warn(
		nm->dso, nm->tool->diag,
		reading == READ_TOO_MUCH ?
			"nm did not stop printing, so not all inlined functions "
			"are shown; try another version of binutils" :
			"nm failed, so not all inlined functions are shown; run "
			"it by hand to see why");
}

static void run(struct fg_nm *nm, enum fg_nm_names kind)
{
	struct fg_child child = { .pid = 0 };
	int error = start(nm, kind, &child);
	enum fg_reading reading;
	enum fg_child_end how;

	if (error) {
		warn_of_missing(nm->tool, error);
		return;
	}
	child.left = SYMBOLS_MAX;
	reading = fg_nm_read(nm, &child, kind);
	how = reading == READ_END ? CHILD_WAIT : CHILD_KILL;
	if (fg_children_end(nm->tool->children, &child, how) < 0 ||
	    reading == READ_TOO_MUCH)
		give_up_on(nm, reading);
}

/* Does the next step of reading; false where there is none left. */
static bool read_more(struct fg_nm *nm)
{
	if (nm->tool->missing || nm->lost || nm->progress == NM_DEMANGLED)
		return false;
	if (nm->progress == NM_LINKER) {
		run(nm, NAMES_DEMANGLED);
		nm->progress = NM_DEMANGLED;
		return true;
	}
	run(nm, NAMES_LINKER);
	nm->dynamic = !nm->linker.any;
	if (nm->dynamic && !nm->tool->missing && !nm->lost)
		run(nm, NAMES_LINKER);
	nm->progress = NM_LINKER;
	return true;
}

/*
 * The linker's name decides, and of equal ones the first, as users of
 * stackcollapse-perf.pl have it. perf demangles, with or without parameters, so
 * such names are tried as well, but only where they can mean one function.
 */
static bool find(struct fg_nm *nm, struct fg_str name, uint64_t *address)
{
	struct fg_symbols *exact[] = { &nm->demangled, &nm->bare };
	struct fg_nm_symbol *symbol = fg_nm_symbols_entry(&nm->linker, name);
	bool found = symbol->places != PLACES_NONE;

	for (size_t i = 0; !found && i < FG_COUNT_OF(exact); i++) {
		symbol = fg_nm_symbols_entry(exact[i], name);
		found = symbol->places == PLACES_ONE;
	}
	*address = symbol->address;
	return found;
}

bool fg_nm_address(struct fg_nm *nm, struct fg_str symbol, uint64_t *address)
{
	size_t plus = fg_str_rfind_char(symbol, '+');
	struct fg_str name = fg_str_before(symbol, plus);
	uint64_t offset;

	if (!name.len || fg_str_0x(fg_str_from_pos(symbol, plus + 1), &offset))
		return false;
	while (!find(nm, name, address))
		if (!read_more(nm))
			return false;
	*address += offset;
	return true;
}
