/* SHA-256 in plain C: it hashes a few kilobytes, once. */
#include "lib/sha256.h"

#include <string.h>

/* Cube roots of the first 64 primes: the first 32 bits of their fractions. */
static const uint32_t rounds[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t x, unsigned by)
{
	return x >> by | x << (32 - by);
}

void fg_sha256_init(struct fg_sha256 *s)
{
	static const uint32_t start[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	};

	memcpy(s->state, start, sizeof(start));
	s->len = 0;
}

/* The words that the rounds take up: those of the block, and mixtures of them. */
static void spread(const unsigned char *block, uint32_t words[64])
{
	for (size_t i = 0; i < 16; i++)
		words[i] = (uint32_t)block[4 * i] << 24 |
			   (uint32_t)block[4 * i + 1] << 16 |
			   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (size_t i = 16; i < 64; i++) {
		uint32_t a = words[i - 15], b = words[i - 2];

		words[i] = words[i - 16] + words[i - 7] +
			   (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) +
			   (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
	}
}

static void hash_block(struct fg_sha256 *s)
{
	uint32_t words[64], v[8];

	spread(s->block, words);
	memcpy(v, s->state, sizeof(v));
	for (size_t i = 0; i < 64; i++) {
		uint32_t mix = rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25);
		uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
		uint32_t first = v[7] + mix + choice + rounds[i] + words[i];
		uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);

		mix = rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22);
		memmove(v + 1, v, 7 * sizeof(*v));
		v[4] += first;
		v[0] = first + mix + majority;
	}
	for (size_t i = 0; i < 8; i++)
		s->state[i] += v[i];
}

void fg_sha256_add(struct fg_sha256 *s, struct fg_str bytes)
{
	for (size_t i = 0; i < bytes.len; i++) {
		s->block[s->len++ % FG_SHA256_BLOCK] = (unsigned char)bytes.ptr[i];
		if (s->len % FG_SHA256_BLOCK == 0)
			hash_block(s);
	}
}

void fg_sha256_end(struct fg_sha256 *s, unsigned char hash[FG_SHA256_LEN])
{
	uint64_t bits = s->len * 8;
	char length[8];

	fg_sha256_add(s, FG_STR("\x80"));
	while (s->len % FG_SHA256_BLOCK != FG_SHA256_BLOCK - sizeof(length))
		fg_sha256_add(s, fg_str_of("", 1));
	for (size_t i = 0; i < sizeof(length); i++)
		length[i] = (char)(bits >> (56 - 8 * i));
	fg_sha256_add(s, fg_str_of(length, sizeof(length)));
	for (size_t i = 0; i < FG_SHA256_LEN; i++)
		hash[i] = (unsigned char)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}
