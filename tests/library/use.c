/* Uses the library like a program; prints and counts errors. */
#include <flamepipe.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(that) check((that), #that, __LINE__)

static int failures;

static void check(int ok, const char *what, int line)
{
	if (ok)
		return;
	printf("line %d: %s\n", line, what);
	failures++;
}

/* ---- callbacks */

struct text {
	char bytes[1 << 20];
	size_t len;
};

static int add_bytes(void *data, const void *bytes, size_t size)
{
	struct text *t = data;

	if (size >= sizeof(t->bytes) - t->len)
		return -1;
	memcpy(t->bytes + t->len, bytes, size);
	t->len += size;
	t->bytes[t->len] = '\0';
	return 0;
}

static int refuse_bytes(void *data, const void *bytes, size_t size)
{
	(void)data;
	(void)bytes;
	(void)size;
	return 1;
}

struct messages {
	int count[3];
	char last[256];
};

static void take_message(void *data, enum flamepipe_level level, const char *text)
{
	struct messages *m = data;

	if (getenv("VERBOSE"))
		printf("%d: %s\n", (int)level, text);
	m->count[level]++;
	snprintf(m->last, sizeof(m->last), "%s", text);
}

static struct text text;

static const char *folded(struct flamepipe_profile *p)
{
	text.len = 0;
	text.bytes[0] = '\0';
	return flamepipe_write_folded(p, add_bytes, &text) ? "failed" : text.bytes;
}

static int read_text(struct flamepipe_profile *p, const char *input, const char *format)
{
	const struct flamepipe_bytes bytes = { input, strlen(input), "input" };

	return flamepipe_read_memory(p, &bytes, format, NULL);
}

/* ---- tests */

static void test_add(void)
{
	const char *const stack[] = { "main", "a;b", "" };
	const char *const number[] = { "#", "x 12" };
	const char *const line[] = { "a\nb 3\x1b" };
	struct flamepipe_profile *p = flamepipe_new();

	CHECK(!strcmp(folded(p), ""));
	CHECK(flamepipe_add(p, stack, 0, 1) == FLAMEPIPE_INVALID);
	CHECK(!flamepipe_describe(p, "unit", "ms"));
	CHECK(flamepipe_describe(p, "colour", "red") == FLAMEPIPE_INVALID);
	CHECK(!flamepipe_add(p, stack, 3, 2));
	CHECK(!flamepipe_add(p, stack, 1, UINT64_C(18446744073709551600)));
	CHECK(!flamepipe_add(p, number, 2, 1));
	CHECK(!strcmp(folded(p), "# unit: ms\n#;x 12; 1\nmain 18446744073709551600\n"
				 "main;a:b;[unknown] 2\n"));
	CHECK(!flamepipe_add(p, stack, 3, 1));
	CHECK(!flamepipe_add(p, line, 1, 1));
	CHECK(strstr(folded(p), "\na\\nb 3\\x1b 1\n") != NULL);
	CHECK(strstr(folded(p), "[unknown] 3\n") != NULL);
	flamepipe_free(p);
	flamepipe_free(NULL);
}

/* A name may start as a header line does. */
static void test_number_sign(void)
{
	const char *const stack[] = { "# event: x", "y" };
	const char *const alone[] = { "# z" };
	struct flamepipe_profile *p = flamepipe_new();

	CHECK(!flamepipe_describe(p, "event", "cycles"));
	CHECK(!flamepipe_add(p, stack, 2, 3));
	CHECK(!flamepipe_add(p, alone, 1, 4));
	CHECK(!strcmp(folded(p), "# event: cycles\n# event: x;y 3\n# z; 4\n"));
	CHECK(!flamepipe_merge(p, p));
	CHECK(!strcmp(folded(p), "# event: cycles\n# event: x;y 6\n# z; 8\n"));
	flamepipe_free(p);
}

