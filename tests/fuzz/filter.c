/*
 * Fuzzes filter-folded. The first line of the input is a pattern or a rule, the first
 * byte chooses its option, and the rest is a profile.
 */
#include "filterfolded/profile.h"
#include "filterfolded/prune.h"
#include "lib/recognize/recognize.h"
#include "lib/profile/slice.h"
#include "tests/fuzz/lines.h"

/* The options that the first byte chooses. */
enum option {
	NONE,
	HIDE,
	SHOW,
	TRIM_BELOW,
	RENAME,
	CYCLES,
	MAX_DEPTH,
	SKIP_ROOT,
	STRIP_ADDRESSES,
	REVERSE,
	MIN_PERCENT,
	TOP,
	LAST_THAT_KEEPS_COUNTS = TOP,
	FOCUS,
	IGNORE,
	SHOW_FROM,
	BASE,
	KEEP,
	DROP,
	WIDER,
	NO_SLICE,
	FROM,
	FROM_NO_SLICE,
	OPTIONS,
};

struct job {
	enum option option;
	const char *pattern;
	struct fg_str profile;
	size_t block_size;
};

static struct fg_opt_list *list_of(struct fg_filter_options *o, enum option option)
{
	switch (option) {
	case HIDE:
		return &o->hide;
	case SHOW:
		return &o->show;
	case TRIM_BELOW:
		return &o->trim_below;
	case RENAME:
		return &o->rename;
	case FOCUS:
		return &o->focus;
	case IGNORE:
		return &o->ignore;
	case SHOW_FROM:
		return &o->show_from;
	case BASE:
		return &o->base;
	case KEEP:
		return &o->keep;
	case DROP:
		return &o->drop;
	default:
		return NULL;
	}
}

static bool is_from(enum option option)
{
	return option == FROM || option == FROM_NO_SLICE;
}

static bool keeps_counts(enum option option)
{
	return option <= LAST_THAT_KEEPS_COUNTS || option == WIDER ||
	       option == NO_SLICE;
}

/* Reads and writes. Returns 0, or -1 after a failure that was reported. */
static int filter(const struct job *job, struct fg_out *out)
{
	struct fg_filter_options o = {
		.recursion =
			job->option == CYCLES ? FG_RECURSION_CYCLES : FG_RECURSION_KEEP,
		.max_depth = job->option == MAX_DEPTH ? 2 : 0,
		.skip_root = job->option == SKIP_ROOT ? 1 : 0,
		.strip_addresses = job->option == STRIP_ADDRESSES,
	};
	struct fg_opt_list *list = list_of(&o, job->option);
	const struct fg_slicing_options slices = {
		.from = is_from(job->option) ? "0.02" : NULL,
		.slice = job->option == WIDER ? "1s" : NULL,
		.no_slice = job->option == NO_SLICE || job->option == FROM_NO_SLICE,
	};
	struct fg_filter *made = NULL;
	const char *pattern = job->pattern;
	struct fg_slicing slicing;
	struct fg_profile profile;
	struct fg_reader *r;
	struct fg_diag diag;
	int status;

	fuzz_diag(&diag);
	fg_out_init_memory(out);
	if (list) {
		list->items = &pattern;
		list->count = 1;
	}
	status = fg_filter_new(&o, NULL, &diag, &made);
	r = fg_reader_open_memory(job->profile, "input", &diag);
	if (job->block_size)
		fg_reader_set_block_size(r, job->block_size);
	fg_slicing_init(&slicing, &slices, &diag);
	fg_profile_init(&profile, made, &slicing, &diag);
	profile.reverse = job->option == REVERSE;
	if (!status)
		status = fg_profile_add(&profile, r) || fg_profile_finish(&profile);
	for (size_t i = 0; !status && i < profile.count; i++) {
		if (job->option == MIN_PERCENT)
			fg_prune_percent(&profile.trees[i], 10);
		if (job->option == TOP)
			fg_prune_top(&profile.trees[i], 2);
	}
	if (!status)
		status = fg_profile_write(&profile, out);
	fg_filter_report(made);
	fg_profile_release(&profile);
	fg_slicing_release(&slicing);
	fg_reader_close(r);
	fg_filter_free(made);
	fuzz_check(!status == !diag.errors, "a failure is reported");
	return status;
}

/* Adds up both columns of text that filter-folded wrote. */
static void add_up(struct fg_str text, struct fg_sum sums[2])
{
	memset(sums, 0, 2 * sizeof(*sums));
	while (text.len) {
		struct fg_folded line;

		if (fg_folded_parse(fg_str_cut(&text, '\n'), &line) != FG_FOLDED_STACK)
			continue;
		for (unsigned i = 0; i < line.columns; i++)
			fg_sum_add(&sums[i], line.count[i].digits);
	}
}

