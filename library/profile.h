/*
 * A profile of the library: folded text in parts, each like a file of folded stacks.
 *
 * Calls do with this text what programs do with files: they read it by the same
 * functions and make another text. A part is a kept block (library/memory.h), and the
 * new text replaces the old one only at the end, so a call that fails changes nothing.
 */
#ifndef FG_LIBRARY_PROFILE_H
#define FG_LIBRARY_PROFILE_H

#include "lib/base/reader.h"
#include "library/task.h"

/*
 * Sets *text to the profile as one text, sorted and merged. The text is in `scratch`,
 * or borrowed from the profile. Returns 0, or -1 after reporting.
 */
int fg_task_text(struct fg_task *task, const struct flamepipe_profile *p,
		 struct fg_str *text, struct fg_buf *scratch);

/* Like fg_task_text(), for task->p, which keeps the merged text. */
int fg_task_settle(struct fg_task *task, struct fg_str *text);

/*
 * Adds a text with `columns` counts for each stack to task->p, which takes over its
 * memory. `text` is empty afterwards. Returns an enum flamepipe_status.
 */
int fg_task_add(struct fg_task *task, struct fg_buf *text, unsigned columns);

/* Replaces all of task->p by a text that is sorted and merged. Empties `text`. */
void fg_task_replace(struct fg_task *task, struct fg_buf *text, unsigned columns);

/* Opens a reader for a text of a profile. */
struct fg_reader *fg_task_reader(struct fg_task *task, struct fg_str text);

#endif