/* A description is one header line, even if it contains a semicolon. */
static void test_described_semicolon(void)
{
	const char *const stack[] = { "main" };
	struct flamepipe_profile *p = flamepipe_new();

	CHECK(!flamepipe_describe(p, "command", "sh -c 'a;b'"));
	CHECK(!flamepipe_add(p, stack, 1, 2));
	CHECK(!strcmp(folded(p), "# command: sh -c 'a:b'\nmain 2\n"));
	flamepipe_free(p);
}

/* Like test_described_semicolon(), for names of values in a file. */
static void test_value_semicolon(void)
{
	struct flamepipe_profile *p = flamepipe_new();

	CHECK(!read_text(p, "# callgrind format\nevents: a;b\nfn=main\n1 5\n",
			 "callgrind"));
	CHECK(!strncmp(folded(p), "# event: a:b\n", 13));
	flamepipe_free(p);
}

/* A description survives all other calls, and the merging of large profiles. */
static void test_described_for_long(void)
{
	const char *a[] = { "a" }, *b[] = { "b" }, *const z[] = { "z" };
	const char *const no_b[] = { "--ignore", "b", NULL };
	struct flamepipe_profile *p = flamepipe_new(), *q = flamepipe_new();

	CHECK(!flamepipe_describe(p, "event", "A") && !flamepipe_add(p, a, 1, 1));
	CHECK(!flamepipe_describe(p, "event", "B") && !flamepipe_add(p, b, 1, 1));
	CHECK(!flamepipe_describe(p, "event", "A") && !flamepipe_add(p, a, 1, 1));
	CHECK(!strcmp(folded(p), "# event: A\na 2\n# event: B\nb 1\n"));
	CHECK(!flamepipe_add(p, a, 1, 1));
	CHECK(!strcmp(folded(p), "# event: A\na 3\n# event: B\nb 1\n"));
	CHECK(!flamepipe_describe(p, "event", "B") && !flamepipe_add(q, z, 1, 1));
	CHECK(!flamepipe_merge(p, q) && !flamepipe_describe(p, "unit", "ms"));
	CHECK(!flamepipe_merge(p, q) && !flamepipe_add(p, b, 1, 1));
	CHECK(!flamepipe_filter(p, no_b));
	CHECK(!strncmp(folded(p), "# event: A\na 3\n", 15));
	CHECK(!flamepipe_add(p, b, 1, 1));
	CHECK(strstr(folded(p), "# event: B\n# unit: ms\nb 1\n") != NULL);
	for (int i = 0; i < 3; i++)
		CHECK(!flamepipe_describe(q, "event", "C") &&
		      !flamepipe_describe(q, "unit", "s"));
	CHECK(!strcmp(folded(q), "z 1\n"));
	CHECK(!flamepipe_describe(q, "event", "D") && !flamepipe_add(q, a, 1, 1));
	CHECK(!strcmp(folded(q), "# event: D\na 1\nz 1\n"));
	flamepipe_free(p);
	flamepipe_free(q);
}

/* An overflowing sum is found when stacks are merged. */
static void test_overflow(void)
{
	const char *const stack[] = { "main" };
	struct messages m = { { 0 }, "" };
	struct flamepipe_profile *p = flamepipe_new();

	flamepipe_on_message(p, take_message, &m);
	CHECK(!flamepipe_add(p, stack, 1, UINT64_MAX));
	CHECK(!flamepipe_add(p, stack, 1, UINT64_MAX));
	CHECK(flamepipe_write_folded(p, add_bytes, &text) == FLAMEPIPE_FAILED);
	CHECK(m.count[FLAMEPIPE_ERROR] == 1);
	flamepipe_free(p);
}

/* Stacks that wait to be merged take bounded memory. */
static void test_many(void)
{
	const char *stack[] = { "main", "work", NULL };
	struct flamepipe_profile *p = flamepipe_new();
	char name[32];

	stack[2] = name;
	for (int i = 0; i < 200000; i++) {
		snprintf(name, sizeof(name), "function_%d", i % 100);
		CHECK(!flamepipe_add(p, stack, 3, 1));
	}
	CHECK(!strncmp(folded(p), "main;work;function_0 2000\n", 26));
	CHECK(text.len < 4000);
	flamepipe_free(p);
}

