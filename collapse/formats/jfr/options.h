/* The options of collapse-jfr. */
#ifndef FG_JFR_OPTIONS_H
#define FG_JFR_OPTIONS_H

#include "lib/base/opts.h"

struct jfr_options {
	struct fg_opt_list event;
};

#endif
