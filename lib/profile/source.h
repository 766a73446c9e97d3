/*
 * Finds and reads the source files that a profile names, below folders that the user
 * names.
 *
 * The paths come from the profile, which may be hostile. So no path leaves the folder:
 * we follow no "..", and no link at any place. We open only regular files, and none
 * that the kernel generates, such as those in /proc.
 *
 * A path "/build/app/src/main.c" is looked for as build/app/src/main.c, then as
 * app/src/main.c, and so on up to main.c, below each folder.
 */
#ifndef FG_LIB_PROFILE_SOURCE_H
#define FG_LIB_PROFILE_SOURCE_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"
#include "lib/base/intern.h"

/* A larger file is not read. */
#define FG_SOURCE_MAX ((size_t)16 << 20)

/* At most this many names are tried for a path, and the longest ones first. */
#define FG_SOURCE_TRIES 64

/* At most this many missing files get a message of their own. */
#define FG_SOURCE_MESSAGES 10

/* A zeroed struct has no folders. */
struct fg_sources {
	struct fg_diag *diag;
	const char *const *folders; /* as the user named them; borrowed */
	int *fds; /* their descriptors */
	size_t count;

	struct fg_intern missing; /* paths that were not found */

	/* The file that was read last. */
	struct fg_buf path; /* as the profile names it */
	struct fg_buf found; /* its folder and name */
	struct fg_buf text;
	size_t *ends; /* indexed by line - 1: offset of its end in the text */
	size_t lines, ends_alloc;
};

/*
 * Opens the folders. `folders` is an array of `count` names; 0 stands for the current
 * folder. Returns 0, or -1 after reporting. Release `s` in either case.
 */
int fg_sources_open(struct fg_sources *s, const char *const *folders, size_t count,
		    struct fg_diag *diag);
void fg_sources_release(struct fg_sources *s);

/*
 * Reads the file that the profile names `path`. It is kept until the next call. Returns
 * false if it cannot be read. Warns of each such file once, with the names that were
 * tried.
 */
bool fg_sources_read(struct fg_sources *s, struct fg_str path);

/* Forgets the file that was read last. */
void fg_sources_forget(struct fg_sources *s);

/* Warns of missing files that had no message of their own, because there were many. */
void fg_sources_end(const struct fg_sources *s);

/*
 * Returns a line of the file that was read last, without its line feed. Empty beyond
 * the end of the file.
 */
struct fg_str fg_sources_line(const struct fg_sources *s, uint32_t number);

#endif
