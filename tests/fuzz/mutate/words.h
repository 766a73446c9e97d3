/* Adds numbers in this machine's byte order at the end of a buffer. */
#ifndef FG_TESTS_FUZZ_MUTATE_WORDS_H
#define FG_TESTS_FUZZ_MUTATE_WORDS_H

#include "lib/base/buf.h"

static inline void put16(struct fg_buf *b, uint16_t n)
{
	fg_buf_add(b, (const char *)&n, sizeof(n));
}
static inline void put32(struct fg_buf *b, uint32_t n)
{
	fg_buf_add(b, (const char *)&n, sizeof(n));
}
static inline void put64(struct fg_buf *b, uint64_t n)
{
	fg_buf_add(b, (const char *)&n, sizeof(n));
}

/* Puts a text, padded with zeros to words. At least one of them ends it. */
static inline void put_text(struct fg_buf *b, const char *text)
{
	size_t len = strlen(text);

	fg_buf_add(b, text, len);
	do
		fg_buf_add_char(b, '\0');
	while (++len % 8);
}

/* Like put_text(), after its length of 32 bits. */
static inline void put_string(struct fg_buf *b, const char *text)
{
	put32(b, (uint32_t)(strlen(text) / 8 * 8 + 8));
	put_text(b, text);
}

#endif
