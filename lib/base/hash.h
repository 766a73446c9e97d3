/*
 * A 64-bit hash of bytes, for tables in memory only.
 *
 * It multiplies and folds like wyhash, and uses every byte, because names of C++ and
 * Rust functions differ in the middle as often as at their ends. Tables compare the
 * bytes, too, so a collision costs only time. Each table has a seed of its own, so
 * nobody can write an input whose names collide.
 */
#ifndef FG_LIB_BASE_HASH_H
#define FG_LIB_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FG_HASH_K0 UINT64_C(0x9e3779b97f4a7c15)
#define FG_HASH_K1 UINT64_C(0xe7037ed1a0b428db)
#define FG_HASH_K2 UINT64_C(0x8ebc6af09c88c6e3)

/* Returns an unpredictable seed, a different one at each call. Never fails. */
uint64_t fg_hash_seed(void);

/* Returns the two halves of the 128-bit product, folded by XOR. */
static inline uint64_t fg_hash_mix(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 u128;
	u128 product = (u128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
	uint64_t low = (a & 0xffffffff) * (b & 0xffffffff);
	uint64_t mid = (a >> 32) * (b & 0xffffffff) + (low >> 32);
	uint64_t mid2 = (a & 0xffffffff) * (b >> 32) + (mid & 0xffffffff);
	uint64_t high = (a >> 32) * (b >> 32) + (mid >> 32) + (mid2 >> 32);

	return (a * b) ^ high;
#endif
}

/*
 * Returns a hash of two numbers. We multiply twice because ids are consecutive, and
 * their products grow in steps: with one product, one seed in a hundred puts them all
 * into a few slots.
 */
static inline uint64_t fg_hash_pair(uint64_t a, uint64_t b, uint64_t seed)
{
	uint64_t h = fg_hash_mix(a ^ seed ^ FG_HASH_K1, b ^ seed ^ FG_HASH_K2);

	return fg_hash_mix(h, FG_HASH_K0);
}

static inline uint64_t fg_hash_load(const char *p, size_t n)
{
	uint64_t word = 0;

	memcpy(&word, p, n);
	return word;
}

static inline uint64_t fg_hash_two(const char *p, uint64_t key, uint64_t h)
{
	return fg_hash_mix(fg_hash_load(p, 8) ^ key, fg_hash_load(p + 8, 8) ^ h);
}

/*
 * Returns a hash of bytes. The last block may overlap the one before it, because that
 * is faster than reading the rest byte by byte. The seed is in both factors: otherwise
 * an input could make one factor 0, and with it the product.
 */
static inline uint64_t fg_hash_bytes(const char *p, size_t len, uint64_t seed)
{
	uint64_t h = seed ^ FG_HASH_K0 ^ (uint64_t)len, other = h;
	uint64_t key = seed ^ FG_HASH_K1, other_key = seed ^ FG_HASH_K2;

	if (len > 16) {
		for (; len > 32; p += 32, len -= 32) {
			h = fg_hash_two(p, key, h);
			other = fg_hash_two(p + 16, other_key, other);
		}
		if (len > 16)
			h = fg_hash_two(p, key, h);
		return h ^ fg_hash_two(p + len - 16, other_key, other);
	}
	if (len >= 8)
		return fg_hash_mix(fg_hash_load(p, 8) ^ key,
				   fg_hash_load(p + len - 8, 8) ^ h);
	if (len >= 4)
		return fg_hash_mix(fg_hash_load(p, 4) ^ key,
				   fg_hash_load(p + len - 4, 4) ^ h);
	if (len)
		h ^= ((uint64_t)(unsigned char)p[0] << 16) |
		     ((uint64_t)(unsigned char)p[len / 2] << 8) |
		     (unsigned char)p[len - 1];
	return fg_hash_mix(h ^ FG_HASH_K0, FG_HASH_K1);
}

#endif
