/* Tests of lib/base/unpack: readers unpack gzip and zstd, in blocks of any size. */
#include "lib/base/reader.h"
#include "tests/unit/support/support.h"

static const size_t block_sizes[] = {
	1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 64, 1000, 300000
};

/* gzip members of "a\nbc" and "d\n\ne". */
#define MEMBER_1                                                           \
	"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\x4b\xe4\x4a\x4a\x06\x00" \
	"\x6b\xf3\x39\x2c\x04\x00\x00\x00"
#define MEMBER_2                                                           \
	"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\x4b\xe1\xe2\x4a\x05\x00" \
	"\xc3\x47\xa0\x5f\x04\x00\x00\x00"

static void read_packed(struct fg_str bytes, size_t block_size, const char *want,
			const char *message)
{
	struct fg_buf lines = FG_BUF_INIT;
	struct fg_reader *r;
	struct fg_place at;
	struct fg_str line;
	struct caught c;
	int status;

	caught_init(&c);
	r = fg_reader_open_memory(bytes, "in.gz", &c.diag);
	fg_reader_set_block_size(r, block_size);
	while ((status = fg_reader_line(r, &line, &at)) > 0) {
		fg_buf_add_str(&lines, line);
		fg_buf_add_char(&lines, '|');
	}
	assert_int_equal(status, message ? -1 : 0);
	if (want)
		assert_str_is(fg_buf_str(&lines), fg_str_from(want));
	if (message)
		assert_has(fg_buf_str(&c.text), message);
	assert_int_equal(c.diag.errors, message ? 1 : 0);
	fg_reader_close(r);
	fg_buf_release(&lines);
	caught_release(&c);
}

static void test_gzip_is_unpacked(void **state)
{
	static const struct fg_str one = FG_STR_INIT(MEMBER_1);
	static const struct fg_str two = FG_STR_INIT(MEMBER_1 MEMBER_2);
	static const struct fg_str zeros = FG_STR_INIT(MEMBER_1 "\0\0\0");
	static const struct fg_str other = FG_STR_INIT(MEMBER_1 "d\n");

	(void)state;
	for (size_t i = 0; i < COUNT_OF(block_sizes); i++) {
		read_packed(one, block_sizes[i], "a|bc|", NULL);
		read_packed(two, block_sizes[i], "a|bcd||e|", NULL);
		read_packed(zeros, block_sizes[i], "a|bc|", NULL);
		read_packed(other, block_sizes[i], NULL,
			    "prog: in.gz: the gzip data are damaged\n");
		for (size_t cut = 4; cut < two.len; cut++)
			if (cut != one.len)
				read_packed(
					fg_str_before(two, cut), block_sizes[i], NULL,
					"prog: in.gz: the gzip data are cut short\n");
	}
}

#ifdef FG_HAVE_LIBZSTD
/* zstd frames of the same two texts, and a frame to be skipped. */
#define FRAME_1 "\x28\xb5\x2f\xfd\x20\x04\x21\0\0a\nbc"
#define FRAME_2 "\x28\xb5\x2f\xfd\x20\x04\x21\0\0d\n\ne"
#define SKIPPED "\x50\x2a\x4d\x18\x03\0\0\0xyz"

static void test_zstd_is_unpacked(void **state)
{
	static const struct fg_str one = FG_STR_INIT(FRAME_1);
	static const struct fg_str two = FG_STR_INIT(FRAME_1 FRAME_2);
	static const struct fg_str skipped = FG_STR_INIT(FRAME_1 SKIPPED FRAME_2);
	static const struct fg_str other = FG_STR_INIT(FRAME_1 "d\n..........");

	(void)state;
	for (size_t i = 0; i < COUNT_OF(block_sizes); i++) {
		read_packed(one, block_sizes[i], "a|bc|", NULL);
		read_packed(two, block_sizes[i], "a|bcd||e|", NULL);
		read_packed(skipped, block_sizes[i], "a|bcd||e|", NULL);
		read_packed(other, block_sizes[i], NULL,
			    "prog: in.gz: the zstd data are damaged\n");
		for (size_t cut = 4; cut < two.len; cut++)
			if (cut != one.len)
				read_packed(
					fg_str_before(two, cut), block_sizes[i], NULL,
					"prog: in.gz: the zstd data are cut short\n");
	}
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gzip_is_unpacked),
#ifdef FG_HAVE_LIBZSTD
		cmocka_unit_test(test_zstd_is_unpacked),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
