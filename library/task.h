/*
 * A call of the library about a profile: its messages, its options, what it writes.
 * library/profile.h is what a call does with the profile's text.
 */
#ifndef FG_LIBRARY_TASK_H
#define FG_LIBRARY_TASK_H

#include "lib/base/buf.h"
#include "lib/base/opts.h"
#include "library/flamepipe.h"

struct fg_part {
	char *bytes;
	size_t len;
	size_t alloc;
};

struct flamepipe_profile {
	struct fg_part *parts;
	size_t count;
	size_t alloc; /* bytes of `parts` */
	size_t merged; /* bytes of the first part, if it is sorted and merged */
	size_t waiting; /* bytes that the others take */
	struct fg_part described; /* header lines of the stacks that are added next */
	bool has_described; /* stacks have been added since those */
	bool open; /* the last part takes stacks that are added */
	bool settled; /* there is one part at most, sorted and merged */
	unsigned columns; /* counts of each stack; 0: there is none yet */
	flamepipe_message *message;
	void *message_data;
};

/* A call about a profile; its messages go to the profile's callback. */
struct fg_task {
	struct flamepipe_profile *p;
	struct fg_diag diag;
	unsigned errors; /* of which the callback was told */
	unsigned warnings;
	int (*work)(struct fg_task *task);
	const void *data; /* of `work` */
	struct fg_buf out; /* what is to be written, once the call has ended */
};

/*
 * Runs task->work as a call of the library, on behalf of a program whose options it
 * takes, or of "flamepipe": what that returns, an enum flamepipe_status.
 */
int fg_task_run(struct fg_task *task, struct flamepipe_profile *p, const char *program);

/*
 * The same, and gives what it leaves in task->out to `write`. That is no part of the
 * call: it may take its time, and what it does.
 */
int fg_task_write(struct fg_task *task, flamepipe_write *write, void *data);

/* Within a call: reads options into tables: 0, or -1 after reporting. */
int fg_task_options(struct fg_task *task, const struct fg_opt_table *tables,
		    size_t count, const char *const *options);

#endif
