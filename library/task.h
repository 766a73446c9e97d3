/*
 * A call of the library for a profile: its messages, its options and its output.
 * library/profile.h has the functions for the profile's text.
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
	size_t alloc; /* size of the array `parts` in bytes */
	size_t merged; /* bytes of the first part, if it is sorted and merged */
	size_t waiting; /* bytes of the parts that are not merged yet */
	struct fg_part described; /* header lines for the stacks that are added next */
	bool has_described; /* stacks have been added with these header lines */
	bool open; /* flamepipe_add() may append to the last part */
	bool settled; /* there is at most one part, sorted and merged */
	/* number of counts of each stack; 0: there are no stacks yet */
	unsigned columns;
	flamepipe_message *message;
	void *message_data;
};

/* A call for a profile. Its messages go to the profile's callback. */
struct fg_task {
	struct flamepipe_profile *p;
	struct fg_diag diag;
	/* numbers of messages passed to the callback so far */
	unsigned errors, warnings;
	int (*work)(struct fg_task *task);
	const void *data; /* for `work` */
	struct fg_buf out; /* output, written after the call has ended */
};

/*
 * Runs task->work as a call of the library. `program` is the program whose options it
 * takes, or "flamepipe". Returns the result of `work`, an enum flamepipe_status.
 */
int fg_task_run(struct fg_task *task, struct flamepipe_profile *p, const char *program);

/*
 * Passes task->out to `write` and frees it. Use it after fg_task_run(): `write` runs
 * outside of the call, so it may do what it likes, even make other calls.
 */
int fg_task_write(struct fg_task *task, flamepipe_write *write, void *data);

/*
 * Reads options into the structs of the tables. Only for use within a call. Returns 0,
 * or -1 after reporting.
 */
int fg_task_options(struct fg_task *task, const struct fg_opt_table *tables,
		    size_t count, const char *const *options);

#endif
