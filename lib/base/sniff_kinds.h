/*
 * What lib/base/sniff asks of the first bytes of a file: which program's binary data,
 * or which JSON they are; and what is said in the same words by sniff_text.c,
 * which recognises some of it by a line.
 */
#ifndef FG_LIB_BASE_SNIFF_KINDS_H
#define FG_LIB_BASE_SNIFF_KINDS_H

#include "lib/base/str.h"

#define FG_SNIFF_JSON "this is JSON: have the program that wrote it write folded stacks"
#define FG_SNIFF_JFR_PRINT                                  \
	"this is text that jfr print writes: collapse-jfr " \
	"reads the recording itself"
#define FG_SNIFF_PPROF_REPORT         \
	"this is a report of pprof: " \
	"go tool pprof -raw PROFILE | collapse-go folds the profile"
#define FG_SNIFF_SIMPLEPERF \
	"this is a report of simpleperf: collapse-perf reads its perf.data"

/*
 * A sentence as that of fg_sniff; NULL where these are no binary data. Text in which
 * some bytes are not is text.
 */
const char *fg_sniff_binary(struct fg_str first_bytes);

/* Whether first bytes are of a message of Protocol Buffers that profiles are. */
enum fg_sniffed { FG_SNIFFED_NO, FG_SNIFFED_MAYBE, FG_SNIFFED_YES };

enum fg_sniffed fg_sniff_pprof(struct fg_str first_bytes);
enum fg_sniffed fg_sniff_otlp(struct fg_str first_bytes);

/* Whether it is the latter with its length before it, 4 bytes, the highest first. */
bool fg_sniff_otlp_framed(struct fg_str first_bytes);

/* The same of text that would be taken for a profile, which it is not. */
const char *fg_sniff_text(struct fg_str first_bytes);

/* The same of JSON, and of names of frames that start alike, NULL. */
const char *fg_sniff_json(struct fg_str first_bytes);

#endif
