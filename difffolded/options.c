/* The command line of diff-folded. */
#include "difffolded/options.h"

#include "lib/base/optrows.h"

#define OPTIONS struct fg_diff_line

const struct fg_opt fg_diff_rows[] = {
	SECTION("Profiles"),
	WORDS("before", before, "FILE...",
	      "the profiles before, of which the mean is taken"),
	WORDS("after", after, "FILE...", "those after"),

	SECTION("Counts and names"),
	FLAG("normalize", normalize, "scale the counts before to the total after",
	     .letter = 'n'),
	FLAG("strip-hex", strip_hex, "replace addresses such as 0x1f2e by 0x...",
	     .letter = 's'),
	UINT("ignore-root", ignore_root,
	     "leave out the first N frames, as the comm is"),
	TEXT("root", root, "NAME", "a root frame for all, in the place of those"),
	CHOICE("compat", compat, "WITH", fg_compat_names,
	       "none (default), perl or inferno: as difffolded.pl or "
	       "inferno-diff-folded"),
	SECTION("Messages"),
	VERBOSITY(verbosity, "show lines that are ignored"),
	FG_OPT_END,
};

struct fg_diff_options fg_diff_options_of(const struct fg_diff_line *line)
{
	return (struct fg_diff_options){
		.normalize = line->normalize,
		.strip_hex = line->strip_hex,
		.ignore_root = line->ignore_root,
		.root = line->root,
		.compat = (enum fg_compat)line->compat,
	};
}
