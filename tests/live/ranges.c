/* tests/live/ranges.c - a program that marks its steps for NVTX and never uses CUDA, as on a machine without a driver. Tells
 * whether anybody listens. */
#include "nvtx.h"
#include <stdio.h>

int main(void)
{
	for (int i = 0; i < 1000; i++) {
		nvtx_push("step");
		nvtx_pop();
	}
	printf("1000 steps for %s\n", nvtx_is_heard() ? "a tool" : "nobody");
	return 3;
}
