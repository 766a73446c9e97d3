/*
 * Recognises profiles of gperftools, and those of jemalloc, which come from them. Heap
 * profiles are text, CPU profiles are binary; either may follow a table of symbols.
 *
 *     heap_v2/524288
 *     heap profile:    144:  8498176 [   144:  8498176] @ heap_v2/524288
 *     --- symbol
 */
#include "lib/recognize/gperftools.h"

#include "lib/base/utf8.h"
#include "lib/recognize/foreign.h"
#include "lib/recognize/recognize.h"

uint64_t gperftools_word(const struct gperftools_words *w, struct fg_str bytes,
			 size_t index)
{
	const unsigned char *at = (const unsigned char *)bytes.ptr + index * w->size;
	uint64_t word = 0;

	for (size_t i = 0; i < w->size; i++)
		word = word << 8 | at[w->big_endian ? i : w->size - 1 - i];
	return word;
}

bool gperftools_find_words(struct fg_str bytes, struct gperftools_words *w)
{
	for (unsigned i = 0; i < 4; i++) {
		static const uint64_t head[] = { 0, 3, 0 };
		bool fits = true;

		w->size = i & 1 ? 4 : 8;
		w->big_endian = i & 2;
		if (bytes.len < GPERFTOOLS_HEAD_WORDS * w->size)
			continue;
		for (size_t at = 0; at < FG_COUNT_OF(head); at++)
			fits = fits && gperftools_word(w, bytes, at) == head[at];
		if (fits && gperftools_word(w, bytes, GPERFTOOLS_PERIOD) &&
		    !gperftools_word(w, bytes, GPERFTOOLS_HEAD_WORDS - 1))
			return !fg_foreign_is_vmprof(bytes);
	}
	return false;
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("heap_v2/"),      FG_STR_INIT("heap profile: "),
		FG_STR_INIT("--- symbol\n"),  FG_STR_INIT("--- symbol\r\n"),
		FG_STR_INIT("--- profile\n"),
	};
	struct fg_str text = fg_utf8_skip_mark(first_bytes);
	struct gperftools_words words;

	while (fg_str_starts(text, FG_STR("%")))
		fg_str_cut(&text, '\n');
	return fg_str_starts_any(text, starts, FG_COUNT_OF(starts)) ||
			       gperftools_find_words(first_bytes, &words) ?
		       FG_PROBE_YES :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_gperftools = {
	.name = "gperftools",
	.input = "a profile of gperftools or jemalloc",
	.is_structured = true,
	.is_binary = true,
	.probe = probe,
};
