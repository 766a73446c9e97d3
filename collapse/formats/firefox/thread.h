/* Reading threads, and the tables that they have or share. */
#ifndef FG_COLLAPSE_FORMATS_FIREFOX_THREAD_H
#define FG_COLLAPSE_FORMATS_FIREFOX_THREAD_H

#include "collapse/formats/firefox/profile.h"

/* A table with its columns named. */
void firefox_tables_init(struct firefox_tables *t);
void firefox_tables_release(struct firefox_tables *t);

/* A member of a thread, or of "shared", that is a table: whether it is. */
bool firefox_read_tables(const struct firefox *f, struct fg_json *j,
			 struct firefox_tables *t);

/* A value of the JSON: a list, or a string that holds one. */
void firefox_read_libs(struct firefox *f, struct fg_json *j, struct firefox_libs *libs);

/* Behind the '{' of a thread, to its '}'. */
void firefox_read_thread(struct firefox *f, struct fg_json *j,
			 struct firefox_thread *t);
void firefox_thread_release(struct firefox_thread *t);

#endif
