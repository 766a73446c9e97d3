/*
 * A profile of the library: folded text in parts, each as a file would hold it.
 *
 * What programs do with files, calls do with this text: they read it by the same
 * functions and leave another text. A part is a block that is kept (library/memory.h).
 * So a call that fails in the middle leaves what there was.
 */
#ifndef FG_LIBRARY_PROFILE_H
#define FG_LIBRARY_PROFILE_H

#include "lib/base/reader.h"
#include "library/task.h"

/* All of a profile as one text, sorted and merged: 0, or -1 after reporting. */
int fg_task_text(struct fg_task *task, const struct flamepipe_profile *p,
		 struct fg_str *text, struct fg_buf *room);

/* The same of task->p, which keeps it. */
int fg_task_settle(struct fg_task *task, struct fg_str *text);

/* Adds a text of that many columns to task->p: a status. `text` is empty afterwards. */
int fg_task_add(struct fg_task *task, struct fg_buf *text, unsigned columns);

/* The text becomes all of task->p, if it is `settled` as above. */
void fg_task_replace(struct fg_task *task, struct fg_buf *text, unsigned columns);

/* A reader of text that is a profile's. */
struct fg_reader *fg_task_reader(struct fg_task *task, struct fg_str text);

#endif
