/*
 * Conditions of cargo's configuration files, like
 * cfg(all(unix, not(target_env = "musl"))).
 */
#ifndef FG_FLAME_CARGO_CFG_H
#define FG_FLAME_CARGO_CFG_H

#include "lib/base/str.h"

/*
 * Returns true if the condition holds for the target that `facts` describe: lines like
 * `unix` and `target_os="linux"`, as `rustc --print cfg` prints them. A malformed
 * condition does not hold, nor does text that is no condition.
 */
bool fg_cfg_holds(struct fg_str condition, struct fg_str facts);

#endif
