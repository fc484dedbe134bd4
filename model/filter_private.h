/* model/filter_private.h - what filter.c (matching) and filter_parse.c (language) share. */
#ifndef STEPSCOPE_FILTER_PRIVATE_H
#define STEPSCOPE_FILTER_PRIVATE_H
#include "filter.h"
#include "pattern.h"

enum field_type { FIELD_TEXT, FIELD_KIND, FIELD_NUMBER, FIELD_BYTES, FIELD_ADDR, FIELD_TIME, FIELD_STEP, FIELD_SAID };

/* clang-format off */
/*    id,      name,      type,   values as help shows them,   help */
#define FILTER_FIELDS(_)                                                                                   \
	_(NAME,    "name",    TEXT,   "text, /regex/, /regex/i", "event name; a bare word or /regex/ means it") \
	_(KIND,    "kind",    KIND,   "kernel,memcpy",    "kind of event or family of kernels; \"work\" is everything a device does") \
	_(TC,      "tc",      SAID,   "used,could,no",    "kernels by their use of Tensor Cores") \
	_(PRECISION, "precision", SAID, "fp16,bf16",      "kernels by what they compute in") \
	_(FAMILY,  "family",  SAID,   "gemm,conv",        "kernels by what they do")                           \
	_(PHASE,   "phase",   SAID,   "forward,backward", "device work by its part of the training step")      \
	_(OP,      "op",      TEXT,   "text or /regex/",  "framework op of the event or of its launch")        \
	_(TRACK,   "track",   TEXT,   "text or /regex/",  "label of the track: stream 7, thread 12, ...")      \
	_(PROCESS, "process", TEXT,   "text or /regex/",  "process name")                                      \
	_(HOST,    "host",    TEXT,   "text or /regex/",  "host name")                                         \
	_(RANK,    "rank",    NUMBER, "3 or 0..3",        "rank of the host")                                  \
	_(DEVICE,  "device",  NUMBER, "0",                "number of the device")                              \
	_(STREAM,  "stream",  NUMBER, "7",                "device stream")                                     \
	_(PID,     "pid",     NUMBER, "25738",            "process id")                                        \
	_(TID,     "tid",     NUMBER, "25738",            "thread id")                                         \
	_(THREAD,  "thread",  TEXT,   "25738 or /regex/", "host thread, by its number or its name")            \
	_(STEP,    "step",    STEP,   "5 or 5..9",        "step the event belongs to")                         \
	_(DUR,     "dur",     TIME,   "> 1ms",            "duration (ns, us, ms, s; plain numbers are ns)")    \
	_(START,   "start",   TIME,   "12ms..20ms",       "start, from the first event of the trace")          \
	_(END,     "end",     TIME,   "< 1s",             "end, from the first event of the trace")            \
	_(BYTES,   "bytes",   BYTES,  ">= 1MiB",          "size of a copy, or of the block of memory that is given out or taken back (KiB, MiB, GiB; KB, MB, GB)") \
	_(ADDR,    "addr",    ADDR,   "0x7f30c0000000",   "address of the block of memory that is given out or taken back") \
	_(CORR,    "corr",    NUMBER, "1234",             "correlation id of launch and device work")          \
	_(DEPTH,   "depth",   NUMBER, "0",                "nesting depth on the track")                        \
	_(ID,      "id",      NUMBER, "4711",             "number of the event")
/* clang-format on */

enum field {
#define FIELD_ENUM(id, name, type, values, help) FIELD_IS_##id,
	FILTER_FIELDS(FIELD_ENUM)
#undef FIELD_ENUM
		FIELD_COUNT
};

typedef __int128 wide; /* int64 and uint64 alike */

/* What the pattern says about every id of the bound trace, so that a name is matched once and not once per event. */
enum text_verdict { TEXT_UNASKED, TEXT_MISS, TEXT_HIT };
struct memory {
	unsigned char *said; /* per id: enum text_verdict */
	size_t n;
};
struct condition {
	enum field field;
	bool negated;
	struct pattern *pattern; /* FIELD_TEXT */
	uint32_t kinds;          /* FIELD_KIND: bits */
	uint32_t words;          /* FIELD_SAID: bits by the numbers of their list; FIELD_KIND: families */
	wide low, high;          /* numbers: low <= value <= high */
	char *label;             /* FIELD_STEP: this very label; NULL = the number between low and high */
	struct memory memory;
};
struct filter {
	char *text;
	struct condition *conditions;
	size_t n;
	struct pattern_budget budget;
	const struct trace *bound; /* NULL until filter_bind */
};
enum field_type filter_field_type(enum field f);
/* A word of kind= : kinds and families as bits; false when there is no such kind. */
bool filter_kind(const char *word, uint32_t *kinds, uint32_t *families);
/* Fills f->conditions from f->text. */
bool filter_parse(struct filter *f, struct err *e);
/* "5" -> 5; false when it is no whole number that fits. Stops at the first byte that is no digit. */
bool filter_number(const char **p, wide *out);
#endif
