/* The head of a CPU profile of gperftools, which the grammar reads, too. */
#ifndef FG_LIB_RECOGNIZE_GPERFTOOLS_H
#define FG_LIB_RECOGNIZE_GPERFTOOLS_H

#include "lib/base/str.h"

/* The words of a CPU profile: those of the machine that wrote it. */
struct gperftools_words {
	size_t size; /* bytes in a word: 4 or 8 */
	bool big_endian;
};

/* The head of a CPU profile has five words: 0, 3, 0, the period, 0. */
#define GPERFTOOLS_HEAD_WORDS 5
#define GPERFTOOLS_PERIOD 3

/* Returns the word at an index, which must be within `bytes`. */
uint64_t gperftools_word(const struct gperftools_words *w, struct fg_str bytes,
			 size_t index);

/* Finds the kind of words of a CPU profile. Returns false if `bytes` are not one. */
bool gperftools_find_words(struct fg_str bytes, struct gperftools_words *w);

#endif
