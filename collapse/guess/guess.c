/* Which format an input is of: every descriptor's probe is asked. */
#include "collapse/guess/guess.h"

static bool is_raw(const struct fg_format *format, struct fg_str first_bytes)
{
	return format->raw_starts && format->raw_starts(first_bytes);
}

struct fg_guess fg_guess(struct fg_str first_bytes)
{
	struct fg_guess guess = { NULL, NULL };
	enum fg_probe best = FG_PROBE_MAYBE;

	for (size_t i = 0; fg_formats[i]; i++) {
		const struct fg_format *format = fg_formats[i];
		enum fg_probe probe = is_raw(format, first_bytes) ?
					      FG_PROBE_YES :
					      format->probe(first_bytes);

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
