/* record-perf: records a command, processes or the machine, without perf. */
#define _GNU_SOURCE /* for SIG_SETMASK with old headers */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/cli.h"
#include "lib/base/io.h"
#include "lib/base/xalloc.h"
#include "record/bpf.h"
#include "record/cgroups.h"
#include "record/existing.h"
#include "record/kernel.h"
#include "record/options.h"
#include "record/output.h"
#include "record/recording.h"
#include "record/refusal.h"
#include "record/rights.h"

static const char footer[] =
	"To draw a flame graph of a command:\n"
	"  record-perf -- COMMAND | collapse-perf | flamegraph > flame.svg\n"
	"Without -o FILE the output of COMMAND goes to standard error.";

/* A run of the program. */
struct run {
	struct fg_record_options options;
	struct fg_record_output output;
	struct fg_inherited inherited;
	struct fg_recording recording;
	struct fg_events events;
	struct fg_numbers tasks, online;
	bool may_all;
	bool chose_event; /* no event was given */
	struct fg_diag *diag;
};

static enum fg_refusal_target target_of(const struct run *r)
{
	if (r->options.whole)
		return FG_TARGET_MACHINE;
	return r->options.pids.count ? FG_TARGET_PROCESS : FG_TARGET_COMMAND;
}

/* Reports a refusal of the kernel, with its cause. Returns -1. */
static int explain(const struct run *r, struct fg_refusal *why)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_refusal_look(why);
	fg_refusal_explain(why, &text);
	fg_error(r->diag, NULL, "%s", fg_buf_cstr(&text));
	fg_buf_release(&text);
	return -1;
}

/* ---- preparing */

/* Finds the processors that are online. */
static void find_processors(struct fg_numbers *online)
{
	struct fg_buf text = FG_BUF_INIT;

	if (fg_read_file("/sys/devices/system/cpu", "online", &text) ||
	    fg_numbers_parse(online, fg_str_trim(fg_buf_str(&text)))) {
		online->count = 0;
		for (int i = 0; i < (int)sysconf(_SC_NPROCESSORS_ONLN); i++)
			fg_numbers_add(online, i);
	}
	fg_buf_release(&text);
}

static int find_events(struct run *r)
{
	const struct fg_opt_list *list = r->options.events;
	const struct fg_event_places places = { "/sys/bus/event_source/devices",
						fg_tracing_folder() };

	for (size_t i = 0; i < list->count; i++)
		if (fg_events_parse(&r->events, list->items[i], &places, r->diag))
			return -1;
	r->chose_event = !r->events.count;
	if (r->chose_event)
		fg_events_add_cycles(&r->events);
	return 0;
}

/* Lists the threads to record. */
static int find_tasks(struct run *r)
{
	const struct fg_numbers *pids = &r->options.pids;
	struct fg_refusal why = { .error = ESRCH, .target = FG_TARGET_PROCESS };

	if (r->options.command)
		fg_numbers_add(&r->tasks, (int)r->recording.command.pid);
	for (size_t i = 0; i < pids->count; i++) {
		why.pid = pids->list[i];
		if (!fg_existing_threads("/proc", why.pid, &r->tasks))
			return explain(r, &why);
	}
	return 0;
}

/* Returns the rate to sample at, at most the one that the kernel allows. */
static uint64_t rate_of(const struct run *r)
{
	uint64_t freq = r->options.freq ? r->options.freq : FG_RECORD_FREQ;
	int most = fg_kernel_setting("perf_event_max_sample_rate");

	if (most <= 0 || freq <= (uint64_t)most)
		return freq == FG_RECORD_FREQ_MAX ? FG_RECORD_FREQ : freq;
	if (r->options.freq != FG_RECORD_FREQ_MAX)
		fg_warn(r->diag, NULL,
			"the kernel allows %d samples a second, so not %llu are taken: "
			"sudo sysctl kernel.perf_event_max_sample_rate=%llu",
			most, (unsigned long long)freq, (unsigned long long)freq);
	return (uint64_t)most;
}

/* Returns true if the kernel says that there is no counter for the event. */
static bool is_missing(const struct fg_refusal *why)
{
	return why->refused == FG_REFUSED_OPEN && why->is_hardware &&
	       (why->error == ENOENT || why->error == ENODEV ||
		why->error == EOPNOTSUPP || why->error == EINVAL);
}

/*
 * Opens the counters. If the user chose no event and there are no hardware counters,
 * samples by time.
 */
