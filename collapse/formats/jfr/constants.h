/*
 * The constants of a chunk. Events and other constants refer to them by class and key:
 * the method of a frame is the key of a constant of the class jdk.types.Method.
 *
 * We keep the bytes of the constants, and decode one only if it is needed.
 */
#ifndef FG_JFR_CONSTANTS_H
#define FG_JFR_CONSTANTS_H

#include "collapse/formats/jfr/metadata.h"

struct jfr_constants {
	struct fg_buf bytes;
	struct fg_map index; /* offset in `bytes`, by class and key */
	uint64_t inlined; /* number of values from jfr_constants_keep() */
	bool fixed; /* numbers have the width of their type, see struct jfr_bytes */
	bool damaged; /* some constants could not be read */
};

/* One field of a value; `at` is where its bytes start. */
struct jfr_member {
	const struct jfr_field *field; /* NULL if the value has no such field */
	struct jfr_bytes at;
};

/* Frees the memory. A zeroed struct is empty. */
void jfr_constants_release(struct jfr_constants *c);

/* Drops all constants but keeps the memory. */
void jfr_constants_clear(struct jfr_constants *c);

/*
 * Adds the constants of a checkpoint event; `b` starts after its size and type. Returns
 * -1 if it has constants of unknown classes.
 */
int jfr_constants_add(struct jfr_constants *c, const struct jfr_metadata *m,
		      const struct jfr_bytes *b);

/*
 * Keeps a value that an event holds itself, without a constant. Returns a key with
 * which it is found like a constant.
 */
uint64_t jfr_constants_keep(struct jfr_constants *c, const struct jfr_field *f,
			    struct jfr_bytes *b);

/* Finds the bytes of a constant. Returns false if it does not exist. */
bool jfr_constants_find(const struct jfr_constants *c, uint64_t class_id, uint64_t key,
			struct jfr_bytes *at);

/*
 * Finds the fields of a value by their roles. Only checks fields that start within its
 * first `within` bytes. Returns the number of bytes that it walked over.
 */
size_t jfr_members(const struct jfr_class *c, struct jfr_bytes at, size_t within,
		   struct jfr_member members[JFR_ROLES]);

/*
 * The argument `within` for shared values, such as a method that any number of frames
 * may have. Real ones have only a few bytes.
 */
#define JFR_SHARED_MAX 1024

/*
 * Appends the text of a member: the string itself, or the name in a value. Returns
 * false, and appends nothing, if there is no text.
 */
bool jfr_text(const struct jfr_constants *c, const struct jfr_member *member,
	      struct fg_buf *text);

/* Like jfr_text(), for the constant that a field with the value `key` refers to. */
bool jfr_constant_text(const struct jfr_constants *c, const struct jfr_field *f,
		       uint64_t key, struct fg_buf *text);

/*
 * Returns the address at which the text of a member starts, or NULL if it has no text.
 * Members that share a text have the same address.
 */
const char *jfr_text_at(const struct jfr_constants *c, const struct jfr_member *member);

#endif
