/* tests/unit/scenes.h - two situations of the performance guide as little traces. Times in milliseconds. */
#ifndef SCENES_H
#define SCENES_H
#include "build_trace.h"

#define MILLI 1000.0 /* the builder counts in microseconds */

/* An ideal program: 10 steps of 100 ms, 97 kernels each on #118 from 1 to 99, a copy inside the device to 100, copies to
 * the device on #119 and back on #120 that hide under compute; launches are 97 x 5 us at the start of the step. */
static inline void ideal_step(struct build *b, int number, double at, uint64_t corr)
{
	static const struct {
		int n;
		double first, each;
	} parts[] = {{40, 1, 1}, {1, 41, 2}, {50, 43, 1}, {6, 93, 1}};
	static const char *const names[] = {"volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn", "loss",
					    "volta_fp16_s884gemm_fp16_64x64_sliced1x2_ldg8_f2f_nt", "adam"};
	tf_step(b, 1, "train", number, at * MILLI, 100 * MILLI);
	int launched = 0;
	for (int p = 0; p < 4; p++)
		for (int i = 0; i < parts[p].n; i++, launched++) {
			launch(b, 1, at * MILLI + launched * 5.0, 5, corr + (uint64_t)launched);
			kernel(b, 0, 118, names[p], (at + parts[p].first + i * parts[p].each) * MILLI,
			       parts[p].each * MILLI, corr + (uint64_t)launched);
		}
	for (int i = 0; i < 3; i++)
		launch(b, 1, (at + 5) * MILLI + i, 1, corr + 200 + (uint64_t)i);
	copy(b, 0, 119, COPY_H2D, 1 << 20, (at + 10) * MILLI, 2 * MILLI, corr + 200);
	copy(b, 0, 120, COPY_D2H, 4096, (at + 42) * MILLI, 0.1 * MILLI, corr + 201);
	copy(b, 0, 118, COPY_D2D, 4096, (at + 99) * MILLI, 1 * MILLI, corr + 202);
}
static inline struct build scene_ideal(void)
{
	struct build b = build_new("xspace");
	for (int i = 0; i < 10; i++)
		ideal_step(&b, i + 1, i * 100.0, 1000u * (uint64_t)(i + 1));
	return b;
}

/* Steps 7 .. 10, each 100 ms of work on the device, with a large gap before step 9. Markers touch the work before them. */
static inline void gap_step(struct build *b, int number, double marker, double work, double end)
{
	uint64_t corr = (uint64_t)number * 100;
	tf_step(b, 1, "train", number, marker * MILLI, (end - marker) * MILLI);
	for (int i = 0; i < 10; i++) {
		launch(b, 1, work * MILLI + i * 5 - (number > 7 ? 500 : 0), 5, corr + (uint64_t)i);
		kernel(b, 0, 7, "gemm", (work + i * 10) * MILLI, 10 * MILLI, corr + (uint64_t)i);
	}
}
static inline struct build scene_gap(void)
{
	struct build b = build_new("xspace");
	gap_step(&b, 7, 0, 0, 101);
	gap_step(&b, 8, 101, 102, 202.5);
	gap_step(&b, 9, 202.5, 262, 363);
	gap_step(&b, 10, 363, 364, 464);
	return b;
}
#endif
