/* Lists all formats, for programs that have every grammar. */
#include "collapse/format.h"

#define FORMAT(name, older) &fg_format_##name,
const struct fg_format *const fg_formats[] = {
#include "lib/recognize/formats.def"
	NULL,
};
