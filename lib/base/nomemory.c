/* The end for lack of memory; the only place in the library that exits. */
#define _GNU_SOURCE /* for the program's name */
#include "lib/base/nomemory.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* There is no diag here; the C library knows by which name it was called. */
static const char *program_name(void)
{
#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__)
	return getprogname();
#else
	return program_invocation_short_name;
#endif
}

/*
 * Of several threads that fail one says so; the others wait here for the end. No two
 * may call exit().
 */
static _Noreturn void end(const char *why)
{
	flockfile(stderr);
	fprintf(stderr, "%s: out of memory%s\n", program_name(), why);
	_exit(1);
}

_Noreturn void fg_out_of_bytes(size_t size)
{
	char why[64];

	snprintf(why, sizeof(why), " (%zu bytes wanted)", size);
	end(why);
}

_Noreturn void fg_size_overflow(void)
{
	end(" (a size does not fit in memory)");
}

_Noreturn void fg_out_of_memory(void)
{
	end("");
}
