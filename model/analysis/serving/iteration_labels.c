/* Iterations by the labels that servers write. */
#include "iterations_private.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/memory.h"

struct finder {
	const struct derived *d;
	struct iteration_rules *rules;
	const str_id *
		like; /* a number at the end makes no label of a name, nor does it take one away: steps often have one name each */
	bool *no_label; /* per text that others are like: the rules said so */
	struct iteration_list *out;
};

static bool ask(struct finder *f, row_id r, struct iteration_label *label)
{
	str_id name = derived_columns(f->d)->name[r];
	bool *no_label = &f->no_label[f->like[name]];
	if (!*no_label)
		*no_label = !iteration_rules_ask(f->rules, trace_str(derived_trace(f->d), name), label);
	return !*no_label;
}

static void learn_number(int64_t *known, int64_t more)
{
	if (*known == UNKNOWN_I64)
		*known = more;
}

/* What an inner label knows and the outer one does not tell. */
static void learn(struct iteration_label *l, const struct iteration_label *inner)
{
	if (l->kind == ITERATION_UNKNOWN)
		l->kind = inner->kind;
	if (!l->server)
		l->server = inner->server;
	learn_number(&l->number, inner->number);
	learn_number(&l->requests, inner->requests);
	learn_number(&l->prefill_requests, inner->prefill_requests);
	learn_number(&l->decode_requests, inner->decode_requests);
	learn_number(&l->tokens, inner->tokens);
	learn_number(&l->prefill_tokens, inner->prefill_tokens);
	learn_number(&l->decode_tokens, inner->decode_tokens);
	learn_number(&l->context_tokens, inner->context_tokens);
}

static void add_label(struct finder *f, row_id r, const struct iteration_label *label)
{
	int64_t end_ns = row_end(derived_columns(f->d), r);
	struct iteration *last = f->out->n ? &f->out->at[f->out->n - 1] : NULL;
	if (last && last->track == derived_columns(f->d)->track[r] && end_ns <= last->end_ns) {
		learn(&last->label, label);
		return;
	}
	struct iteration *x = iteration_add(f->d, f->out, r, end_ns);
	x->labelled = true;
	x->label = *label;
}

/* Mostly none is, and nobody looks through the events. */
static bool any_label(const struct finder *f)
{
	struct iteration_label label;
	const struct name_list *names = derived_names_apart(f->d);
	for (uint32_t i = 0; i < names->n; i++)
		if (names->at[i].kinds & KIND_BIT(KIND_ANNOTATION) &&
		    iteration_rules_ask(f->rules, trace_str(derived_trace(f->d), names->at[i].name), &label))
			return true;
	return false;
}

/* All tracks at once: of very many few have an annotation. */
static void look_at_tracks(struct finder *f, struct progress_loop *loop)
{
	const struct columns *c = derived_columns(f->d);
	struct iteration_label label;
	row_id end = (row_id)c->n;
	for (row_id r = 0; (r = row_of_kind(c, KIND_ANNOTATION, r, end)) < end; r++) {
		const struct track_info *k = trace_track(derived_trace(f->d), c->track[r]);
		if (!derived_is_host_track(k)) {
			r = (row_id)(k->first + k->n - 1);
			continue;
		}
		if (progress_loop_cancelled(loop))
			return;
		if (ask(f, r, &label))
			add_label(f, r, &label);
	}
}

bool iterations_by_label(const struct derived *d, struct iteration_rules *rules, struct iteration_list *out,
			 struct progress *p, struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct progress_loop loop = {.progress = p};
	struct finder f = {.d = d, .rules = rules, .like = derived_names_like(d), .out = out};
	if (!any_label(&f))
		return iteration_rules_sound(rules, e);
	f.no_label = must(calloc(strings_count(trace_strings(t)) + (size_t)1, sizeof *f.no_label));
	look_at_tracks(&f, &loop);
	free(f.no_label);
	return loop.cancelled ? err_usage(e, "cancelled") : iteration_rules_sound(rules, e);
}
