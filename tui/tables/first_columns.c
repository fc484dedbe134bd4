#include "first_columns.h"
#include <stddef.h>
#include <string.h>

#define STEP_FIRST "device dur_ns device_compute_ns input_ns kernel_launch_ns host_compute_ns other_ns"
/* What people look at first; the other columns follow in the table's own order. */
static const struct {
	const char *table, *columns;
} lists[] = {
	/* by name there are no launch shapes and nothing that follows from them */
	{"kernels",
	 "name share_pct total_ns count avg_ns occupancy_pct limited_by waves tail_loss_pct block grid min_ns max_ns "
	 "uses_tc precision op family per_step p50_ns p95_ns p99_ns"},
	{"kernel_families", "family share_pct total_ns count kernels avg_ns tc_pct top_kernel"},
	{"ops", "host_or_device operation share_pct total_self_time occurrences avg_time measured_flop_rate "
		"roofline_pct bound_by "
		"type eager placement total_time pieces measured_memory_bw"},
	{"op_tree", "tree device_pct device_total_ns device_self_ns host_total_ns host_self_ns calls"},
	{"roofline", "op bound_by share_pct time_ns lost_ns flop_rate roof_flops byte_rate intensity"},
	{"gaps", "gap scope device dur_ns share_pct verdict confidence cause before after cause_ns"},
	{"verdicts", "gap scope device lost_ns verdict confidence cause dur_ns before after cause_ns"},
	{"gap_groups", "group scope device count total_ns verdict confidence cause place per_step period_ns "
		       "period_every_k_ns saved_pct every_k mean_ns"},
	{"idle", "step device dur_ns idle_ns idle_pct input_wait_pct host_bound_pct launch_latency_pct sync_wait_pct "
		 "copy_wait_pct unknown_pct"},
	{"step_parts", "label share_pct mean_ns sd_ns min_ns max_ns samples of"},
	{"iterators", "iterator self_ns total_ns calls bottleneck parent blocking async pipeline"},
	{"compiles", "step dur_ns name kind after_warmup shape previous_shape thread"},
	{"phases",
	 "step device forward_pct loss_pct backward_pct optimizer_pct other_pct forward_ns backward_ns optimizer_ns "
	 "loss_ns other_ns work_ns by"},
	{"streams",
	 "device stream role busy_ns compute_pct h2d_pct d2h_pct d2d_pct collective_pct memset_pct kernels copies"},
	{"fusion", "saved_ns saved_pct kernels count device ops scope in_ns between_ns per_step avg_ns"},
	{"copies",
	 "kind size count total_ns blocked_ns expected bytes_per_s bytes op op_by caller places in_steps memory"},
	{"launches", "op launch_bound_ns count latency_p50_ns latency_p99_ns kernel queue_max call_ns not_launched_ns"},
	{"launch_totals", "device launch_bound_pct latency_p50_ns latency_p99_ns calls graph_pct short_pct queue_max"},
	{"queue", "device stream bucket depth_mean depth_max waiting_ns full_ns blocked_ns start_ns calls"},
	{"tiny_ops", "op idle_ns total_ns avg_ns runs verdict kernels call_ns kernel type"},
	{"syncs", "name op device idle_ns count total_ns drained waited_ns"},
	{"tensor_cores", "kernel reason total_ns detail stake_ns op kind precision count share_pct"},
	{"gpu_metrics", "device utilization_pct sm_efficiency_pct occupancy_pct kernel_ns kernels name"},
	{"findings", "severity sentence value title"},
	{"steps", "step " STEP_FIRST},
};

const char *first_columns(const char *table, bool cut)
{
	if (cut && strcmp(table, "steps") == 0)
		return "step cut " STEP_FIRST;
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (strcmp(lists[i].table, table) == 0)
			return lists[i].columns;
	return NULL;
}