static bool has_decimals(struct fg_str text)
{
	while (text.len) {
		struct fg_folded line;

		if (fg_folded_parse(fg_str_cut(&text, '\n'), &line) != FG_FOLDED_STACK)
			continue;
		for (unsigned i = 0; i < line.columns; i++)
			if (line.count[i].decimals)
				return true;
	}
	return false;
}

/* Checks sums without their decimals, which are rounded if sums are large. */
static void check_sums(const struct job *job, struct fg_str text)
{
	struct job plain = *job;
	struct fg_sum sums[2], wanted[2];
	struct fg_out out;

	if (!keeps_counts(job->option) || has_decimals(job->profile) ||
	    has_decimals(text))
		return;
	plain.option = NONE;
	if (filter(&plain, &out)) { /* for example, slices of two widths */
		fuzz_check(job->option == WIDER || job->option == NO_SLICE,
			   "without options it is read, too");
		fg_out_close(&out);
		return;
	}
	add_up(text, sums);
	add_up(fg_buf_str(&out.buf), wanted);
	for (unsigned i = 0; i < 2; i++)
		fuzz_check(sums[i].low == wanted[i].low &&
				   sums[i].high == wanted[i].high,
			   "counts are conserved");
	fg_out_close(&out);
}

/*
 * Returns true if the text has stacks that only look like slices. A section may have
 * lost all stacks with slices but kept its header line, and stacks in a section before
 * the first such line may look like slices.
 */
static bool has_unannounced_slices(struct fg_str text)
{
	bool announced = false, found = false, in_headers = false;

	if (!fg_str_starts(text, FG_STR("# slice:")) &&
	    !fg_str_has(text, FG_STR("\n# slice:")))
		return false;
	while (text.len) {
		struct fg_str line = fg_str_cut(&text, '\n');
		bool is_header = fg_folded_is_comment(line);
		uint64_t ns;

		if (is_header && !in_headers) {
			if (announced != found)
				return true;
			announced = found = false;
		}
		in_headers = is_header;
		announced |= fg_str_starts(line, FG_STR("# slice:"));
		found |= !is_header && fg_slice_cut(&line, &ns);
	}
	return announced != found;
}

/*
 * Returns true if all sections have stacks. A section may have lost all its stacks but
 * keeps its header lines, which then come again, or at the end.
 */
static bool has_stacks(struct fg_str text)
{
	const char *const headers[] = { "# slice:", "# start:",		"# event:",
					"# unit:",  "# sample-weight:", "# command:" };
	size_t next = 0;
	bool any = false;

	while (text.len) {
		struct fg_str line = fg_str_cut(&text, '\n');
		struct fg_folded folded;
		bool is_stack = fg_folded_parse(line, &folded) == FG_FOLDED_STACK;

		any |= is_stack;
		if (is_stack)
			next = 0;
		for (size_t i = 0; !is_stack && i < FG_COUNT_OF(headers); i++) {
			if (!fg_str_starts(line, fg_str_from(headers[i])))
				continue;
			if (i < next)
				return false;
			next = i + 1;
		}
	}
	return any && !next;
}

/*
 * Returns true if a stack starts with a number: it may look like a count that comes
 * first.
 */
static bool has_numbers_first(struct fg_str text)
{
	while (text.len) {
		struct fg_str line = fg_str_trim_left(fg_str_cut(&text, '\n'));

		if (line.len && (fg_is_digit(line.ptr[0]) || line.ptr[0] == '.'))
			return true;
	}
	return false;
}

static void check_again(struct fg_str text)
{
	struct job plain = { NONE, "", text, 0 };
	struct fg_recognized r = fg_recognize_unreadable(text, false);
	struct fg_out out;

	if (!has_stacks(text) || has_unannounced_slices(text) ||
	    has_numbers_first(text) || r.kind ||
	    r.foreign) /* a name like the start of JSON */
		return;
	fuzz_check(!filter(&plain, &out), "what was written is read");
	fuzz_check_equal(text, fg_buf_str(&out.buf), "and written as it is");
	fg_out_close(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	struct job job = { .option = (enum option)fuzz_choice(&input, OPTIONS) };
	struct fg_buf pattern = FG_BUF_INIT;
	struct fg_out one, other;
	int status;

	if (job.option != NONE)
		fg_buf_add_str(&pattern, fg_str_cut(&input, '\n'));
	job.pattern = fg_buf_cstr(&pattern);
	job.profile = input;
	status = filter(&job, &one);
	job.block_size = fuzz_block_size(input, (unsigned)size);
	fuzz_check(filter(&job, &other) == status,
		   "block sizes do not change the status");
	fuzz_check_equal(fg_buf_str(&one.buf), fg_buf_str(&other.buf),
			 "block sizes do not change the output");
	if (!status) {
		check_sums(&job, fg_buf_str(&one.buf));
		check_again(fg_buf_str(&one.buf));
	}
	fg_out_close(&one);
	fg_out_close(&other);
	fg_buf_release(&pattern);
	return 0;
}
