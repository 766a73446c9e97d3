/*
 * Reads the command line of perf record or record-perf that is stored in a recording:
 * all arguments, each with a space after it. We cannot see which spaces are part of an
 * argument.
 */
#include "collapse/formats/perf/text/cmdline.h"

#include "collapse/samples.h"

/*
 * Options with a value, like "-e cycles", "-ecycles", "--event cycles",
 * "--event=cycles". -d is --data in perf, and --duration in record-perf.
 */
static const char short_with_value[] = "ecoFCmjGDkrptu";
static const char our_short_with_value[] = "ecoFCmDpd";
static const char *const long_with_value[] = {
	"addr-filter",
	"affinity",
	"branch-filter",
	"call-graph",
	"cgroup",
	"clockid",
	"control",
	"count",
	"cpu",
	"debuginfod",
	"delay",
	"duration",
	"event",
	"filter",
	"freq",
	"max-size",
	"mmap-pages",
	"num-thread-synthesize",
	"off-cpu-thresh",
	"output",
	"pid",
	"proc-map-timeout",
	"realtime",
	"setup-filter",
	"switch-max-files",
	"synth",
	"tid",
	"uid",
	"vmlinux",
};

/*
 * With these options, perf records other processes, besides its command or instead of
 * it.
 */
static const char short_of_others[] = "aCptu";
static const char *const long_of_others[] = { "all-cpus", "cpu", "pid", "tid", "uid" };

static bool is_in(struct fg_str name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fg_str_eq(name, fg_str_from(names[i])))
			return true;
	return false;
}

static bool is_letter_in(char letter, const char *letters)
{
	return fg_str_has_char(fg_str_from(letters), letter);
}

struct option {
	bool takes_next; /* the next argument is its value */
	bool of_others; /* the option is in short_of_others or long_of_others */
};

/* Reads "event" or "event=cycles", without the dashes. */
static struct option read_long(struct fg_str word)
{
	struct fg_str name = fg_str_before(word, fg_str_find_char(word, '='));

	return (struct option){
		.takes_next =
			name.len == word.len &&
			is_in(name, long_with_value, FG_COUNT_OF(long_with_value)),
		.of_others = is_in(name, long_of_others, FG_COUNT_OF(long_of_others)),
	};
}

/*
 * Reads short options without the dash, "ge" or "gecycles". A letter with a value,
 * one of `with_value`, is the last option.
 */
static struct option read_short(struct fg_str letters, const char *with_value)
{
	struct option w = { .takes_next = false };

	for (size_t i = 0; i < letters.len; i++) {
		w.of_others =
			w.of_others || is_letter_in(letters.ptr[i], short_of_others);
		if (is_letter_in(letters.ptr[i], with_value)) {
			w.takes_next = i + 1 == letters.len;
			break;
		}
	}
	return w;
}

static struct fg_str next_word(struct fg_str *line)
{
	*line = fg_str_trim_left(*line);
	return fg_str_cut(line, ' ');
}

struct fg_str perf_recorded_command(struct fg_str line)
{
	struct fg_str none = { NULL, 0 }, rest = line;
	struct fg_str program = fg_str_basename(next_word(&rest));
	bool is_ours = fg_str_eq(program, FG_STR("record-perf"));
	const char *with_value = is_ours ? our_short_with_value : short_with_value;

	if (!is_ours && !fg_str_eq(next_word(&rest), FG_STR("record")))
		return none;
	for (line = fg_str_trim(rest); line.len; line = fg_str_trim(rest)) {
		struct fg_str word;
		struct option w;

		rest = line;
		word = next_word(&rest);
		if (fg_str_eq(word, FG_STR("--")))
			return fg_str_trim(rest);
		if (!fg_str_cut_start(&word, FG_STR("-")))
			return line;
		w = fg_str_cut_start(&word, FG_STR("-")) ? read_long(word) :
							   read_short(word, with_value);
		if (w.of_others)
			return none;
		if (w.takes_next)
			next_word(&rest);
	}
	return none;
}

void perf_recorded_line(struct perf_recorded *r, struct fg_sink *sink,
			struct fg_str line)
{
	struct fg_str arguments = line;

	next_word(&arguments);
	r->known = fg_str_trim(arguments).len > 0;
	fg_sink_set_command(sink, perf_recorded_command(line));
}

void perf_recorded_program(struct perf_recorded *r, struct fg_sink *sink,
			   struct fg_str name)
{
	if (r->known || !r->with_program)
		return;
	r->known = true;
	fg_sink_set_command(sink, name);
}
