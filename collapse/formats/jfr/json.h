/* Reads the output of jfr print --json. */
#ifndef FG_JFR_JSON_H
#define FG_JFR_JSON_H

#include "collapse/formats/jfr/run.h"

/* Reads an input. Returns 0, or -1 after reporting. */
int jfr_json_read(struct jfr *j, struct fg_reader *reader,
		  const struct fg_block *start);

#endif
