/* model/store/saved/save_private.h - what the writer and the reader of the saved file must agree on. */
#ifndef STEPSCOPE_SAVE_PRIVATE_H
#define STEPSCOPE_SAVE_PRIVATE_H
#include "save.h"
#include "model/store/files/codec.h"
#include "model/store/trace/trace_private.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the saved file is little endian; swap in codec.c before building for this machine"
#endif

struct save_header {
	char magic[8];
	uint32_t major, minor;
	uint64_t table_at;
	uint32_t sections, pad;
	uint64_t table_hash;
};
struct save_section {
	char name[24];
	uint32_t required, codec, size, pad;
	uint64_t offset, stored, plain, count, hash;
};
enum { SAVE_MAX_SECTIONS = 256 };

/* save_bound.c */
bool save_knows(const char *section); /* this version reads sections of that name; not NUL-terminated when it is full */
/* Bytes that a file with these sections must have at least, see "Bound" in save.h; UINT64_MAX when no file can have them.
 * Takes any numbers. */
uint64_t save_least_bytes(const struct save_section *table, uint32_t n);
#define SAVE_MAGIC "STEPSCPE"

/* clang-format off */
/* Row data besides kind, attrs, links and corrs: section, field of struct trace, codec. All have one element per row. */
#define SAVE_ROWS(_)                         \
	_("start_ns", start_ns, CODEC_STEPS) \
	_("dur_ns", dur_ns, CODEC_PLANES)    \
	_("name", name, CODEC_PLANES)        \
	_("detail", detail, CODEC_KINDS)     \
	_("depth", depth, CODEC_PLANES)      \
	_("disp", disp, CODEC_PLANES)

/* Small structures as lists of 64-bit numbers, in this order. */
#define SAVE_HOST(_)    _(name) _(rank) _(clock_shift_ns) _(source)
#define SAVE_PROCESS(_) _(host) _(pid) _(name) _(labels)
#define SAVE_DEVICE(_)                                                                                   \
	_(host) _(ordinal) _(name) _(vendor) _(cc_major) _(cc_minor) _(sms) _(clock_khz) _(memory_bytes) \
	_(memory_bytes_per_s) _(attrs)
#define SAVE_TRACK(_)                                                                                    \
	_(info.kind) _(info.host) _(info.process) _(info.device) _(info.key) _(info.lane) _(info.name)   \
	_(info.derived_by_producer) _(info.sort) _(info.first) _(info.n) _(info.n_rows) _(info.overlaps) \
	_(lane0_rows) _(first_sample) _(n_samples)
#define SAVE_FLOW(_) _(from) _(to) _(category) _(id)
/* clang-format on */

#define SAVE_COUNT_FIELD(f) +1
enum {
	HOST_FIELDS = 0 SAVE_HOST(SAVE_COUNT_FIELD),
	PROCESS_FIELDS = 0 SAVE_PROCESS(SAVE_COUNT_FIELD),
	DEVICE_FIELDS = 0 SAVE_DEVICE(SAVE_COUNT_FIELD),
	TRACK_FIELDS = 0 SAVE_TRACK(SAVE_COUNT_FIELD),
	FLOW_FIELDS = 0 SAVE_FLOW(SAVE_COUNT_FIELD),
	KERNEL_WORDS = offsetof(struct kernel_info, hlo) / sizeof(uint32_t) /* all members have that size */
};

#endif
