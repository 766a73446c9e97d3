/* Starts libxml2 with our memory functions, which do not fail. */
#include "lib/base/xmlstart.h"

#include <libxml/parser.h>
#include <libxml/xmlmemory.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

static void *resize(void *block, size_t size)
{
	return fg_xrealloc(block, size, 1);
}

static char *duplicate(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(fg_xmalloc(size), text, size);
}

void fg_xml_start(void)
{
	xmlMemSetup(free, fg_xmalloc, resize, duplicate);
	/* without this call, xmlCleanupParser() does not free all tables */
	xmlInitParser();
}

void fg_xml_stop(void)
{
	xmlCleanupParser();
}
