/*
 * Opens files for a process that has another view of the file system than this one,
 * because it is in a container or has called chroot(2). We go through /proc/PID/root
 * while the process lives.
 *
 * A confined process may not look into others (lib/base/confine.h). So a helper, which
 * reads no input, opens the files and sends their descriptors.
 */
#ifndef FG_COLLAPSE_SYMBOLS_ELSEWHERE_H
#define FG_COLLAPSE_SYMBOLS_ELSEWHERE_H

#include <stdint.h>

#include "collapse/symbols/trusted.h"

/*
 * Starts the helper, before the process is confined. Returns a descriptor for talking
 * to it, or 0 if it cannot be started. When the descriptor is closed, the helper calls
 * `end`. The caller passes _exit(2): libflamepipe never ends a process and must not
 * refer to that function.
 */
int fg_elsewhere_start(void (*end)(int status));

/*
 * Opens a file for reading as the process `pid` sees it, if it sees other files than
 * this process. If `path` is NULL, opens the perf-PID.map in the /tmp of `pid`, with
 * the PID that it has in its own namespace; it is enough if that PID differs. `helper`
 * is 0 if this process may open the file itself.
 *
 * Returns a descriptor, or -1 with errno set. errno is also ENOENT if the process sees
 * the same files or is gone. Opens only regular files and follows no link. With
 * FG_TRUST_OWN, the file may also belong to the user of `pid`.
 */
int fg_elsewhere_open(int helper, int32_t pid, const char *path, enum fg_trust trust);

#endif
