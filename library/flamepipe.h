/*
 * libflamepipe: profiles as folded stacks in memory, read from what profilers print,
 * filtered, compared, drawn. See libflamepipe(3).
 *
 * A function that can fail returns an enum flamepipe_status; what went wrong is told to
 * the profile's message callback. A profile that a call has failed on is as it was
 * before. Nothing here ends the process, writes to a standard stream or has a state but
 * that of the profiles. Each profile is for one thread at a time.
 *
 * `options` are words as on the command line of the program that does the same, with a
 * NULL at their end: { "--focus", "malloc|free", NULL }. NULL stands for none.
 */
#ifndef FLAMEPIPE_H
#define FLAMEPIPE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FLAMEPIPE_API __attribute__((visibility("default")))
#else
#define FLAMEPIPE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum flamepipe_status {
	FLAMEPIPE_OK = 0,
	FLAMEPIPE_EXCEEDED =
		1, /* a report was written: a limit of its gate is exceeded */
	FLAMEPIPE_UNSURE = 2, /* the same: there are too few samples for --min-power */
	FLAMEPIPE_FAILED = -1, /* input that cannot be read or is no profile */
	FLAMEPIPE_INVALID = -2, /* an option or an argument is wrong */
	FLAMEPIPE_NO_MEMORY = -3, /* without a message */
	FLAMEPIPE_STOPPED = -4 /* the write callback said so */
};

enum flamepipe_level {
	FLAMEPIPE_ERROR, /* the call fails */
	FLAMEPIPE_WARNING, /* as of lines that were ignored */
	FLAMEPIPE_NOTE /* asked for by --verbose */
};

/* Gets one line without its end. It must return, and not use the profile. */
typedef void flamepipe_message(void *data, enum flamepipe_level level,
			       const char *text);

/* Gets the bytes in one piece or several: 0 to go on. */
typedef int flamepipe_write(void *data, const void *bytes, size_t size);

struct flamepipe_profile;

/* The version of the library, "0.1.0". */
FLAMEPIPE_API const char *flamepipe_version(void);

/* The formats that can be read, from 0 on; NULL after the last. */
FLAMEPIPE_API const char *flamepipe_format(size_t index);

/* An empty profile, or NULL: no memory. It is freed by flamepipe_free. */
FLAMEPIPE_API struct flamepipe_profile *flamepipe_new(void);
FLAMEPIPE_API void flamepipe_free(struct flamepipe_profile *p);

/* Where messages about this profile go; NULL, as at first: nowhere. */
FLAMEPIPE_API void flamepipe_on_message(struct flamepipe_profile *p,
					flamepipe_message *message, void *data);

/* ---- stacks in */

/*
 * Adds a stack, `frames[0]` the root, and its count. A ';' in a name becomes ':',
 * a control character is made visible.
 */
FLAMEPIPE_API int flamepipe_add(struct flamepipe_profile *p, const char *const *frames,
				size_t depth, uint64_t count);

/*
 * Says of the stacks that flamepipe_add adds from then on what is counted, as a header
 * line of folded(5) does: the key is "event", "unit", "sample-weight" or "command". A
 * ';' in the value becomes ':'.
 */
FLAMEPIPE_API int flamepipe_describe(struct flamepipe_profile *p, const char *key,
				     const char *value);

/*
 * Adds what a file holds, in one of the formats; NULL: the one that it looks like. The
 * options are those of the format's collapser, or of filter-folded for "folded", which
 * reads pictures in SVG, too.
 */
FLAMEPIPE_API int flamepipe_read(struct flamepipe_profile *p, const char *path,
				 const char *format, const char *const *options);

/* The same of bytes in memory. */
struct flamepipe_bytes {
	const void *bytes;
	size_t size;
	const char *name; /* for messages; or NULL */
};

FLAMEPIPE_API int flamepipe_read_memory(struct flamepipe_profile *p,
					const struct flamepipe_bytes *input,
					const char *format, const char *const *options);

/* Adds all stacks of another profile, which may be the same. */
FLAMEPIPE_API int flamepipe_merge(struct flamepipe_profile *p,
				  const struct flamepipe_profile *from);

/* ---- profiles from profiles */

/* Leaves what the options of filter-folded leave. */
FLAMEPIPE_API int flamepipe_filter(struct flamepipe_profile *p,
				   const char *const *options);

/*
 * Makes `after` a differential profile, with both counts of each stack. The options are
 * those of diff-folded.
 */
FLAMEPIPE_API int flamepipe_diff(struct flamepipe_profile *after,
				 const struct flamepipe_profile *before,
				 const char *const *options);

/* ---- out */

/* Sorted folded stacks. */
FLAMEPIPE_API int flamepipe_write_folded(struct flamepipe_profile *p,
					 flamepipe_write *write, void *data);

/* A flame graph, by the options of flamegraph. */
FLAMEPIPE_API int flamepipe_write_svg(struct flamepipe_profile *p,
				      const char *const *options,
				      flamepipe_write *write, void *data);

/*
 * What report-folded writes: a table or a tree, or with --format json, pprof and others
 * what programs read.
 */
FLAMEPIPE_API int flamepipe_write_report(struct flamepipe_profile *p,
					 const char *const *options,
					 flamepipe_write *write, void *data);

#ifdef __cplusplus
}
#endif

#endif
