/* model/analysis/input/iterators_private.h - between iterators_graph.c (who calls whom) and iterators.c (what that took). */
#ifndef STEPSCOPE_ITERATORS_PRIVATE_H
#define STEPSCOPE_ITERATORS_PRIVATE_H
#include "iterators.h"

struct iterator_node { /* one call of one iterator */
	row_id row;
	uint32_t iterator; /* NONE_ID: the event has no id */
	uint32_t children; /* first edge, NONE_ID = none */
};
struct iterator_edge {
	uint32_t child, next;
};
struct iterator_graph { /* of one host; temporary, freed by iterator_graph_free */
	struct iterator_node *nodes;
	struct iterator_edge *edges;
	uint32_t n_nodes, cap_nodes, n_edges, cap_edges;
	uint32_t first_iterator; /* iterators of this host begin here in iterators.at */
	int64_t *device_ids;     /* roots of device pipelines */
	uint32_t n_device_ids;
};
/* Adds the host's iterators to `v`. The names array (a class per text, see iterator_names) tells iterators apart. */
void iterator_graph_read(struct iterator_graph *g, const struct derived *d, uint32_t host, const uint8_t *names,
			 struct iterators *v, struct arena *mem);
void iterator_graph_free(struct iterator_graph *g);
/* A class per text of the trace, by malloc; NULL when no text names an iterator. */
uint8_t *iterator_names(const struct derived *d);
bool iterator_is_root(const struct iterator *it); /* "Iterator::Prefetch": two parts */
#endif