static void test_read(void)
{
	struct messages m = { { 0 }, "" };
	struct flamepipe_profile *p = flamepipe_new();

	flamepipe_on_message(p, take_message, &m);
	CHECK(!read_text(p, "a;b 1\nnonsense\na;b 2\na;b 4\na;b;c 1\n", NULL));
	CHECK(m.count[FLAMEPIPE_WARNING] == 1);
	CHECK(!strncmp(m.last, "input:2: ", 9));
	CHECK(!strcmp(folded(p), "a;b 7\na;b;c 1\n"));
	CHECK(!read_text(p,
			 "a.out 7 1.0: 5 cycles:\n\t1 work+0x1 (a.out)\n"
			 "\t2 main+0x2 (a.out)\n\n",
			 NULL));
	/* the folded stacks read before have no weight of a sample */
	CHECK(!strcmp(folded(p), "# event: cycles\n# unit: cycles\n"
				 "a.out;main;work 5\na;b 7\na;b;c 1\n"));
	CHECK(read_text(p, "a;b 1\n", "nothing") == FLAMEPIPE_INVALID);
	CHECK(read_text(p,
			"\x7f"
			"ELF",
			NULL) == FLAMEPIPE_FAILED);
	CHECK(m.count[FLAMEPIPE_ERROR] == 2);
	CHECK(flamepipe_read(p, "/nonexistent", NULL, NULL) == FLAMEPIPE_FAILED);
	CHECK(!strncmp(m.last, "/nonexistent: cannot open", 25));
	CHECK(strstr(folded(p), "a;b 7\n") != NULL);
	flamepipe_free(p);
}

static void test_formats(void)
{
	size_t count = 0;

	while (flamepipe_format(count))
		count++;
	CHECK(count > 30);
	CHECK(!strcmp(flamepipe_format(count - 1), "folded"));
	CHECK(!strcmp(flamepipe_format(0), "perf"));
}

static void test_filter(void)
{
	const char *const options[] = { "--focus", "b", "--max-depth=2", NULL };
	const char *const wrong[] = { "--focus", "(", NULL };
	const char *const help[] = { "--help", NULL };
	const char *const file[] = { "file", NULL };
	const char *const none[] = { "--keep", "nothing", NULL };
	struct messages m = { { 0 }, "" };
	struct flamepipe_profile *p = flamepipe_new(), *q = flamepipe_new();

	flamepipe_on_message(p, take_message, &m);
	CHECK(!read_text(p, "a;b;c 1\na;d 2\n", "folded"));
	CHECK(!flamepipe_merge(q, p));
	CHECK(!flamepipe_filter(p, options));
	CHECK(!strcmp(folded(p), "a;b 1\n"));
	CHECK(!strcmp(folded(q), "a;b;c 1\na;d 2\n"));
	CHECK(flamepipe_filter(p, wrong) == FLAMEPIPE_INVALID);
	CHECK(flamepipe_filter(p, help) == FLAMEPIPE_INVALID);
	CHECK(flamepipe_filter(p, file) == FLAMEPIPE_INVALID);
	CHECK(m.count[FLAMEPIPE_ERROR] == 3);
	CHECK(!flamepipe_merge(p, p));
	CHECK(!strcmp(folded(p), "a;b 2\n"));
	CHECK(!flamepipe_filter(p, none));
	CHECK(!strcmp(folded(p), ""));
	CHECK(!flamepipe_merge(p, q));
	CHECK(!strcmp(folded(p), "a;b;c 1\na;d 2\n"));
	flamepipe_free(p);
	flamepipe_free(q);
}

