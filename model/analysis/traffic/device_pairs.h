/* model/analysis/traffic/device_pairs.h - what moves between two devices of one host, and by which way.
 * PEER:   copies from device to device. Faster than the link to the host can be: a link of their own (NVLink, Infinity Fabric).
 * HOST:   a copy to the host and one of the same bytes from there to another device, which begins within a millisecond of its end, or
 *         within its length; each counts once, nearest first. Where the other device has such a copy to the host itself, the two are
 *         a round trip of its own. Below 4 KiB sizes tell nothing.
 * SEMANTICS.md, 16. Windows: transfers that begin inside. */
#ifndef STEPSCOPE_DEVICE_PAIRS_H
#define STEPSCOPE_DEVICE_PAIRS_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

/*   id, word of the tables */
#define PAIR_PATHS(_)          \
	_(PEER, "peer")        \
	_(LINK, "device link") \
	_(HOST, "through the host")
enum pair_path {
#define PAIR_ENUM(id, word) PAIR_##id,
	PAIR_PATHS(PAIR_ENUM)
#undef PAIR_ENUM
};
const char *pair_path_word(enum pair_path p); /* as the tables say it */

struct device_pair {
	uint32_t host;
	int16_t from, to; /* numbers of the devices as the producer counts; -1: not recorded */
	enum pair_path path;
	int64_t transfers, ns;   /* through the host: from the start of the first copy to the end of the second one */
	int64_t bytes, rated_ns; /* of those whose bytes are known */
	double fastest;          /* bytes per s of one of 1 MiB or more; 0: none is known */
	row_id longest[2];       /* the copy; both of those through the host, else NONE_ID */
	int64_t longest_ns;
};
struct device_pairs {
	struct device_pair *at; /* by host, from, to, path */
	uint32_t n;
};
/* In `mem`. False with `e` on cancel. */
bool device_pairs_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		       struct device_pairs *out, struct err *e);
#endif
