/*
 * Which of several profiles the stacks of folded text belong to: those after its header
 * lines, up to the next.
 *
 * A header line "# event:" or "# unit:" after stacks starts the section of another
 * event or unit, unless it says what one before did, or nothing else, which then goes
 * on. Stacks without header lines go on with the section before, and the first header
 * of all is that of the stacks before it, too. See folded(5).
 */
#ifndef FG_LIB_PROFILE_SECTIONS_H
#define FG_LIB_PROFILE_SECTIONS_H

#include "lib/base/diag.h"
#include "lib/profile/unit.h"

/* More sections are an error. */
#define FG_SECTIONS_MAX 64

struct fg_sections {
	struct fg_unit *items; /* what each counts, by header lines; one at least */
	size_t count, alloc;
	size_t current; /* the one that stacks are of */
	struct fg_unit said; /* by the header lines since the last stack */
	bool has_said;
};

void fg_sections_init(struct fg_sections *s);
void fg_sections_release(struct fg_sections *s);

/* Header lines that say more of what `unit` has, or the same, or something else. */
void fg_sections_take(struct fg_unit *unit, const struct fg_unit *said);

/* Takes a line that is no stack. */
void fg_sections_line(struct fg_sections *s, struct fg_str line);

/*
 * Where header lines came before it, which section a stack is of, and makes it the
 * current one: its index, which may be one more than before; or -1 after reporting that
 * there are too many.
 */
int fg_sections_turn(struct fg_sections *s, const struct fg_place *at,
		     struct fg_diag *diag);

/* After an input that had stacks: header lines at its end say what those before are. */
void fg_sections_end(struct fg_sections *s);

#endif
