/* Reads the output of jfr print --json. */
#ifndef FG_JFR_JSON_H
#define FG_JFR_JSON_H

#include "collapse/formats/jfr/state.h"

/* Reads an input that jfr_is_json() recognises. Returns 0, or -1 after reporting. */
int jfr_json_read(struct jfr *j, struct fg_reader *reader,
		  const struct fg_block *start);

#endif
