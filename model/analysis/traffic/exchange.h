/* model/analysis/traffic/exchange.h - how evenly all-to-alls load the ranks: what each gives and gets, as the record tells it.
 * SEMANTICS.md, 16. Windows: calls that start inside. */
#ifndef STEPSCOPE_EXCHANGE_H
#define STEPSCOPE_EXCHANGE_H
#include "model/analysis/comms/comms.h"
#include "model/query.h"

struct exchange {
	uint32_t device;
	int64_t calls, sent, received, ns, exposed_ns; /* of AllToAlls whose bytes are told; bytes */
	double split,
		to_one; /* bytes given by calls whose splits are told; those of them that go to the call's heaviest peer */
};
struct exchanges {
	struct exchange *at; /* by device */
	uint32_t n;
	double received_mean; /* over them; NaN: there are none */
};
/* In `mem`. False with `e` on cancel. */
bool exchanges_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		    struct exchanges *out, struct err *e);
#endif
