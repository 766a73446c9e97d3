/* The command line of diff-folded. */
#include "difffolded/options.h"

#include "lib/base/optrows.h"

#define OPTIONS struct fg_diff_line

const struct fg_opt fg_diff_rows[] = {
	SECTION("Profiles"),
	WORDS("before", before, "FILE...",
	      "files of the first profile; of several, their mean is taken"),
	WORDS("after", after, "FILE...", "files of the second profile"),

	SECTION("Counts and names"),
	FLAG("normalize", normalize,
	     "scale the first profile, so that both have the same total",
	     .letter = 'n'),
	FLAG("strip-hex", strip_hex, "replace addresses such as 0x1f2e by 0x...",
	     .letter = 's'),
	TEXT("ignore-root", ignore_root, "N[,M]",
	     "leave out the first N frames of each stack, such as the comm; with M, "
	     "leave out M in the second profile"),
	TEXT("root", root, "NAME",
	     "add a root frame to all stacks, in place of those left out"),
	CHOICE("compat", compat, "WITH", fg_compat_names,
	       "none (default), perl or inferno: like difffolded.pl or "
	       "inferno-diff-folded"),
	SECTION("Messages"),
	VERBOSITY(verbosity, "show lines that are ignored"),
	FG_OPT_END,
};

/* Reads "2", or "1,0" if only the stacks before have a thread. */
static int read_depths(const char *text, uint64_t depths[2], struct fg_diag *diag)
{
	struct fg_str after = fg_str_from(text), before = fg_str_cut(&after, ',');

	if (!fg_str_has_char(fg_str_from(text), ','))
		after = before;
	if (fg_str_u64(before, &depths[FG_BEFORE]) ||
	    fg_str_u64(after, &depths[FG_AFTER]))
		return fg_error(diag, NULL,
				"--ignore-root takes a number, or two such as 1,0, "
				"not '%s'",
				text);
	return 0;
}

int fg_diff_options_read(const struct fg_diff_line *line,
			 struct fg_diff_options *options, struct fg_diag *diag)
{
	*options = (struct fg_diff_options){
		.normalize = line->normalize,
		.strip_hex = line->strip_hex,
		.root = line->root,
		.compat = (enum fg_compat)line->compat,
	};
	return line->ignore_root ?
		       read_depths(line->ignore_root, options->ignore_root, diag) :
		       0;
}
