#include "fast_path.h"
#include "chrome.h"
#include <string.h>

/* ---- learning -------------------------------------------------------------------------------------------------------- */

/* What is met once at most. False: a second time. */
static bool set_token(uint8_t *where, size_t token)
{
	bool first = *where == NO_TOKEN;
	*where = (uint8_t)token;
	return first;
}

/* A member whose value is part of a step's text. False: it makes the entry unusual. */
static bool learn_fixed(const struct fixed *f, const struct record *r, struct fast_path *m, unsigned *met)
{
	unsigned bit = 1u << f->key.place;
	bool first = !(*met & bit);
	*met |= bit;
	switch (f->key.place) {
	case PLACE_PHASE:
	case PLACE_PID:
	case PLACE_TID:
		return first;
	case PLACE_BINDING:
	case PLACE_NAME:
		return first && phase_is_flow(r->ph);
	case PLACE_CAT:
		m->coded_n = (uint8_t)(attr_put_varint(attr_put_head(m->coded, f->key.head, ATTR_REF), r->category) -
				       m->coded);
		/* the attributes stand in file order, and a flow has none */
		return first && m->args == 0 && (*met & 1u << PLACE_PHASE || !phase_is_flow(r->ph));
	default:
		return false;
	}
}

/* The member a token stands for; met: fixed members up to it. False: it makes the entry unusual. */
static bool learn_token(const struct token *t, size_t at, unsigned met, struct fast_path *m)
{
	switch (t->step->key.place) {
	case PLACE_NAME:
		return set_token(&m->name, at);
	case PLACE_TS:
		return set_token(&m->ts, at);
	case PLACE_DUR:
		return set_token(&m->dur, at);
	case PLACE_ID: /* before the phase it is an attribute, of whatever comes */
		return set_token(&m->id, at) && met & 1u << PLACE_PHASE;
	case PLACE_PID:
		return set_token(&m->pid, at);
	case PLACE_TID:
		return set_token(&m->tid, at);
	case PLACE_ARGS:
		return t->v.type == VALUE_NONE;
	case PLACE_ARG:
		m->arg_from = m->args ? m->arg_from : (uint8_t)at;
		if (t->step->key.tag == ARG_CORRELATION)
			m->corr = (uint8_t)at;
		return m->arg_from + m->args++ == at;
	default:
		return t->step->key.place == PLACE_END;
	}
}

/* Everything the shape tells. False: the entry is unusual. */
static bool learn_tokens(const struct token *t, size_t n, const struct record *r, struct fast_path *m)
{
	unsigned met = 0;
	for (size_t i = 0; i < n; i++) {
		const struct layout_step *s = t[i].step;
		if (s->odd)
			return false;
		for (unsigned k = 0; k < s->n_fixed; k++)
			if (!learn_fixed(&s->fixed[k], r, m, &met))
				return false;
		if (!learn_token(&t[i], i, met, m))
			return false;
	}
	unsigned needed = 1u << PLACE_PHASE | 1u << PLACE_CAT, ids = met & (1u << PLACE_PID | 1u << PLACE_TID);
	bool both_fixed = ids == (1u << PLACE_PID | 1u << PLACE_TID) && m->pid == NO_TOKEN && m->tid == NO_TOKEN;
	bool both_told = ids == 0 && m->pid != NO_TOKEN && m->tid != NO_TOKEN;
	return (met & needed) == needed && (both_fixed || both_told) && m->ts != NO_TOKEN;
}

static uint8_t kind_of(struct chrome *c, const struct record *r, struct fast_path *m)
{
	str_id id;
	struct category cat = event_category(c, r, &id);
	bool proven = cat.proof != PROOF_DEVICE ? event_proven(r, cat.proof, NULL)
						: record_has(r, ARG_STREAM) || record_has(r, ARG_DEVICE);
	m->class = (uint8_t)cat.class;
	if (phase_is_flow(r->ph)) {
		m->to_device = cat.class == CLASS_LAUNCH_FLOW && r->ph == 'f';
		bool moved = value_is(r->member[PLACE_CAT], "DataFlow"); /* see event.c */
		return m->id != NO_TOKEN && m->dur == NO_TOKEN && m->args == 0 && !moved ? FAST_PATH_FLOW
											 : FAST_PATH_NONE;
	}
	if (r->ph != 'X' || r->member[PLACE_TS]->type == VALUE_STR || m->dur == NO_TOKEN || m->name == NO_TOKEN ||
	    m->id != NO_TOKEN || !proven)
		return FAST_PATH_NONE;
	if (cat.class >= CLASS_FIRST_ON_DEVICE)
		return FAST_PATH_DEVICE;
	if (record_has(r, ARG_COLLECTIVE) ||
	    record_has(r, ARG_ALLOCATION_BYTES)) /* a host event with facts of its own: detail.c */
		return FAST_PATH_NONE;
	m->event_kind = place_host_kind(cat.class);
	bool on_host = cat.class != CLASS_PROFILE && cat.class != CLASS_TF_NODE && cat.class != CLASS_LAUNCH_FLOW;
	return m->event_kind && on_host ? FAST_PATH_HOST : FAST_PATH_NONE;
}

