/*
 * Raw text of a frame -> the ids of its frames, so that a symbol is tidied once.
 *
 * The text is what perf printed; the variant is what else the result depends
 * on. An entry of 64 bytes holds the start of the text, so that a hit touches one
 * cache line of it; entries lie in the order of first appearance, in which frames
 * of the same stacks are near each other. The table stops growing at a limit; what
 * does not fit is worked out again each time.
 */
#ifndef FG_COLLAPSE_PERF_MEMO_H
#define FG_COLLAPSE_PERF_MEMO_H

#include <string.h>

#include "lib/arena.h"
#include "lib/hash.h"

#if defined(__SSE2__) && !defined(FG_PLAIN_C)
#include <emmintrin.h>
#endif

/* What a result depends on besides the text. */
enum perf_variant {
	PERF_VARIANT_JAVA = 1, /* the comm starts with "java" */
	PERF_VARIANT_KERNEL = 2, /* the DSO is the kernel, and that is shown */
	PERF_VARIANT_JIT = 4, /* the DSO is a JIT's, and that is shown */
};

enum perf_memo_flag {
	PERF_MEMO_RUN = 1, /* `id` stands for several frames, or none */
	PERF_MEMO_BY_DSO = 2, /* no frame: to be looked up with its DSO */
	PERF_MEMO_ENTRY = 4, /* the symbol is one where threads start */
	PERF_MEMO_CLONE = 8, /* it is clone, which may be called too */
	PERF_MEMO_UNNAMED = 16, /* there is no symbol */
};

struct perf_memo_value {
	uint32_t id; /* of the frame, or an offset into the runs */
	uint8_t flags;
};

/* Bytes of text that an entry holds, so that it is 64 bytes large. */
#define PERF_MEMO_INLINE 54

/* The most entries, and the longest text: a copy of a longer one costs too much. */
#define PERF_MEMO_MAX 65536
#define PERF_MEMO_TEXT_MAX ((size_t)64 * 1024)

struct perf_memo_entry {
	uint32_t id;
	uint32_t len;
	uint8_t variant;
	uint8_t flags;
	char text[PERF_MEMO_INLINE]; /* or a pointer to longer text */
};

struct perf_memo_slot {
	uint32_t hash;
	uint32_t entry_plus_1; /* 0: free */
};

struct perf_memo {
	struct fg_arena text;
	struct perf_memo_entry *entries;
	size_t count;
	size_t alloc;
	struct perf_memo_slot *slots; /* open addressing; a power of two */
	size_t slots_alloc;
	uint64_t seed; /* of the texts' hashes */
};

void perf_memo_init(struct perf_memo *m);
void perf_memo_release(struct perf_memo *m);

/* What is looked for; another variant of the same text needs no other hash. */
struct perf_memo_key {
	struct fg_str text;
	uint64_t text_hash;
	unsigned variant;
};

static inline struct perf_memo_key perf_memo_key(const struct perf_memo *m,
						 struct fg_str text, unsigned variant)
{
	return (struct perf_memo_key){
		.text = text,
		.text_hash = fg_hash_bytes(text.ptr, text.len, m->seed),
		.variant = variant,
	};
}

static inline uint32_t perf_memo_hash(const struct perf_memo_key *key)
{
	uint64_t hash = key->text_hash ^ (key->variant * FG_HASH_K0);

	return (uint32_t)(hash ^ hash >> 32);
}

static inline const char *perf_memo_text(const struct perf_memo_entry *entry)
{
	const char *text;

	if (entry->len <= PERF_MEMO_INLINE)
		return entry->text;
	memcpy(&text, entry->text, sizeof(text));
	return text;
}

static inline bool perf_same_16(const char *a, const char *b)
{
#if defined(__SSE2__) && !defined(FG_PLAIN_C)
	__m128i left = _mm_loadu_si128((const __m128i *)a);
	__m128i right = _mm_loadu_si128((const __m128i *)b);

	return _mm_movemask_epi8(_mm_cmpeq_epi8(left, right)) == 0xffff;
#else
	return !memcmp(a, b, 16);
#endif
}

/* memcmp() == 0, without a call: names are short, and most are the same. */
static inline bool perf_same_bytes(const char *a, const char *b, size_t len)
{
	if (len < 8)
		return !len || !memcmp(a, b, len);
	if (len < 16)
		return !memcmp(a, b, 8) && !memcmp(a + len - 8, b + len - 8, 8);
	for (size_t at = 0; at + 16 < len; at += 16)
		if (!perf_same_16(a + at, b + at))
			return false;
	return perf_same_16(a + len - 16, b + len - 16);
}

static inline bool perf_memo_is(const struct perf_memo_entry *entry,
				const struct perf_memo_key *key)
{
	return entry->len == key->text.len && entry->variant == key->variant &&
	       perf_same_bytes(perf_memo_text(entry), key->text.ptr, entry->len);
}

/* What was stored for the key, or NULL. Valid until something is added. */
static inline const struct perf_memo_entry *
perf_memo_find(const struct perf_memo *m, const struct perf_memo_key *key)
{
	uint32_t hash = perf_memo_hash(key);
	size_t mask = m->slots_alloc - 1;

	for (size_t at = (size_t)hash & mask;; at = (at + 1) & mask) {
		const struct perf_memo_slot *slot = &m->slots[at];

		if (!slot->entry_plus_1)
			return NULL;
		if (slot->hash == hash &&
		    perf_memo_is(&m->entries[slot->entry_plus_1 - 1], key))
			return &m->entries[slot->entry_plus_1 - 1];
	}
}

static inline struct perf_memo_value
perf_memo_value(const struct perf_memo_entry *entry)
{
	return (struct perf_memo_value){ entry->id, entry->flags };
}

/* Whether the key can be stored: the table has an end, and long texts are rare. */
static inline bool perf_memo_has_room(const struct perf_memo *m,
				      const struct perf_memo_key *key)
{
	return m->count < PERF_MEMO_MAX && key->text.len <= PERF_MEMO_TEXT_MAX;
}

/* Stores what was not found; NULL where there is no room. */
const struct perf_memo_entry *perf_memo_add(struct perf_memo *m,
					    const struct perf_memo_key *key,
					    struct perf_memo_value value);

#endif
