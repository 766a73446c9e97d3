/*
 * Writes the profile.proto of pprof, gzipped.
 * https://github.com/google/pprof/blob/main/proto/profile.proto
 *
 * There is a sample for each stack, a location for each name, and a function for all
 * names that differ only in their source line. A differential profile looks like
 * that of pprof -diff_base: counts before are negative, in samples of their own with a
 * label.
 */
#include <stdlib.h>

#include "lib/base/gzip.h"
#include "lib/base/protobuf.h"
#include "reportfolded/names.h"
#include "reportfolded/writers.h"

/* The field numbers of pprof's protobuf messages. */
enum profile {
	SAMPLE_TYPE = 1,
	SAMPLE = 2,
	MAPPING = 3,
	LOCATION = 4,
	FUNCTION = 5,
	STRING_TABLE = 6,
	PERIOD_TYPE = 11,
	PERIOD = 12,
	DEFAULT_SAMPLE_TYPE = 14,
};
enum value_type { TYPE = 1, UNIT = 2 };
enum sample { LOCATION_ID = 1, VALUE = 2, LABEL = 3 };
enum label { KEY = 1, STR = 2 };
enum mapping {
	MAPPING_ID = 1,
	HAS_FUNCTIONS = 7,
	HAS_FILENAMES = 8,
	HAS_LINE_NUMBERS = 9,
};
enum location { LOCATION_OWN_ID = 1, LOCATION_MAPPING = 2, LINE = 4 };
enum line { LINE_FUNCTION = 1, LINE_NUMBER = 2 };
enum function { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_FILE = 4 };

/* The label that pprof -diff_base puts on the samples of the base. */
#define BASE_KEY "pprof::base"
#define BASE_VALUE "true"

/* zlib gets about this many bytes at a time. */
#define FLUSH_AT ((size_t)64 * 1024)

/* ---- whole counts */

/*
 * Converts counts to pprof's whole numbers below 2^63. If possible, chooses a unit in
 * which all counts are whole: 1.5 ms become 1500 us. Otherwise rounds the counts so
 * that the sum of all counts, and the sum of each frame, differs by at most 1.
 */
struct scale {
	struct fg_str unit; /* in pprof's words; "" if there is no unit */
	unsigned decimals; /* the number of decimals of the counts */
	unsigned finer; /* the unit is 10^finer times finer than that of the counts */
	bool rounds; /* some counts are not whole in that unit */
	struct fg_sum read; /* the sum of the counts so far */
	uint64_t written; /* the sum of the results so far */
};

/* Returns count * 10^finer / 10^decimals, rounded half up. */
static struct fg_sum scaled(const struct scale *s, struct fg_sum count)
{
	struct fg_sum sum = fg_sum_mul(count, fg_pow10(s->finer));

	if (!s->decimals)
		return sum;
	fg_sum_add(&sum, fg_pow10(s->decimals) / 2);
	return fg_sum_div(sum, fg_pow10(s->decimals), NULL);
}

static bool fits(const struct scale *s, const struct fg_value *v)
{
	struct fg_sum all = { v->totals[FG_AFTER], 0 };

	/* pprof adds the counts before and after */
	fg_sum_add(&all, v->totals[FG_BEFORE]);
	all = scaled(s, all);
	return !all.high && all.low <= INT64_MAX;
}

/*
 * Chooses the unit. Returns 0, or -1 after reporting that the counts are too large. The
 * scale borrows the name of the unit from `v`.
 */
static int init_scale(struct scale *s, const struct fg_value *v, struct fg_diag *diag)
{
	const struct fg_value_unit *unit = v->known;

	*s = (struct scale){ .unit = fg_buf_str(&v->unit),
			     .decimals = v->tree.decimals };
	if (!fits(s, v))
		return fg_error(diag, NULL,
				"the sum of the counts exceeds 2^63-1, the limit of "
				"pprof's format");
	s->rounds = s->decimals > 0;
	while (s->rounds && fg_value_kind(v) == FG_VALUE_TIME &&
	       unit > fg_value_units) {
		struct scale finer = *s;

		unit--;
		finer.unit = unit->word;
		finer.finer = v->known->exponent - unit->exponent;
		finer.rounds = finer.decimals > finer.finer;
		if (!fits(&finer, v))
			break;
		*s = finer;
	}
	return 0;
}

/* Returns the next count in the scale's unit. */
static uint64_t scale_next(struct scale *s, uint64_t count)
{
	uint64_t before = s->written;

	if (!s->decimals)
		return count;
	fg_sum_add(&s->read, count);
	s->written = scaled(s, s->read).low;
	return s->written - before;
}

/*
 * Converts a number that is not a count, such as a period, to the scale's unit. Returns
 * 0 if the result is not whole or too large.
 */
static uint64_t scale_exactly(const struct scale *s, struct fg_count number)
{
	uint64_t one;

	if (fg_count_shift(&number, (int)s->finer))
		return 0;
	one = fg_pow10(number.decimals);
	if (number.digits % one || number.digits / one > INT64_MAX)
		return 0;
	return number.digits / one;
}