void fast_path_learn(struct chrome *c, const struct batch *b, const struct item *i, const struct record *r,
		     struct fast_path *m)
{
	*m = (struct fast_path){.kind = FAST_PATH_NONE,
				.phase = r->ph,
				.encloses = r->encloses,
				.name = NO_TOKEN,
				.ts = NO_TOKEN,
				.dur = NO_TOKEN,
				.id = NO_TOKEN,
				.pid = NO_TOKEN,
				.tid = NO_TOKEN,
				.corr = NO_TOKEN,
				.ident = r->ident ? *r->ident : NONE_ID,
				.category = r->category,
				.seen = r->seen};
	if (i->n < NO_TOKEN && r->category && learn_tokens(b->token + i->first, i->n, r, m) &&
	    (m->pid != NO_TOKEN || m->ident != NONE_ID))
		m->kind = kind_of(c, r, m);
	if (m->kind == FAST_PATH_NONE && slice_path_learn(c, b, i, r, &m->slice))
		m->kind = FAST_PATH_SLICE;
}

/* ---- taking ---------------------------------------------------------------------------------------------------------- */

static inline bool plain_number(const struct value *v)
{
	return (v->flags & NUMBER_READ) && v->places == 0;
}

/* Whose event it is; NONE_ID: not recorded as usual. */
static inline uint32_t ident_of(struct chrome *c, const struct token *t, const struct fast_path *m)
{
	if (m->ident != NONE_ID)
		return m->ident;
	const struct value *pid = &t[m->pid].v, *tid = &t[m->tid].v;
	return plain_number(pid) && plain_number(tid) ? identities_find(&c->identities, pid, tid) : NONE_ID;
}

static inline bool start_of(const struct chrome *c, const struct token *t, const struct fast_path *m, int64_t *start_ns)
{
	return value_exact_ns(&t[m->ts].v, start_ns) && !__builtin_add_overflow(*start_ns, c->base_ns, start_ns);
}

static bool take_event(struct chrome *c, const struct token *t, const struct item *i, const struct fast_path *m)
{
	struct pending q;
	struct record *r = &c->record;
	const struct value *name = &t[m->name].v, *corr = m->corr == NO_TOKEN ? NULL : &t[m->corr].v;
	int64_t start_ns, dur_ns;
	if (!start_of(c, t, m, &start_ns) || !value_exact_ns(&t[m->dur].v, &dur_ns) || start_ns > INT64_MAX - dur_ns ||
	    name->type != VALUE_STR || (corr && !(corr->flags & NUMBER_USUAL)))
		return false;
	q.ident = ident_of(c, t, m);
	if (q.ident == NONE_ID)
		return false;
	uint32_t host_track = identity_at(&c->identities, q.ident)->host_track;
	if (m->kind == FAST_PATH_HOST && host_track == NONE_ID)
		return false;
	c->reader.faults = (struct text_faults){.not_json = i->not_json};
	q.e = (struct event_in){.start_ns = start_ns,
				.dur_ns = dur_ns,
				.group = -1,
				.at = i->at,
				.track = host_track,
				.kind = m->event_kind};
	q.e.attrs = record_take_args(&c->reader, t + m->arg_from, m->args, m->coded, m->coded_n, r);
	q.e.name = event_name(c, name);
	if (m->kind == FAST_PATH_DEVICE) {
		r->at = i->at;
		r->ph = m->phase;
		r->seen = m->seen;
		q.ph = m->phase;
		q.class = m->class;
		q.detail = DETAIL_NONE;
		/* device classes tell their place themselves: place cannot ask to wait for names */
		detail_take(c, r, &q);
		place(c, r, &q);
	} else if (m->class == CLASS_RUNTIME && corr) {
		q.e.corr = corr->whole;
	}
	ingest_event(c->in, &q.e);
	return true;
}

static bool take_flow(struct chrome *c, const struct token *t, const struct item *i, const struct fast_path *m)
{
	int64_t ts_ns;
	uint32_t track;
	const struct value *id = &t[m->id].v;
	if (!start_of(c, t, m, &ts_ns) || !plain_number(id))
		return false;
	uint32_t ident = ident_of(c, t, m);
	if (ident == NONE_ID || !event_place_flow(c, ident, m->to_device, &track))
		return false;
	c->reader.faults = (struct text_faults){.not_json = i->not_json};
	ingest_flow(c->in, m->phase, track, m->category, id->whole, ts_ns, m->encloses, i->at);
	return true;
}

bool fast_path_take(struct chrome *c, const struct batch *b, const struct item *i, const struct fast_path *m)
{
	const struct token *t = b->token + i->first;
	bool taken = m->kind == FAST_PATH_SLICE  ? slice_path_take(c, b, i, &m->slice)
		     : m->kind == FAST_PATH_FLOW ? take_flow(c, t, i, m)
						 : take_event(c, t, i, m);
	if (!taken)
		return false;
	c->sound++;
	reader_note_faults(&c->reader, i->at);
	return true;
}
