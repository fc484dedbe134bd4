/* tests/fuzz/fuzz_nsys.c - any bytes as an export of Nsight Systems; its mutator changes them by SQL, too. */
#include <stdbool.h>
#include "whole.h"
#include "mutate_database.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern const unsigned fuzz_every;

const unsigned fuzz_every = 8;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	import_whole(&importer_nsys, data, size, 0, NULL);
	return 0;
}
