/* model/store/trace/replayed.c - names from a capture for the work of replayed graphs. */
#include "lazy_sections.h"
#include "packed_tables.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <string.h>

struct texts {
	str_id op, op_type, module;
};

static void fill_kernel(void *row, const struct texts *x, bool fresh)
{
	struct kernel_info *k = row;
	if (fresh)
		kernel_info_init(k);
	k->op = x->op;
	k->op_type = x->op_type;
	k->module = x->module ? x->module : k->module;
}

static void fill_copy(void *row, const struct texts *x, bool fresh)
{
	struct copy_info *c = row;
	if (fresh)
		copy_info_init(c);
	c->op = x->op;
	c->op_type = x->op_type;
}

/* The detail row that says the same and these texts: one for all work that had one row and was launched by one op. */
static uint32_t named_detail(struct column *rows, struct idmap *made, uint32_t old, const struct texts *x,
			     void (*fill)(void *row, const struct texts *x, bool fresh))
{
	uint32_t next = (uint32_t)(rows->n ? rows->n : 1);
	uint32_t row = *idmap_put(made, idmap_hash(x, sizeof *x, (uint64_t)old << 32 | (uint32_t)rows->size), next);
	if (row != next)
		return row;
	while (rows->n <= next)
		must(column_push(rows));
	void *to = (char *)rows->p + next * rows->size;
	memcpy(to, (const char *)rows->p + old * rows->size, rows->size);
	fill(to, x, old == 0);
	return next;
}

static void name_work(struct trace *t, struct idmap *made, const struct replayed_name *x)
{
	struct texts texts = {strings_addz(t->strings, x->op), strings_addz(t->strings, x->op_type),
			      strings_addz(t->strings, x->module)};
	const struct kernel_info *k = trace_kernel(t, x->row);
	const struct copy_info *c = trace_copy(t, x->row);
	if (!texts.op || (k && k->op) || (c && c->op))
		return;
	bool copy = t->kind[x->row] == KIND_COPY || t->kind[x->row] == KIND_MEMSET;
	t->detail[x->row] = copy ? named_detail(&t->copies, made, t->detail[x->row], &texts, fill_copy)
				 : named_detail(&t->kernels, made, t->detail[x->row], &texts, fill_kernel);
}

void trace_name_replayed(struct trace *t, const struct replayed_name *names, uint32_t n)
{
	struct idmap made = {0};
	const void *rows;
	trace_side_rows(t, SIDE_KERNELS, &rows);
	trace_side_rows(t, SIDE_COPIES, &rows);
	trace_side_rows(t, SIDE_REPLAYED, &rows);
	t->replayed.n = 0;
	t->replayed.size = sizeof(struct replayed_work);
	for (uint32_t i = 0; i < n; i++) {
		struct replayed_work *x = must(column_push(&t->replayed));
		*x = (struct replayed_work){.event = names[i].row,
					    .stack = strings_addz(t->strings, names[i].stack),
					    .match = (uint8_t)names[i].match};
		name_work(t, &made, &names[i]);
	}
	t->kernels_tell_no_op = t->kernels_tell_no_texts = false;
	if (t->lazy)
		atomic_store(&t->lazy->texts, LAZY_YES);
	idmap_free(&made);
}
