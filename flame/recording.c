/* Plans recordings by record-perf and perf. */
#include "flame/recording.h"

#include <stdlib.h>
#include <unistd.h>

#include "flame/callers.h"
#include "flame/files.h"
#include "flame/own.h"
#include "lib/base/child.h"
#include "lib/base/cli.h"

/*
 * The id of the tracepoint for switches. The file can be read only if the tracepoint
 * exists and we may use it.
 */
#define SWITCH_ID "/sys/kernel/tracing/events/sched/sched_switch/id"

/* A file that is there if tracefs is mounted. */
#define ANY_FORMAT "/sys/kernel/tracing/events/header_event"

#define MAX_RATE "/proc/sys/kernel/perf_event_max_sample_rate"

/* ---- tracepoints */

bool fg_is_tracepoint(const char *event)
{
	const char *colon = strchr(event, ':');

	/* after the colon of another event are only modifiers, as in cycles:u */
	return colon && strspn(colon + 1, "ukhGHpPSDIWebRX") != strlen(colon + 1);
}

const char *fg_tracepoint_refused(const struct fg_tracepoint_facts *facts)
{
	if (facts->readable)
		return NULL;
	if (!facts->as_root)
		return "the tracepoint sched:sched_switch is for root only (flame "
		       "--root)";
	if (facts->mounted)
		return "this kernel has no tracepoint sched:sched_switch";
	return "its tracepoints are not mounted: mount -t tracefs nodev "
	       "/sys/kernel/tracing";
}

/*
 * Returns true if the recorder, which may be root, can read a file that is not empty.
 */
static bool can_read(struct fg_flame *f, const char *file)
{
	struct fg_buf bytes = FG_BUF_INIT;
	struct fg_args args = FG_ARGS_INIT;
	struct fg_ask ask = { .stream = FG_ASK_OUTPUT };
	bool can;

	if (f->sudo.count) {
		fg_args_join(&args, &f->sudo);
		fg_args_add(&args, "cat");
		fg_args_add(&args, file);
		ask.args = (const char *const *)args.items;
		fg_ask(&ask, &bytes);
		fg_args_release(&args);
	} else {
		fg_file_start(file, 1, &bytes);
	}
	can = bytes.len;
	fg_buf_release(&bytes);
	return can;
}

static const char *switches_refused(struct fg_flame *f)
{
	struct fg_tracepoint_facts facts = { .as_root = f->as_root };

	facts.readable = can_read(f, SWITCH_ID);
	facts.mounted = facts.readable || (f->as_root && can_read(f, ANY_FORMAT));
	return fg_tracepoint_refused(&facts);
}

/* ---- --off-cpu and --wall */

void fg_recording_show_waits(struct fg_flame *f)
{
	fg_args_release(&f->waits);
	if (f->o.wall) {
		fg_args_add(&f->waits, "--wall");
		fg_args_add(&f->waits, "--kernel");
		f->palette = "java";
	} else if (f->o.off_cpu) {
		fg_args_add(&f->waits, "--off-cpu");
		f->palette = "io";
	}
}

static void add_switches(struct fg_flame *f)
{
	fg_args_add(&f->events, "-e");
	fg_args_add(&f->events, "sched:sched_switch");
	fg_args_add(&f->events, "--switch-events");
}

/*
 * Chooses the events for --off-cpu. perf can measure with BPF how long threads wait,
 * but only if callers are found by frame pointers. Otherwise we sample each switch of
 * threads. Returns 0, or the exit status after reporting.
 */
static int choose_off_cpu(struct fg_flame *f)
{
	if (f->recorder == FG_RECORDER_PERF && f->call_graph &&
	    !strcmp(f->call_graph, "fp")) {
		fg_args_add(&f->events, "--off-cpu");
		fg_args_release(&f->waits);
		fg_args_add(&f->waits, "--event-filter");
		fg_args_add(&f->waits, "offcpu-time");
		f->palette = "io";
		return 0;
	}
	if (!f->as_root && !can_read(f, SWITCH_ID))
		return fg_flame_fail(f, FG_EXIT_FAILED,
				     "--off-cpu reads a tracepoint, which only root "
				     "may: flame --root");
	fg_warn(f->diag, NULL,
		"waiting is the time from one sched:sched_switch to the next");
	add_switches(f);
	fg_recording_show_waits(f);
	return 0;
}

/* Returns the rate that the user chose, or ours. The result lives as long as f. */
static const char *rate_of(struct fg_flame *f)
{
	const char *freq = f->o.freq;
	struct fg_buf max = FG_BUF_INIT;

	if (freq && !strcmp(freq, "max")) {
		fg_file_start(MAX_RATE, 16, &max);
		fg_args_addf(&f->names, "%s", fg_buf_cstr(&max));
		freq = f->names.items[f->names.count - 1];
		f->names.items[f->names.count - 1][strcspn(freq, "\n")] = '\0';
		fg_buf_release(&max);
	} else if (!freq) {
		fg_args_addf(&f->names, "%u", f->rate);
		freq = f->names.items[f->names.count - 1];
	}
	return freq;
}

