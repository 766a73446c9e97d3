/*
 * The constants of a chunk: values by class and key, which events and other constants
 * refer to. They are kept as they came, and read when they are asked for.
 */
#ifndef FG_JFR_CONSTANTS_H
#define FG_JFR_CONSTANTS_H

#include "collapse/formats/jfr/metadata.h"

struct jfr_constants {
	struct fg_buf bytes;
	struct fg_map index; /* of class and key: where in `bytes` */
	uint64_t inlined; /* values that are no constants, and were kept as such */
	bool fixed; /* as of struct jfr_bytes */
	bool damaged; /* some could not be read */
};

/* A field of some value, and where that is. */
struct jfr_member {
	const struct jfr_field *field; /* NULL where there is none */
	struct jfr_bytes at;
};

/* A zeroed struct is empty. */
void jfr_constants_release(struct jfr_constants *c);
void jfr_constants_clear(struct jfr_constants *c);

/*
 * Adds those of a checkpoint event, of which `b` is what follows size and type. Returns
 * -1 where some are of classes that are not known.
 */
int jfr_constants_add(struct jfr_constants *c, const struct jfr_metadata *m,
		      const struct jfr_bytes *b);

/* Keeps a value of a field that is in the event itself: its key. */
uint64_t jfr_constants_keep(struct jfr_constants *c, const struct jfr_field *f,
			    struct jfr_bytes *b);

/* Where the constant is; false where there is none. */
bool jfr_constants_find(const struct jfr_constants *c, uint64_t class_id, uint64_t key,
			struct jfr_bytes *at);

/* The members of a value by what they are. */
void jfr_members(const struct jfr_class *c, struct jfr_bytes at,
		 struct jfr_member members[JFR_ROLES]);

/*
 * Adds the text that a member stands for, or the constant of a field with that key: a
 * string, or the name in a value. False, and nothing is added, where there is none.
 */
bool jfr_text(const struct jfr_constants *c, const struct jfr_member *member,
	      struct fg_buf *text);
bool jfr_constant_text(const struct jfr_constants *c, const struct jfr_field *f,
		       uint64_t key, struct fg_buf *text);

#endif
