/*
 * The viewer's files, embedded at build time by tools/embed.
 *
 * FILE.EXT of flamegraph/assets/ is fg_asset_FILE_EXT: its bytes as they are, then one
 * NUL which the length leaves out. A new file needs its two lines here, nothing else.
 */
#ifndef FG_FLAMEGRAPH_ASSETS_H
#define FG_FLAMEGRAPH_ASSETS_H

#include <stddef.h>

extern const char fg_asset_viewer_js[];
extern const size_t fg_asset_viewer_js_len;

extern const char fg_asset_viewer_css[];
extern const size_t fg_asset_viewer_css_len;

extern const char fg_asset_theme_css[];
extern const size_t fg_asset_theme_css_len;

#endif
