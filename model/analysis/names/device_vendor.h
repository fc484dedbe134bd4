/* model/analysis/names/device_vendor.h - who made a device, as far as rules differ by it. */
#ifndef STEPSCOPE_DEVICE_VENDOR_H
#define STEPSCOPE_DEVICE_VENDOR_H
#include "model/store/trace/trace.h"

/* By its vendor or its name. Producers give the number of AMD's instruction set as a compute capability: 9.0 of such a
 * device is gfx90a and says nothing of Hopper. */
bool device_is_amd(const struct trace *t, const struct device *d);
/* Of another maker, whose units are no Tensor Cores: rules about them say nothing of its kernels. */
bool device_is_other(const struct trace *t, const struct device *d);
#endif
