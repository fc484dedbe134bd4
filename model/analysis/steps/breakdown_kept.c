#include "breakdown_kept.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/derived.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum state { NOT_MADE, IS_STEP, IS_NONE };
struct breakdown_kept {
	pthread_mutex_t lock;
	struct breakdown *at; /* parts on devices, then steps without one */
	uint8_t *state;
};

struct breakdown_kept *breakdown_kept_new(const struct derived *d)
{
	uint32_t parts;
	derived_step_devices(d, &parts);
	size_t n = (size_t)parts + derived_steps(d) + 1;
	struct breakdown_kept *k = must(malloc(sizeof *k));
	*k = (struct breakdown_kept){.lock = PTHREAD_MUTEX_INITIALIZER};
	k->at = must(malloc(n * sizeof *k->at));
	k->state = must(malloc(n));
	memset(k->state, NOT_MADE, n);
	return k;
}

void breakdown_kept_free(struct breakdown_kept *k)
{
	if (!k)
		return;
	pthread_mutex_destroy(&k->lock);
	free(k->at);
	free(k->state);
	free(k);
}

static size_t place_of(const struct derived *d, uint32_t step, uint32_t device)
{
	uint32_t n;
	const struct step_device *all = derived_step_devices(d, &n),
				 *part = device == NONE_ID ? NULL : derived_step_device(d, step, device);
	return part ? (size_t)(part - all) : (size_t)n + step;
}

static enum state look(struct breakdown_kept *k, size_t at, struct breakdown *out)
{
	pthread_mutex_lock(&k->lock);
	enum state s = (enum state)k->state[at];
	if (s == IS_STEP)
		*out = k->at[at];
	pthread_mutex_unlock(&k->lock);
	return s;
}

static void keep(struct breakdown_kept *k, size_t at, const struct breakdown *b, bool is_step)
{
	pthread_mutex_lock(&k->lock);
	if (is_step)
		k->at[at] = *b;
	k->state[at] = is_step ? IS_STEP : IS_NONE;
	pthread_mutex_unlock(&k->lock);
}

static bool make(struct breakdowns *b, const struct derived *d, uint32_t step, uint32_t device, struct breakdown *out)
{
	if (derived_options(d)->semantics == SEM_XPROF)
		return breakdown_pooled(b, step, out);
	breakdown_step(b, step, device, out);
	return true;
}

bool breakdown_of(struct breakdowns *b, struct breakdown_kept *kept, uint32_t step, uint32_t device,
		  struct breakdown *out)
{
	const struct derived *d = breakdowns_derived(b);
	size_t at = kept ? place_of(d, step, device) : 0;
	enum state known = kept ? look(kept, at, out) : NOT_MADE;
	if (known != NOT_MADE)
		return known == IS_STEP;
	bool is_step = make(b, d, step, device, out);
	if (kept)
		keep(kept, at, out, is_step);
	return is_step;
}
