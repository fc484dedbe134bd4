/* tests/fuzz/fuzz_rocpd.c - any bytes as a database of rocprofv3; its mutator changes them by SQL, too. */
#include <stdbool.h>
#include "importers/rocpd/rocpd.h"
#include "whole.h"
#include "mutate_database.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern const unsigned fuzz_every;

const unsigned fuzz_every = 8;
/* What is looked up by number; no other table names a column of these. */
static const char *const text_columns[] = {"id", "string"};
static const char *const event_columns[] = {"id", "stack_id", "correlation_id", "category_id"};
static const char *const symbol_columns[] = {"id", "display_name", "kernel_name", "arch_vgpr_count"};
static const struct row_table looked_up[] = {ROW_TABLE("rocpd_string", text_columns, NULL),
					     ROW_TABLE("rocpd_event", event_columns, NULL),
					     ROW_TABLE("rocpd_info_kernel_symbol", symbol_columns, NULL),
					     {0}};
const struct row_table *const fuzz_known[] = {looked_up, rocpd_tables, rocpd_info_tables, NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	import_whole(&importer_rocpd, data, size, 0, NULL);
	return 0;
}
