/*
 * The functions of libxml2 that reading an SVG takes.
 *
 * Most runs read no SVG, and libxml2 may bring ICU and the C++ library with it: to load
 * them takes longer than to draw a small picture. So where the build knows the name of
 * the shared library (FG_XML2_SONAME), it is loaded when it is first needed; elsewhere,
 * as in a static build, it is linked. Types and behaviour are those of libxml2's API,
 * https://gnome.pages.gitlab.gnome.org/libxml2/html/.
 */
#ifndef FG_LIB_XML2_H
#define FG_LIB_XML2_H

#include <libxml/parser.h>

#define FG_XML2_FUNCTIONS(function)        \
	function(xmlInitParser);           \
	function(xmlCleanupParser);        \
	function(xmlCreatePushParserCtxt); \
	function(xmlCtxtUseOptions);       \
	function(xmlParseChunk);           \
	function(xmlCtxtGetLastError);     \
	function(xmlFreeDoc);              \
	function(xmlFreeParserCtxt)

/* Each has the name of the function that it points to. */
struct fg_xml2 {
#define FG_XML2_POINTER(name) __typeof__(name) *name
	FG_XML2_FUNCTIONS(FG_XML2_POINTER);
#undef FG_XML2_POINTER
};

/*
 * Fills in the functions: NULL, or why that is not possible, a text that is good until
 * the next call. The library stays loaded.
 */
const char *fg_xml2_load(struct fg_xml2 *xml);

#endif
