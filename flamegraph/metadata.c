/* Writes everything that travels in a picture without being seen. */
#include "flamegraph/metadata.h"

#include <stdlib.h>

#include "flamegraph/data.h"
#include "flamegraph/heatdata.h"
#include "flamegraph/rootattr.h"
#include "lib/svg/xml.h"
#include "lib/base/xalloc.h"

static void write_template(const struct fg_nameattr *attr, struct fg_out *out)
{
	struct fg_str tag = attr->is_link ? FG_STR("a") : FG_STR("g");

	fg_out_add_char(out, '<');
	fg_out_add_str(out, tag);
	fg_xml_attr(out, "fg:n", attr->function);
	fg_out_add_str(out, attr->attributes);
	fg_out_add_char(out, '>');
	if (attr->has_title) {
		fg_out_add_str(out, FG_STR("<title>"));
		fg_out_add_str(out, attr->title);
		fg_out_add_str(out, FG_STR("</title>"));
	}
	fg_out_add_str(out, FG_STR("</"));
	fg_out_add_str(out, tag);
	fg_out_add_str(out, FG_STR(">\n"));
}

/* Writes the attributes of frames that the viewer draws when it zooms. */
static void write_templates(const struct fg_graph *g, struct fg_out *out)
{
	const struct fg_tree *t = &g->tree;
	bool *used;

	if (!g->attributes->count)
		return;
	used = fg_xcalloc(t->names.count, sizeof(*used));
	for (size_t i = 1; i < t->count; i++)
		used[t->nodes[i].name] = true;
	for (size_t id = 0; id < t->names.count; id++)
		if (used[id] && fg_names_attr(&g->names, (uint32_t)id))
			write_template(fg_names_attr(&g->names, (uint32_t)id), out);
	free(used);
}

static void write_data(const struct fg_graph *g, struct fg_out *out)
{
	fg_data_write(&g->data, g, out);
	fg_heatdata_write(&g->slices, out);
}

static void write_others(const struct fg_graph *first, struct fg_out *out)
{
	for (size_t i = 0; i < first->profile.other_count; i++) {
		struct fg_graph *g = &first->profile.others[i];

		fg_out_add_str(out, FG_STR("<fg:profile"));
		fg_rootattr_write_profile(g, out);
		fg_out_add_char(out, '>');
		write_data(g, out);
		fg_out_add_str(out, FG_STR("</fg:profile>\n"));
	}
}

void fg_metadata_write(const struct fg_graph *g, struct fg_out *out)
{
	if (!g->data.bytes.len)
		return;
	fg_out_add_str(out, FG_STR("<metadata>"));
	write_data(g, out);
	write_others(g, out);
	write_templates(g, out);
	fg_out_add_str(out, FG_STR("</metadata>\n"));
}
