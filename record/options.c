/* Reads the command line of record-perf. */
#include "record/options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"

#define OPTIONS struct fg_record_line

/* perf's limits of --call-graph dwarf,SIZE: the kernel keeps the size in 16 bits. */
#define COPY_DEFAULT 8192
#define COPY_MAX 65528

/* zstd's range of levels; perf has 1 as the default, too. */
#define LEVEL_DEFAULT 1
#define LEVEL_MAX 22

/* The largest number of a processor, process or thread. */
#define NUMBER_MAX 0x7fffffff

const struct fg_opt fg_record_rows[] = {
	SECTION("What is recorded"),
	TEXT("pid", pids, "PID", "record running processes; separate several by commas",
	     .letter = 'p'),
	FLAG("all-cpus", all, "record the whole machine", .letter = 'a'),
	TEXT("cpu", cpus, "LIST", "record these processors of the machine: 0-3,5",
	     .letter = 'C'),
	REAL("duration", duration, "end after N seconds", .letter = 'd'),
	UINT("delay", delay, "start to take samples after N milliseconds",
	     .letter = 'D'),
	SECTION("Samples"),
	LIST("event", events, "EVENT",
	     "sample this event, like in perf; may be repeated (default cycles, or "
	     "cpu-clock if there are no hardware counters)",
	     .letter = 'e'),
	TEXT("freq", freq, "N", "take N samples a second, or max (default 997)",
	     .letter = 'F'),
	UINT("count", count, "take a sample after each N events", .letter = 'c'),
	TEXT("call-graph", call_graph, "HOW",
	     "find callers by fp (frame pointers, the default), dwarf[,BYTES] (copies "
	     "of the stack), or no"),
	FLAG("graph", graph, "the same as --call-graph fp", .letter = 'g'),
	FLAG("switch-events", switch_events, "record when threads are switched"),
	SECTION("Output"),
	TEXT("mmap-pages", pages, "SIZE",
	     "buffer of each processor, in pages or with K, M (default as large as the "
	     "system allows)",
	     .letter = 'm'),
	MAYBE("compression-level", level, "N",
	      "compress the output, from 1 (the default for N) to 22", .letter = 'z'),
	VERBOSITY(verbosity, "also say what is opened and how much is written"),
	FG_OPT_END,
};

void fg_numbers_add(struct fg_numbers *n, int number)
{
	FG_GROW(n->list, n->alloc, n->count + 1);
	n->list[n->count++] = number;
}

void fg_numbers_release(struct fg_numbers *n)
{
	free(n->list);
	memset(n, 0, sizeof(*n));
}

int fg_numbers_parse(struct fg_numbers *n, struct fg_str text)
{
	do {
		struct fg_str last = fg_str_cut(&text, ',');
		bool is_range = fg_str_has_char(last, '-');
		struct fg_str first = fg_str_cut(&last, '-');
		uint64_t from, to;

		if (fg_str_u64(first, &from) || from > NUMBER_MAX)
			return -1;
		to = from;
		if (is_range && (fg_str_u64(last, &to) || to > NUMBER_MAX || to < from))
			return -1;
		/* a range that no machine has would only fill the memory */
		if (to - from > UINT16_MAX)
			return -1;
		for (; from <= to; from++)
			fg_numbers_add(n, (int)from);
	} while (text.len);
	return 0;
}

/* ---- values of options */

static int read_freq(const char *text, uint64_t *freq, struct fg_diag *diag)
{
	if (!text)
		return 0;
	if (!strcmp(text, "max")) {
		*freq = FG_RECORD_FREQ_MAX;
		return 0;
	}
	if (fg_str_u64(fg_str_from(text), freq) || !*freq || *freq > NUMBER_MAX)
		return fg_error(diag, NULL, "--freq takes a number or max, not '%s'",
				text);
	return 0;
}

static int read_callers(const struct fg_record_line *line, struct fg_record_options *o,
			struct fg_diag *diag)
{
	struct fg_str how = fg_str_from(line->call_graph ? line->call_graph : "fp");
	struct fg_str size = how, kind = fg_str_cut(&size, ',');
	uint64_t bytes = COPY_DEFAULT;

