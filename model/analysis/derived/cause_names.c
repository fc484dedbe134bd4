#include "cause_names.h"
#include "derived_data.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

/* A name's answer in 16 bits: known, section, trust. Writers of one name write the same, so no lock is needed. */
enum { KNOWN = 0x8000, SECTION_SHIFT = 7, TRUST_MASK = 0x7f, SECTION_MASK = 0xff };

struct cause_names {
	struct cause_rules *rules;
	_Atomic(uint16_t) *of_name;
	_Atomic(uint8_t) *thread; /* per track: THREAD_ bits */
	row_id *overheads;
	int64_t *ended_ns; /* when those up to each of them have ended */
	uint32_t n_overheads;
};

static void find_overheads(struct cause_names *n, const struct columns *c)
{
	uint32_t cap = 0;
	for (row_id r = 0; (r = row_of_kind(c, KIND_OVERHEAD, r, (row_id)c->n)) < c->n; r++) {
		GROW_ARRAY(n->overheads, n->n_overheads, cap);
		n->overheads[n->n_overheads++] = r;
	}
	if (!cap)
		return;
	qsort_r(n->overheads, n->n_overheads, sizeof *n->overheads, row_order, (void *)c);
	n->ended_ns = must(malloc(n->n_overheads * sizeof *n->ended_ns));
	for (uint32_t i = 0; i < n->n_overheads; i++)
		n->ended_ns[i] = later(row_end(c, n->overheads[i]), i ? n->ended_ns[i - 1] : INT64_MIN);
}

static struct cause_names *names_new(const struct derived *d)
{
	struct cause_names *n = calloc(1, sizeof *n);
	size_t count = strings_count(trace_strings(d->pub.t)) + (size_t)1;
	if (n)
		n->of_name = calloc(count, sizeof *n->of_name);
	if (n)
		n->thread = calloc(trace_tracks(d->pub.t) + (size_t)1, sizeof *n->thread);
	if (!n || !n->of_name || !n->thread)
		memory_exhausted();
	n->rules = cause_rules_builtin(NULL);
	find_overheads(n, d->pub.c);
	return n;
}

static struct cause_names *names_made(const struct derived *d)
{
	struct derived *w = (struct derived *)d;
	pthread_mutex_lock(&w->lazy_lock);
	struct cause_names *n = atomic_load_explicit(&w->causes, memory_order_relaxed);
	if (!n) {
		n = names_new(d);
		atomic_store_explicit(&w->causes, n, memory_order_release);
	}
	pthread_mutex_unlock(&w->lazy_lock);
	return n;
}

static inline struct cause_names *names_of(const struct derived *d)
{
	struct cause_names *n = atomic_load_explicit(&((struct derived *)d)->causes, memory_order_acquire);
	return n ? n : names_made(d);
}

void causes_free(struct derived *d)
{
	struct cause_names *n = atomic_load(&d->causes);
	if (!n)
		return;
	cause_rules_free(n->rules);
	free(n->of_name);
	free(n->thread);
	free(n->overheads);
	free(n->ended_ns);
	free(n);
}

static uint16_t ask_rules(const struct derived *d, struct cause_names *n, str_id name)
{
	struct name_cause c = cause_rules_ask(n->rules, trace_str(d->pub.t, name), false);
	uint16_t known = (uint16_t)(KNOWN | c.section << SECTION_SHIFT | c.trust);
	atomic_store_explicit(&n->of_name[name], known, memory_order_relaxed);
	return known;
}

static __attribute__((noinline)) uint16_t made_known(const struct derived *d, str_id name)
{
	struct cause_names *n = names_of(d);
	uint16_t known = atomic_load_explicit(&n->of_name[name], memory_order_relaxed);
	return known || !n->rules ? known : ask_rules(d, n, name);
}

/* Asked of every event that a walk opens: what is known already needs no more than a look. */
struct name_cause cause_of_name(const struct derived *d, str_id name)
{
	const struct cause_names *n = atomic_load_explicit(&((struct derived *)d)->causes, memory_order_acquire);
	uint16_t known = n ? atomic_load_explicit(&n->of_name[name], memory_order_relaxed) : 0;
	if (!known)
		known = made_known(d, name);
	return (struct name_cause){known >> SECTION_SHIFT & SECTION_MASK, known & TRUST_MASK};
}

static bool says_input_thread(const struct derived *d, const struct cause_names *n, uint32_t track)
{
	const struct track_info *k = trace_track(d->pub.t, track);
	const char *process =
		k->process != NONE_ID ? trace_str(d->pub.t, trace_process(d->pub.t, k->process)->name) : "";
	return n->rules &&
	       (cause_rules_ask(n->rules, trace_str(d->pub.t, k->name), true).section == CAUSE_INPUT_THREAD ||
		cause_rules_ask(n->rules, process, true).section == CAUSE_INPUT_THREAD);
}

enum { THREAD_INPUT = 1, THREAD_INPUT_ASKED = 2, THREAD_CALLS = 4, THREAD_CALLS_ASKED = 8 };

bool cause_input_thread(const struct derived *d, uint32_t track)
{
	struct cause_names *n = names_of(d);
	uint8_t known = atomic_load_explicit(&n->thread[track], memory_order_relaxed);
	if (!(known & THREAD_INPUT_ASKED)) {
		known = (uint8_t)(THREAD_INPUT_ASKED | (says_input_thread(d, n, track) ? THREAD_INPUT : 0));
		atomic_fetch_or_explicit(&n->thread[track], known, memory_order_relaxed);
	}
	return known & THREAD_INPUT;
}

bool cause_calling_thread(const struct derived *d, uint32_t track)
{
	struct cause_names *n = names_of(d);
	uint8_t known = atomic_load_explicit(&n->thread[track], memory_order_relaxed);
	if (!(known & THREAD_CALLS_ASKED)) {
		const struct track_info *k = trace_track(d->pub.t, track);
		bool calls = memchr(derived_columns(d)->kind + k->first, KIND_RUNTIME, k->n) != NULL;
		known = (uint8_t)(THREAD_CALLS_ASKED | (calls ? THREAD_CALLS : 0));
		atomic_fetch_or_explicit(&n->thread[track], known, memory_order_relaxed);
	}
	return known & THREAD_CALLS;
}

const row_id *cause_overheads(const struct derived *d, uint32_t *n)
{
	struct cause_names *names = names_of(d);
	*n = names->n_overheads;
	return names->overheads;
}

uint32_t cause_overheads_from(const struct derived *d, int64_t ts_ns)
{
	const struct cause_names *n = names_of(d);
	uint32_t lo = 0, hi = n->n_overheads;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (n->ended_ns[mid] <= ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool cause_overhead(const struct derived *d, row_id r)
{
	uint8_t section = cause_of_name(d, d->pub.c->name[r]).section;
	return section == CAUSE_UNKNOWN || section >= CAUSE_COUNT || section == CAUSE_PROFILER;
}

bool asks_for_overflow(const struct derived *d, row_id waits, int64_t from_ns)
{
	enum { BACK = 64, EARLIER_NS = 20000000 };
	const struct columns *c = derived_columns(d);
	uint64_t first = trace_track(derived_trace(d), c->track[waits])->first;
	from_ns = c->start_ns[waits] < from_ns ? c->start_ns[waits] : from_ns; /* it may wait for long */
	for (row_id r = waits, n = 0; r-- > first && n < BACK; n++)
		if (c->kind[r] == KIND_OP && c->start_ns[r] >= from_ns - EARLIER_NS &&
		    cause_of_name(d, c->name[r]).section == CAUSE_LOSS_SCALING)
			return true;
	return false;
}
