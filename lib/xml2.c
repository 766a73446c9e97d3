/* libxml2, loaded when it is first needed. */
#include "lib/xml2.h"

#ifdef FG_XML2_SONAME

#include <dlfcn.h>
#include <string.h>

/* By POSIX an object's address can be a function's; C has no conversion for it. */
const char *fg_xml2_load(struct fg_xml2 *xml)
{
	void *library = dlopen(FG_XML2_SONAME, RTLD_LAZY | RTLD_LOCAL);
	void *found;

	if (!library)
		return dlerror();
#define LOOK_UP(name)                                      \
	do {                                               \
		found = dlsym(library, #name);             \
		if (!found)                                \
			return dlerror();                  \
		memcpy(&xml->name, &found, sizeof(found)); \
	} while (0)
	FG_XML2_FUNCTIONS(LOOK_UP);
#undef LOOK_UP
	return NULL;
}

#else

const char *fg_xml2_load(struct fg_xml2 *xml)
{
#define TAKE(name) xml->name = name
	FG_XML2_FUNCTIONS(TAKE);
#undef TAKE
	return NULL;
}

#endif
