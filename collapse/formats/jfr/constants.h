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
	uint64_t inlined; /* values stored in events, which are kept like constants */
	bool fixed; /* as of struct jfr_bytes */
	bool damaged; /* some could not be read */
};

/* A field of a value, and where its bytes start. */
struct jfr_member {
	const struct jfr_field *field; /* NULL if the value has no such field */
	struct jfr_bytes at;
};

/* A zeroed struct is empty. */
void jfr_constants_release(struct jfr_constants *c);
void jfr_constants_clear(struct jfr_constants *c);

/*
 * Adds the constants of a checkpoint event; `b` is what follows its size and type.
 * Returns -1 if it has constants of unknown classes.
 */
int jfr_constants_add(struct jfr_constants *c, const struct jfr_metadata *m,
		      const struct jfr_bytes *b);

/* Keeps a value that the event itself holds like a constant; returns its key. */
uint64_t jfr_constants_keep(struct jfr_constants *c, const struct jfr_field *f,
			    struct jfr_bytes *b);

/* Finds a constant's bytes; false if there is none with this key. */
bool jfr_constants_find(const struct jfr_constants *c, uint64_t class_id, uint64_t key,
			struct jfr_bytes *at);

/*
 * Finds the fields of a value by their roles, of those that start within its first
 * `within` bytes. How many bytes were read for that.
 */
size_t jfr_members(const struct jfr_class *c, struct jfr_bytes at, size_t within,
		   struct jfr_member members[JFR_ROLES]);

/* The same where any number of values may refer to one: real ones have some bytes. */
#define JFR_SHARED_MAX 1024

/*
 * Appends the text of a member, or of the constant that `key` is for a field: a string,
 * or the name in a value. Returns false, and appends nothing, if there is none.
 */
bool jfr_text(const struct jfr_constants *c, const struct jfr_member *member,
	      struct fg_buf *text);
bool jfr_constant_text(const struct jfr_constants *c, const struct jfr_field *f,
		       uint64_t key, struct fg_buf *text);

/*
 * Where the text of a member starts, which is the same place for all that share it;
 * NULL if there is none.
 */
const char *jfr_text_at(const struct jfr_constants *c, const struct jfr_member *member);

#endif