/*
 * Chooses the events for --wall. cpu-clock samples running threads at a rate.
 * sched:sched_switch has a sample, with the stack, for each switch, so it gets no rate.
 * If it is refused, --switch-events tells when threads wait, but not where.
 */
static void choose_wall(struct fg_flame *f)
{
	const char *refused;

	fg_recording_show_waits(f);
	if (f->o.custom)
		return;
	if (f->events.count) {
		fg_args_add(&f->events, "--switch-events");
		return;
	}
	fg_args_add(&f->events, "-e");
	refused = switches_refused(f);
	if (refused) {
		fg_warn(f->diag, NULL,
			"a wait is shown below what ran before and after it: %s",
			refused);
		fg_args_add(&f->events, "cpu-clock");
		fg_args_add(&f->events, "--switch-events");
	} else {
		fg_args_addf(&f->events, "cpu-clock/freq=%s/", rate_of(f));
		add_switches(f);
		f->has_clock = true;
	}
}

int fg_recording_choose(struct fg_flame *f)
{
	f->call_graph = f->o.call_graph;
	if (f->o.off_cpu && f->recorder == FG_RECORDER_PERF && !f->call_graph)
		f->call_graph = "fp";
	fg_callers_choose(f);
	if (f->o.wall)
		choose_wall(f);
	return f->o.off_cpu ? choose_off_cpu(f) : 0;
}

/* ---- the recorder's command line */

static bool samples_each_event(const struct fg_flame *f)
{
	for (size_t i = 0; i < f->events.count; i++)
		if (fg_is_tracepoint(f->events.items[i]))
			return true;
	return f->has_clock;
}

/* Adds the options that record-perf and perf have in common. */
static void add_options(struct fg_flame *f, struct fg_args *to)
{
	if (f->o.freq ? !f->has_clock : !samples_each_event(f)) {
		fg_args_add(to, "-F");
		fg_args_add(to, f->o.freq ? f->o.freq : rate_of(f));
	}
	fg_args_add(to, "--call-graph");
	fg_args_add(to, f->call_graph);
	fg_args_join(to, &f->events);
	if (f->o.compress)
		fg_args_addf(to, "-z%s", f->o.compress);
}

static void add_target(struct fg_flame *f, struct fg_args *to)
{
	if (f->o.pids) {
		fg_args_add(to, "-p");
		fg_args_add(to, f->o.pids);
	} else if (f->o.all_cpus) {
		fg_args_add(to, "-a");
	}
}

static const char *perf_program(void)
{
	const char *perf = getenv("PERF");

	return perf && *perf ? perf : "perf";
}

static struct fg_args *add_collapser(struct fg_flame *f, struct fg_plan *plan)
{
	struct fg_stage *stage = fg_plan_add(plan);

	stage->is_collapser = true;
	fg_args_join(&stage->args, &f->sudo);
	return &stage->args;
}

void fg_recording_plan_collapser(struct fg_flame *f, struct fg_plan *plan,
				 const char *data, bool is_lbr)
{
	struct fg_args *to = add_collapser(f, plan);

	/* only perf script can read the stacks of LBR */
	if (is_lbr) {
		fg_args_add(to, perf_program());
		fg_args_split(to, "script --no-inline -i");
		fg_args_add(to, data);
		to = add_collapser(f, plan);
	}
	fg_args_add(to, f->collapse_perf);
	fg_args_join(to, &f->waits);
	fg_args_join(to, &f->collapse);
	if (data && !is_lbr)
		fg_args_add(to, data);
}

static void plan_data(struct fg_flame *f, struct fg_plan *plan)
{
	plan->way = FG_WAY_FILE;
	plan->data = f->keep_data ? fg_flame_file(f, f->keep_data) :
				    fg_flame_temporary(f, "perf.data");
}

static void plan_ours(struct fg_flame *f, struct fg_plan *plan,
		      const char *const *words, size_t count)
{
	struct fg_args *to = &plan->record;

	if (fg_flame_needs_file(f))
		plan_data(f, plan);
	else
		plan->way = count ? FG_WAY_DESCRIPTOR : FG_WAY_PIPE;
	plan->recorder = "record-perf";
	fg_args_join(to, &f->sudo);
	fg_args_add(to, f->record_perf);
	/* a comparison would show the same notes again and again */
	if (f->o.quiet || f->o.mode == FG_FLAME_COMPARE)
		fg_args_add(to, "-q");
	add_options(f, to);
	if (f->o.duration) {
		fg_args_add(to, "-d");
		fg_args_add(to, f->o.duration);
	}
	add_target(f, to);
	if (plan->way != FG_WAY_PIPE) {
		fg_args_add(to, "-o");
		fg_args_add(to, plan->data ? plan->data : "/dev/fd/3");
	}
	if (count) {
		fg_args_add(to, "--");
		fg_args_add_all(to, words, count);
	}
}