static int open_counters(struct run *r)
{
	struct fg_counters *c = &r->recording.counters;
	const struct fg_counters_plan plan = {
		.options = &r->options,
		.target = target_of(r),
		.tasks = &r->tasks,
		.online = &r->online,
		.freq = rate_of(r),
		.may_all = r->may_all,
	};
	struct fg_refusal why = { .target = plan.target };

	fg_io_allow_more_files();
	if (!fg_counters_open(c, &r->events, &plan, &why))
		return 0;
	if (!r->chose_event || !is_missing(&why))
		return explain(r, &why);
	fg_counters_close(c);
	fg_events_use_clock(&r->events);
	if (fg_counters_open(c, &r->events, &plan, &why))
		return explain(r, &why);
	fg_warn(r->diag, NULL,
		"there are no hardware counters here (normal in virtual machines; "
		"nothing to do): sampling by time, with -e cpu-clock");
	return 0;
}

/* ---- what runs already */

/* Warns if functions of the kernel will have no names. */
static void warn_of_names(const struct run *r)
{
	int setting = fg_kernel_setting("kptr_restrict");

	fg_warn(r->diag, NULL,
		"kernel.kptr_restrict is %d, so functions of the kernel have no names: "
		"sudo sysctl kernel.kptr_restrict=0%s",
		setting, setting == 1 ? ", or run it as root" : "");
}

/* Describes the kernel, unless it is not recorded. */
static void describe_kernel(struct run *r, struct fg_existing *x)
{
	if (r->recording.counters.without_kernel) {
		fg_warn(r->diag, NULL,
			"kernel.perf_event_paranoid hides the kernel, so its functions "
			"are not recorded: sudo sysctl "
			"kernel.perf_event_paranoid=1, or run it as root");
		return;
	}
	if (!fg_kernel_describe(x))
		warn_of_names(r);
	if (r->may_all)
		fg_bpf_describe(x);
}

static void describe_existing(struct run *r)
{
	struct fg_existing x = {
		.proc = "/proc",
		.out = &r->recording.stream.out,
		.data = r->options.callers == FG_CALLERS_DWARF,
		.trailer = fg_counters_trailer(&r->recording.counters),
	};

	describe_kernel(r, &x);
	if (fg_counters_have_cgroups(&r->recording.counters))
		fg_cgroups_describe(&x);
	if (target_of(r) == FG_TARGET_MACHINE)
		fg_existing_processes(&x);
	for (size_t i = 0; i < r->options.pids.count; i++)
		fg_existing_process(&x, r->options.pids.list[i]);
	fg_existing_release(&x);
}

/* ---- recording */

/*
 * Opens the file of -o as the caller, even if we run with the rights of our own file.
 */
static int open_output(struct run *r)
{
	int error = fg_rights_lend(true), status;

	if (error)
		return fg_error(r->diag, NULL, "cannot change the user: %s",
				strerror(error));
	status = fg_record_output_open(&r->output, r->diag);
	error = fg_rights_lend(false);
	if (error && !status)
		return fg_error(r->diag, NULL, "cannot change the user: %s",
				strerror(error));
	return status;
}

/*
 * Starts the stream and the counters. Those of processes start before the processes are
 * described, so that no mapping is missed; those of the machine start afterwards, so
 * that we do not record ourselves reading /proc.
 */
static int start(struct run *r, char *const *args)
{
	struct fg_recording *rec = &r->recording;
	const struct fg_stream_facts facts = { &rec->counters, &r->online, args,
					       r->options.level };
	int error;

	if (open_output(r))
		return -1;
	fg_io_widen_pipe(r->output.fd);
	fg_stream_open(&rec->stream, r->output.fd, r->output.name, r->options.level,
		       r->diag);
	fg_stream_header(&rec->stream, &facts);
	error = fg_counters_start_tracker(&rec->counters);
	if (error)
		return fg_error(r->diag, NULL, "the counters cannot be started: %s",
				strerror(error));
	if (target_of(r) == FG_TARGET_PROCESS && !r->options.delay &&
	    fg_recording_start(rec))
		return -1;
	describe_existing(r);
	error = fg_rights_drop(r->options.command);
	if (error)
		fg_warn(r->diag, NULL, "cannot give up rights: %s", strerror(error));
	if (target_of(r) == FG_TARGET_MACHINE && !r->options.delay)
		return fg_recording_start(rec);
	return 0;
}

