/* libxml2 beside whoever else in the process uses it: all is left as it was. */
#include "lib/base/xmlstart.h"

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <stdlib.h>

#include "lib/base/xalloc.h"

/* What this thread's messages of libxml2 go to, while they go nowhere. */
struct before {
	xmlGenericErrorFunc function;
	void *context;
};

static void say_nothing(void *context, const char *format, ...)
{
	(void)context;
	(void)format;
}

static void restore(void *data)
{
	const struct before *before = data;

	xmlSetGenericErrorFunc(before->context, before->function);
}

/* Where it has no memory it says so by itself, on standard error. */
void fg_xml_start(void)
{
	struct before *before = fg_xcalloc(1, sizeof(*before));

	xmlInitParser();
	before->function = xmlGenericError;
	before->context = xmlGenericErrorContext;
	xmlSetGenericErrorFunc(before, say_nothing);
	fg_hold(restore, before);
}

void fg_xml_stop(void)
{
	struct before *before = xmlGenericErrorContext;

	fg_let_go(before);
	restore(before);
	free(before);
}
