/* Tests of lib/profile/sections: the profile that each stack belongs to. */
#include "lib/profile/sections.h"

#include "tests/unit/support/support.h"

/* Appends the section of each stack as a digit, then the headers of each section. */
static void sections_of(const char *text, struct fg_buf *out)
{
	const struct fg_place at = { "input", 0 };
	struct fg_str rest = fg_str_from(text);
	struct fg_sections s;
	struct caught c;

	caught_init(&c);
	fg_buf_clear(out);
	fg_sections_init(&s);
	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');

		if (fg_str_starts(line, FG_STR("#"))) {
			fg_sections_line(&s, line);
			continue;
		}
		if (s.has_header)
			assert_true(fg_sections_turn(&s, &at, &c.diag) >= 0);
		fg_buf_addf(out, "%zu", s.current);
	}
	fg_sections_end(&s);
	for (size_t i = 0; i < s.count; i++)
		fg_buf_addf(out, " %s/%s/%s", fg_buf_cstr(&s.items[i].event),
			    fg_buf_cstr(&s.items[i].unit),
			    fg_buf_cstr(&s.items[i].sample_weight));
	fg_sections_release(&s);
	caught_release(&c);
}

static void headers_start_sections(void **state)
{
	const struct {
		const char *text, *sections;
	} cases[] = {
		{ "", " //" },
		{ "a\nb\n", "00 //" },
		{ "# unit: ns\na\nb\n", "00 /ns/" },
		{ "# event: cpu\n# unit: ns\na\n# event: heap\n# unit: bytes\nb\n",
		  "01 cpu/ns/ heap/bytes/" },
		/* a repeated header continues its section, like after cat a b */
		{ "# event: cpu\na\n# event: heap\nb\n# event: cpu\nc\nd\n",
		  "0100 cpu// heap//" },
		/* an event in two units is two */
		{ "# event: x\n# unit: ns\na\n# event: x\n# unit: bytes\nb\n",
		  "01 x/ns/ x/bytes/" },
		/* the first header belongs to all stacks before it */
		{ "a\n# unit: ns\nb\n", "00 /ns/" },
		{ "a\n# unit: ns\n", "0 /ns/" },
		{ "# unit: ns\na\n# unit: bytes\n", "0 /ns/" },
		/* a section without stacks */
		{ "# event: x\n# unit: ns\n# event: y\n# unit: bytes\na\n",
		  "0 y/bytes/" },
		{ "# unit: ns\na\n# event: x\n# unit: ns\n# event: x\n# unit: "
		  "bytes\nb\n",
		  "01 /ns/ x/bytes/" },
		/* a header with fewer or more values is not another profile */
		{ "# unit: ns\na\n# event: x\n# unit: ns\nb\n# event: x\nc\n",
		  "000 x/ns/" },
		{ "# event: x\n# unit: ns\na\n# event: y\nb\n# unit: ns\nc\n",
		  "010 x/ns/ y//" },
		/* other comments start no section */
		{ "# unit: ns\na\n# hello\nb\n", "00 /ns/" },
		/* a weight alone belongs to the section; two that differ are dropped */
		{ "# unit: ns\na\n# sample-weight: 5\nb\n", "00 /ns/5" },
		{ "# unit: ns\n# sample-weight: 5\na\n# unit: ns\n# sample-weight: "
		  "6\nb\n",
		  "00 /ns/" },
		{ "# unit: ns\n# sample-weight: 5\na\n# unit: us\n# sample-weight: "
		  "6\nb\n",
		  "01 /ns/5 /us/6" },
	};
	struct fg_buf out = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		sections_of(cases[i].text, &out);
		assert_string_equal(fg_buf_cstr(&out), cases[i].sections);
	}
	fg_buf_release(&out);
}

static void too_many_are_an_error(void **state)
{
	const struct fg_place at = { "input", 7 };
	struct fg_sections s;
	struct caught c;
	int section = 0;

	(void)state;
	caught_init(&c);
	fg_sections_init(&s);
	for (unsigned i = 0; i <= FG_SECTIONS_MAX && section >= 0; i++) {
		struct fg_buf line = FG_BUF_INIT;

		fg_buf_addf(&line, "# event: e%u", i);
		fg_sections_line(&s, fg_buf_str(&line));
		section = fg_sections_turn(&s, &at, &c.diag);
		assert_int_equal(section, i < FG_SECTIONS_MAX ? (int)i : -1);
		fg_buf_release(&line);
	}
	fg_sections_release(&s);
	caught_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_start_sections),
		cmocka_unit_test(too_many_are_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
