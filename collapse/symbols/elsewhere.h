/*
 * Files of a process that sees other files than this one: it is in a container, or has
 * called chroot(2). They are opened through /proc/PID/root while the process lives.
 *
 * A confined process may not look into others (lib/base/confine.h). A helper, which
 * reads no input, opens the files and sends their descriptors.
 */
#ifndef FG_COLLAPSE_SYMBOLS_ELSEWHERE_H
#define FG_COLLAPSE_SYMBOLS_ELSEWHERE_H

#include <stdint.h>

#include "collapse/symbols/trusted.h"

/*
 * Starts the helper, before the process is confined. Returns the descriptor to ask it
 * by, or 0 if there is none. When that is closed, the helper calls `end`, which is
 * _exit(2): libflamepipe ends no process and has no reference to it.
 */
int fg_elsewhere_start(void (*end)(int status));

/*
 * Opens a file as the process `pid` sees it, for reading, if it sees other files than
 * this one. With `path` NULL it is the process's perf-PID.map, in /tmp there, with its
 * PID there; also if only that is another one. `helper` is 0 if this process may open
 * it itself.
 *
 * Returns a descriptor, or -1 with errno: ENOENT also if the process sees the same
 * files, or is gone. Only regular files are opened, and no link is followed. With
 * FG_TRUST_OWN the owner may also be that of the process.
 */
int fg_elsewhere_open(int helper, int32_t pid, const char *path, enum fg_trust trust);

#endif