/* ---- messages */

struct writer {
	struct fg_export *e;
	struct fg_gzip *gzip;
	struct fg_intern strings;
	/* Indexed by id of the name: */
	bool *used; /* a sample uses it, so it gets a location */
	bool *function_used; /* it stands for a function that gets written */
	struct fg_buf profile; /* not compressed yet */
	struct fg_buf part, field; /* scratch for messages */
	uint32_t base_key, base_value, root_key; /* ids of strings */
};

static uint32_t string(struct writer *w, struct fg_str text)
{
	struct fg_buf clean = FG_BUF_INIT;
	uint32_t id;

	fg_report_add_name(&clean, text, FG_REPORT_PPROF);
	id = fg_intern(&w->strings, fg_buf_str(&clean));
	fg_buf_release(&clean);
	return id;
}

static void flush(struct writer *w)
{
	fg_gzip_add(w->gzip, fg_buf_str(&w->profile));
	fg_buf_clear(&w->profile);
}

/* Writes `part` as a field of the profile. */
static void write_part(struct writer *w, enum profile field)
{
	fg_proto_add_bytes_even_empty(&w->profile, field, fg_buf_str(&w->part));
	fg_buf_clear(&w->part);
	if (w->profile.len >= FLUSH_AT)
		flush(w);
}

/* ---- what is counted */

static void write_type(struct writer *w, enum profile field, const struct fg_value *v,
		       const struct scale *scale)
{
	struct fg_str unit = scale->unit.len ? scale->unit : FG_STR("count");

	fg_proto_add_number(&w->part, TYPE, string(w, fg_buf_str(&v->name)));
	fg_proto_add_number(&w->part, UNIT, string(w, unit));
	write_part(w, field);
}

/*
 * Writes the period. pprof has only one for all events, so we take that of the first
 * event.
 */
static void write_period(struct writer *w, const struct scale *scale)
{
	const struct fg_value *v = &w->e->values.items[0];
	struct fg_str weight = fg_buf_str(&v->header.sample_weight);
	size_t comma = fg_str_rfind_char(weight, ','); /* "before,after" */
	struct fg_count count;
	uint64_t period;

	if (comma < weight.len)
		weight = fg_str_from_pos(weight, comma + 1);
	if (fg_count_parse(fg_str_trim(weight), &count))
		return;
	period = scale_exactly(scale, count);
	if (!period)
		return;
	write_type(w, PERIOD_TYPE, v, scale);
	fg_proto_add_number(&w->profile, PERIOD, period);
}

/* ---- samples */

static void add_locations(struct writer *w, const struct fg_value *v,
			  const struct fg_stacks *s)
{
	size_t first = w->e->options->root_label ? 1 : 0;

	fg_buf_clear(&w->field);
	for (size_t i = fg_stacks_depth(s); i > first; i--) {
		uint32_t name = fg_value_name(v, fg_stacks_node(s, i - 1));

		w->used[name] = true;
		w->function_used[w->e->values.functions[name]] = true;
		fg_proto_add_varint(&w->field, (uint64_t)name + 1);
	}
	fg_proto_add_bytes(&w->part, LOCATION_ID, fg_buf_str(&w->field));
}

static void add_label(struct writer *w, uint64_t key, uint64_t value)
{
	fg_buf_clear(&w->field);
	fg_proto_add_number(&w->field, KEY, key);
	fg_proto_add_number_even_0(&w->field, STR, value);
	fg_proto_add_bytes(&w->part, LABEL, fg_buf_str(&w->field));
}

static void add_root_label(struct writer *w, const struct fg_value *v,
			   const struct fg_stacks *s)
{
	uint32_t name = fg_value_name(v, fg_stacks_node(s, 0));

	if (w->e->options->root_label)
		add_label(w, w->root_key,
			  string(w, fg_values_shown(&w->e->values, name)));
}

/* Adds the values of all events. Only the value of `event` is not 0. */
static void add_values(struct writer *w, size_t event, uint64_t value)
{
	fg_buf_clear(&w->field);
	for (size_t i = 0; i < w->e->values.count; i++)
		fg_proto_add_varint(&w->field, i == event ? value : 0);
	fg_proto_add_bytes(&w->part, VALUE, fg_buf_str(&w->field));
}

static void write_stack(struct writer *w, size_t event, struct fg_stacks *s,
			struct scale *scale)
{
	const struct fg_value *v = &w->e->values.items[event];

	for (unsigned c = FG_AFTER + 1; c-- > fg_export_first_column(w->e);) {
		uint64_t value = scale_next(&scale[c], s->counts[c]);

		if (!value)
			continue;
		add_locations(w, v, s);
		add_values(w, event, c == FG_BEFORE ? 0 - value : value);
		add_root_label(w, v, s);
		if (c == FG_BEFORE)
			add_label(w, w->base_key, w->base_value);
		write_part(w, SAMPLE);
	}
}

