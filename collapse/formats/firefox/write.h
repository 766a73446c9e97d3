/* The stacks of a thread, once all of it was read. */
#ifndef FG_COLLAPSE_FORMATS_FIREFOX_WRITE_H
#define FG_COLLAPSE_FORMATS_FIREFOX_WRITE_H

#include "collapse/formats/firefox/profile.h"

/* Adds the stacks of a thread to the sink; all that it refers to was read. */
void firefox_write_thread(struct firefox *f, struct firefox_profile *p,
			  struct firefox_thread *t);

#endif
