#include "slice_path.h"
#include "chrome.h"
#include <string.h>

/* ---- learning -------------------------------------------------------------------------------------------------------- */

static bool set_once(struct member_ref *where, struct member_ref ref)
{
	bool first = where->token == NO_TOKEN;
	*where = ref;
	return first;
}

static bool add_attr(struct slice_path *m, struct member_ref ref)
{
	if (m->n_attrs == SLICE_ATTRS)
		return false;
	m->attr[m->n_attrs++] = ref;
	return true;
}

/* False: it makes the entry unusual. */
static bool learn_member(struct slice_path *m, uint8_t place, struct member_ref ref)
{
	switch (place) {
	case PLACE_PHASE:
		return set_once(&m->phase_at, ref) && ref.fixed != NO_FIXED;
	case PLACE_NAME:
		return set_once(&m->name, ref);
	case PLACE_TS:
		return set_once(&m->ts, ref);
	case PLACE_DUR:
		return set_once(&m->dur, ref);
	case PLACE_PID:
		return set_once(&m->pid, ref);
	case PLACE_TID:
		return set_once(&m->tid, ref);
	case PLACE_CAT:
		return set_once(&m->cat, ref) && add_attr(m, ref);
	case PLACE_ID:
		return set_once(&m->id, ref) && add_attr(m, ref);
	case PLACE_SCOPE:
		return set_once(&m->scope, ref) && add_attr(m, ref);
	case PLACE_BIND_ID:
	case PLACE_FLOW_IN:
	case PLACE_FLOW_OUT:
		return false;
	default:
		return add_attr(m, ref);
	}
}

static bool learn_token(struct slice_path *m, const struct token *t, uint8_t at)
{
	const struct layout_step *s = t->step;
	if (s->odd)
		return false;
	for (uint8_t k = 0; k < s->n_fixed; k++)
		if (!learn_member(m, s->fixed[k].key.place, (struct member_ref){at, k}))
			return false;
	if (s->key.place == PLACE_END)
		return true;
	if (s->key.place == PLACE_ARGS) /* an object, whose members follow */
		return t->v.type == VALUE_NONE;
	return learn_member(m, s->key.place, (struct member_ref){at, NO_FIXED});
}

static bool is_async(char ph)
{
	return ph == 'b' || ph == 'n' || ph == 'e';
}

/* What an event's category makes of it, when that is the same for all of this layout. */
static bool learn_class(struct chrome *c, const struct record *r, struct slice_path *m)
{
	str_id id;
	struct category cat = event_category(c, r, &id);
	bool told = m->cat.token != NO_TOKEN, changes = told && m->cat.fixed == NO_FIXED;
	/* a thread may become a stream later */
	if ((told && !id) || cat.proof == PROOF_DEVICE)
		return false;
	m->class = (uint8_t)event_class(r, cat, NULL);
	m->category = id;
	m->plain = m->class == CLASS_NONE && !r->seen && !is_async(r->ph);
	return !changes || cat.class == CLASS_NONE;
}

/* What the arguments say decides what such an event is, and only a whole record has them: totals of clang (place.c), a collective that was
 * seen on the host (event.c). */
static bool decided_by_args(const struct record *r)
{
	return place_args_have_averages(r) || event_args_have_communicator(r);
}

bool slice_path_learn(struct chrome *c, const struct batch *b, const struct item *i, const struct record *r,
		      struct slice_path *m)
{
	static const struct member_ref none = {NO_TOKEN, NO_FIXED};
	*m = (struct slice_path){.phase = r->ph,
				 .phase_at = none,
				 .name = none,
				 .ts = none,
				 .dur = none,
				 .id = none,
				 .pid = none,
				 .tid = none,
				 .cat = none,
				 .scope = none,
				 .ident = r->ident ? *r->ident : NONE_ID,
				 .seen = r->seen};
	if (i->n >= NO_TOKEN || !r->ph || !strchr("XBEiIRbne", r->ph) || decided_by_args(r))
		return false;
	for (uint32_t k = 0; k < i->n; k++)
		if (!learn_token(m, &b->token[i->first + k], (uint8_t)k))
			return false;
	return m->ts.token != NO_TOKEN && m->phase_at.token != NO_TOKEN && learn_class(c, r, m);
}

/* ---- taking ---------------------------------------------------------------------------------------------------------- */