	o->callers = FG_CALLERS_FP;
	if (fg_str_eq(how, FG_STR("no")))
		o->callers = FG_CALLERS_NONE;
	if (fg_str_eq(how, FG_STR("no")) || fg_str_eq(how, FG_STR("fp")))
		return 0;
	o->callers = FG_CALLERS_DWARF;
	if (fg_str_eq(how, FG_STR("lbr")))
		return fg_error(diag, NULL,
				"--call-graph lbr: only perf record has it, and only "
				"perf script reads it");
	if (!fg_str_eq(kind, FG_STR("dwarf")) ||
	    (how.len > kind.len && fg_str_u64(size, &bytes)))
		return fg_error(diag, NULL,
				"--call-graph takes fp, dwarf, dwarf,BYTES or no, not "
				"'%s'",
				line->call_graph);
	bytes = (bytes + 7) / 8 * 8;
	if (!bytes || bytes > COPY_MAX)
		return fg_error(diag, NULL,
				"--call-graph dwarf,BYTES takes 8 to %d, not '%.*s'",
				COPY_MAX, (int)size.len, size.ptr);
	o->copy = (uint32_t)bytes;
	return 0;
}

/* Reads the size of a buffer: 128 (pages), 512K, 4M. */
static int read_ring(const char *text, uint64_t *bytes, struct fg_diag *diag)
{
	struct fg_str number = fg_str_from(text);
	uint64_t unit = (uint64_t)sysconf(_SC_PAGESIZE);

	if (!text)
		return 0;
	if (fg_str_cut_end(&number, FG_STR("K")) ||
	    fg_str_cut_end(&number, FG_STR("k")))
		unit = 1024;
	else if (fg_str_cut_end(&number, FG_STR("M")) ||
		 fg_str_cut_end(&number, FG_STR("m")))
		unit = 1024 * 1024;
	if (fg_str_u64(number, bytes) || !*bytes || *bytes > INT_MAX / unit)
		return fg_error(diag, NULL,
				"--mmap-pages takes a number of pages, or a size like "
				"512K or 4M, not '%s'",
				text);
	*bytes *= unit;
	return 0;
}

static int read_level(const char *text, int *level, struct fg_diag *diag)
{
	uint64_t n = LEVEL_DEFAULT;

	if (!text)
		return 0;
	if (*text && (fg_str_u64(fg_str_from(text), &n) || n > LEVEL_MAX))
		return fg_error(diag, NULL,
				"--compression-level takes 1 to %d, not '%s'",
				LEVEL_MAX, text);
	*level = (int)n;
	return 0;
}

/* Reads a list of numbers. `what` starts the message if the list is malformed. */
static int read_list(const char *text, struct fg_numbers *to, const char *what,
		     struct fg_diag *diag)
{
	if (text && fg_numbers_parse(to, fg_str_from(text)))
		return fg_error(diag, NULL, "%s, not '%s'", what, text);
	return 0;
}

/* Checks that it is clear what to record. */
static int check_target(const struct fg_record_options *o, struct fg_diag *diag)
{
	if (!o->command && !o->whole && !o->pids.count)
		return fg_error(diag, NULL,
				"there is nothing to record: give a command, -p PID or "
				"-a (see --help)");
	if (o->pids.count && (o->command || o->whole))
		return fg_error(diag, NULL,
				"-p records what runs already: it goes without a "
				"command, -a and -C");
	return 0;
}

/* Converts seconds to nanoseconds; more than a century is for ever. */
static uint64_t nanoseconds(double seconds)
{
	return seconds < 0 || seconds > 3e9 ? UINT64_MAX : (uint64_t)(seconds * 1e9);
}

/* Returns the words of a command as execvp() wants them, or NULL. */
static char **command_of(const struct fg_opt_list *words)
{
	char **command;

	if (!words->count)
		return NULL;
	command = fg_xcalloc(words->count + 1, sizeof(*command));
	/* the words are those of argv, whose bytes may be changed */
	memcpy(command, words->items, words->count * sizeof(*command));
	return command;
}

int fg_record_options_read(const struct fg_cli *cli, struct fg_record_options *o,
			   struct fg_diag *diag)
{
	const struct fg_record_line *line = cli->tables->base;

	o->events = &line->events;
	o->period = line->count;
	o->switches = line->switch_events;
	o->duration = nanoseconds(line->duration);
	o->delay = line->delay;
	o->whole = line->all || line->cpus;
	o->command = command_of(&cli->files);
	if (line->freq && line->count)
		return fg_error(diag, NULL, "--freq and --count do not go together");
	if (read_freq(line->freq, &o->freq, diag) || read_callers(line, o, diag) ||
	    read_ring(line->pages, &o->ring, diag) ||
	    read_level(line->level, &o->level, diag) ||
	    read_list(line->pids, &o->pids,
		      "--pid takes a number, or several separated by commas", diag) ||
	    read_list(line->cpus, &o->cpus, "--cpu takes a list such as 0-3,5", diag))
		return -1;
	return check_target(o, diag);
}

void fg_record_options_release(struct fg_record_options *o)
{
	fg_numbers_release(&o->pids);
	fg_numbers_release(&o->cpus);
	free(o->command);
	o->command = NULL;
}
