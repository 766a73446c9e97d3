/*
 * Opens files of a process that sees other files than this one, because it is in a
 * container or has called chroot(2). We go through /proc/PID/root while the process
 * lives.
 *
 * A confined process may not look into others (lib/base/confine.h). So a helper, which
 * reads no input, opens the files and sends their descriptors.
 */
#ifndef FG_COLLAPSE_SYMBOLS_ELSEWHERE_H
#define FG_COLLAPSE_SYMBOLS_ELSEWHERE_H

#include <stdint.h>

#include "collapse/symbols/trusted.h"

/*
 * Starts the helper, before the process is confined. Returns the descriptor to ask it
 * by, or 0 if there is none. When that is closed, the helper calls `end`, which is
 * _exit(2): libflamepipe ends no process and must not refer to it.
 */
int fg_elsewhere_start(void (*end)(int status));

/*
 * Opens a file for reading as the process `pid` sees it, if it sees other files than
 * this one. If `path` is NULL, opens the process's perf-PID.map, in its /tmp and with
 * the PID it has there, even if only that PID differs. `helper` is 0 if this process
 * may open it itself.
 *
 * Returns a descriptor, or -1 with errno, which is ENOENT also if the process sees the
 * same files, or is gone. Opens only regular files and follows no link. With
 * FG_TRUST_OWN the file may also belong to the process's user.
 */
int fg_elsewhere_open(int helper, int32_t pid, const char *path, enum fg_trust trust);

#endif
