/*
 * Where the functions of a DSO are in its file, by the symbols that nm prints.
 *
 * nm is run when a symbol is first asked for, and once more, for demangled names, when
 * the linker's do not have one. What goes wrong is warned of once, with its cure; then
 * only what was read before is known. More than 512 MiB of symbols are a failure.
 */
#ifndef FG_COLLAPSE_SYMBOLS_NM_H
#define FG_COLLAPSE_SYMBOLS_NM_H

#include "collapse/symbols/children.h"
#include "collapse/symbols/dsofile.h"
#include "collapse/symbols/symbols.h"

/* How nm prints names. */
enum fg_nm_names { NAMES_LINKER, NAMES_DEMANGLED };

/* What the symbols of all DSOs are read with; all of it borrowed. */
struct fg_nm_tool {
	struct fg_children *children;
	struct fg_diag *diag;
	bool missing; /* nm; there was a warning */
	bool failed; /* it, for some DSO; there was a warning */
};

/* The symbols of one DSO. */
struct fg_nm {
	struct fg_nm_tool *tool;
	const struct fg_dsofile *dso;
	enum { NM_UNREAD, NM_LINKER, NM_DEMANGLED } progress; /* what was read last */
	bool lost; /* there was a warning */
	bool dynamic; /* only nm -D has symbols */
	struct fg_symbols linker;
	struct fg_symbols demangled;
	struct fg_symbols bare; /* demangled: no type, parameters, version */
};

/* Runs nothing. `tool` and `dso` are borrowed; `dso` has a path. */
void fg_nm_init(struct fg_nm *nm, struct fg_nm_tool *tool,
		const struct fg_dsofile *dso);
void fg_nm_release(struct fg_nm *nm);

/* Notes the symbols that nm prints, up to the end or to what is too much. */
enum fg_reading fg_nm_read(struct fg_nm *nm, struct fg_child *child,
			   enum fg_nm_names names);

/* The address of "NAME+0xOFFSET" in the file; false where it is not known. */
bool fg_nm_address(struct fg_nm *nm, struct fg_str symbol, uint64_t *address);

#endif