/* ---- perf */

/* The arguments of --cmd. */
struct custom {
	struct fg_args options;
	struct fg_args command; /* the words after "--" */
	const char *kept; /* the file that -o names, or NULL */
};

static void split_custom(struct fg_flame *f, struct custom *c)
{
	struct fg_args words = FG_ARGS_INIT;
	bool in_command = false;
	size_t i = 0;

	fg_args_split(&words, f->o.custom);
	if (i < words.count && !strcmp(words.items[i], "perf"))
		i++;
	if (i >= words.count || strcmp(words.items[i], "record") != 0)
		fg_args_add(&c->options, "record");
	for (; i < words.count; i++) {
		const char *word = words.items[i];

		if (in_command) {
			fg_args_add(&c->command, word);
		} else if (!strcmp(word, "--")) {
			in_command = true;
		} else if (!strncmp(word, "-o", 2)) {
			if (!word[2])
				word = i + 1 < words.count ? words.items[++i] : "";
			else
				word += 2;
			fg_args_add(&f->names, word);
			c->kept = f->names.items[f->names.count - 1];
		} else {
			fg_args_add(&c->options, word);
		}
	}
	fg_args_release(&words);
}

/* Takes the arguments of --cmd into account. */
static int settle_custom(struct fg_flame *f, const struct custom *c, bool has_command)
{
	if (c->kept && f->o.keep_data) {
		fg_flame_misuse(f->diag, "-c names the recording, so --keep-data does "
					 "not go with it");
		return FG_EXIT_USAGE;
	}
	if (c->kept)
		f->keep_data = c->kept;
	if (c->command.count && has_command) {
		fg_flame_misuse(f->diag,
				"-c names a command, so it goes without another");
		return FG_EXIT_USAGE;
	}
	/* the run ends with the status of that command */
	if (c->command.count && f->o.mode == FG_FLAME_CUSTOM)
		f->o.mode = FG_FLAME_COMMAND;
	return 0;
}

/* Adds a command. perf has no duration of its own. */
static void add_command(struct fg_flame *f, struct fg_args *to,
			const char *const *words, size_t count)
{
	if (!count && !f->o.duration)
		return;
	fg_args_add(to, "--");
	if (f->o.duration) {
		fg_args_add(to, count ? "timeout" : "sleep");
		fg_args_add(to, f->o.duration);
	}
	fg_args_add_all(to, words, count);
}

static int plan_perf(struct fg_flame *f, struct fg_plan *plan, const char *const *words,
		     size_t count)
{
	struct custom c = { .kept = NULL };
	struct fg_buf path = FG_BUF_INIT;
	struct fg_args *to = &plan->record;
	int status = 0;

	plan->recorder = perf_program();
	if (f->o.custom) {
		split_custom(f, &c);
		status = settle_custom(f, &c, count);
	}
	if (!status && !fg_find_program(plan->recorder, &path))
		status = fg_flame_fail(f, FG_EXIT_FAILED,
				       "%s is not here: install it, or record without "
				       "--perf",
				       plan->recorder);
	fg_buf_release(&path);
	plan_data(f, plan);
	fg_args_join(to, &f->sudo);
	fg_args_add(to, plan->recorder);
	if (f->o.custom) {
		fg_args_join(to, &c.options);
	} else {
		fg_args_add(to, "record");
		fg_args_add(to, "-q");
		add_options(f, to);
		/* no copies of binaries in ~/.debug for a file that we remove */
		if (!f->keep_data)
			fg_args_add(to, "-N");
	}
	fg_args_add(to, "-o");
	fg_args_add(to, plan->data);
	add_target(f, to);
	if (c.command.count)
		add_command(f, to, (const char *const *)c.command.items,
			    c.command.count);
	else
		add_command(f, to, words, count);
	fg_args_release(&c.options);
	fg_args_release(&c.command);
	return status;
}

int fg_recording_plan(struct fg_flame *f, struct fg_plan *plan,
		      const char *const *words, size_t count)
{
	int status = 0;

	if (f->recorder == FG_RECORDER_PERF)
		status = plan_perf(f, plan, words, count);
	else
		plan_ours(f, plan, words, count);
	fg_recording_plan_collapser(f, plan, plan->data,
				    f->call_graph && !strcmp(f->call_graph, "lbr"));
	return status;
}
