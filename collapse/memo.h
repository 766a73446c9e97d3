/*
 * A memo of frames: the text that a profiler printed -> the ids of its frames, so that
 * the same symbol is worked out only once.
 *
 *     key = fg_memo_key(&memo, text, variant);
 *     entry = fg_memo_find(&memo, &key);
 *     if (!entry)
 *             entry = fg_memo_add(&memo, &key, work_out(text, variant));
 *
 * The variant stands for everything else that the result depends on. An entry of 64
 * bytes holds short texts, so that a hit touches one cache line. Entries are in the
 * order of first appearance, so that frames of the same stack are near each other. The
 * table stops growing at a limit; texts that do not fit are worked out again each time.
 */
#ifndef FG_COLLAPSE_MEMO_H
#define FG_COLLAPSE_MEMO_H

#include <string.h>

#include "lib/base/arena.h"
#include "lib/base/hash.h"
#include "lib/base/slots.h"

#if defined(__SSE2__) && !defined(FG_PLAIN_C)
#include <emmintrin.h>
#endif

struct fg_memo_value {
	uint32_t id; /* a frame id, or another number that the caller chooses */
	uint8_t flags; /* flags that the caller chooses */
};

/* The longest text that is stored inside an entry, so that an entry has 64 bytes. */
#define FG_MEMO_INLINE 54

/* A memo has at most this many entries. */
#define FG_MEMO_MAX 65536

/*
 * The longest text that is added. Longer ones are rare, and copies of them cost too
 * much.
 */
#define FG_MEMO_TEXT_MAX ((size_t)64 * 1024)

struct fg_memo_entry {
	uint32_t id;
	uint32_t len;
	uint8_t variant;
	uint8_t flags;
	char text[FG_MEMO_INLINE]; /* the text, or a pointer to it if it is longer */
};

struct fg_memo {
	struct fg_arena text;
	struct fg_memo_entry *entries;
	size_t count;
	size_t alloc;
	/* the hash table: an item is the index of an entry plus 1 */
	struct fg_slots slots;
	uint64_t seed; /* for hashes of texts */
};

void fg_memo_init(struct fg_memo *m);
void fg_memo_release(struct fg_memo *m);

/* The search key. For another variant of the same text, just change `variant`. */
struct fg_memo_key {
	struct fg_str text;
	uint64_t text_hash;
	unsigned variant;
};

static inline struct fg_memo_key fg_memo_key(const struct fg_memo *m,
					     struct fg_str text, unsigned variant)
{
	return (struct fg_memo_key){
		.text = text,
		.text_hash = fg_hash_bytes(text.ptr, text.len, m->seed),
		.variant = variant,
	};
}

static inline uint32_t fg_memo_hash(const struct fg_memo_key *key)
{
	uint64_t hash = key->text_hash ^ (key->variant * FG_HASH_K0);

	return (uint32_t)(hash ^ hash >> 32);
}

static inline const char *fg_memo_text(const struct fg_memo_entry *entry)
{
	const char *text;

	if (entry->len <= FG_MEMO_INLINE)
		return entry->text;
	memcpy(&text, entry->text, sizeof(text));
	return text;
}

static inline bool fg_memo_same_16(const char *a, const char *b)
{
#if defined(__SSE2__) && !defined(FG_PLAIN_C)
	__m128i left = _mm_loadu_si128((const __m128i *)a);
	__m128i right = _mm_loadu_si128((const __m128i *)b);

	return _mm_movemask_epi8(_mm_cmpeq_epi8(left, right)) == 0xffff;
#else
	return !memcmp(a, b, 16);
#endif
}

/* Like memcmp() == 0, without a call, because names are short and mostly equal. */
static inline bool fg_memo_same_bytes(const char *a, const char *b, size_t len)
{
	if (len < 8)
		return !len || !memcmp(a, b, len);
	if (len < 16)
		return !memcmp(a, b, 8) && !memcmp(a + len - 8, b + len - 8, 8);
	for (size_t at = 0; at + 16 < len; at += 16)
		if (!fg_memo_same_16(a + at, b + at))
			return false;
	return fg_memo_same_16(a + len - 16, b + len - 16);
}

static inline bool fg_memo_is(const struct fg_memo_entry *entry,
			      const struct fg_memo_key *key)
{
	return entry->len == key->text.len && entry->variant == key->variant &&
	       fg_memo_same_bytes(fg_memo_text(entry), key->text.ptr, entry->len);
}

/* Returns the entry of the key, or NULL. It is valid until another one is added. */
static inline const struct fg_memo_entry *fg_memo_find(const struct fg_memo *m,
						       const struct fg_memo_key *key)
{
	uint32_t hash = fg_memo_hash(key);
	const struct fg_slots *slots = &m->slots;

	for (size_t i = hash & slots->mask; slots->at[i].item;
	     i = (i + 1) & slots->mask) {
		const struct fg_memo_entry *entry = &m->entries[slots->at[i].item - 1];

		if (slots->at[i].tag == hash && fg_memo_is(entry, key))
			return entry;
	}
	return NULL;
}

static inline struct fg_memo_value fg_memo_value(const struct fg_memo_entry *entry)
{
	return (struct fg_memo_value){ entry->id, entry->flags };
}

/* ---- texts that stand for several frames, or for none */

/* A flag of fg_memo_value: `id` is not a frame, but a run of them in struct fg_runs. */
#define FG_MEMO_RUN 1

/* Lists of frame ids ("runs") in one array. A zeroed struct is empty; free `items`. */
struct fg_runs {
	uint32_t *items; /* for each run its length, then the ids, root first */
	size_t count;
	size_t alloc;
};

/*
 * Returns a value for the frames `ids`, root first: the frame itself if there is one,
 * else a run that is added to `r`.
 */
struct fg_memo_value fg_runs_add(struct fg_runs *r, const uint32_t *ids, size_t count);

/*
 * Returns the frames of `value`, root first. They are valid until `value` changes or a
 * run is added.
 */
static inline const uint32_t *
fg_runs_get(const struct fg_runs *r, const struct fg_memo_value *value, size_t *count)
{
	if (!(value->flags & FG_MEMO_RUN)) {
		*count = 1;
		return &value->id;
	}
	*count = r->items[value->id];
	return r->items + value->id + 1;
}

/* ---- adding to a memo */

/*
 * Returns true if the key can be added: the table is not full, and the text is not too
 * long.
 */
static inline bool fg_memo_has_room(const struct fg_memo *m,
				    const struct fg_memo_key *key)
{
	return m->count < FG_MEMO_MAX && key->text.len <= FG_MEMO_TEXT_MAX;
}

/* Adds a key that was not found. Returns NULL if it cannot be added. */
const struct fg_memo_entry *fg_memo_add(struct fg_memo *m,
					const struct fg_memo_key *key,
					struct fg_memo_value value);

#endif
