/*
 * libxml2's memory, for the files that use it.
 *
 * Left alone, libxml2 takes a failed allocation for damage or passes over it, so that
 * parts of an input would be lost in silence. Here it ends the process as all others
 * do, see lib/base/xalloc.h.
 */
#ifndef FG_LIB_BASE_XMLSTART_H
#define FG_LIB_BASE_XMLSTART_H

/* Before a parser is made, and after it was freed; no two parsers at a time. */
void fg_xml_start(void);
void fg_xml_stop(void);

#endif
