/* Cutting a sequence at one of its names, and comparing the parts with the typical part. */
#include "period_parts.h"
#include "order.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

static void *alloc_array(size_t n, size_t size)
{
	return must(calloc(n + 1, size));
}

/* ---- the sequence ------------------------------------------------------------------------------------------------------- */

static void add_runs(struct sequence *s, const struct token *tokens)
{
	for (uint32_t i = 0; i < s->n_tokens; i++) {
		if (s->n && s->name[s->n - 1] == tokens[i].name)
			continue;
		s->name[s->n] = tokens[i].name;
		s->first[s->n] = i;
		s->at_ns[s->n] = tokens[i].at_ns;
		s->sign[s->n] = tokens[i].sign;
		s->n++;
	}
}

static void index_names(struct sequence *s)
{
	uint32_t *next = s->from + 1; /* becomes the end of each name's positions */
	for (uint32_t i = 0; i < s->n; i++)
		next[s->name[i] + 1]++;
	for (uint32_t i = 0; i < s->n_names; i++)
		next[i + 1] += next[i];
	for (uint32_t i = 0; i < s->n; i++)
		s->pos[next[s->name[i]]++] = i;
	for (uint32_t i = 0; i < s->n; i++)
		s->signs[i + 1] = s->signs[i] + (s->sign[i] != SIGN_NONE);
}

void sequence_make(struct sequence *s, const struct token *tokens, uint32_t n, uint32_t n_names)
{
	*s = (struct sequence){.n_names = n_names, .n_tokens = n};
	s->name = alloc_array(n, sizeof *s->name);
	s->first = alloc_array(n, sizeof *s->first);
	s->at_ns = alloc_array(n, sizeof *s->at_ns);
	s->sign = alloc_array(n, 1);
	s->pos = alloc_array(n, sizeof *s->pos);
	s->signs = alloc_array(n + 1u, sizeof *s->signs);
	s->from = alloc_array(n_names + 2u, sizeof *s->from);
	add_runs(s, tokens);
	index_names(s);
}

void sequence_free(struct sequence *s)
{
	free(s->name);
	free(s->first);
	free(s->at_ns);
	free(s->sign);
	free(s->pos);
	free(s->signs);
	free(s->from);
}

/* ---- parts -------------------------------------------------------------------------------------------------------------- */

/* Part i is [cut[i], cut[i + 1]). An incomplete part at an edge counts from half a part on; what is longer than one and a
 * half is work of another sort, of which one part's length is taken. */
struct parts {
	uint32_t *cut, n, length; /* length: median of the complete parts */
	uint64_t *same,
		*any; /* per part: sums over names of the smaller and the larger of (its count, the typical count) */
	uint32_t strange_first, strange_last;
};

static uint32_t median_of(uint32_t *v, uint32_t n)
{
	qsort(v, n, sizeof *v, u32_order);
	return v[(n - 1) / 2];
}

static uint32_t edge_length(uint32_t edge, uint32_t length)
{
	if (edge * 2 < length)
		return 0;
	return edge * 2 > length * 3 ? length : edge;
}

static void make_cuts(struct parts *p, const struct sequence *s, uint32_t name)
{
	const uint32_t *at = s->pos + s->from[name];
	/* the token that ends a step belongs to it: the cut lies behind */
	uint32_t count = s->from[name + 1] - s->from[name], behind = s->sign[at[0]] == SIGN_END;
	uint32_t *lengths = alloc_array(count, sizeof *lengths);
	for (uint32_t i = 1; i < count; i++)
		lengths[i - 1] = at[i] - at[i - 1];
	p->length = median_of(lengths, count - 1);
	free(lengths);
	p->cut = alloc_array(count + 2u, sizeof *p->cut);
	uint32_t n = 0, first = at[0] + behind, last = at[count - 1] + behind;
	uint32_t head = edge_length(first, p->length), tail = edge_length(s->n - last, p->length);
	if (head)
		p->cut[n++] = first - head;
	for (uint32_t i = 0; i < count; i++)
		p->cut[n++] = at[i] + behind;
	if (tail)
		p->cut[n++] = last + tail;
	p->n = n - 1;
}

static void parts_free(struct parts *p)
{
	free(p->cut);
	free(p->same);
	free(p->any);
}