/* Records, and returns the exit status. */
static int record(struct run *r)
{
	struct fg_recording *rec = &r->recording;
	char *const *command = r->options.command;
	int status = 0, failed;

	if (command)
		status = fg_command_start(&rec->command, command[0], r->diag);
	failed = fg_recording_run(rec);
	if (failed)
		fg_command_signal(&rec->command, SIGTERM);
	else
		fg_recording_finish(rec);
	if (fg_stream_close(&rec->stream))
		failed = -1;
	if (r->output.fd >= 0 && close(r->output.fd) && !failed)
		failed = fg_error(r->diag, NULL, "cannot write: %s", strerror(errno));
	fg_command_wait(&rec->command);
	if (failed)
		return FG_EXIT_FAILED;
	if (status || !command)
		return status;
	return rec->time_is_over ? FG_EXIT_OK :
				   fg_command_status(&rec->command, r->diag);
}

/* Prepares all, records, and returns the exit status. */
static int run(struct run *r, const struct fg_cli *cli, char *const *args)
{
	struct fg_recording *rec = &r->recording;
	int status = FG_EXIT_FAILED;

	if (fg_record_options_read(cli, &r->options, r->diag))
		return FG_EXIT_USAGE;
	if (r->options.level && !fg_compressor_is_here()) {
		fg_error(r->diag, NULL,
			 "this program is built without libzstd, so -z "
			 "does not work");
		return FG_EXIT_FAILED;
	}
	r->may_all = fg_may_record_all();
	if (fg_record_output_find(&r->output, cli->output, r->diag) || find_events(r) ||
	    fg_recording_catch(rec, &r->inherited))
		return FG_EXIT_FAILED;
	find_processors(&r->online);
	if (r->options.command &&
	    fg_command_prepare(&rec->command, r->options.command, &r->inherited,
			       r->output.is_standard, r->diag))
		return FG_EXIT_FAILED;
	if (find_tasks(r) || open_counters(r) || start(r, args))
		fg_command_abandon(&rec->command);
	else
		status = record(r);
	fg_counters_close(&rec->counters);
	return status;
}

/* Ends by the signal that has ended the recording, if there was no command. */
static void die_like(int signal)
{
	struct sigaction standard;
	sigset_t set;

	memset(&standard, 0, sizeof(standard));
	standard.sa_handler = SIG_DFL;
	sigaction(signal, &standard, NULL);
	sigemptyset(&set);
	sigaddset(&set, signal);
	raise(signal);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static int run_and_release(const struct fg_cli *cli, char *const *args,
			   struct fg_diag *diag)
{
	struct run r;
	int status, signal;

	memset(&r, 0, sizeof(r));
	r.diag = diag;
	r.recording.diag = diag;
	r.recording.options = &r.options;
	fg_events_init(&r.events);
	status = run(&r, cli, args);
	/* Ctrl-C is the usual end of a recording, and no failure */
	signal = r.options.command || status ? 0 : r.recording.ended_by;
	fg_events_release(&r.events);
	fg_numbers_release(&r.tasks);
	fg_numbers_release(&r.online);
	fg_record_options_release(&r.options);
	if (signal && signal != SIGINT)
		die_like(signal);
	return status;
}

int main(int argc, char **argv)
{
	struct fg_record_line line = { .duration = FG_RECORD_ENDLESS,
				       .verbosity = FG_NORMAL };
	const struct fg_opt_table table = { fg_record_rows, &line };
	struct fg_cli cli = {
		.program = "record-perf",
		.usage = "[OPTION]... [-p PID | -a] [-- COMMAND [ARGUMENT]...]",
		.summary = "Records where programs spend their time, as a stream of "
			   "perf.data.",
		.footer = footer,
		.version = FG_VERSION,
		.tables = &table,
		.table_count = 1,
		.takes_command = true,
	};
	struct fg_diag diag;
	struct fg_out out;
	int status = FG_EXIT_OK;

	fg_xalloc_start();
	fg_diag_init(&diag, cli.program);
	fg_out_init(&out, STDOUT_FILENO, "(standard output)", &diag);
	switch (fg_cli_parse(&cli, argc, argv, &out, &diag)) {
	case FG_CLI_USAGE:
		status = FG_EXIT_USAGE;
		break;
	case FG_CLI_DONE:
		break;
	case FG_CLI_RUN:
		diag.verbosity = line.verbosity;
		status = run_and_release(&cli, argv, &diag);
		break;
	}
	if (fg_out_close(&out) && status == FG_EXIT_OK)
		status = FG_EXIT_FAILED;
	fg_opt_list_release(&cli.files);
	fg_opts_release(fg_record_rows, &line);
	return status;
}
