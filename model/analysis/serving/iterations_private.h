/* model/analysis/serving/iterations_private.h - between the files that find iterations. */
#ifndef STEPSCOPE_ITERATIONS_PRIVATE_H
#define STEPSCOPE_ITERATIONS_PRIVATE_H
#include "iterations.h"
#include "model/analysis/rules/family_rules.h"
#include "model/store/base/grow.h"

struct iteration_list {
	struct iteration *at;
	uint32_t n, cap;
};
/* Appends one that nothing is known of but where it begins and ends. */
struct iteration *iteration_add(const struct derived *d, struct iteration_list *v, row_id marker, int64_t end_ns);
/* iteration_labels.c: by labels, with nested ones made one. False with `e` on cancel. */
bool iterations_by_label(const struct derived *d, struct iteration_rules *rules, struct iteration_list *out,
			 struct progress *p, struct err *e);
/* iteration_graphs.c: by launches of graphs. */
bool iterations_by_graph(const struct derived *d, struct iteration_list *out, struct progress *p, struct err *e);
/* iteration_work.c: the device work of each, and the times that follow from it. */
bool iterations_measure(const struct derived *d, struct iteration_list *v, struct progress *p, struct err *e);
/* iteration_captured.c: for how many tokens their graphs were captured; they are measured. */
void iterations_set_captured(const struct derived *d, struct iteration_list *v, const struct family_memo *families);
/* At least half of the device work that `v` is about belongs to it: it is what the trace is about. */
bool iterations_have_most(const struct derived *d, const struct iteration_list *v);
#endif
