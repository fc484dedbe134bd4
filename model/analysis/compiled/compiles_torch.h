/* model/analysis/compiled/compiles_torch.h - what PyTorch's own ranges tell of a compilation. */
#ifndef STEPSCOPE_COMPILES_TORCH_H
#define STEPSCOPE_COMPILES_TORCH_H
#include "model/analysis/steps/compiles.h"

/* Which frame it is of, what the time went to, and which argument has another size than when the frame was compiled before: fields of `x`
 * that nothing tells stay. */
void compile_tell_torch(const struct derived *d, struct compile *x, struct arena *mem);
#endif
