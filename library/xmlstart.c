/*
 * Starts libxml2 in a process that may use it for other things, too: leaves all its
 * settings as they were.
 */
#include "lib/base/xmlstart.h"

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <stdlib.h>

#include "lib/base/xalloc.h"

/* The receiver of libxml2's messages in this thread, before we silenced them. */
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

/* Silences libxml2, which reports a lack of memory on standard error by itself. */
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