static void test_svg(void)
{
	const char *const options[] = { "--title", "My title", "--width=400", NULL };
	const char *const kept[] = { "--cp", NULL };
	struct messages m = { { 0 }, "" };
	struct flamepipe_profile *p = flamepipe_new(), *again = flamepipe_new();
	struct flamepipe_bytes svg = { text.bytes, 0, "svg" };

	flamepipe_on_message(p, take_message, &m);
	text.len = 0;
	CHECK(flamepipe_write_svg(p, NULL, add_bytes, &text) == FLAMEPIPE_FAILED);
	CHECK(!text.len && m.count[FLAMEPIPE_ERROR] == 1);
	CHECK(!read_text(p, "main;a 300\nmain;b 200\n", NULL));
	CHECK(flamepipe_write_svg(p, kept, add_bytes, &text) == FLAMEPIPE_INVALID);
	CHECK(flamepipe_write_svg(p, options, refuse_bytes, NULL) == FLAMEPIPE_STOPPED);
	CHECK(!flamepipe_write_svg(p, options, add_bytes, &text));
	CHECK(strstr(text.bytes, "My title") && strstr(text.bytes, "</svg>"));
	svg.size = text.len;
	CHECK(!flamepipe_read_memory(again, &svg, NULL, NULL));
	CHECK(!strcmp(folded(again), "main;a 300\nmain;b 200\n"));
	flamepipe_free(p);
	flamepipe_free(again);
}

static void test_diff(void)
{
	const char *const movers[] = { "--movers", NULL };
	const char *const gate[] = { "--max-growth", "1%", NULL };
	struct messages m = { { 0 }, "" };
	struct flamepipe_profile *a = flamepipe_new(), *b = flamepipe_new();
	const char *const stack[] = { "main" };

	flamepipe_on_message(b, take_message, &m);
	CHECK(!read_text(a, "# sample-weight: 1\nmain;x 1000\nmain;y 1000\n", NULL));
	CHECK(!read_text(b, "# sample-weight: 1\nmain;x 1000\nmain;y 2000\n", NULL));
	CHECK(!flamepipe_diff(b, a, NULL));
	CHECK(!strcmp(folded(b),
		      "# sample-weight: 1 1\nmain;x 1000 1000\nmain;y 1000 2000\n"));
	CHECK(!strcmp(folded(a), "# sample-weight: 1\nmain;x 1000\nmain;y 1000\n"));
	CHECK(flamepipe_add(b, stack, 1, 1) == FLAMEPIPE_INVALID);
	CHECK(flamepipe_merge(b, a) == FLAMEPIPE_INVALID);
	text.len = 0;
	CHECK(!flamepipe_write_report(b, movers, add_bytes, &text));
	CHECK(strstr(text.bytes, "1000 and 1000 samples") ||
	      strstr(text.bytes, "samples"));
	text.len = 0;
	CHECK(flamepipe_write_report(b, gate, add_bytes, &text) == FLAMEPIPE_EXCEEDED);
	text.len = 0;
	CHECK(!flamepipe_write_svg(b, NULL, add_bytes, &text));
	flamepipe_free(a);
	flamepipe_free(b);
}

static void test_report(void)
{
	const char *const json[] = { "--format", "json", NULL };
	const char *const pprof[] = { "--format=pprof", NULL };
	struct flamepipe_profile *p = flamepipe_new(), *again = flamepipe_new();
	struct flamepipe_bytes bytes = { text.bytes, 0, NULL };

	CHECK(!read_text(p, "main;a 300\nmain;b 200\n", NULL));
	text.len = 0;
	CHECK(!flamepipe_write_report(p, json, add_bytes, &text));
	CHECK(text.bytes[0] == '{' && strstr(text.bytes, "\"a\""));
	text.len = 0;
	CHECK(!flamepipe_write_report(p, pprof, add_bytes, &text));
	bytes.size = text.len;
	CHECK(!flamepipe_read_memory(again, &bytes, "pprof", NULL));
	CHECK(strstr(folded(again), "main;a 300\nmain;b 200\n") != NULL);
	flamepipe_free(p);
	flamepipe_free(again);
}

int main(void)
{
	test_add();
	test_number_sign();
	test_described_semicolon();
	test_value_semicolon();
	test_described_for_long();
	test_overflow();
	test_many();
	test_read();
	test_formats();
	test_filter();
	test_svg();
	test_diff();
	test_report();
	printf("%s, %d failures\n", flamepipe_version(), failures);
	return failures != 0;
}