static inline const struct value *value_of(const struct token *t, struct member_ref ref)
{
	static const struct value none;
	if (ref.token == NO_TOKEN)
		return &none;
	return ref.fixed == NO_FIXED ? &t[ref.token].v : &t[ref.token].step->fixed[ref.fixed].v;
}

static inline bool plain_or_absent(const struct value *v)
{
	return v->type == VALUE_NONE || ((v->flags & NUMBER_READ) && v->places == 0);
}

static inline bool times(const struct chrome *c, const struct token *t, const struct slice_path *m, struct event_in *e)
{
	const struct value *dur = value_of(t, m->dur);
	if (!value_exact_ns(value_of(t, m->ts), &e->start_ns) ||
	    __builtin_add_overflow(e->start_ns, c->base_ns, &e->start_ns))
		return false;
	if (m->phase != 'X' || dur->type == VALUE_NONE)
		return true;
	return value_exact_ns(dur, &e->dur_ns) && e->start_ns <= INT64_MAX - e->dur_ns;
}

/* Is its category one that was met before and means nothing to us, as the layout's first one did? */
static inline bool usual_category(struct chrome *c, const struct token *t, const struct slice_path *m, str_id *category)
{
	*category = m->category;
	if (m->cat.token == NO_TOKEN || m->cat.fixed != NO_FIXED)
		return true;
	*category = record_category(&c->reader, value_of(t, m->cat));
	unsigned slot = *category % (sizeof c->categories / sizeof c->categories[0]);
	return *category && c->categories[slot].id == *category && c->categories[slot].is.class == CLASS_NONE;
}

/* A plain event of a thread whose track there is, of a process that is known to be none of TensorFlow's: what place.c makes of
 * it. False: it does not fit. */
static inline bool place_plain(struct chrome *c, const struct slice_path *m, const struct value *name,
			       struct pending *q)
{
	const struct identity *x = identity_at(&c->identities, q->ident);
	enum process_role role = identity_proc(&c->identities, q->ident)->parsed.role;
	bool on_host = role == ROLE_HOST || (role == ROLE_UNNAMED && c->names_final);
	if (!m->plain || !on_host || x->host_track == NONE_ID)
		return false;
	if (phase_is_instant(q->ph) && (q->scope == 'g' || q->scope == 'p'))
		return false;
	if ((name->n == 8 || name->flags) && place_is_allocation(c, q))
		return false;
	q->e.track = x->host_track;
	q->e.kind = phase_is_instant(q->ph) ? KIND_INSTANT : KIND_OTHER;
	return true;
}

static inline uint32_t ident_of(struct chrome *c, const struct slice_path *m, const struct value *pid,
				const struct value *tid)
{
	if (m->ident != NONE_ID)
		return m->ident;
	uint32_t again = identities_again(&c->identities, pid, tid);
	return again != NONE_ID ? again : identities_find(&c->identities, pid, tid);
}

bool slice_path_take(struct chrome *c, const struct batch *b, const struct item *i, const struct slice_path *m)
{
	const struct token *t = b->token + i->first;
	struct record *r = &c->record;
	struct pending q = {.ph = m->phase, .class = m->class, .e = {.group = -1, .at = i->at}};
	const struct value *pid = value_of(t, m->pid), *tid = value_of(t, m->tid), *scope = value_of(t, m->scope),
			   *name = value_of(t, m->name);
	if (!times(c, t, m, &q.e) || !usual_category(c, t, m, &q.category) ||
	    (m->ident == NONE_ID && !(plain_or_absent(pid) && plain_or_absent(tid))))
		return false;
	c->reader.faults = (struct text_faults){.not_json = i->not_json};
	q.scope = scope->type == VALUE_STR && scope->n ? scope->p[0] : 0;
	q.ident = ident_of(c, m, pid, tid);
	if (identity_proc(&c->identities, q.ident)->parsed.role >= ROLE_FIRST_OF_ASCEND)
		return false;
	q.e.attrs = record_take_members(&c->reader, t, m->attr, m->n_attrs, r, q.category);
	q.e.name = event_name(c, name);
	r->at = i->at;
	r->ph = m->phase;
	r->seen = m->seen;
	r->args.type = VALUE_NONE; /* those of the record before */
	if (is_async(m->phase))
		event_show_async(c, &q, value_of(t, m->id));
	else if (place_plain(c, m, name, &q))
		event_emit(c, &q);
	else
		event_show(c, r, &q);
	return true;
}
