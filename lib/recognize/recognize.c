/* The table of all formats that collapsers read. */
#include "lib/recognize/recognize.h"

#define FORMAT(name, older) &fg_kind_##name,
const struct fg_kind *const fg_kinds[] = {
#include "lib/recognize/formats.def"
	NULL,
};
