/* The longest groups of kernels, without making all of them, of which there may be nearly as many as kernels. Each kernel falls into one of
 * the many slots of its class, all kernels of a group into the same one: no group is longer than what its slot adds up to. */
#include "kernel_stats.h"
#include "launch_shapes.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/halves.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_SLOTS = 1 << 19, FEWEST_SLOTS = 1 << 8, AHEAD = 16 };
struct slots {
	const struct kernel_stats *s;
	const uint8_t *class; /* per kind */
	uint32_t *of;         /* per kernel */
	int64_t *ns;          /* per slot: all of its kernels */
	uint32_t *from;       /* per class: slots [from[class], from[class + 1]), a power of two */
};

/* ---- slots ---------------------------------------------------------------------------------------------------------------- */

/* About as many as the class has kernels. */
static uint32_t slots_for(uint64_t kernels)
{
	uint32_t n = FEWEST_SLOTS;
	while (n < kernels && n < MOST_SLOTS)
		n *= 2;
	return n;
}

static uint32_t *slots_of_classes(const struct kernel_stats *s, const uint8_t *class, uint32_t classes)
{
	uint32_t *from = must(malloc((classes + (size_t)1) * sizeof *from));
	uint64_t *kernels = must(calloc(classes + (size_t)1, sizeof *kernels));
	for (size_t i = 0; i < s->n_kernels; i++)
		kernels[class[s->kernels[i].kind]]++;
	from[0] = 0;
	for (uint32_t i = 0; i < classes; i++)
		from[i + 1] = from[i] + slots_for(kernels[i]);
	free(kernels);
	return from;
}

static uint32_t slot_of(const struct slots *x, const struct kernel_row *k)
{
	const uint32_t *from = &x->from[x->class[k->kind]];
	uint64_t h = (uint64_t)k->kind << 32 | launch_shape_hash(derived_trace(x->s->d), k->row);
	return from[0] + ((uint32_t)(h * 0x9E3779B97F4A7C15u >> 32) & (from[1] - from[0] - 1));
}

/* One half of the kernels. */
struct slot_reader {
	READER_APART const struct slots *x;
	int64_t *ns;               /* per slot: of this half */
	const uint8_t *wanted;     /* of some kernels: a bit per slot, */
	struct kernel_row *picked; /* and they, */
	size_t n;                  /* so many */
};

/* Slots lie anywhere: each is fetched some kernels before it is added to. */
static bool add_up(void *reader, uint32_t from, uint32_t to)
{
	const struct slot_reader *r = reader;
	const struct slots *x = r->x;
	const struct columns *c = derived_columns(x->s->d);
	for (uint32_t i = from; i < to + AHEAD; i++) {
		if (i < to) {
			facts_ahead(x->s->d, x->s->kernels[i].row);
			x->of[i] = slot_of(x, &x->s->kernels[i]);
			__builtin_prefetch(&r->ns[x->of[i]], 1);
		}
		if (i < from + AHEAD)
			continue;
		row_id row = x->s->kernels[i - AHEAD].row;
		r->ns[x->of[i - AHEAD]] += query_clipped_ns(&x->s->q, c->start_ns[row], row_end(c, row));
	}
	return true;
}

static struct slots slots_new(const struct kernel_stats *s, const uint8_t *class, uint32_t classes)
{
	struct slots x = {.s = s, .class = class, .from = slots_of_classes(s, class, classes)};
	struct halves h = halves_of_list(s->d, (uint32_t)s->n_kernels);
	struct slot_reader of[2] = {{.x = &x}, {.x = &x}};
	x.of = must(malloc((s->n_kernels + 1) * sizeof *x.of));
	for (int i = 0; i < 1 + halves_two(&h); i++)
		of[i].ns = must(calloc(x.from[classes], sizeof *of[i].ns));
	halves_read(&h, add_up, &of[0], &of[1]);
	x.ns = of[0].ns;
	for (uint32_t i = 0; of[1].ns && i < x.from[classes]; i++)
		x.ns[i] += of[1].ns[i];
	free(of[1].ns);
	return x;
}

