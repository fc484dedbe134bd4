/* tests/fuzz/fuzz_nsys.c - any bytes as an SQLite database of Nsight Systems or, where the name of one of its tables is there, of rocprofv3, all
 * the way to the sealed trace. What comes out must balance. */
#include "whole.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern const unsigned fuzz_every;

const unsigned fuzz_every = 4;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool amd = importer_rocpd.sniff(data, size) > importer_nsys.sniff(data, size);
	import_whole(amd ? &importer_rocpd : &importer_nsys, data, size, 0, NULL);
	return 0;
}