/* How often each part has the name: in count[0 .. p->n). */
static void count_in_parts(const struct parts *p, const struct sequence *s, uint32_t name, uint32_t *count)
{
	uint32_t part = 0;
	memset(count, 0, p->n * sizeof *count);
	for (uint32_t i = s->from[name]; i < s->from[name + 1]; i++) {
		uint32_t at = s->pos[i];
		while (part < p->n && p->cut[part + 1] <= at)
			part++;
		if (part == p->n)
			return;
		if (at >= p->cut[part])
			count[part]++;
	}
}

/* A name most parts do not have: what is there of it only makes parts less alike. */
static void add_rare(struct parts *p, const struct sequence *s, uint32_t name)
{
	uint32_t part = 0;
	for (uint32_t i = s->from[name]; i < s->from[name + 1]; i++) {
		uint32_t at = s->pos[i];
		p->strange_first += at < p->cut[1];
		p->strange_last += at >= p->cut[p->n - 1];
		while (part < p->n && p->cut[part + 1] <= at)
			part++;
		if (part < p->n && at >= p->cut[part])
			p->any[part]++;
	}
}

static void compare(struct parts *p, const struct sequence *s)
{
	uint32_t *count = alloc_array(p->n, sizeof *count), *sorted = alloc_array(p->n, sizeof *sorted);
	p->same = alloc_array(p->n, sizeof *p->same);
	p->any = alloc_array(p->n, sizeof *p->any);
	for (uint32_t name = 0; name < s->n_names; name++) {
		uint32_t typical = 0;
		/* with fewer occurrences than half of the parts the typical count is 0, without counting */
		if ((s->from[name + 1] - s->from[name]) * 2 >= p->n) {
			count_in_parts(p, s, name, count);
			memcpy(sorted, count, p->n * sizeof *count);
			typical = median_of(sorted, p->n);
		}
		if (!typical) {
			add_rare(p, s, name);
			continue;
		}
		for (uint32_t i = 0; i < p->n; i++) {
			p->same[i] += count[i] < typical ? count[i] : typical;
			p->any[i] += count[i] > typical ? count[i] : typical;
		}
	}
	free(count);
	free(sorted);
}

static double likeness(const struct parts *p, uint32_t part)
{
	return p->any[part] ? (double)p->same[part] / (double)p->any[part] : 0;
}

static double mean_likeness(const struct parts *p)
{
	double sum = 0;
	for (uint32_t i = 0; i < p->n; i++)
		sum += likeness(p, i);
	return p->n ? sum / p->n : 0;
}

static bool has_sign(const struct sequence *s, const struct parts *p, uint32_t part)
{
	return s->signs[p->cut[part + 1]] > s->signs[p->cut[part]];
}

struct parts_quality parts_check(const struct sequence *s, uint32_t name)
{
	struct parts p = {0};
	struct parts_quality q = {0};
	uint32_t good = 0, signs = 0, covered = 0;
	make_cuts(&p, s, name);
	if (p.n >= 2) {
		compare(&p, s);
		for (uint32_t i = 0; i < p.n; i++) {
			bool alike = likeness(&p, i) >= 0.75;
			good += alike;
			covered += alike ? p.cut[i + 1] - p.cut[i] : 0;
			signs += has_sign(s, &p, i);
		}
		/* an evaluation after some of the optimizer's steps may be longer than all of them */
		bool covers = covered * 5 >= s->n * 3 || s->sign[s->pos[s->from[name]]] == SIGN_END;
		q.alike = good * 4 >= p.n * 3 && covers && p.length >= 2;
		q.signs = signs * 5 >= p.n * 4;
		q.strange_edges = p.strange_first + p.strange_last > 1 + p.length / 32;
		q.regularity = mean_likeness(&p);
	}
	parts_free(&p);
	return q;
}

void parts_cut(const struct sequence *s, uint32_t name, struct period *out)
{
	struct parts p = {0};
	make_cuts(&p, s, name);
	compare(&p, s);
	out->n_steps = p.n;
	out->regularity = mean_likeness(&p);
	out->cut = alloc_array(p.n + 1u, sizeof *out->cut);
	for (uint32_t i = 0; i <= p.n; i++)
		out->cut[i] = p.cut[i] < s->n ? s->first[p.cut[i]] : s->n_tokens;
	parts_free(&p);
}
