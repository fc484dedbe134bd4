/* tests/fuzz/fuzz_chrome.c - any bytes as a Chrome trace, all the way to the sealed trace. The window is tiny, so that every
 * boundary is crossed. What comes out must balance. */
#include "whole.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	import_whole(&importer_chrome, data, size, 7, NULL);
	return 0;
}
