/* Writes the elements that hold a picture's data. */
#include "lib/svg/svgwrite.h"

#include "lib/base/base64.h"
#include "lib/svg/xml.h"

void fg_svgwrite_tree(struct fg_out *out, const struct fg_svgwrite_tree *tree)
{
	fg_out_add_str(out, FG_STR("<fg:data version=\"1\""));
	fg_xml_attr_u64(out, "frames", tree->frames);
	if (tree->cut)
		fg_xml_attr_u64(out, "min", tree->min);
	fg_out_add_char(out, '>');
	fg_base64_write(out, tree->deflated);
	fg_out_add_str(out, FG_STR("</fg:data>\n"));
}

void fg_svgwrite_slices(struct fg_out *out, struct fg_str deflated,
			struct fg_str totals)
{
	fg_out_add_str(out, FG_STR("<fg:slices version=\"1\""));
	if (totals.len) {
		fg_out_add_str(out, FG_STR(" totals=\""));
		fg_base64_write(out, totals);
		fg_out_add_char(out, '"');
	}
	fg_out_add_char(out, '>');
	fg_base64_write(out, deflated);
	fg_out_add_str(out, FG_STR("</fg:slices>\n"));
}
