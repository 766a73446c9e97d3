/*
 * The viewer's files, which tools/embed puts into the program at build time.
 *
 * FILE.EXT of flamegraph/assets/ is fg_asset_FILE_EXT: its bytes as they are, then a
 * NUL that the length does not count. The hash, "sha256-...", is how a content security
 * policy (https://www.w3.org/TR/CSP3/) allows it. A new file needs a row here and
 * nothing else.
 */
#ifndef FG_FLAMEGRAPH_ASSETS_H
#define FG_FLAMEGRAPH_ASSETS_H

#include <stddef.h>

/* The bytes before an embedded file in its element. The hash covers both. */
#define FG_ASSET_LEAD "\n"

#define FG_ASSET(name)                             \
	extern const char fg_asset_##name[];       \
	extern const size_t fg_asset_##name##_len; \
	extern const char fg_asset_##name##_hash[]

FG_ASSET(viewer_js);
FG_ASSET(small_js);
FG_ASSET(profiles_js);
FG_ASSET(heat_js);
FG_ASSET(viewer_css);
FG_ASSET(small_css);
FG_ASSET(theme_css);

#endif
