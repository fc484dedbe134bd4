#include "alternate.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

/* In how many parts of each sort a name is, and in which one last: 1 + its number. */
struct turns {
	uint32_t in[2], last;
};

static void count(const struct token *tokens, uint32_t n, const int64_t *begin_ns, uint32_t n_parts,
		  struct turns *names)
{
	uint32_t part = 0;
	for (uint32_t i = 0; i < n; i++) {
		while (part < n_parts && tokens[i].at_ns >= begin_ns[part + 1])
			part++;
		if (part == n_parts)
			break;
		struct turns *x = &names[tokens[i].name];
		if (tokens[i].at_ns < begin_ns[0] || x->last == part + 1)
			continue;
		x->last = part + 1;
		x->in[part % 2]++;
	}
}

bool parts_alternate(const struct token *tokens, uint32_t n, uint32_t n_names, const int64_t *begin_ns,
		     uint32_t n_parts)
{
	enum { LEAST = 4 };
	const uint32_t of[2] = {(n_parts + 1) / 2, n_parts / 2};
	bool alone[2] = {false, false};
	if (of[1] < LEAST)
		return false;
	struct turns *names = must(calloc(n_names + (size_t)1, sizeof *names));
	count(tokens, n, begin_ns, n_parts, names);
	for (uint32_t i = 0; i < n_names; i++)
		for (int sort = 0; sort < 2; sort++)
			alone[sort] |= names[i].in[sort] + 1 >= of[sort] && !names[i].in[!sort];
	free(names);
	return alone[0] && alone[1];
}
