/*
 * Reading what addr2line says of an address that it was asked for twice, and then for
 * another one, which ends the answer.
 */
#ifndef FG_COLLAPSE_SYMBOLS_ANSWER_H
#define FG_COLLAPSE_SYMBOLS_ANSWER_H

#include "lib/base/child.h"
#include "lib/base/arena.h"

/* The address to ask for last: no code is there, in no DSO. */
#define FG_ANSWER_SENTINEL UINT64_MAX

/* A zeroed struct is an answer that has not been read; lines is to be released. */
struct fg_answer {
	bool context; /* wanted: files and lines behind the names */
	bool guesses; /* the tool names the nearest symbol, however far away */
	struct fg_buf lines; /* NAME or NAME:FILE:LINE, ';' between, leaf first */
	bool unplaced; /* no code is known at that address */
};

/* READ_LINE where it was read; READ_END also where it is none. */
enum fg_reading fg_answer_read(struct fg_answer *a, struct fg_child *c,
			       uint64_t address);

/* What was read, root first; empty where it says nothing. */
struct fg_str fg_answer_names(const struct fg_answer *a, struct fg_arena *arena);

#endif
