/* importers/rocprof/columns.c - columns by their names, and what table they make. */
#include "rocprof.h"
#include <string.h>

/* In any case, with - for _. */
enum { MOST_SPELLINGS = 4 };
static const char *const spellings[COLUMNS][MOST_SPELLINGS] = {
	[NAME] = {"KernelName", "Kernel_Name"},
	[BEGIN] = {"BeginNs", "Start_Timestamp"},
	[END] = {"EndNs", "End_Timestamp", "Stop_Timestamp"},
	[DEVICE] = {"gpu_id", "Agent_Id"},
	[QUEUE] = {"queue_id"},
	[STREAM] = {"Stream_Id"},
	[CORRELATION] = {"Correlation_Id"},
	[SHARED] = {"lds", "LDS_Per_Workgroup", "LDS_Block_Size", "Group_Segment_Size"},
	[REGISTERS] = {"arch_vgpr", "vgpr", "VGPR_Count"},
	[DISPATCH] = {"Dispatch_Id"},
	[COUNTER] = {"Counter_Name"},
	[VALUE] = {"Counter_Value"},
	[DOMAIN] = {"Domain"},
	[FUNCTION] = {"Function"},
	[PROCESS] = {"Process_Id"},
	[THREAD] = {"Thread_Id"},
	[DIRECTION] = {"Direction"},
	[FROM] = {"Source_Agent_Id"},
	[TO] = {"Destination_Agent_Id"},
	[OPERATION] = {"Operation"},
	[SIZE] = {"Allocation_Size"},
	[ADDRESS] = {"Address"},
	[GRID] = {"grd", "Grid_Size"},
	[GRID_X] = {"Grid_Size_X"},
	[GRID_Y] = {"Grid_Size_Y"},
	[GRID_Z] = {"Grid_Size_Z"},
	[GROUP] = {"wgr", "Workgroup_Size"},
	[GROUP_X] = {"Workgroup_Size_X"},
	[GROUP_Y] = {"Workgroup_Size_Y"},
	[GROUP_Z] = {"Workgroup_Size_Z"},
};
/* What a table must have beside the times, in this order of certainty. */
#define BIT(column) (1u << (column))
static const uint32_t needs[TABLE_KINDS] = {
	[TABLE_KERNELS] = BIT(NAME) | BIT(DEVICE),
	[TABLE_COUNTERS] = BIT(NAME) | BIT(DEVICE) | BIT(DISPATCH) | BIT(COUNTER) | BIT(VALUE),
	[TABLE_CALLS] = BIT(DOMAIN) | BIT(FUNCTION) | BIT(THREAD),
	[TABLE_COPIES] = BIT(DIRECTION) | BIT(FROM) | BIT(TO),
	[TABLE_ALLOCATIONS] = BIT(OPERATION) | BIT(DEVICE) | BIT(SIZE) | BIT(ADDRESS),
	[TABLE_SCRATCH] = BIT(OPERATION) | BIT(DEVICE) | BIT(QUEUE) | BIT(THREAD),
};

static bool is_spelled(struct span s, const char *name)
{
	if (s.n != strlen(name))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i] == '-' ? '_' : s.p[i];
		if (strncasecmp(&c, name + i, 1) != 0)
			return false;
	}
	return true;
}

static unsigned find(const struct fields *head, enum field_of c)
{
	for (unsigned i = 0; i < head->n && i < MOST_FIELDS; i++)
		for (unsigned k = 0; k < MOST_SPELLINGS && spellings[c][k]; k++)
			if (is_spelled(head->at[i], spellings[c][k]))
				return i;
	return MOST_FIELDS;
}

bool table_head(struct table *t, const struct fields *head)
{
	uint32_t has = 0;
	t->fields = head->n;
	for (enum field_of c = 0; c < COLUMNS; c++) {
		t->place[c] = find(head, c);
		has |= t->place[c] < MOST_FIELDS ? BIT(c) : 0;
	}
	for (enum table_kind k = 0; k < TABLE_KINDS; k++) {
		uint32_t all = needs[k] | BIT(BEGIN) | BIT(END);
		if ((has & all) != all || (k == TABLE_KERNELS && has & BIT(COUNTER)))
			continue;
		t->kind = k;
		return true;
	}
	return false;
}
