/*
 * Starts and stops libxml2 for the files that use it.
 *
 * By default, libxml2 treats a failed allocation like a damaged input or ignores it, so
 * that parts of an input get lost without a message. With our functions it ends the
 * process, see xalloc.h.
 */
#ifndef FG_LIB_BASE_XMLSTART_H
#define FG_LIB_BASE_XMLSTART_H

/*
 * Call fg_xml_start() before you make a parser, and fg_xml_stop() after you free it.
 * There may be only one parser at a time.
 */
void fg_xml_start(void);
void fg_xml_stop(void);

#endif
