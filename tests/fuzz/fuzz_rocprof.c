/* tests/fuzz/fuzz_rocprof.c - any bytes as a table of rocprof, in a tiny window. What comes out must balance. */
#include "whole.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	importer_rocprof.sniff(data, size);
	import_whole(&importer_rocprof, data, size, 61, NULL);
	return 0;
}
