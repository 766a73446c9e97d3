/* Changes inputs in one place. */
#include "tests/unit/support/near.h"

#include "tests/unit/support/support.h"

/* Replaces `to` by a copy of `text` that is changed in one place. */
static void change(struct random *random, struct fg_str text, struct fg_buf *to)
{
	static const struct fg_str bytes =
		FG_STR_INIT(" \n\t\r0159-+.;:,()[]{}\"'/@#<>=_aZ\\%\x80\xff\0");
	size_t at = random_below(random, text.len);
	char other = bytes.ptr[random_below(random, bytes.len)];
	size_t kind = random_below(random, 16);

	fg_buf_clear(to);
	fg_buf_add_str(to, fg_str_before(text, at));
	if (kind == 0) /* cut off the rest of the input */
		return;
	if (kind < 5)
		fg_buf_add_char(to, other);
	else if (kind < 8)
		fg_buf_add_char(to, (char)(text.ptr[at] + 1));
	else if (kind < 11)
		fg_buf_add_char(to, (char)(text.ptr[at] - 1));
	if (kind >= 14) {
		fg_buf_add_char(to, other);
		fg_buf_add_char(to, text.ptr[at]);
	}
	fg_buf_add_str(to, fg_str_from_pos(text, at + 1));
}

static uint32_t seed_of(const char *name)
{
	uint32_t seed = UINT32_C(2166136261);

	for (; *name; name++)
		seed = (seed ^ (unsigned char)*name) * UINT32_C(16777619);
	return seed | 1;
}

void near_try(const char *name, struct fg_str text, const char *arguments, size_t count,
	      near_read *read, const void *data)
{
	static const size_t block_sizes[] = { 1, 7, 64, 1000 };
	struct fg_buf changed = FG_BUF_INIT, whole = FG_BUF_INIT, parts = FG_BUF_INIT;
	struct random random = { seed_of(name) };

	for (size_t i = 0; i < count; i++) {
		size_t block_size = block_sizes[i % COUNT_OF(block_sizes)];

		change(&random, text, &changed);
		read(data, fg_buf_str(&changed), arguments, 0, &whole);
		read(data, fg_buf_str(&changed), arguments, block_size, &parts);
		if (fg_str_eq(fg_buf_str(&whole), fg_buf_str(&parts)))
			continue;
		print_error("%s: in blocks of %zu bytes this\n%.*s\nis read as\n%.*s"
			    "but at once as\n%.*s",
			    name, block_size, (int)changed.len, changed.ptr,
			    (int)parts.len, parts.ptr, (int)whole.len, whole.ptr);
		fail();
	}
	fg_buf_release(&changed);
	fg_buf_release(&whole);
	fg_buf_release(&parts);
}
