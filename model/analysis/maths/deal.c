#include "deal.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

void deal_by(const uint32_t *from, uint32_t *to, uint32_t n, uint32_t keys, deal_key *key, const void *arg)
{
	uint32_t *place = must(calloc(keys + (size_t)1, sizeof *place)); /* of the next number that has the key */
	for (uint32_t i = 0; i < n; i++)
		place[key(arg, from[i]) + 1]++;
	for (uint32_t i = 1; i < keys; i++)
		place[i] += place[i - 1];
	for (uint32_t i = 0; i < n; i++)
		to[place[key(arg, from[i])]++] = from[i];
	free(place);
}
