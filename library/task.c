/* Runs a call of the library: passes its messages on, reads options, writes output. */
#include "library/task.h"

#include <string.h>

#include "lib/base/xalloc.h"
#include "library/memory.h"

/* ---- messages */

struct message {
	const struct flamepipe_profile *p;
	enum flamepipe_level level;
	const char *text;
};

static void pass_on(void *data)
{
	const struct message *m = data;

	m->p->message(m->p->message_data, m->level, m->text);
}

/* Passes a message to the user's callback, without the program's name at its start. */
static void take_message(void *data, const char *message)
{
	struct fg_task *task = data;
	struct message to_pass = { task->p, FLAMEPIPE_NOTE, message };
	size_t len = strlen(task->diag.program);

	if (task->diag.errors > task->errors)
		to_pass.level = FLAMEPIPE_ERROR;
	else if (task->diag.warnings > task->warnings)
		to_pass.level = FLAMEPIPE_WARNING;
	task->errors = task->diag.errors;
	task->warnings = task->diag.warnings;
	if (!task->p->message)
		return;
	if (!strncmp(message, task->diag.program, len) &&
	    !strncmp(message + len, ": ", 2))
		to_pass.text += len + 2;
	fg_call_user(pass_on, &to_pass);
}

/* ---- calls */

static int work(void *data)
{
	struct fg_task *task = data;
	int status = task->work(task);

	if (status >= 0)
		fg_call_keep(task->out.ptr);
	return status;
}

int fg_task_run(struct fg_task *task, struct flamepipe_profile *p, const char *program)
{
	task->p = p;
	fg_diag_init(&task->diag, program);
	task->diag.sink = take_message;
	task->diag.sink_data = task;
	return fg_call(work, task, FLAMEPIPE_NO_MEMORY);
}

int fg_task_write(struct fg_task *task, flamepipe_write *write, void *data)
{
	int status = FLAMEPIPE_OK;

	if (task->out.len && write(data, task->out.ptr, task->out.len))
		status = FLAMEPIPE_STOPPED;
	fg_free(task->out.ptr);
	return status;
}

/* ---- options */

static int refuse(struct fg_task *task, const char *word)
{
	return fg_error(&task->diag, NULL, "'%s' is for the command line only", word);
}

int fg_task_options(struct fg_task *task, const struct fg_opt_table *tables,
		    size_t count, const char *const *options)
{
	struct fg_cli cli = {
		.program = task->diag.program,
		.usage = "",
		.summary = "",
		.version = FG_VERSION,
		.tables = tables,
		.table_count = count,
	};
	struct fg_out out;
	enum fg_cli_result result;

	if (!options)
		return 0;
	fg_out_init_memory(&out);
	result = fg_cli_parse(&cli, 0, (char **)options, &out, &task->diag);
	if (result == FG_CLI_USAGE)
		return -1;
	if (result == FG_CLI_DONE)
		return refuse(task, "--help");
	if (cli.output)
		return refuse(task, "--output");
	return cli.files.count ? refuse(task, cli.files.items[0]) : 0;
}
