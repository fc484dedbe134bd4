/* tests/fuzz/fuzz_nsys.c - any bytes as an export of Nsight Systems; its mutator changes them by SQL, too. */
#include <stdbool.h>
#include "importers/nsys/nsys.h"
#include "whole.h"
#include "mutate_database.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern const unsigned fuzz_every;

const unsigned fuzz_every = 8;
static const char *const text_columns[] = {"id", "value"};
static const struct row_table text_tables[] = {ROW_TABLE("StringIds", text_columns, NULL), {0}};
const struct row_table *const fuzz_known[] = {
	text_tables,         nsys_first_tables, nsys_device_tables, nsys_host_tables,
	nsys_payload_tables, nsys_nvtx_tables,  nsys_system_tables, NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	import_whole(&importer_nsys, data, size, 0, NULL);
	return 0;
}
