/* Which format an input is of: every descriptor's probe is asked. */
#include "collapse/guess/guess.h"

#include "lib/base/sniff.h"

static bool is_raw(const struct fg_format *format, struct fg_str first_bytes)
{
	return format->raw_starts && format->raw_starts(first_bytes);
}

/* The format of binary data of which its probe says that. */
static const struct fg_format *find_binary(struct fg_str first_bytes,
					   enum fg_probe probe)
{
	for (size_t i = 0; fg_formats[i]; i++)
		if (fg_formats[i]->kind->is_binary &&
		    fg_formats[i]->kind->probe(first_bytes) == probe)
			return fg_formats[i];
	return NULL;
}

struct fg_guess fg_guess(struct fg_str first_bytes)
{
	struct fg_guess guess = { NULL, NULL };
	enum fg_probe best = FG_PROBE_MAYBE;

	for (size_t i = 0; fg_formats[i]; i++)
		if (is_raw(fg_formats[i], first_bytes))
			return (struct fg_guess){ fg_formats[i], NULL };
	guess.format = find_binary(first_bytes, FG_PROBE_YES);
	if (guess.format)
		return guess;
	if (fg_sniff_refused(first_bytes, true)) {
		guess.format = find_binary(first_bytes, FG_PROBE_MAYBE);
		return guess;
	}
	for (size_t i = 0; fg_formats[i]; i++) {
		const struct fg_format *format = fg_formats[i];
		enum fg_probe probe = format->kind->probe(first_bytes);

		if (probe < best)
			continue;
		if (probe > best || !guess.format)
			guess = (struct fg_guess){ format, NULL };
		else if (!guess.other)
			guess.other = format;
		best = probe;
	}
	return guess;
}
