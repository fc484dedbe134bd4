#include "phases.h"
#include "model/store/base/grow.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { BY_SHIFT = 4, PHASE_BITS = (1 << BY_SHIFT) - 1, KNOWN = 0x80 };

/* What arrows from ops to their gradients' tell, once for all who ask. */
struct links {
	uint8_t *ends; /* two bits per row: enum linked; NULL = there are no such arrows */
};
enum linked { LINKED_NO, LINKED_FORWARD, LINKED_BACKWARD };

struct phases {
	const struct derived *d;
	struct phase_rules *rules;
	const struct links *links;
	uint8_t *names; /* per text: phase | KNOWN */
	uint8_t *rows;  /* per row asked about: phase | by | KNOWN */
	uint8_t *shown; /* per row of device work asked about: the phase shown | KNOWN; NULL = none was */
	row_id *stack;
	uint32_t cap;
};

static void *zeroed(size_t n)
{
	return large_zeroed(n, 1);
}

static void put_linked(struct links *l, row_id r, enum linked end)
{
	int shift = (int)(r % 4) * 2;
	l->ends[r / 4] = (uint8_t)((l->ends[r / 4] & ~(3 << shift)) | (int)end << shift);
}

static enum linked linked(const struct links *l, row_id r)
{
	return l->ends ? (enum linked)(l->ends[r / 4] >> r % 4 * 2 & 3) : LINKED_NO;
}

static void *read_links(const struct derived *d, struct progress *p, struct err *e)
{
	const struct flow *flows = NULL;
	str_id category = strings_find(trace_strings(derived_trace(d)), "fwdbwd", 6);
	uint64_t n = category ? trace_flows(derived_trace(d), &flows) : 0; /* they stay packed where none is such */
	struct links *l = must(calloc(1, sizeof *l));
	(void)p;
	(void)e;
	for (uint64_t i = 0; i < n; i++) {
		if (flows[i].category != category)
			continue;
		if (!l->ends)
			l->ends = zeroed(derived_columns(d)->n / 4 + 1);
		put_linked(l, flows[i].from, LINKED_FORWARD);
		put_linked(l, flows[i].to, LINKED_BACKWARD);
	}
	return l;
}

static void free_links(void *made)
{
	struct links *l = made;
	free(l->ends);
	free(l);
}

struct phases *phases_new(const struct derived *d, struct err *e)
{
	static const struct kept_maker links = {read_links, free_links};
	struct phase_rules *rules = phase_rules_builtin(e);
	if (!rules)
		return NULL;
	struct phases *p = must(malloc(sizeof *p));
	*p = (struct phases){.d = d, .rules = rules, .links = derived_kept(d, &links, NULL, NULL)};
	p->names = zeroed(strings_count(trace_strings(derived_trace(d))) + 1u);
	p->rows = zeroed(derived_columns(d)->n + 1);
	return p;
}

void phases_free(struct phases *p)
{
	if (!p)
		return;
	phase_rules_free(p->rules);
	free(p->names);
	free(p->rows);
	free(p->shown);
	free(p->stack);
	free(p);
}

/* ---- names ---------------------------------------------------------------------------------------------------------- */

static enum work_phase phase_of_name(struct phases *p, str_id name)
{
	if (!name)
		return WORK_OTHER;
	if (!p->names[name])
		p->names[name] = (uint8_t)(KNOWN | phase_rules_ask(p->rules, trace_str(derived_trace(p->d), name)));
	return (enum work_phase)(p->names[name] & ~KNOWN);
}

static struct work_phase_of by_name(enum work_phase phase)
{
	return (struct work_phase_of){phase, phase == WORK_OTHER ? PHASE_BY_NOTHING : PHASE_BY_NAME};
}

/* What the event itself says. The marker of a step is around all of its phases: whether it is one costs more than a name that is known. */
static struct work_phase_of own_phase(struct phases *p, row_id r)
{
	static const struct work_phase_of nothing = {WORK_OTHER, PHASE_BY_NOTHING};
	str_id name = derived_columns(p->d)->name[r];
	if (!p->names[name] && row_is_marker(p->d, r)) /* each step may have a name of its own */
		return nothing;
	struct work_phase_of own = by_name(phase_of_name(p, name));
	const struct host_info *h = own.phase == WORK_OTHER ? trace_host_detail(derived_trace(p->d), r) : NULL;
	if (h)
		own = by_name(phase_of_name(p, h->op));
	enum linked end = own.phase == WORK_OTHER ? linked(p->links, r) : LINKED_NO;
	if (end != LINKED_NO)
		own = (struct work_phase_of){end == LINKED_FORWARD ? WORK_FORWARD : WORK_BACKWARD, PHASE_BY_LINK};
	return own.phase != WORK_OTHER && row_is_marker(p->d, r) ? nothing : own;
}

