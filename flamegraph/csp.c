/* Hashes of the viewer and the styles, as policies have them. */
#include "flamegraph/csp.h"

#include "flamegraph/assets.h"
#include "lib/base64.h"
#include "lib/sha256.h"

static void add_source(struct fg_out *out, struct fg_str file)
{
	struct fg_sha256 s;
	unsigned char hash[FG_SHA256_LEN];

	fg_sha256_init(&s);
	fg_sha256_add(&s, FG_STR(FG_CSP_LEAD));
	fg_sha256_add(&s, file);
	fg_sha256_end(&s, hash);
	fg_out_add_str(out, FG_STR(" 'sha256-"));
	fg_base64_write(out, fg_str_of((const char *)hash, sizeof(hash)));
	fg_out_add_char(out, '\'');
}

void fg_csp_write(struct fg_out *out)
{
	fg_out_add_str(out, FG_STR("script-src"));
	add_source(out, fg_str_of(fg_asset_viewer_js, fg_asset_viewer_js_len));
	fg_out_add_str(out, FG_STR("; style-src"));
	add_source(out, fg_str_of(fg_asset_theme_css, fg_asset_theme_css_len));
	add_source(out, fg_str_of(fg_asset_viewer_css, fg_asset_viewer_css_len));
	fg_out_add_char(out, '\n');
}
