#include "input_names.h"
#include "model/store/base/grow.h"

void input_names_open(struct input_names *n, const struct trace *t, const str_id *like)
{
	*n = (struct input_names){.t = t, .like = like};
}

void input_names_close(struct input_names *n)
{
	free(n->names);
	free(n->types);
}

static void judge_op(struct input_name *x, const struct op_name *op)
{
	x->op = op->category != OP_UNKNOWN;
	x->dataset = op->category == OP_DATASET;
	x->by_op = (uint8_t)input_class_of_op(op);
	x->infeed = span_starts(op->type, "InfeedEnqueue");
	x->judged = true;
}

/* Of a name that is like no other before it. */
static const struct input_name *name_judged(struct input_names *n, str_id name)
{
	GROW_ZEROED(n->names, name, n->n_names);
	struct input_name *x = &n->names[name];
	if (x->judged)
		return x;
	struct op_name op = op_name_parse(strings_get(trace_strings(n->t), name));
	judge_op(x, &op);
	x->by_name = (uint8_t)input_class_of_name(trace_str(n->t, name));
	x->loads = input_name_loads(trace_str(n->t, name));
	x->reads = input_name_reads(trace_str(n->t, name));
	x->silent = !x->op && !x->loads && x->by_op == INPUT_NONE && x->by_name == INPUT_NONE;
	return x;
}

/* Ops of one type differ in their names alone, which matter for tf.data only. */
static const struct input_name *type_judged(struct input_names *n, row_id r, str_id type)
{
	GROW_ZEROED(n->types, type, n->n_types);
	struct input_name *x = &n->types[type];
	if (x->judged && !x->dataset)
		return x;
	struct op_name op = op_name_of(n->t, r);
	judge_op(x, &op);
	return x;
}

struct input_name input_name_of(struct input_names *n, row_id r)
{
	const struct columns *c = trace_columns(n->t);
	struct input_name x = *name_judged(n, n->like[c->name[r]]);
	x.key = c->name[r];
	const struct host_info *h = c->detail[r] ? trace_host_detail(n->t, r) : NULL;
	if (!h || !h->op_type)
		return x;
	const struct input_name *typed = type_judged(n, r, h->op_type);
	x.key = h->op;
	x.op = typed->op;
	x.by_op = typed->by_op;
	x.infeed = typed->infeed;
	return x;
}
