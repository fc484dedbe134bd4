/* tests/live/nvtx.c - a program that uses NVTX and nothing else; built by t_nvtx.py where NVIDIA's header is installed. */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

int main(void)
{
	for (int i = 0; i < 1000; i++) {
		nvtxRangePushA("step");
		nvtxMarkA("point");
		nvtxRangePop();
	}
	puts("1000 steps");
	return 3;
}