static void write_samples(struct writer *w, size_t event, const struct scale *scale)
{
	struct scale scales[2] = { *scale, *scale };
	struct fg_stacks stacks;

	fg_stacks_init(&stacks, &w->e->values.items[event].tree,
		       (struct fg_tops){ NULL, 0 });
	while (fg_stacks_next(&stacks))
		write_stack(w, event, &stacks, scales);
	fg_stacks_release(&stacks);
}

/* ---- tables */

/*
 * Writes locations and functions. We write a mapping that claims to have functions,
 * because otherwise pprof would search for them in the program.
 */
static void write_locations(struct writer *w)
{
	const struct fg_values *v = &w->e->values;

	fg_proto_add_number(&w->part, MAPPING_ID, 1);
	fg_proto_add_number(&w->part, HAS_FUNCTIONS, 1);
	if (v->lines.any) {
		fg_proto_add_number(&w->part, HAS_FILENAMES, 1);
		fg_proto_add_number(&w->part, HAS_LINE_NUMBERS, 1);
	}
	write_part(w, MAPPING);
	for (uint32_t i = 0; i < v->names.count; i++) {
		uint64_t id = (uint64_t)i + 1;

		if (w->used[i]) {
			fg_buf_clear(&w->field);
			fg_proto_add_number(&w->field, LINE_FUNCTION,
					    (uint64_t)v->functions[i] + 1);
			fg_proto_add_number(&w->field, LINE_NUMBER,
					    fg_values_line(v, i));
			fg_proto_add_number(&w->part, LOCATION_OWN_ID, id);
			fg_proto_add_number(&w->part, LOCATION_MAPPING, 1);
			fg_proto_add_bytes(&w->part, LINE, fg_buf_str(&w->field));
			write_part(w, LOCATION);
		}
		if (w->function_used[i]) {
			fg_proto_add_number(&w->part, FUNCTION_ID, id);
			fg_proto_add_number(&w->part, FUNCTION_NAME,
					    string(w, fg_values_function(v, i)));
			fg_proto_add_number(&w->part, FUNCTION_FILE,
					    string(w, fg_values_file(v, i)));
			write_part(w, FUNCTION);
		}
	}
}

static void write_strings(struct writer *w)
{
	for (uint32_t i = 0; i < w->strings.count; i++) {
		fg_buf_add_str(&w->part, fg_intern_name(&w->strings, i));
		write_part(w, STRING_TABLE);
	}
}

static void write_profile(struct writer *w, const struct scale *scales)
{
	const struct fg_values *v = &w->e->values;

	for (size_t i = 0; i < v->count; i++)
		write_type(w, SAMPLE_TYPE, &v->items[i], &scales[i]);
	write_period(w, &scales[0]);
	if (v->count > 1) /* without a default, pprof shows the last event */
		fg_proto_add_number(&w->profile, DEFAULT_SAMPLE_TYPE,
				    string(w, fg_buf_str(&v->items[0].name)));
	for (size_t i = 0; i < v->count; i++)
		write_samples(w, i, &scales[i]);
	write_locations(w);
	write_strings(w);
}

/* Returns a scale for each event, or NULL after reporting counts that are too large. */
static struct scale *find_scales(const struct fg_export *e)
{
	struct scale *scales = fg_xcalloc(e->values.count, sizeof(*scales));
	bool rounded = false;

	for (size_t i = 0; i < e->values.count; i++) {
		if (init_scale(&scales[i], &e->values.items[i], e->diag)) {
			free(scales);
			return NULL;
		}
		rounded |= scales[i].rounds;
	}
	if (rounded)
		fg_warn(e->diag, NULL,
			"pprof stores only whole numbers: counts are rounded, in all "
			"by less than 1");
	return scales;
}

int fg_export_pprof(struct fg_export *e)
{
	struct writer w = { .e = e };
	struct scale *scales = find_scales(e);

	if (!scales)
		return -1;
	w.gzip = fg_gzip_new(e->out);
	w.used = fg_xcalloc(e->values.names.count, sizeof(*w.used));
	w.function_used = fg_xcalloc(e->values.names.count, sizeof(*w.function_used));
	fg_intern_init(&w.strings);
	fg_intern(&w.strings, FG_STR("")); /* pprof requires it as the first string */
	if (e->values.columns == 2) {
		w.base_key = string(&w, FG_STR(BASE_KEY));
		w.base_value = string(&w, FG_STR(BASE_VALUE));
	}
	if (e->options->root_label)
		w.root_key = string(&w, fg_str_from(e->options->root_label));
	write_profile(&w, scales);
	flush(&w);
	fg_gzip_finish(w.gzip);
	fg_intern_release(&w.strings);
	free(scales);
	free(w.used);
	free(w.function_used);
	fg_buf_release(&w.profile);
	fg_buf_release(&w.part);
	fg_buf_release(&w.field);
	return 0;
}