static void slots_free(struct slots *x)
{
	free(x->of);
	free(x->ns);
	free(x->from);
}

/* ---- the longest of each class -------------------------------------------------------------------------------------------- */

/* Per class how much its longest slot has; to be freed. */
static int64_t *longest_slots(const struct slots *x, uint32_t classes)
{
	int64_t *longest = must(calloc(classes + (size_t)1, sizeof *longest));
	for (uint32_t class = 0; class < classes; class ++)
		for (uint32_t i = x->from[class]; i < x->from[class + 1]; i++)
			if (x->ns[i] > longest[class])
				longest[class] = x->ns[i];
	return longest;
}

/* The same of groups. */
static int64_t *longest_groups(const struct kernel_stats *s, const uint8_t *class, uint32_t classes)
{
	int64_t *longest = must(calloc(classes + (size_t)1, sizeof *longest));
	for (uint32_t i = 0; i < s->n; i++) {
		int64_t *of = &longest[class[s->kind_of[i]]];
		*of = s->group_ns[i] > *of ? s->group_ns[i] : *of;
	}
	return longest;
}

/* ---- groups of some kernels ----------------------------------------------------------------------------------------------- */

/* The slots that have at least as much as is asked of their class, as bits; to be freed. */
static uint8_t *slots_with(const struct slots *x, const int64_t *least, uint32_t classes)
{
	uint8_t *wanted = must(calloc(x->from[classes] / 8 + (size_t)1, 1));
	for (uint32_t class = 0; class < classes; class ++)
		for (uint32_t i = x->from[class]; i < x->from[class + 1]; i++)
			wanted[i >> 3] |= (uint8_t)((x->ns[i] >= least[class]) << (i & 7));
	return wanted;
}

static bool pick(void *reader, uint32_t from, uint32_t to)
{
	struct slot_reader *r = reader;
	const struct slots *x = r->x;
	r->picked += from;
	for (uint32_t i = from; i < to; i++) {
		r->picked[r->n] = x->s->kernels[i];
		r->n += r->wanted[x->of[i] >> 3] >> (x->of[i] & 7) & 1;
	}
	return true;
}

/* Of the kernels whose slot has at least as much as is asked of their class. */
static void make_groups_of(struct kernel_stats *s, const struct slots *x, const int64_t *least, uint32_t classes,
			   struct arena *mem)
{
	struct kernel_stats some = *s;
	struct halves h = halves_of_list(s->d, (uint32_t)s->n_kernels);
	uint8_t *wanted = slots_with(x, least, classes);
	some.kernels = must(malloc((s->n_kernels + 1) * sizeof *some.kernels));
	struct slot_reader of[2] = {{.x = x, .wanted = wanted, .picked = some.kernels},
				    {.x = x, .wanted = wanted, .picked = some.kernels}};
	halves_read(&h, pick, &of[0], &of[1]);
	if (of[1].n)
		memmove(some.kernels + of[0].n, of[1].picked, of[1].n * sizeof *some.kernels);
	some.n_kernels = of[0].n + of[1].n;
	free(wanted);
	kernel_stats_make_groups(&some, NULL, mem);
	free(some.kernels);
	some.kernels = s->kernels;
	some.n_kernels = s->n_kernels;
	*s = some;
}

/* First those of the longest slots; what these come to at least is then asked of every slot, where it is less than that of the slots. */
void kernel_stats_make_longest(struct kernel_stats *s, const uint8_t *class, uint32_t classes, struct arena *mem)
{
	const struct kernel_stats bare = *s;
	struct slots x = slots_new(&bare, class, classes);
	struct arena first = {0};
	int64_t *slots = longest_slots(&x, classes);
	make_groups_of(s, &x, slots, classes, &first);
	int64_t *groups = longest_groups(s, class, classes);
	if (memcmp(slots, groups, classes * sizeof *slots) != 0) {
		*s = bare;
		arena_free(&first);
		make_groups_of(s, &x, groups, classes, mem);
	}
	arena_adopt(mem, &first);
	slots_free(&x);
	free(slots);
	free(groups);
}
