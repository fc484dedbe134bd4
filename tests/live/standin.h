/* tests/live/standin.h - how the stand-in driver tells the stand-in CUPTI what the program does.
 * Both are ours, prove our own code, and say nothing about NVIDIA's libraries or their speed. */
#ifndef STANDIN_H
#define STANDIN_H
#include <stdint.h>

enum standin_what {
	STANDIN_KERNEL = 1,
	STANDIN_COPY,
	STANDIN_MEMSET,
	STANDIN_SYNC,
	STANDIN_GRAPH, /* a whole launch, told before its nodes */
	STANDIN_ALLOC,
	STANDIN_FREE
};

struct standin_work {
	enum standin_what what;
	const char *name; /* kernels */
	uint32_t context, stream, corr;
	int32_t grid[3], block[3];
	uint32_t smem_bytes;
	uint64_t bytes, address, dur_ns;
	uint8_t copy_kind, from_kind, to_kind, is_async;
	uint32_t value, graph, sync_type;
	uint64_t graph_node;
};

struct standin_hooks {
	uint32_t (*enter)(uint32_t cbid); /* a driver call begins: its correlation id */
	void (*leave)(uint32_t cbid, uint32_t corr);
	void (*work)(const struct standin_work *w);
	void (*context)(void); /* one was created */
};
typedef void standin_set_hooks(const struct standin_hooks *hooks);

/* standin_phase_() of the driver: where it is in its life. */
enum standin_phase {
	STANDIN_IDLE,
	STANDIN_STARTING, /* inside cuInit, asked by another thread than the one that is there */
	STANDIN_RUNNING,
	STANDIN_OVER /* its exit handler has run */
};
typedef enum standin_phase standin_phase(void);
#endif
