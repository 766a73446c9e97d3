/*
 * The viewer's files, embedded at build time by tools/embed.
 *
 * FILE.EXT of flamegraph/assets/ is fg_asset_FILE_EXT: its bytes as they are, then one
 * NUL which the length leaves out. The hash, "sha256-...", is what a content security
 * policy (https://www.w3.org/TR/CSP3/) allows them by. A new file needs its row here,
 * nothing else.
 */
#ifndef FG_FLAMEGRAPH_ASSETS_H
#define FG_FLAMEGRAPH_ASSETS_H

#include <stddef.h>

/* What comes before an embedded file in its element; the hash is of both. */
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
