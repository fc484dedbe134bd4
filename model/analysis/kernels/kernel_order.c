#include "kernel_order.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/halves.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

struct order {
	const struct kernel_stats *s;
	const struct columns *c;
	struct launch_shapes *shapes;
	uint32_t *shape; /* per kernel: its number; NONE_ID: not met before */
	uint32_t *ranks; /* per number: its place among all */
	struct ordered_kernel *at;
	uint32_t *end; /* per kind: the place after its last */
};
struct dealer {
	READER_APART struct order *o;
	uint32_t *place;              /* per kind: how many there are, then where the next one goes */
	uint32_t unmet;               /* kernels whose shapes were not met before */
	struct ordered_kernel *spare; /* as many as one name has at most */
};

/* ---- by kind ---------------------------------------------------------------------------------------------------------------- */

/* Of shapes that were met before. */
static bool look_up(void *reader, uint32_t from, uint32_t to)
{
	enum { AHEAD = 16 };
	struct dealer *x = reader;
	struct order *o = x->o;
	const struct kernel_row *kernels = o->s->kernels;
	for (uint32_t i = from; i < to; i++) {
		if (i + AHEAD < to)
			launch_shape_met_ahead(o->shapes, kernels[i + AHEAD].row);
		o->shape[i] = launch_shape_met(o->shapes, kernels[i].row);
		x->unmet += o->shape[i] == NONE_ID;
		x->place[kernels[i].kind]++;
	}
	return true;
}

static void meet_the_rest(struct order *o)
{
	const struct kernel_row *kernels = o->s->kernels;
	for (size_t i = 0; i < o->s->n_kernels; i++) {
		if (o->shape[i] != NONE_ID)
			continue;
		launch_shapes_ahead(o->shapes, kernels[i].row);
		o->shape[i] = launch_shape_of(o->shapes, kernels[i].row);
	}
}

/* Numbers become places: of a kind first those of the first half. How many there are. */
static uint32_t places_of(struct dealer of[2], uint32_t kinds, uint32_t *end)
{
	uint32_t sum = 0;
	for (uint32_t i = 0; i < kinds; i++)
		for (int k = 0; k < 2; k++) {
			uint32_t n = of[k].place[i];
			of[k].place[i] = sum;
			end[i] = sum += n;
		}
	return sum;
}

static bool deal(void *reader, uint32_t from, uint32_t to)
{
	struct dealer *x = reader;
	const struct order *o = x->o;
	const struct kernel_row *kernels = o->s->kernels;
	for (uint32_t i = from; i < to; i++) {
		const struct kernel_row k = kernels[i];
		int64_t ns = query_clipped_ns(&o->s->q, o->c->start_ns[k.row], row_end(o->c, k.row));
		o->at[x->place[k.kind]++] = (struct ordered_kernel){k.row, k.kind, o->ranks[o->shape[i]],
								    ns < NS_TOO_LONG ? (uint32_t)ns : NS_TOO_LONG};
	}
	return true;
}

/* ---- of one name by launch ---------------------------------------------------------------------------------------------- */

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, FEW = 48 };

static uint32_t digit(const struct ordered_kernel *x, int pass)
{
	return x->shape >> (pass * DIGIT_BITS) & (DIGITS - 1);
}

static void insert_few(struct ordered_kernel *at, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct ordered_kernel x = at[i];
		uint32_t k = i;
		for (; k && at[k - 1].shape > x.shape; k--)
			at[k] = at[k - 1];
		at[k] = x;
	}
}

/* False when all have the same digit. */
static bool deal_by_digit(const struct ordered_kernel *from, struct ordered_kernel *to, uint32_t n, int pass)
{
	uint32_t place[DIGITS] = {0}, sum = 0;
	for (uint32_t i = 0; i < n; i++)
		place[digit(&from[i], pass)]++;
	if (place[digit(&from[0], pass)] == n)
		return false;
	for (uint32_t i = 0; i < DIGITS; i++) {
		uint32_t here = place[i];
		place[i] = sum;
		sum += here;
	}
	for (uint32_t i = 0; i < n; i++)
		to[place[digit(&from[i], pass)]++] = from[i];
	return true;
}

