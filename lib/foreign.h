/*
 * Profiles that a collapser has to read first, recognised by their first lines.
 */
#ifndef FG_LIB_FOREIGN_H
#define FG_LIB_FOREIGN_H

#include "lib/str.h"

/*
 * The end of a message, "this is the output of gdb: pipe it through collapse-gdb
 * first"; NULL where nothing is recognised. Only lines before the first stack of
 * several frames are looked at, and no line that is a folded stack itself: some lines
 * of a folded profile may be like those of another. Output of perf script is not
 * among them, see lib/folded.h.
 */
const char *fg_foreign(struct fg_str first_bytes);

#endif
