#include "arg_list.h"
#include "model/store/base/spans.h"
#include <stdlib.h>
#include <string.h>

/* clang-format off */
/* PyTorch, TensorFlow, JAX, XLA. */
static const char *const numbers[] = {
	"Addr", "Bytes", "Dst Rank", "Ev Idx", "External id", "Fwd thread id", "Group size", "In msg nelems",
	"In split size", "Input Dims", "Input Strides", "Input dims", "Op count", "Out msg nelems", "Out split size",
	"Output dims", "Process Group Ranks", "Python id", "Python module id", "Python parent id",
	"Record function id", "Seq", "Sequence number", "Src Rank", "Total Allocated", "Total Reserved",
	"Trace iteration", "_a", "_c", "_ct", "_ipl_stage_id", "_p", "_pt", "_r", "addr", "all_reduce_unique_id", "avg ms",
	"allocation_bytes", "block", "blocks per SM", "buffer_limit", "bytes", "bytes_accessed", "bytes_allocated",
	"bytes_available", "bytes_reserved", "cbid", "cid", "context", "context_id", "correlation", "correlation_id",
	"count",
	"device", "device_duration_ps", "device_id", "device_offset_ps", "device_ordinal", "dims", "element_id",
	"est. achieved occupancy %", "external id", "external ts", "flops", "flow", "fragmentation", "fromDevice",
	"grid", "group_id", "id", "index_on_host", "is_eager", "is_func", "iter_num", "level 0",
	"memory bandwidth (GB/s)", "model_flops", "num_output_control_edges", "num_output_edges", "num_stages",
	"num_warps", "occupancy_min_grid_size", "occupancy_suggested_block_size", "parallelism", "parent_id",
	"peak_bytes_in_use", "priority", "program_id", "ptr", "queue_id", "queued", "raw_bytes_accessed",
	"registers per thread", "replica_id", "requested_bytes", "run_id", "shared memory", "size", "smemPerBlock",
	"src", "dst", "step_num", "stream", "strides", "symbol_id", "theoretical achieved occupancy %",
	"theoretical_occupancy_pct", "toDevice", "tracing_count", "warps per SM", "Device Id", "Rank", "Device",
	"wait_on_stream", "wait_on_cuda_event_record_corr_id", "wait_on_cuda_event_id"};
/* Names of types and kinds, which producers have a few of. */
static const char *const words[] = {
	"Collective name", "Device Type", "Input type", "Memset_details", "Output type", "core_type", "data_type",
	"dtype", "kernel_details", "layout", "memcpy_details", "memory_access_breakdown", "shape_with_layout"};
static const char *const texts[] = {
	"Call stack", "Concrete Inputs", "Extra arguments", "Input names", "Module Hierarchy", "Output names",
	"Process Group Description", "Process Group Name", "Trace name", "_ipl_stage_cat", "_ipl_stage_name",
	"allocator_name", "annotation", "arg_shapes", "deduplicated_name", "edge_name", "equation", "finished", "from",
	"func_name", "graph_type", "hlo_category", "hlo_module", "hlo_op", "input_shapes", "kernel", "kernel_backend",
	"kernel_kwargs", "kernel_name", "kind", "long_name", "module_name", "name", "op", "region_type", "scope", "shape",
	"shapes", "step_name", "tf_function_call", "tf_op", "to", "type", "types"};
/* clang-format on */

/* "smsp__inst_executed.sum" */
static bool is_hardware_counter(const char *key)
{
	const char *mark = strstr(key, "__");
	return mark && mark > key && !key[strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_.")];
}

/* Inputs of an op in TensorFlow 1's timelines: "input0", "input1", ... */
static bool is_input(const char *key)
{
	return !strncmp(key, "input", 5) && key[5] && !key[5 + strspn(key + 5, "0123456789")];
}

enum arg_rule arg_rule(const char *key)
{
	if (TEXT_IS_ONE_OF(key, numbers) || is_hardware_counter(key))
		return ARG_GOES_AS_NUMBER;
	if (TEXT_IS_ONE_OF(key, words))
		return ARG_GOES_AS_WORD;
	return TEXT_IS_ONE_OF(key, texts) || is_input(key) ? ARG_GOES : ARG_STAYS;
}

bool arg_is_number(const char *text)
{
	static const char *const others[] = {"true", "false", "null"};
	return TEXT_IS_ONE_OF(text, others) || !text[strspn(text, "0123456789abcdefxABCDEF.,:$+-[](){} \"")];
}