/* The lowest digit first: each pass is stable, so kinds and kernels of one launch stay as they are. */
static void sort_name(struct ordered_kernel *at, uint32_t n, uint32_t shapes, struct ordered_kernel *spare)
{
	struct ordered_kernel *from = at, *to = spare;
	if (n < FEW) {
		insert_few(at, n);
		return;
	}
	for (int pass = 0; (uint64_t)shapes >> (pass * DIGIT_BITS); pass++)
		if (deal_by_digit(from, to, n, pass)) {
			struct ordered_kernel *swap = from;
			from = to;
			to = swap;
		}
	if (from != at)
		memcpy(at, from, n * sizeof *at);
}

/* The kind after the last one of the same name. */
static uint32_t name_end(const struct kernel_stats *s, uint32_t kind)
{
	uint32_t name = s->kinds[kind].name_rank;
	while (kind < s->n_kinds && s->kinds[kind].name_rank == name)
		kind++;
	return kind;
}

static uint32_t begin_of(const struct order *o, uint32_t kind)
{
	return kind ? o->end[kind - 1] : 0;
}

static uint32_t most_of_a_name(const struct order *o)
{
	uint32_t most = 0;
	for (uint32_t kind = 0, next; kind < o->s->n_kinds; kind = next) {
		next = name_end(o->s, kind);
		uint32_t n = o->end[next - 1] - begin_of(o, kind);
		most = n > most ? n : most;
	}
	return most;
}

static bool sort_names(void *reader, uint32_t from, uint32_t to)
{
	struct dealer *x = reader;
	const struct order *o = x->o;
	x->spare = must(malloc((most_of_a_name(o) + (size_t)1) * sizeof *x->spare));
	for (uint32_t kind = from, next; kind < to; kind = next) {
		next = name_end(o->s, kind);
		uint32_t begin = begin_of(o, kind);
		sort_name(o->at + begin, o->end[next - 1] - begin, launch_shapes_count(o->shapes), x->spare);
	}
	free(x->spare);
	return true;
}

/* Between two names: where about half of the kernels are sorted. */
static struct halves halves_of_names(const struct order *o, uint32_t n)
{
	struct halves list = halves_of_list(o->s->d, n), names = {0, o->s->n_kinds};
	if (!halves_two(&list))
		names.middle = names.end;
	while (names.middle < names.end && begin_of(o, names.middle) < list.middle)
		names.middle = name_end(o->s, names.middle);
	return names;
}

/* ---- all of it ---------------------------------------------------------------------------------------------------------- */

static void order_open(struct order *o, struct dealer of[2])
{
	o->shape = must(malloc((o->s->n_kernels + 1) * sizeof *o->shape));
	o->end = must(malloc((o->s->n_kinds + (size_t)1) * sizeof *o->end));
	for (int i = 0; i < 2; i++)
		of[i] = (struct dealer){.o = o, .place = must(calloc(o->s->n_kinds + (size_t)1, sizeof *of[i].place))};
}

static void order_free(struct order *o, struct dealer of[2])
{
	free(o->shape);
	free(o->ranks);
	free(o->end);
	free(of[0].place);
	free(of[1].place);
}

struct ordered_kernel *kernels_ordered(const struct kernel_stats *s, struct launch_shapes *shapes, uint32_t *n)
{
	struct order o = {.s = s, .c = derived_columns(s->d), .shapes = shapes};
	struct halves h = halves_of_list(s->d, (uint32_t)s->n_kernels), names;
	struct dealer of[2];
	order_open(&o, of);
	halves_read(&h, look_up, &of[0], &of[1]);
	if (of[0].unmet || of[1].unmet)
		meet_the_rest(&o);
	o.ranks = launch_shapes_ranks(shapes);
	*n = places_of(of, s->n_kinds, o.end);
	o.at = must(malloc((*n + (size_t)1) * sizeof *o.at));
	halves_read(&h, deal, &of[0], &of[1]);
	free(o.shape);
	o.shape = NULL;
	names = halves_of_names(&o, *n);
	halves_read(&names, sort_names, &of[0], &of[1]);
	order_free(&o, of);
	return o.at;
}
