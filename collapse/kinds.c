/* What every input of formats.def is known by. */
#include "collapse/format.h"

#define FORMAT(name, older) &fg_kind_##name,
const struct fg_kind *const fg_kinds[] = {
#include "collapse/formats/formats.def"
	NULL,
};
