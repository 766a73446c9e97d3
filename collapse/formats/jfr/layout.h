/* Works out how long the values of each class are, and skips values. */
#ifndef FG_JFR_LAYOUT_H
#define FG_JFR_LAYOUT_H

#include "collapse/formats/jfr/metadata.h"

/*
 * Sets those members of each class that depend on other classes. Call it once the
 * metadata has been read.
 */
void jfr_layout_work_out(struct jfr_metadata *m);

/* Skips a value of a class. */
void jfr_skip_value(const struct jfr_class *c, struct jfr_bytes *b);

/* Skips the value of a field, which may be a key or an array. */
void jfr_skip_field(const struct jfr_field *f, struct jfr_bytes *b);

/* Returns the size in bytes of a number of this kind. */
unsigned jfr_width(enum jfr_kind kind);

#endif
