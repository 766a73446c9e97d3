/*
 * libflamepipe: reads profiles into memory, filters, compares and draws them, like the
 * programs of flamepipe do. See libflamepipe(3).
 *
 *     struct flamepipe_profile *p = flamepipe_new();
 *
 *     if (!flamepipe_read(p, "perf.data", NULL, NULL))
 *             flamepipe_write_svg(p, NULL, write, file);
 *     flamepipe_free(p);
 *
 * A function that can fail returns an enum flamepipe_status, less than 0 for errors,
 * and passes a message to the callback of the profile. After an error, the profile is
 * as it was before the call. The library never ends the process, writes to no standard
 * stream, and has no state besides the profiles. Use a profile in one thread at a time.
 *
 * `options` are the arguments that you would give to the program that does the same,
 * with a NULL at the end: { "--focus", "malloc|free", NULL }. NULL means no options.
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
	/* The report was written, and a limit of its gate is exceeded. */
	FLAMEPIPE_EXCEEDED = 1,
	/* The report was written, and there are too few samples for --min-power. */
	FLAMEPIPE_UNSURE = 2,
	FLAMEPIPE_FAILED = -1, /* the input cannot be read or is not a profile */
	FLAMEPIPE_INVALID = -2, /* an option or an argument is wrong */
	FLAMEPIPE_NO_MEMORY = -3, /* memory ran out; there is no message */
	FLAMEPIPE_STOPPED = -4 /* the write callback returned another number than 0 */
};

enum flamepipe_level {
	FLAMEPIPE_ERROR, /* the reason why the call fails */
	FLAMEPIPE_WARNING, /* for example, lines that were ignored */
	FLAMEPIPE_NOTE /* only with the option --verbose */
};

/*
 * Receives a message, one line without its end. It must return (no exception, no
 * longjmp) and must not use the profile.
 */
typedef void flamepipe_message(void *data, enum flamepipe_level level,
			       const char *text);

/*
 * Receives output, in one piece or several. Return 0 to go on, another number to stop.
 */
typedef int flamepipe_write(void *data, const void *bytes, size_t size);

struct flamepipe_profile;

/* Returns the version of the library, like "1.0.0". */
FLAMEPIPE_API const char *flamepipe_version(void);

/*
 * Returns the name of the format number `index`, from 0 on, or NULL after the last one.
 */
FLAMEPIPE_API const char *flamepipe_format(size_t index);

/*
 * Makes an empty profile, to be freed by flamepipe_free(). Returns NULL if memory runs
 * out.
 */
FLAMEPIPE_API struct flamepipe_profile *flamepipe_new(void);
FLAMEPIPE_API void flamepipe_free(struct flamepipe_profile *p);

/* Sets the callback for messages about this profile. Without one, they are lost. */
FLAMEPIPE_API void flamepipe_on_message(struct flamepipe_profile *p,
					flamepipe_message *message, void *data);

/* ---- stacks in */

/*
 * Adds a stack and its count. frames[0] is the root. A ';' in a name becomes ':', and
 * control characters are made visible.
 */
FLAMEPIPE_API int flamepipe_add(struct flamepipe_profile *p, const char *const *frames,
				size_t depth, uint64_t count);

/*
 * Describes the counts of the stacks that flamepipe_add() adds from now on, like a
 * header line of folded(5). The key is "event", "unit", "sample-weight" or "command". A
 * ';' in the value becomes ':'.
 */
FLAMEPIPE_API int flamepipe_describe(struct flamepipe_profile *p, const char *key,
				     const char *value);

/*
 * Adds the stacks of a file. `format` is a name that flamepipe_format() returns, or
 * NULL to guess the format. The options are those of the format's collapser, or of
 * filter-folded for "folded", which also reads our SVG pictures.
 */
FLAMEPIPE_API int flamepipe_read(struct flamepipe_profile *p, const char *path,
				 const char *format, const char *const *options);

/* Bytes in memory for flamepipe_read_memory(), which reads them like a file. */
struct flamepipe_bytes {
	const void *bytes;
	size_t size;
	const char *name; /* for messages; or NULL */
};

FLAMEPIPE_API int flamepipe_read_memory(struct flamepipe_profile *p,
					const struct flamepipe_bytes *input,
					const char *format, const char *const *options);

/* Adds all stacks of another profile, or those of the same one again. */
FLAMEPIPE_API int flamepipe_merge(struct flamepipe_profile *p,
				  const struct flamepipe_profile *from);

/* ---- profiles from profiles */

/* Filters the profile by the options of filter-folded. */
FLAMEPIPE_API int flamepipe_filter(struct flamepipe_profile *p,
				   const char *const *options);

/*
 * Turns `after` into a differential profile, with both counts of each stack. `before`
 * stays as it is. The options are those of diff-folded.
 */
FLAMEPIPE_API int flamepipe_diff(struct flamepipe_profile *after,
				 const struct flamepipe_profile *before,
				 const char *const *options);

/* ---- out */

/* Writes sorted folded stacks. */
FLAMEPIPE_API int flamepipe_write_folded(struct flamepipe_profile *p,
					 flamepipe_write *write, void *data);

/* Writes a flame graph. The options are those of flamegraph. */
FLAMEPIPE_API int flamepipe_write_svg(struct flamepipe_profile *p,
				      const char *const *options,
				      flamepipe_write *write, void *data);

/*
 * Writes a report: a table or a tree or, with --format json, pprof and others, data for
 * other programs. The options are those of report-folded.
 */
FLAMEPIPE_API int flamepipe_write_report(struct flamepipe_profile *p,
					 const char *const *options,
					 flamepipe_write *write, void *data);

#ifdef __cplusplus
}
#endif

#endif