/* ---- the host around a launch --------------------------------------------------------------------------------------- */

/* Backward and optimizer hold for all that is inside them; of loss and forward the inner one counts. */
static struct work_phase_of inside(struct work_phase_of around, struct work_phase_of own)
{
	if (around.phase == WORK_OPTIMIZER || own.phase == WORK_OPTIMIZER)
		return around.phase == WORK_OPTIMIZER ? around : own;
	if (around.phase == WORK_BACKWARD || own.phase == WORK_OTHER)
		return around;
	return own;
}

static void push(struct phases *p, uint32_t n, row_id r)
{
	GROW_ARRAY(p->stack, n, p->cap);
	p->stack[n] = r;
}

static uint8_t packed(struct work_phase_of x)
{
	return (uint8_t)(KNOWN | x.by << BY_SHIFT | x.phase);
}

static struct work_phase_of unpacked(uint8_t x)
{
	return (struct work_phase_of){(enum work_phase)(x & PHASE_BITS), (enum phase_by)((x & ~KNOWN) >> BY_SHIFT)};
}

/* Climbs to what was answered before, and answers for everything on the way down. */
struct work_phase_of phase_of_host(struct phases *p, row_id r)
{
	struct work_phase_of found = {WORK_OTHER, PHASE_BY_NOTHING};
	uint32_t n = 0;
	row_id at = r;
	for (; at != NONE_ID && !p->rows[at]; at = parent_of(p->d, at))
		push(p, n++, at);
	if (at != NONE_ID)
		found = unpacked(p->rows[at]);
	while (n--) {
		found = inside(found, own_phase(p, p->stack[n]));
		p->rows[p->stack[n]] = packed(found);
	}
	return found;
}

/* ---- device work ---------------------------------------------------------------------------------------------------- */

static enum work_phase phase_of_details(struct phases *p, row_id r)
{
	const struct kernel_info *k = trace_kernel_with_op(derived_trace(p->d), r);
	const struct copy_info *copy = k ? NULL : trace_copy(derived_trace(p->d), r);
	enum work_phase phase = phase_of_name(p, k ? k->op : copy ? copy->op : 0);
	return phase == WORK_OTHER ? phase_of_name(p, k ? k->op_type : copy ? copy->op_type : 0) : phase;
}

struct work_phase_of phase_of_work(struct phases *p, row_id r)
{
	if (p->rows[r])
		return unpacked(p->rows[r]);
	struct work_phase_of own = by_name(phase_of_details(p, r));
	row_id launch = derived_columns(p->d)->link[r];
	if (own.phase == WORK_OTHER && launch != NONE_ID)
		own = phase_of_host(p, launch);
	p->rows[r] = packed(own);
	return own;
}

/* ---- what a picture shows ------------------------------------------------------------------------------------------- */

enum { LOOK_ROWS = 1024 };

/* A backward kernel of the same step on the same stream, one way from r and not far. */
static bool backward_near(struct phases *p, row_id r, int way)
{
	const struct track_info *k = trace_track(derived_trace(p->d), derived_columns(p->d)->track[r]);
	uint32_t step = derived_step_of(p->d, r);
	for (int i = 0; i < LOOK_ROWS; i++) {
		r += (row_id)way;
		if (r < k->first || r >= k->first + k->n || derived_step_of(p->d, r) != step)
			return false;
		if (phase_of_work(p, r).phase == WORK_BACKWARD)
			return true;
	}
	return false;
}

enum work_phase phase_shown(struct phases *p, row_id r)
{
	if (!p->shown)
		p->shown = zeroed(derived_columns(p->d)->n + 1);
	if (p->shown[r])
		return (enum work_phase)(p->shown[r] & PHASE_BITS);
	enum work_phase phase = phase_of_work(p, r).phase;
	bool may_be_forward = phase == WORK_OTHER && derived_columns(p->d)->kind[r] == KIND_KERNEL &&
			      derived_step_of(p->d, r) != NONE_ID;
	if (may_be_forward && backward_near(p, r, 1) && !backward_near(p, r, -1))
		phase = WORK_FORWARD;
	p->shown[r] = (uint8_t)(KNOWN | phase);
	return phase;
}
