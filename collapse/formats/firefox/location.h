/* Names of frames that come as a text or as an address. */
#ifndef FG_COLLAPSE_FORMATS_FIREFOX_LOCATION_H
#define FG_COLLAPSE_FORMATS_FIREFOX_LOCATION_H

#include "collapse/formats/firefox/profile.h"

/* The name of a frame that is a text, of raw profiles. */
uint32_t firefox_location(struct firefox *f, struct fg_str text,
			  struct firefox_libs *libs);

/*
 * The name of a frame of which only the address in a library is known: with --symbols
 * the function's, and in f->found those into which it was inlined, else the library's.
 */
uint32_t firefox_address(struct firefox *f, const struct firefox_lib *lib,
			 uint64_t address);

/* Whether a name is only an address, and which. */
bool firefox_is_address(struct fg_str name, uint64_t *address);

#endif
