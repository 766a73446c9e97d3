/* Tests of lib/sha256: the examples of the standard. */
#include "lib/sha256.h"

#include <stdio.h>

#include "tests/unit/support/support.h"

static void check(struct fg_str text, size_t times, const char *want)
{
	unsigned char hash[FG_SHA256_LEN];
	struct fg_sha256 s;
	char hex[2 * FG_SHA256_LEN + 1];

	fg_sha256_init(&s);
	while (times--)
		fg_sha256_add(&s, text);
	fg_sha256_end(&s, hash);
	for (size_t i = 0; i < FG_SHA256_LEN; i++)
		snprintf(hex + 2 * i, 3, "%02x", hash[i]);
	assert_string_equal(hex, want);
}

static void examples(void **state)
{
	(void)state;
	check(FG_STR("abc"), 1,
	      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	check(FG_STR("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), 1,
	      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	check(FG_STR("a"), 1000000,
	      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	check(FG_STR("aaaaaaaaaa"), 100000,
	      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	check(FG_STR(""), 1,
	      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(examples) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
