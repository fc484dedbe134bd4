/* attention_context: what attention takes of iterations, by how far back their requests look. */
#include "attention_context_columns.h"
#include "iterations.h"
#include "model/analysis/query/cells.h"
#include "model/query.h"

TABLE_DECL(attention_context);

static const struct column columns[] = {ATTENTION_CONTEXT_COLUMNS(COLUMN_ROW)};

/* Of one kind and one power of two of context tokens for each request. */
struct sums {
	uint32_t n, longest; /* of most context tokens */
	int64_t tokens, attention_ns, kernel_ns;
};
enum { POWERS = 63 };

/* The power of two that is not above the mean of the requests' context; -1: unknown. */
static int power_of(const struct iteration *x)
{
	const struct iteration_label *l = &x->label;
	if (l->requests == UNKNOWN_I64 || l->requests <= 0 || l->context_tokens == UNKNOWN_I64 || !x->kernel_ns)
		return -1;
	int power = 0;
	for (int64_t each = l->context_tokens / l->requests; each > 1; each /= 2)
		power++;
	return l->context_tokens >= l->requests ? power : -1;
}

static void add_up(struct sums *s, const struct iterations *v, uint32_t i)
{
	const struct iteration *x = &v->at[i];
	if (!s->n || x->label.context_tokens > v->at[s->longest].label.context_tokens)
		s->longest = i;
	s->n++;
	s->tokens += x->label.context_tokens;
	s->attention_ns += x->attention_ns;
	s->kernel_ns += x->kernel_ns;
}

static void add_row(struct table *out, const struct iterations *v, enum iteration_kind kind, int power,
		    const struct sums *s)
{
	struct cell *row = table_row(out);
	const struct iteration *longest = &v->at[s->longest];
	cell_text(&row[COL_ATTENTION_CONTEXT_KIND], iteration_kind_name(kind));
	cell_int(&row[COL_ATTENTION_CONTEXT_FROM], INT64_C(1) << power);
	cell_int(&row[COL_ATTENTION_CONTEXT_BELOW], power + 1 < POWERS ? INT64_C(1) << (power + 1) : UNKNOWN_I64);
	cell_int(&row[COL_ATTENTION_CONTEXT_COUNT], s->n);
	cell_real(&row[COL_ATTENTION_CONTEXT_TOKENS], (double)s->tokens / s->n);
	cell_int(&row[COL_ATTENTION_CONTEXT_MEAN], s->attention_ns / s->n);
	cell_pct(&row[COL_ATTENTION_CONTEXT_SHARE], s->attention_ns, s->kernel_ns);
	cell_real(&row[COL_ATTENTION_CONTEXT_EACH], 1000.0 * (double)s->attention_ns / (double)s->tokens);
	table_evidence(out, longest->first_ns, longest->first_ns + longest->dur_ns, &longest->marker, 1);
}

static struct table *run_attention_context(const struct derived *d, const struct query *q, struct arena *mem,
					   struct progress *p, struct err *e)
{
	const struct iterations *v = iterations_of(d, p, e);
	if (!v)
		return NULL;
	struct table *out = table_new(mem, &attention_context_desc);
	struct sums(*sums)[POWERS] = arena_alloc(mem, ITERATION_KIND_COUNT * sizeof *sums);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < v->n; i++) {
		int power = query_holds(q, v->at[i].first_ns) ? power_of(&v->at[i]) : -1;
		if (power >= 0 && event_wanted(d, q, v->at[i].marker))
			add_up(&sums[v->at[i].label.kind][power], v, i);
	}
	for (int kind = 0; kind < ITERATION_KIND_COUNT; kind++)
		for (int power = 0; power < POWERS; power++)
			if (sums[kind][power].n)
				add_row(out, v, (enum iteration_kind)kind, power, &sums[kind][power]);
	return out;
}

const struct table_desc attention_context_desc = {
	.name = "attention_context",
	.title = "Attention by context",
	.help = "time of attention in a server's iterations, by how many tokens their requests look back at",
	TABLE_COLUMNS(columns),
	.run = run_attention_context,
	.lead = 2,
	.report = {.intro = "by how many tokens requests look back at, where labels state them",
		   .brief = COLUMN_LIST(COL_ATTENTION_CONTEXT_KIND, COL_ATTENTION_CONTEXT_FROM,
					COL_ATTENTION_CONTEXT_COUNT, COL_ATTENTION_CONTEXT_MEAN,
					COL_ATTENTION_CONTEXT_SHARE, COL_ATTENTION_CONTEXT_EACH),
		   .all_rows = true},
	.vs = {.key = COLUMN_LIST(COL_ATTENTION_CONTEXT_KIND, COL_ATTENTION_CONTEXT_FROM),
	       .sums = COLUMN_LIST(COL_ATTENTION_CONTEXT_MEAN, COL_ATTENTION_CONTEXT_EACH, COL_ATTENTION_CONTEXT_COUNT),
	       .whole = true,
	       .all_time = true},
};
