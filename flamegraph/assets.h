/*
 * The viewer's files, which tools/embed puts into the program at build time.
 *
 * The file flamegraph/assets/FILE.EXT becomes fg_asset_FILE_EXT: its bytes unchanged,
 * then a NUL that is not part of the length. A content security policy
 * (https://www.w3.org/TR/CSP3/) can allow the file by its hash, "sha256-...". A new
 * file needs a row here and nothing else.
 */
#ifndef FG_FLAMEGRAPH_ASSETS_H
#define FG_FLAMEGRAPH_ASSETS_H

#include <stddef.h>

/*
 * This string is written before an embedded file in its element. The hash covers both.
 */
#define FG_ASSET_LEAD "\n"

#define FG_ASSET(name)                             \
	extern const char fg_asset_##name[];       \
	extern const size_t fg_asset_##name##_len; \
	extern const char fg_asset_##name##_hash[]

FG_ASSET(viewer_js);
FG_ASSET(small_js);
FG_ASSET(profiles_js);
FG_ASSET(heat_js);
FG_ASSET(chart_js);
FG_ASSET(viewer_css);
FG_ASSET(small_css);
FG_ASSET(theme_css);
FG_ASSET(dark_css);

#endif
