/* model/analysis/names/group_kind.h - which sort of parallelism a process group serves, by its recorded description. */
#ifndef STEPSCOPE_GROUP_KIND_H
#define STEPSCOPE_GROUP_KIND_H

/* "DP", "FSDP", "TP", "PP", "EP" or "CP" of descriptions like "mesh_tp", "TENSOR_MODEL_PARALLEL_GROUP", "dp_shard"; NULL when it says none
 * ("default_pg"), or more than one ("DATA_PARALLEL_GROUP_WITH_CP"). */
const char *group_kind(const char *description);
#endif
