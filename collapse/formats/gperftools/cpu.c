/*
 * CPU profiles: words of the machine that wrote them, then the list of mapped files as
 * text. See https://gperftools.github.io/gperftools/cpuprofile-fileformat.html.
 *
 *     0 3 0 PERIOD 0          the head; the period is in microseconds
 *     12 2 0x401136 0x401187  12 samples of a stack of 2 addresses, leaf first
 *     0 1 0                   the end
 */
#include "collapse/formats/gperftools/profile.h"
#include "lib/recognize/gperftools.h"

/* A stack has its count and its depth before its addresses. */
#define STACK_HEAD_WORDS 2

/* Adds the `depth` addresses at index `at`. */
static void add_stack(struct gperftools_profile *p, const struct gperftools_words *w,
		      struct fg_str bytes, size_t at, size_t depth)
{
	struct gperftools_stack *s = gperftools_add_stack(p);
	uint64_t leaf = depth ? gperftools_word(w, bytes, at) : 0;

	s->first = p->address_count;
	s->values[SAMPLES] = gperftools_word(w, bytes, at - STACK_HEAD_WORDS);
	for (size_t i = 0; i < depth; i++) {
		uint64_t address = gperftools_word(w, bytes, at + i);

		/* the unwinder may find the leaf once more */
		if (i == 1 && address == leaf)
			continue;
		/* callers have return addresses; the call is before them */
		gperftools_add_address(p, address - (i && address));
	}
	s->depth = p->address_count - s->first;
}

static bool is_end(const struct gperftools_words *w, struct fg_str bytes, size_t at,
		   size_t depth)
{
	return depth == 1 && !gperftools_word(w, bytes, at - STACK_HEAD_WORDS) &&
	       !gperftools_word(w, bytes, at);
}

int gperftools_read_cpu(struct gperftools_profile *p, struct fg_sink *sink,
			struct fg_str bytes)
{
	size_t at = GPERFTOOLS_HEAD_WORDS, count;
	struct gperftools_words w;

	if (!gperftools_find_words(bytes, &w))
		return -1;
	p->kind = GPERFTOOLS_CPU;
	p->period = gperftools_word(&w, bytes, GPERFTOOLS_PERIOD);
	count = bytes.len / w.size;
	while (count - at >= STACK_HEAD_WORDS) {
		uint64_t depth = gperftools_word(&w, bytes, at + 1);

		at += STACK_HEAD_WORDS;
		if (depth > count - at)
			break;
		if (is_end(&w, bytes, at, (size_t)depth)) {
			gperftools_read_mappings(
				p, sink, fg_str_from_pos(bytes, (at + 1) * w.size));
			return 0;
		}
		add_stack(p, &w, bytes, at, (size_t)depth);
		at += (size_t)depth;
	}
	/* google-pprof --raw writes no end */
	if (at < count || !p->symbol_count)
		fg_sink_warn_cut(sink, at < count ? "the last stack is incomplete" :
						    "the end of the stacks is missing");
	return 0;
}
