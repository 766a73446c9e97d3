/*
 * Tests the library without memory: each allocation of a call fails once, also in other
 * libraries. The call must return a status; the process must go on and leak nothing.
 */
#define _GNU_SOURCE /* for RTLD_NEXT */
#include <flamepipe.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- malloc of the whole process */

static void *(*real_malloc)(size_t size);
static void *(*real_calloc)(size_t count, size_t size);
static void *(*real_realloc)(void *block, size_t size);
static void (*real_free)(void *block);

static long until = -1; /* allocations before the one that fails; -1: none fails */
static long live; /* blocks */
static int failed; /* true after that failure */

static char early[4096]; /* for allocations by dlsym */
static size_t early_used;

static void find(void)
{
	if (real_free)
		return;
	*(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
	*(void **)&real_calloc = dlsym(RTLD_NEXT, "calloc");
	*(void **)&real_realloc = dlsym(RTLD_NEXT, "realloc");
	*(void **)&real_free = dlsym(RTLD_NEXT, "free");
}

static int fails(void)
{
	if (until < 0 || until-- > 0)
		return 0;
	failed = 1;
	return 1;
}

static void *counted(void *block)
{
	live += block != NULL;
	return block;
}

void *malloc(size_t size)
{
	find();
	return fails() ? NULL : counted(real_malloc(size));
}

void *calloc(size_t count, size_t size)
{
	if (!real_calloc) {
		early_used += (count * size + 15) & ~(size_t)15;
		return early + early_used - ((count * size + 15) & ~(size_t)15);
	}
	return fails() ? NULL : counted(real_calloc(count, size));
}

void *realloc(void *block, size_t size)
{
	find();
	if (fails())
		return NULL;
	return block ? real_realloc(block, size) : counted(real_malloc(size));
}

void free(void *block)
{
	if (!block || ((char *)block >= early && (char *)block < early + sizeof(early)))
		return;
	find();
	live--;
	real_free(block);
}

/* ---- the tried calls */

/* Checksum of the written bytes; a run that succeeds must have the same. */
static unsigned long sum;

static int count_bytes(void *data, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;

	(void)data;
	for (size_t i = 0; i < size; i++)
		sum = sum * 31 + at[i];
	return 0;
}

static const char *file; /* the input, and its format */
static const char *format;

static int try_add(struct flamepipe_profile *p)
{
	static const char *const frames[] = { "main", "add;\n", "leaf 1" };

	return flamepipe_add(p, frames, 3, 1);
}

static int try_read(struct flamepipe_profile *p)
{
	return flamepipe_read(p, file, format, NULL);
}

static int try_filter(struct flamepipe_profile *p)
{
	static const char *const options[] = {
		"--focus", "m.*n", "--rename", "s/(m)ain/$1/", "--max-depth", "2", NULL
	};

	return flamepipe_filter(p, options);
}

static int try_merge(struct flamepipe_profile *p)
{
	return flamepipe_merge(p, p);
}

static int try_svg(struct flamepipe_profile *p)
{
	static const char *const options[] = { "--search", "m", NULL };

	return flamepipe_write_svg(p, options, count_bytes, NULL);
}

static int try_pprof(struct flamepipe_profile *p)
{
	static const char *const options[] = { "--format=pprof", NULL };

	return flamepipe_write_report(p, options, count_bytes, NULL);
}

static int try_json(struct flamepipe_profile *p)
{
	static const char *const options[] = { "--format=json", NULL };

	return flamepipe_write_report(p, options, count_bytes, NULL);
}

static int try_diff(struct flamepipe_profile *p)
{
	return flamepipe_diff(p, p, NULL);
}

static int try_movers(struct flamepipe_profile *p)
{
	return flamepipe_write_report(p, NULL, count_bytes, NULL);
}

/* Returns the number of open descriptors below 64. */
static int descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 64; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* A call whose Nth allocation fails; the first is 0. */
struct attempt {
	long nth;
	int status;
	int failed; /* true if there were that many allocations */
	long lost; /* blocks that were not freed */
	unsigned long sum; /* checksum of the output and of the final profile */
};

static void try(struct attempt *a, int (*call)(struct flamepipe_profile *p),
		const struct flamepipe_profile *p)
{
	long before = live;
	struct flamepipe_profile *copy = flamepipe_new();

	if (!copy || flamepipe_merge(copy, p))
		exit(1);
	failed = 0;
	sum = 0;
	until = a->nth;
	a->status = call(copy);
	until = -1;
	a->failed = failed;
	if (flamepipe_write_folded(copy, count_bytes, NULL))
		exit(1);
	a->sum = sum;
	flamepipe_free(copy);
	a->lost = live - before;
}

/*
 * Fails the first allocation, the second, and so on, until the call needs no more. A
 * call may succeed all the same, for example without a JIT, but then its output must be
 * the same. `may_lose` is set for calls in which another library leaks.
 */
static int try_all(const char *name, int (*call)(struct flamepipe_profile *p),
		   const struct flamepipe_profile *p, int may_lose)
{
	long lost = 0, others = 0, wrong = 0;
	struct attempt whole = { .nth = -1 }, one = { .nth = 0 };
	int open = descriptors();

	/* twice, because tables of other libraries are made once and stay */
	try(&whole, call, p);
	try(&whole, call, p);
	for (;; one.nth++) {
		try(&one, call, p);
		if (!one.failed)
			break;
		lost += one.lost > whole.lost;
		others += one.status != FLAMEPIPE_NO_MEMORY;
		wrong += one.status != FLAMEPIPE_NO_MEMORY && one.sum != whole.sum;
	}
	printf("%s: %ld allocations, status %d; %ld calls did without, of which %ld "
	       "are wrong; %ld lost memory\n",
	       name, one.nth, whole.status, others, wrong, lost);
	return whole.status < 0 || whole.lost || wrong || (lost && !may_lose) ||
	       descriptors() != open;
}

/* Checks that many small merges do not pile up in ever more blocks. */
static int merge_many(const struct flamepipe_profile *from)
{
	struct flamepipe_profile *p = flamepipe_new();
	long before = live, most = 0;

	for (int i = 0; i < 40000; i++) {
		if (!p || flamepipe_merge(p, from))
			exit(1);
		most = live - before > most ? live - before : most;
	}
	flamepipe_free(p);
	printf("many: %ld blocks\n", most);
	return most > 20000;
}

/* The arguments are formats and files; a format of XML starts with '~'. */
int main(int argc, char **argv)
{
	struct flamepipe_profile *p = flamepipe_new();
	int failures = 0;

	for (int i = 0; i < 9; i++)
		if (try_add(p))
			return 1;
	failures += try_all("add", try_add, p, 0) + merge_many(p);
	for (int i = 1; i + 1 < argc; i += 2) {
		int is_xml = argv[i][0] == '~';

		format = argv[i] + is_xml;
		file = argv[i + 1];
		failures += try_all(argv[i], try_read, p, is_xml);
	}
	failures += try_all("filter", try_filter, p, 0);
	failures += try_all("merge", try_merge, p, 0);
	failures += try_all("svg", try_svg, p, 0);
	failures += try_all("pprof", try_pprof, p, 0);
	failures += try_all("json", try_json, p, 0);
	failures += try_all("diff", try_diff, p, 0);
	if (try_diff(p))
		return 1;
	failures += try_all("movers", try_movers, p, 0);
	flamepipe_free(p);
	return failures;
}
